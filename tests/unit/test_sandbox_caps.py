"""The caps on the text of a query: what just keeps them passes, one more does not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from taisce_pg.sandbox import Refusal, check
from taisce_pg.sandbox.text import read_text


def bytes_of(length: int) -> str:
    """Make a query of so many bytes, some of them parts of a character."""
    return "select '" + "é" * 100 + "x" * (length - 209) + "'"


def tokens_of(count: int) -> str:
    """Make a query of so many tokens, beside a comment that is none."""
    return "select 1" + ", 1" * ((count - 2) // 2) + " one" * (count % 2) + " -- a comment"


def brackets_of(depth: int) -> str:
    return "select " + "(" * depth + "1" + ")" * depth


def indexed(depth: int) -> str:
    """Open brackets of both kinds."""
    return "select " + "(" * (depth - 1) + "(array[1])[1]" + ")" * (depth - 1)


@pytest.mark.parametrize(
    ("query", "most", "hint"),
    [
        (bytes_of, 20_000, "A query may have 20000 bytes, this one has 20001."),
        (tokens_of, 2_000, "A query may have 2000 tokens, this one has 2001."),
        (brackets_of, 50, "Brackets may be open 50 deep."),
    ],
)
def test_a_cap_is_kept_to_the_last_unit(query: Callable[[int], str], most: int, hint: str) -> None:
    kept = query(most)
    assert check(kept).sql == kept
    with pytest.raises(Refusal) as refused:
        check(query(most + 1))
    assert (refused.value.reason, refused.value.hint) == ("size", hint)


def test_the_queries_are_as_large_as_they_say() -> None:
    assert len(bytes_of(20_000).encode()) == 20_000
    assert [len(read_text(tokens_of(count)).kinds) for count in (1_999, 2_000)] == [1_999, 2_000]


def test_brackets_that_are_closed_are_open_no_more() -> None:
    many = "select " + ", ".join(["((1))", "(array[1])[1]"] * 60)
    assert check(many).sql == many


def test_square_brackets_count_as_well() -> None:
    assert check(indexed(49)).sql
    with pytest.raises(Refusal) as refused:
        check(indexed(50))
    assert (refused.value.reason, refused.value.position) == ("size", 63)


def test_the_place_is_where_the_cap_was_passed() -> None:
    for query in (bytes_of(20_001), tokens_of(2_001), brackets_of(51)):
        with pytest.raises(Refusal) as refused:
            check(query)
        rest = query[refused.value.position - 1 :]
        assert rest in ("'", " one -- a comment"[1:], "(1" + ")" * 51)
