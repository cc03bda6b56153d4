"""The checker alone refuses every attack, says why, and points at it."""

from __future__ import annotations

from typing import Any

import pytest

from taisce_pg.errors import QueryRejected
from taisce_pg.sandbox import Refusal, check
from tests.support.sandbox import full_catalogue, label, read_table

ATTACKS = read_table("attacks.jsonl")
WHOLE_TEXT = {"size", "not_a_query"}


@pytest.mark.parametrize("line", ATTACKS, ids=label)
def test_an_attack_is_refused_for_what_it_is(line: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refused:
        check(line["sql"], catalogue=full_catalogue())
    refusal = refused.value
    assert refusal.reason in line["reasons"]
    assert refusal.hint
    assert refusal.position >= 1 or refusal.reason in WHOLE_TEXT


@pytest.mark.parametrize("line", ATTACKS, ids=label)
def test_a_fragment_stands_where_it_is_said_to(line: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refused:
        check(line["sql"], catalogue=full_catalogue())
    refusal = refused.value
    fragment = refusal.fragment.removesuffix("...")
    if refusal.reason in ("syntax", "size") or not fragment:
        return
    assert line["sql"][refusal.position - 1 :].lower().startswith(fragment.lower())


@pytest.mark.parametrize(
    ("sql", "reason", "fragment", "hint"),
    [
        ("select * from facts_curent", "relation", "facts_curent", "facts_current"),
        ("select f.statment from facts_current f", "column", "f.statment", "statement"),
        ("select cuont(*) from entities", "function", "cuont", "count"),
        ("select '1'::itn4", "type", "itn4", "int4"),
        ("select * from entities e where e.x = 1", "column", "e.x", "column"),
        ("select 1\nfrom entities, taisce.fact", "relation", "taisce.fact", "views"),
        ("select 'é', pg_sleep(1)", "function", "pg_sleep", "functions"),
    ],
)
def test_a_refusal_helps_to_mend_the_query(sql: str, reason: str, fragment: str, hint: str) -> None:
    with pytest.raises(Refusal) as refused:
        check(sql)
    refusal = refused.value
    assert (refusal.reason, refusal.fragment) == (reason, fragment)
    assert refusal.position == sql.index(fragment) + 1
    assert hint in (refusal.hint or "")
    assert refusal.to_dict()["code"] == reason


def test_a_refusal_is_the_error_for_queries() -> None:
    with pytest.raises(QueryRejected) as refused:
        check("drop table x")
    assert refused.value.code == "TS009"


def test_a_parameter_is_refused_unless_it_will_be_bound() -> None:
    with pytest.raises(Refusal, match="syntax"):
        check("select $2 from entities", parameters=("a",))
    assert check("select $1 from entities", parameters=("a",)).parameters == 1


def test_kinds_of_attack_are_many() -> None:
    assert len({line["kind"] for line in ATTACKS}) >= 15
    assert len(ATTACKS) >= 400
