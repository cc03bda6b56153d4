"""One call of each assured operation on the demo memory, to show what it is for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from taisce_pg.client.scopes import At

if TYPE_CHECKING:
    from taisce_pg.client.assuredmodels import ContextBundle, Envelope
    from taisce_pg.client.memory import Memory


@dataclass(frozen=True)
class Shown:
    """A call of an operation, and what it shows."""

    operation: str
    subject: str
    shows: str
    controls: dict[str, Any]


CALLS = (
    Shown(
        "resolve_entity",
        "John Kennedy",
        "Every entity that a name leads to, and how much is held about each.",
        {},
    ),
    Shown(
        "testimony_context",
        "chair of the Committee on the Judiciary",
        "What sources say, in their words: never a fact.",
        {"k": 2},
    ),
    Shown(
        "fact_context",
        "Speaker of the House of Representatives",
        "What held on a day, with the dates in the text and the evidence below.",
        {"k": 2, "evidence_per_fact": 1, "time_scope": At("2020-06-01T00:00:00Z")},
    ),
    Shown(
        "answer_context",
        "President Roosevelt",
        "Both from one snapshot, cut to a budget of characters.",
        {"max_characters": 2000},
    ),
)


def call(memory: Memory, project: str, shown: Shown) -> Envelope | ContextBundle:
    """Make one of the calls."""
    answer: Envelope | ContextBundle = getattr(memory, shown.operation)(
        shown.subject, project=project, **shown.controls
    )
    return answer
