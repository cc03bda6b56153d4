"""The methods of the asynchronous client that search by vectors and that keep them."""
# Made from searching.py by `python -m tests.support.twins`: change it there.

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from taisce_pg.client import calls
from taisce_pg.client.aasking import AsyncAsking
from taisce_pg.client.vectors import (
    ActiveModel,
    DueText,
    EntityCandidate,
    FoundPassage,
    Generation,
    ReportCandidate,
    StoredEmbeddings,
)

if TYPE_CHECKING:
    from taisce_pg.client.questions import Questions
    from taisce_pg.communities.survey import Survey
    from taisce_pg.embed.fill import Filled


class AsyncSearching(AsyncAsking):
    """Passages, entities and reports near a text, and the vectors that find them."""

    project: str | None
    _dsn: str
    _questions: Questions

    async def passage_search(
        self,
        query: str,
        *,
        query_embedding: Sequence[float] | None = None,
        embedding_model: str | None = None,
        max_rows: int | None = None,
        data_subject_id: str | None = None,
        source_roles: Iterable[str] | None = None,
        approximate: bool | None = None,
        project: str | None = None,
    ) -> tuple[FoundPassage, ...]:
        """Return passages for a question, best first; `max_rows` is 1 to 32, default 10.

        By words, and by the vectors of messages with them if the client has an embedder of their
        model: `searched` says which. Raises `InvalidArgument`, `UnknownProject`,
        `EmbeddingMismatch`.
        """
        return await self._list("passage_search", FoundPassage, calls.given(locals()))

    async def entity_candidates(
        self,
        query: str,
        *,
        query_embedding: Sequence[float] | None = None,
        embedding_model: str | None = None,
        max_rows: int | None = None,
        data_subject_id: str | None = None,
        source_roles: Iterable[str] | None = None,
        approximate: bool | None = None,
        project: str | None = None,
    ) -> tuple[EntityCandidate, ...]:
        """Return entities near a text, nearest first: places to look, never who is meant.

        Raises `Unavailable` without vectors of entities or without an embedder of their model,
        else as `passage_search`.
        """
        return await self._list("entity_candidates", EntityCandidate, calls.given(locals()))

    async def report_candidates(
        self,
        query: str,
        *,
        query_embedding: Sequence[float] | None = None,
        embedding_model: str | None = None,
        max_rows: int | None = None,
        data_subject_id: str | None = None,
        source_roles: Iterable[str] | None = None,
        approximate: bool | None = None,
        project: str | None = None,
    ) -> tuple[ReportCandidate, ...]:
        """Return reports near a text, nearest first; none if a data subject is named.

        Raises as `entity_candidates`.
        """
        return await self._list("report_candidates", ReportCandidate, calls.given(locals()))

    async def generations(
        self, *, space: str | None = None, project: str | None = None
    ) -> tuple[Generation, ...]:
        """Return the generations of vectors, newest first."""
        return await self._list("generations", Generation, calls.given(locals()))

    async def active_model(
        self, *, space: str | None = None, project: str | None = None
    ) -> tuple[ActiveModel, ...]:
        """Return the model that each space is searched with; none for a space without vectors."""
        return await self._list("active_model", ActiveModel, calls.given(locals()))

    async def begin_generation(
        self,
        space: str,
        model: str,
        dimensions: int,
        *,
        revision: str | None = None,
        input_version: str | None = None,
        project: str | None = None,
    ) -> Generation:
        """Begin a generation of vectors, or return the one of the same kind that is there.

        Needs an administrator, like everything that keeps vectors.
        """
        return await self._ask("begin_generation", Generation, calls.given(locals()))

    async def embedding_due(
        self,
        generation_id: int,
        *,
        after_offset: int | None = None,
        after_id: UUID | str | None = None,
        max_rows: int | None = None,
        project: str | None = None,
    ) -> tuple[DueText, ...]:
        """Return texts that have no vector yet, or whose text changed, in a fixed order.

        The offset and the id of the last lead to the next page. `max_rows` is 1 to 10,000,
        default 256.
        """
        return await self._list("embedding_due", DueText, calls.given(locals()))

    async def store_embeddings(
        self,
        generation_id: int,
        item_ids: Iterable[UUID | str],
        digests: Iterable[str | bytes],
        embeddings: Iterable[Sequence[float]],
        *,
        project: str | None = None,
    ) -> StoredEmbeddings:
        """Store vectors of texts that were due, each with the digest that its text came with.

        What was changed or erased meanwhile is not stored. Storing twice is harmless.
        """
        return await self._ask("store_embeddings", StoredEmbeddings, calls.given(locals()))

    async def settle_generation(
        self, generation_id: int, *, whole: bool | None = None, project: str | None = None
    ) -> Generation:
        """Look how far a generation covers its space; `whole` trusts nothing seen before."""
        return await self._ask("settle_generation", Generation, calls.given(locals()))

    async def ready_generation(
        self,
        generation_id: int,
        *,
        project: str | None = None,
    ) -> Generation:
        """Declare a generation complete, so that it may be activated."""
        return await self._ask("ready_generation", Generation, calls.given(locals()))

    async def index_generation(
        self,
        generation_id: int,
        *,
        project: str | None = None,
    ) -> Generation:
        """Give a generation of more than 20,000 vectors an index; writers of it wait meanwhile."""
        return await self._ask("index_generation", Generation, calls.given(locals()))

    async def activate_generation(
        self,
        generation_id: int,
        *,
        project: str | None = None,
    ) -> Generation:
        """Search with a generation from now on, in place of the model's one before."""
        return await self._ask("activate_generation", Generation, calls.given(locals()))

    async def retire_generation(
        self,
        generation_id: int,
        *,
        project: str | None = None,
    ) -> Generation:
        """Delete the vectors of a generation and search with it no more."""
        return await self._ask("retire_generation", Generation, calls.given(locals()))

    async def embed(
        self,
        spaces: Iterable[str] | None = None,
        *,
        activate: bool = True,
        project: str | None = None,
        on_progress: Callable[[str, int, float | None], None] | None = None,
    ) -> tuple[Filled, ...]:
        """Embed what has no vector yet, with the client's embedder, on a connection of its own.

        `spaces` are by default all. A space that is complete is searched with these vectors
        unless `activate` is False. `on_progress` is told the space, how many texts were embedded,
        and what share of the log was seen (None if unknown). Stopped in the middle (a task that
        is cancelled embeds at most 128 more texts), the next call goes on. Raises
        `EmbedderFailed`, `Problem` without an embedder, and as `begin_generation`.
        """
        from taisce_pg.embed.fill import fill_spaces

        return await self._away(
            lambda halt: fill_spaces(
                self._dsn,
                self._questions.embedder,
                spaces,
                project=project or self.project,
                activate=activate,
                on_progress=on_progress,
                halt=halt,
            )
        )

    async def communities(
        self,
        *,
        register: bool = False,
        roles: Iterable[str] | None = None,
        levels: int = 3,
        smallest: int = 3,
        most_facts: int = 40,
        project: str | None = None,
    ) -> Survey:
        """Group the entities by their current facts, and tell which reports to write.

        A hierarchy of at most `levels`, communities of at least `smallest` entities, and for each
        the report that is due, stale or current, with at most `most_facts` that it should cover.
        `register` writes the communities into the memory, under the keys that `register_report`
        takes. Needs networkx and an administrator. Raises `Problem`, `UnknownProject`.
        """
        from taisce_pg.communities.survey import survey_memory

        return await self._away(
            lambda halt: survey_memory(
                self._dsn,
                project or self.project,
                register,
                levels,
                smallest,
                most_facts,
                roles,
                halt,
            )
        )
