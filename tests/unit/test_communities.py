"""Communities of entities: found the same every time, nested, and bounded."""

from __future__ import annotations

import random
from uuid import UUID

import pytest

from taisce_pg.communities import graph
from taisce_pg.communities.graph import Community, Pair, hierarchy
from taisce_pg.problem import Problem


def entity(number: int) -> UUID:
    return UUID(int=number)


def pair(one: int, other: int, facts: int = 1) -> Pair:
    return Pair(entity(one), entity(other), facts)


def cliques(groups: int, per: int, size: int) -> list[Pair]:
    """Make cliques, `per` at a time linked by their members in the same place, the rest hardly."""
    made = []
    for first in range(0, groups * per * size, size):
        made += [pair(first + one, first + other, 3) for one in range(size) for other in range(one)]
    for group in range(groups):
        firsts = [(group * per + one) * size for one in range(per)]
        made += [
            pair(one + place, other + place)
            for one in firsts
            for other in firsts
            if one < other
            for place in range(size)
        ]
        made.append(pair(firsts[0], (firsts[0] + per * size) % (groups * per * size)))
    return made


def members(found: list[Community], level: int) -> list[set[UUID]]:
    return [set(one.members) for one in found if one.level == level]


def test_groups_become_communities_and_groups_of_groups_their_parents() -> None:
    found = hierarchy(cliques(6, 4, 5))
    small = [{entity(group * 5 + one) for one in range(5)} for group in range(24)]
    large = [{entity(group * 20 + one) for one in range(20)} for group in range(6)]
    assert sorted(map(sorted, members(found, 0))) == sorted(map(sorted, large))
    assert sorted(map(sorted, members(found, 1))) == sorted(map(sorted, small))
    keys = {one.key: one for one in found}
    assert len(keys) == len(found)
    for one in found:
        if one.parent is None:
            assert one.level == 0
            continue
        parent = keys[one.parent]
        assert parent.level == one.level - 1
        assert one.key in parent.children
        assert set(one.members) < set(parent.members)


def test_the_same_pairs_in_any_order_give_the_same_communities() -> None:
    pairs = cliques(6, 4, 5)
    first = hierarchy(pairs)
    for seed in range(3):
        mixed = [Pair(one.other, one.one, one.facts) for one in pairs]
        random.Random(seed).shuffle(mixed)
        assert hierarchy(mixed) == first


def test_a_key_outlives_a_member_that_comes_or_goes() -> None:
    pairs = cliques(6, 4, 5)
    before = {one.key for one in hierarchy(pairs)}
    grown = [*pairs, pair(0, 1000), pair(1, 1000), pair(2, 1000)]
    assert {one.key for one in hierarchy(grown)} == before


def test_small_groups_and_lonely_entities_are_no_communities() -> None:
    assert hierarchy([]) == []
    assert hierarchy([pair(1, 1)]) == []
    assert hierarchy([pair(1, 2)]) == []
    assert len(hierarchy([pair(1, 2)], smallest=2)) == 1
    [one] = hierarchy([pair(1, 2), pair(2, 3), pair(1, 3), pair(7, 8)])
    assert set(one.members) == {entity(1), entity(2), entity(3)}


def test_the_best_linked_member_comes_first_and_gives_the_key() -> None:
    [one] = hierarchy([pair(1, 2, 3), pair(1, 3, 3), pair(2, 3)])
    assert one.members[0] == entity(1)
    assert one.key == f"0:{entity(1)}"


def test_there_are_only_so_many_levels() -> None:
    pairs = cliques(6, 4, 5)
    assert len(hierarchy(pairs, levels=1)) == 6
    assert len(hierarchy(pairs, levels=2)) == 30


def test_without_networkx_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "networkx", None)
    with pytest.raises(Problem, match=r"taisce-pg\[communities\]"):
        graph.hierarchy([pair(1, 2)])
