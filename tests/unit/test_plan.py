"""What an install decides to do, without any database."""

from __future__ import annotations

import pytest

from taisce_pg.install.declared import declared
from taisce_pg.install.files import Source, digest, order
from taisce_pg.install.ledger import LedgerRow, dollar_quoted
from taisce_pg.install.plan import Plan, make_plan
from taisce_pg.install.render import Rendered
from taisce_pg.problem import Problem

GROUND = ("migrations/0001_ground.sql", "create schema taisce;\n")
FUNCTION = (
    "functions/time/f.sql",
    "create or replace function taisce.f(a text) returns text language sql as 'select a';\n",
)
GROWN = FUNCTION[1].replace("a text", "a text, b int default 1")
VIEW = ("views/v.sql", "create or replace view memory_v1.v as select taisce.f('x') as x;\n")


def rendered(path: str, text: str) -> Rendered:
    kind = {"m": "migration", "f": "function", "v": "view"}[path[0]]
    return Rendered(path, kind, text, digest(text))  # type: ignore[arg-type]


def ledger_of(*files: tuple[str, str]) -> dict[str, LedgerRow]:
    rows = [rendered(*file) for file in files]
    return {row.path: LedgerRow(row.path, row.kind, row.checksum, "0.1") for row in rows}


def plan(*files: tuple[str, str], ledger: tuple[tuple[str, str], ...] = (), **more: object) -> Plan:
    return make_plan(
        [rendered(*file) for file in files],
        ledger_of(*ledger),
        version="0.2",
        **more,  # type: ignore[arg-type]
    )


def test_a_first_install_applies_everything_in_order() -> None:
    made = plan(GROUND, FUNCTION, VIEW)
    assert made.pending == [GROUND[0], FUNCTION[0], VIEW[0]]
    kinds = [step.kind for step in made.steps]
    assert kinds == ["migration", "owner", "function", "view", "record"]


def test_an_unchanged_package_leaves_nothing_to_do() -> None:
    made = plan(GROUND, FUNCTION, VIEW, ledger=(GROUND, FUNCTION, VIEW))
    assert made.empty
    assert made.steps == []


def test_only_what_changed_is_applied() -> None:
    changed = (VIEW[0], VIEW[1].replace("'x'", "'y'"))
    made = plan(GROUND, FUNCTION, changed, ledger=(GROUND, FUNCTION, VIEW))
    assert made.pending == [VIEW[0]]
    assert "lock" in [step.kind for step in made.steps]


def test_an_edited_migration_is_refused() -> None:
    with pytest.raises(Problem, match="edited"):
        plan((GROUND[0], "create schema other;\n"), ledger=(GROUND,))


def test_a_database_newer_than_the_package_is_refused() -> None:
    with pytest.raises(Problem, match="0002_more"):
        plan(GROUND, ledger=(GROUND, ("migrations/0002_more.sql", "select 1;\n")))


def test_a_trailing_argument_makes_the_old_function_make_way() -> None:
    made = plan(
        GROUND,
        (FUNCTION[0], GROWN),
        VIEW,
        ledger=(GROUND, FUNCTION, VIEW),
        installed={"taisce.f": {("text",): 0}},
        spelled={"text": "text", "pg_catalog.int4": "integer"},
    )
    assert made.renamed == ["taisce.f(text)"]
    assert made.pending == [FUNCTION[0], VIEW[0]], "a view on it moves to the new one"


def test_another_type_of_an_argument_that_may_be_left_out_makes_way_too() -> None:
    made = plan(
        (FUNCTION[0], FUNCTION[1].replace("a text", "a text, b int default 1")),
        ledger=(FUNCTION,),
        installed={"taisce.f": {("text", "bigint"): 1, ("text", "text"): 0}},
        spelled={"text": "text", "pg_catalog.int4": "integer"},
    )
    assert made.renamed == ["taisce.f(text, bigint)"], (
        "what needs its second argument is meant by it"
    )


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("a text", "the same signature is replaced"),
        ("a bigint, b int default 1", "another first argument is another function"),
        ("a text, b int", "without a default nothing is ambiguous"),
    ],
)
def test_nothing_else_makes_way(arguments: str, why: str) -> None:
    made = plan(
        (FUNCTION[0], FUNCTION[1].replace("a text", arguments) + "-- changed\n"),
        ledger=(FUNCTION,),
        installed={"taisce.f": {("text",): 0}},
        spelled={"text": "text", "pg_catalog.int4": "integer", "pg_catalog.int8": "bigint"},
    )
    assert made.renamed == [], why


def test_a_file_that_left_the_package_is_forgotten() -> None:
    made = plan(GROUND, ledger=(GROUND, FUNCTION))
    assert made.forgotten == [FUNCTION[0]]
    assert not made.empty


def test_a_migration_of_an_existing_table_locks_it_together_with_changed_views() -> None:
    alter = ("migrations/0002_more.sql", "alter table taisce.t add column n int;\n")
    changed = (VIEW[0], VIEW[1] + "-- changed\n")
    made = plan(GROUND, alter, FUNCTION, changed, ledger=(GROUND, FUNCTION, VIEW))
    lock = [step for step in made.steps if step.kind == "lock"]
    assert len(lock) == 1
    assert "'taisce.t', 'memory_v1.v'" in lock[0].sql
    kinds = [step.kind for step in made.steps]
    assert kinds.index("lock") < kinds.index("migration")


def test_functions_follow_what_they_require() -> None:
    first = Source("functions/recall/b.sql", "function", "-- b\ncreate function b() ...")
    second = Source("functions/time/a.sql", "function", "-- requires: recall/b.sql\ncreate ...")
    assert [source.path for source in order([second, first])] == [first.path, second.path]


def test_a_circle_of_requirements_is_named() -> None:
    first = Source("functions/time/a.sql", "function", "-- requires: time/b.sql\n")
    second = Source("functions/time/b.sql", "function", "-- requires: time/a.sql\n")
    with pytest.raises(Problem, match=r"a\.sql > functions/time/b\.sql"):
        order([first, second])


def test_declarations_are_found_in_any_layout() -> None:
    found = declared(
        """
        -- create function not.me()
        create or replace function memory_v1.f(
            a text, b "Odd".kind[] default '{}', out c text, variadic d public.vector(3)[]
        ) returns text language sql as $$ create view not.me $$;
        create table taisce.n (a int); create index on taisce.n (a);
        create unique index concurrently if not exists i on only taisce.t (a);
        create or replace view memory_v1.v as select 1;
        alter table if exists only taisce.u add column b int;
        create policy p on taisce.w using (true);
        create temporary table x (a int);
        """
    )
    assert [f.signature for f in found.functions] == [
        'memory_v1.f(text, "Odd".kind[], public.vector[])'
    ]
    assert found.functions[0].defaults == 1
    assert found.views == ("memory_v1.v",)
    assert found.altered == ("taisce.t", "taisce.u", "taisce.w")


def test_a_deeply_nested_statement_can_be_read() -> None:
    text = "create view memory_v1.deep as select " + "(" * 500 + "1" + ")" * 500 + ";"
    assert declared(text).views == ("memory_v1.deep",)


def test_a_text_is_quoted_whatever_it_holds() -> None:
    assert dollar_quoted("a $body$ b $body1$") == "$body2$a $body$ b $body1$$body2$"
