"""Find: which papers come for an idea, in which order, with which reasons."""

from __future__ import annotations

from pathlib import Path

import pytest
from found_world import FoundWorld

from assistant.errors import QuestionError
from assistant.types import Filters, Idea
from assistant.writing import find

IDEA = "bats hunting moths with echoes, robots painting fences in gardens"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> FoundWorld:
    return FoundWorld(Path(tmp_path_factory.mktemp("found"))).fill()


def test_the_paper_that_is_described_comes_first_with_the_sentence_that_says_so(world):
    found = world.finder.find(Idea("bats hunting moths with echoes"))
    first = found.matches[0]
    assert first.paper.title == "On bats hunting moths with echoes"
    (reason,) = first.why
    assert reason.facet == "bats hunting moths with echoes"
    sentence = reason.evidence.sentence
    assert first.paper.abstract[sentence.start : sentence.end] == sentence.text
    assert "hunting moths with echoes" in sentence.text
    assert found.close
    assert found.index_version == "v1"


def test_each_part_is_met_by_a_sentence_or_not_at_all(world):
    found = world.finder.find(Idea(IDEA))
    assert len(found.facets) == 2
    for match in found.matches:
        assert tuple(reason.facet for reason in match.why) == found.facets
    of = {match.paper.title: match for match in found.matches}
    bats = of["On bats hunting moths with echoes"]
    assert [bool(reason.evidence) for reason in bats.why] == [True, False]
    robots = of["On robots painting fences in gardens"]
    assert [bool(reason.evidence) for reason in robots.why] == [False, True]


def test_what_is_met_is_near_by_meaning_and_words(world):
    found = world.finder.find(Idea(IDEA, limit=60))
    for match in found.matches:
        for reason in match.why:
            if reason.evidence:
                assert find.closeness(reason.evidence) >= find._MET


def test_nothing_is_close_to_an_idea_of_another_world(world):
    found = world.finder.find(Idea("quarterly dividends of shipping companies"))
    assert not found.close
    assert found.matches, "the nearest are shown all the same"
    assert found.matches[0].score < find.CLOSE


def test_scores_fall_down_the_list_and_lie_between_0_and_1(world):
    scores = [match.score for match in world.finder.find(Idea(IDEA, limit=100)).matches]
    assert scores == sorted(scores, reverse=True)
    assert 0 <= scores[-1] < scores[0] <= 1


def test_pages_follow_each_other_without_gap_or_overlap(world):
    whole = world.finder.find(Idea(IDEA, limit=50))
    pages = [world.finder.find(Idea(IDEA, limit=7, offset=start)) for start in range(0, 50, 7)]
    listed = [match for page in pages for match in page.matches][:50]
    assert [match.paper.id for match in listed] == [match.paper.id for match in whole.matches]
    assert [match.rank for match in listed] == list(range(1, 51))
    assert {page.total for page in pages} == {whole.total}


def test_beyond_the_last_page_there_is_nothing(world):
    found = world.finder.find(Idea(IDEA, offset=1_000))
    assert found.matches == ()
    assert found.total > 0


def test_by_year_the_newest_of_what_is_about_it_come_first(world):
    found = world.finder.find(Idea("bats singing tunes at midnight", sort="year", limit=60))
    years = [match.paper.year for match in found.matches]
    assert years == sorted(years, reverse=True)
    best = max(match.score for match in found.matches)
    assert all(match.score >= best / 2 for match in found.matches)


def test_like_a_paper_are_others_and_not_itself(world):
    (paper,) = world.finder.find(Idea("bats hunting moths with echoes", limit=1)).matches
    found = world.finder.find(Idea(like=(paper.paper.id,)))
    assert paper.paper.id not in {match.paper.id for match in found.matches}
    near = found.matches[0].paper.title
    assert "bats" in near or "hunting moths" in near


def test_unlike_a_paper_is_turned_away_from_it(world):
    finder = world.finder
    plain = finder.find(Idea("bats robots", limit=60))
    bats = next(m.paper.id for m in plain.matches if "bats" in m.paper.title)
    turned = finder.find(Idea("bats robots", unlike=(bats,), limit=60))
    assert bats not in {match.paper.id for match in turned.matches}

    def share(found):
        return sum("bats" in match.paper.title for match in found.matches[:8])

    assert share(turned) <= share(plain)


@pytest.mark.parametrize("text", ["", " \n", "?!", "the of", "🙂"])
def test_there_must_be_an_idea_or_a_paper(world, text: str):
    with pytest.raises(QuestionError) as told:
        world.finder.find(Idea(text))
    assert told.value.hint


@pytest.mark.parametrize(
    "text",
    ['bats" OR title:*', "<script>bats</script>", "bats \x00\ud800", "\\textbf{bats} $x$", "bats " * 9_000],
)  # fmt: skip
def test_any_text_is_an_idea(world, text: str):
    found = world.finder.find(Idea(text))
    assert "bats" in found.matches[0].paper.title
    assert found.idea == text
    assert found.unread == max(0, len(text) - 20_000)


def test_a_paper_of_which_only_the_title_is_known_is_found_and_meets_nothing(world):
    found = world.finder.find(Idea("submarines alone"))
    first = found.matches[0]
    assert first.paper.title == "A title about submarines alone"
    assert not any(reason.evidence for reason in first.why)


def test_filters_hold_and_cost_no_match(world):
    found = world.finder.find(Idea(IDEA, filters=Filters(venues=("Glaciers",)), limit=60))
    assert {match.paper.venue for match in found.matches} == {"Journal of Glaciers"}
    assert found.total == 10


def test_a_slip_is_mended_and_told(world):
    found = world.finder.find(Idea("glacirs melting"))
    assert found.read_as == (("glacirs", "glaciers"),)
    assert "glaciers" in found.matches[0].paper.title
    assert world.finder.find(Idea("glaciers melting")).read_as == ()


def test_a_common_word_is_no_slip_where_the_library_lacks_it(world):
    # one letter less is "fewe", which has the stem of "few"
    found = world.finder.find(Idea("fewer glaciers melting"))
    assert found.read_as == ()
    assert found.facets == ("fewer glaciers melting",)


def test_a_mended_word_is_one_that_the_library_writes(world):
    found = world.finder.find(Idea("robtos painting"))
    assert found.read_as == (("robtos", "robots"),)
