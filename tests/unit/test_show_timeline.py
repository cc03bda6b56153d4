"""A timeline on two clocks: readable at 80 columns, whatever the instants."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from taisce_pg.cli.show_timeline import show_timeline


def row(
    statement: str,
    valid: tuple[str | None, str | None],
    known: tuple[int, int | None],
    cause: str = "asserted",
    closed: str | None = None,
) -> dict[str, Any]:
    """Make an interval; known in seconds after noon."""
    start, end = (
        None if second is None else f"2026-11-30T12:00:{second:02d}.123456+00:00"
        for second in known
    )
    days = [None if one is None else f"{one}T00:00:00+00:00" for one in valid]
    return {
        "statement": statement,
        "valid_from": days[0],
        "valid_until": days[1],
        "known_from": start,
        "known_until": end,
        "cause": cause,
        "closed_cause": closed,
    }


CORK = [
    row("Ann lives in Cork.", ("2020-01-01", "2024-01-01"), (2, None), "superseded"),
    row("Ann lives in Cork.", ("2020-01-01", None), (1, 2), closed="superseded"),
]
GALWAY = [row("Ann lives in Galway.", ("2024-01-01", None), (2, 3), closed="retracted")]


def drawn(*facts: list[dict[str, Any]], width: int = 80) -> list[str]:
    out = io.StringIO()
    show_timeline(Console(file=out, width=width), facts)
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= max(width, 66)
    return lines


def test_valid_time_goes_across_and_known_time_down() -> None:
    title, axis, first, second = drawn(CORK)
    assert title == "Ann lives in Cork."
    assert axis.split() == ["believed", "from", "2020-01-01", "2024-01-01"]
    assert first.split(None, 3) == ["2026-11-30", "12:00:01", first.split()[2], "asserted"]
    assert second.endswith("superseded")
    # A bar begins and ends below its instants; an arrow never ends.
    assert first.index("├") == second.index("├") == axis.index("2020-01-01")
    assert second.index("┤") == axis.index("2024-01-01")
    assert "▶" in first
    assert "▶" not in second


def test_facts_that_follow_each_other_share_a_line() -> None:
    lines = drawn(CORK, GALWAY)
    assert lines[:2] == ["A  Ann lives in Cork.", "B  Ann lives in Galway."]
    assert [line.count("A") for line in lines[3:]] == [1, 1, 1]
    assert [line.count("B") for line in lines[3:]] == [0, 1, 0]
    assert "┼" in lines[4]
    assert lines[5].endswith("retracted")


def test_facts_that_overlap_are_below_each_other_and_a_gap_is_said() -> None:
    told_again = [
        row("x", (None, None), (1, 4), closed="retracted"),
        row("x", ("2000-01-01", "2001-01-01"), (7, None)),
    ]
    lines = drawn(told_again)
    assert lines[2].split()[2].startswith("◀")
    assert lines[3].split()[2:] == ["nothing", "retracted"]
    lines = drawn(told_again, [row("y", ("2000-01-01", "2003-01-01"), (1, None))])
    assert [("A" in line, "B" in line) for line in lines[3:]] == [
        (True, False), (False, True), (False, True), (True, False), (False, True),
    ]  # fmt: skip


@pytest.mark.parametrize("width", [40, 60, 200])
def test_it_fits_and_labels_never_run_into_each_other(width: int) -> None:
    many = [
        row("z", (f"20{n:02d}-01-01", f"20{n + 1:02d}-01-01"), (n, n + 1)) for n in range(10, 16)
    ]
    text = "\n".join(drawn(many, width=width))
    for n in range(10, 17):
        assert f"20{n}-01-01" in text


def test_instants_before_christ_and_within_a_second_are_told_apart() -> None:
    old = row("Caesar falls.", (None, None), (1, None))
    old["valid_from"] = "0044-03-15T00:00:00+00:00 BC"
    later = {**old, "known_from": "2026-11-30T12:00:01.123457+00:00", "valid_until": None}
    old["known_until"] = later["known_from"]
    lines = drawn([old, later])
    assert "0044-03-15 BC" in lines[1]
    assert [line.split()[1] for line in lines[2:]] == ["12:00:01.123456", "12:00:01.123457"]


def test_words_of_a_fact_cannot_steer_the_terminal() -> None:
    assert "\x1b" not in "\n".join(drawn([row("a\x1b[31mb", (None, None), (1, None))]))
