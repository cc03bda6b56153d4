"""The text of a query: its size, its tokens, and where a byte of it stands.

Everything here happens before any parser runs, since parsers crash on deep input.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

import postgast
from postgast import PgQueryError

from taisce_pg.sandbox.refusal import Reason, Refusal

MAX_BYTES = 20_000
MAX_TOKENS = 2_000
MAX_NESTING = 50

_COMMENTS = frozenset({"SQL_COMMENT", "C_COMMENT"})
_UNICODE_ESCAPES = frozenset({"UIDENT", "USCONST"})
_OPENING = frozenset({"ASCII_40", "ASCII_91"})
_CLOSING = frozenset({"ASCII_41", "ASCII_93"})
_LOOKED_AT = _UNICODE_ESCAPES | _OPENING | _CLOSING | {"SCONST"}
_VALUES = frozenset({"SCONST", "ICONST", "FCONST", "BCONST", "XCONST"})
VALUE = b"\0"
_QUOTE = ord('"')
_SPACE = ord(" ")
_PLAIN_STARTS = frozenset(b"'0123456789")
_ODD = re.compile(rb"[\\$]|--|/\*|[0-9][xXoObB_eE]")
_DOT = "ASCII_46"
_KINDS: dict[int, str] = {
    **{number: f"ASCII_{number}" for number in range(128)},
    **{number: name for name, number in postgast.pg_query_pb2.Token.items()},
}


@dataclass(slots=True)
class Text:
    """A query and its tokens; comments are left out of the tokens."""

    sql: str
    raw: bytes
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)

    def position(self, byte: int) -> int:
        """Return the place of a byte, counted in characters from 1."""
        return len(self.raw[: max(byte, 0)].decode("utf-8", "ignore")) + 1

    def fragment(self, byte: int) -> str:
        """Return the token that holds a byte, with what is joined to it by dots."""
        if byte < 0 or not self.starts:
            return ""
        first = last = max(bisect_right(self.starts, byte) - 1, 0)
        while last + 2 < len(self.kinds) and self.kinds[last + 1] == _DOT:
            last += 2
        return self.slice(self.starts[first], self.ends[last])

    def slice(self, start: int, end: int) -> str:
        """Return the text between two bytes."""
        return self.raw[start:end].decode("utf-8", "replace")

    def shape(self) -> bytes:
        """Return the text without its values, comments, spaces and letter case."""
        words = [
            VALUE
            if kind in _VALUES
            else self.raw[start:end]
            if kind == "IDENT" and self.raw[start] == _QUOTE
            else self.raw[start:end].lower()
            for kind, start, end in zip(self.kinds, self.starts, self.ends, strict=True)
        ]
        while words and words[-1] == b";":
            words.pop()
        return b" ".join(words)

    def plain(self) -> bool:
        """Say whether all lexers must cut this text alike, whatever its values are."""
        return (
            not _ODD.search(self.raw)
            and self.raw.isascii()
            and all(
                self.raw[start] in _PLAIN_STARTS
                for kind, start in zip(self.kinds, self.starts, strict=True)
                if kind in _VALUES
            )
        )

    def refuse(self, reason: Reason, byte: int, hint: str, fragment: str | None = None) -> Refusal:
        """Return a refusal of the token at a byte; a negative byte means the first."""
        if byte < 0:
            byte = self.starts[0] if self.starts else 0
        shown = self.fragment(byte) if fragment is None else fragment
        return Refusal(reason, shown, self.position(byte), hint)


def read_text(sql: str) -> Text:
    """Return the tokens of a query that keeps the caps on size, or refuse it.

    At most 20,000 bytes, 2,000 tokens and 50 open brackets; no NUL, no `U&` escapes, and no
    character beyond ASCII outside literals and comments.
    """
    try:
        raw = sql.encode("utf-8")
    except UnicodeEncodeError as exc:
        raise Refusal("syntax", "", exc.start + 1, "The text is not valid Unicode.") from None
    text = Text(sql, raw)
    if len(raw) > MAX_BYTES:
        hint = f"A query may have {MAX_BYTES} bytes, this one has {len(raw)}."
        raise text.refuse("size", MAX_BYTES, hint, text.slice(MAX_BYTES, MAX_BYTES + 40))
    if b"\0" in raw:
        raise text.refuse("syntax", raw.index(b"\0"), "Remove the NUL character.", "\\0")
    try:
        tokens = postgast.scan(sql).tokens
    except PgQueryError as exc:
        hint = "A literal, a quoted name or a comment has no end, or holds a bad escape."
        raise text.refuse("syntax", exc.cursorpos - 1, hint, exc.message) from None
    except Exception:
        raise Refusal("size", "", 0, "The text cannot be cut into tokens.") from None
    _keep_tokens(text, tokens)
    return text


def _keep_tokens(text: Text, tokens: object) -> None:
    covered: list[tuple[int, int]] = []
    depth = 0
    starts, ends, kinds = text.starts, text.ends, text.kinds
    for token in tokens:  # type: ignore[attr-defined]
        kind = _KINDS[token.token]
        start, end = token.start, token.end
        if kind in _COMMENTS:
            covered.append((start, end))
            continue
        starts.append(start)
        ends.append(end)
        kinds.append(kind)
        if kind not in _LOOKED_AT:
            continue
        if kind == "SCONST":
            covered.append((start, end))
        elif kind in _UNICODE_ESCAPES:
            raise text.refuse("syntax", start, "Write the characters without U& escapes.")
        elif kind in _CLOSING:
            depth -= 1
        else:
            depth += 1
            if depth > MAX_NESTING:
                hint = f"Brackets may be open {MAX_NESTING} deep."
                raise text.refuse("size", start, hint)
    if len(text.kinds) > MAX_TOKENS:
        hint = f"A query may have {MAX_TOKENS} tokens, this one has {len(text.kinds)}."
        raise text.refuse("size", text.starts[MAX_TOKENS], hint)
    if not text.sql.isascii():
        _refuse_stray_characters(text, covered)


def _refuse_stray_characters(text: Text, covered: list[tuple[int, int]]) -> None:
    place = 0
    for start, end in [*covered, (len(text.raw), len(text.raw))]:
        for byte in range(place, start):
            if text.raw[byte] > 127:
                hint = "Only literals and comments may hold characters beyond ASCII."
                raise text.refuse("syntax", byte, hint)
        place = max(place, end)


def begun(sql: str) -> str:
    """Return a query with spaces for semicolons in front of it, which a cursor does not take."""
    if not sql.lstrip().startswith((";", "--", "/*")):
        return sql
    try:
        text = read_text(sql)
    except Refusal:
        return sql
    raw = bytearray(text.raw)
    for kind, start in zip(text.kinds, text.starts, strict=True):
        if kind != "ASCII_59":
            break
        raw[start] = _SPACE
    return raw.decode("utf-8")
