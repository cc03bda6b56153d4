"""Bring an answer of the database and one of the model together, field by field."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tests.model.rows import Entity, Fact, Observation

INSTANTS = ("valid_from", "valid_until", "known_from", "known_until")
SCOPE = ("as_of", "as_known_at", "read_as_known_at")
IGNORED = ("suggestions", "claim_id", "read_at", "known_through")


@dataclass(frozen=True)
class RealIds:
    """Ids read from a database: facts by statement, entities by name, the rest by offset.

    A speaker is found under ("speaker", its subject), a named entity under ("named", name).
    """

    facts: dict[str, str]
    entities: dict[tuple[str, str], str]
    observations: dict[int, str]

    def fact(self, fact: Fact) -> str:
        return self.facts[fact.statement]

    def entity(self, entity: Entity) -> str:
        known = entity.speaker_of if entity.kind == "speaker" else entity.first_name
        return self.entities[entity.kind, known or ""]

    def observation(self, observation: Observation) -> str:
        return self.observations[observation.log_offset]


def plain(value: Any, key: str = "") -> Any:
    """Drop what is not compared, read instants, sort what has no order."""
    if isinstance(value, dict):
        return {name: plain(part, name) for name, part in value.items() if name not in IGNORED}
    if key == "degraded":
        return sorted(value)
    if key == "surfaces":
        return sorted(value or ("facts", "reports", "passages"))
    if isinstance(value, list):
        return [plain(part) for part in value]
    if key in (*INSTANTS, *SCOPE) and isinstance(value, str):
        return datetime.fromisoformat(value)
    if key == "confidence" and value is not None:
        return round(float(value), 4)
    return value


def differences(real: Any, model: Any, place: str = "") -> list[str]:
    """List where two plain values differ; fields only the database gives are let through."""
    if isinstance(real, dict) and isinstance(model, dict):
        found = []
        for name, wanted in model.items():
            inner = f"{place}.{name}" if place else name
            if name not in real:
                found.append(f"{inner}: missing, the model has {wanted!r}")
            else:
                found += differences(real[name], wanted, inner)
        return found
    if isinstance(real, list) and isinstance(model, list):
        if len(real) != len(model):
            return [
                f"{place}: {len(real)} {brief(real)}, the model has {len(model)} {brief(model)}"
            ]
        found = []
        for number, (one, other) in enumerate(zip(real, model, strict=True)):
            found += differences(one, other, f"{place}[{number}]")
        return found
    if type(real) is not type(model) or real != model:
        return [f"{place}: {real!r}, the model has {model!r}"]
    return []


def brief(items: list[Any]) -> list[Any]:
    """Name the items of a list by what tells them apart."""
    for name in ("statement", "quote", "entity", "name"):
        if items and isinstance(items[0], dict) and name in items[0]:
            return [item.get(name) for item in items]
    return items


def misshapen(real: dict[str, Any]) -> list[str]:
    """List what a bundle must have whatever the model says: ids, lists, instants of reading."""
    found = []
    claims: dict[str, tuple[Any, ...]] = {}
    for number, fact in enumerate(real["facts"]):
        for item in fact["evidence"]:
            claim = str(uuid.UUID(item["claim_id"]))
            place = (item["observation_id"], item["ordinal"], item["byte_start"], item["byte_end"])
            if claims.setdefault(claim, place) != place:
                found.append(f"facts[{number}]: one claim at two places")
            context = item["context"].encode()
            start = item["byte_start"] - item["context_start"]
            quote = item["quote"].encode()
            if context and context[start : start + len(quote)] != quote:
                found.append(f"facts[{number}]: the quote is not where it is said to be")
    for name in ("stored", "formed", "parked", "rebuilding", "read_at", "known_through"):
        if name not in real["freshness"]:
            found.append(f"freshness.{name}: missing")
    if not isinstance(real["reach"].get("suggestions"), list):
        found.append("reach.suggestions: not a list")
    return found


def compare(real: dict[str, Any], model: dict[str, Any]) -> list[str]:
    """List every difference between the bundle of the database and that of the model."""
    return misshapen(real) + differences(plain(real), plain(model))
