"""How the bench compares words with vectors, and which weight it would choose."""

from __future__ import annotations

import pytest

from taisce_pg.bench.fusion import BESIDE, best_weight, gains, interval

MAIN = frozenset({"1", "2"})
CATEGORIES = ["1", "1", "2", "5"]
WORDS = [0.5, 0.5, 0.5, 0.5]


class Question:
    def __init__(self, category: str) -> None:
        self.category = category


def test_the_weight_with_most_recall_is_chosen() -> None:
    asked = {0.1: [0.6, 0.5, 0.5, 0.5], 0.3: [0.9, 0.5, 0.5, 0.5]}
    assert best_weight(CATEGORIES, MAIN, WORDS, asked, range(4)) == 0.3


def test_a_weight_that_loses_on_a_class_is_not_taken() -> None:
    asked = {0.1: [0.6, 0.5, 0.5, 0.5], 0.3: [0.9, 0.9, 0.9, 0.4]}
    assert best_weight(CATEGORIES, MAIN, WORDS, asked, range(4)) == 0.1
    assert best_weight(CATEGORIES, MAIN, WORDS, asked, range(3)) == 0.3
    assert best_weight(CATEGORIES, MAIN, WORDS, {0.3: asked[0.3]}, range(4)) == 0.0


def test_the_smaller_weight_is_taken_if_both_are_as_good() -> None:
    same = [0.6, 0.5, 0.5, 0.5]
    assert best_weight(CATEGORIES, MAIN, WORDS, {0.5: same, 0.2: same}, range(4)) == 0.2


def test_gains_are_paired_by_question_class_and_cut() -> None:
    questions = [Question("1"), Question("2")]
    found = {way: [["a"], ["b"]] for way in (*BESIDE, *BESIDE.values())}
    found["fused passages"] = [["hit"], ["b"]]

    def recall(question: Question, ranking: list[str], cut: int) -> float:
        return float("hit" in ranking[:cut])

    classes = [("1", frozenset("1")), ("2", frozenset("2"))]
    made = gains(questions, classes, found, recall)
    assert len(made) == len(BESIDE) * 2 * 3
    assert {one.category for one in made if one.mean} == {"1"}
    assert {one.way for one in made if one.mean} == {"fused passages"}


def test_the_interval_holds_the_mean_and_is_always_the_same() -> None:
    mean, low, high = interval([0.0, 1.0] * 50)
    assert mean == 0.5
    assert 0.35 < low < 0.45 < 0.55 < high < 0.65
    assert interval([0.0, 1.0] * 50) == (mean, low, high)
    assert interval([]) == (0.0, 0.0, 0.0)
    assert interval([0.25] * 9) == pytest.approx((0.25, 0.25, 0.25))
