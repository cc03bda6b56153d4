"""Names, words of a question, and windows of bytes, as the model understands them."""

import unicodedata
from dataclasses import dataclass
from typing import Any

WHITE_SPACE = frozenset(
    chr(code)
    for code in (
        *range(0x09, 0x0E),
        0x20,
        0x85,
        0xA0,
        0x1680,
        *range(0x2000, 0x200B),
        0x2028,
        0x2029,
        0x202F,
        0x205F,
        0x3000,
    )
)
OUTER_MARKS = frozenset("()[]{}<>\"“”„«»‘’',.!?;:`")
WINDOW_WORDS = 4
SIDE_CHARACTERS = 3
MAX_TERMS = 512
MAX_TERM_BYTES = 32_768


def split_white(text: str) -> list[str]:
    """Split text at every run of White_Space; no empty parts."""
    parts: list[str] = []
    part = ""
    for character in text:
        if character in WHITE_SPACE:
            if part:
                parts.append(part)
            part = ""
        else:
            part += character
    if part:
        parts.append(part)
    return parts


def ascii_marks(text: str) -> str:
    """Map the typographic apostrophe and hyphens to ASCII, one character for one."""
    return text.replace("\u2019", "'").replace("\u2010", "-").replace("\u2011", "-")


def simple_lower(character: str) -> str:
    """Lower one character by its simple mapping, without locale or context."""
    if character == "\u0130":
        return "i"
    return character.lower()


def normalize_name(text: str) -> str:
    """Give the form in which two spellings of one name are equal."""
    plain = ascii_marks(unicodedata.normalize("NFC", text))
    return "".join(simple_lower(character) for character in " ".join(split_white(plain)))


def is_blank(text: str) -> bool:
    """Say whether text has nothing but white space."""
    return not split_white(text)


@dataclass(frozen=True)
class Word:
    """One word of a text: characters start to end of it, as typed."""

    text: str
    start: int
    end: int


def is_separator(character: str) -> bool:
    """Say whether a character ends a word: white space, or punctuation but ' and -."""
    if character in WHITE_SPACE:
        return True
    return character not in "'-" and unicodedata.category(character).startswith("P")


def split_words(text: str) -> list[Word]:
    """Split a text into words with their places in it."""
    mapped = ascii_marks(text)
    words: list[Word] = []
    start = 0
    while start < len(mapped):
        if is_separator(mapped[start]):
            start += 1
            continue
        end = start
        while end < len(mapped) and not is_separator(mapped[end]):
            end += 1
        first, last = start, end
        while first < last and mapped[first] in "'-":
            first += 1
        while last > first and mapped[last - 1] in "'-":
            last -= 1
        if last > first:
            words.append(Word(mapped[first:last], first, last))
        start = end
    return words


def name_words(name: str) -> tuple[int, str]:
    """Count the words of a name and give its head: the first four, normalised."""
    words = [word.text for word in split_words(normalize_name(name))]
    return len(words), normalize_name(" ".join(words[:WINDOW_WORDS]))


@dataclass(frozen=True)
class Terms:
    """What a question is probed with."""

    plain: list[str]
    token: list[str]
    possessive: list[str]
    heads: list[str]
    dropped: int

    @property
    def candidates(self) -> list[str]:
        """Return every candidate probed by equality, in order."""
        return self.plain + self.token + self.possessive

    @property
    def rows(self) -> list[tuple[str, str]]:
        """Return (candidate, kind) in order, long heads last."""
        return (
            [(text, "plain") for text in self.plain]
            + [(text, "token") for text in self.token]
            + [(text, "possessive") for text in self.possessive]
            + [(text, "long") for text in self.heads]
        )


def windows(count: int) -> list[tuple[int, int]]:
    """List (first, after last) of all windows of one to four of `count` things."""
    return [
        (start, start + length)
        for start in range(count)
        for length in range(1, WINDOW_WORDS + 1)
        if start + length <= count
    ]


def trimmed_forms(window: str) -> list[str]:
    """List a window of tokens as typed, then without its outer marks.

    In order: as typed; both ends bare; left end bare; left end bare and one more mark less
    at the right each time; left end kept and one more mark less at the right each time.
    """
    left = 0
    while left < len(window) and window[left] in OUTER_MARKS:
        left += 1
    right = 0
    while right < len(window) - left and window[len(window) - 1 - right] in OUTER_MARKS:
        right += 1
    whole = len(window)
    forms = [window, window[left : whole - right], window[left:]]
    forms += [window[left : whole - marks] for marks in range(1, right + 1)]
    forms += [window[: whole - marks] for marks in range(1, right + 1)]
    return forms


