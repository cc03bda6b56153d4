"""One table of operations, and how arguments become a statement: pure, for every interface.

The Python methods, the options of the command line and the documentation all read OPERATIONS.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from uuid import UUID

from taisce_pg import errors
from taisce_pg.client import models
from taisce_pg.client.assured import ASSURED
from taisce_pg.client.described import RECALL_ARGUMENTS, Argument, Kind, Operation
from taisce_pg.client.embedding import EMBEDDING
from taisce_pg.client.erasures import ERASURES
from taisce_pg.client.inspection import INSPECTION
from taisce_pg.client.writes import WRITES

_INT4 = (-(2**31), 2**31 - 1)
_INT8 = (-(2**63), 2**63 - 1)
_FLOAT4 = 3.4028234663852886e38
ZONE_HINT = "Give the zone, as in 2024-03-01T00:00:00Z."


@dataclass(frozen=True)
class Call:
    """A statement, its parameters, and whether it gives many rows; each row is one value.

    One that `writes` must not be sent again if nobody knows what became of it.
    """

    query: bytes
    parameters: dict[str, Any] = field(default_factory=dict)
    many: bool = False
    writes: bool = False


OPERATIONS: dict[str, Operation] = {
    "recall": Operation(
        name="recall",
        function="memory_v1.recall",
        help="Ask a question and get the facts it reaches, each with the words behind it.",
        result=models.Bundle,
        example='taisce-pg recall "Where does Marta work?" --project demo',
        arguments=RECALL_ARGUMENTS,
    ),
    **{
        operation.name: operation
        for operation in (*ASSURED, *INSPECTION, *WRITES, *ERASURES, *EMBEDDING)
    },
}


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the arguments that were given: neither None nor the method's own `self`.

    What can be read only once becomes a list: a call may be made twice.
    """
    return {
        name: list(value) if isinstance(value, Iterator) else value
        for name, value in values.items()
        if value is not None and name != "self"
    }


