"""Check lines of the load format without touching a database.

Every complaint names the file, the line, the field and the reason, and repeats nothing of what
the line holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from taisce_pg.errors import InvalidLoad
from taisce_pg.load.format import TYPES
from taisce_pg.load.kinds import Bad, Check, checker
from taisce_pg.load.parts import MAX_LINE_BYTES

_SUSPECT = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_SPACE = " \t\r\n"


class InvalidLine(InvalidLoad):
    """A line that breaks the load format.

    `file` and `line` (from 1) say where, `field` is a path such as `evidence[0].quote` or None
    for the whole line, `reason` says why.
    """

    def __init__(
        self, file: str, line: int | None, field: str | None, reason: str, hint: str | None = None
    ) -> None:
        """Keep the parts and make the detail of them."""
        self.file = file
        self.line = line
        self.field = field
        self.reason = reason
        place = file if line is None else f"{file}, line {line}"
        super().__init__(f"{place}: {field}: {reason}" if field else f"{place}: {reason}", hint)

    def __reduce__(self) -> tuple[Any, ...]:
        """Survive pickling."""
        return type(self), (self.file, self.line, self.field, self.reason, self.hint)

    def to_dict(self) -> dict[str, Any]:
        """Return the parts as plain values."""
        return {
            **super().to_dict(),
            "file": self.file,
            "line": self.line,
            "field": self.field,
            "reason": self.reason,
        }


class Line(NamedTuple):
    """A line that has been checked: its number from 1, its type, and its JSON text."""

    number: int
    type: str
    text: str


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise Bad("has a field twice in one object")
    return made


def _constant(word: str) -> Any:
    raise Bad("has a number that is not finite")


_decode = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_constant).decode
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_PLAIN: dict[str, Check] = {
    name: checker(kind.plain_fields(), kind.whole) for name, kind in TYPES.items()
}
_EXACT: dict[str, Check] = {
    name: checker(kind.exact_fields(), kind.whole) if kind.exact else _PLAIN[name]
    for name, kind in TYPES.items()
}


def check_line(raw: str | bytes | dict[str, Any], number: int = 1, name: str = "-") -> Line | None:
    """Check one line and return it, or None if it is blank.

    A byte order mark is allowed before line 1. Raises `InvalidLine` and nothing else.
    """
    try:
        return _check(raw, number)
    except Bad as bad:
        raise InvalidLine(name, number, bad.path or None, bad.why) from None


def _check(raw: str | bytes | dict[str, Any], number: int) -> Line | None:
    if isinstance(raw, dict):
        line = raw
        text = _encode_line(line)
        _check_size(text)
        if not text.isascii() or "\\u" in text:
            _check_text(line, "")
    else:
        text = _decode_bytes(raw) if isinstance(raw, (bytes, bytearray)) else raw
        if not isinstance(text, str):
            raise Bad("is neither text nor an object")
        if number == 1 and text.startswith("\ufeff"):
            text = text[1:]
        text = text.strip(_SPACE)
        if not text:
            return None
        if text is not raw or not isinstance(raw, bytes):
            _check_size(text)
        line = _decode_line(text)
        if type(line) is not dict:
            raise Bad("is not a JSON object")
        if _SUSPECT.search(text) is not None:
            _check_text(line, "")
    word = line.get("type")
    if type(word) is not str:
        raise Bad("is missing" if "type" not in line else "must be text", "type")
    check = (_EXACT if "id" in line else _PLAIN).get(word)
    if check is None:
        raise Bad("is not a type of line; known are " + ", ".join(TYPES), "type")
    check(line)
    return Line(number, word, text)


def _decode_bytes(raw: bytes | bytearray) -> str:
    if len(raw) > MAX_LINE_BYTES:
        raise Bad(f"has more than {MAX_LINE_BYTES} bytes")
    try:
        return raw.decode()
    except UnicodeDecodeError as exc:
        raise Bad(f"is not UTF-8 at byte {exc.start + 1}") from None


def _check_size(text: str) -> None:
    """Refuse a line that is too long, or that UTF-8 cannot write."""
    if text.isascii():
        size = len(text)
    else:
        try:
            size = len(text.encode())
        except UnicodeEncodeError:
            raise Bad("holds half of a surrogate pair, which is not text") from None
    if size > MAX_LINE_BYTES:
        raise Bad(f"has more than {MAX_LINE_BYTES} bytes")


def _decode_line(text: str) -> Any:
    try:
        return _decode(text)
    except json.JSONDecodeError as exc:
        what = exc.msg.partition(":")[0].removesuffix(" at")
        raise Bad(f"is not JSON: {what} at character {exc.pos + 1}") from None
    except RecursionError:
        raise Bad("is nested too deeply") from None
    except ValueError:
        raise Bad("has a number with too many digits") from None


def _encode_line(line: dict[str, Any]) -> str:
    try:
        return _encode(line)
    except RecursionError:
        raise Bad("is nested too deeply") from None
    except TypeError:
        raise Bad("holds a value that JSON cannot say") from None
    except ValueError:
        raise Bad("has a number that is not finite, or holds itself") from None


def _check_text(value: Any, path: str) -> None:
    """Refuse NUL and lone surrogates anywhere in a value, and name the field."""
    if type(value) is str:
        if "\0" in value:
            raise Bad("holds a NUL character", path)
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise Bad("holds half of a surrogate pair, which is not text", path) from None
    elif type(value) is dict:
        for name, item in value.items():
            try:
                _check_text(name, path)
            except Bad:
                raise Bad("has a field whose name is not text", path) from None
            _check_text(item, f"{path}.{name}" if path else name)
    elif type(value) is list:
        for index, item in enumerate(value):
            _check_text(item, f"{path}[{index}]")


def check_lines(lines: Iterable[str | bytes | dict[str, Any]], name: str = "-") -> Iterator[Line]:
    """Check lines one after the other, blank ones left out. Raises `InvalidLine`."""
    for number, raw in enumerate(lines, 1):
        line = check_line(raw, number, name)
        if line is not None:
            yield line
