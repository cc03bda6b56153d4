"""Answers about vectors: what is found by them, and the generations that hold them."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from taisce_pg.client.models import Instant, Model, Role

Space = Literal["message", "claim", "fact", "entity", "report"]
GenerationState = Literal["building", "ready", "active", "retired"]


class FoundPassage(Model):
    """A passage found for a query: its first 512 characters and how it was found.

    `score` orders the answer; `similarity` is the passage's own cosine, None without one.
    """

    passage_id: UUID
    observation_id: UUID
    ordinal: int
    role: Role
    title: str | None
    quote: str
    complete: bool
    occurred_at: Instant | None
    log_offset: int
    score: float
    similarity: float | None
    why: str
    searched: Literal["words", "vectors", "both"]
    approximate: bool
    generation: int | None
    through_offset: int | None


class EntityCandidate(Model):
    """An entity near a query: where to look, never who is meant."""

    entity_id: UUID
    name: str
    entity_type: str | None
    similarity: float
    approximate: bool
    generation: int
    through_offset: int
    covered_through_offset: int


class ReportCandidate(Model):
    """A report near a query, with the facts and observations that it covers."""

    community_id: UUID
    report_id: UUID
    title: str
    summary: str
    importance: float
    similarity: float
    level: int
    parent_id: UUID | None
    sources: tuple[UUID, ...]
    facts: tuple[UUID, ...]
    compiled_at: Instant
    approximate: bool
    generation: int
    through_offset: int
    covered_through_offset: int


class Generation(Model):
    """All vectors that one model made of one space.

    `embedding_model` is the model's name with its revision. Everything up to
    `covered_through_offset` of the log has a vector; `through_offset` is the highest that has.
    """

    generation_id: int
    space: Space
    model: str
    revision: str
    embedding_model: str
    dimensions: int
    metric: str
    input_version: str
    state: GenerationState
    through_offset: int
    covered_through_offset: int
    vectors: int
    own_index: bool
    created_at: Instant
    activated_at: Instant | None
    retired_at: Instant | None


class ActiveModel(Model):
    """The model that a space is searched with."""

    space: Space
    embedding_model: str
    model: str
    revision: str
    dimensions: int
    generation_id: int
    through_offset: int
    covered_through_offset: int


class DueText(Model):
    """A text that has no vector yet, and the digest that its vector is stored under."""

    item_id: UUID
    log_offset: int
    input_text: str
    input_digest: str


class StoredEmbeddings(Model):
    """What became of vectors: stored, of a text that changed (stale), of one that went (gone)."""

    stored: int
    stale: int
    gone: int
    through_offset: int
    covered_through_offset: int
