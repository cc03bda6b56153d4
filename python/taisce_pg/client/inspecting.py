"""The methods of the blocking client that look into a memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from taisce_pg.client import calls
from taisce_pg.client.asking import Asking
from taisce_pg.client.inspected import (
    Absence,
    Citation,
    Context,
    DueSegment,
    Entity,
    ListedEntity,
    ListedRecord,
    MessagePart,
    ProjectFreshness,
    RecallStage,
    RecordInterval,
)


class Inspecting(Asking):
    """Contexts, citations, records, entities, freshness, and why an answer is as it is."""

    def context(
        self,
        data_subject_id: str,
        *,
        max_characters: int | None = None,
        project: str | None = None,
    ) -> Context:
        """Return a person's history within a budget: new turns word for word, old ones in short.

        `max_characters` (code points) is by default and at most the server's budget. Roles of
        every kind are returned, each labelled. Raises `InvalidArgument` for a blank subject.
        """
        return self._ask("context", Context, calls.given(locals()))

    def segments_due(
        self,
        data_subject_id: str,
        *,
        max_rows: int | None = None,
        project: str | None = None,
    ) -> tuple[DueSegment, ...]:
        """Return what a summariser should condense next for a person; write it and ask again.

        `max_rows` is 1 to 100, default 20.
        """
        return self._list("segments_due", DueSegment, calls.given(locals()))

    def resolve_citation(
        self,
        fact_id: UUID | str,
        *,
        after: str | None = None,
        max_rows: int | None = None,
        project: str | None = None,
    ) -> Citation:
        """Return a fact as it is kept, whatever became of it, with its evidence checked.

        A page holds 1 to 32 pieces of evidence (default 8) and at most 256 KiB of text; `after`
        is the `continuation` of the last. Raises `NotFound` for an unknown, erased, expired or
        foreign id.
        """
        return self._ask("resolve_citation", Citation, calls.given(locals()))

    def message_window(
        self,
        passage_id: UUID | str,
        *,
        byte_start: int | None = None,
        byte_limit: int | None = None,
        expected_digest: str | None = None,
        project: str | None = None,
    ) -> MessagePart:
        """Return a part of a message, at most 4 to 4,096 bytes, cut at whole characters.

        Go on at `next_byte_start` with the `content_digest` of the first window. Raises
        `SourceChanged` if the message is another by then, `NotFound` as `resolve_citation`.
        """
        return self._ask("message_window", MessagePart, calls.given(locals()))

    def list_records(
        self,
        *,
        data_subject_id: str | None = None,
        after: str | None = None,
        max_rows: int | None = None,
        project: str | None = None,
    ) -> tuple[ListedRecord, ...]:
        """Return a page of the facts that are kept, in the order of being told.

        `max_rows` is 1 to 100, default 20; `after` is the `continuation` of the last row.
        """
        return self._list("list_records", ListedRecord, calls.given(locals()))

    def record_history(
        self,
        fact_id: UUID | str,
        *,
        before: str | None = None,
        max_rows: int | None = None,
        project: str | None = None,
    ) -> tuple[RecordInterval, ...]:
        """Return every interval of a fact on both clocks, newest knowledge first.

        `max_rows` is 1 to 100, default 20; `before` is the `continuation` of the last row.
        Raises `NotFound` as `resolve_citation`.
        """
        return self._list("record_history", RecordInterval, calls.given(locals()))

    def list_entities(
        self,
        *,
        after: str | None = None,
        max_rows: int | None = None,
        project: str | None = None,
    ) -> tuple[ListedEntity, ...]:
        """Return a page of the entities in service.

        `max_rows` is 1 to 100, default 20; `after` is the `continuation` of the last row.
        """
        return self._list("list_entities", ListedEntity, calls.given(locals()))

    def get_entity(
        self,
        entity_id: UUID | str,
        *,
        project: str | None = None,
    ) -> Entity:
        """Return an entity: names, speaker binding, merges, counts of facts.

        The id of a merged entity leads to its survivor. Raises `NotFound` for any other id.
        """
        return self._ask("get_entity", Entity, calls.given(locals()))

    def freshness(
        self,
        *,
        project: str | None = None,
    ) -> ProjectFreshness:
        """Return how far a project has come; it costs the same for any size."""
        return self._ask("freshness", ProjectFreshness, calls.given(locals()))

    def explain_recall(
        self,
        question: str,
        *,
        project: str | None = None,
        data_subject_id: str | None = None,
        max_characters: int | None = None,
        source_roles: Iterable[str] | None = None,
        hops: int | None = None,
        surfaces: Iterable[str] | None = None,
        themes: bool | None = None,
        as_of: datetime | str | None = None,
        as_known_at: datetime | str | None = None,
        evidence_per_fact: int | None = None,
        query_embedding: Sequence[float] | None = None,
        embedding_model: str | None = None,
    ) -> tuple[RecallStage, ...]:
        """Return how a recall came to its answer, stage by stage, with counts.

        Takes the arguments of `recall` and raises as that.
        """
        return self._list("explain_recall", RecallStage, calls.given(locals()))

    def why_not(
        self,
        fact_id: UUID | str,
        question: str,
        *,
        project: str | None = None,
        data_subject_id: str | None = None,
        max_characters: int | None = None,
        source_roles: Iterable[str] | None = None,
        hops: int | None = None,
        surfaces: Iterable[str] | None = None,
        themes: bool | None = None,
        as_of: datetime | str | None = None,
        as_known_at: datetime | str | None = None,
        evidence_per_fact: int | None = None,
        query_embedding: Sequence[float] | None = None,
        embedding_model: str | None = None,
    ) -> Absence:
        """Return at which stage of a recall a fact left.

        Takes the fact and the arguments of `recall`; raises as that, and `NotFound`.
        """
        return self._ask("why_not", Absence, calls.given(locals()))

    def recall_plan(
        self,
        question: str,
        *,
        project: str | None = None,
        data_subject_id: str | None = None,
        max_characters: int | None = None,
        source_roles: Iterable[str] | None = None,
        hops: int | None = None,
        surfaces: Iterable[str] | None = None,
        themes: bool | None = None,
        as_of: datetime | str | None = None,
        as_known_at: datetime | str | None = None,
        evidence_per_fact: int | None = None,
        query_embedding: Sequence[float] | None = None,
        embedding_model: str | None = None,
    ) -> tuple[str, ...]:
        """Return the plan of the walk for a question, line by line, for administrators.

        Takes the arguments of `recall` and raises as that.
        """
        values = calls.given(locals())
        return tuple(self._rows("recall_plan", values))