class TooManyTermsError(Exception):
    """The plain windows of a question pass a limit."""


def find_terms(question: str, max_terms: int = MAX_TERMS, max_bytes: int = MAX_TERM_BYTES) -> Terms:
    """List the candidates of a question; raises TooManyTermsError."""
    words = [word.text for word in split_words(question)]
    seen: set[str] = set()

    def fresh(text: str) -> list[str]:
        candidate = normalize_name(text)
        if not candidate or candidate in seen:
            return []
        seen.add(candidate)
        return [candidate]

    plain: list[str] = []
    for first, last in windows(len(words)):
        plain += fresh(" ".join(words[first:last]))
    if not plain:
        return Terms([], [], [], [], 0)
    if len(plain) > max_terms or sum(len(text.encode()) for text in plain) > max_bytes:
        raise TooManyTermsError

    additions: list[tuple[str, str]] = []
    tokens = split_white(question)
    for first, last in windows(len(tokens)):
        for form in trimmed_forms(" ".join(tokens[first:last])):
            additions += [(text, "token") for text in fresh(form)]
    for first, last in windows(len(words)):
        window = " ".join(words[first:last])
        if window.lower().endswith("'s"):
            additions += [(text, "possessive") for text in fresh(window[:-2])]

    kept: list[tuple[str, str]] = []
    used = sum(len(text.encode()) for text in plain)
    for text, kind in additions:
        used += len(text.encode())
        if len(plain) + len(kept) + 1 > max_terms or used > max_bytes:
            break
        kept.append((text, kind))

    return Terms(
        plain=plain,
        token=[text for text, kind in kept if kind == "token"],
        possessive=[text for text, kind in kept if kind == "possessive"],
        heads=[
            normalize_name(" ".join(words[start : start + WINDOW_WORDS]))
            for start in range(len(words) - WINDOW_WORDS)
        ],
        dropped=len(additions) - len(kept),
    )


def has_long_name(question: str, normalized: str) -> bool:
    """Say whether a question spells out a normalised name of more than four words."""
    length, _ = name_words(normalized)
    if length <= WINDOW_WORDS:
        return False
    words = split_words(question)
    inside = {place for word in words for place in range(word.start, word.end)}

    def free(place: int) -> bool:
        return (
            0 <= place < len(question)
            and question[place] not in WHITE_SPACE
            and place not in inside
        )

    for start in range(len(words) - length + 1):
        first, last = words[start].start, words[start + length - 1].end
        lefts = [first]
        while len(lefts) <= SIDE_CHARACTERS and free(lefts[-1] - 1):
            lefts.append(lefts[-1] - 1)
        rights = [last]
        while len(rights) <= SIDE_CHARACTERS and free(rights[-1]):
            rights.append(rights[-1] + 1)
        for left in lefts:
            for right in rights:
                if normalize_name(question[left:right]) == normalized:
                    return True
    return False


def evidence_window(
    content: str, byte_start: int, byte_end: int, margin: int = 160
) -> tuple[str, int, bool]:
    """Cut the text around a span: context, its byte offset, whether neither edge was cut."""
    data = content.encode()
    start = max(0, byte_start - margin)
    end = min(len(data), byte_end + margin)
    complete = start == 0 and end == len(data)
    if start > 0:
        before = data[start:byte_start].decode(errors="ignore")
        places = [place for place, char in enumerate(before) if char in WHITE_SPACE]
        if places:
            place = places[0]
            while place < len(before) and before[place] in WHITE_SPACE:
                place += 1
            before = before[place:]
        start = byte_start - len(before.encode())
    if end < len(data):
        after = data[byte_end:end].decode(errors="ignore")
        places = [place for place, char in enumerate(after) if char in WHITE_SPACE]
        if places:
            after = after[: places[-1]]
            while after and after[-1] in WHITE_SPACE:
                after = after[:-1]
        end = byte_end + len(after.encode())
    return data[start:end].decode(), start, complete


def budget_cut(items: list[tuple[Any, int]], max_characters: int) -> list[Any]:
    """Take items with their costs in order until the first that does not fit."""
    taken: list[Any] = []
    left = max_characters
    for item, cost in items:
        if cost > left:
            break
        taken.append(item)
        left -= cost
    return taken
