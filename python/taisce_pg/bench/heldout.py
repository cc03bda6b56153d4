"""Weights of the passage ranking judged on conversations that they were not chosen on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from taisce_pg.bench.quality import CUTS, PASSAGES, Question, load, main_classes, once, recall

FACTORS = (0.0, 0.5, 2.0)
"""What each weight is multiplied with, one at a time, beside the shipped weights."""

_GOAL = 10


@dataclass(frozen=True)
class Score:
    """Recall at 5, 10 and 20 of some questions, and the share with all gold among the first 10."""

    questions: int
    recall: tuple[float, ...]
    all_gold: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        shown = {
            f"recall_at_{cut}": round(value, 4)
            for cut, value in zip(CUTS, self.recall, strict=True)
        }
        return {"questions": self.questions, **shown, "all_gold_at_10": round(self.all_gold, 4)}


@dataclass(frozen=True)
class Fold:
    """A conversation held out: the weights that the others chose, and what they find in it."""

    project: str
    chosen: str
    score: Score
    shipped: Score


@dataclass(frozen=True)
class HeldOut:
    """All folds, and the questions of all of them together, each judged by its own fold."""

    folds: list[Fold]
    score: Score
    shipped: Score


def held_out(
    conn: psycopg.Connection[Any], data: Path, say: Callable[[str], None] = lambda _: None
) -> HeldOut:
    """Choose the weights on all conversations of `data` but one, and ask that one; each in turn.

    To choose from are the shipped weights and those with one weight halved, doubled or taken
    away; the best recall at 10 of the others' questions decides. Arguments as for
    `quality.measure`; all settings are put back.
    """
    asked, _ = load(conn, data, say)
    main = main_classes(asked)
    questions = [question for question in asked if question.category in main]
    found = {}
    for name, setting, value in _choices(conn):
        say(f"asking {len(questions)} questions: {name}")
        before = _set(conn, setting, value) if setting else ""
        try:
            found[name] = [_passages(conn, question) for question in questions]
        finally:
            if setting:
                _set(conn, setting, before)
    folds = []
    judged: list[tuple[Question, list[str]]] = []
    shipped = list(zip(questions, found["shipped"], strict=True))
    for project in sorted({question.project for question in questions}):
        others = {
            name: score([p for p in zip(questions, given, strict=True) if p[0].project != project])
            for name, given in found.items()
        }
        chosen = max(others, key=lambda name: (others[name].recall[CUTS.index(_GOAL)], name))
        out = [p for p in zip(questions, found[chosen], strict=True) if p[0].project == project]
        mine = [p for p in shipped if p[0].project == project]
        folds.append(Fold(project, chosen, score(out), score(mine)))
        judged.extend(out)
    return HeldOut(folds, score(judged), score(shipped))


def score(answers: Sequence[tuple[Question, list[str]]]) -> Score:
    """Score what questions found."""
    count = max(len(answers), 1)
    return Score(
        len(answers),
        tuple(sum(recall(q, given, cut) for q, given in answers) / count for cut in CUTS),
        sum(q.gold <= set(given[:_GOAL]) for q, given in answers) / count,
    )


def _choices(conn: psycopg.Connection[Any]) -> list[tuple[str, str, str]]:
    rows = conn.execute(
        "select name, value::float8 from taisce.setting "
        "where name like 'passage\\_%' and name not like '%vectors' order by name"
    ).fetchall()
    choices = [("shipped", "", "")]
    for name, value in rows:
        for factor in FACTORS:
            if factor or not str(name).endswith("saturation"):
                choices.append((f"{name} x {factor:g}", str(name), f"{value * factor:g}"))
    return choices


def _set(conn: psycopg.Connection[Any], name: str, value: str) -> str:
    row = conn.execute("select value from taisce.setting where name = %s", (name,)).fetchone()
    assert row is not None
    conn.execute("select memory_v1.set_setting(%s, %s)", (name, value))
    return str(row[0])


def _passages(conn: psycopg.Connection[Any], question: Question) -> list[str]:
    values = {"question": question.text, "project": question.project}
    return once(str(row[0]) for row in conn.execute(PASSAGES, values))
