"""Verification: for each check statements that hold and statements that do not."""

from __future__ import annotations

import pytest
from verifying import LASER, PRUNING, TRIAL, check, evidence_of, verdict

SHORTEN = "By how much did DozeWell shorten the time to sleep?"
COURSE = "What is DozeWell?"
KEEP = "How does RingTrap keep atoms?"
LOSE = "When does RingTrap lose fewer atoms?"
GAIN = "By how much does FairCut improve accuracy?"
LAYERS = "How are layers chosen?"


@pytest.mark.parametrize(
    ("statement", "question", "texts"),
    [
        (TRIAL[2], SHORTEN, TRIAL),
        (TRIAL[1], COURSE, TRIAL),
        (TRIAL[4], "What is the url of the recordings?", TRIAL),
        ("DozeWell needs no medication.", "What does DozeWell need?", TRIAL),
        ("The course raised deep sleep by 12%.", "By how much did deep sleep rise?", TRIAL),
        ("RingTrap holds rubidium atoms in a ring of light.", KEEP, LASER),
        ("RingTrap keeps atoms for 90 seconds.", "For how long are atoms kept?", LASER),
        (LASER[4], "What does the lifetime of the atoms depend on?", LASER),
        (LASER[3], LOSE, LASER),
        (LASER[5], "How much power do the traps use?", LASER),
        (PRUNING[2], GAIN, PRUNING),
        ("OmniCut improves accuracy by 4 points.", "How much does OmniCut gain?", PRUNING),
        ("FairCut prunes weights without retraining.", "How does FairCut prune?", PRUNING),
        (PRUNING[4], "Why is a score used to choose layers?", PRUNING),
        (PRUNING[5], "On which networks was it tested?", PRUNING),
    ],
)
def test_a_statement_that_its_paper_makes_passes_every_check(
    statement: str, question: str, texts: tuple[str, ...]
):
    found = verdict(statement, question, texts)
    assert found.passed, [c for c in found.checks if not c.passed]
    assert len({c.name for c in found.checks}) == 11


@pytest.mark.parametrize(
    ("name", "statement", "question", "texts", "reason"),
    [
        ("form", "", COURSE, TRIAL, "empty"),
        ("form", "…", COURSE, TRIAL, "empty"),
        ("form", "DozeWell is a breathing course that", COURSE, TRIAL, "unfinished"),
        ("form", "Is DozeWell a breathing course?", COURSE, TRIAL, "unfinished|question"),
        ("form", "The abstract does not mention it.", COURSE, TRIAL, "about the evidence"),
        ("form", "Sorry, DozeWell is a course.", COURSE, TRIAL, "about the evidence"),
        ("form", "It raised deep sleep and raised deep sleep.", COURSE, TRIAL, "twice"),
        ("answers", "DozeWell shortened the time to sleep.", SHORTEN, TRIAL, "repeats"),
        ("answers", "It did shorten it in a randomised trial.", SHORTEN, TRIAL, "no number"),
        ("answers", "Recordings exist.", "Where is the code of DozeWell?", TRIAL, "no address"),
        ("answers", "It was on rare classes.", "Which networks were tested?", PRUNING, "no names"),
        ("answers", "It is an effective approach.", "How does FairCut prune?", PRUNING, "specific"),
        ("subject", "OmniCut improves accuracy by 4 points.", GAIN, PRUNING, "faircut"),
        ("subject", "It gains 7%.", "What does OmniCut gain?", PRUNING, "omnicut"),
        (
            "together",
            "Recordings raised deep sleep in patients.",
            "Which pills do patients dread?",
            TRIAL,
            "0%",
        ),
        (
            "together",
            "A ring of light holds rubidium atoms because of strong magnetic fields.",
            "Why do strong magnetic fields matter?",
            LASER,
            "0%",
        ),
        ("traced", "In a ring of light, atoms hold RingTrap.", KEEP, LASER, "follows"),
        ("traced", "RingTrap proposes atoms light.", KEEP, LASER, "follows"),
        ("traced", "It holds rubidium atoms in a ring of cold light.", KEEP, LASER, "cold"),
        ("traced", "It holds rubidium atoms, which is a ring of light.", KEEP, LASER, "ties"),
        ("traced", "FairCut improves accuracy over pruning by 7%.", GAIN, PRUNING, "CIFAR-100"),
        ("traced", "RingTrap loses fewer atoms than existing traps.", KEEP, LASER, "magnetic"),
        ("traced", f"{TRIAL[1]} Patients breathe pills in the course.", COURSE, TRIAL, "follows"),
        ("numbers", "It shortened the time to sleep by 15.8 minutes.", SHORTEN, TRIAL, "15.8"),
        ("numbers", "FairCut improves accuracy by 7 points.", GAIN, PRUNING, "7 points"),
        ("numbers", "OmniCut improves accuracy by 4%.", GAIN, PRUNING, "4%"),
        ("numbers", "The placebo group gained 12%.", "Who gained?", TRIAL, "12% is not of"),
        ("numbers", "RingTrap uses 7 mW of power.", "How much power?", LASER, "respectively"),
        ("names", "DozyWell is a breathing course.", COURSE, TRIAL, "DozyWell"),
        ("names", "Tests cover ResNet-152.", "Which networks?", PRUNING, "ResNet-152"),
        ("names", "See https://example.org/other.", COURSE, TRIAL, "example.org/other"),
        ("polarity", "DozeWell is a course that needs medication.", COURSE, TRIAL, "drops"),
        ("polarity", "The lifetime depends on the temperature.", KEEP, LASER, "drops"),
        ("polarity", "FairCut prunes weights with retraining.", GAIN, PRUNING, "drops"),
        ("polarity", "A label score chooses the layers.", LAYERS, PRUNING, "drops"),
        ("polarity", "FairCut does not prune weights.", GAIN, PRUNING, "negates"),
        ("polarity", "The ring never holds atoms.", KEEP, ("The ring holds atoms.",), "negation"),
        ("direction", "The course lowered deep sleep by 12%.", COURSE, TRIAL, "lowered"),
        ("direction", "RingTrap loses more atoms than existing traps.", LOSE, LASER, "more"),
        ("direction", "FairCut worsens accuracy over magnitude pruning.", GAIN, PRUNING, "worsens"),
        ("direction", "RingTrap is outperformed by DipTrap.", KEEP, LASER, "diptrap|outperformed"),
        ("direction", "DipTrap outperforms RingTrap.", KEEP, LASER, "diptrap"),
        ("direction", "It loses fewer atoms than the proposed traps.", LOSE, LASER, "proposed"),
        ("covered", "DozeWell hypnotises volunteers with melodies.", COURSE, TRIAL, "0%"),
        ("close", "Volcanoes erupted near a harbour of an ancient town.", COURSE, TRIAL, "cosine"),
    ],
)
def test_a_statement_that_its_paper_does_not_make_fails_with_the_reason(
    name: str, statement: str, question: str, texts: tuple[str, ...], reason: str
):
    found = check(name, statement, question, texts)
    assert not found.passed
    assert any(part in found.detail for part in reason.split("|")), found.detail
    assert not verdict(statement, question, texts).passed


