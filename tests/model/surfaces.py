"""What a recall gives besides facts: semantic anchors, reports and passages, in one budget.

Vectors are plain lists; nothing is approximate. How words rank passages is not modelled: what they
found is taken as given, in order or with scores. How vectors change that order, what may be shown,
and how much of it, is decided here.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.model.memory import Memory
from tests.model.rows import Entity, Message, Observation
from tests.model.walk import Boundary, Ids, Scope, expired

MAX_PASSAGES, MAX_REPORTS, MAX_CHILDREN, MAX_ANCHORS, SHOWN = 8, 3, 5, 4, 512
CANDIDATES, FLOOR, WEIGHT_VECTORS, WEIGHT_NEXT = 200, 0.3, 0.3, 0.4

Place = tuple[int, int]
Vector = Sequence[float]


@dataclass
class Report:
    """A report as it was written, with the level and parent of its community."""

    report_id: str
    community_id: str
    parent: str | None
    level: int
    title: str
    summary: str
    importance: float
    facts: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    withdrawn: bool = False
    vector: Vector | None = None


@dataclass
class Nearness:
    """The vectors of a project: None where a space has no active generation.

    `query` is the vector a question brings, None without one or with one of another model.
    """

    query: Vector | None = None
    given: bool = False
    messages: dict[Place, Vector] | None = None
    entities: dict[int, Vector] | None = None
    reports: list[Report] | None = None


@dataclass
class Told:
    """What the words found, best first, and when observations were taken in.

    `worth` has the scores by words, which are needed where there are vectors.
    """

    found: list[Place] = field(default_factory=list)
    more: bool = False
    taken_in: dict[int, datetime] = field(default_factory=dict)
    worth: dict[Place, float] | None = None


@dataclass
class Surfaces:
    """Reports and passages of a bundle."""

    reports: list[dict[str, Any]] = field(default_factory=list)
    passages: list[dict[str, Any]] = field(default_factory=list)
    used: int = 0
    truncated: bool = False
    degraded: list[str] = field(default_factory=list)


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of the angle between two vectors."""
    dot = sum(a * b for a, b in zip(one, other, strict=True))
    return dot / math.sqrt(sum(a * a for a in one) * sum(b * b for b in other))


def semantic_anchors(
    memory: Memory, near: Nearness, subject: str | None, now: datetime
) -> list[tuple[Entity, str]]:
    """Return up to four entities near a question that names none, and how near."""
    if near.query is None or near.entities is None:
        return []
    scored = []
    for number, vector in near.entities.items():
        entity = memory.entity(number)
        if entity.kind != "named" or entity.status != "active":
            continue
        similarity = cosine(near.query, vector)
        if similarity >= FLOOR and (subject is None or _concerns(memory, number, subject, now)):
            scored.append((-similarity, entity))
    scored.sort(key=lambda one: one[0])
    return [(entity, f"semantic:{-low:.2f}") for low, entity in scored[:MAX_ANCHORS]]


def _concerns(memory: Memory, number: int, subject: str, now: datetime) -> bool:
    """Say whether a subject mentions an entity and has a fact about it."""
    mentioned = any(
        mention.entity == number
        and mention.observation.data_subject_id == subject
        and not expired(mention.observation.retention_until, now)
        for mention in memory.mentions
    )
    return mentioned and any(
        number in (fact.subject, fact.object)
        and fact.data_subject_id == subject
        and not expired(fact.retention_until, now)
        for fact in memory.facts
    )


def surfaces_of(
    memory: Memory,
    near: Nearness,
    told: Told,
    *,
    named: Sequence[str] | None,
    asked: bool,
    thematic: bool,
    timed: bool,
    boundary: Boundary,
    scope: Scope,
    characters: int,
    ids: Ids,
) -> Surfaces:
    """Fill what is left of a budget with reports, then passages."""
    made = Surfaces()
    if named is None or "reports" in named:
        _reports(memory, near, made, named, asked and thematic, timed, boundary, scope, characters)
    if asked and characters > made.used and (named is None or "passages" in named):
        if near.query is None or near.messages is None:
            told_so = named is not None or near.messages is not None
            made.degraded += ["passages_words_only"] if told_so else []
        _passages(memory, near, told, made, boundary, scope, characters, ids)
    return made


