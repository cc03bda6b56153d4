"""What looking into a memory gives: contexts, citations, records, entities, freshness."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from taisce_pg.client.models import Evidence, Freshness, Instant, Model, Role

Status = Literal["current", "validity_closed", "knowledge_closed", "retracted", "sources_released"]


class ContextControls(Model):
    """What a context was made with."""

    project: str
    data_subject_id: str
    max_characters: int


class ContextSegment(Model):
    """A summary of turns, written by a model about somebody's words."""

    segment_id: UUID
    level: int
    from_offset: int
    to_offset: int
    covered: int
    summary: str


class ContextMessage(Model):
    """A message of a turn; `content` is None if its text was released."""

    passage_id: UUID
    ordinal: int
    role: Role
    content: str | None


class ContextTurn(Model):
    """A turn, word for word."""

    observation_id: UUID
    log_offset: int
    occurred_at: Instant | None
    messages: tuple[ContextMessage, ...]


class Context(Model):
    """A person's history within a budget (contract context/v1); lists are oldest first."""

    contract: Literal["context/v1"]
    controls: ContextControls
    segments: tuple[ContextSegment, ...]
    turns: tuple[ContextTurn, ...]
    characters: int
    truncated: bool
    freshness: Freshness

    def items(self) -> list[ContextSegment | ContextTurn]:
        """Return segments and turns together, oldest first."""
        return sorted(
            [*self.segments, *self.turns],
            key=lambda one: one.from_offset if isinstance(one, ContextSegment) else one.log_offset,
        )

    def render(self, max_characters: int | None = None) -> str:
        """Write the history as a block of text for a prompt, marked as untrusted.

        `max_characters` (default: no limit) counts everything in the block, in Unicode code
        points. The oldest items are left out first, and the block says so. Raises
        `InvalidArgument` if the limit cannot hold even the frame.
        """
        from taisce_pg.client.text import render_context

        return render_context(self, max_characters)


class DueSegment(Model):
    """A segment to write: `sources` are observations for level 1, segments above."""

    level: int
    from_offset: int
    to_offset: int
    covered: int
    sources: tuple[UUID, ...]


class CitedEvidence(Evidence):
    """A piece of evidence of a citation.

    `verified` says whether the quote is, byte for byte, what stands in the message; None if
    the text of the message was released.
    """

    stance: Literal["supports", "contradicts"]
    passage_id: UUID
    log_offset: int
    occurred_at: Instant | None
    linked_at: Instant | None
    verified: bool | None
    extractor_version: str | None


class Retraction(Model):
    """When and why a fact was taken back."""

    retracted_at: Instant
    reason: str | None


class Citation(Model):
    """A fact as it is kept (contract citation/v1), with a page of its evidence.

    The clocks are those of its last version. `continuation` leads to the next page of
    evidence; None on the last.
    """

    contract: Literal["citation/v1"]
    fact_id: UUID
    kind: Literal["relation", "attribute"]
    subject: str
    subject_id: UUID
    predicate: str | None
    object: str | None
    object_id: UUID | None
    value: str | None
    statement: str
    confidence: float | None
    source_role: Role
    data_subject_id: str | None
    cardinality: Literal["one", "many"]
    status: Status
    support: Literal["current", "withdrawn"]
    valid_from: Instant | None
    valid_until: Instant | None
    known_from: Instant | None
    known_until: Instant | None
    recorded_at: Instant
    contradiction_group: UUID | None
    superseded_by: UUID | None
    supersession_source: UUID | None
    retraction: Retraction | None
    evidence: tuple[CitedEvidence, ...]
    continuation: str | None
    freshness: Freshness


class MessagePart(Model):
    """A window of a message; `next_byte_start` is None at its end.

    `content` is None if the text was released.
    """

    passage_id: UUID
    observation_id: UUID
    ordinal: int
    role: Role
    occurred_at: Instant | None
    byte_start: int
    byte_end: int
    content: str | None
    octets: int
    next_byte_start: int | None
    content_digest: str
    released: bool


class ListedRecord(Model):
    """A fact of an inventory; its texts are previews of 512 characters."""

    fact_id: UUID
    kind: Literal["relation", "attribute"]
    subject: str
    subject_id: UUID
    predicate: str | None
    object: str | None
    object_id: UUID | None
    value: str | None
    statement: str
    statement_octets: int
    source_role: Role
    data_subject_id: str | None
    recorded_at: Instant
    status: Status
    support: Literal["current", "withdrawn"]
    continuation: str | None


class RecordInterval(Model):
    """An interval of a fact on both clocks, with what began and what ended it."""

    fact_id: UUID
    statement: str
    valid_from: Instant | None
    valid_until: Instant | None
    known_from: Instant | None
    known_until: Instant | None
    replaced: bool
    cause: str
    caused_by: UUID | None
    closed_cause: str | None
    closed_by: UUID | None
    continuation: str | None


class ListedEntity(Model):
    """An entity of an inventory; `name` is a preview of 512 characters."""

    entity_id: UUID
    identity_kind: Literal["named", "speaker"]
    name: str
    name_octets: int
    entity_type: str | None
    names: int
    speaker_subject_id: str | None
    first_seen_at: Instant
    continuation: str | None


class EntityName(Model):
    """A spelling that leads to an entity."""

    spelling: str
    kind: Literal["canonical", "alias"]
    source_observation_id: UUID | None


class Merge(Model):
    """A merge of two entities into one."""

    merge_id: UUID
    absorbed: UUID
    survivor: UUID
    merged_at: Instant
    merged_by: str
    reversed_at: Instant | None
    reversed_by: str | None


class FactCounts(Model):
    """How many current facts name an entity, counted up to a limit."""

    as_subject: int
    as_object: int
    counted_up_to: int


class Entity(Model):
    """An entity (contract entity/v1); `asked_id` differs if that one was merged into it."""

    contract: Literal["entity/v1"]
    entity_id: UUID
    asked_id: UUID
    identity_kind: Literal["named", "speaker"]
    canonical_name: str
    entity_type: str | None
    profile: str | None
    speaker_subject_id: str | None
    first_seen_at: Instant
    names: tuple[EntityName, ...]
    names_more: bool
    merges: tuple[Merge, ...]
    merges_more: bool
    facts: FactCounts


class VectorSpace(Model):
    """How far the vectors of a space reach, in log offsets."""

    space: str
    model: str
    revision: str
    through_offset: int
    covered_through_offset: int


class ProjectFreshness(Freshness):
    """How far a project has come (contract freshness/v1)."""

    contract: Literal["freshness/v1"]
    spaces: tuple[VectorSpace, ...]


class RecallStage(Model):
    """What happened at a stage of a recall."""

    stage: str
    entity_id: UUID | None
    direction: Literal["subject", "object"] | None
    count: int | None
    note: str | None


class Absence(Model):
    """At which stage of a recall a fact left, and why; stage "answer" if it did not."""

    stage: str
    reason: str


CONTRACTS: dict[str, type[Model]] = {
    "context/v1": Context,
    "citation/v1": Citation,
    "entity/v1": Entity,
    "freshness/v1": ProjectFreshness,
}
