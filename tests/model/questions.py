"""Random questions and controls about a random memory, and a strategy for hypothesis.

The strategy draws the generator itself, so that hypothesis can shrink what it draws.
"""

import unicodedata
from datetime import datetime, timedelta
from random import Random
from typing import Any

from hypothesis import strategies as st

from tests.model.rows import ROLES
from tests.model.strategies import Case, Shape, make_case
from tests.model.vocabulary import SUBJECTS

WORDS = ("where", "does", "work?", "-", "is", "it", "\u201cthe\u201d", "of", "(and)", "12", "No")
MICROSECOND = timedelta(microseconds=1)


def typed(rng: Random, name: str) -> str:
    """Type a name as somebody might."""
    name = rng.choice((name, name, name.upper(), name.lower(), unicodedata.normalize("NFD", name)))
    name = rng.choice((name, name, name.replace("'", "\u2019"), name.replace(" ", "  ")))
    before = rng.choice(("", "", "", "(", '"', "\u201c", "'", "--"))
    after = rng.choice(("", "", "", ")", '"', "?", "!?", "'s", "\u2019s", ",", "."))
    return before + name + after


def make_question(rng: Random, case: Case) -> str:
    """Draw a question that names things the memory may know, or nothing."""
    if rng.random() < 0.02:
        return " ".join(f"w{number}." for number in range(rng.choice((90, 110, 120, 129, 130))))
    if case.shape.hub and rng.random() < 0.6:
        return make_wide_question(case, rng.randint(1, 4))
    parts: list[str] = []
    for _ in range(rng.randint(0, 4)):
        parts += rng.choices(WORDS, k=rng.choice((0, 0, 1, 2)))
        parts.append(typed(rng, rng.choice(case.spellings)))
    parts += rng.choices(WORDS, k=rng.choice((0, 1, 2)))
    question = rng.choice((" ", " ", " ", "\t", "\u00a0")).join(parts)
    return question or "?"


def make_wide_question(case: Case, count: int = 4) -> str:
    """Name the first entities declared, so that hubs add up."""
    names = [line["name"] for line in case.lines if line["type"] == "entity"]
    return " | ".join(names[:count])


def near(rng: Random, instants: list[datetime]) -> datetime:
    return rng.choice(instants) + rng.choice((-1, 0, 0, 1)) * MICROSECOND


def make_controls(
    rng: Random, case: Case, known: list[datetime] | None = None, broken: float = 0.04
) -> dict[str, Any]:
    """Draw controls; `known` are stamps to ask about, `broken` the share to be refused."""
    controls: dict[str, Any] = {}
    if case.shape.hub and rng.random() < 0.7:
        return {"hops": rng.choice((1, 2))}
    instants = case.instants or [case.now]
    if rng.random() < 0.35:
        controls["data_subject_id"] = rng.choice((*SUBJECTS, "nobody"))
    if rng.random() < 0.35:
        controls["max_characters"] = rng.choice((1, 20, 60, 120, 400, 1_000, 15_999, 16_000))
    if rng.random() < 0.5:
        controls["source_roles"] = rng.sample(ROLES, rng.choice((1, 2, 5, 5)))
    if rng.random() < 0.7:
        controls["hops"] = rng.choice((2, 2, 2, 1, 0, -7, 3, 2_000_000_000))
    if rng.random() < 0.3:
        surfaces = ("facts", "reports", "passages")
        controls["surfaces"] = rng.sample(surfaces, rng.choice((1, 2, 3)))
    if rng.random() < 0.2:
        controls["themes"] = rng.random() < 0.7
    if rng.random() < 0.3:
        controls["as_of"] = near(rng, instants)
    if rng.random() < 0.3:
        ahead = case.now + timedelta(days=400)
        controls["as_known_at"] = near(rng, [*(known or instants), *(known or instants), ahead])
    if rng.random() < 0.4:
        controls["evidence_per_fact"] = rng.choice((1, 2, 3, 5))
    if rng.random() < broken:
        name, value = rng.choice(BROKEN)
        controls[name] = value
    return controls


BROKEN: tuple[tuple[str, Any], ...] = (
    ("data_subject_id", ""),
    ("data_subject_id", " \u2003"),
    ("data_subject_id", "\u00e9" * 513),
    ("max_characters", 0),
    ("max_characters", -1),
    ("max_characters", 16_001),
    ("source_roles", []),
    ("source_roles", ["user", "user"]),
    ("source_roles", ["User"]),
    ("source_roles", ["user", None]),
    ("surfaces", []),
    ("surfaces", ["facts", "facts"]),
    ("surfaces", ["fact"]),
    ("surfaces", ["facts", None]),
    ("evidence_per_fact", 0),
    ("evidence_per_fact", 6),
)

BROKEN_QUESTIONS = ("", "  ", "\u2003\u00a0\n", "x" * 8_193, " ".join(str(n) for n in range(200)))


@st.composite
def asked(
    draw: st.DrawFn, now: datetime, shape: Shape | None = None
) -> tuple[Case, str, dict[str, Any]]:
    """Give a memory, a question and its controls to hypothesis."""
    rng = draw(st.randoms(use_true_random=False))
    case = make_case(rng, now, shape)
    return case, make_question(rng, case), make_controls(rng, case, broken=0)
