"""Fill generations of vectors: whatever has none yet is embedded, a batch at a time.

Each batch is its own transaction, so a run that is killed has lost at most one; the next goes on
where it stopped. Two at once do not disturb each other: a generation is filled by one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import psycopg

from taisce_pg import errors
from taisce_pg.client import calls
from taisce_pg.client.embedding import SPACES
from taisce_pg.client.vectors import DueText, Generation, StoredEmbeddings
from taisce_pg.embed.port import Embedder, Vector, checked
from taisce_pg.halt import Halt
from taisce_pg.problem import Problem

PAGE = 512
"""Texts of a batch."""

SLICE = 128
"""Texts that are embedded before a run looks whether it is asked to stop."""

INDEXED_FROM = 20_000
"""How many vectors a generation may have before it gets an index of its own."""

_ATTEMPTS = 10
"""How often what others tell meanwhile may keep a filled generation from being complete."""

_LOCK = 0x7A15CE
_FOLLOWED = frozenset({"message", "claim", "fact"})
_MEMORY = "set maintenance_work_mem = '512MB'"

Progress = Callable[[str, int, "float | None"], None]
"""Told the space, how many texts were embedded so far, and what share of the log was seen (0 to
1); None for entities and reports, which are in no log."""


@dataclass(frozen=True)
class Filled:
    """What became of one space: its generation, and what was done in this run.

    `state` is busy if another run was filling the generation, else the generation's own. `gone`
    counts texts that changed or were erased while they were being embedded.
    """

    space: str
    generation_id: int
    embedding_model: str
    state: str
    embedded: int
    gone: int
    vectors: int
    through_offset: int
    covered_through_offset: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


class Filler:
    """Keeps the vectors of one project up to date, on a connection in autocommit."""

    def __init__(
        self,
        conn: psycopg.Connection[Any],
        embedder: Embedder,
        project: str | None = None,
        on_progress: Progress | None = None,
        page: int = PAGE,
        halt: Halt | None = None,
    ) -> None:
        """Take an administrator's connection."""
        self._conn = conn
        self._embedder = embedder
        self._project = project
        self._told = on_progress or (lambda *_: None)
        self._page = page
        self._halt = halt or Halt()

    def fill(self, space: str, activate: bool = True) -> Filled:
        """Embed everything in a space that has no vector, and search with it if `activate`.

        Raises `EmbedderFailed`; what was stored until then stays.
        """
        begun = self._begin(space)
        if not self._lock(begun.generation_id):
            return _filled(begun, "busy")
        try:
            embedded = gone = 0
            for attempt in range(1, _ATTEMPTS + 1):
                while True:
                    # What came in during a pass is found by the next one.
                    new, lost = self._pass(begun, None, embedded)
                    embedded += new
                    gone += lost
                    if not new:
                        break
                settled = self._one("settle_generation", begun.generation_id, whole=True)
                if settled.state != "building":
                    break
                try:
                    settled = self._one("ready_generation", begun.generation_id)
                    break
                except errors.InvalidArgument:
                    # Something was told since the last pass.
                    if attempt == _ATTEMPTS:
                        raise
            settled = self._indexed(settled)
            if activate and settled.state == "ready":
                settled = self._one("activate_generation", begun.generation_id)
            return replace(_filled(settled), embedded=embedded, gone=gone)
        finally:
            self._unlock(begun.generation_id)

    def follow(self, space: str, activate: bool = True, whole: bool = False) -> Filled:
        """Embed what is new in a space; with `whole`, also what changed long ago.

        A space that is not complete yet is filled.
        """
        begun = self._begin(space)
        if begun.state == "building" or whole or (activate and begun.state == "ready"):
            return self.fill(space, activate)
        if not self._lock(begun.generation_id):
            return _filled(begun, "busy")
        try:
            after = begun.covered_through_offset if space in _FOLLOWED else None
            embedded, gone = self._pass(begun, after, 0)
            settled = begun
            if embedded or gone:
                settled = self._one("settle_generation", begun.generation_id)
            return replace(_filled(settled), embedded=embedded, gone=gone)
        finally:
            self._unlock(begun.generation_id)

    def _begin(self, space: str) -> Generation:
        if self._embedder.dimensions is None:
            self._embedder.dimensions = len(self._embedder.embed(["dimensions"])[0])
        row = self._call(
            "begin_generation",
            space=space,
            model=self._embedder.model,
            dimensions=self._embedder.dimensions,
            revision=self._embedder.revision,
            input_version=self._embedder.input_version,
        )[0]
        return Generation.model_validate(row)

    def _pass(self, begun: Generation, after: int | None, before: int) -> tuple[int, int]:
        """Go once through what is due after an offset; return how many were stored, and lost."""
        stored = gone = 0
        after_id = None
        newest = self._newest() if begun.space in _FOLLOWED else 0
        while True:
            due = [
                DueText.model_validate(row)
                for row in self._call(
                    "embedding_due",
                    generation_id=begun.generation_id,
                    after_offset=after,
                    after_id=after_id,
                    max_rows=self._page,
                )
            ]
            if not due:
                return stored, gone
            vectors = checked(self._embed(due), len(due), begun.dimensions)
            kept = StoredEmbeddings.model_validate(
                self._call(
                    "store_embeddings",
                    generation_id=begun.generation_id,
                    item_ids=[one.item_id for one in due],
                    digests=[one.input_digest for one in due],
                    embeddings=vectors,
                )[0]
            )
            stored += kept.stored
            gone += kept.stale + kept.gone
            after, after_id = due[-1].log_offset, due[-1].item_id
            share = min(1.0, due[-1].log_offset / newest) if newest else None
            self._told(begun.space, before + stored, share)

    def _embed(self, due: Sequence[DueText]) -> list[Vector]:
        made: list[Vector] = []
        for first in range(0, len(due), SLICE):
            self._halt.check()
            made += self._embedder.embed([one.input_text for one in due[first : first + SLICE]])
        return made

    def _newest(self) -> int:
        """Return the offset of what was told last."""
        return int(self._call("freshness")[0]["stored"])

    def _indexed(self, settled: Generation) -> Generation:
        if settled.vectors <= INDEXED_FROM or settled.own_index:
            return settled
        self._conn.execute(_MEMORY)
        return self._one("index_generation", settled.generation_id)

    def _one(self, name: str, generation_id: int, **values: Any) -> Generation:
        return Generation.model_validate(self._call(name, generation_id=generation_id, **values)[0])

    def _call(self, name: str, **values: Any) -> list[Any]:
        self._halt.check()
        given = {key: value for key, value in values.items() if value is not None}
        if self._project is not None:
            given["project"] = self._project
        call = calls.build(calls.OPERATIONS[name], given)
        with errors.translated():
            return [row[0] for row in self._conn.execute(call.query, call.parameters).fetchall()]

    def _lock(self, generation_id: int) -> bool:
        row = self._conn.execute(
            "select pg_catalog.pg_try_advisory_lock(%s::int4, %s::int4)",
            (_LOCK, generation_id & 0x7FFFFFFF),
        ).fetchone()
        return bool(row and row[0])

    def _unlock(self, generation_id: int) -> None:
        if not self._conn.closed and not self._conn.broken:
            self._conn.execute(
                "select pg_catalog.pg_advisory_unlock(%s::int4, %s::int4)",
                (_LOCK, generation_id & 0x7FFFFFFF),
            )


