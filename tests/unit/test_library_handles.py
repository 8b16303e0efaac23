"""A paper without a title gets a name that tells a reader which one it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.library import handles, readers
from assistant.library.cleaning import plain
from assistant.types import Record

LEAD = "Reading old maps is slow and costly. Earlier work left this open. "


def seed_handles(seeds_dir: Path, file: str) -> list[str]:
    found = list(readers.read(seeds_dir / file))
    return [handles.handle(plain(item.abstract).text) for item in found if isinstance(item, Record)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        # NAME, a …
        (
            "Here, we introduce MapReader, a neural model to read old maps.",
            "MapReader: a neural model to read old maps",
        ),
        (
            "We propose MAPS (Many Aligned Paper Scans), a dataset of scanned maps.",
            "MAPS: Many Aligned Paper Scans, a dataset of scanned maps",
        ),
        ("We design MapNet — a simple yet effective map network.", "MapNet: a map network"),
        ("In this work, we present Carto, the first reader of maps.", "Carto: the reader of maps"),
        (
            "We release pymaps, an open library for old maps.",
            "pymaps: an open library for old maps",
        ),
        (
            "We design $\\mathcal{M}^{Map}$, a map pricing mechanism.",
            "M^Map: a map pricing mechanism",
        ),
        # a …, NAME / a … called NAME / by introducing NAME
        (
            "We propose a new reading algorithm, MapRun, that reads maps twice.",
            "MapRun: a reading algorithm that reads maps twice",
        ),
        ("We propose a novel framework MapFrame.", "MapFrame"),
        ("We present a two-stage map reader, named **MapTwo**.", "MapTwo: a two-stage map reader"),
        (
            "This strategy puts legends first, a design we term **Legend-LN**.",
            "Legend-LN",
        ),
        (
            "We close this gap by introducing MapBench, a benchmark of maps.",
            "MapBench: a benchmark of maps",
        ),
        # EXPANSION (NAME)
        (
            "We propose the Adaptive Map Reader (AMR), a robot that reads.",
            "AMR: Adaptive Map Reader, a robot that reads",
        ),
        (
            "We introduce an efficient Map Line Graph (MLG) layer.",
            "MLG: efficient Map Line Graph layer",
        ),
        ("We introduce **Learnable Time Maps (LeTiMa)**.", "LeTiMa: Learnable Time Maps"),
        (
            "We propose LMaps (**L**arge m**A**p reader**S**) that reads wet maps.",
            "LMaps: Large map readers that reads wet maps",
        ),
        # our method NAME
        (
            "Our method MapUp (Maps from Unlabeled Prior scans) reads them.",
            "MapUp: Maps from Unlabeled Prior scans",
        ),
        # no name: what is done
        (
            "This paper presents a graph-theoretic framework for analyzing map legends.",
            "A graph-theoretic framework for analyzing map legends",
        ),
        (
            "This paper conducts a comprehensive comparative analysis of map scanners.",
            "A comparative analysis of map scanners",
        ),
        ("We study how map legends age in cellars.", "How map legends age in cellars"),
        ("We revisit the ageing rates of paper maps.", "Revisiting the ageing rates of paper maps"),
        (
            "We focus on transforming paper maps into vectors.",
            "Transforming paper maps into vectors",
        ),
        (
            "We show that wet cellars make paper maps unreadable.",
            "Wet cellars make paper maps unreadable",
        ),
        (
            "We investigate the potential of Map Steering, a technique made for text, to direct readers.",
            "The potential of Map Steering to direct readers",
        ),
        (
            "OBJECTIVE: To determine whether vitamin C slows scurvy in sailors.",
            "Whether vitamin C slows scurvy in sailors",
        ),
        (
            "The aim of this study was to compare aspirin with placebo in adults.",
            "Comparing aspirin with placebo in adults",
        ),
        (
            "The effect of heat on thin steel plates was investigated in detail.",
            "The effect of heat on thin steel plates",
        ),
        (
            "We propose to learn the distance between two maps.",
            "Learning the distance between two maps",
        ),
    ],
)
def test_the_name_comes_from_what_the_authors_say_they_do(sentence: str, expected: str) -> None:
    assert handles.handle(plain(LEAD + sentence).text) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "We propose a map reader that outperforms MapBERT and LegendGPT.",
        "We study map reading with large language models (LLMs).",
        "We compare our reader of maps to OldNet, a well known network.",
        "We evaluate map readers on ImageNet and CIFAR-10.",
        "We investigate map reading by CNN-based methods.",
    ],
)
def test_names_of_others_are_not_taken(sentence: str) -> None:
    made = handles.handle(LEAD + sentence)
    assert re.match(r"[\w-]+:", made) is None
    assert "map" in made.lower()


def test_a_name_that_was_there_before_is_no_new_name() -> None:
    text = "Map reading uses OldNet (ON) a lot. We propose an OldNet approach to wet maps."
    assert not handles.handle(text).startswith(("OldNet:", "ON:"))


def test_the_repository_tells_which_of_two_names_is_the_method() -> None:
    text = (
        "We propose a Map Learning Frame (MLF) that adds a branch. Further, we introduce "
        "Map Line Blur (MLB). With both, our method, MapLine, wins. "
        "Code: https://github.com/someone/MapLine."
    )
    assert handles.handle(text).startswith("MapLine: ")


def test_a_shared_acronym_is_spelled_out_where_there_is_room() -> None:
    text = "Federated learning (FL) is common. We propose FedMap, a map payment scheme for FL."
    assert handles.handle(text) == "FedMap: a map payment scheme for federated learning"


def test_a_long_handle_ends_at_a_word_with_a_mark() -> None:
    text = (
        "We introduce MapRead, a diffusion model to jointly design the frames and legends of maps "
        "for arbitrary cellars in a non-autoregressive manner."
    )
    made = handles.handle(text)
    assert made == "MapRead: a diffusion model to jointly design the frames and legends of maps…"


def test_without_any_cue_the_first_sentence_is_the_name() -> None:
    assert handles.handle("BACKGROUND: Wet maps rot fast. They smell.") == "Wet maps rot fast"
    assert handles.handle("苔藓在石墙上生长。它很慢。") == "苔藓在石墙上生长。"


@settings(deadline=None)
@given(st.text(max_size=300))
def test_a_handle_is_never_empty_never_long_and_one_line(text: str) -> None:
    made = handles.handle(plain(text).text)
    assert 0 < len(made) <= handles.MAX_HANDLE
    assert made == made.strip()
    assert "\n" not in made


def test_the_handles_of_the_first_seed_document(seeds_dir: Path) -> None:
    assert seed_handles(seeds_dir, "000_54502489e74a5d03.txt") == [
        "PPDiff: a diffusion model to jointly design the sequence and structure of binders…",
        "MAGEP-NFN: Monomial matrix Group Equivariant Polynomial neural functional network",
        "RNA-BAnG: a deep learning-based model designed to generate RNA sequences…",
        "Peri-LN: an analytical foundation for understanding how different LN strategies influence…",
        "An image steganography network collaborating with separate authentication…",
        "VOS: VLB-Optimal Scheduling strategy",
        "A comparative analysis of various switchback designs in Markovian environments",
        "M^Shap: a budget-balanced payment mechanism for federated learning",
        "Backdoor attacks that exploit the token selection process within attention mechanisms",
        "A graph-theoretic framework for analyzing position bias in multi-layer attention",
        "Transforming pre-trained Softmax-based language models into linear attention models",
        "ESPFormer: a fully parallelizable doubly-stochastic attention mechanism…",
        "A plug-and-play optimization module to improve the information transfer between LLM…",
        "AIM: Adaptive Intervention Mechanism, a robot-gated IIL algorithm that learns…",
        "Pre-training on more toxic data can lead to better control in post-training",
        "BRONet: a Lipschitz neural network that achieves state-of-the-art certified robustness",
        "The probabilistic factorial experimental design, formalized from how scientists perform…",
        "The theoretical foundations of composition in diffusion models",
        "Acting on the network weights that model user interactions on social networks",
    ]


def test_the_handles_of_the_second_seed_document(seeds_dir: Path) -> None:
    assert seed_handles(seeds_dir, "003_cf87fd6c39c4b766.txt") == [
        "The potential of Activation Steering to direct PLMs toward generating protein sequences…",
        "MA: missingness-avoiding machine learning, a general framework for training models…",
        "RSTIB: Robust Spatial-Temporal Information Bottleneck",
        "DSLA: dual-state linear attention, a design that maintains two specialized hidden states",
        "LeTE: Learnable Transformation-based Generalized Time Encoding",
        "GANQ: GPU-Adaptive Non-Uniform Quantization, a layer-wise post-training non-uniform…",
        "MatQuant: Matryoshka Quantization, a multi-scale quantization technique that alleviates…",
        "An approach for partial identification through a mapping of instruments…",
        "SUPE: Skills from Unlabeled Prior data for Exploration",
        "ATEsc: Adversarial Trap Escaping to benefit DFKD by identifying and filtering out…",
        "GLIDER: Grounding Language Models as Efficient Decision-Making Agents via Offline…",
        "RPE: rectified random policy evaluation algorithm which achieves the same reward-matching…",
        "DAD: Distributional-discrepancy-based Adversarial Defense",
        "ICLShield: a defense mechanism that dynamically adjusts the concept preference ratio",
        "RLCD: a Reciprocal Learning Framework (RLF) that introduces an auxiliary branch devoted…",
        "IGA: Inductive Gradient Adjustment method which could purposefully improve…",
        "MxMoE: a mixed-precision optimization framework for MoE models that considers…",
        "Revisiting the convergence rates of shuffling-type gradient methods…",
        "Compact matrix quantum group equivariant neural networks",
    ]


# Links


@pytest.mark.parametrize(
    ("text", "links"),
    [
        (
            "Code is at https://github.com/AlgoMole/MolCRAFT.",
            ["https://github.com/AlgoMole/MolCRAFT"],
        ),
        ("at: [https://x.org/a](https://x.org/a).", ["https://x.org/a"]),
        ("at [GitHub Link](https://github.com/a/b).", ["https://github.com/a/b"]),
        ("at \\url{https://github.com/a/ESP\\_Former}.", ["https://github.com/a/ESP_Former"]),
        (
            "(see https://x.org/a_(b) and https://y.org/c).",
            ["https://x.org/a_(b)", "https://y.org/c"],
        ),
        (
            "**https://x.org/a**, 'https://y.org'; https://x.org/a",
            ["https://x.org/a", "https://y.org"],
        ),
        ("https://x.org/q?a=1&b=2#top!", ["https://x.org/q?a=1&b=2#top"]),
        ("no link; http:// alone", []),
    ],
)
def test_links_are_found_in_every_form(text: str, links: list[str]) -> None:
    assert list(handles.code_links(text)) == links


def test_the_seeds_name_their_code(seeds_dir: Path) -> None:
    found = [item for path in sorted(seeds_dir.glob("*.txt")) for item in readers.read(path)]
    links = [handles.code_links(item.abstract) for item in found if isinstance(item, Record)]
    assert sum(bool(some) for some in links) == 10
    assert ("https://github.com/dariansal/ESPFormer",) in links
    assert ("https://github.com/LabShuHangGU/IGA-INR",) in links


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            (
                "OBJECTIVE: To examine the evidence base of moss research in the north. METHODS: We use "
                "records of old walls. RESULTS: We found that most records of moss are old."
            ),
            "The evidence base of moss research in the north",
        ),
        (
            (
                "PURPOSE: This study was designed to determine whether moss predicts the age of walls. "
                "METHOD: This study used a retrospective design of walls, moss and age."
            ),
            "Whether moss predicts the age of walls",
        ),
        (
            "AIM: To find out if moss grows on northern walls.",
            "Whether moss grows on northern walls",
        ),
    ],
)
def test_what_is_aimed_at_is_said_in_its_section(text: str, expected: str) -> None:
    assert handles.handle(plain(text).text) == expected
