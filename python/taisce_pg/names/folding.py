"""The lower-case table of names, and where one server departs from it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from taisce_pg.names import tables

# Beyond plane 1 no character has case.
_LAST_WITH_CASE = 0x1FFFF


@cache
def lower_map() -> dict[str, str]:
    """Return every character that has a small form, with that form (one character each)."""
    mapping: dict[str, str] = {}
    for part in tables.LOWER.split():
        span, _, shift = part.partition(":")
        codes, _, step = span.partition("/")
        for code in range(*_bounds(codes), int(step or "1")):
            mapping[chr(code)] = chr(code + int(shift))
    return mapping


@cache
def punctuation() -> frozenset[str]:
    """Return the characters of general category P*, ' and - included."""
    return _characters(tables.PUNCTUATION)


@cache
def symbols() -> frozenset[str]:
    """Return the characters that are signs, emoji or unseen marks."""
    return _characters(tables.SYMBOLS)


@cache
def white_space() -> frozenset[str]:
    """Return the characters with the White_Space property."""
    return _characters(tables.WHITE_SPACE)


def ask_query() -> str:
    """Return one statement that asks a server how it lowers characters.

    It gives rows (character, small form) for each character that this server's lower() changes.
    The form is '' where it depends on the text around (as in ICU), which a table cannot say.
    """
    return f"""
        select a.letter, case when a.steady then a.lowered else '' end
        from (
            select
                c.letter,
                lower(c.letter collate "default") as lowered,
                lower('a' || c.letter collate "default")
                    = lower('a' collate "default") || lower(c.letter collate "default")
                and lower(c.letter || U&'\\0301' collate "default")
                    = lower(c.letter collate "default") || U&'\\0301' as steady
            from (
                select chr(n) as letter
                from generate_series(1, {_LAST_WITH_CASE}) as s (n)
                where n not between 55296 and 57343
            ) as c
        ) as a
        where a.lowered <> a.letter or not a.steady
    """


def difference(server_lower: Mapping[str, str]) -> tuple[str, str]:
    """Return the characters to map before lower() on this server, and what to map them to.

    `server_lower` holds what `ask_query` gave; a character that is missing stays as it is. The
    SQL is lower(translate(name, pairs...)), so what a pair gives must be left alone by lower();
    letters for which this server has no such rest are those of `unsteady`, and are left out.
    """
    pairs = [
        (letter, small)
        for letter, small in sorted(lower_map().items())
        if server_lower.get(letter, letter) != small and server_lower.get(small, small) == small
    ]
    return "".join(letter for letter, _ in pairs), "".join(small for _, small in pairs)


def unsteady(server_lower: Mapping[str, str]) -> str:
    """Return the characters that no pair can put right on this server, for a diagnosis to show.

    They are letters given a small form by a Unicode later than the table: names that hold them
    may be folded differently by two servers.
    """
    table = lower_map()
    return "".join(
        letter
        for letter, lowered in sorted(server_lower.items())
        if lowered != table.get(letter, letter)
        and (letter not in table or server_lower.get(table[letter], table[letter]) != table[letter])
    )


def _bounds(codes: str) -> tuple[int, int]:
    """Return the first code point of "first-last" and the one after the last."""
    first, _, last = codes.partition("-")
    return int(first, 16), int(last or first, 16) + 1


def _characters(ranges: str) -> frozenset[str]:
    """Return the characters of a list of ranges."""
    return frozenset(chr(code) for part in ranges.split() for code in range(*_bounds(part)))
