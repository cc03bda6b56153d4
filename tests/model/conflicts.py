"""Facts of which one value holds at a time: who is in the way, and who gives way."""

from datetime import datetime

from tests.model.rows import Fact, ModelError, Version, overlap


def open_of(facts: list[Fact], fact: Fact) -> list[tuple[Fact, Version]]:
    """List open versions of other facts of cardinality one, same subject and predicate."""
    found: list[tuple[Fact, Version]] = []
    for other in facts:
        version = other.open_version()
        if (
            other is not fact
            and version is not None
            and other.cardinality == "one"
            and (other.subject, other.predicate) == (fact.subject, fact.predicate)
        ):
            found.append((other, version))
    return found


def slot(facts: list[Fact], fact: Fact) -> list[tuple[Fact, Version]]:
    return [
        (other, version)
        for other, version in open_of(facts, fact)
        if other.group is None
        and (other.source_role, other.data_subject_id) == (fact.source_role, fact.data_subject_id)
    ]


def make_room(
    facts: list[Fact], fact: Fact, own: Version, on_conflict: str, stamp: datetime
) -> list[Fact]:
    """Truncate the version the newcomer starts in; returns facts it contradicts."""
    in_the_way = [pair for pair in slot(facts, fact) if overlap(pair[1], own)]
    entered = [pair for pair in in_the_way if pair[1].valid_from < own.valid_from]
    others = [pair for pair in in_the_way if pair not in entered]
    if others or len(entered) > 1:
        if on_conflict == "contradict":
            return [other for other, _ in in_the_way]
        if on_conflict != "truncate" or len(entered) > 1:
            raise ModelError("TS006", "another value holds then")
        next_start = min(version.valid_from for _, version in others)
        if next_start <= own.valid_from:
            raise ModelError("TS006", "nothing is left of the newcomer")
        own.valid_to, own.replaced = next_start, True
    for other, version in entered:
        version.known_to = stamp
        other.versions.append(
            Version(version.valid_from, own.valid_from, stamp, replaced=True, cut_by=fact.key)
        )
        other.superseded_by = fact.key
    return []


def contradict_once_merged(one: Fact, other: Fact) -> bool:
    """Tell whether facts of two entities that became one exclude each other."""
    versions = one.open_version(), other.open_version()
    return (
        versions[0] is not None
        and versions[1] is not None
        and overlap(versions[0], versions[1])
        and one.predicate is not None
        and one.predicate == other.predicate
        and one.cardinality == other.cardinality == "one"
        and (
            (one.source_role, one.data_subject_id) == (other.source_role, other.data_subject_id)
            or (one.object, one.value) != (other.object, other.value)
        )
    )
