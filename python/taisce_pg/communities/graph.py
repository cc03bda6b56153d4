"""From pairs of entities to a hierarchy of communities: the same pairs give the same hierarchy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from taisce_pg.problem import Problem

LEVELS = 3
SMALLEST = 3
"""Levels of a hierarchy, and members that a community has at least."""

_SEED = 20_240_229


@dataclass(frozen=True)
class Pair:
    """Two entities and how many facts link them."""

    one: UUID
    other: UUID
    facts: int


@dataclass
class Community:
    """A group of entities, `members` from the best linked on; level 0 has no parent.

    `key` comes from the level and the best linked member, so that it outlives small changes.
    """

    key: str
    level: int
    members: tuple[UUID, ...]
    parent: str | None = None
    children: list[str] = field(default_factory=list)


def hierarchy(
    pairs: Iterable[Pair], levels: int = LEVELS, smallest: int = SMALLEST
) -> list[Community]:
    """Find communities by Louvain's method, the widest first, each level by size and key.

    A community of fewer than `smallest` members is none; one that has all the members of its
    parent is left out. Raises `Problem` if networkx is not installed.
    """
    networkx = _networkx()
    graph = networkx.Graph()
    linked = sorted(pairs, key=lambda pair: (pair.one, pair.other))
    graph.add_nodes_from(sorted({end for pair in linked for end in (pair.one, pair.other)}))
    for pair in linked:
        if pair.one == pair.other:
            continue
        before = graph.get_edge_data(pair.one, pair.other, {}).get("weight", 0)
        graph.add_edge(pair.one, pair.other, weight=before + pair.facts)
    if not graph.number_of_edges():
        return []
    found = networkx.community.louvain_partitions(graph, weight="weight", seed=_SEED)
    widest_first = list(found)[::-1][:levels]
    strength = dict(graph.degree(weight="weight"))
    return list(_nested(widest_first, strength, smallest))


def _nested(
    partitions: Sequence[Sequence[set[UUID]]], strength: dict[UUID, float], smallest: int
) -> Iterator[Community]:
    """Make communities of partitions, each of which divides the one before."""
    above: dict[UUID, Community] = {}
    for partition in partitions:
        here: dict[UUID, Community] = {}
        made = []
        for group in partition:
            if len(group) < smallest:
                continue
            members = tuple(sorted(group, key=lambda one: (-strength[one], one)))
            parent = above.get(members[0])
            if parent is not None and len(parent.members) == len(members):
                here.update(dict.fromkeys(members, parent))
                continue
            level = 0 if parent is None else parent.level + 1
            one = Community(
                f"{level}:{members[0]}", level, members, None if parent is None else parent.key
            )
            if parent is not None:
                parent.children.append(one.key)
            here.update(dict.fromkeys(members, one))
            made.append(one)
        yield from sorted(made, key=lambda one: (-len(one.members), one.key))
        above = {**above, **here}


def _networkx() -> Any:
    try:
        import networkx
    except ImportError as exc:
        raise Problem(
            "networkx is not installed", "pip install 'taisce-pg[communities]'", 2
        ) from exc
    return networkx
