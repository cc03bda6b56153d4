"""The answer to a question, by the rules of recall and nothing else."""

from datetime import datetime, timedelta
from typing import Any

from tests.model.anchors import Anchor, anchors_of, check_question, check_subject, recall_anchors
from tests.model.keeping import known_as
from tests.model.memory import Memory
from tests.model.rows import BEGINNING, FOREVER, ROLES, ModelError
from tests.model.surfaces import Nearness, Told, semantic_anchors, surfaces_of
from tests.model.text import (
    MAX_TERMS,
    budget_cut,
    evidence_window,
    find_terms,
)
from tests.model.walk import (
    MAX_ROWS,
    Boundary,
    Ids,
    PlainIds,
    Reached,
    Scope,
    Walk,
    expired,
    fact_walk,
    facts_at,
)

__all__ = [
    "Anchor",
    "budget_cut",
    "evidence_window",
    "fact_walk",
    "facts_at",
    "recall",
    "recall_anchors",
]

SURFACES = ("facts", "reports", "passages")
MAX_CHARACTERS = 16_000


def distinct_of(values: list[Any], allowed: tuple[str, ...]) -> bool:
    """Say whether values are a non-empty list without repeats of what is allowed."""
    known = all(value in allowed for value in values)
    return bool(values) and known and len(set(values)) == len(values)


def outward(moment: datetime) -> str | None:
    return None if moment in (BEGINNING, FOREVER) else moment.isoformat()


def why_silent(
    memory: Memory,
    anchors: list[Anchor],
    no_terms: bool,
    scope: Scope,
    boundary: Boundary,
    walk: Walk,
) -> str:
    """Name the first stage after which nothing is left."""
    if no_terms:
        return "no_terms"
    if not anchors:
        return "unknown_name"
    named = {anchor.entity for anchor in anchors}
    left = [
        fact
        for fact in memory.facts
        if (fact.subject in named or fact.object in named)
        and not expired(fact.retention_until, scope.now)
    ]
    if not left:
        return "no_facts"
    left = [fact for fact in left if boundary.subject in (None, fact.data_subject_id)]
    if not left:
        return "subject"
    left = [fact for fact in left if fact.source_role in boundary.roles]
    if not left:
        return "role"
    left = [fact for fact in left if scope.version(fact) is not None]
    if not left:
        return "time"
    return "budget" if walk.rows else "evidence"


def anchors_or_near(
    memory: Memory,
    anchors: list[Anchor],
    near: Nearness,
    named: list[str] | None,
    subject: str | None,
    now: datetime,
) -> tuple[list[Anchor], list[str]]:
    """Return the anchors, near ones if a question names none, and what could not serve."""
    if anchors or not (named is None or "facts" in named):
        return anchors, []
    if near.query is None or near.entities is None:
        return [], ["semantic_anchors"] if near.given or near.entities is not None else []
    return [
        Anchor(entity.number, known_as(memory, entity, now), entity.entity_type, matched)
        for entity, matched in semantic_anchors(memory, near, subject, now)
    ], []


