"""All measures of the bench, in the order in which they are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from taisce_pg.bench import contexts, graphs, loading, measures, real, surroundings
from taisce_pg.bench.databases import PREFIX, Databases
from taisce_pg.bench.measures import Bench, Row
from taisce_pg.demo.build import build_lines


def everything(
    databases: Databases, benches: Sequence[Bench], loaded: int, yago: Path | None, short: bool
) -> Iterator[Row]:
    """Yield the rows of all measures: on the largest memory, between sizes, loading, real data."""
    largest = benches[-1]
    yield from measures.hub(largest, past=not short)
    yield from measures.against_reference(largest)
    yield from measures.against_floor(largest)
    yield from measures.nothing_known(largest)
    if databases.words:
        yield from contexts.contexts(largest, 12 if short else 40)
    yield from graphs.graphs(largest)
    yield from surroundings.views(largest)
    yield from surroundings.client(largest)
    yield surroundings.eight_clients(largest, 3 if short else 10)
    for smaller, larger in pairwise(benches):
        yield from measures.growth(smaller, larger)
    yield from loading.measure(databases.empty(), loaded)
    sets: dict[str, Iterator[Any]] = {"demo": build_lines()}
    if yago is not None:
        sets["yago11k"] = real.yago(yago)
    for title, lines in sets.items():
        conn = databases.empty(title)
        yield from real.measure(
            conn, databases.connect(PREFIX + title), title, lines, largest.rounds
        )
