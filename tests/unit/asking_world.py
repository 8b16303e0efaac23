"""A small library of invented abstracts, and an asker over it with a chat model without weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from retrieval_world import World

from assistant.retrieval.fakes import HashEmbedder
from assistant.types import Answer, Done, Event, StatementDone, Turn
from assistant.writing.ask import Asker
from assistant.writing.ports import CancelCheck, ChatModel
from assistant.writing.verify import Verifier

ECHO, BRIDGE, WINE, GLACIER, POLLEN, HIVE = ABSTRACTS = (
    (
        "Bats hunt moths in the dark. We present EchoNet, a network that turns echoes into shapes. "
        "EchoNet detects 92.5% of the moths in clutter with three microphones. "
        "Code is at https://example.org/echonet."
    ),
    (
        "Cracks in bridges stay unseen for years. BridgeSense listens to strain waves with fibre "
        "sensors glued along the girders. It located 17 of 18 cracks on a decommissioned bridge."
    ),
    (
        "Labels of old wine are often forged. VinoTrace compares isotopes of the wine with those of "
        "the vineyard's soil. Forged bottles are recognised with a precision of 0.97."
    ),
    (
        "Glaciers lose ice where warm sea water reaches their tongues. We drill with hot water and "
        "lower thermometers on a cable. Melting rises by 40% in summers with little sea ice."
    ),
    (
        "Bees carry pollen of plants that botanists overlook. We sequence pollen from hives with "
        "nanopores. The method named 211 species, among them two thought extinct."
    ),
    (
        "Beehives collapse without warning. HiveGuard weighs hives every hour and forecasts a "
        "collapse nine days ahead. It does not open the hive."
    ),
)  # fmt: skip


def never() -> bool:
    return False


def world_of(folder: Path, abstracts: Sequence[str] = ABSTRACTS) -> World:
    made = World(folder, embedder=HashEmbedder(dimension=512))
    made.put(abstracts)
    made.indexes.sync()
    return made


class Asking:
    """Asks questions of a world, with or without a model."""

    def __init__(self, world: World, model: ChatModel | None = None, most: int = 4) -> None:
        self.asker = Asker(
            world.searcher,
            Verifier(world.embedder),
            model,
            index_version=world.indexes.version(),
            seed=7,
            max_papers=most,
        )

    def events(
        self,
        question: str,
        history: Sequence[Turn] = (),
        cancelled: CancelCheck = never,
        *,
        literal: bool = False,
    ) -> list[Event]:
        return list(self.asker.ask(question, history, cancelled=cancelled, literal=literal))

    def answer(
        self, question: str, history: Sequence[Turn] = (), *, literal: bool = False
    ) -> Answer:
        last = self.events(question, history, literal=literal)[-1]
        assert isinstance(last, Done)
        return last.answer


def done(events: Sequence[Event]) -> list[StatementDone]:
    return [event for event in events if isinstance(event, StatementDone)]
