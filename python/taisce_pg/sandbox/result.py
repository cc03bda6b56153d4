"""What a query of open SQL comes to: QueryResult/v1, and the plan of one that is not run."""

from __future__ import annotations

from typing import Any, Final, Literal

from taisce_pg import errors
from taisce_pg.client.models import Instant, Model

CONTRACT: Final = "QueryResult/v1"
PLAN_CONTRACT: Final = "QueryPlan/v1"


class QueryError(Model):
    """Why a query gave no result. Nothing here comes from data or from PostgreSQL's own text.

    `code` is one of the words of a refusal, the name of a PostgreSQL condition such as
    division_by_zero, or the word of one of the memory's own errors. `fragment` is the piece of
    the query at fault, `position` its first character counted from 1; 0 is the whole query.
    """

    code: str
    message: str
    fragment: str = ""
    position: int = 0
    hint: str | None = None


class QueryColumn(Model):
    """A column of a result."""

    name: str
    type: str


class QueryLimits(Model):
    """The limits a query ran under: seconds, rows, and bytes of all values as text."""

    tier: str
    seconds: float
    rows: int
    bytes: int


class QueryGrain(Model):
    """What one row of a view stands for."""

    view: str
    grain: str


class Nomination(Model):
    """How many items an index proposed to a search, and how many the live tables confirmed.

    Sums over all calls of the function in the query. Dropped ones were ended, superseded, expired
    or of another role or data subject. What comes behind the last item wanted was not looked at. A
    query that was cut for time or bytes has no such counts.
    """

    function: str
    nominated: int
    confirmed: int
    dropped: int


class QueryResult(Model):
    """The rows of a query and all that must be known about them.

    Rows are lists of JSON values: numbers, text, booleans, null, lists, objects. An empty result
    says that nothing was found here, never that something is not so. `evaluated_at` is the
    instant of the snapshot, null if a view or function of many instants was read.
    """

    contract: Literal["QueryResult/v1"] = CONTRACT
    query_hash: str | None
    columns: tuple[QueryColumn, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    returned_rows: int = 0
    returned_bytes: int = 0
    limits: QueryLimits | None = None
    truncated: bool = False
    truncation_reason: Literal["rows", "bytes", "time"] | None = None
    ordered: bool = False
    evaluated_at: Instant | None = None
    views: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    grains: tuple[QueryGrain, ...] = ()
    nominations: tuple[Nomination, ...] = ()
    elapsed_ms: float = 0.0
    warnings: tuple[str, ...] = ()
    error: QueryError | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values, all fields of the contract."""
        return self.model_dump(mode="json")

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries by column name; of two equal names the last one stays."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]


class QueryPlan(Model):
    """How a query would be run: its shape and a class of cost, no numbers.

    Estimates of rows would tell of other projects, so they stay in the server. `cost_class` is
    light, moderate or heavy; `shape` has one line a step, indented below what it feeds.
    """

    contract: Literal["QueryPlan/v1"] = PLAN_CONTRACT
    query_hash: str | None
    cost_class: Literal["light", "moderate", "heavy"] | None = None
    shape: tuple[str, ...] = ()
    views: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    error: QueryError | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values, all fields of the contract."""
        return self.model_dump(mode="json")


class QueryFailed(errors.QueryRejected):
    """A query that was refused, or failed while it ran; `result` is its QueryResult.

    `reason`, `fragment` and `position` are those of the result's error.
    """

    def __init__(self, result: QueryResult | QueryPlan) -> None:
        """Keep the result and the parts of its error."""
        assert result.error is not None
        error = result.error
        self.result = result
        self.reason = error.code
        self.fragment = error.fragment
        self.position = error.position
        where = f" at character {error.position}" if error.position else ""
        said = f"{error.fragment!r}{where}: " if error.fragment else ""
        super().__init__(f"{error.code}: {said}{error.message}", error.hint)


CONTRACTS: dict[str, type[Model]] = {CONTRACT: QueryResult, PLAN_CONTRACT: QueryPlan}
