"""Rows of the assured operations and of the graph: what the functions give that return sets."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from taisce_pg.client.assuredmodels import (
    ContextClaim,
    Contradiction,
    FactKind,
    Precision,
    Stance,
    Why,
)
from taisce_pg.client.models import Instant, Model, Role


class ItemEvidence(ContextClaim):
    """A claim behind a fact, with its stance."""

    stance: Stance


class ItemTotals(Model):
    """How many claims speak for and against a fact, and how many of them are here."""

    supports: int
    contradicts: int
    supports_returned: int
    contradicts_returned: int


class FactItem(Model):
    """A fact with everything about it in one row; the last four fields account for the answer."""

    fact_kind: FactKind
    fact_id: UUID
    label: str
    subject: str
    subject_id: UUID
    predicate: str | None
    object: str | None
    object_id: UUID | None
    value: str | None
    statement: str
    valid_from: Instant | None
    valid_until: Instant | None
    known_from: Instant | None
    known_until: Instant | None
    evidence_count: int
    contradict_count: int
    contradiction: Contradiction | None
    support: Literal["current", "withdrawn"]
    source_role: Role
    hops: int | None
    score: float | None
    evidence: tuple[ItemEvidence, ...]
    evidence_totals: ItemTotals
    truncated: bool
    evaluated_at: Instant
    dropped: int
    continuation: str | None


class TestimonyItem(Model):
    """A claim or a passage in one row; fields of the other grain are None."""

    __test__ = False

    grain: Literal["claim", "passage"]
    claim_id: UUID | None
    observation_id: UUID
    ordinal: int
    passage_id: UUID
    claim_text: str | None
    quote: str | None
    byte_start: int | None
    byte_end: int | None
    context: str | None
    context_start: int | None
    context_complete: bool | None
    role: Role
    asserted_at: Instant | None
    claim_valid_from: Instant | None
    claim_valid_until: Instant | None
    claim_valid_precision: Precision | None
    is_current_testimony: bool | None
    title: str | None
    source_kind: str | None
    lineage: str
    corroboration_count: int | None
    grouped_claim_ids: tuple[UUID, ...] | None
    content: str | None
    occurred_at: Instant | None
    log_offset: int
    score: float | None
    why: Why | None
    truncated: bool
    evaluated_at: Instant
    dropped: int
    continuation: str | None


class BelievedFact(Model):
    """A fact as the memory believed it at one instant about another."""

    fact_kind: FactKind
    fact_id: UUID
    subject: str
    subject_id: UUID
    predicate: str | None
    object: str | None
    object_id: UUID | None
    value: str | None
    statement: str
    source_role: Role
    support: Literal["current", "withdrawn"]
    valid_from: Instant | None
    valid_until: Instant | None
    known_from: Instant | None
    known_until: Instant | None
    valid_at: Instant
    believed_at: Instant
    identity_regime: Literal["current", "as_of"]
    truncated: bool


class ContradictionMember(Model):
    """A side of a contradiction, of a page of them."""

    group_id: UUID
    fact_kind: FactKind
    fact_id: UUID
    label: str
    valid_from: Instant | None
    valid_until: Instant | None
    known_from: Instant | None
    known_until: Instant | None
    evidence_count: int
    total: int
    truncated: bool
    evaluated_at: Instant
    dropped: int
    continuation: str | None


class GraphEdge(Model):
    """A relation near an entity; `route` leads from the entity to its far end."""

    depth: int
    fact_id: UUID
    subject_id: UUID
    subject: str
    predicate: str
    object_id: UUID
    object: str
    statement: str
    source_role: Role
    valid_from: Instant | None
    valid_until: Instant | None
    known_from: Instant | None
    known_until: Instant | None
    route: tuple[UUID, ...]
    capped: bool


class GraphRoute(Model):
    """A route between two entities.

    `capped`: relations were left unread. A `path` of 0 says that nothing but that was found.
    """

    path: int
    length: int | None
    entity_ids: tuple[UUID, ...]
    entities: tuple[str, ...]
    fact_ids: tuple[UUID, ...]
    predicates: tuple[str, ...]
    statements: tuple[str, ...]
    capped: bool
