"""Draw an import: how far it is, and the ledger of what became of every record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from assistant.interfaces.render_html import error_html, prose
from assistant.interfaces.safe_text import neutralised
from assistant.interfaces.web.breaking import breakable
from assistant.interfaces.web.desk import Desk, Pace, columns_told, lacks_column
from assistant.jobs import ImportJob
from assistant.types import FileReport, ImportReport, Rejected

MOST_SHOWN = 50  # rejections of one file on the page; the downloads hold all
COUNTS = {
    "read": "Read",
    "with_abstract": "With abstract",
    "references": "References",
    "added": "Added",
    "updated": "Updated",
    "merged": "Merged",
    "unchanged": "Unchanged",
    "rejected_count": "Rejected",
}
STAGES = {
    "reading": "Reading",
    "keywords": "Indexing words",
    "passages": "Indexing meaning",
    "sentences": "Indexing sentences",
}
_UNITS = {"reading": ("record", "records"), "sentences": ("sentence", "sentences")}
_HEADINGS = {
    "running": "Importing",
    "done": "Last import",
    "stopped": "Last import: cancelled",
    "failed": "Last import: failed",
}


@dataclass(frozen=True)
class JobView:
    """What a tab shows of an import: ``html`` once a state, the rest as it moves on."""

    state: str
    key: str
    html: str
    line: str = ""
    done: int = 0
    total: int = 0


def job_view(desk: Desk) -> JobView:
    """Return what there is to show of the import under way or the last one."""
    job = desk.job
    if job is None:
        return JobView("none", "none", "")
    # the ledger is there before the end, so it is a state of its own
    key = f"{job.started}-{job.state}-{job.report is not None}-{len(desk.unmapped)}"
    step, line = job.step, line_of(job, desk.pace(job))
    return JobView(job.state, key, _panel(desk, job, line), line, step.done, step.total)


def line_of(job: ImportJob, pace: Pace) -> str:
    """Return how far an import is, in one line."""
    step = job.step
    one, many = _UNITS.get(step.stage, ("passage", "passages"))
    file = neutralised(step.file) if step.stage == "reading" else ""
    parts = [f"{STAGES.get(step.stage, step.stage.capitalize())} {file}".strip()]
    if step.total:
        parts.append(f"{step.done:,} of {step.total:,} {many}")
    else:
        parts.append(f"{step.done:,} {one if step.done == 1 else many}")
    if pace.rate:
        parts.append(f"{pace.rate:,.0f} a second" if pace.rate >= 1 else "less than one a second")
    if pace.left is not None:
        parts.append(f"about {duration(pace.left)} left in this step")
    return " · ".join(parts)


def duration(seconds: float) -> str:
    """Return a time as a reader says it."""
    whole = max(1, round(seconds))
    if whole < 60:  # noqa: PLR2004
        return f"{whole} s"
    minutes = round(whole / 60)
    if minutes < 60:  # noqa: PLR2004
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"


def _panel(desk: Desk, job: ImportJob, line: str) -> str:
    close = (
        ""
        if job.state == "running"
        else '<button type="button" class="plain" data-do="close-ledger">Close</button>'
    )
    parts = [f'<div class="box-head"><h2 id="job-title">{_HEADINGS[job.state]}</h2>{close}</div>']
    if job.state == "running":
        parts.append(_progress(desk, job, line))
    if job.state == "stopped":
        parts.append(
            '<p class="note">Cancelled. What was read is kept; what is not indexed yet is indexed '
            "with the next import or start.</p>"
        )
    if job.error is not None:
        parts.append(error_html(job.error))
    if job.report is not None:
        parts.append(_ledger(job, job.report))
        parts.extend(_not_read(desk.names, job))
        parts.append(_mapping(desk.unmapped, job.report))
    return "".join(parts)


def _progress(desk: Desk, job: ImportJob, line: str) -> str:
    several = len(desk.names)
    files = f"{several:,} files. " if several > 1 else ""
    known = f' max="{job.total}" value="{job.done}"' if job.total else ""
    return (
        f'<p class="job-line">{escape(line)}</p>'
        f'<progress aria-label="Import"{known}></progress>'
        f'<p class="note">{files}You can go on asking meanwhile, and close this page: the import '
        "goes on.</p>"
        '<button type="button" class="plain warn" data-do="cancel-import">Cancel import</button>'
    )


def _not_read(names: Sequence[str], job: ImportJob) -> list[str]:
    if job.state != "stopped" or job.report is None:
        return []
    begun = {file.file.partition("/")[0] for file in job.report.files}
    rest = [neutralised(name) for name in names if name not in begun]
    return [f'<p class="note">Not read: {escape(", ".join(rest))}.</p>'] if rest else []


# --------------------------------------------------------------------------- the ledger


def _ledger(job: ImportJob, report: ImportReport) -> str:
    files = report.files
    if not files:
        return '<p class="note">Nothing was read.</p>'
    rows = [_row(neutralised(file.file), file.format, [file]) for file in files]
    if len(files) > 1:
        rows.append(_row("Together", "", files, kind="sum"))
    # a narrow screen shows the table as a list, so its parts say what they are
    heads = "".join(
        f'<th role="columnheader" scope="col">{word}</th>'
        for word in ("File", "Format", *COUNTS.values())
    )
    told = "".join(_told(file, place) for place, file in enumerate(files))
    return (
        f'<p class="sum-line">{_summary(job, files)}</p>'
        '<div class="ledger" role="region" aria-label="What became of every record" tabindex="0">'
        f'<table role="table"><thead role="rowgroup"><tr role="row">{heads}</tr></thead>'
        f'<tbody role="rowgroup">{"".join(rows)}</tbody></table></div>'
        '<p class="downloads">Ledger as <a href="library/ledger.csv" download>CSV</a> '
        f'<a href="library/ledger.json" download>JSON</a></p>{told}'
    )


def _summary(job: ImportJob, files: Sequence[FileReport]) -> str:
    read = sum(file.read for file in files)
    what = [
        f"{total:,} {word}"
        for name, word in (
            ("added", "added"),
            ("updated", "updated"),
            ("merged", "merged with papers already there"),
            ("unchanged", "unchanged"),
            ("rejected_count", "rejected"),
        )
        if (total := sum(getattr(file, name) for file in files))
    ]
    took = f" It took {duration(job.seconds)}." if job.state == "done" else ""
    ended = f": {', '.join(what)}." if what else "."
    return f"{read:,} {'record' if read == 1 else 'records'} read{ended}{took}"


def _row(name: str, format_: str, files: Sequence[FileReport], kind: str = "") -> str:
    cells = "".join(
        f'<td role="cell" data-name="{word}"{_weight(key, total)}>{total:,}</td>'
        for key, word in COUNTS.items()
        for total in (sum(getattr(file, key) for file in files),)
    )
    failed = " failed" if any(file.error for file in files) and not kind else ""
    return (
        f'<tr role="row" class="{kind}{failed}">'
        f'<th role="rowheader" scope="row" dir="auto">{breakable(escape(name))}</th>'
        f'<td role="cell" data-name="Format"{"" if format_ else " class=zero"}>'
        f"{escape(neutralised(format_)) or '–'}</td>{cells}</tr>"
    )


def _weight(key: str, total: int) -> str:
    if not total:
        return ' class="zero"'
    return ' class="bad"' if key == "rejected_count" else ""


def _told(file: FileReport, place: int) -> str:
    """Return what went wrong with a file and with its records."""
    parts = []
    if file.error:
        name, error = neutralised(file.file), neutralised(file.error)
        said = error if name in error else f"{name}: {error}"
        hint = "" if lacks_column(file) else f'<p class="hint">{prose(file.hint)}</p>'
        parts.append(f'<div class="error"><p>{prose(said)}</p>{hint}</div>')
    if file.rejected:
        parts.append(_rejections(file, place))
    return "".join(parts)


def _rejections(file: FileReport, place: int) -> str:
    count = file.rejected_count
    items = "".join(_rejection(item) for item in file.rejected[:MOST_SHOWN])
    more = count - min(len(file.rejected), MOST_SHOWN)
    rest = f'<p class="note">And {more:,} more; the ledger lists them.</p>' if more > 0 else ""
    return (
        f'<details class="rejections" id="rejections-{place}"><summary>'
        f"{count:,} {'record' if count == 1 else 'records'} rejected from "
        f'<span dir="auto">{escape(neutralised(file.file))}</span></summary>'
        f"<ol>{items}</ol>{rest}</details>"
    )


def _rejection(item: Rejected) -> str:
    line = f", line {item.line:,}" if item.line else ""
    key = f' <span class="key-said" dir="auto">{escape(neutralised(item.key))}</span>'
    reason = neutralised(item.reason).rstrip(".")
    return (
        f'<li><span class="place">Record {item.source.record_no:,}{line}</span>'
        f"{key if item.key else ''}<p>{escape(reason[:1].upper() + reason[1:])}.</p>"
        f'<p class="hint">{prose(item.hint)}</p></li>'
    )


# --------------------------------------------------------------------------- columns


def _mapping(waiting: Sequence[str], report: ImportReport) -> str:
    if not waiting:
        return ""
    tables = [file for file in report.files if lacks_column(file)]
    known = "".join(
        f"<p>Columns of {escape(neutralised(file.file))}: {escape(neutralised(told))}</p>"
        for file, told in _told_columns(tables)
    )
    names = escape(", ".join(neutralised(name) for name in waiting))
    return (
        '<form class="mapping" data-do="map-column"><h3>Which column holds the abstract?</h3>'
        f"<p>No abstracts were found in {names}. Name the column that holds them, and the "
        f"{'file is' if len(waiting) == 1 else 'files are'} read again.</p>{known}"
        '<div class="fields"><label>Column <input name="column" autocomplete="off" required '
        'maxlength="200"></label><button class="main">Import again</button>'
        '<button type="button" class="plain" data-do="forget-tables">Leave it</button></div></form>'
    )


def _told_columns(tables: Iterable[FileReport]) -> Iterable[tuple[FileReport, str]]:
    return ((file, told) for file in tables if (told := columns_told(file)))
