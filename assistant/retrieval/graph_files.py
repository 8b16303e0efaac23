"""Tell whether the files of Chroma's graph are whole, before Chroma maps them.

A graph cut short, by a full disk or a copy that broke off, ends the whole process when it is read.
The head of the graph says how many vectors of what size there are; the other files must agree.
This does not find a changed byte amid a file of the right length.
"""

from __future__ import annotations

import struct
from pathlib import Path

_HEAD = struct.Struct("<i4Q")  # version, start of data, room, vectors, bytes a vector
_VERSION = 1
_COUNTER = 4  # bytes that each vector takes in the two smaller files, at the least


def broken_graph(folder: Path) -> str:
    """Return what is wrong with the graph files below ``folder``; an empty text when nothing is."""
    for head in folder.glob("*/header.bin"):
        try:
            version, _, _, count, size = _HEAD.unpack_from(head.read_bytes())
            if version != _VERSION:
                continue  # a later Chroma; it knows its own files
            smaller = count * _COUNTER
            for name, least in (
                ("data_level0.bin", count * size),
                ("length.bin", smaller),
                ("link_lists.bin", smaller),
            ):
                found = head.with_name(name).stat().st_size
                if found < least:  # more is room that was set aside
                    return f"{name} holds {found} bytes instead of {least}"
        except (OSError, struct.error) as error:
            return str(error)
    return ""
