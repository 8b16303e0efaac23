"""Open the SQLite file of a library and say in a reader's words what goes wrong with it."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assistant.errors import LibraryBusy, LibraryError
from assistant.library import migrations, schema

FILE = "library.sqlite3"
WAIT = 10.0
"""Seconds to wait for another process that is writing."""


def connect(path: Path | None) -> sqlite3.Connection:
    """Return a connection to ``path``, or to memory; transactions are begun by hand."""
    target = ":memory:" if path is None else str(path)
    connection = sqlite3.connect(
        target, timeout=WAIT, isolation_level=None, check_same_thread=False
    )
    connection.row_factory = sqlite3.Row
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA journal_mode = WAL")
        # WAL with NORMAL outlives a killed process; a power cut may cost the last transactions
        connection.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    return connection


def prepare(connection: sqlite3.Connection, path: Path | None = None) -> None:
    """Make the tables where there are none, and bring those of an earlier version up to date.

    Raise ``LibraryError`` for a schema not known here.
    """
    if not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        connection.execute("BEGIN IMMEDIATE")
        # another process may have made them while this one waited
        if not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
            for statement in filter(str.strip, schema.TABLES.split(";")):
                connection.execute(statement)
            connection.execute(
                "INSERT INTO meta VALUES ('schema_version', ?)", (str(schema.VERSION),)
            )
        connection.execute("COMMIT")
    version = _schema_version(connection)
    if version > schema.VERSION:
        raise LibraryError(
            f"The library was made by a newer version of the assistant (schema {version}, this "
            f"one knows {schema.VERSION}).",
            "Upgrade the assistant, or name another folder in ASSISTANT_DATA_DIR.",
        )
    if version < schema.VERSION:
        migrations.migrate(connection, path, version)


def _schema_version(connection: sqlite3.Connection) -> int:
    row = None
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
        row = connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone()
    if row is None or not str(row[0]).isdigit():
        raise LibraryError(
            "The database in the data folder is not a library of this assistant.",
            f"Move the file {FILE} away, or name another folder in ASSISTANT_DATA_DIR.",
        )
    return int(row[0])


@contextmanager
def spoken(path: Path | None) -> Iterator[None]:
    """Turn errors of SQLite and of the disk into ``LibraryError`` with a hint."""
    where = str(path or "memory")
    try:
        yield
    except sqlite3.Error as error:
        raise _translated(error, where) from error
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise full(where) from error
        raise LibraryError(
            f"The library {where} cannot be opened: {error.strerror or error}.",
            "Check the folder's permissions, or name another one in ASSISTANT_DATA_DIR.",
        ) from error


def full(where: str) -> LibraryError:
    """Return the error for a disk without room."""
    return LibraryError(
        f"The disk that holds {where} is full.",
        "Free some space and start again; what was imported before is kept.",
    )


def _translated(error: sqlite3.Error, where: str) -> LibraryError:
    said = str(error).lower()
    if "full" in said:
        return full(where)
    if "locked" in said or "busy" in said:
        return LibraryBusy(
            "Another process is writing to the library.",
            "Wait until it has finished, or stop it, then start again.",
        )
    if "readonly" in said or "unable to open" in said:
        return LibraryError(
            f"The library {where} cannot be written.",
            "Check the folder's permissions, or name another one in ASSISTANT_DATA_DIR.",
        )
    damaged = ("not a database", "malformed", "corrupt", "disk i/o", "no such table", "no such col")
    if any(word in said for word in damaged):
        return LibraryError(
            f"The library {where} is damaged: {error}.",
            "Move the file away and import your files again with `assistant ingest`.",
        )
    return LibraryError(
        f"The library {where} cannot be used: {error}.", "Run `assistant doctor` to find out more."
    )
