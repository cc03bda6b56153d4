"""Weights judged on conversations that they were not chosen on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from taisce_pg.bench.heldout import FACTORS, held_out, score
from taisce_pg.bench.quality import Question
from tests.support.databases import Database

TALK = ("Ann: I adopted a greyhound.", "Ben: When?", "Ann: In May.", "Ben: I sail on Sundays.")


def folder(path: Path) -> Path:
    """Write two conversations and a question about each."""
    asked = []
    for project in ("one", "two"):
        line = {
            "type": "observation",
            "key": "t",
            "kind": "turn",
            "messages": [{"role": "user", "content": said} for said in TALK],
        }
        (path / f"{project}.ndjson").write_text(json.dumps(line) + "\n")
        asked.append(
            {"project": project, "question": "Who adopted?", "category": "1", "gold": [["t", 0]]}
        )
    (path / "questions.jsonl").write_text("".join(json.dumps(q) + "\n" for q in asked))
    return path


def test_a_score_is_the_mean_of_what_its_questions_found() -> None:
    both = Question("one", "?", "1", frozenset({"a", "b"}))
    made = score([(both, ["x", "a", "b"]), (both, ["x"] * 5 + ["a"])])
    assert made.questions == 2
    assert made.recall == pytest.approx((0.5, 0.75, 0.75))
    assert made.all_gold == 0.5


def test_each_conversation_is_judged_once_and_settings_are_put_back(
    database: Database, tmp_path: Path
) -> None:
    with database.connect() as conn:
        settings = "select name, value from taisce.setting order by name"
        before = conn.execute(settings).fetchall()
        told: list[str] = []
        found = held_out(conn, folder(tmp_path), told.append)
        assert conn.execute(settings).fetchall() == before
    assert [fold.project for fold in found.folds] == ["one", "two"]
    assert found.score.questions == found.shipped.questions == 2
    assert found.score.recall == (1.0, 1.0, 1.0)
    tried = [line for line in told if line.startswith("asking")]
    weights = sum(
        name.startswith("passage_") and not name.endswith("vectors") for name, _ in before
    )
    assert len(tried) == 1 + weights * len(FACTORS) - 1
