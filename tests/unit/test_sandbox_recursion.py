"""A recursion passes if it surely ends within its steps, and is refused one step later."""

from __future__ import annotations

import pytest

from taisce_pg.sandbox import Refusal, check


def counting(start: str, step: str, condition: str) -> str:
    return (
        f"with recursive r(n) as (select {start} union all select {step} from r where {condition})"
        " select n from r"
    )


def paths(start: str, step: str) -> str:
    return (
        f"with recursive r(p, q) as (select {start}, array[2] union all select {step}, q from r"
        " where cardinality(p) < 5) select p from r"
    )


def over_views(depth: int) -> str:
    return (
        "with recursive r(id, n) as (select subject_id, 0 from graph_edges_current"
        " union all select e.object_id, r.n + 1 from r join graph_edges_current e"
        f" on e.subject_id = r.id where r.n < {depth}) select id from r"
    )


@pytest.mark.parametrize(
    ("most", "more"),
    [
        (counting("1", "n + 1", "n < 11001"), counting("1", "n + 1", "n < 11002")),
        (counting("1", "n + 2", "n < 22001"), counting("1", "n + 2", "n < 22004")),
        (counting("11001", "n - 1", "n > 1"), counting("11002", "n - 1", "n > 1")),
        (counting("1", "n + 1", "11001 > n"), counting("1", "n + 1", "11002 > n")),
        (
            counting("1", "n + 1", "n between 1 and 11001"),
            counting("1", "n + 1", "n between 1 and 11002"),
        ),
        (
            counting("11001", "n - 1", "n between 1 and 11001"),
            counting("11001", "n - 1", "n between -1 and 11001"),
        ),
        (over_views(100), over_views(101)),
    ],
)
def test_the_last_step_allowed_passes_and_one_more_does_not(most: str, more: str) -> None:
    assert check(most).sql == most
    with pytest.raises(Refusal) as refused:
        check(more)
    assert refused.value.reason == "recursion"
    assert "steps" in (refused.value.hint or "")


@pytest.mark.parametrize(
    ("step", "condition"),
    [
        ("n + 1", "n < least(9, n + 1)"),
        ("n + 1", "n < 9 and n > 0"),
        ("n + 1", "n + 1 < 9"),
        ("n * 2", "n < 9"),
    ],
)
def test_a_counter_with_a_sure_end_passes(step: str, condition: str) -> None:
    query = counting("1", step, condition)
    assert check(query).sql == query


@pytest.mark.parametrize(
    ("step", "condition"),
    [
        ("n + 1", "n < greatest(9, n + 1)"),
        ("n + 1", "n > 9 or n < 9"),
        ("n + 1", "n < 9 or n is not null"),
        ("n + 1", "n > 0"),
        ("n - 1", "n < 9"),
        ("n + 1", "n <> 9"),
        ("n + 1", "not n < 9"),
        ("n + 1", "0 < n"),
        ("n * 1", "n < 9"),
        ("n * 0", "n < 9"),
        ("n / 2", "n < 9"),
        ("n + 0", "n < 9"),
        ("n + n", "n < 9"),
        ("n + 1", "n < (select count(*) from entities)"),
        ("1 - n", "n < 9"),
        ("(n + 0.4)::int", "n < 9"),
        ("(n + 0.004)::numeric(9,2)", "n < 9"),
    ],
)
def test_one_without_is_refused(step: str, condition: str) -> None:
    with pytest.raises(Refusal) as refused:
        check(counting("1", step, condition))
    assert refused.value.reason == "recursion"


@pytest.mark.parametrize(
    "query",
    [
        # What grows with the counter is no bound.
        counting("date '2019-01-01'", "n + 1", "n < greatest(date '2020-01-01', n)"),
        counting(
            "timestamptz '2019-01-01'", "n + interval '1 day'",
            "n < greatest(timestamptz '2020-01-01', n)",
        ),
        counting("1", "n + 1", "n < greatest(9, (select count(*) from entities))"),
        # By other names a column may be another one.
        "with recursive r(n, m) as (select 1, 1 union all select t.n + 1, t.m from r as t(m, n)"
        " where t.n < 9) select n from r",
        "with recursive r(n) as (select 1 union all select t.x + 1 from r as t(x) where t.x < 9)"
        " select n from r",
        # A condition of an outer join keeps no row out.
        "with recursive r(n) as (select 1 union all select r.n + 1 from r"
        " left join (values (1)) as e (k) on r.n < 9) select n from r",
        # What is joined to a path may be nothing.
        paths("array[]::int[]", "p || p"),
        paths("array[1]", "p || array[]::int[]"),
        paths("array[1]", "array_cat(p, q)"),
        paths("array[1]", "array_append(q, 1)"),
        paths("array[1]", "q || array[1]"),
        paths("array[1]", "array[1] || q"),
        paths("array[1]", "array_remove(p || array[1], 1)"),
        # One of the starts is too far from the end.
        "with recursive r(n) as (values (1), (-99999) union all select n + 1 from r where n < 9)"
        " select n from r",
    ],
)  # fmt: skip
def test_what_seems_to_end_is_refused(query: str) -> None:
    with pytest.raises(Refusal) as refused:
        check(query)
    assert refused.value.reason == "recursion"
    assert refused.value.hint


def test_the_same_with_a_sure_end_passes() -> None:
    for query in (
        paths("array[1]", "p || q"),
        paths("array[1]", "p || array[1, 2]"),
        paths("array[1]", "array_append(p, 1)"),
        counting("date '2019-01-01'", "n + 1", "n < least(date '2020-01-01', n)"),
        "with recursive r(n) as (select 1 union all select t.n + 1 from r as t where t.n < 9)"
        " select n from r",
        "with recursive r(n) as (select 1 union all select r.n + 1 from r"
        " join (values (1)) as e (k) on r.n < 9) select n from r",
        "with recursive r(n) as (values (1), (-999) union all select n + 1 from r where n < 9)"
        " select n from r",
    ):
        assert check(query).sql == query