@pytest.mark.parametrize(
    ("name", "statement", "question", "texts"),
    [
        ("form", "It needs no “medication”", COURSE, TRIAL),
        ("form", "The text detector does well.", COURSE, TRIAL),
        ("answers", "By 18.5 minutes.", SHORTEN, TRIAL),
        ("answers", "See https://example.org/dozewell.", "Where is the code?", TRIAL),
        ("answers", "On ViT-B.", "Which networks were tested?", PRUNING),
        ("subject", "It holds atoms in a ring of light.", KEEP, LASER),
        ("subject", "OmniCut improves accuracy by 4 points.", "What does OmniCut do?", PRUNING),
        ("together", "It raised deep sleep by 12%.", "Does the course help deep sleep?", TRIAL),
        ("traced", "On CIFAR-100, FairCut improves accuracy by 7%.", GAIN, PRUNING),
        ("traced", "For 90 seconds.", "For how long are atoms kept?", LASER),
        ("numbers", "It took eighteen.", COURSE, ("It took 18 nights.",)),
        ("numbers", "It gained 0.5.", COURSE, ("It gained 1/2 of the time.",)),
        ("numbers", LASER[5], "How much power?", LASER),
        ("names", "RING-TRAP holds rubidium atoms.", KEEP, LASER),
        ("polarity", "A score chooses the layers without labels.", LAYERS, PRUNING),
        ("polarity", "FairCut does no retraining.", GAIN, PRUNING),
        ("direction", "DipTrap is outperformed by RingTrap.", KEEP, LASER),
        ("direction", "RingTrap beats DipTrap.", KEEP, LASER),
        ("direction", "Pills are reduced.", COURSE, ("Pills are fewer.",)),
        ("covered", "DozeWell shortened the time to sleep.", "Does it help?", TRIAL),
        ("close", "By 18.5 minutes.", SHORTEN, TRIAL),
    ],
)
def test_a_check_lets_through_what_is_not_its_concern(
    name: str, statement: str, question: str, texts: tuple[str, ...]
):
    found = check(name, statement, question, texts)
    assert found.passed, found.detail


def test_winners_of_different_trials_do_not_contradict_each_other():
    texts = ("AlphaNet outperforms BetaNet on speech.", "BetaNet outperforms AlphaNet on music.")
    for statement in texts:
        assert check("direction", statement, "Which is better?", texts).passed


def test_a_number_goes_with_who_is_named_in_a_sentence_before():
    texts = ("MatQuant lowers memory by 40%.", "It improves accuracy by 7%.")
    assert check("numbers", "MatQuant improves accuracy by 7%.", GAIN, texts).passed


def test_a_statement_rests_on_the_sentences_that_hold_it():
    evidence = evidence_of(TRIAL)
    found = verdict("DozeWell shortened the time to sleep by 18.5 minutes.", SHORTEN, TRIAL)
    assert found.evidence == (evidence[2],)
    assert verdict("Utter nonsense.", SHORTEN, TRIAL).evidence == evidence


def test_a_statement_without_evidence_does_not_pass():
    assert not verdict("DozeWell is a breathing course.", COURSE, ()).passed
