"""What the page shows of an import: how far it is, and the ledger, with nothing acting in it."""

from __future__ import annotations

import threading

import pytest

from assistant.errors import LibraryBusy, LibraryError, QuestionError
from assistant.interfaces.web import desk as desk_room
from assistant.interfaces.web.desk import Desk, Pace
from assistant.interfaces.web.import_html import duration, job_view, line_of
from assistant.jobs import ImportJob, Step
from assistant.types import FileReport, ImportReport, Rejected, Source


class Library:
    """Has the import that a test gives it; starts those it is asked for, and waits with them."""

    def __init__(self):
        self.import_job = None
        self.started = []
        self.go_on = threading.Event()
        self.report = ImportReport(())

    def import_in_background(self, paths, *, columns=None):
        if self.import_job and self.import_job.state == "running":
            raise LibraryBusy("An import is under way.")
        self.started.append(([path.name for path in paths], columns))

        def work(tell, cancelled, reported):
            self.go_on.wait(30)
            reported(self.report)

        self.import_job = ImportJob(work)
        return self.import_job


def ended(report, cancel=False, error=None):
    held = threading.Event()

    def work(tell, cancelled, reported):
        reported(report)
        held.wait(30)
        if error:
            raise error

    job = ImportJob(work)
    if cancel:
        job.cancel()
    held.set()
    job.wait()
    return job


def shown(report, **how):
    library = Library()
    library.import_job = ended(report, **how)
    return job_view(Desk(library))


def rejected(number, **more):
    return Rejected(Source("refs.bib", number, "bibtex", "refs"), "it is broken", "Mend it", **more)


GOOD = FileReport("refs.bib", "bibtex", read=9, with_abstract=6, added=5, merged=2, unchanged=1,
                  rejected=(rejected(4, line=31, key="doe2020"),))  # fmt: skip
TABLE = FileReport("sheet.csv", "", error="sheet.csv is a table, and none of its columns is plainly "
                   "the abstract.", hint="Say which. Its columns are: Id, <b>Text</b>.")  # fmt: skip


def test_without_an_import_nothing_is_shown():
    assert job_view(Desk(Library())).html == ""


def test_the_ledger_tells_every_number_and_every_rejection():
    view = shown(ImportReport((GOOD,)))
    assert view.state == "done"
    for name, number in {
        "Read": 9,
        "With abstract": 6,
        "References": 2,
        "Added": 5,
        "Merged": 2,
    }.items():
        assert f'data-name="{name}">{number}<' in view.html
    assert 'data-name="Updated" class="zero">0<' in view.html
    assert 'data-name="Rejected" class="bad">1<' in view.html
    assert "9 records read: 5 added, 2 merged with papers already there, 1 unchanged" in view.html
    assert "Record 4, line 31" in view.html
    assert "doe2020" in view.html
    assert "It is broken." in view.html
    assert "Mend it" in view.html
    assert "library/ledger.csv" in view.html


def test_several_files_are_added_up():
    view = shown(ImportReport((GOOD, GOOD)))
    assert view.html.count("<tr") == 4
    assert 'data-name="Read">18<' in view.html


def test_many_rejections_are_cut_and_counted():
    many = FileReport("refs.bib", "bibtex", read=300, rejected=tuple(map(rejected, range(1, 301))))
    html = shown(ImportReport((many,))).html
    assert html.count("<li>") == 50
    assert "And 250 more" in html


def test_names_and_reasons_from_files_do_not_act():
    evil = "<img src=x onerror=alert(1)>\u202e"
    source = Source(evil, 1, "bibtex", evil)
    file = FileReport(evil, evil, read=1, rejected=(Rejected(source, evil, evil, key=evil),))
    broken = FileReport(evil, "", error=evil, hint=evil)
    html = shown(ImportReport((file, broken))).html
    assert "<img" not in html
    assert "\u202e" not in html
    assert html.count("&lt;img src=x onerror=alert(1)&gt;") >= 6


def test_a_cancelled_import_says_what_is_kept_and_what_was_not_read(tmp_path):
    library = Library()
    desk = Desk(library)
    library.report = ImportReport((GOOD,))
    start(desk, tmp_path, "refs.bib", "later.bib")
    library.import_job.cancel()
    library.go_on.set()
    library.import_job.wait()
    view = job_view(desk)
    assert view.state == "stopped"
    assert "What was read is kept" in view.html
    assert "Not read: later.bib" in view.html


