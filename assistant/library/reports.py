"""The ledger of an import as data: JSON for programs, CSV for sheets."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from assistant.errors import LibraryError
from assistant.types import FileReport, ImportReport

COUNTS = ("read", "with_abstract", "added", "updated", "merged", "unchanged")
_FORMULA = re.compile(r"^(?=[=+\-@\t'])")
_HEADER = (*("file", "format", *COUNTS, "rejected", "record", "line", "key", "reason", "hint"),)


def as_object(report: ImportReport) -> dict[str, Any]:
    """Return the ledger as plain values: ``{"files": [{"file": …, "rejections": […]}]}``."""
    return {"files": [_file(file) for file in report.files]}


def _file(file: FileReport) -> dict[str, Any]:
    return {
        "file": file.file,
        "format": file.format,
        **{name: getattr(file, name) for name in COUNTS},
        "references": file.references,
        "rejected": file.rejected_count,
        "error": file.error,
        "hint": file.hint,
        "rejections": [
            {
                "record_no": item.source.record_no,
                "line": item.line,
                "key": item.key,
                "reason": item.reason,
                "hint": item.hint,
            }
            for item in file.rejected
        ],
    }


def as_json(report: ImportReport) -> str:
    """Return the ledger as JSON."""
    return json.dumps(as_object(report), ensure_ascii=False, indent=1)


def as_csv(report: ImportReport) -> str:
    """Return the ledger as CSV: a row a file, and a row a rejection below it."""
    out = io.StringIO()
    sheet = csv.writer(out, lineterminator="\n")
    sheet.writerow(_HEADER)
    for file in report.files:
        counts = [getattr(file, name) for name in COUNTS]
        row = [file.file, file.format, *counts, file.rejected_count, "", "", "", file.error]
        sheet.writerow(map(_safe, [*row, file.hint]))
        blanks = [""] * (len(COUNTS) + 1)
        for item in file.rejected:
            where = [item.source.record_no, item.line or "", item.key, item.reason, item.hint]
            sheet.writerow(map(_safe, [file.file, file.format, *blanks, *where]))
    return out.getvalue()


def write(report: ImportReport, path: Path) -> None:
    """Write the ledger to a file, as its ending says; raise ``LibraryError`` where that fails."""
    if path.suffix.lower() not in {".json", ".csv"}:
        raise LibraryError(
            f"The report {path.name} is neither .csv nor .json.", "Give it one of these endings."
        )
    text = as_json(report) if path.suffix.lower() == ".json" else as_csv(report)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        # half a pair of UTF-16, which a file may name a record with, is nothing that can be written
        beside.write_text(text, encoding="utf-8", errors="replace")
        beside.replace(path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise LibraryError(
            f"The report {path} cannot be written: {error.strerror or error}.",
            "Name a folder that exists and that you may write to.",
        ) from error


def _safe(cell: object) -> str:
    """Return a cell that no sheet takes for a formula."""
    return _FORMULA.sub("'", str(cell).replace("\n", " "))
