"""Recall, as methods of the asynchronous client: one question, or many in one pipeline."""
# Made from recalling.py by `python -m tests.support.twins`: change it there.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import psycopg

from taisce_pg import errors
from taisce_pg.client import calls, session
from taisce_pg.client.aasking import AsyncAsking
from taisce_pg.client.models import Bundle


class AsyncRecalling(AsyncAsking):
    """Methods that ask what a memory knows about the names in a question."""

    async def recall(
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
    ) -> Bundle:
        """Ask a question and return the facts it reaches, each with the words behind it.

        The question has 1 to 8,192 bytes. Left out, the server's defaults rule: its budget of
        `max_characters` (code points), the project's roles, 1 hop of at most 2, all
        surfaces, one quote a fact of at most 5. Times need a zone. Raises `InvalidQuestion`,
        `InvalidRecallControls`, `UnknownProject`, `InvalidArgument`, `NoDatabaseCapacity`,
        and psycopg's own errors for time-outs, privileges and lost connections.
        """
        return await self._ask("recall", Bundle, calls.given(locals()))

    async def recall_many(
        self,
        questions: Iterable[str],
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
    ) -> tuple[Bundle | errors.TaisceError | psycopg.Error, ...]:
        """Ask questions with the same controls in one pipeline; answers in their order.

        The error of a question stands in its place, and the others are answered all the same.
        Each question has the time that a call of `recall` has. Raises what is no question's own:
        `NoDatabaseCapacity`, and psycopg's errors for lost connections.
        """
        asked = calls.each_question(calls.given(locals()))
        answers: list[Bundle | errors.TaisceError | psycopg.Error] = []
        for start in range(0, len(asked), session.TOGETHER):
            part = await self._answers("recall", asked[start : start + session.TOGETHER])
            answers.extend(
                Bundle.model_validate_json(one) if isinstance(one, bytes) else one for one in part
            )
        return tuple(answers)
