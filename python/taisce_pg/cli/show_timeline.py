"""A timeline on two clocks: valid time across, known time down."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from taisce_pg.cli.show import FAINT, day, safe

if TYPE_CHECKING:
    from uuid import UUID

    from taisce_pg.client.inspected import RecordInterval
    from taisce_pg.client.memory import Memory

Row = Mapping[str, Any]
Key = tuple[int, str]

_INSTANT = re.compile(r"(\d+)-(\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(?:Z|\+00(?::00)?)?( BC)?")
_START: Key = (-(10**9), "")
_END: Key = (10**9, "")
_CAUSE_WIDTH = 12
_LEAST_AXIS = 24


@dataclass(frozen=True)
class _Bar:
    """A version of a fact: what it held (valid time) and since when that was believed."""

    letter: str
    row: Row
    valid: tuple[Key, Key]
    known: tuple[Key, Key]


def every_interval(memory: Memory, fact_id: UUID | str, **options: Any) -> list[RecordInterval]:
    """Return all intervals of a fact, newest knowledge first, page by page."""
    rows: list[RecordInterval] = []
    before: str | None = None
    while not rows or before:
        page = memory.record_history(fact_id, before=before, max_rows=100, **options)
        if not page:
            break
        rows += page
        before = page[-1].continuation
    return rows


def show_timeline(console: Console, facts: Sequence[Sequence[Row]]) -> None:
    """Draw the intervals of one or more facts on one pair of axes.

    Each fact is a list of rows of record_history, in any order. Each line begins with the
    instant from which it was believed, ends with what brought it about, and the last block is
    what is believed now. A bar begins where the fact began to hold; an arrow is an open end.
    """
    bars = [
        _Bar(
            letter,
            row,
            (_key(row["valid_from"], _START), _key(row["valid_until"], _END)),
            (_key(row["known_from"], _START), _key(row["known_until"], _END)),
        )
        for letter, rows in zip(ascii_uppercase, facts, strict=False)
        for row in rows
    ]
    for letter, rows in zip(ascii_uppercase, facts, strict=False):
        name = Text(f"{letter}  ", style=FAINT) if len(facts) > 1 else Text()
        console.print(name.append(safe(rows[0]["statement"]), style="bold not dim"))
    known = _instants(bars, "known_from", "known_until")
    stamps = _short([text for _, text in known])
    left = max([len("believed from"), *map(len, stamps)]) + 2
    width = max(console.width - left - _CAUSE_WIDTH - 2, _LEAST_AXIS)
    ticks = _instants(bars, "valid_from", "valid_until")
    places = _places(bars, ticks, width)
    names = {key: _date(text) for key, text in ticks}
    for number, label in enumerate(_labels(names, places, width)):
        head = "" if number else "believed from"
        _line(console, Text(head.ljust(left), style=FAINT), Text(label, style=FAINT), width)
    lone = len(facts) == 1
    for number, ((instant, _), stamp) in enumerate(zip(known, stamps, strict=True)):
        believed = [bar for bar in bars if bar.known[0] <= instant < bar.known[1]]
        style = "bold green" if number == len(known) - 1 else "yellow"
        drawn = _pack(believed, places, width, style, lone) or [Text("nothing", style="red")]
        causes = _causes(bars, instant)
        for index, line in enumerate(drawn):
            start = Text((stamp if not index else "").ljust(left))
            _line(console, start, line, width, causes if not index else "")


def _line(console: Console, head: Text, body: Text, width: int, cause: str = "") -> None:
    line = head.append_text(body)
    if cause:
        line.append(" " * (width - body.cell_len + 2)).append(cause, style=FAINT)
    line.rstrip()
    console.print(line, no_wrap=True, overflow="ignore", crop=False)


def _key(text: str | None, open_end: Key) -> Key:
    """Return what sorts as the instant does, which may be before Christ or after 9999."""
    if text is None:
        return open_end
    found = _INSTANT.fullmatch(text)
    if not found:
        raise ValueError(f"not an instant in UTC: {text}")
    number, date, time, before_christ = found.groups()
    return (1 - int(number) if before_christ else int(number), f"{date} {time}")


def _instants(bars: Sequence[_Bar], first: str, last: str) -> list[tuple[Key, str]]:
    """List the finite instants of a clock in order; the beginning of time if there is none."""
    texts = {bar.row[name] for bar in bars for name in (first, last)} - {None}
    return sorted((_key(text, _START), text) for text in texts) or [(_START, "")]


def _date(text: str) -> str:
    bare = text.removesuffix(" BC")
    return day(bare) + text[len(bare) :]


def _short(texts: Sequence[str]) -> list[str]:
    """Write instants as short as they can still be told apart."""
    if texts == [""]:
        return [""]
    plain = [
        re.sub(r"(\.\d+)?(Z|\+00(:00)?)( BC)?$", r"\1\4", text).replace("T", " ") for text in texts
    ]
    for pattern in (r" \d\d:\d\d:\d\d(\.\d+)?", r":\d\d(\.\d+)?(?= BC|$)", r"\.\d+"):
        cut = [re.sub(pattern, "", text, count=1) for text in plain]
        if len(set(cut)) == len(cut) and len(cut) > 1:
            return cut
    return plain if len(plain) > 1 else [re.sub(r"\.\d+", "", text) for text in plain]


def _places(bars: Sequence[_Bar], ticks: Sequence[tuple[Key, str]], width: int) -> dict[Key, int]:
    """Give each instant its column: the order is to scale, the distance is not."""
    open_start = any(bar.valid[0] == _START for bar in bars)
    step = (width - 1) / (len(ticks) + open_start)
    places = {key: round(step * number) for number, (key, _) in enumerate(ticks, int(open_start))}
    return {**places, _START: 0, _END: width - 1}


def _labels(names: Mapping[Key, str], places: Mapping[Key, int], width: int) -> list[str]:
    """Write the instants over their columns, on as many lines as they need."""
    lines: list[str] = []
    for key, name in names.items():
        place = min(places[key], width - len(name))
        for index, line in enumerate(lines):
            if len(line) < place:
                lines[index] = line.ljust(place) + name
                break
        else:
            lines.append(" " * place + name)
    return lines or [""]


def _pack(
    bars: Sequence[_Bar], places: Mapping[Key, int], width: int, style: str, lone: bool
) -> list[Text]:
    """Draw bars, side by side where they do not overlap, else below each other."""
    lines: list[list[str]] = []
    for bar in sorted(bars, key=lambda one: one.valid):
        first, last = places[bar.valid[0]], places[bar.valid[1]]
        drawn = list("─" * (last - first + 1))
        drawn[0] = "◀" if bar.valid[0] == _START else "├"
        drawn[-1] = "▶" if bar.valid[1] == _END else "┤"
        if not lone and len(drawn) > 4:
            drawn[len(drawn) // 2 - 1 : len(drawn) // 2 + 2] = [" ", bar.letter, " "]
        for line in lines:
            if set(line[first + 1 : last]) <= {" "} and line[first] in " ┤" and line[last] in " ├":
                _lay(line, first, drawn)
                break
        else:
            lines.append(list(" " * width))
            _lay(lines[-1], first, drawn)
    return [Text("".join(line).rstrip(), style=style) for line in lines]


def _lay(line: list[str], first: int, drawn: Sequence[str]) -> None:
    """Put a bar on a line; one that ends where another begins meets it."""
    for place, mark in enumerate(drawn, first):
        line[place] = "┼" if line[place] in "├┤" else mark


def _causes(bars: Sequence[_Bar], instant: Key) -> str:
    began = {str(bar.row["cause"]) for bar in bars if bar.known[0] == instant}
    ended = {str(bar.row["closed_cause"]) for bar in bars if bar.known[1] == instant}
    return ", ".join(sorted(began - {"asserted"} or began or ended))
