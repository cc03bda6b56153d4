"""Windows of a normalised question that plain words do not give: marks, and owners."""

from __future__ import annotations

from collections.abc import Iterator

from taisce_pg.names.normalize import cut_text

LONGEST_WINDOW = 4
MOST_MARKS = 3
_OWNED = ("'s", "\u02bcs")


def windows(count: int) -> Iterator[tuple[int, int]]:
    """Give the first and the last place of each run of one to four of `count` things."""
    for first in range(count):
        for last in range(first, min(first + LONGEST_WINDOW, count)):
            yield first, last


def marked(words: list[str], gaps: list[str], *, joined: bool) -> Iterator[str]:
    """Give each run of words as written, with none to three of the marks that touch its ends.

    With `joined`, each run comes first with one space between its words.
    """
    for first, last in windows(len(words)):
        written = _written(words, gaps, first, last)
        left = _left_marks(gaps[first])
        right = _right_marks(gaps[last + 1])
        if joined:
            yield " ".join(words[first : last + 1])
        for start in range(len(left), -1, -1):
            for end in range(len(right) + 1):
                yield left[start:] + written + right[:end]


def owners(words: list[str], gaps: list[str]) -> Iterator[str]:
    """Give each run of words that ends in a possessive 's without it: joined, and as written."""
    for first, last in windows(len(words)):
        if not words[last].endswith(_OWNED) or len(words[last]) <= len(_OWNED[0]):
            continue
        yield " ".join(words[first : last + 1])[:-2]
        written = _written(words, gaps, first, last)[:-2]
        left = _left_marks(gaps[first])
        for start in range(len(left), -1, -1):
            yield left[start:] + written


def typed(tokens: list[str]) -> Iterator[str]:
    """Give each run of one to four tokens as typed.

    If its first or last token has no word, so that a name may consist of marks, then also with
    one to three of the outer marks less on either side; a whole token is never taken away.
    """
    for first, last in windows(len(tokens)):
        yield " ".join(tokens[first : last + 1])
        yield from _of_marks(tokens[first : last + 1])


def typed_owners(tokens: list[str]) -> Iterator[str]:
    """Give each run of tokens that may be a name of marks, without the possessive of the last."""
    owners = [_owner(token) for token in tokens]
    for first, last in windows(len(tokens)):
        owner = owners[last]
        if owner:
            yield from _of_marks([*tokens[first:last], owner])


def _of_marks(tokens: list[str]) -> Iterator[str]:
    """Give a run of tokens with fewer and fewer outer marks, if an outer token has no word."""
    left, _, left_is_bare = _edges(tokens[0])
    _, right, right_is_bare = _edges(tokens[-1])
    window = " ".join(tokens)
    if not (left_is_bare or right_is_bare):
        return
    for start in range(left + 1):
        for end in range(right + 1):
            if start + end < len(window):
                yield window[start : len(window) - end]


def _owner(token: str) -> str:
    """Return a token without a possessive at its end and the marks after it, '' if it has none."""
    trailing = cut_text(token)[1][-1]
    owned = token[: len(token) - len(trailing)]
    return owned[:-2] if owned.endswith(_OWNED) else ""


def _written(words: list[str], gaps: list[str], first: int, last: int) -> str:
    """Return a run of words with what stands between them."""
    parts = [words[first]]
    for place in range(first + 1, last + 1):
        parts += gaps[place], words[place]
    return "".join(parts)


def _left_marks(gap: str) -> str:
    """Return up to three marks that touch the word after a gap."""
    return gap.rpartition(" ")[2][-MOST_MARKS:]


def _right_marks(gap: str) -> str:
    """Return up to three marks that touch the word before a gap."""
    return gap.partition(" ")[0][:MOST_MARKS]


def _edges(token: str) -> tuple[int, int, bool]:
    """Return how many marks a token may lose on the left and the right; whether it is all marks."""
    words, gaps = cut_text(token)
    if not words:
        most = min(MOST_MARKS, len(token) - 1)
        return most, most, True
    return min(MOST_MARKS, len(gaps[0])), min(MOST_MARKS, len(gaps[-1])), False
