"""The methods of the asynchronous client that write to a memory."""
# Made from writing.py by `python -m tests.support.twins`: change it there.

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from taisce_pg.client import calls
from taisce_pg.client.aasking import AsyncAsking
from taisce_pg.client.models import Bundle
from taisce_pg.client.written import (
    AddedAlias,
    AssertedFact,
    FactSupport,
    Formation,
    MarkedContradiction,
    MergedEntities,
    Observed,
    RebuildState,
    RegisteredCommunity,
    RegisteredReport,
    RegisteredSegment,
    ReportedFeedback,
    RetractedFact,
)

Reference = str | UUID | Mapping[str, Any]
"""An entity: its name, its id, or a mapping with `id`, `key` or `speaker`."""


class AsyncWriting(AsyncAsking):
    """Observations, facts, merges, summaries, rebuilds and feedback.

    A write is sent once: if the connection is lost before the answer, psycopg's own error says
    so, and the caller decides. All but `observe` without a key, `correct_fact` and
    `report_feedback` may be called again, and change nothing the second time.
    """

    async def observe(
        self,
        messages: Iterable[Mapping[str, Any]],
        *,
        kind: str | None = None,
        data_subject_id: str | None = None,
        occurred_at: datetime | str | None = None,
        idempotency_key: str | None = None,
        lineage: str | None = None,
        title: str | None = None,
        source_kind: str | None = None,
        source_ref: str | None = None,
        retention_until: datetime | str | None = None,
        project: str | None = None,
    ) -> Observed:
        """Append what was said, as messages with `role`, `content` and `occurred_at`.

        A message holds at most 65,536 bytes; a longer one of a document is split at ends of
        paragraphs. With an `idempotency_key` a second call returns what the first stored; raises
        `IdempotencyConflict` if the content is another.
        """
        return await self._ask("observe", Observed, calls.given(locals()))

    async def assert_fact(
        self,
        subject: Reference,
        *,
        predicate: str | None = None,
        object: Reference | None = None,
        value: str | None = None,
        statement: str | None = None,
        evidence: Iterable[Mapping[str, Any]] | None = None,
        valid_from: datetime | str | None = None,
        valid_until: datetime | str | None = None,
        confidence: float | None = None,
        cardinality: str | None = None,
        on_conflict: str | None = None,
        project: str | None = None,
    ) -> AssertedFact:
        """Believe a fact because of words somebody said.

        Give an `object`, a `value`, or neither for a bare statement. `evidence` is a list of
        mappings with `observation` (a key or {"id": ...}), `quote`, and `ordinal`, `byte_start`,
        `claim_text`, `stance` if need be; or with `claim`. Times are half open. `confidence` is
        from 0 to 1. With cardinality `one`, a newcomer that starts inside another value ends that
        one; any other overlap raises `ConflictingValue`, unless `on_conflict` is `contradict` or
        `truncate`. Raises `NotFound` for unknown references, `InvalidArgument` for quotes that
        do not occur, ambiguous names, and words put into a speaker's mouth.
        """
        return await self._ask("assert_fact", AssertedFact, calls.given(locals()))

    async def correct_fact(
        self,
        fact_id: UUID | str,
        subject: Reference,
        *,
        predicate: str | None = None,
        object: Reference | None = None,
        value: str | None = None,
        statement: str | None = None,
        evidence: Iterable[Mapping[str, Any]] | None = None,
        valid_from: datetime | str | None = None,
        valid_until: datetime | str | None = None,
        confidence: float | None = None,
        cardinality: str | None = None,
        on_conflict: str | None = None,
        project: str | None = None,
    ) -> AssertedFact:
        """End the belief in a fact and assert another in its place, at one instant of knowledge.

        Takes the fact and the arguments of `assert_fact`; raises as that, `NotFound` for the fact,
        and `InvalidArgument` if it is believed no more or says the same.
        """
        return await self._ask("correct_fact", AssertedFact, calls.given(locals()))

    async def retract_fact(
        self,
        fact_id: UUID | str,
        *,
        reason: str | None = None,
        project: str | None = None,
    ) -> RetractedFact:
        """End the belief in a fact from now on; reads at an earlier known time still show it.

        New evidence opens it again. Raises `NotFound`.
        """
        return await self._ask("retract_fact", RetractedFact, calls.given(locals()))

    async def mark_contradiction(
        self,
        fact_ids: Iterable[UUID | str],
        *,
        project: str | None = None,
    ) -> MarkedContradiction:
        """Say that two facts or more contradict each other; they are shown together from then on.

        Facts that contradict one of them already join them. Raises `NotFound`.
        """
        return await self._ask("mark_contradiction", MarkedContradiction, calls.given(locals()))

    async def withdraw_support(
        self,
        fact_id: UUID | str,
        *,
        project: str | None = None,
    ) -> FactSupport:
        """Mark that the sources of a fact no longer support it, without ending the belief.

        Reports that cover it are withdrawn. Raises `NotFound`.
        """
        return await self._ask("withdraw_support", FactSupport, calls.given(locals()))

    async def mark_formed(
        self,
        observation_id: UUID | str,
        *,
        project: str | None = None,
    ) -> Formation:
        """Say that what an observation holds has been taken in; one that was parked is so no more.

        Raises `NotFound`.
        """
        return await self._ask("mark_formed", Formation, calls.given(locals()))

    async def park(
        self,
        observation_id: UUID | str,
        reason: str,
        *,
        project: str | None = None,
    ) -> Formation:
        """Put an observation aside that cannot be taken in, so that freshness does not wait for it.

        Raises `NotFound`, and `InvalidArgument` if it is formed.
        """
        return await self._ask("park", Formation, calls.given(locals()))

    async def register_segment(
        self,
        data_subject_id: str,
        level: int,
        from_offset: int,
        to_offset: int,
        summary: str,
        *,
        covered: int | None = None,
        project: str | None = None,
    ) -> RegisteredSegment:
        """Keep the summary of a range of a person's turns, as `segments_due` asks for it.

        `level` is 1 to 6. Raises `ConflictingValue` if another segment of the person and level
        covers part of the range.
        """
        return await self._ask("register_segment", RegisteredSegment, calls.given(locals()))

    async def register_community(
        self,
        key: str,
        members: Iterable[Reference],
        *,
        level: int | None = None,
        parent: str | None = None,
        project: str | None = None,
    ) -> RegisteredCommunity:
        """Keep a community of entities under a key; told again, it is what was told last.

        `parent` is the key of a community told before. Raises `NotFound` for what is unknown.
        """
        return await self._ask("register_community", RegisteredCommunity, calls.given(locals()))

    async def register_report(
        self,
        community: str,
        title: str,
        summary: str,
        *,
        importance: float | None = None,
        fact_ids: Iterable[UUID | str] | None = None,
        observation_ids: Iterable[UUID | str] | None = None,
        project: str | None = None,
    ) -> RegisteredReport:
        """Keep a report about a community; it takes the place of the one before.

        A change of a fact or source that it covers withdraws it. Raises `NotFound`.
        """
        return await self._ask("register_report", RegisteredReport, calls.given(locals()))

    async def begin_rebuild(
        self,
        from_offset: int,
        to_offset: int,
        *,
        project: str | None = None,
    ) -> RebuildState:
        """Say that a range of offsets is being formed again; freshness shows it until the end.

        Raises `InvalidArgument` if another range is being rebuilt.
        """
        return await self._ask("begin_rebuild", RebuildState, calls.given(locals()))

    async def advance_rebuild(
        self,
        at_offset: int,
        *,
        project: str | None = None,
    ) -> RebuildState:
        """Say how far the running rebuild has come; it never goes back.

        Raises `NotFound` if none is running.
        """
        return await self._ask("advance_rebuild", RebuildState, calls.given(locals()))

    async def end_rebuild(
        self,
        *,
        project: str | None = None,
    ) -> RebuildState:
        """End the running rebuild, done or given up.

        Raises `NotFound` if none is running.
        """
        return await self._ask("end_rebuild", RebuildState, calls.given(locals()))

    async def add_alias(
        self,
        entity_id: UUID | str,
        alias: str,
        *,
        project: str | None = None,
    ) -> AddedAlias:
        """Declare another name of an entity; a name may lead to several.

        The name has at most 4,096 bytes. Raises `NotFound`.
        """
        return await self._ask("add_alias", AddedAlias, calls.given(locals()))

    async def merge_entities(
        self,
        absorbed: Reference,
        survivor: Reference,
        *,
        project: str | None = None,
    ) -> MergedEntities:
        """Make one entity of two named ones, in reads of every time.

        Raises `NotFound` for what is unknown, `InvalidArgument` for speakers.
        """
        return await self._ask("merge_entities", MergedEntities, calls.given(locals()))

    async def unmerge(
        self,
        merge_id: UUID | str,
        *,
        project: str | None = None,
    ) -> MergedEntities:
        """Take a merge back: what was the absorbed entity's is so again.

        What was told since stays with the survivor. Raises `NotFound`, and `InvalidArgument` if
        a later merge of the survivor has to be taken back first.
        """
        return await self._ask("unmerge", MergedEntities, calls.given(locals()))

    async def report_feedback(
        self,
        *,
        fact_id: UUID | str | None = None,
        bundle: Bundle | Mapping[str, Any] | None = None,
        kind: str | None = None,
        note: str | None = None,
        project: str | None = None,
    ) -> ReportedFeedback:
        """Keep what a reader thinks of a fact, or of an answer of which only the ids are kept.

        `kind` is helpful, wrong, outdated, missing, harmful or other. Raises `NotFound`.
        """
        return await self._ask("report_feedback", ReportedFeedback, calls.given(locals()))
