"""What the assured operations give: envelopes, their items, and routes through the graph."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from pydantic import Field

from taisce_pg.client.models import Instant, Model, Rebuilding, Role

Grain = Literal["entity", "evidence", "fact"]
FactKind = Literal["relation", "attribute"]
Stance = Literal["supports", "contradicts"]
Precision = Literal["unknown", "instant", "day", "month", "quarter", "year", "open"]
Why = Literal["words", "vectors", "neighbour", "fact"]
DegradedOperation = Literal["anchoring", "citation_context", "embedder", "vectors"]


class TemporalScope(Model):
    """The time that was asked for, and the instant the answer was evaluated at.

    `at` is there in mode at, `from` and `to` in mode overlap.
    """

    mode: Literal["current", "at", "overlap", "history"]
    evaluated_at: Instant
    believed_at: Instant | None
    identity_regime: Literal["current", "as_of"]
    at: Instant | None = None
    start: Instant | None = Field(default=None, alias="from")
    end: Instant | None = Field(default=None, alias="to")


class ScopeEntity(Model):
    """An entity of an answer: a candidate, an anchor given, one the query named, or a neighbour.

    `asked_id` is the id given, which may have led here by a merge. The last three fields are of
    candidates.
    """

    entity_id: UUID
    canonical_name: str
    entity_type: str | None
    asked_id: UUID | None
    part: Literal["candidate", "anchor", "named", "neighbour"]
    matched_as: Literal["canonical", "alias"] | None = None
    spelling: str | None = None
    fact_count: int | None = None


class Validity(Model):
    """Both clocks of a fact; None is an open end."""

    valid_from: Instant | None
    valid_until: Instant | None
    known_from: Instant | None
    known_until: Instant | None


class Side(Model):
    """Another side of a contradiction."""

    fact_kind: FactKind
    fact_id: UUID
    label: str
    validity: Validity
    evidence_count: int


class Contradiction(Model):
    """The other sides of what is disputed; `continuation` leads to those beyond the first."""

    group_id: UUID
    co_members: tuple[Side, ...]
    returned: int
    total: int
    continuation: str | None


class ContextFact(Model):
    """A fact of an envelope. `label` is its statement with the time it holds."""

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
    validity: Validity
    evidence_count: int
    contradict_count: int
    contradiction: Contradiction | None
    support: Literal["current", "withdrawn"]
    source_role: Role
    hops: int | None
    score: float | None


class ContextClaim(Model):
    """A claim of an envelope, with the exact words and where they stand.

    Equal claims are one: `grouped_claim_ids` names them all, `corroboration_count` how many
    lineages they come from.
    """

    claim_id: UUID
    observation_id: UUID
    ordinal: int
    passage_id: UUID
    claim_text: str
    quote: str
    byte_start: int
    byte_end: int
    context: str
    context_start: int
    context_complete: bool
    role: Role
    asserted_at: Instant | None
    claim_valid_from: Instant | None
    claim_valid_until: Instant | None
    claim_valid_precision: Precision
    is_current_testimony: bool
    title: str | None
    source_kind: str | None
    lineage: str
    corroboration_count: int
    grouped_claim_ids: tuple[UUID, ...]
    score: float | None


class FactEvidence(Model):
    """Which claim speaks for or against which fact."""

    fact_kind: FactKind
    fact_id: UUID
    claim_id: UUID
    stance: Stance


class EvidenceTotals(Model):
    """How many claims speak for and against a fact, and how many of them are here."""

    fact_kind: FactKind
    fact_id: UUID
    supports: int
    contradicts: int
    supports_returned: int
    contradicts_returned: int


class ContextPassage(Model):
    """A message of an envelope: testimony, never a fact."""

    passage_id: UUID
    observation_id: UUID
    ordinal: int
    role: Role
    content: str
    title: str | None
    occurred_at: Instant | None
    log_offset: int
    lineage: str
    score: float | None
    why: Why | None


class SearchScope(Model):
    """Where facts were looked for: the entities given or named, and those near them."""

    anchors: tuple[UUID, ...]
    neighbours: tuple[UUID, ...]
    truncated: bool


class VectorFreshness(Model):
    """How far the vectors reach that an answer could use."""

    space: Literal["message", "claim", "fact", "entity", "report"]
    generation: int
    through_offset: int


class Compiled(Model):
    """How many reports there are, and how many were withdrawn; counted up to a thousand."""

    reports: int
    stale: int


class OperationFreshness(Model):
    """What the memory had taken in when it answered."""

    read_at: Instant
    known_through: Instant | None
    stored: int
    formed: int | None
    parked: int
    rebuilding: Rebuilding | None
    vectors: VectorFreshness | None
    compiled: Compiled


class Truncation(Model):
    """What is returned of how much. `continuation` is the argument for the next page."""

    truncated: bool
    returned: int
    estimated_total: int
    total_is_exact: bool
    continuation: str | None


class Negative(Model):
    """Why there is nothing, and what to do instead. `suggestions` are names for people."""

    kind: Literal["unknown_entity", "known_empty", "boundary"]
    explanation: str
    workaround: str
    suggestions: tuple[str, ...]


class Envelope(Model):
    """The answer of an assured operation (contract envelope/v1)."""

    contract: Literal["envelope/v1"]
    operation: Literal["resolve_entity", "testimony_context", "fact_context"]
    grain: Grain
    temporal_scope: TemporalScope
    entities: tuple[ScopeEntity, ...]
    facts: tuple[ContextFact, ...]
    evidence: tuple[ContextClaim, ...]
    fact_evidence: tuple[FactEvidence, ...]
    evidence_totals: tuple[EvidenceTotals, ...]
    passages: tuple[ContextPassage, ...]
    scope: SearchScope
    freshness: OperationFreshness
    truncation: Truncation
    dropped_by_hydration: int
    searched: Literal["words", "vectors", "both"] | None
    degraded: tuple[DegradedOperation, ...]
    negative: Negative | None

    def quotes(self, fact_id: UUID) -> tuple[ContextClaim, ...]:
        """Return the evidence of a fact that is here, support first."""
        claims = {claim.claim_id: claim for claim in self.evidence}
        return tuple(
            claims[link.claim_id] for link in self.fact_evidence if link.fact_id == fact_id
        )

    def render(self, max_characters: int | None = None) -> str:
        """Write the answer as a block of text for a prompt, marked as untrusted.

        `max_characters` (default: no limit) counts everything in the block, in Unicode code
        points. The block is cut only between items, and says so. Raises `InvalidArgument` if
        the limit cannot hold even the frame.
        """
        from taisce_pg.client.assuredtext import render_envelopes

        return render_envelopes([self], max_characters)


class ContextBundle(Model):
    """What was said and what is held, together (contract ContextBundle/v1).

    Both envelopes are whole. `cut` says that the budget of characters left items out.
    """

    contract: Literal["ContextBundle/v1"]
    operation: Literal["answer_context"]
    evaluated_at: Instant
    max_characters: int | None
    characters: int
    cut: Literal["characters"] | None
    testimony: Envelope
    facts: Envelope

    def render(self, max_characters: int | None = None) -> str:
        """Write both as one block of text; see `Envelope.render`."""
        from taisce_pg.client.assuredtext import render_envelopes

        return render_envelopes([self.facts, self.testimony], max_characters)


CONTRACTS: dict[str, type[Model]] = {"envelope/v1": Envelope, "ContextBundle/v1": ContextBundle}
