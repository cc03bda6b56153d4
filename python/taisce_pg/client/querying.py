"""Open SQL as methods of the clients."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taisce_pg.client.questions import Questions
    from taisce_pg.connection import Target
    from taisce_pg.sandbox.check import Tier
    from taisce_pg.sandbox.execute import Analyst, AsyncAnalyst
    from taisce_pg.sandbox.result import QueryPlan, QueryResult


class Querying:
    """Run open SQL over the views of the memory, as the analysts' login."""

    project: str | None
    _dsn: str
    _analyst_dsn: str | None = None
    _target: Target | None = None
    _questions: Questions
    _analyst: Analyst | None = None

    def query(
        self,
        sql: str,
        parameters: Sequence[object] = (),
        *,
        project: str | None = None,
        tier: Tier = "interactive",
        seconds: float | None = None,
        rows: int | None = None,
        bytes: int | None = None,
    ) -> QueryResult:
        """Run one SELECT over the views and helper functions of memory_v1.

        `parameters` are bound to $1 and so on. Left out, the limits are those of the tier:
        interactive has 5 s (at most 15), 200 rows (1,000), 1 MiB (8); a limit that cut is told
        in `truncation_reason`. Raises `QueryFailed` (TS009) for a query that is refused or fails,
        with `reason`, `fragment` and `position`; `RateLimited` if two queries of the login run;
        `Boundary` if the login may do more than an analyst; `UnknownProject`,
        `InvalidArgument`, `NoDatabaseCapacity`. The literal text of a semantic_* call goes to the
        client's embedder: `Unavailable` without one, or without vectors of the project, and
        `EmbeddingMismatch` if they are of another model.

        >>> result = memory.query("select canonical_name from entities")  # doctest: +SKIP
        """
        from taisce_pg.sandbox.result import QueryFailed
        from taisce_pg.sandbox.session import Query

        run = self._query_login().run
        result = run(Query(sql, parameters, project or self.project, tier, seconds, rows, bytes))
        if result.error is not None:
            raise QueryFailed(result)
        return result

    def explain_query(
        self, sql: str, parameters: Sequence[object] = (), *, project: str | None = None
    ) -> QueryPlan:
        """Say how a query would be run: its shape and a class of cost. Nothing is run.

        Raises as `query`.
        """
        from taisce_pg.sandbox.result import QueryFailed
        from taisce_pg.sandbox.session import Query

        plan = self._query_login().explain(Query(sql, parameters, project or self.project))
        if plan.error is not None:
            raise QueryFailed(plan)
        return plan

    def _query_login(self) -> Analyst:
        if self._analyst is None:
            from taisce_pg.sandbox.execute import Analyst

            dsn = self._analyst_dsn or _login(self._dsn, self._target)
            self._analyst = Analyst(dsn, self._questions)
        return self._analyst

    def _close_query_login(self) -> None:
        if self._analyst is not None:
            self._analyst.close()
            self._analyst = None


class AsyncQuerying:
    """Run open SQL over the views of the memory, as the analysts' login."""

    project: str | None
    _dsn: str
    _analyst_dsn: str | None = None
    _target: Target | None = None
    _questions: Questions
    _analyst: AsyncAnalyst | None = None

    async def query(
        self,
        sql: str,
        parameters: Sequence[object] = (),
        *,
        project: str | None = None,
        tier: Tier = "interactive",
        seconds: float | None = None,
        rows: int | None = None,
        bytes: int | None = None,
    ) -> QueryResult:
        """Run one SELECT over the views and helper functions of memory_v1.

        `parameters` are bound to $1 and so on. Left out, the limits are those of the tier:
        interactive has 5 s (at most 15), 200 rows (1,000), 1 MiB (8); a limit that cut is told
        in `truncation_reason`. Raises `QueryFailed` (TS009) for a query that is refused or fails,
        with `reason`, `fragment` and `position`; `RateLimited` if two queries of the login run;
        `Boundary` if the login may do more than an analyst; `UnknownProject`,
        `InvalidArgument`, `NoDatabaseCapacity`. The literal text of a semantic_* call goes to the
        client's embedder: `Unavailable` without one, or without vectors of the project, and
        `EmbeddingMismatch` if they are of another model. Cancelling the task cancels the query.
        """
        from taisce_pg.sandbox.result import QueryFailed
        from taisce_pg.sandbox.session import Query

        login = await self._query_login()
        result = await login.run(
            Query(sql, parameters, project or self.project, tier, seconds, rows, bytes)
        )
        if result.error is not None:
            raise QueryFailed(result)
        return result

    async def explain_query(
        self, sql: str, parameters: Sequence[object] = (), *, project: str | None = None
    ) -> QueryPlan:
        """Say how a query would be run: its shape and a class of cost. Nothing is run.

        Raises as `query`.
        """
        from taisce_pg.sandbox.result import QueryFailed
        from taisce_pg.sandbox.session import Query

        login = await self._query_login()
        plan = await login.explain(Query(sql, parameters, project or self.project))
        if plan.error is not None:
            raise QueryFailed(plan)
        return plan

    async def _query_login(self) -> AsyncAnalyst:
        if self._analyst is None:
            from taisce_pg.sandbox.execute import AsyncAnalyst

            dsn = self._analyst_dsn
            if dsn is None:
                dsn = await asyncio.to_thread(_login, self._dsn, self._target)
            self._analyst = AsyncAnalyst(dsn, self._questions)
        return self._analyst

    async def _close_query_login(self) -> None:
        if self._analyst is not None:
            await self._analyst.close()
            self._analyst = None


def _login(dsn: str, target: Target | None) -> str:
    """Find the analysts' login of the memory that is open."""
    from taisce_pg.sandbox.login import analyst_dsn, of_target

    return analyst_dsn(dsn) if target is None else of_target(target)
