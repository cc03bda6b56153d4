"""Time, boundary, evidence and the walk, by loops over all facts."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from tests.model.memory import Memory
from tests.model.rows import FOREVER, Entity, Evidence, Fact, Observation, Version

FAN = 64
MAX_ROWS = 200
US = timedelta(microseconds=1)


class Ids(Protocol):
    """Real ids of what the model knows by keys; their text order is the order of ids."""

    def fact(self, fact: Fact) -> str: ...
    def entity(self, entity: Entity) -> str: ...
    def observation(self, observation: Observation) -> str: ...


class PlainIds:
    """Ids for a memory that was never in a database."""

    def fact(self, fact: Fact) -> str:
        return f"{fact.log_offset:06d}-{fact.key}"

    def entity(self, entity: Entity) -> str:
        return f"entity-{entity.number:04d}"

    def observation(self, observation: Observation) -> str:
        return observation.key


@dataclass(frozen=True)
class Scope:
    """Which version of a fact a read sees, if any."""

    now: datetime
    skew: timedelta = timedelta(minutes=5)
    as_of: datetime | None = None
    known_at: datetime | None = None

    def holds(self, version: Version) -> bool:
        if self.known_at is None:
            if version.known_to != FOREVER:
                return False
        elif not version.known_from <= self.known_at < version.known_to:
            return False
        if self.as_of is not None:
            return version.valid_from <= self.as_of < version.valid_to
        read = self.known_at or self.now
        ahead = read + self.skew
        return version.valid_from <= ahead and version.valid_to > (
            ahead if version.replaced else read
        )

    def version(self, fact: Fact) -> Version | None:
        for version in fact.versions:
            if self.holds(version):
                return version
        return None


def expired(until: datetime | None, now: datetime) -> bool:
    return until is not None and until <= now


@dataclass(frozen=True)
class Boundary:
    """Whose facts a read may see."""

    roles: tuple[str, ...]
    subject: str | None = None
    predicate: str | None = None

    def admits(self, fact: Fact, scope: Scope) -> bool:
        return (
            not expired(fact.retention_until, scope.now)
            and fact.source_role in self.roles
            and (self.subject is None or fact.data_subject_id == self.subject)
            and (self.predicate is None or fact.predicate == self.predicate)
        )


def visible_evidence(fact: Fact, scope: Scope, boundary: Boundary) -> list[Evidence]:
    """List the supporting evidence a read may show, earliest first."""
    seen = [
        item
        for item in fact.evidence
        if item.stance == "supports"
        and item.claim.role in boundary.roles
        and not expired(item.claim.observation.retention_until, scope.now)
        and boundary.subject in (None, item.claim.observation.data_subject_id)
        and (scope.known_at is None or item.linked_at <= scope.known_at)
    ]
    return sorted(seen, key=lambda item: item.claim.place)


@dataclass
class Reached:
    """A fact of the walk with the route that leads to it."""

    fact: Fact
    version: Version
    anchor: int
    route: list[Fact]
    path: list[int]
    evidence: list[Evidence]

    @property
    def hops(self) -> int:
        return len(self.route)

    @property
    def via(self) -> list[str]:
        return [fact.predicate or "" for fact in self.route] if self.hops > 1 else []


@dataclass(frozen=True)
class Cut:
    """A direction of an entity that had more facts than are followed."""

    entity: int
    direction: str
    hop: int


@dataclass
class Walk:
    rows: list[Reached]
    more: bool
    cuts: list[Cut]


def ends(fact: Fact) -> list[int]:
    return [fact.subject] if fact.object is None else [fact.subject, fact.object]


def fact_walk(
    memory: Memory,
    anchors: list[int],
    hops: int,
    scope: Scope,
    boundary: Boundary,
    ids: Ids,
    max_rows: int = MAX_ROWS,
) -> Walk:
    """Follow facts outward from anchors, at most two hops."""
    cuts: list[Cut] = []
    seen = [
        fact
        for fact in memory.facts
        if boundary.admits(fact, scope) and scope.version(fact) is not None
    ]
    seen.sort(key=ids.fact)

    def fan(entity: int, direction: str, hop: int) -> list[Fact]:
        facts = [
            fact
            for fact in seen
            if (fact.subject if direction == "subject" else fact.object) == entity
        ]
        if len(facts) > FAN:
            cuts.append(Cut(entity, direction, hop))
        return facts[:FAN]

    def reach(fact: Fact, anchor: int, route: list[Fact], path: list[int]) -> Reached:
        version = scope.version(fact)
        assert version is not None
        evidence = visible_evidence(fact, scope, boundary)
        return Reached(fact, version, anchor, route, path, evidence)

    first: dict[str, Reached] = {}
    for anchor in anchors:
        for direction in ("subject", "object"):
            for fact in fan(anchor, direction, 1):
                if fact.key not in first:
                    first[fact.key] = reach(fact, anchor, [fact], [])
    rows = [row for row in first.values() if row.evidence]

    if min(max(hops, 1), 2) == 2 and len(rows) <= max_rows:
        second: dict[str, Reached] = {}
        frontier = {end for row in rows for end in ends(row.fact)} - set(anchors)
        for middle in sorted(frontier, key=lambda end: ids.entity(memory.entity(end))):
            ways = [row for row in rows if middle in ends(row.fact)]
            found = fan(middle, "subject", 2) + fan(middle, "object", 2)
            for fact in found:
                if fact.key in first:
                    continue
                far = [end for end in ends(fact) if end != middle]
                for way in ways:
                    if way.anchor in far:
                        continue
                    path = [way.anchor, middle, *far]
                    row = reach(fact, way.anchor, [way.fact, fact], path)
                    known = second.get(fact.key)
                    if known is None or rank(row, anchors, ids) < rank(known, anchors, ids):
                        second[fact.key] = row
        rows += [row for row in second.values() if row.evidence]

    rows.sort(
        key=lambda row: (
            row.hops,
            row.fact.predicate is None,
            row.fact.predicate or "",
            ids.fact(row.fact),
        )
    )
    return Walk(rows[:max_rows], len(rows) > max_rows, cuts)


def rank(row: Reached, anchors: list[int], ids: Ids) -> tuple[list[str], int]:
    """Order routes: the smallest fact ids, then the anchor listed first."""
    return [ids.fact(fact) for fact in row.route], anchors.index(row.anchor)


def facts_at(
    memory: Memory,
    valid_from_max: datetime,
    valid_to_min: datetime,
    known_from_max: datetime,
    known_to_min: datetime,
    now: datetime,
) -> list[tuple[Fact, Version]]:
    """List the versions of unexpired facts that four instants let through."""
    return [
        (fact, version)
        for fact in memory.facts
        if not expired(fact.retention_until, now)
        for version in fact.versions
        if version.valid_from <= valid_from_max
        and version.valid_to >= valid_to_min
        and version.known_from <= known_from_max
        and version.known_to >= known_to_min
    ]
