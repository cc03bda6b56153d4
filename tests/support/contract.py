"""The functions of memory_v1 as the catalogue has them, and arguments to call them with.

Arguments go by the name of a parameter: one name means one thing in every function. A required
parameter without a maker here fails the tests that call everything; an optional one keeps its
default.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from tests.support.told import QUOTE, SUBJECT, Ids

_INSTANT = re.compile(r"\d{4,6}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:?\d\d)?)?")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_GENERATION = re.compile(r'"generation(_id)?": \d+')
# Found whatever the search path of the caller.
_HOME = re.compile(r"^vector\b")
_LIST = """
select p.proname, pg_get_function_identity_arguments(p.oid), p.provolatile::text, p.proretset,
    coalesce(p.proargnames[1:p.pronargs], '{}'), p.pronargdefaults,
    array(
        select t::regtype::text
        from unnest(p.proargtypes) with ordinality as u (t, place) order by place
    ),
    pg_get_functiondef(p.oid) ~ 'resolve_project|open_project|current_project_id'
from pg_proc as p
where p.pronamespace = 'memory_v1'::regnamespace and p.prokind = 'f'
order by p.proname, 2
"""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function; its type as the server writes it."""

    name: str
    type: str
    optional: bool


@dataclass(frozen=True)
class Function:
    """A function of memory_v1."""

    name: str
    signature: str
    volatility: str
    many: bool
    of_project: bool
    parameters: tuple[Parameter, ...]

    def __str__(self) -> str:
        return f"{self.name}({self.signature})"

    def takes(self, name: str) -> bool:
        """Tell whether it has a parameter of that name."""
        return any(parameter.name == name for parameter in self.parameters)


@dataclass(frozen=True)
class Outcome:
    """What a call came to: its rows as text, or the parts of its error."""

    rows: str = ""
    error: tuple[str | None, ...] = field(default=())

    @property
    def code(self) -> str | None:
        """Return the SQLSTATE, None if the call was answered."""
        return self.error[0] if self.error else None

    def without(self, *ids: Ids) -> Outcome:
        """Return the outcome with instants, uuids and lone numbers made equal, to compare calls."""
        if self.rows.isdecimal():
            return Outcome("<number>")
        parts = [self.rows, *(part or "" for part in self.error)]
        for one in ids:
            for word in one.words:
                parts = [part.replace(word, "<word>") for part in parts]
        parts = [_GENERATION.sub("<generation>", part) for part in parts]
        plain = [_UUID.sub("<id>", _INSTANT.sub("<instant>", part)) for part in parts]
        return Outcome(plain[0], tuple(plain[1:]))


def functions(conn: psycopg.Connection[Any]) -> list[Function]:
    """List the functions of memory_v1."""
    found = []
    for name, signature, volatility, many, names, defaults, types, of_project in conn.execute(
        _LIST
    ):
        first_optional = len(types) - defaults
        parameters = tuple(
            Parameter(one, kind, place >= first_optional)
            for place, (one, kind) in enumerate(zip(names, types, strict=True))
        )
        found.append(Function(name, signature, volatility, many, of_project, parameters))
    return found


def arguments(function: Function, ids: Ids, project: str | None) -> dict[str, Any]:
    """Return arguments for a call about the rows of `ids`.

    Raises LookupError for a required parameter that MAKERS does not know.
    """
    made: dict[str, Any] = {}
    special = SPECIAL.get(function.name, {})
    for parameter in function.parameters:
        name = parameter.name
        if name == "project":
            made[name] = project
        elif name in special:
            made[name] = special[name](ids)
        elif name in MAKERS:
            made[name] = MAKERS[name](ids)
        elif not parameter.optional:
            raise LookupError(f"tests/support/contract.py: no maker for {name} of {function}")
    return made


def call(conn: psycopg.Connection[Any], function: Function, values: dict[str, Any]) -> Outcome:
    """Call a function by named arguments within a savepoint of its own."""
    kinds = {parameter.name: parameter.type for parameter in function.parameters}
    given = sql.SQL(", ").join(
        sql.SQL("{} => {}::{}").format(
            sql.Identifier(name),
            sql.Placeholder(name),
            sql.SQL(_HOME.sub("public.vector", kinds[name])),
        )
        for name in values
    )
    query = sql.SQL("select to_jsonb(r)::text from memory_v1.{}({}) as r").format(
        sql.Identifier(function.name), given
    )
    try:
        with conn.transaction():
            rows = conn.execute(query, values).fetchall()
    except psycopg.Error as error:
        shown = error.diag
        return Outcome(
            error=(
                error.sqlstate,
                shown.message_primary,
                shown.message_detail,
                shown.message_hint,
            )
        )
    return Outcome("\n".join(str(row[0]) for row in rows))


Maker = Callable[[Ids], Any]
_SAID = [{"role": "user", "content": f"We say this: {QUOTE}"}]

