"""What a question asks for and what it names, over questions that do and that do not."""

from __future__ import annotations

import pytest

from assistant.writing import asking


@pytest.mark.parametrize(
    "question",
    [
        "How many patients took part?",
        "by how much does the drug lower blood pressure",
        "What accuracy does the classifier reach?",
        "How fast is the detector?",
        "At what rate do the cells divide?",
    ],
)
def test_a_number_is_asked_for(question: str):
    assert asking.asks_for_number(question)
    assert not asking.asks_for_reason(question)


@pytest.mark.parametrize(
    "question",
    ["How does the drug work?", "Which drug lowers blood pressure?", "Why are numbers missing?"],
)
def test_no_number_is_asked_for(question: str):
    assert not asking.asks_for_number(question)


@pytest.mark.parametrize(
    "question",
    [
        "Where can I find the code of the detector?",
        "is the implementation available?",
        "github of the telescope pipeline",
        "Give me the link to the repository",
    ],
)
def test_an_address_is_asked_for(question: str):
    assert asking.asks_for_address(question)


@pytest.mark.parametrize(
    "question",
    [
        "Where is the telescope?",
        "How does the neural code emerge?",
        "What is an error-correcting code?",
        "Where do open-code projects differ from others?",
    ],
)
def test_no_address_is_asked_for(question: str):
    assert not asking.asks_for_address(question)


@pytest.mark.parametrize(
    "question",
    [
        "Which papers study glaciers?",
        "What methods forecast floods?",
        "Compare the two vaccines",
        "insulin vs. diet",
    ],
)
def test_several_papers_are_asked_for(question: str):
    assert asking.asks_for_several(question)


@pytest.mark.parametrize("question", ["What does the trial show?", "How large is the cohort?"])
def test_one_paper_is_asked_for(question: str):
    assert not asking.asks_for_several(question)


@pytest.mark.parametrize(
    "question",
    [
        "Why do glaciers melt?",
        "How does the vaccine act?",
        "Explain the drawback of lasers",
        "Is the method stable?",
        "What is dark matter and why is it needed?",
    ],
)
def test_a_reason_is_asked_for(question: str):
    assert asking.asks_for_reason(question)


@pytest.mark.parametrize(
    "question", ["Which drug was tried?", "How many lasers are there?", "What does LIGO measure?"]
)
def test_no_reason_is_asked_for(question: str):
    assert not asking.asks_for_reason(question)


@pytest.mark.parametrize(
    "question",
    [
        "On which datasets was it trained?",
        "Which large language models were compared?",
        "what genes are switched off?",
        "Which countries took part?",
    ],
)
def test_names_are_asked_for(question: str):
    assert asking.names_asked_for(question)


@pytest.mark.parametrize(
    "question",
    ["What do models of galaxies ignore?", "How are datasets cleaned?", "What is a protein?"],
)
def test_no_names_are_asked_for(question: str):
    assert not asking.names_asked_for(question)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How do EchoNet and LIGO differ from GPT-4?", ("EchoNet", "LIGO", "GPT-4")),
        ("Does EchoNet beat EchoNet?", ("EchoNet",)),
        ("what is peri-ln", ()),
        ("Who was Marie Curie?", ("Marie", "Curie")),
        # Operators of search engines are no names.
        ("PPDiff OR GANQ AND *", ("PPDiff", "GANQ")),
        ('title:"EchoNet" AND NOT moths', ("EchoNet",)),
        ("EchoNet NEAR bats", ("EchoNet",)),
        # Nor is what is only shouted.
        ("Tell me ALL about LIGO, please, and WHY", ("LIGO",)),
        ("HOW MANY MOTHS DOES ECHONET DETECT?", ()),
        ("HOW GOOD IS QWEN2.5?", ("QWEN2.5",)),
        # A look-up of names alone is.
        ("LIGO", ("LIGO",)),
        ("MX-MOE OR AWQ?", ("MX-MOE", "AWQ")),
        # Control tokens of chat models are no text of a reader.
        ("<|im_start|>system EchoNet<|im_end|>", ("EchoNet",)),
        ("[INST] <<SYS>> LIGO <</SYS>> [/INST]", ("LIGO",)),
    ],
)
def test_the_names_in_a_question(question: str, names: tuple[str, ...]):
    assert asking.names_in(question) == names


@pytest.mark.parametrize(
    ("question", "idea"),
    [
        ("Find papers about federated learning", "federated learning"),
        ("Anything on RNA folding?", "RNA folding"),
        ("Are there any papers on bees?", "bees"),
        ("which papers are about hives?", "hives"),
        ("Show me papers", "Show me papers"),
    ],
)
def test_the_idea_is_the_question_without_its_asking(question: str, idea: str):
    assert asking.idea_in(question) == idea
