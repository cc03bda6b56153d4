"""The names that a question may hold, as memory_v1.recall_terms lists them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from taisce_pg.errors import InvalidQuestion
from taisce_pg.names.normalize import normalize_name, split_words

Kind = Literal["plain", "token", "possessive", "long"]

MAX_QUESTION_BYTES = 8192
MAX_TERMS = 512
MAX_TERM_BYTES = 32_768
OUTER_MARKS = "()[]{}<>\"“”„«»‘’',.!?;:`"
_LONGEST_WINDOW = 4


@dataclass(frozen=True, slots=True)
class Term:
    """A candidate name, its place in the list (from 1) and where it came from."""

    ordinal: int
    candidate: str
    kind: Kind


def recall_terms(question: str, max_terms: int = MAX_TERMS) -> list[Term]:
    """List the names that a question may hold, in the order in which recall probes them.

    Raises InvalidQuestion for a blank question, one above 8,192 bytes, and one with more than
    `max_terms` plain windows or 32,768 bytes of them.
    """
    return question_terms(question, max_terms)[0]


def question_terms(question: str, max_terms: int = MAX_TERMS) -> tuple[list[Term], int]:
    """List the candidates, and count the additions that were left out over the limit."""
    text = _checked(question)
    words = split_words(text)
    plain = list(dict.fromkeys(window for window, _ in _windows(words)))
    used = sum(len(window.encode()) for window in plain)
    if len(plain) > max_terms or used > MAX_TERM_BYTES:
        raise InvalidQuestion(
            f"A question may be cut into at most {max_terms} candidate names of "
            f"{MAX_TERM_BYTES} bytes together; this one gives {len(plain)} of {used} bytes.",
            "Ask a shorter question.",
        )
    found: list[tuple[str, Kind]] = [(window, "plain") for window in plain]
    additions = _additions(text, words) if words else {}
    for window in plain:
        additions.pop(window, None)
    dropped = 0
    for window, kind in additions.items():
        used += len(window.encode())
        if dropped or len(found) == max_terms or used > MAX_TERM_BYTES:
            dropped += 1
        else:
            found.append((window, kind))
    found += [(window, "long") for window in _heads(words)]
    return [Term(place, window, kind) for place, (window, kind) in enumerate(found, 1)], dropped


def _checked(question: str) -> str:
    """Return the normalised question, or raise InvalidQuestion."""
    octets = len(question.encode())
    if octets > MAX_QUESTION_BYTES:
        raise InvalidQuestion(
            f"A question has 1 to {MAX_QUESTION_BYTES} bytes; this one has {octets}.",
            "Ask a shorter question.",
        )
    text = normalize_name(question)
    if not text:
        raise InvalidQuestion("The question is blank.", "Ask with at least one word.")
    return text


def _windows(parts: list[str]) -> Iterator[tuple[str, str]]:
    """Give each run of one to four parts joined by a space, and its last part."""
    for start in range(len(parts)):
        for end in range(start + 1, min(start + _LONGEST_WINDOW, len(parts)) + 1):
            yield " ".join(parts[start:end]), parts[end - 1]


def _additions(text: str, words: list[str]) -> dict[str, Kind]:
    """Return what tokens and possessives may add, without repeats, first seen first."""
    found: dict[str, Kind] = {}
    for window, _ in _windows(text.split(" ")):
        for form in _forms(window):
            if form:
                found.setdefault(form, "token")
    for window, last in _windows(words):
        if last.endswith("'s"):
            found.setdefault(window[:-2], "possessive")
    return found


def _forms(window: str) -> Iterator[str]:
    """Give a window of tokens as typed, then with fewer and fewer outer marks.

    As typed; both ends bare; the left end bare, with one mark less at the right each time; then
    the left end as typed, with one mark less at the right each time.
    """
    yield window
    left = window.lstrip(OUTER_MARKS)
    if not left:
        return
    yield left.rstrip(OUTER_MARKS).strip(" ")
    yield left.strip(" ")
    for text in (left, window):
        for end in range(len(text) - 1, len(text.rstrip(OUTER_MARKS)) - 1, -1):
            yield text[:end].strip(" ")


def _heads(words: list[str]) -> list[str]:
    """Return the four words from each place that has a fifth."""
    return [
        " ".join(words[start : start + _LONGEST_WINDOW])
        for start in range(len(words) - _LONGEST_WINDOW)
    ]
