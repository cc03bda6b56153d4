"""What the functions that write do beyond the lines of a load: corrections, and merges undone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tests.model.conflicts import slot
from tests.model.memory import Memory
from tests.model.rows import FOREVER, Fact, Line, ModelError, Name, overlap


def correct(memory: Memory, key: str, line: Line, stamp: datetime) -> None:
    """Let a fact give way to that of a line, at one stamp."""
    version = memory.fact_keys[key].open_version()
    if version is None:
        raise ModelError("TS005", "retracted before")
    version.known_to = stamp
    try:
        memory.apply({**line, "known_from": stamp.isoformat()})
    except ModelError:
        version.known_to = FOREVER
        raise


@dataclass
class Undo:
    """What a merge moved, to move it back."""

    absorbed: int
    survivor: int
    subjects: list[Fact]
    objects: list[Fact]
    names: list[Name]
    kinds: list[str]
    mentions: list[int]
    keys: list[str]
    groups: list[tuple[Fact, int | None]]


def merge(memory: Memory, line: Line) -> Undo:
    """Apply a merge line, and keep what undoing it takes."""
    absorbed, survivor = (memory._refer(line[side])(None) for side in ("absorbed", "survivor"))
    names = [name for name in memory.names if name.entity == absorbed]
    undo = Undo(
        absorbed=absorbed,
        survivor=survivor,
        subjects=[fact for fact in memory.facts if fact.subject == absorbed],
        objects=[fact for fact in memory.facts if fact.object == absorbed],
        names=names,
        kinds=[name.kind for name in names],
        mentions=[n for n, said in enumerate(memory.mentions) if said.entity == absorbed],
        keys=[key for key, number in memory.entity_keys.items() if number == absorbed],
        groups=[(fact, fact.group) for fact in memory.facts],
    )
    memory.apply(line)
    undo.groups = [(fact, group) for fact, group in undo.groups if fact.group != group]
    return undo


def unmerge(memory: Memory, undo: Undo) -> None:
    """Take the last merge of a survivor back; what was told since stays with it."""
    memory.entity(undo.absorbed).status = "active"
    for fact in undo.subjects:
        fact.subject = undo.absorbed
    for fact in undo.objects:
        fact.object = undo.absorbed
    for name, kind in zip(undo.names, undo.kinds, strict=True):
        name.entity, name.kind = undo.absorbed, kind
    for number in undo.mentions:
        memory.mentions[number].entity = undo.absorbed
    for key in undo.keys:
        memory.entity_keys[key] = undo.absorbed
    for fact, group in undo.groups:
        fact.group = group
    clashes = [
        (fact, other)
        for fact, group in undo.groups
        if group is None and fact.cardinality == "one"
        for other, theirs in slot(memory.facts, fact)
        if (own := fact.open_version()) is not None and overlap(own, theirs)
    ]
    for fact, other in clashes:
        memory._group([fact, other])
