"""The model on memories drawn at random."""

from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.model.memory import load
from tests.model.questions import asked, make_controls, make_question
from tests.model.recall import recall
from tests.model.strategies import HUB, MIXED, Case, make_case
from tests.model.text import (
    find_terms,
)
from tests.support.story import NOW, keys

# The generator


@pytest.mark.parametrize("seed", range(30))
def test_drawn_memories_load_and_answer_the_same_twice(seed: int) -> None:
    case = make_case(Random(seed), NOW)
    again = make_case(Random(seed), NOW)
    assert case.lines == again.lines
    rng = Random(seed)
    for _ in range(3):
        question, controls = make_question(rng, case), make_controls(rng, case, broken=0)
        if len(find_terms(question, max_terms=9_999).plain) > 512:
            continue
        answer = recall(load(case.lines), question, now=NOW, **controls)
        assert answer == recall(load(again.lines), question, now=NOW, **controls)
        assert answer["characters"] <= answer["controls"]["max_characters"]
        assert len(answer["facts"]) <= 200


@settings(max_examples=40)
@given(asked(NOW, MIXED), st.integers(1, 16_000))
def test_a_smaller_budget_gives_the_first_of_the_same_facts(
    drawn: tuple[Case, str, dict[str, Any]], characters: int
) -> None:
    case, question, controls = drawn
    assume(len(find_terms(question, max_terms=9_999).plain) <= 512)
    memory = load(case.lines)
    whole = recall(memory, question, now=NOW, **{**controls, "max_characters": 16_000})
    part = recall(memory, question, now=NOW, **{**controls, "max_characters": characters})
    assert keys(part) == keys(whole)[: len(part["facts"])]
    assert part["characters"] <= characters
    if whole["characters"] <= characters and whole["cut"] is None:
        assert part["facts"] == whole["facts"]


def test_hub_memories_reach_the_fan_cut() -> None:
    cuts = 0
    for seed in range(12):
        case = make_case(Random(seed), NOW, HUB)
        names = [line["name"] for line in case.lines if line["type"] == "entity"]
        bundle = recall(load(case.lines), names[0], now=NOW)
        cuts += bool(bundle["reach"]["fanout_cut"])
    assert cuts > 0