def test_a_failed_import_says_why():
    view = shown(ImportReport((GOOD,)), error=LibraryError("The disk is full.", "Make room."))
    assert view.state == "failed"
    assert "The disk is full." in view.html
    assert "Make room." in view.html
    assert "9 records read" in view.html


@pytest.mark.parametrize(
    ("step", "pace", "line"),
    [
        (Step("reading", "a\u202e<b>.ris", 1), Pace(), "Reading a<b>.ris · 1 record"),
        (Step("reading", "a.ris", 1500), Pace(250.4), "Reading a.ris · 1,500 records · 250 a second"),
        (
            Step("sentences", "a.ris", 20, 80),
            Pace(2.0, 30.0),
            "Indexing sentences · 20 of 80 sentences · 2 a second · about 30 s left in this step",
        ),
        (Step("passages", "", 1, 9), Pace(0.1), "Indexing meaning · 1 of 9 passages · less than one a second"),
    ],
)  # fmt: skip
def test_how_far_it_is_in_one_line(step, pace, line):
    job = ended(ImportReport(()))
    job._step = step
    assert line_of(job, pace) == line


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.2, "1 s"), (59.4, "59 s"), (90, "2 min"), (7300, "2 h 2 min")]
)
def test_times_are_said_as_readers_say_them(seconds, said):
    assert duration(seconds) == said


def test_the_pace_is_that_of_the_present_stage(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(desk_room.time, "monotonic", lambda: clock[0])
    desk, job = Desk(Library()), ended(ImportReport(()))
    job._step = Step("passages", "", 100, 1000)
    assert desk.pace(job) == Pace()
    clock[0], job._step = 110.0, Step("passages", "", 300, 1000)
    assert desk.pace(job) == Pace(20.0, 35.0)
    job._step = Step("sentences", "", 5, 1000)
    assert desk.pace(job) == Pace()


def start(desk, folder, *names):
    batch = desk.begin()
    for name in names:
        path = folder / name
        path.write_text("x", encoding="utf-8")
        desk._uploads._batches[batch].paths.append(path)
    return desk.start(batch)


def test_copies_go_after_the_import_and_tables_without_a_column_wait(tmp_path):
    library = Library()
    library.report = ImportReport((GOOD, TABLE))
    desk = Desk(library)
    start(desk, tmp_path, "refs.bib", "sheet.csv")
    with pytest.raises(LibraryBusy, match="under way"):
        desk.begin()
    library.go_on.set()
    library.import_job.wait()
    assert desk.unmapped == ("sheet.csv",)
    assert [path.name for path in tmp_path.iterdir()] == ["sheet.csv"]
    html = job_view(desk).html
    assert "Which column holds the abstract?" in html
    assert "Columns of sheet.csv: Id, &lt;b&gt;Text&lt;/b&gt;." in html
    assert "--map" not in html
    with pytest.raises(QuestionError, match="No column"):
        desk.start_mapped("  ")
    library.report = ImportReport((GOOD,))
    desk.start_mapped(" Text ")
    library.import_job.wait()
    assert library.started[-1] == (["sheet.csv"], {"abstract": "Text"})
    assert desk.unmapped == ()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(QuestionError, match="no longer here"):
        desk.start_mapped("Text")


def test_tables_that_wait_go_when_they_are_left_or_others_come(tmp_path):
    library = Library()
    library.go_on.set()
    library.report = ImportReport((TABLE,))
    desk = Desk(library)
    start(desk, tmp_path, "sheet.csv").wait()
    assert desk.unmapped
    desk.forget_unmapped()
    assert not desk.unmapped
    start(desk, tmp_path, "sheet.csv").wait()
    assert desk.unmapped
    library.report = ImportReport((GOOD,))
    start(desk, tmp_path, "refs.bib").wait()
    assert not desk.unmapped


def test_a_sheet_of_titles_alone_is_asked_for_its_column(tmp_path):
    library = Library()
    library.go_on.set()
    library.report = ImportReport((FileReport("sheet.csv", "csv", read=3, added=3),))
    desk = Desk(library)
    start(desk, tmp_path, "sheet.csv").wait()
    assert desk.unmapped == ("sheet.csv",)


def test_nothing_chosen_is_told():
    desk = Desk(Library())
    with pytest.raises(QuestionError, match="No file"):
        desk.start(desk.begin())
