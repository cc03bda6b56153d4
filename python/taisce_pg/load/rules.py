"""What a type of line is, and what must hold between its fields."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from taisce_pg.load.kinds import Bad, Field, Fields, Kind, refuse, uuid


@dataclass(frozen=True, slots=True)
class LineType:
    """One type of line. `exact`: fields that only an export writes, all admin only."""

    meaning: str
    fields: Fields
    exact: Fields | None = None
    whole: Callable[[Any], None] | None = None
    admin: bool = False

    def plain_fields(self) -> Fields:
        """Return the fields of a written line; the others are named but refused."""
        exact = {name: _refused(field) for name, field in (self.exact or {}).items()}
        return {
            "type": _TYPE,
            **self.fields,
            **{n: f for n, f in exact.items() if n not in self.fields},
        }

    def exact_fields(self) -> Fields:
        """Return the fields of an exported line."""
        return {"type": _TYPE, **self.fields, **(self.exact or {})}


def _accept(value: Any) -> None:
    """Leave a field to whoever has looked at it already."""


_TYPE = Field(Kind(_accept, "the type of the line"), "which type of line it is")


def _refused(field: Field) -> Field:
    return replace(field, kind=Kind(refuse, field.kind.words), required=False, nullable=False)


def needed(field: Field) -> Field:
    """Return the field as one that must be there."""
    return replace(field, required=True, nullable=False)


def exported(kind: Kind, meaning: str, *, required: bool = False) -> Field:
    """Make a field that only an export writes."""
    return Field(kind, meaning, required=required, nullable=not required, admin=True)


def id_of(noun: str) -> Field:
    """Make the field id, which tells an exact line."""
    return exported(uuid, f"id of the {noun}; makes the line exact")


def _given(line: dict[str, Any], name: str) -> bool:
    return line.get(name) is not None


def _exactly_one(line: dict[str, Any], *names: str) -> None:
    if sum(_given(line, name) for name in names) != 1:
        raise Bad("exactly one of " + ", ".join(names) + " is needed", names[0])


def _in_order(line: dict[str, Any], earlier: str, later: str) -> None:
    # Text of the same form compares as its instants do; anything else is left to the server.
    first, second = line.get(earlier), line.get(later)
    if first is None or second is None or len(first) != 20 or len(second) != 20:
        return
    if first[19] == second[19] == "Z" and second <= first:
        raise Bad(f"must be later than {earlier}", later)


def whole_message(message: dict[str, Any]) -> None:
    """Ask for the sizes of a message whose words were released."""
    if message.get("content") is None:
        for name in ("content_digest", "characters", "octets"):
            if not _given(message, name):
                raise Bad("is needed when content is null", name)


def whole_observation(line: dict[str, Any]) -> None:
    """Ask for at least one message."""
    if not line.get("messages") and not line.get("erased"):
        raise Bad("is missing", "messages")


def whole_evidence(item: dict[str, Any]) -> None:
    """Ask for either a claim or a quote."""
    if _given(item, "claim"):
        for name in ("observation", "ordinal", "quote", "byte_start"):
            if _given(item, name):
                raise Bad("cannot stand beside claim", name)
    else:
        for name in ("observation", "quote"):
            if not _given(item, name):
                raise Bad("is missing", name)


def whole_entity(line: dict[str, Any]) -> None:
    """Ask for either a name or a speaker."""
    _exactly_one(line, "name", "speaker_of")
    if _given(line, "speaker_of") and line.get("aliases"):
        raise Bad("must be left out: a speaker has no names", "aliases")


def whole_fact(line: dict[str, Any]) -> None:
    """Ask for an object or a value, times in order and support."""
    if _given(line, "object"):
        if _given(line, "value"):
            raise Bad("cannot stand beside object", "value")
        if not _given(line, "predicate"):
            raise Bad("is needed beside an object", "predicate")
    _in_order(line, "valid_from", "valid_until")
    for item in line["evidence"]:
        if item.get("stance") != "contradicts":
            return
    raise Bad("at least one item must support the fact", "evidence")


def whole_version(line: dict[str, Any]) -> None:
    """Ask for times in order."""
    _in_order(line, "valid_from", "valid_until")
    _in_order(line, "known_from", "known_until")


def whole_segment(line: dict[str, Any]) -> None:
    """Ask for offsets in order."""
    if line["from_offset"] > line["to_offset"]:
        raise Bad("must not be less than from_offset", "to_offset")
