"""Which names may still be read: what passed its retention is hidden before it is erased."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from tests.model.erasure import words_of
from tests.model.rows import Entity, Name

if TYPE_CHECKING:
    from tests.model.memory import Memory


def passed(until: datetime | None, now: datetime) -> bool:
    return until is not None and until <= now


def is_kept(memory: Memory, name: Name, now: datetime) -> bool:
    """Tell whether its source may be read, or another message that may be read spells it."""
    if name.source is None:
        return True
    source = [one for one in memory.observations if one.key == name.source]
    if source and not passed(source[0].retention_until, now):
        return True
    spelled = words_of(name.normalized)
    return bool(spelled.strip()) and any(
        spelled in words_of(said.observation.messages[said.ordinal].content or "")
        for said in memory.mentions
        if said.entity == name.entity and not passed(said.observation.retention_until, now)
    )


def kept_names(memory: Memory, now: datetime) -> list[Name]:
    return [name for name in memory.names if is_kept(memory, name, now)]


def shown_name(memory: Memory, entity: Entity, now: datetime) -> str | None:
    """Give the canonical name if it is kept, else the first other one that is, else None."""
    if entity.kind == "speaker":
        return entity.name
    kept = [name for name in kept_names(memory, now) if name.entity == entity.number]
    taken = {name.normalized for name in memory.names if name.kind == "canonical"}
    kept.sort(
        key=lambda name: (name.kind != "canonical", name.normalized in taken, name.normalized)
    )
    if not kept:
        return None
    return entity.name if kept[0].kind == "canonical" else kept[0].spelling


def known_as(memory: Memory, entity: Entity, now: datetime) -> str:
    """Give what a fact calls an entity: "(erased)" where no name of it may be read."""
    return shown_name(memory, entity, now) or "(erased)"
