"""Vectors for the semantic calls of a query: looked up, embedded once each, handed over.

The text of the query stays as it was written. The functions find the vector of their text in a
setting of the transaction, which the executor sets before the query runs.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from typing import Any

from psycopg import sql as compose

from taisce_pg import errors
from taisce_pg.sandbox.check import Checked
from taisce_pg.sandbox.session import Answer, Ask, Clock, Embed, Model, Query, Send

SPACES = {
    "semantic_claims": "claim",
    "semantic_passages": "message",
    "semantic_facts": "fact",
    "semantic_entities": "entity",
}
PATIENCE = 4.0
"""Seconds to wait for the embedder at most: the server ends an idle transaction after five."""

_WORDS = "Search by words: lexical_claims, lexical_passages or lexical_facts."
_ACTIVE = """
select g.space, g.embedding_model, g.dimensions::text
from memory_v1.generations(project => $1::text) as g
where g.state = 'active'
"""


def no_embedder() -> errors.Unavailable:
    """Return the error of a semantic call where there is no embedder."""
    return errors.Unavailable(
        "no embedder is configured, and a semantic call needs one",
        f"Name one in TAISCE_EMBEDDER. {_WORDS}",
    )


def texts_of(query: Query, good: Checked) -> dict[str, tuple[str | None, str]]:
    """Return the texts that need a vector, each with a project and a function that names it."""
    found: dict[str, tuple[str | None, str]] = {}
    for call in good.semantic:
        text = call.text
        if call.parameter is not None:
            value = query.parameters[call.parameter - 1]
            if value is None:
                continue
            text = value if isinstance(value, str) else str(value)
        if text is not None and text.strip():
            found.setdefault(text, (call.project, call.function))
    return found


def embedded(
    query: Query, good: Checked, clock: Clock, model: Model | None
) -> Generator[Any, Any, None]:
    """Embed the texts of the semantic calls and put them where the functions look.

    Nothing goes to the embedder unless the database says that its model is in use. Raises
    `Unavailable` without an embedder or without vectors to search, `EmbeddingMismatch` if they
    are of another model.
    """
    texts = texts_of(query, good)
    if not texts:
        return
    if model is None:
        raise no_embedder()
    active: dict[str | None, list[tuple[str, str, int]]] = {}
    for project, function in texts.values():
        if project not in active:
            with errors.translated():
                found: Answer = yield Ask(_ACTIVE, [project])
            active[project] = [_generation(row) for row in found.rows]
        _look(active[project], function, model)
    seconds = min(clock.left() / 1000, PATIENCE)
    vectors = yield Embed(tuple(texts), seconds)
    told = {"model": model.name, "vectors": dict(zip(texts, vectors, strict=True))}
    value = compose.Literal(json.dumps(told)).as_string()
    yield Send([f"set local taisce.embedded_queries = {value}"])


def _generation(row: tuple[bytes | None, ...]) -> tuple[str, str, int]:
    space, name, dimensions = (value.decode() if value else "" for value in row)
    return space, name, int(dimensions)


def _look(active: list[tuple[str, str, int]], function: str, model: Model) -> None:
    space = SPACES[function]
    usable = [(name, dimensions) for what, name, dimensions in active if what == space]
    if not usable:
        raise errors.Unavailable(
            f"{function}: this project has no vectors of any {space} to search",
            f"An administrator makes them: taisce-pg embed --space {space}. {_WORDS}",
        )
    if not any(
        name == model.name and model.dimensions in (None, dimensions) for name, dimensions in usable
    ):
        raise errors.EmbeddingMismatch(
            f"{function}: the vectors of this project are of another model than the embedder",
            f"Choose the embedder by TAISCE_EMBEDDER. {_WORDS}",
        )
