"""The two seed documents with the real embedder, Chroma and tantivy: names, questions, ideas."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.library.importing import Importer
from assistant.library.store import Store
from assistant.retrieval.embedder import SentenceTransformerEmbedder, packaged_model
from assistant.retrieval.indexes import Indexes
from assistant.retrieval.keywords import TantivyIndex
from assistant.retrieval.search import Searcher
from assistant.retrieval.sentence_vectors import SentenceVectors
from assistant.retrieval.vectors import ChromaVectorStore
from assistant.types import Hit

pytestmark = pytest.mark.real

CHINESE, ENGLISH = "000", "003"  # how the two files' names begin

# A name, an address or a rare word of every abstract, by file and record number.
NAMES = [
    (CHINESE, 1, "PPDiff"),
    (CHINESE, 2, "MAGEP-NFN"),
    (CHINESE, 3, "RNA-BAnG"),
    (CHINESE, 4, "Peri-LN"),
    (CHINESE, 5, "https://github.com/Revive624/Authentication-Image-Steganography"),
    (CHINESE, 6, "https://github.com/AlgoMole/MolCRAFT"),
    (CHINESE, 7, "switchback"),
    (CHINESE, 8, "Shapley share"),
    (CHINESE, 9, "token selection backdoor"),
    (CHINESE, 10, "lost-in-the-middle"),
    (CHINESE, 11, "QK integration theory"),
    (CHINESE, 12, "https://github.com/dariansal/ESPFormer"),
    (CHINESE, 13, "interchange intervention"),
    (CHINESE, 14, "https://github.com/metadriverse/AIM"),
    (CHINESE, 15, "Toxigen"),
    (CHINESE, 16, "BRONet"),
    (CHINESE, 17, "probabilistic factorial experimental design"),
    (CHINESE, 18, "projective composition"),
    (CHINESE, 19, "Friedkin-Johnsen"),
    (ENGLISH, 1, "lysozyme"),
    (ENGLISH, 2, "MA-LASSO"),
    (ENGLISH, 3, "RSTIB-MLP"),
    (ENGLISH, 4, "DSLA-Serve"),
    (ENGLISH, 5, "LeTE"),
    (ENGLISH, 6, "GANQ"),
    (ENGLISH, 7, "MatQuant"),
    (ENGLISH, 8, "Mendelian randomization"),
    (ENGLISH, 9, "SUPE"),
    (ENGLISH, 10, "ATEsc"),
    (ENGLISH, 11, "GLIDER"),
    (ENGLISH, 12, "rectified random policy evaluation"),
    (ENGLISH, 13, "MMD-OPT"),
    (ENGLISH, 14, "ICLShield"),
    (ENGLISH, 15, "RLCD"),
    (ENGLISH, 16, "IGA-INR"),
    (ENGLISH, 17, "MxMoE"),
    (ENGLISH, 18, "shuffling-type gradient"),
    (ENGLISH, 19, "C*-algebra"),
]

# Questions of one fact each, with the words that an answer must hold.
QUESTIONS = [
    (CHINESE, 1, "How many complexes does PPBench contain?", ["706,360"]),
    (CHINESE, 2, "How does MAGEP-NFN build its equivariant layer?", ["polynomial"]),
    (CHINESE, 5, "What is generated in pairs during hiding and revealing in the steganography network?", ["lock-key"]),
    (CHINESE, 5, "Where is the code of the image steganography authentication paper?", ["github.com/Revive624"]),
    (CHINESE, 6, "What passing rate on PoseBusters does VOS reach?", ["95.9"]),
    (CHINESE, 7, "On what does the effectiveness of switchback designs depend?", ["carryover effect", "autocorrelation"]),
    (CHINESE, 9, "What kind of transformers can interpolate poisoned training data?", ["single-head"]),
    (CHINESE, 10, "Towards which positions does causal masking bias attention?", ["earlier positions"]),
    (CHINESE, 12, "Which normalization does the sliced optimal transport attention avoid?", ["Sinkhorn"]),
    (CHINESE, 12, "Which tasks was ESPFormer's attention tested on?", ["point cloud"]),
    (CHINESE, 13, "Which method is used to analyse LLM feature enhancers for graphs?", ["interchange intervention"]),
    (CHINESE, 14, "By how much does AIM improve over Thrifty-DAgger?", ["40%"]),
    (CHINESE, 15, "Which model was trained on varying ratios of toxic data?", ["Olmo-1B"]),
    (CHINESE, 15, "On which benchmarks is the toxicity of the models evaluated?", ["Toxigen", "Real Toxicity Prompts"]),
    (CHINESE, 17, "What dosage is near optimal for each treatment?", ["1/2"]),
    (CHINESE, 18, "What do the authors call the desired result of composition in diffusion models?", ["projective composition"]),
    (CHINESE, 19, "How many variables do the social network problems have?", ["4.8 million"]),
    (ENGLISH, 1, "On which protein was activation steering tested?", ["lysozyme"]),
    (ENGLISH, 3, "Which training module is combined with RSTIB-MLP?", ["knowledge distillation"]),
    (ENGLISH, 4, "Which two kinds of information do the hidden states of DSLA keep?", ["historical context", "recency"]),
    (ENGLISH, 5, "What does LeTE stand for?", ["Learnable Transformation-based Generalized Time Encoding"]),
    (ENGLISH, 6, "On which GPU was GANQ's speedup measured?", ["4090"]),
    (ENGLISH, 7, "By how many percent do MatQuant int2 models beat standard int2 with QAT?", ["7%"]),
    (ENGLISH, 8, "What do the authors estimate bounds on using instruments?", ["CATE"]),
    (ENGLISH, 9, "On how many tasks is SUPE tested?", ["42"]),
    (ENGLISH, 9, "How does SUPE extract low-level skills?", ["variational autoencoder"]),
    (ENGLISH, 10, "What is done with the fragile group of samples in ATEsc?", ["ID-like"]),
    (ENGLISH, 11, "On which environments was GLIDER evaluated?", ["ScienceWorld", "ALFWorld"]),
    (ENGLISH, 12, "Which algorithm matches the reward-matching effect of GFlowNets by evaluating a fixed random policy?", ["RPE"]),
    (ENGLISH, 14, "How much better is ICLShield on average?", ["26.02"]),
    (ENGLISH, 15, "Which regularization mitigates the bias towards base classes in RLCD?", ["Class-wise Distribution Regularization"]),
    (ENGLISH, 16, "Which matrix links spectral bias and training dynamics?", ["eNTK"]),
    (ENGLISH, 17, "Which kernels does MxMoE generate?", ["GroupGEMM"]),
    (ENGLISH, 18, "Which smoothness condition do shuffling-type methods do without?", ["Lipschitz"]),
    (ENGLISH, 19, "By what are easy compact matrix quantum groups defined?", ["set partitions"]),
]  # fmt: skip

# Ideas told without the words of their paper.
IDEAS = [
    (CHINESE, 2, "a network that takes other networks' weights as input and respects reordering of neurons"),
    (CHINESE, 5, "hiding several secret pictures in one so that each receiver can only open theirs"),
    (CHINESE, 8, "paying participants fairly for sharing data when they train a model together"),
    (CHINESE, 11, "converting a pretrained language model to cheap attention with little extra training"),
    (CHINESE, 14, "a robot that learns when to ask its human teacher for help"),
    (CHINESE, 19, "changing the strength of ties in social media to reduce extreme views"),
    (ENGLISH, 3, "simple feed-forward networks that forecast traffic despite noisy sensors"),
    (ENGLISH, 6, "compressing language models with lookup tables to run fast on graphics cards"),
    (ENGLISH, 8, "bounding the effect of a treatment when there are hidden confounders"),
    (ENGLISH, 13, "detecting and cleaning attacked images with a two-sample test"),
    (ENGLISH, 14, "protecting few-shot prompting from poisoned examples"),
    (ENGLISH, 19, "neural networks symmetric under noncommutative generalisations of groups"),
]  # fmt: skip


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory, seeds_dir: Path) -> Iterator[Searcher]:
    folder = tmp_path_factory.mktemp("seeds")
    embedder = SentenceTransformerEmbedder(packaged_model(), "all-minilm-l6-v2")
    with Store.open(folder, create=True) as store:
        files = sorted(seeds_dir.glob("*.txt"))
        Importer(store, embedder.count_tokens, embedder.max_tokens).run(files)
        vectors = ChromaVectorStore(folder / "vectors", embedder.name, embedder.dimension)
        keywords = TantivyIndex(folder / "keywords")
        sentences = SentenceVectors(folder / "sentences", embedder)
        indexes = Indexes(store, embedder, vectors, keywords, sentences)
        indexes.sync()
        assert indexes.check() == []
        assert store.counts().papers == 38
        assert all(
            embedder.count_tokens(passage.text) <= embedder.max_tokens
            for passage in store.passages()
        )
        yield Searcher(store, embedder, vectors, keywords, sentences)
        vectors.close()


def is_from(hit: Hit, file: str, record_no: int) -> bool:
    return any(s.file.startswith(file) and s.record_no == record_no for s in hit.paper.sources)


def holds(hit: Hit, facts: list[str], most: int) -> bool:
    best = sorted(hit.evidence, key=lambda item: -item.score)[:most]
    shown = " ".join(
        item.sentence.text + " " + hit.paper.abstract[item.sentence.start : item.sentence.end]
        for item in best
    )
    return all(fact.casefold() in shown.casefold() for fact in facts)


@pytest.mark.parametrize(("file", "record_no", "name"), NAMES)
def test_a_rare_name_or_address_finds_its_paper(
    searcher: Searcher, file: str, record_no: int, name: str
):
    assert is_from(searcher.search(name, k=1)[0], file, record_no)


def test_questions_find_their_paper_and_the_sentence_that_answers(searcher: Searcher):
    right, in_best, in_three, in_four = [], 0, 0, 0
    for file, record_no, question, facts in QUESTIONS:
        hits = searcher.search(question, k=5)
        right.append(is_from(hits[0], file, record_no))
        for hit in hits:
            if is_from(hit, file, record_no):
                in_best += holds(hit, facts, 1)
                in_three += holds(hit, facts, 3)
                in_four += holds(hit, facts, 4)
    assert sum(right) >= 33, [
        q for (_, _, q, _), ok in zip(QUESTIONS, right, strict=True) if not ok
    ]
    assert in_four >= 33
    assert in_three >= 33
    assert in_best >= 27


def test_described_ideas_find_their_paper_among_the_first(searcher: Searcher):
    ranks = [
        next((i for i, hit in enumerate(searcher.search(idea), 1) if is_from(hit, file, no)), 99)
        for file, no, idea in IDEAS
    ]
    assert sum(rank <= 5 for rank in ranks) == len(IDEAS), ranks
    assert sum(rank == 1 for rank in ranks) >= 9, ranks


def test_a_question_in_another_script_finds_the_chinese_collection_by_its_words(searcher: Searcher):
    assert searcher.search("什么是 RNA-BAnG?", k=1)[0].paper.abstract.count("RNA-BAnG")


def test_known_words_are_counted_by_paper(searcher: Searcher):
    stats = searcher.term_stats()
    assert stats.n_docs == 38
    assert stats.df("ppdiff") == 1
    assert stats.df("volcano") == 0
    assert stats.df("model") > 15
