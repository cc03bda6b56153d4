"""The methods of the asynchronous client that make a memory forget, or keep it in order."""
# Made from erasing.py by `python -m tests.support.twins`: change it there.

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from taisce_pg.client import calls
from taisce_pg.client.aasking import AsyncAsking
from taisce_pg.client.erasures import ErasedRows, MaintainedTask


class AsyncErasing(AsyncAsking):
    """Erasure, release, expiry and maintenance, for administrators of a project.

    Each is one transaction. The counts of a dry run are those of the erasure itself. Raise
    `UnknownProject` without admin access, and `NotFound` for what is not there (any more).
    """

    async def erase_observations(
        self,
        ids: Iterable[UUID | str],
        *,
        dry_run: bool | None = None,
        project: str | None = None,
    ) -> tuple[ErasedRows, ...]:
        """Erase observations and all that rests on them alone; return rows by table.

        Facts with other evidence stay; what an erased one had ended holds again. If one of the
        ids is unknown nothing is erased.
        """
        return await self._list("erase_observations", ErasedRows, calls.given(locals()))

    async def erase_subject(
        self,
        data_subject_id: str,
        *,
        dry_run: bool | None = None,
        project: str | None = None,
    ) -> tuple[ErasedRows, ...]:
        """Erase all observations about a person, and what speaks for him; return rows by table."""
        return await self._list("erase_subject", ErasedRows, calls.given(locals()))

    async def release_content(
        self,
        observation_id: UUID | str,
        *,
        dry_run: bool | None = None,
        project: str | None = None,
    ) -> tuple[ErasedRows, ...]:
        """Drop the text of an observation, and keep its claims, quotes and facts."""
        return await self._list("release_content", ErasedRows, calls.given(locals()))

    async def expire(
        self,
        *,
        max_observations: int | None = None,
        dry_run: bool | None = None,
        project: str | None = None,
    ) -> tuple[ErasedRows, ...]:
        """Erase observations whose retention has passed, at most 1000 unless said otherwise.

        No read has shown them since that instant. Call again while a call erases that many.
        """
        return await self._list("expire", ErasedRows, calls.given(locals()))

    async def maintain(
        self,
        *,
        max_versions: int | None = None,
        project: str | None = None,
    ) -> tuple[MaintainedTask, ...]:
        """Retire facts that have ended from the indexes of current reads, and tidy up.

        Call again while it retires `max_versions` (default 100000).
        """
        return await self._list("maintain", MaintainedTask, calls.given(locals()))
