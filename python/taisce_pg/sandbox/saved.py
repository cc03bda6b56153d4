"""Saved queries: what is kept of one, values for its parameters, and its fixtures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.rows import dict_row

from taisce_pg import errors
from taisce_pg.sandbox.result import QueryResult
from taisce_pg.sandbox.session import Query

KINDS = ("hit", "empty", "forgotten", "cap")


@dataclass(frozen=True)
class Saved:
    """A version of a saved query."""

    namespace: str
    name: str
    version: int
    status: str
    description: str
    parameters: list[dict[str, Any]]
    query: str
    origin: str
    fixtures: list[dict[str, Any]]
    author: str | None = None
    created_at: Any = None
    activated_by: str | None = None
    activated_at: Any = None
    self_activated: bool = False

    @property
    def full_name(self) -> str:
        """Return namespace.name."""
        return f"{self.namespace}.{self.name}"

    def bind(self, values: Mapping[str, Any]) -> list[Any]:
        """Return the values of $1 and so on; raises `InvalidArgument` naming the parameter."""
        known = {parameter["name"]: parameter for parameter in self.parameters}
        for name in values:
            if name not in known:
                raise errors.InvalidArgument(
                    f"{self.full_name} has no parameter {name}",
                    f"It takes: {', '.join(known) or 'none'}.",
                )
        bound = []
        for name, parameter in known.items():
            if name not in values and "default" not in parameter:
                raise errors.InvalidArgument(
                    f"{self.full_name} needs the parameter {name}", parameter.get("description")
                )
            bound.append(values.get(name, parameter.get("default")))
        return bound


def read_saved(conn: psycopg.Connection[Any], project: str | None = None) -> list[Saved]:
    """Return every version of every saved query of a project, shipped ones included."""
    with conn.cursor(row_factory=dict_row) as cursor, errors.translated():
        rows = cursor.execute("select * from memory_v1.saved_queries(%s)", [project]).fetchall()
    return [Saved(**row) for row in rows]


def find_saved(saved: Iterable[Saved], name: str, version: int | None, status: str) -> Saved:
    """Return the version asked for, or the newest of a status; raises `NotFound`.

    A name without a namespace is one of examples.
    """
    full = name if "." in name else f"examples.{name}"
    found = [
        one
        for one in saved
        if one.full_name == full and (one.status == status if version is None else True)
        and version in (None, one.version)
    ]  # fmt: skip
    if not found:
        raise errors.NotFound(
            f"there is no {status if version is None else f'version {version} of a'} "
            f"saved query {full}",
            "List them with: taisce-pg saved list",
        )
    return max(found, key=lambda one: one.version)


def failed_fixtures(
    saved: Saved, run: Callable[[Query], QueryResult], project: str | None
) -> list[str]:
    """Run the fixtures of a saved query and return what is wrong, one line each.

    A hit gives rows, an empty and a forgotten one none, a cap more than the one row it may have.
    """
    wrong = [f"there is no fixture of kind {kind}" for kind in KINDS
             if kind not in {fixture["kind"] for fixture in saved.fixtures}]  # fmt: skip
    for number, fixture in enumerate(saved.fixtures, 1):
        kind = fixture["kind"]
        values = saved.bind(fixture.get("parameters") or {})
        result = run(Query(saved.query, values, project, rows=1 if kind == "cap" else None))
        said = {
            "hit": "gave no row" if not result.rows else None,
            "cap": "was not cut at one row" if result.truncation_reason != "rows" else None,
        }.get(kind, "gave rows" if result.rows else None)
        if result.error is not None:
            said = f"failed: {result.error.code}"
        if said:
            wrong.append(f"fixture {number} ({kind}) {said}")
    return wrong
