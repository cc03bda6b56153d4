"""The answers of the memory as frozen, typed objects.

They follow the JSON contracts field by field. A field that a newer server adds is kept, and
comes out of `to_dict()` again. Every instant carries its time zone; one outside the years 1
to 9999, which Python cannot hold, stays the text that the server sent.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
)

Role = Literal["user", "assistant", "system", "tool", "document"]
Surface = Literal["facts", "reports", "passages"]
Degraded = Literal[
    "citation_context",
    "semantic_anchors",
    "reports",
    "reports_withheld_for_subject",
    "reports_withheld_for_time",
    "passages",
    "passages_words_only",
    "embedder",
]
SilentBecause = Literal[
    "no_terms", "unknown_name", "no_facts", "subject", "role", "time", "evidence", "budget"
]


def _instant_text(instant: datetime | str) -> str:
    """Write an instant as the server writes it: without trailing zeros of the fraction."""
    if isinstance(instant, str):
        return instant
    text = instant.isoformat()
    if instant.microsecond:
        head, offset = text[:26], text[26:]
        return head.rstrip("0") + offset
    return text


Instant = Annotated[
    AwareDatetime | str,
    Field(union_mode="left_to_right"),
    PlainSerializer(_instant_text, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]


class Model(BaseModel):
    """What all answers share: frozen, unknown fields kept."""

    model_config = ConfigDict(frozen=True, extra="allow")

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values: the fields the server sent, in the contract's order."""
        return self.model_dump(mode="json", exclude_unset=True)


class Controls(Model):
    """The controls as they were applied."""

    project: str | None = None
    data_subject_id: str | None = None
    max_characters: int
    source_roles: tuple[Role, ...]
    hops: int
    surfaces: tuple[Surface, ...] | None
    themes: bool
    as_of: Instant | None = None
    as_known_at: Instant | None = None
    evidence_per_fact: int
    max_rows: int
    embedding_model: str | None = None


class Anchor(Model):
    """An entity that the question named, and the words that named it.

    `matched` is those words as normalised, or "speaker", or "semantic:" and a similarity.
    """

    entity_id: UUID
    name: str
    entity_type: str | None
    matched: str


class Evidence(Model):
    """The exact words behind a fact, and where they stand.

    Byte positions count UTF-8 bytes of the message from 0, end exclusive.
    """

    claim_id: UUID
    observation_id: UUID
    ordinal: int
    role: Role
    quote: str
    byte_start: int
    byte_end: int
    context: str
    context_start: int | None
    context_complete: bool

    def parts(self) -> tuple[str, str, str]:
        """Split the context into what is before the quote, the quote, and what is after it.

        Before and after are empty if the message is no longer stored.
        """
        if not self.context or self.context_start is None:
            return "", self.quote, ""
        raw = self.context.encode()
        start = self.byte_start - self.context_start
        end = start + self.byte_end - self.byte_start
        before, quote, after = raw[:start], raw[start:end], raw[end:]
        if start < 0 or quote != self.quote.encode():
            return "", self.quote, ""
        return before.decode(), self.quote, after.decode()


class Fact(Model):
    """What the memory holds true, with the words that it rests on.

    `valid_from` and `valid_until` say when it held, `known_from` and `known_until` when the
    memory believed it; None is an open end. `path` and `via` are given beyond the first hop.
    """

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
    valid_from: Instant | None
    valid_until: Instant | None
    known_from: Instant | None
    known_until: Instant | None
    anchored_on: str
    source_role: Role
    support: Literal["current", "withdrawn"]
    hops: int
    path: tuple[str, ...]
    via: tuple[str, ...]
    co_derived_with: tuple[UUID, ...]
    contradicts: tuple[UUID, ...]
    evidence: tuple[Evidence, ...]
    evidence_total: int


class Report(Model):
    """A written summary of a community of facts; it describes today.

    `facts` and `sources` are what it was written from. `child_of` is the report of which it is
    here as a child, `parent` the community above its own.
    """

    report_id: UUID
    community_id: UUID | None = None
    title: str
    summary: str
    importance: float | None = None
    similarity: float | None = None
    level: int | None = None
    parent: UUID | None = None
    sources: tuple[UUID, ...] = ()
    facts: tuple[UUID, ...] = ()
    compiled_at: Instant | None = None
    child_of: UUID | None = None


class Passage(Model):
    """Words of a message offered as evidence, never as a fact."""

    passage_id: UUID
    observation_id: UUID | None = None
    ordinal: int | None = None
    role: Role
    title: str | None = None
    quote: str
    occurred_at: Instant | None = None
    similarity: float | None = None
    score: float | None = None
    why: str | None = None
    complete: bool | None = None


class FactsPerAnchor(Model):
    """How many facts of the answer start at one anchor."""

    entity_id: UUID
    name: str
    facts: int


class FanoutCut(Model):
    """A direction of an entity that had more facts than are read."""

    entity_id: UUID
    entity: str
    direction: Literal["subject", "object"]
    hop: int


class Reach(Model):
    """How far the question reached, and what was left out.

    `suggestions` are names for people to read; nothing is ever looked up by them.
    """

    terms: int
    terms_dropped: int
    anchored: int
    named_nothing_known: bool
    facts_per_anchor: tuple[FactsPerAnchor, ...]
    fanout_cut: tuple[FanoutCut, ...]
    silent_because: SilentBecause | None
    suggestions: tuple[str, ...] = ()


class Rebuilding(Model):
    """A range of log offsets that is being formed again, and how far that is."""

    from_offset: int
    to_offset: int
    at_offset: int | None


class Freshness(Model):
    """What the memory had taken in when it answered.

    `stored` and `formed` are log offsets; `known_through` is the last stamp of knowledge.
    """

    stored: int
    formed: int | None
    parked: int
    rebuilding: Rebuilding | None
    read_at: Instant
    known_through: Instant | None


class Scope(Model):
    """The instants asked for, as given.

    `read_as_known_at` is there when a later instant was read as `known_through`.
    """

    as_of: Instant | None
    as_known_at: Instant | None
    read_as_known_at: Instant | None = None


class Bundle(Model):
    """The answer of recall (contract recall/v1)."""

    contract: Literal["recall/v1"]
    controls: Controls
    anchors: tuple[Anchor, ...]
    facts: tuple[Fact, ...]
    reports: tuple[Report, ...]
    passages: tuple[Passage, ...]
    truncated: bool
    cut: Literal["rows", "characters", "both"] | None
    characters: int
    degraded: tuple[Degraded, ...]
    reach: Reach
    freshness: Freshness
    scope: Scope

    def render(self, max_characters: int | None = None) -> str:
        """Write the answer as a block of text for a prompt, marked as untrusted.

        `max_characters` (default: no limit) counts everything in the block, in Unicode code
        points. The block is cut only between items, and says so. Raises `InvalidArgument` if
        the limit cannot hold even the frame.
        """
        from taisce_pg.client.text import render

        return render(self, max_characters)


CONTRACTS: dict[str, type[Model]] = {"recall/v1": Bundle}