def each_question(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Make the arguments of each question's own call from those of all of them together."""
    shared = {name: value for name, value in values.items() if name != "questions"}
    questions = values.get("questions")
    if isinstance(questions, str | bytes | Mapping) or not isinstance(questions, Iterable):
        raise errors.InvalidArgument(
            f"questions is {_article(questions)}", "Give a list of questions."
        )
    return [{**shared, "question": question} for question in questions]


def build(operation: Operation, values: Mapping[str, Any]) -> Call:
    """Make the call of an operation's function with just the arguments given.

    What is left out is the server's default. Raises the argument's own error for text that no
    PostgreSQL can hold, and `InvalidArgument` for a wrong type or a time without a zone.
    """
    known = {argument.name: argument for argument in operation.arguments}
    unknown = [name for name in values if name not in known]
    if unknown:
        raise TypeError(f"{operation.name}() has no argument {unknown[0]!r}")
    parts = []
    parameters = {}
    for argument in operation.arguments:
        value = values.get(argument.name)
        if value is None:
            if argument.required:
                raise _wrong(argument, "is missing")
            continue
        parameters[argument.name] = _CONVERT[argument.kind](argument, value)
        parts.append(f"{argument.name} => %({argument.name})s{_CAST[argument.kind]}")
    call = f"{operation.function}({', '.join(parts)})"
    if operation.form == "value":
        return Call(f"select {call}".encode(), parameters)
    # As JSON, since Python cannot hold every instant.
    query = f"select pg_catalog.to_jsonb(r) from {call} as r"
    return Call(query.encode(), parameters, operation.form == "rows", operation.writes)


def prepared(name: str, values: dict[str, Any], project: str | None) -> Call | errors.TaisceError:
    """Make the call of an operation in a client's project, or the error of one that is none."""
    if project is not None:
        values = {"project": project, **values}
    try:
        return build(OPERATIONS[name], values)
    except errors.TaisceError as refused:
        return refused


def instant(text: str) -> datetime:
    """Read an ISO 8601 instant that says its zone.

    Raises ValueError, saying what the text is instead, if it does not.
    """
    try:
        value = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ValueError("not a time as ISO 8601 writes it") from None
    if value.utcoffset() is None:
        raise ValueError("a time without a zone")
    return value


def _wrong(argument: Argument, what: str, hint: str | None = None) -> errors.InvalidArgument:
    return errors.InvalidArgument(f"{argument.name} {what}", hint)


def _text(argument: Argument, value: Any) -> str:
    if not isinstance(value, str):
        raise _wrong(argument, f"is {_article(value)}", "Give text.")
    if "\0" in value:
        raise argument.refusal(f"{argument.name} contains a NUL character", "Remove it.")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise argument.refusal(
            f"{argument.name} contains half of a surrogate pair", "Give valid Unicode text."
        ) from None
    return value


def _texts(argument: Argument, value: Any) -> list[str]:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise _wrong(argument, f"is {_article(value)}", "Give a list of text.")
    return [_text(argument, one) for one in value]


def _integer(argument: Argument, value: Any) -> int:
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        raise _wrong(argument, f"is {_article(value)}", "Give a whole number.")
    low, high = _INT8 if argument.kind == "offset" else _INT4
    return max(low, min(high, int(value)))


def _number(argument: Argument, value: Any) -> float:
    try:
        if isinstance(value, bool | str | bytes):
            raise TypeError
        return float(value)
    except (TypeError, ValueError):
        raise _wrong(argument, f"is {_article(value)}", "Give a number.") from None
    except OverflowError:
        return math.inf


def _flag(argument: Argument, value: Any) -> bool:
    if not isinstance(value, bool):
        raise _wrong(argument, f"is {_article(value)}", "Give True or False.")
    return value


def _instant(argument: Argument, value: Any) -> datetime:
    if isinstance(value, str):
        try:
            return instant(value)
        except ValueError as exc:
            raise _wrong(argument, f"is {exc}", ZONE_HINT) from None
    if isinstance(value, datetime):
        if value.utcoffset() is None:
            raise _wrong(argument, "is a time without a zone", "Use an aware datetime.")
        return value
    if isinstance(value, date):
        raise _wrong(argument, "is a day without a time and a zone", ZONE_HINT)
    raise _wrong(argument, f"is {_article(value)}", "Give a datetime or ISO 8601 text.")


def _vector(argument: Argument, value: Any) -> str:
    for unwrap in ("to_list", "tolist"):
        if hasattr(value, unwrap):
            value = getattr(value, unwrap)()
            break
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise _wrong(argument, f"is {_article(value)}", "Give a list of numbers.")
    try:
        numbers = [float(number) for number in value]
    except (TypeError, ValueError):
        raise _wrong(argument, "holds something else than numbers") from None
    except OverflowError:
        numbers = [math.inf]
    if not numbers or not all(abs(number) <= _FLOAT4 for number in numbers):
        raise argument.refusal(f"{argument.name} is empty or not finite", "Give finite numbers.")
    return "[" + ",".join(map(repr, numbers)) + "]"


def _vectors(argument: Argument, value: Any) -> list[str]:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise _wrong(argument, f"is {_article(value)}", "Give a list of vectors.")
    return [_vector(argument, one) for one in value]


def _digests(argument: Argument, value: Any) -> list[bytes]:
    """Read digests as bytes, or as the server writes them."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise _wrong(argument, f"is {_article(value)}", "Give a list of digests.")
    try:
        return [
            bytes(one) if isinstance(one, bytes) else bytes.fromhex(one.removeprefix("\\x"))
            for one in value
        ]
    except (AttributeError, ValueError):
        raise _wrong(argument, "holds something else than digests") from None


def _uuid(argument: Argument, value: Any) -> str:
    try:
        return str(value if isinstance(value, UUID) else UUID(_text(argument, value)))
    except ValueError:
        raise _wrong(argument, "is no UUID", "Give an id as an answer shows it.") from None


def _uuids(argument: Argument, value: Any) -> list[str]:
    if isinstance(value, str | bytes | Mapping | UUID) or not isinstance(value, Iterable):
        raise _wrong(argument, f"is {_article(value)}", "Give a list of ids.")
    return [_uuid(argument, one) for one in value]


def _json(argument: Argument, value: Any) -> str:
    """Write a value as JSON; instants and ids as the server reads them."""
    if hasattr(value, "to_dict"):
        value = value.to_dict()
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)
    except (TypeError, ValueError, RecursionError):
        raise _wrong(argument, "is nothing that JSON can hold") from None
    if "\\u0000" in text.replace("\\\\", ""):
        raise argument.refusal(f"{argument.name} contains a NUL character", "Remove it.")
    return _text(argument, text)


def _items(argument: Argument, value: Any) -> str:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise _wrong(argument, f"is {_article(value)}", "Give a list of mappings.")
    return _json(argument, list(value))


def _reference(argument: Argument, value: Any) -> str:
    if isinstance(value, UUID):
        value = {"id": value}
    if not isinstance(value, str | Mapping):
        raise _wrong(argument, f"is {_article(value)}", "Give a name, or a mapping with an id.")
    return _json(argument, value)


def _references(argument: Argument, value: Any) -> str:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise _wrong(argument, f"is {_article(value)}", "Give a list of names or mappings.")
    return _json(argument, [{"id": one} if isinstance(one, UUID) else one for one in value])


def _plain(value: Any) -> Any:
    if isinstance(value, datetime) and value.utcoffset() is not None:
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError


def _article(value: Any) -> str:
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


_CONVERT: dict[Kind, Callable[[Argument, Any], Any]] = {
    "text": _text,
    "texts": _texts,
    "integer": _integer,
    "offset": _integer,
    "number": _number,
    "flag": _flag,
    "instant": _instant,
    "vector": _vector,
    "vectors": _vectors,
    "digests": _digests,
    "uuid": _uuid,
    "uuids": _uuids,
    "json": _json,
    "items": _items,
    "reference": _reference,
    "references": _references,
}

# A vector stays uncast: its type lives in whatever schema the extension was created in.
_CAST: dict[Kind, str] = {
    "text": "::text",
    "texts": "::text[]",
    "integer": "::int4",
    "offset": "::int8",
    "number": "::float8",
    "flag": "::bool",
    "instant": "::timestamptz",
    "vector": "",
    "vectors": "",
    "digests": "::bytea[]",
    "uuid": "::uuid",
    "uuids": "::uuid[]",
    "json": "::jsonb",
    "items": "::jsonb",
    "reference": "::jsonb",
    "references": "::jsonb",
}
