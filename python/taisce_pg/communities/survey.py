"""What a memory's communities are now, and which reports about them are due or stale."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal
from uuid import UUID

import psycopg
from psycopg.rows import TupleRow

from taisce_pg import errors
from taisce_pg.communities.graph import LEVELS, SMALLEST, Community, Pair, hierarchy
from taisce_pg.halt import Halt

PAIRS = 200_000
"""Pairs of linked entities that are looked at: the ones with the most facts."""

FACTS = 40
_LOOKED_AT = 2_000
_LEADING = 200
_ALIKE = 0.5

_PAIRS = """
select least(subject_id, object_id), greatest(subject_id, object_id), count(*)
from memory_v1.facts_current
where object_id is not null and support = 'current' and source_role = any (%s)
group by 1, 2 order by 3 desc, 1, 2 limit %s
"""
_ROLES = """
select default_source_roles from memory_v1.list_projects()
where name = coalesce(%s, current_setting('taisce.project', true), name) order by name limit 2
"""
_REGISTERED = """
select c.community_id, c.key, c.level, c.member_ids, r.report_id, r.title, r.fact_ids, r.compiled_at
from memory_v1.communities as c
left join memory_v1.community_reports as r on r.community_id = c.community_id
where c.member_count > 0
"""
_FACTS = """
select fact_id, subject_id, object_id, statement from memory_v1.facts_current
where subject_id = any (%s) and (object_id is null or object_id = any (%s))
and support = 'current' and source_role = any (%s) order by fact_id desc limit %s
"""
_NAMES = "select entity_id, canonical_name from memory_v1.entities where entity_id = any (%s)"

State = Literal["due", "stale", "current"]


@dataclass(frozen=True)
class CoveredFact:
    """A fact that a report should cover."""

    fact_id: UUID
    statement: str


@dataclass(frozen=True)
class Report:
    """A community and the report about it that is wanted, or stands.

    due: none stands. stale: one does, but the members changed or facts came that it does not
    cover. `facts` are those it should cover, the best linked first; `uncovered` counts those of
    them that the standing one leaves out.
    """

    key: str
    level: int
    parent: str | None
    children: tuple[str, ...]
    members: tuple[UUID, ...]
    names: tuple[str, ...]
    state: State
    report_id: UUID | None
    title: str | None
    facts: tuple[CoveredFact, ...]
    uncovered: int

    def to_dict(self) -> dict[str, Any]:
        """Return values that JSON can hold; ids are still UUIDs."""
        return asdict(self)


@dataclass(frozen=True)
class Survey:
    """The communities of a project, the widest first.

    `pairs_left_out` says that there are more linked pairs than were looked at; `unmatched` are
    registered communities that none of these resembles.
    """

    reports: tuple[Report, ...]
    pairs_left_out: bool
    unmatched: tuple[UUID, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return values that JSON can hold; ids are still UUIDs."""
        return asdict(self)


@dataclass
class _Registered:
    community_id: UUID
    key: str | None
    level: int
    members: frozenset[UUID]
    report_id: UUID | None
    title: str | None
    facts: frozenset[UUID]


def survey(
    conn: psycopg.Connection[TupleRow],
    project: str | None = None,
    *,
    roles: Sequence[str] | None = None,
    levels: int = LEVELS,
    smallest: int = SMALLEST,
    most_facts: int = FACTS,
    most_pairs: int = PAIRS,
) -> Survey:
    """Find the communities among the current facts of `roles`, by default the project's.

    Nothing is written. `conn` is a connection in autocommit of an administrator, or of a login
    that may read the views; all is read from one snapshot. Raises `Problem` without networkx.
    """
    with errors.translated(), conn.transaction():
        conn.execute("set transaction isolation level repeatable read, read only")
        if project is not None:
            conn.execute("select set_config('taisce.project', %s, true)", (project,))
        allowed = list(roles) if roles else _default_roles(conn, project)
        rows = conn.execute(_PAIRS, (allowed, most_pairs + 1)).fetchall()
        found = hierarchy(
            [Pair(one, other, facts) for one, other, facts in rows[:most_pairs]], levels, smallest
        )
        registered = _registered(conn)
        matched = _keep_keys(found, _matched(found, registered), registered)
        reports = tuple(
            _report(conn, one, matched.get(one.key), allowed, most_facts) for one in found
        )
    known = {one.community_id for one in matched.values()}
    unmatched = tuple(
        sorted(one.community_id for one in registered if one.community_id not in known)
    )
    return Survey(reports, len(rows) > most_pairs, unmatched)


def register(conn: psycopg.Connection[TupleRow], found: Survey, project: str | None = None) -> int:
    """Register the communities under their keys, parents first; return how many changed.

    Needs a writer's login. All or nothing.
    """
    changed = 0
    with errors.translated(), conn.transaction():
        for one in found.reports:
            row = conn.execute(
                "select repeated from memory_v1.register_community(key => %s, members => %s::jsonb,"
                " level => %s, parent => %s, project => %s)",
                (
                    one.key,
                    "[" + ",".join(f'{{"id":"{member}"}}' for member in one.members) + "]",
                    one.level,
                    one.parent,
                    project,
                ),
            ).fetchone()
            changed += not (row and row[0])
    return changed


