"""The checker is total: any text is either checked or refused, and soon."""

from __future__ import annotations

import threading
import time

import pytest

from taisce_pg.sandbox import Checked, Refusal, check
from tests.support.sandbox import full_catalogue
from tests.support.sandbox_fuzz import Fuzzer
from tests.support.sizes import size

COUNT = size(10_000, 100_000)
PARTS = 10
HANG = 20.0
"""Seconds that no single statement may take, however busy the machine is."""


def outcome(sql: str) -> Checked | Refusal:
    """Return what the checker says; anything else that it raises fails the test."""
    try:
        return check(sql, catalogue=full_catalogue())
    except Refusal as refusal:
        if refusal.__cause__ is not None:
            pytest.fail(f"{refusal.__cause__!r} for {sql!r}")
        return refusal
    except Exception as exc:
        pytest.fail(f"{type(exc).__name__} for {sql!r}")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_any_text_is_checked_or_refused(part: int) -> None:
    passed = 0
    for sql in Fuzzer(part).statements(COUNT // PARTS):
        started = time.perf_counter()
        result = outcome(sql)
        assert time.perf_counter() - started < HANG, sql
        if isinstance(result, Checked):
            passed += 1
            continue
        assert result.hint, sql
        assert 0 <= result.position <= len(sql) + 1, sql
    assert passed > COUNT // PARTS // 50, "too few statements are good for the rest to mean much"


def test_a_small_stack_is_enough() -> None:
    texts = ["select " + "not " * 1_900 + "true", "select 1" + "+1" * 990, "select " + "- " * 1_500]
    outcomes: list[object] = []

    def run() -> None:
        outcomes.extend(outcome(sql) for sql in texts)

    before = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=run)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    assert len(outcomes) == len(texts)


@pytest.mark.parametrize(
    ("opening", "middle", "closing"),
    [
        ("array[", "1", "]"),
        ("(1, ", "1", ")"),
        ("abs(", "1", ")"),
        ("cast(", "1", " as int)"),
        ("(select ", "1", ")"),
        ("1 in (", "1", ")"),
        ("exists (select 1 where ", "true", ")"),
        ("substring(", "'a'", " from 1)"),
        ("json_array(", "1", ")"),
        ("sum(", "1", ") over ()"),
    ],
)
def test_the_deepest_nesting_allowed_takes_no_time_to_speak_of(
    opening: str, middle: str, closing: str
) -> None:
    started = time.perf_counter()
    result = outcome("select " + opening * 49 + middle + closing * 49)
    assert isinstance(result, Checked) or result.reason == "size"
    assert time.perf_counter() - started < HANG
