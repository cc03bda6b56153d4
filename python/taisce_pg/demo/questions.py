"""The questions of the demo, each to show one thing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Question:
    """A question, what it shows, and the controls it is asked with.

    With `past` it is asked twice: as of today and as of that instant. `show` is how many facts
    of each hop are printed.
    """

    text: str
    shows: str
    controls: dict[str, Any] = field(default_factory=dict)
    past: str | None = None
    show: int = 3


QUESTIONS = (
    Question(
        "Who chairs the Senate Committee on the Judiciary?",
        "A plain question: one name, found whole, however long it is.",
    ),
    Question(
        "Which party does the President of the United States belong to?",
        "Two steps: from the office to the person, from the person to the party.",
        {"hops": 2},
    ),
    Question(
        "Who is Speaker of the House?",
        "The past: the same question, and what held on another day.",
        past="2020-06-01T00:00:00Z",
        show=2,
    ),
    Question(
        "When was John Kennedy born?",
        "An ambiguous name: two people bear it, both are returned, nobody guesses.",
    ),
    Question(
        "Which committees does Winston Churchill sit on?",
        "An unknown name: no answer, and the reason.",
    ),
    Question(
        "Who belongs to the Democratic Party?",
        "A hub: more facts than one answer may read, and the answer says what was cut.",
    ),
)
