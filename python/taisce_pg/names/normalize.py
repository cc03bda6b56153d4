"""The form in which two spellings of one name are equal, as taisce.normalize_name gives it."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import cache

from taisce_pg.names.folding import lower_map, punctuation, symbols, white_space

_LONGEST_KEY = 1024
_HEAD_WORDS = 4


def normalize_name(text: str) -> str:
    """Normalise a name or a question; the result is empty if the text is blank.

    NFC, ASCII apostrophe and hyphens, words joined by one space, simple lower case, and NFC
    again: a small letter may compose with a mark where its capital could not.
    """
    folded = unicodedata.normalize("NFC", text).translate(_folding())
    return unicodedata.normalize("NFC", " ".join(part for part in folded.split(" ") if part))


def split_words(normalized: str) -> list[str]:
    """Return the words of normalised text: cut at spaces and punctuation other than ' and -."""
    return cut_text(normalized)[0]


def cut_text(normalized: str, *, at_symbols: bool = False) -> tuple[list[str], list[str]]:
    """Return the words of normalised text, and what stands before, between and after them.

    There is one gap more than there are words. With `at_symbols`, signs other than +, emoji and
    unseen marks end a word as punctuation does.
    """
    words: list[str] = []
    gaps: list[str] = []
    done = 0
    for part in re.finditer("[^ ]+", normalized.translate(_separators(at_symbols))):
        word = part.group().strip("'-")
        if word:
            start = part.start() + part.group().index(word)
            words.append(word)
            gaps.append(normalized[done:start])
            done = start + len(word)
    return words, [*gaps, normalized[done:]]


def head_key(normalized: str) -> str:
    """Return what a long name is probed by: the key of its first four words."""
    return name_key(" ".join(split_words(normalized)[:_HEAD_WORDS]))


def name_key(normalized: str) -> str:
    """Return what a normalised name is stored under: itself, or a digest above 1,024 bytes."""
    octets = normalized.encode()
    if len(octets) <= _LONGEST_KEY:
        return normalized
    return "\x01" + hashlib.sha256(octets).hexdigest()


@cache
def _folding() -> dict[int, str]:
    """Return the one table of what happens to single characters."""
    return {
        **{ord(letter): small for letter, small in lower_map().items()},
        **{ord(space): " " for space in white_space()},
        0x2019: "'",
        0x2010: "-",
        0x2011: "-",
    }


@cache
def _separators(at_symbols: bool) -> dict[int, str]:
    """Return the table that turns what separates words into spaces."""
    marks = punctuation() | symbols() if at_symbols else punctuation()
    return {ord(mark): " " for mark in marks - {"'", "-", "+"}}