def recall(
    memory: Memory,
    question: str,
    *,
    data_subject_id: str | None = None,
    max_characters: int | None = None,
    source_roles: list[str] | None = None,
    hops: int = 1,
    surfaces: list[str] | None = None,
    themes: bool = False,
    as_of: datetime | None = None,
    as_known_at: datetime | None = None,
    evidence_per_fact: int = 1,
    now: datetime,
    skew: timedelta = timedelta(minutes=5),
    known_through: datetime | None = None,
    ids: Ids | None = None,
    bundle_characters: int = MAX_CHARACTERS,
    max_terms: int = MAX_TERMS,
    near: Nearness | None = None,
    told: Told | None = None,
) -> dict[str, Any]:
    """Answer a question; raises ModelError TS001 or TS002.

    `now` is the instant of reading; `known_through` the last knowledge stamp (no limit if
    None); `ids` names facts, entities and observations and orders them; `near` holds the vectors
    and `told` what words found.
    """
    check_question(question)
    check_subject(data_subject_id)
    characters = bundle_characters if max_characters is None else max_characters
    roles = memory.default_source_roles if source_roles is None else source_roles
    if not (
        1 <= characters <= bundle_characters
        and distinct_of(roles, ROLES)
        and (surfaces is None or distinct_of(surfaces, SURFACES))
        and 1 <= evidence_per_fact <= 5
    ):
        raise ModelError("TS002")
    hops = min(max(hops, 1), 2)
    ids = ids or PlainIds()

    known_at = as_known_at
    if known_at is not None and known_through is not None:
        known_at = min(known_at, known_through)
    scope = Scope(now, skew, as_of, known_at)
    boundary = Boundary(tuple(roles), data_subject_id)

    anchors = anchors_of(memory, question, data_subject_id, now, ids, max_terms)
    terms = find_terms(question, max_terms)
    no_terms = not terms.plain
    near, unserved = near or Nearness(), []
    named = [anchor for anchor in anchors if memory.entity(anchor.entity).kind == "named"]
    if not no_terms:
        anchors, unserved = anchors_or_near(memory, anchors, near, surfaces, data_subject_id, now)
    walk = fact_walk(memory, [a.entity for a in anchors], hops, scope, boundary, ids)

    costed = []
    for row in walk.rows:
        entry = fact_entry(memory, row, ids, evidence_per_fact, now)
        costed.append(((row, entry), cost(entry)))
    kept = budget_cut(costed, characters)
    entries = [entry for _, entry in kept]
    relate(memory, kept, scope, boundary, ids)

    spent = sum(cost(entry) for entry in entries)
    rest = surfaces_of(
        memory,
        near,
        told or Told(),
        named=surfaces,
        asked=not no_terms,
        thematic=themes or not named,
        timed=as_of is not None or as_known_at is not None,
        boundary=boundary,
        scope=scope,
        characters=characters - spent,
        ids=ids,
    )
    cut_characters = len(kept) < len(costed) or rest.truncated
    cut = {
        (False, False): None,
        (True, False): "rows",
        (False, True): "characters",
        (True, True): "both",
    }[walk.more, cut_characters]
    released = any(
        item["context"] == "" and item["quote"] for entry in entries for item in entry["evidence"]
    )
    offsets = sorted(o.log_offset for o in memory.observations)
    formed: int | None = None
    for offset in range(1, max([*offsets, *memory.erased], default=0) + 1):
        stored = [o for o in memory.observations if o.log_offset == offset]
        if stored and not (stored[0].formed or stored[0].parked):
            break
        formed = offset
    scope_given: dict[str, Any] = {
        "as_of": as_of.isoformat() if as_of else None,
        "as_known_at": as_known_at.isoformat() if as_known_at else None,
    }
    if known_at is not None and known_at != as_known_at:
        scope_given["read_as_known_at"] = known_at.isoformat()

    return {
        "contract": "recall/v1",
        "controls": {
            "max_characters": characters,
            "max_rows": MAX_ROWS,
            "source_roles": list(roles),
            "hops": hops,
            "surfaces": list(surfaces) if surfaces is not None else list(SURFACES),
            "themes": themes,
            "evidence_per_fact": evidence_per_fact,
        },
        "anchors": [
            {
                "entity_id": ids.entity(memory.entity(anchor.entity)),
                "name": anchor.name,
                "entity_type": anchor.entity_type,
                "matched": anchor.matched,
            }
            for anchor in anchors
        ],
        "facts": entries,
        "reports": rest.reports,
        "passages": rest.passages,
        "truncated": cut is not None,
        "cut": cut,
        "characters": spent + rest.used,
        "degraded": (["citation_context"] if released else []) + unserved + rest.degraded,
        "reach": {
            "terms": len(terms.candidates),
            "terms_dropped": terms.dropped,
            "anchored": len(named),
            "named_nothing_known": not named,
            "facts_per_anchor": [
                {
                    "entity_id": ids.entity(memory.entity(anchor.entity)),
                    "name": anchor.name,
                    "facts": sum(row.anchor == anchor.entity for row, _ in kept),
                }
                for anchor in anchors
            ],
            "fanout_cut": [
                {
                    "entity_id": ids.entity(memory.entity(item.entity)),
                    "entity": known_as(memory, memory.entity(item.entity), now),
                    "direction": item.direction,
                    "hop": item.hop,
                }
                for item in walk.cuts
            ],
            "silent_because": (
                None if entries else why_silent(memory, anchors, no_terms, scope, boundary, walk)
            ),
        },
        "freshness": {
            "stored": max([*offsets, *memory.erased], default=0),
            "formed": formed,
            "parked": sum(o.parked for o in memory.observations),
            "rebuilding": None,
        },
        "scope": scope_given,
    }


