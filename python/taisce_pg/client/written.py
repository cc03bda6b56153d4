"""What a write comes to."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from taisce_pg.client.models import Instant, Model


class Observed(Model):
    """An observation as it was stored; `repeated` if its key was known already."""

    observation_id: UUID
    log_offset: int
    repeated: bool


class AssertedFact(Model):
    """A fact that was asserted.

    `superseded` is the fact that it ended. `known_from` is since when it is believed as it
    stands, None if it is not: it was retracted and the evidence was not new.
    """

    fact_id: UUID
    superseded: UUID | None
    contradiction_group: UUID | None
    known_from: Instant | None


class RetractedFact(Model):
    """A fact that is believed no more; `repeated` if it was not before either."""

    fact_id: UUID
    retracted_at: Instant | None
    repeated: bool


class FactSupport(Model):
    """A fact whose support was withdrawn."""

    fact_id: UUID
    support: Literal["current", "withdrawn"]
    repeated: bool


class MarkedContradiction(Model):
    """The group of facts that contradict each other, and how many they are."""

    contradiction_group: UUID
    facts: int
    repeated: bool


class AddedAlias(Model):
    """A name as it was normalised, and the entity it leads to now."""

    entity_id: UUID
    normalized_name: str
    repeated: bool


class MergedEntities(Model):
    """A merge; `reversed_at` is when it was taken back."""

    merge_id: UUID
    absorbed: UUID
    survivor: UUID
    merged_at: Instant
    reversed_at: Instant | None
    repeated: bool


class Formation(Model):
    """An observation that was formed or parked; `formed` is the project's freshness after it."""

    observation_id: UUID
    log_offset: int
    formed_at: Instant | None
    parked_at: Instant | None
    formed: int | None
    repeated: bool


class RegisteredSegment(Model):
    """A segment, and how many turns it covers."""

    segment_id: UUID
    covered: int
    repeated: bool


class RegisteredCommunity(Model):
    """A community, and how many members it has."""

    community_id: UUID
    members: int
    repeated: bool


class RegisteredReport(Model):
    """A report; `withdrawn_at` if a fact it covers is believed no more."""

    report_id: UUID
    withdrawn_at: Instant | None
    repeated: bool


class RebuildState(Model):
    """A range of offsets that is formed again; `at_offset` is the last one done."""

    rebuild_id: UUID
    from_offset: int
    to_offset: int
    at_offset: int
    started_at: Instant
    ended_at: Instant | None


class ReportedFeedback(Model):
    """Feedback that was kept."""

    feedback_id: UUID
    reported_at: Instant
