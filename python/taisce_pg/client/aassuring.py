"""The methods of the asynchronous client for the assured operations and the graph."""
# Made from assuring.py by `python -m tests.support.twins`: change it there.

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from taisce_pg.client import calls
from taisce_pg.client.aasking import AsyncAsking
from taisce_pg.client.assuredmodels import ContextBundle, Envelope
from taisce_pg.client.assuredrows import (
    BelievedFact,
    ContradictionMember,
    FactItem,
    GraphEdge,
    GraphRoute,
    TestimonyItem,
)
from taisce_pg.client.scopes import TimeScope


class AsyncAssuring(AsyncAsking):
    """Entities, testimony, facts and both together, each with an account of what it left out."""

    async def resolve_entity(
        self,
        name: str,
        *,
        entity_type: str | None = None,
        project: str | None = None,
    ) -> Envelope:
        """Return all entities that a name leads to: exact names and aliases, never a guess.

        `name` has 1 to 4,096 bytes. None found is the negative `unknown_entity`. Raises
        `LimitExceeded` over 256.
        """
        return await self._ask("resolve_entity", Envelope, calls.given(locals()))

    async def testimony_context(
        self,
        query: str,
        *,
        project: str | None = None,
        entity_ids: Iterable[UUID | str] | None = None,
        k: int | None = None,
        candidate_k: int | None = None,
        data_subject_id: str | None = None,
        source_roles: Iterable[str] | None = None,
        continuation: str | None = None,
        query_embedding: Sequence[float] | None = None,
        embedding_model: str | None = None,
    ) -> Envelope:
        """Return what was said: claims and passages, `k` (50, 1 to 100) of each; never facts.

        `entity_ids` (1 to 20) are a fence. `candidate_k` (200, k to 400) says how deep to look.
        `continuation` of an answer leads to the next of the same candidates. Raises
        `InvalidArgument`, `UnknownProject`, `EmbeddingMismatch`.
        """
        return await self._ask("testimony_context", Envelope, calls.given(locals()))

    async def fact_context(
        self,
        query: str,
        *,
        project: str | None = None,
        entity_ids: Iterable[UUID | str] | None = None,
        hops: int | None = None,
        predicate: str | None = None,
        k: int | None = None,
        evidence_per_fact: int | None = None,
        time_scope: TimeScope | Mapping[str, Any] | None = None,
        identity_regime: str | None = None,
        data_subject_id: str | None = None,
        source_roles: Iterable[str] | None = None,
        continuation: str | None = None,
        query_embedding: Sequence[float] | None = None,
        embedding_model: str | None = None,
    ) -> Envelope:
        """Return what is held true: `k` (15, 1 to 30) facts, with evidence and other sides.

        `time_scope` is `Current()` (the default), `At(t)`, `Overlap(a, b)` or `History()`.
        `entity_ids` (1 to 19) and their neighbours within `hops` (1, 0 to 2) are a fence; without
        them names in the query are preferred. Raises as `testimony_context`.
        """
        return await self._ask("fact_context", Envelope, calls.given(locals()))

    async def answer_context(
        self,
        query: str,
        *,
        project: str | None = None,
        entity_ids: Iterable[UUID | str] | None = None,
        hops: int | None = None,
        predicate: str | None = None,
        time_scope: TimeScope | Mapping[str, Any] | None = None,
        data_subject_id: str | None = None,
        source_roles: Iterable[str] | None = None,
        max_characters: int | None = None,
        query_embedding: Sequence[float] | None = None,
        embedding_model: str | None = None,
    ) -> ContextBundle:
        """Return what was said and what is held, from one snapshot, each a whole envelope.

        `max_characters` (code points, default none) cuts both in turn. Raises as
        `testimony_context`.
        """
        return await self._ask("answer_context", ContextBundle, calls.given(locals()))

    async def facts(
        self, fact_ids: Iterable[UUID | str], *, project: str | None = None
    ) -> tuple[FactItem, ...]:
        """Return facts by id (1 to 100), whatever became of them.

        Raises `NotFound` if any is unknown, erased or expired.
        """
        return await self._list("facts", FactItem, calls.given(locals()))

    async def claims(
        self, claim_ids: Iterable[UUID | str], *, project: str | None = None
    ) -> tuple[TestimonyItem, ...]:
        """Return claims by id (1 to 100). Raises `NotFound` as `facts`."""
        return await self._list("claims", TestimonyItem, calls.given(locals()))

    async def facts_as_of(
        self,
        valid_at: datetime | str,
        believed_at: datetime | str,
        *,
        max_rows: int | None = None,
        identity_regime: str | None = None,
        project: str | None = None,
    ) -> tuple[BelievedFact, ...]:
        """Return what the memory believed at `believed_at` about `valid_at`, by kind and id.

        `max_rows` is 0 to 1,000, default 200. `identity_regime` "as_of" takes merges since then
        back.
        """
        return await self._list("facts_as_of", BelievedFact, calls.given(locals()))

    async def contradiction_members(
        self,
        group_id: UUID | str,
        *,
        continuation: str | None = None,
        project: str | None = None,
    ) -> tuple[ContradictionMember, ...]:
        """Return a page of 25 sides of a contradiction. Raises `NotFound` for an unknown group."""
        return await self._list("contradiction_members", ContradictionMember, calls.given(locals()))

    async def graph_neighborhood(
        self,
        entity_id: UUID | str,
        *,
        max_depth: int | None = None,
        predicates: Iterable[str] | None = None,
        valid_at: datetime | str | None = None,
        believed_at: datetime | str | None = None,
        max_edges: int | None = None,
        project: str | None = None,
    ) -> tuple[GraphEdge, ...]:
        """Return the relations around an entity, breadth first, in both directions.

        `max_depth` is 1 to 4 (2), `max_edges` 1 to 500 (100). Give both instants for a past
        state, or neither. Raises `NotFound` for an unknown entity.
        """
        return await self._list("graph_neighborhood", GraphEdge, calls.given(locals()))

    async def graph_path(
        self,
        from_id: UUID | str,
        to_id: UUID | str,
        *,
        max_depth: int | None = None,
        predicates: Iterable[str] | None = None,
        valid_at: datetime | str | None = None,
        believed_at: datetime | str | None = None,
        max_paths: int | None = None,
        max_edges: int | None = None,
        project: str | None = None,
    ) -> tuple[GraphRoute, ...]:
        """Return routes between two entities, shortest first, none through an entity twice.

        `max_depth` is 1 to 6 (4), `max_paths` 1 to 10 (3), `max_edges` of one entity 1 to 500
        (100). Raises `NotFound` for an unknown entity.
        """
        return await self._list("graph_path", GraphRoute, calls.given(locals()))