def fact_entry(
    memory: Memory, row: Reached, ids: Ids, per_fact: int, now: datetime
) -> dict[str, Any]:
    """Write a reached fact as the bundle shows it, before what relates it to others."""
    fact, version = row.fact, row.version
    subject = memory.entity(fact.subject)
    other = memory.entity(fact.object) if fact.object is not None else None
    evidence = []
    for item in row.evidence[:per_fact]:
        claim = item.claim
        content = claim.observation.messages[claim.ordinal].content
        context, start, complete = (
            ("", claim.byte_start, False)
            if content is None
            else evidence_window(content, claim.byte_start, claim.byte_end)
        )
        evidence.append(
            {
                "observation_id": ids.observation(claim.observation),
                "ordinal": claim.ordinal,
                "role": claim.role,
                "quote": claim.quote,
                "byte_start": claim.byte_start,
                "byte_end": claim.byte_end,
                "context": context,
                "context_start": start,
                "context_complete": complete,
            }
        )
    return {
        "fact_id": ids.fact(fact),
        "kind": fact.kind,
        "subject": known_as(memory, subject, now),
        "subject_id": ids.entity(subject),
        "predicate": fact.predicate,
        "object": known_as(memory, other, now) if other else None,
        "object_id": ids.entity(other) if other else None,
        "value": fact.value,
        "statement": fact.statement,
        "confidence": fact.confidence,
        "valid_from": outward(version.valid_from),
        "valid_until": outward(version.valid_to),
        "known_from": outward(version.known_from),
        "known_until": outward(version.known_to),
        "anchored_on": known_as(memory, memory.entity(row.anchor), now),
        "source_role": fact.source_role,
        "support": fact.support,
        "hops": row.hops,
        "path": [known_as(memory, memory.entity(end), now) for end in row.path],
        "via": row.via,
        "co_derived_with": [],
        "contradicts": [],
        "evidence": evidence,
        "evidence_total": len(row.evidence),
    }


def cost(entry: dict[str, Any]) -> int:
    """Count the code points a fact spends."""
    parts = [
        entry["subject"],
        entry["predicate"] or "",
        entry["object"] or entry["value"] or "",
        entry["statement"],
        entry["source_role"],
        *entry["path"],
        *entry["via"],
    ]
    for item in entry["evidence"]:
        parts += [item["quote"], item["context"]]
    return sum(len(part) for part in parts)


def relate(
    memory: Memory,
    kept: list[tuple[Reached, dict[str, Any]]],
    scope: Scope,
    boundary: Boundary,
    ids: Ids,
) -> None:
    """Fill in which facts came from the same message, and which contradict."""
    for row, entry in kept:
        places = {item.claim.place[:2] for item in row.evidence}
        entry["co_derived_with"] = [
            ids.fact(other.fact)
            for other, _ in kept
            if other is not row
            and other.fact.subject == row.fact.subject
            and places & {item.claim.place[:2] for item in other.evidence}
        ]
        entry["contradicts"] = sorted(
            ids.fact(other)
            for other in memory.group_members(row.fact.group)
            if other is not row.fact
            and boundary.admits(other, scope)
            and scope.version(other) is not None
        )
