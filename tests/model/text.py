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


def is_separator(character: str, at_symbols: bool = False) -> bool:
    """Say whether a character ends a word: white space, or punctuation but ' and -.

    With at_symbols also signs but +, emoji and unseen format characters.
    """
    if character in WHITE_SPACE:
        return True
    if character in "'-+":
        return False
    category = unicodedata.category(character)
    if category.startswith("P"):
        return True
    unseen = category == "Cf" or "\ufe00" <= character <= "\ufe0f"
    return at_symbols and (unseen or category.startswith("S"))


def split_words(text: str, at_symbols: bool = False) -> list[Word]:
    """Split a text into words with their places in it."""
    mapped = ascii_marks(text)
    words: list[Word] = []
    start = 0
    while start < len(mapped):
        if is_separator(mapped[start], at_symbols):
            start += 1
            continue
        end = start
        while end < len(mapped) and not is_separator(mapped[end], at_symbols):
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


def touching(text: str, words: list[Word], place: int, step: int) -> int:
    """Count the marks, three at most, that touch a word from `place` on in one direction."""
    inside = {at for word in words for at in range(word.start, word.end)}
    count = 0
    while (
        count < SIDE_CHARACTERS
        and 0 <= place < len(text)
        and place not in inside
        and text[place] not in WHITE_SPACE
    ):
        count += 1
        place += step
    return count


def written_windows(text: str, words: list[Word], joined: bool) -> list[str]:
    """List windows of words as written, each with its marks taken one by one."""
    forms = []
    for first, last in windows(len(words)):
        start, end = words[first].start, words[last - 1].end
        if joined:
            forms.append(" ".join(word.text for word in words[first:last]))
        forms += [
            text[start - left : end + right]
            for left in range(touching(text, words, start - 1, -1) + 1)
            for right in range(touching(text, words, end, 1) + 1)
        ]
    return forms


def owner_windows(text: str, words: list[Word]) -> list[str]:
    """List windows of words without the possessive of the last: joined, then as written."""
    forms = []
    for first, last in windows(len(words)):
        if not is_owner(words[last - 1]):
            continue
        start, end = words[first].start, words[last - 1].end - 2
        forms.append(" ".join(word.text for word in words[first:last])[:-2])
        forms += [
            text[start - left : end] for left in range(touching(text, words, start - 1, -1) + 1)
        ]
    return forms


def is_owner(word: Word) -> bool:
    """Say whether a word ends in a possessive."""
    return len(word.text) > 2 and word.text[-2:] in ("'s", "\u02bcs")


def token_windows(text: str, owned: bool) -> list[str]:
    """List windows of tokens as typed; those that may be names of marks with fewer of them.

    With owned, only the latter, of windows that end in a possessive, without it.
    """
    tokens = split_white(text)

    def loose(token: str) -> tuple[int, int]:
        words = split_words(token)
        if not words:
            return (min(SIDE_CHARACTERS, len(token) - 1),) * 2
        return (
            min(SIDE_CHARACTERS, words[0].start),
            min(SIDE_CHARACTERS, len(token) - words[-1].end),
        )

    forms = []
    for first, last in windows(len(tokens)):
        run = tokens[first:last]
        if owned:
            stem = owner_of(run[-1])
            if not stem:
                continue
            run[-1] = stem
        else:
            forms.append(" ".join(run))
        if split_words(run[0]) and split_words(run[-1]):
            continue
        window = " ".join(run)
        forms += [
            window[left : len(window) - right]
            for left in range(loose(run[0])[0] + 1)
            for right in range(loose(run[-1])[1] + 1)
            if left + right < len(window)
        ]
    return forms


def owner_of(token: str) -> str:
    """Give a token up to the possessive that ends its words, or nothing."""
    words = split_words(token)
    written = token[: words[-1].end] if words else ""
    return written[:-2] if written.endswith(("'s", "\u02bcs")) else ""


class TooManyTermsError(Exception):
    """The plain windows of a question pass a limit."""


def find_terms(question: str, max_terms: int = MAX_TERMS, max_bytes: int = MAX_TERM_BYTES) -> Terms:
    """List the candidates of a question; raises TooManyTermsError."""
    text = normalize_name(question)
    parts = split_words(text)
    finer = split_words(text, at_symbols=True)
    words = [part.text for part in parts]
    seen: set[str] = set()

    def fresh(form: str) -> list[str]:
        candidate = normalize_name(form)
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

    typed = written_windows(text, parts, joined=False)
    owned = owner_windows(text, parts)
    if finer != parts:
        typed += written_windows(text, finer, joined=True)
        owned += owner_windows(text, finer)
    additions: list[tuple[str, str]] = []
    for form in typed + token_windows(text, owned=False):
        additions += [(candidate, "token") for candidate in fresh(form)]
    for form in owned + token_windows(text, owned=True):
        additions += [(candidate, "possessive") for candidate in fresh(form)]

    kept: list[tuple[str, str]] = []
    used = sum(len(text.encode()) for text in plain)
    for candidate, kind in additions:
        used += len(candidate.encode())
        if len(plain) + len(kept) + 1 > max_terms or used > max_bytes:
            break
        kept.append((candidate, kind))

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
    """Say whether a question spells out a normalised name of more than four words.

    The name begins where a word of the question may begin and ends where one may end, with at
    most three marks of its own on either side; a possessive may follow.
    """
    named = split_words(normalized)
    if len(named) <= WINDOW_WORDS:
        return False
    before, after = named[0].start, len(normalized) - named[-1].end
    outside = normalized[:before] + normalized[len(normalized) - after :]
    if before > SIDE_CHARACTERS or after > SIDE_CHARACTERS or " " in outside:
        return False
    text = normalize_name(question)

    def free(characters: str) -> bool:
        """Say whether nothing of a word stands next, beyond apostrophes and hyphens."""
        rest = characters.lstrip("'-")
        return not rest or is_separator(rest[0], at_symbols=True)

    for start in range(len(text) - len(normalized) + 1):
        end = start + len(normalized)
        if text[start:end] != normalized or not free(text[: start + before][::-1]):
            continue
        owned = text[end : end + 2] in ("'s", "\u02bcs") and free(text[end + 2 :])
        if owned or free(text[end - after :]):
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
