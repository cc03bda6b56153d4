"""The names that a question may hold, as memory_v1.recall_terms lists them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from taisce_pg.errors import InvalidQuestion
from taisce_pg.names.normalize import cut_text, normalize_name, split_words
from taisce_pg.names.windows import LONGEST_WINDOW, marked, owners, typed, typed_owners, windows

Kind = Literal["plain", "token", "possessive", "long"]

MAX_QUESTION_BYTES = 8192
MAX_TERMS = 512
MAX_TERM_BYTES = 32_768


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
    plain = list(
        dict.fromkeys(" ".join(words[first : last + 1]) for first, last in windows(len(words)))
    )
    used = sum(len(window.encode()) for window in plain)
    if len(plain) > max_terms or used > MAX_TERM_BYTES:
        raise InvalidQuestion(
            f"A question may be cut into at most {max_terms} candidate names of "
            f"{MAX_TERM_BYTES} bytes together; this one gives {len(plain)} of {used} bytes.",
            "Ask a shorter question.",
        )
    found: list[tuple[str, Kind]] = [(window, "plain") for window in plain]
    additions = _additions(text) if words else {}
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


def _additions(text: str) -> dict[str, Kind]:
    """Return what marks and possessives may add, without repeats, first seen first."""
    by_words = cut_text(text)
    by_symbols = cut_text(text, at_symbols=True)
    forms = [*marked(*by_words, joined=False)]
    owned = [*owners(*by_words)]
    if by_symbols != by_words:
        forms += marked(*by_symbols, joined=True)
        owned += owners(*by_symbols)
    forms += typed(text.split(" "))
    owned += typed_owners(text.split(" "))
    found: dict[str, Kind] = dict.fromkeys(forms, "token")
    for owner in owned:
        found.setdefault(owner, "possessive")
    return found


def _heads(words: list[str]) -> list[str]:
    """Return the four words from each place that has a fifth."""
    return [
        " ".join(words[start : start + LONGEST_WINDOW])
        for start in range(len(words) - LONGEST_WINDOW)
    ]
