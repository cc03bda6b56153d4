"""What a memory is once observations are gone: what they did to other facts is undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.model.conflicts import slot
from tests.model.rows import FOREVER, Entity, Fact, Name, Version, overlap
from tests.model.text import normalize_name, split_words

if TYPE_CHECKING:
    from tests.model.memory import Memory


def erase(memory: Memory, gone: set[str]) -> None:
    """Erase the observations of these keys with all that rests on them alone."""
    lost: list[Fact] = []
    for fact in memory.facts:
        fact.evidence = [e for e in fact.evidence if e.claim.observation.key not in gone]
        if not any(item.stance == "supports" for item in fact.evidence):
            lost.append(fact)
    memory.facts = [fact for fact in memory.facts if not any(fact is other for other in lost)]
    memory.fact_keys = {
        key: fact
        for key, fact in memory.fact_keys.items()
        if not any(fact is other for other in lost)
    }
    taken = [(fact, version) for fact in lost for version in fact.versions]
    taken += untold(memory.facts, gone)
    for group in {fact.group for fact in lost}:
        _ungroup(memory, group)
    undo(memory.facts, taken)
    memory.mentions = [said for said in memory.mentions if said.observation.key not in gone]
    for name in memory.names:
        if name.source in gone:
            name.source = _spelled_elsewhere(memory, name) or name.source
    memory.names = [name for name in memory.names if name.source not in gone]
    for entity in memory.entities:
        if entity.kind == "named" and entity.status == "active":
            _call(memory, entity)
    memory.erased += [o.log_offset for o in memory.observations if o.key in gone]
    memory.observations = [o for o in memory.observations if o.key not in gone]


def untold(facts: list[Fact], gone: set[str]) -> list[tuple[Fact, Version]]:
    """Take out beliefs that only observations which are gone reopened."""
    taken = []
    for fact in facts:
        for version in list(fact.versions):
            again = [
                item
                for item in fact.evidence
                if item.stance == "supports" and item.linked_at >= version.known_from
            ]
            if version.told_again in gone and not again:
                fact.versions.remove(version)
                taken.append((fact, version))
    return taken


def undo(facts: list[Fact], taken: list[tuple[Fact, Version]]) -> None:
    """Let facts hold as if the versions that are gone had never been told."""
    touched = [fact for fact in facts if _uncut(fact, taken)]
    for fact in touched:
        _settle(facts, fact)


def _same_slot(one: Fact, other: Fact) -> bool:
    return one is not other and all(
        getattr(one, name) == getattr(other, name)
        for name in ("subject", "predicate", "source_role", "data_subject_id", "cardinality")
    )


def _uncut(fact: Fact, taken: list[tuple[Fact, Version]]) -> bool:
    changed = False
    for version in list(fact.versions):
        cut = any(
            version.cut_by == other.key and version.known_from == gone.known_from
            for other, gone in taken
        )
        before = [one for one in fact.versions if one.known_to == version.known_from]
        if cut and before:
            fact.versions.remove(version)
            before[0].known_to = version.known_to
            changed = True
    for version in fact.versions:
        gave_way = any(
            _same_slot(fact, other) and version.valid_to == gone.valid_from for other, gone in taken
        )
        if version.replaced and gave_way:
            version.valid_to, version.replaced = fact.valid_until, False
            changed = True
    return changed


def _settle(facts: list[Fact], fact: Fact) -> None:
    """Let the open version end where the next value starts, from when that was known."""
    own = fact.open_version()
    if own is None or fact.group is not None:
        return
    ahead = [
        (version.valid_from, other)
        for other, version in slot(facts, fact)
        if overlap(version, own) and version.valid_from > own.valid_from
    ]
    if not ahead:
        return
    start, other = min(ahead, key=lambda pair: pair[0])
    known = min(version.known_from for version in other.versions)
    if known <= own.known_from:
        own.valid_to, own.replaced = start, True
        return
    own.known_to = known
    fact.versions.append(
        Version(own.valid_from, start, known, FOREVER, replaced=True, cut_by=other.key)
    )


def _ungroup(memory: Memory, group: int | None) -> None:
    """Let what is left alone in its group contradict nothing, unless it overlaps another."""
    left = memory.group_members(group)
    if len(left) != 1:
        return
    [fact] = left
    fact.group = None
    own = fact.open_version()
    if own is None or fact.cardinality != "one" or fact.predicate is None:
        return
    rivals = [other for other, version in slot(memory.facts, fact) if overlap(version, own)]
    if rivals:
        memory.group([fact, *rivals])


def words_of(text: str) -> str:
    return "".join(f" {word.text}" for word in split_words(normalize_name(text))) + " "


def _spelled_elsewhere(memory: Memory, name: Name) -> str | None:
    """Find the first observation left that mentions the entity by this name."""
    spelled = words_of(name.normalized)
    said = sorted(
        (mention for mention in memory.mentions if mention.entity == name.entity),
        key=lambda mention: (mention.observation.log_offset, mention.ordinal),
    )
    for mention in said:
        content = mention.observation.messages[mention.ordinal].content or ""
        if spelled.strip() and spelled in words_of(content):
            return mention.observation.key
    return None


def _call(memory: Memory, entity: Entity) -> None:
    """Call an entity without canonical name by the first other one, or retire it."""
    names = [name for name in memory.names if name.entity == entity.number]
    if not names:
        entity.status, entity.name, entity.entity_type = "retired", "(erased)", None
    elif all(name.kind != "canonical" for name in names):
        taken = {name.normalized for name in memory.names if name.kind == "canonical"}
        first = min(names, key=lambda name: (name.normalized in taken, name.normalized))
        entity.name, entity.entity_type = first.spelling, None
        first.kind = "alias" if first.normalized in taken else "canonical"