def survey_memory(
    dsn: str,
    project: str | None,
    registering: bool,
    levels: int,
    smallest: int,
    most_facts: int,
    roles: Iterable[str] | None,
    halt: Halt | None = None,
) -> Survey:
    """Survey, and register if asked to, on a connection of its own; see `Memory.communities`."""
    chosen = None if roles is None else list(roles)
    halt = halt or Halt()
    halt.check()
    with psycopg.connect(dsn, autocommit=True) as conn, halt.connected(conn):
        found = survey(
            conn, project, roles=chosen, levels=levels, smallest=smallest, most_facts=most_facts
        )
        if registering:
            halt.check()
            register(conn, found, project)
    return found


def _default_roles(conn: psycopg.Connection[TupleRow], project: str | None) -> list[str]:
    rows = conn.execute(_ROLES, (project,)).fetchall()
    return list(rows[0][0]) if len(rows) == 1 else ["user"]


def _registered(conn: psycopg.Connection[TupleRow]) -> list[_Registered]:
    newest: dict[UUID, _Registered] = {}
    rows = conn.execute(_REGISTERED).fetchall()
    for community, key, level, members, report, title, facts, _ in sorted(
        rows, key=lambda row: (row[0], row[7] is not None, row[7])
    ):
        newest[community] = _Registered(
            community, key, level, frozenset(members or ()), report, title, frozenset(facts or ())
        )
    return list(newest.values())


def _matched(
    found: Sequence[Community], registered: Sequence[_Registered]
) -> dict[str, _Registered]:
    """Find for each community the registered one that has mostly the same members."""
    having: dict[UUID, list[_Registered]] = {}
    for one in registered:
        for member in one.members:
            having.setdefault(member, []).append(one)
    likenesses = []
    for community in found:
        members = set(community.members)
        beside = {one.community_id: one for member in members for one in having.get(member, ())}
        for one in beside.values():
            alike = len(members & one.members) / len(members | one.members)
            if one.level == community.level and alike >= _ALIKE:
                likenesses.append((-alike, community.key, str(one.community_id), one))
    made: dict[str, _Registered] = {}
    taken: set[UUID] = set()
    for _, key, _, one in sorted(likenesses, key=lambda likeness: likeness[:3]):
        if key not in made and one.community_id not in taken:
            made[key] = one
            taken.add(one.community_id)
    return made


def _keep_keys(
    found: Sequence[Community],
    matched: dict[str, _Registered],
    registered: Sequence[_Registered],
) -> dict[str, _Registered]:
    """Give each community the key of the registered one that it resembles.

    Else it would be registered beside that one, whose report would go on standing. No other takes
    a key of a registered one. Return the matches under the new keys.
    """
    taken = {one.key for one in registered}
    named: dict[str, str] = {}
    for community in found:
        one = matched.get(community.key)
        if one is not None and one.key is not None:
            named[community.key] = one.key
            continue
        free = (f"{community.level}:{member}" for member in community.members)
        named[community.key] = next(
            (key for key in free if key not in taken), f"{community.key} {len(taken)}"
        )
        taken.add(named[community.key])
    for community in found:
        community.key = named[community.key]
        community.parent = None if community.parent is None else named[community.parent]
        community.children = [named[child] for child in community.children]
    return {named[key]: one for key, one in matched.items()}


def _report(
    conn: psycopg.Connection[TupleRow],
    community: Community,
    registered: _Registered | None,
    roles: list[str],
    most_facts: int,
) -> Report:
    facts = _facts(conn, community, roles, most_facts)
    names: dict[UUID, str] = dict(conn.execute(_NAMES, (list(community.members),)).fetchall())
    uncovered = len(facts)
    state: State = "due"
    if registered is not None and registered.report_id is not None:
        uncovered = sum(fact.fact_id not in registered.facts for fact in facts)
        changed = uncovered or registered.members != frozenset(community.members)
        state = "stale" if changed else "current"
    return Report(
        community.key,
        community.level,
        community.parent,
        tuple(community.children),
        community.members,
        tuple(str(names.get(member, "")) for member in community.members),
        state,
        registered.report_id if registered else None,
        registered.title if registered else None,
        facts,
        uncovered,
    )


def _facts(
    conn: psycopg.Connection[TupleRow], community: Community, roles: list[str], most: int
) -> tuple[CoveredFact, ...]:
    """Choose the facts about the best linked members, both ends of which are inside."""
    members = list(community.members)
    place = {member: number for number, member in enumerate(members)}
    rows = conn.execute(_FACTS, (members[:_LEADING], members, roles, _LOOKED_AT)).fetchall()
    # Facts between leading members first; among equals those told first.
    rows.sort(key=lambda row: (place[row[1]] + place.get(row[2], len(members)), row[0]))
    return tuple(CoveredFact(row[0], row[3]) for row in rows[:most])
