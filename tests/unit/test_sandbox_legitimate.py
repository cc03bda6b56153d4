"""The checker accepts ordinary analyst SQL, as written, and says what it is about."""

from __future__ import annotations

from typing import Any

import pytest

from taisce_pg.sandbox import Refusal, check
from taisce_pg.sandbox.catalogue import load_catalogue
from tests.support.sandbox import full_catalogue, label, read_table


@pytest.mark.parametrize("line", read_table("legitimate.jsonl"), ids=label)
def test_ordinary_sql_is_accepted_as_written(line: dict[str, Any]) -> None:
    checked = check(line["sql"], catalogue=full_catalogue())
    assert checked.sql == line["sql"]
    assert set(checked.views) <= full_catalogue().views.keys()


def test_what_is_known_about_a_query() -> None:
    checked = check(
        """with near as (select * from semantic_facts('jobs in Dublin', k => 5))
        select f.statement, count(*) as n, f.*
        from near join memory_v1.facts_current as f using (fact_id)
        group by f.statement order by n""",
        tier="analytical",
        catalogue=full_catalogue(),
    )
    assert checked.tier == "analytical"
    assert checked.views == ("facts_current",)
    assert checked.helpers == ("semantic_facts",)
    assert checked.functions == ("count",)
    assert checked.ctes == ("near",)
    assert checked.columns[:3] == ("statement", "n", "project")
    assert checked.ordered
    call = checked.semantic[0]
    assert (call.function, call.text, call.parameter) == ("semantic_facts", "jobs in Dublin", None)


@pytest.mark.parametrize(
    ("argument", "text", "number"),
    [
        ("$1::text", None, 1),
        ("cast($1 as text)", None, 1),
        ("query => $1::text", None, 1),
        ("$1::varchar::text", None, 1),
        ("'jobs'::text", "jobs", None),
        ("query => cast('jobs' as varchar)", "jobs", None),
    ],
)
def test_a_semantic_text_may_be_cast(argument: str, text: str | None, number: int | None) -> None:
    parameters = ["jobs"] if number else []
    checked = check(f"select * from semantic_facts({argument})", parameters=parameters)
    assert [(call.text, call.parameter) for call in checked.semantic] == [(text, number)]


@pytest.mark.parametrize("argument", ["'jobs'::varchar(2)", "'jobs'::char(9)", "($1::int)::text"])
def test_a_cast_that_changes_a_semantic_text_is_refused(argument: str) -> None:
    with pytest.raises(Refusal) as refused:
        check(f"select * from semantic_facts({argument})", parameters=["jobs"])
    assert refused.value.reason == "function"


def test_a_semantic_call_may_take_a_parameter() -> None:
    sql = "select * from semantic_claims(query => $1)"
    checked = check(sql, parameters=("x",), catalogue=full_catalogue())
    assert checked.semantic[0].parameter == 1


def test_the_hash_knows_the_shape_and_not_the_values() -> None:
    first = check("select statement from facts_current where subject = 'Ana' -- one")
    second = check("select  statement from facts_current where subject = 'Ben'")
    other = check("select statement from facts_current where object = 'Ana'")
    assert first.query_hash == second.query_hash != other.query_hash


@pytest.mark.parametrize(
    ("sql", "ordered"),
    [
        ("select statement from facts_current order by 1", True),
        ("select * from (select statement from facts_current order by 1) x", False),
        ("select 1 union select 2 order by 1", True),
        ("table entities", False),
    ],
)
def test_only_the_outermost_order_counts(sql: str, ordered: bool) -> None:
    assert check(sql).ordered is ordered


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("subject", "subject"),
        ("f.subject::text", "subject"),
        ("upper(subject)", "upper"),
        ("1", "?column?"),
        ("'1'::int", "int4"),
        ("case when true then 1 end", "case"),
        ("case when true then 1 else evidence_count end", "evidence_count"),
        ("coalesce(subject, 'x')", "coalesce"),
        ("nullif(subject, 'x')", "nullif"),
        ("greatest(1, 2)", "greatest"),
        ("exists (select 1)", "exists"),
        ("array(select 1)", "array"),
        ("(select max(fact_id::text) from facts_current)", "max"),
        ("array[1]", "array"),
        ("row(1)", "row"),
        ("current_date", "current_date"),
        ("extract(year from valid_from)", "extract"),
        ("subject || 'x'", "?column?"),
        ("(array[subject])[1]", "array"),
    ],
)
def test_output_names_are_those_of_postgresql(target: str, name: str) -> None:
    assert check(f"select {target} from facts_current f").columns == (name,)


def test_a_catalogue_is_built_from_its_documents() -> None:
    catalogue = load_catalogue()
    assert catalogue.schema == "memory_v1"
    assert "statement" in catalogue.views["facts_current"].columns
    assert "recall_anchors" in catalogue.helpers
    assert not {"pg_sleep", "set_config", "version", "query_to_xml"} & catalogue.functions
    assert not any(name.startswith("reg") for name in catalogue.types)
