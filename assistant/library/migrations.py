"""Bring a library of an earlier version up to date: forward only, one step a version.

Before the first step the file is copied beside itself; all steps are one transaction, so a process
that is killed amid them leaves the file as it was.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from assistant.library import schema


def migrate(connection: sqlite3.Connection, path: Path | None, version: int) -> None:
    """Bring a database from ``version`` to ``schema.VERSION``."""
    if path is not None:
        _back_up(connection, path.with_name(f"{path.name}.v{version}.backup"))
    # tables that others refer to are made anew, which these checks would not let happen
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        connection.execute("BEGIN IMMEDIATE")
        for step in range(version, schema.VERSION):
            _STEPS[step](connection)
        connection.execute(
            "UPDATE meta SET value = ? WHERE key = 'schema_version'", (str(schema.VERSION),)
        )
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute("PRAGMA foreign_keys = ON")


def _back_up(connection: sqlite3.Connection, target: Path) -> None:
    if target.exists():
        return
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.unlink(missing_ok=True)
    copy = sqlite3.connect(unfinished)
    try:
        connection.backup(copy)
    finally:
        copy.close()
    unfinished.replace(target)


def _to_2(connection: sqlite3.Connection) -> None:
    """Papers learn numbers, language and second abstracts; sources keep what they said."""
    statements = [text.strip() for text in schema.TABLES_2.split(";") if text.strip()]
    for name in ("papers", "sources"):
        made = next(text for text in statements if text.startswith(f"CREATE TABLE {name} ("))
        connection.execute(made.replace(f"TABLE {name}", f"TABLE {name}_2", 1))
    columns = (
        "seq, id, handle, title, abstract, authors, year, venue, doi, url, code_links, keywords, "
        "digest"
    )
    # the names of columns and tables are constants of this file
    connection.execute(f"INSERT INTO papers_2 ({columns}) SELECT {columns} FROM papers")  # noqa: S608
    connection.execute("INSERT INTO sources_2 SELECT *, NULL FROM sources")
    for name in ("sources", "papers"):
        connection.execute(f"DROP TABLE {name}")
        connection.execute(f"ALTER TABLE {name}_2 RENAME TO {name}")
    there = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    for text in statements:
        if text.split()[2] not in there:
            connection.execute(text)
    connection.execute(
        "INSERT INTO collection_names SELECT DISTINCT collection, collection FROM sources"
    )


def _to_3(connection: sqlite3.Connection) -> None:
    """Make room for searches that readers keep."""
    for statement in filter(str.strip, schema.TABLES_3.split(";")):
        connection.execute(statement)


_STEPS: dict[int, Callable[[sqlite3.Connection], None]] = {1: _to_2, 2: _to_3}