def chosen_spaces(spaces: Iterable[str] | None) -> list[str]:
    """Return the spaces to fill, by default all. Raises `InvalidArgument` for one that is none."""
    found = list(dict.fromkeys(SPACES if spaces is None else spaces))
    for space in found:
        if space not in SPACES:
            raise errors.InvalidArgument(
                f"{space!r} is no space of vectors", f"Give some of {', '.join(SPACES)}."
            )
    return found


def fill_spaces(
    dsn: str,
    embedder: Embedder | None,
    spaces: Iterable[str] | None = None,
    *,
    project: str | None = None,
    activate: bool = True,
    on_progress: Progress | None = None,
    halt: Halt | None = None,
) -> tuple[Filled, ...]:
    """Fill spaces on a connection of their own; see `Memory.embed`.

    Asked to stop by `halt` it ends with `Halted`, at the latest after the next 128 texts.
    """
    if embedder is None:
        raise Problem("no embedder chosen", "give the client one, or set TAISCE_EMBEDDER", 2)
    wanted = chosen_spaces(spaces)
    halt = halt or Halt()
    halt.check()
    with psycopg.connect(dsn, autocommit=True) as conn, halt.connected(conn):
        filler = Filler(conn, embedder, project, on_progress, halt=halt)
        return tuple(filler.fill(space, activate) for space in wanted)


def _filled(found: Generation, state: str | None = None) -> Filled:
    return Filled(
        found.space,
        found.generation_id,
        found.embedding_model,
        state or found.state,
        0,
        0,
        found.vectors,
        found.through_offset,
        found.covered_through_offset,
    )
