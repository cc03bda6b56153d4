"""A question in words that the records do not use: asked by words, then by vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import psycopg

    from taisce_pg.client.memory import Memory
    from taisce_pg.client.vectors import FoundPassage
    from taisce_pg.embed.port import Embedder

QUESTION = "Who quit because of a scandal?"
SHOWS = "The records say resignation, never scandal: words find nothing, similar texts are near."
MOST = 2


def embed(
    conn: psycopg.Connection[object],
    project: str,
    embedder: Embedder,
    on_progress: Callable[[str, int, float | None], None],
) -> int:
    """Embed the messages of the demo memory; return how many vectors there are then."""
    from taisce_pg.embed.fill import Filler

    return Filler(conn, embedder, project, on_progress).fill("message").vectors


def ask(
    memory: Memory, project: str, embedder: Embedder
) -> tuple[tuple[FoundPassage, ...], tuple[FoundPassage, ...]]:
    """Return what words find for the question, and what is near its vector."""
    from taisce_pg.embed.port import identity_of

    by_words = memory.passage_search(
        QUESTION, max_rows=MOST, source_roles=["document"], project=project
    )
    by_vectors = memory.passage_search(
        QUESTION,
        max_rows=MOST,
        source_roles=["document"],
        project=project,
        query_embedding=embedder.embed([QUESTION], question=True)[0],
        embedding_model=identity_of(embedder),
    )
    return by_words, by_vectors
