"""Sixty papers of made-up fields in a library with indexes in memory, to be searched and found."""

from __future__ import annotations

import json
from pathlib import Path

from retrieval_world import World

from assistant.library.importing import Importer
from assistant.writing.find import Finder

ANIMALS = ("bats", "mosses", "robots", "opinions", "proteins", "glaciers")
DEEDS = (
    "hunting moths with echoes",
    "growing on walls of stone",
    "painting fences in gardens",
    "following rumours through villages",
    "folding into narrow barrels",
    "melting under dust of volcanoes",
    "counting steps of strangers",
    "singing tunes at midnight",
    "trading pebbles for favours",
    "building nests from wire",
)


def record(number: int) -> dict[str, object]:
    """Return a paper: an animal does a deed; numbers tell it from the others."""
    animal, deed = ANIMALS[number % 6], DEEDS[number // 6]
    code = f" Code is at https://github.com/example/paper{number}." if number % 4 == 0 else ""
    return {
        "title": f"On {animal} {deed}",
        "abstract": f"Little is known of {animal} number{number}. We study {animal} {deed} for "
        f"{number + 2} years. Measured were {number * 7 + 3} of them in total.{code}",
        "authors": [f"Family{number % 7}, Given", "Common, Ann"],
        "year": 1990 + number % 30,
        "venue": f"Journal of {animal.title()}",
        "keywords": [animal, deed.split()[0]],
    }


class FoundWorld(World):
    """A world with sixty papers in two collections, and one of which only the title is known."""

    def fill(self) -> FoundWorld:
        """Import and index the papers."""
        importer = Importer(self.store, self.embedder.count_tokens, self.embedder.max_tokens)
        for name, numbers in (("first", range(40)), ("second", range(40, 60))):
            file = Path(self.folder) / f"{name}.jsonl"
            file.write_text("".join(json.dumps(record(n)) + "\n" for n in numbers))
            importer.run([file])
        self.put_reference("A title about submarines alone")
        self.indexes.sync()
        return self

    @property
    def finder(self) -> Finder:
        """Return what finds papers for ideas."""
        return Finder(self.searcher, index_version="v1")
