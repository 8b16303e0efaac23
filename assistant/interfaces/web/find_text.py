"""The papers found as plain text, to be pasted elsewhere."""

from __future__ import annotations

from assistant.interfaces.render import citation
from assistant.interfaces.safe_text import neutralised
from assistant.types import Findings, Match


def listed(findings: Findings) -> str:
    """Return the idea, then each paper with its citation and the sentences that meet the idea."""
    idea = neutralised(" ".join(findings.idea.split()))
    parts = [f"Papers for: {idea}"] if idea else []
    return "\n\n".join([*parts, *map(_match, findings.matches)]) + "\n"


def _match(match: Match) -> str:
    sentences = dict.fromkeys(
        neutralised(reason.evidence.sentence.text) for reason in match.why if reason.evidence
    )
    quotes = [f"   “{sentence}”" for sentence in sentences]
    return "\n".join([f"{match.rank}. {citation(match.paper)}", *quotes])
