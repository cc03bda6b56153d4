"""Words, vectors and both asked the same questions, with figures that can be checked by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from taisce_pg.bench.fusion import BESIDE, WAYS
from taisce_pg.bench.quality import CUTS, Quality, measure
from tests.support.databases import Database
from tests.support.embedders import DIMENSIONS, vector_of

TALK = (
    "Ann: I adopted a greyhound.",
    "Ben: I sail on Sundays.",
    "Ann: The garden is full of roses.",
    "Ben: Trains are late again.",
)
ALIKE = {"Which pet lives there?": TALK[0], "Any hobby on the water?": TALK[1]}
"""Questions without a word of what answers them."""


class Knowing:
    """An embedder to which a question of ALIKE is what its answer is."""

    model, revision, input_version = "knowing", "", "1"
    dimensions: int | None = DIMENSIONS

    def embed(
        self, texts: Any, *, seconds: float | None = None, question: bool = False
    ) -> list[list[float]]:
        """Answer at once."""
        return [vector_of(ALIKE.get(text, text)) for text in texts]


def folder(path: Path) -> Path:
    """Write two conversations, each with a question of words and two without."""
    asked = []
    for project in ("one", "two"):
        lines: list[dict[str, Any]] = [
            {
                "type": "observation",
                "key": "t",
                "kind": "turn",
                "messages": [{"role": "user", "content": said} for said in TALK],
            }
        ]
        lines += [
            {
                "type": "fact",
                "key": f"f{place}",
                "subject": said.split(":")[0],
                "predicate": "said",
                "value": f"{place}",
                "statement": said,
                "evidence": [{"observation": "t", "ordinal": place, "quote": said}],
            }
            for place, said in enumerate(TALK)
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (path / f"{project}.ndjson").write_text(text)
        gold = {"Who adopted a greyhound?": ("4", 0)}
        gold |= {question: ("2", TALK.index(answer)) for question, answer in ALIKE.items()}
        asked += [
            {"project": project, "question": question, "category": kind, "gold": [["t", place]]}
            for question, (kind, place) in gold.items()
        ]
    (path / "questions.jsonl").write_text("".join(json.dumps(one) + "\n" for one in asked))
    return path


def figure(found: Quality, way: str, category: str) -> tuple[float, ...]:
    [tally] = [one for one in found.tallies if (one.way, one.category) == (way, category)]
    return tuple(tally.recall[cut] for cut in CUTS)


def test_words_vectors_and_both_are_compared_by_class(database: Database, tmp_path: Path) -> None:
    with database.connect() as conn:
        settings = "select name, value from taisce.setting order by name"
        before = conn.execute(settings).fetchall()
        found = measure(conn, folder(tmp_path), embedder=Knowing(), weights=(0.1, 0.3))
        assert conn.execute(settings).fetchall() == before
    ways = {one.way for one in found.tallies}
    assert ways >= WAYS.keys() | set(BESIDE.values())
    for way in ways:
        assert {one.category for one in found.tallies if one.way == way} == {"2", "4", "2 to 4"}
    for way, beside in BESIDE.items():
        assert figure(found, beside, "2") == (0, 0, 0), "no word of it was said"
        assert figure(found, way, "2") == (1, 1, 1)
        assert figure(found, beside, "4") == figure(found, way, "4") == (1, 1, 1)
    for way in ("vectors passages", "vectors evidence", "vectors claims"):
        assert figure(found, way, "2") == (1, 1, 1)
    gains = {(one.way, one.category, one.cut): one.mean for one in found.fusion}
    assert len(gains) == len(BESIDE) * 3 * len(CUTS)
    for (_, category, _), mean in gains.items():
        assert mean == {"2": 1, "4": 0}.get(category, 4 / 6)
    assert {(one.way, one.left_out) for one in found.choices} == {
        (way, project) for way in BESIDE for project in ("one", "two")
    }
    assert {one.weight for one in found.choices} == {0.1}, "the smaller of what is as good"
    for one in found.choices:
        assert (round(one.words, 4), one.fused) == (0.3333, 1.0)