MAKERS: dict[str, Maker] = {
    # Questions
    "question": lambda ids: "What does Marta do, and where is Acme?",
    "query": lambda ids: "Marta Acme",
    "pattern": lambda ids: "%",
    "name": lambda ids: "Marta",
    "alias": lambda ids: "Martha",
    "data_subject_id": lambda ids: SUBJECT,
    "predicate": lambda ids: None,
    "hops": lambda ids: 2,
    "source_roles": lambda ids: ["user", "tool", "document"],
    "themes": lambda ids: True,
    "max_characters": lambda ids: 4000,
    # Rows by id
    "entity_id": lambda ids: ids.entity,
    "entity_ids": lambda ids: [ids.entity, ids.other_entity],
    "absorbed": lambda ids: Jsonb({"id": str(ids.other_entity)}),
    "survivor": lambda ids: Jsonb({"id": str(ids.entity)}),
    "fact_id": lambda ids: ids.fact,
    "fact_ids": lambda ids: [ids.fact, ids.other_fact],
    "observation_id": lambda ids: ids.observation,
    "claim_id": lambda ids: ids.claim,
    "claim_ids": lambda ids: [ids.claim],
    "passage_id": lambda ids: ids.passage,
    "group_id": lambda ids: ids.group,
    "merge_id": lambda ids: ids.other_fact,
    "ids": lambda ids: [ids.observation],
    "from_id": lambda ids: ids.entity,
    "to_id": lambda ids: ids.other_entity,
    "from_entity_id": lambda ids: ids.entity,
    "to_entity_id": lambda ids: ids.other_entity,
    "source": lambda ids: ids.entity,
    "target": lambda ids: ids.other_entity,
    "root": lambda ids: ids.entity,
    # Texts and lists that stand by themselves
    "content": lambda ids: f"We say this: {QUOTE}",
    "byte_start": lambda ids: 13,
    "byte_end": lambda ids: 13 + len(QUOTE),
    "items": lambda ids: Jsonb([{"subject": "Marta", "statement": "works"}]),
    # Writing
    "messages": lambda ids: Jsonb(_SAID),
    "subject": lambda ids: Jsonb({"id": str(ids.entity)}),
    "object": lambda ids: Jsonb({"id": str(ids.other_entity)}),
    "statement": lambda ids: "Marta works at Acme again",
    "evidence": lambda ids: Jsonb(
        [{"observation": {"id": str(ids.observation)}, "ordinal": 0, "quote": QUOTE}]
    ),
    "reason": lambda ids: "because",
    "key": lambda ids: "k1",
    "members": lambda ids: Jsonb([{"id": str(ids.entity)}]),
    "community": lambda ids: "k1",
    "title": lambda ids: "Marta",
    "summary": lambda ids: "Marta works.",
    "level": lambda ids: 1,
    "from_offset": lambda ids: 1,
    "to_offset": lambda ids: 1,
    "at_offset": lambda ids: 1,
    "observation_ids": lambda ids: [ids.observation],
    "dry_run": lambda ids: False,
    "valid_at": lambda ids: "2026-06-01T00:00:00Z",
    "believed_at": lambda ids: "2099-01-01T00:00:00Z",
    # Vectors
    "generation_id": lambda ids: ids.generation,
    "space": lambda ids: "fact",
    "model": lambda ids: "other",
    "dimensions": lambda ids: 3,
    "item_ids": lambda ids: [ids.fact],
    "digests": lambda ids: [b"0" * 32],
    "embeddings": lambda ids: '{"[1,0,0]"}',
    # Administration
    "grantee": lambda ids: "taisce_reader",
    "access": lambda ids: "read",
}
_SAVED: dict[str, Maker] = {
    "namespace": lambda ids: "ours",
    "name": lambda ids: "all",
    "version": lambda ids: 1,
    "passed": lambda ids: ["hit", "empty", "forgotten", "cap"],
}
_NEAR: dict[str, Maker] = {
    "query_embedding": lambda ids: "[1,0,0]",
    "embedding_model": lambda ids: ids.words[0] if ids.words else "none",
}
SPECIAL: dict[str, dict[str, Maker]] = {
    **{f"semantic_{what}": _NEAR for what in ("claims", "passages", "facts", "entities")},
    "entity_candidates": _NEAR,
    "report_candidates": {**_NEAR, "data_subject_id": lambda ids: None},
    "activate_query": _SAVED,
    "retire_query": _SAVED,
    "save_query": {
        **_SAVED,
        "query": lambda ids: "select 1",
        "description": lambda ids: "One.",
    },
    "set_setting": {"name": lambda ids: "bundle_characters", "value": lambda ids: "15000"},
    "create_project": {"name": lambda ids: "a new one"},
    "message_window": {"byte_start": lambda ids: 0},
    "export_lines": {"part": lambda ids: "fact"},
}


def absent() -> Ids:
    """Return ids that nothing has."""
    return Ids("nothing", *(uuid.uuid4() for _ in range(8)))