def _reports(
    memory: Memory,
    near: Nearness,
    made: Surfaces,
    named: Sequence[str] | None,
    consulted: bool,
    timed: bool,
    boundary: Boundary,
    scope: Scope,
    characters: int,
) -> None:
    if near.reports is None:
        made.degraded += ["reports"] if named is not None else []
        return
    if not consulted:
        return
    withheld = [
        word
        for word, holds in (
            ("reports_withheld_for_subject", boundary.subject is not None),
            ("reports_withheld_for_time", timed),
        )
        if holds
    ]
    if withheld or near.query is None:
        made.degraded += withheld or ["reports"]
        return
    query = near.query
    shown = [one for one in near.reports if _stands(memory, one, boundary, scope.now)]
    scored = sorted(
        (one for one in shown if one.vector is not None),
        key=lambda one: -cosine(query, one.vector or ()),
    )[:MAX_REPORTS]
    children = [
        one
        for one in sorted(shown, key=lambda one: (-one.importance, one.report_id))
        if scored and one.parent == scored[0].community_id and one not in scored
    ][:MAX_CHILDREN]
    for report in [*scored, *children]:
        spent = len(report.title) + len(report.summary)
        if made.used + spent > characters:
            made.truncated = True
            return
        made.used += spent
        made.reports.append(
            {
                "report_id": report.report_id,
                "community_id": report.community_id,
                "title": report.title,
                "summary": report.summary,
                "level": report.level,
                "parent": report.parent,
                "child_of": scored[0].report_id if report in children else None,
            }
        )


def _stands(memory: Memory, report: Report, boundary: Boundary, now: datetime) -> bool:
    """Say whether all that a report rests on may be shown."""
    facts = [memory.fact_keys.get(key) for key in report.facts]
    sources = [
        next((o for o in memory.observations if o.key == key), None) for key in report.sources
    ]
    return (
        not report.withdrawn
        and all(
            fact is not None
            and fact.source_role in boundary.roles
            and not expired(fact.retention_until, now)
            for fact in facts
        )
        and all(
            source is not None
            and source.messages[0].role in boundary.roles
            and not expired(source.retention_until, now)
            for source in sources
        )
    )


def _passages(
    memory: Memory,
    near: Nearness,
    told: Told,
    made: Surfaces,
    boundary: Boundary,
    scope: Scope,
    characters: int,
    ids: Ids,
) -> None:
    usable = near.messages is not None and near.query is not None
    shown = {
        (observation.log_offset, ordinal): (observation, message)
        for observation in memory.observations
        for ordinal, message in enumerate(observation.messages)
        if _may_be_shown(observation, message, boundary, scope, told)
    }
    hidden = [place for place in (told.worth or told.found) if place not in shown]
    if hidden:
        raise AssertionError(f"passages that may not be shown: {hidden}")
    order = told.found
    if usable:
        vectors = {place: one for place, one in (near.messages or {}).items() if place in shown}
        order = fused(told.worth or {}, nearness_of(near.query or (), vectors))
    order = order[:MAX_PASSAGES]
    for place in order:
        observation, message = shown[place]
        quote = (message.content or "")[:SHOWN]
        spent = len(quote) + len(message.role)
        if made.used + spent > characters:
            made.truncated = True
            return
        made.used += spent
        made.passages.append(
            {
                "observation_id": ids.observation(observation),
                "ordinal": place[1],
                "role": message.role,
                "quote": quote,
                "complete": len(message.content or "") <= SHOWN,
            }
        )
    # What the words ranked next is not known here, only that it did not fit.
    made.truncated = made.truncated or (not usable and told.more and len(order) < MAX_PASSAGES)


def nearness_of(query: Vector, vectors: Mapping[Place, Vector]) -> dict[Place, float]:
    """Return how near the nearest messages are, each with what was said beside it."""
    alone = {place: cosine(query, vector) for place, vector in vectors.items()}
    near = {
        (offset, ordinal): own
        + WEIGHT_NEXT
        * max(
            (alone[offset, n] for n in (ordinal - 1, ordinal + 1) if (offset, n) in alone),
            default=0,
        )
        for (offset, ordinal), own in alone.items()
    }
    return dict(sorted(near.items(), key=lambda one: -one[1])[:CANDIDATES])


def fused(words: Mapping[Place, float], near: Mapping[Place, float]) -> list[Place]:
    """Order places by their score by words and a share of the best such score for nearness."""
    most = max(words.values(), default=0) or 1
    low, high = min(near.values(), default=0), max(near.values(), default=0)
    scores = dict(words)
    for place, one in near.items():
        part = (one - low) / (high - low) if high > low else 1
        scores[place] = scores.get(place, 0) + WEIGHT_VECTORS * most * part
    ranks = {place: rank for rank, place in enumerate(words)}
    return sorted(scores, key=lambda place: (-scores[place], ranks.get(place, len(ranks))))


def _may_be_shown(
    observation: Observation, message: Message, boundary: Boundary, scope: Scope, told: Told
) -> bool:
    return (
        message.content is not None
        and message.role in boundary.roles
        and boundary.subject in (None, observation.data_subject_id)
        and not expired(observation.retention_until, scope.now)
        and (
            scope.known_at is None
            or observation.log_offset not in told.taken_in
            or told.taken_in[observation.log_offset] <= scope.known_at
        )
    )
