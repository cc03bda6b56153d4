"""An install beside changes by hand: it tells them, takes back what it is asked to, loses none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from taisce_pg.cli.main import cli
from taisce_pg.cli.report import run
from taisce_pg.install.drift import Drift
from taisce_pg.install.run import install, status
from taisce_pg.problem import Problem
from tests.support.changes_by_hand import TABLES
from tests.support.databases import Database
from tests.support.package import GREETING, Package

Connection = psycopg.Connection[Any]


@pytest.fixture
def package(package: Package) -> Package:
    """Add parts of every kind to it."""
    package.write("migrations/0002_table.sql", TABLES)
    return package


@pytest.fixture
def admin(empty_database: Database, prefix: str, package: Package) -> Iterator[Connection]:
    """Connect to a database with the small package in it, and a role that is nobody's."""
    with empty_database.connect() as conn:
        conn.execute(f"create role {prefix}_other".encode())
        install(conn, prefix, root=package.root)
        yield conn


def lines(drift: list[Drift]) -> list[str]:
    return [str(item) for item in drift]


@pytest.mark.parametrize(
    "change",
    [
        "alter function memory_v1.greet(text) owner to PREFIX_other",
        "create or replace view memory_v1.greeting as select 'x' as word, 1 as more",
        "drop function memory_v1.greet(text) cascade; drop function taisce.note_drift()",
        "alter schema taisce owner to PREFIX_other",
        "revoke all on taisce.ledger from PREFIX_owner; alter role PREFIX_owner bypassrls",
    ],
)
def test_an_install_repairs_when_it_is_asked_to(
    admin: Connection, prefix: str, package: Package, change: str
) -> None:
    admin.execute(change.replace("PREFIX", prefix).encode())
    found = status(admin, root=package.root)
    assert (found.state, found.exit_code) == ("drift", 4)
    report = install(admin, repair=True, root=package.root)
    assert (report.left, report.exit_code) == ([], 0)
    assert set(lines(report.drift)) >= set(lines(found.drift))
    assert status(admin, root=package.root).state == "ok"
    assert install(admin, root=package.root).applied == []


def test_an_install_alone_changes_nothing(admin: Connection, package: Package) -> None:
    admin.execute("drop index taisce.thing_words; grant select on taisce.thing to public")
    told = lines(status(admin, root=package.root).drift)
    report = install(admin, root=package.root)
    assert (report.applied, lines(report.drift), report.exit_code) == ([], told, 0)
    assert lines(status(admin, root=package.root).drift) == told


def test_a_repair_says_what_it_leaves(admin: Connection, package: Package) -> None:
    admin.execute("alter table taisce.thing add column z int; drop index taisce.thing_words")
    report = install(admin, repair=True, root=package.root)
    assert (lines(report.left), report.exit_code) == (["column z on taisce.thing: added"], 4)
    assert lines(status(admin, root=package.root).drift) == lines(report.left)


def test_a_login_may_become_a_member_and_tables_may_be_used(
    admin: Connection, prefix: str, package: Package
) -> None:
    admin.execute(f"grant {prefix}_reader to {prefix}_other".encode())
    admin.execute("insert into taisce.thing (n, k) values (7, nextval('taisce.number'))")
    admin.execute("analyze; reindex table taisce.thing; cluster taisce.thing using thing_key")
    admin.execute("create table public.mine (n int); create view public.v as table taisce.thing")
    assert status(admin, root=package.root).state == "ok"


def test_an_upgrade_does_not_take_a_change_by_hand_for_its_own(
    admin: Connection, prefix: str, package: Package
) -> None:
    admin.execute(f"grant execute on function memory_v1.greet(text) to {prefix}_other".encode())
    admin.execute("create index extra on taisce.thing (k); drop index taisce.thing_words")
    admin.execute("alter table taisce.thing disable row level security")
    admin.execute("comment on table taisce.part is 'x'")
    admin.execute(f"alter table taisce.cut owner to {prefix}_other".encode())
    told = set(lines(status(admin, root=package.root).drift))
    assert len(told) == 6
    admin.execute(f"alter table taisce.cut owner to {prefix}_owner".encode())
    package.write("migrations/0003_more.sql", "alter table taisce.thing add column more int;\n")
    package.greet("who text", "'good day ' || who", "text")
    report = install(admin, root=package.root)
    assert report.applied == ["migrations/0003_more.sql", "functions/recall/greet.sql"]
    left = set(lines(status(admin, root=package.root).drift))
    assert left == {text for text in told if not text.startswith("table taisce.cut")}
    assert install(admin, repair=True, root=package.root).left == []
    assert status(admin, root=package.root).state == "ok"
    package.write("migrations/0004_less.sql", "drop table taisce.part, taisce.cut;\n")
    install(admin, root=package.root)
    assert status(admin, root=package.root).state == "ok"


def test_an_object_of_somebody_else_is_no_riddle(
    empty_database: Database, admin: Connection, prefix: str, package: Package
) -> None:
    admin.execute(f"alter function memory_v1.greet(text) owner to {prefix}_other".encode())
    uri = empty_database.login(f"{prefix}_owner")
    user = empty_database.logins[-1]
    package.greet("who text", "'good day ' || who", "text")
    with psycopg.connect(uri, autocommit=True) as conn:
        for repair in (False, True):
            with pytest.raises(Problem) as told:
                install(conn, repair=repair, root=package.root)
            assert str(told.value).splitlines() == [str(told.value)]
            assert told.value.message == (
                "functions/recall/greet.sql cannot be applied: function memory_v1.greet(text) "
                f"belongs to {prefix}_other, not to {prefix}_owner"
            )
            way = f"as a superuser: alter routine memory_v1.greet(text) owner to {prefix}_owner;"
            assert told.value.hint.endswith(way)
        admin.execute(way.partition(": ")[2].encode())
        assert install(conn, root=package.root).applied == ["functions/recall/greet.sql"]
        assert conn.execute("select current_user").fetchone() == (user,)
        assert status(conn, root=package.root).state == "ok"


def test_what_the_user_may_not_take_back_is_told_with_the_statement(
    empty_database: Database, admin: Connection, prefix: str, package: Package
) -> None:
    admin.execute(f"alter role {prefix}_reader bypassrls".encode())
    admin.execute("grant select on memory_v1.greeting to public")
    with psycopg.connect(empty_database.login(f"{prefix}_owner"), autocommit=True) as conn:
        report = install(conn, repair=True, root=package.root)
    assert len(report.drift) == 2
    [left] = report.left
    assert left.failed
    assert left.way_out == f"by hand, or as a superuser: alter role {prefix}_reader nobypassrls;"


def test_a_role_with_power_of_its_own_is_refused_at_the_first_install(
    empty_database: Database, prefix: str, package: Package
) -> None:
    with empty_database.connect() as conn:
        conn.execute(f"create role {prefix}_reader bypassrls".encode())
        with pytest.raises(Problem, match="BYPASSRLS") as told:
            install(conn, prefix, root=package.root)
        assert told.value.hint == f"alter role {prefix}_reader nosuperuser nobypassrls;"
        conn.execute(told.value.hint.encode())
        assert install(conn, prefix, root=package.root).applied


def test_the_command_prints_one_line_a_change(
    database: Database, conn: Connection, capsys: Any
) -> None:
    conn.execute("drop index taisce.fact_version_subject; alter table taisce.fact add column x int")
    conn.execute("grant select on memory_v1.facts_current to public")
    common = ["--dsn", database.uri()]
    assert run(cli, [*common, "status"]) == 4
    out = capsys.readouterr().out.splitlines()
    assert [line for line in out if line.startswith("  ")] == [
        "  column x on taisce.fact: added",
        "  index fact_version_subject on taisce.fact_version: missing",
        "  view memory_v1.facts_current: privileges +public=SELECT",
    ]
    assert run(cli, [*common, "status", "--json"]) == 4
    told = json.loads(capsys.readouterr().out)["drift"]
    assert [item["change"] for item in told] == ["added", "missing", "privileges"]
    assert told[1]["mend"].startswith("drop index if exists taisce.fact_version_subject; CREATE")
    assert run(cli, [*common, "install"]) == 0
    capsys.readouterr()
    assert run(cli, [*common, "install", "--repair"]) == 4
    said = capsys.readouterr()
    assert "cannot be taken back" in said.err
    assert "if it is not wanted: alter table taisce.fact drop column x;" in said.out
    conn.execute("alter table taisce.fact drop column x")
    assert run(cli, [*common, "status"]) == 0
    assert run(cli, [*common, "install", "--repair"]) == 0


def test_a_view_that_others_were_built_on_is_not_taken_from_them(
    admin: Connection, package: Package
) -> None:
    admin.execute(GREETING.format(columns="memory_v1.greet('x') as word, 1 as more").encode())
    admin.execute("create view public.mine as select more from memory_v1.greeting")
    with pytest.raises(Problem, match=r"views/greeting\.sql"):
        install(admin, repair=True, root=package.root)
    assert admin.execute("select more from public.mine").fetchone() == (1,)


REBUILT = """
do $$
declare
    v_index record;
begin
    for v_index in
        select i.indexrelid::regclass::text as name,
            replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as made
        from pg_index as i
        join pg_class as c on c.oid = i.indexrelid
        where c.relnamespace = 'taisce'::regnamespace
            and not exists (select from pg_constraint as k where k.conindid = c.oid)
            and not exists (select from pg_inherits as h where h.inhrelid = c.oid)
    loop
        execute 'drop index ' || v_index.name;
        execute v_index.made;
    end loop;
end
$$
"""
# Indexes of parts have names of their own making.
SETTINGS = """
select coalesce(h.inhparent, c.oid)::regclass::text as name,
    regexp_replace(pg_get_indexdef(c.oid), '^.* USING', ''), obj_description(c.oid),
    array(
        select coalesce(a.attstattarget, -1) from pg_attribute as a
        where a.attrelid = c.oid order by a.attnum),
    i.indisvalid, i.indisunique
from pg_class as c
join pg_index as i on i.indexrelid = c.oid
left join pg_inherits as h on h.inhrelid = c.oid
where c.relnamespace = 'taisce'::regnamespace
order by 1, 2, 4
"""


def test_rebuilding_an_index_is_no_change_but_losing_its_settings_is(conn: Connection) -> None:
    before = conn.execute(SETTINGS).fetchall()
    conn.execute("reindex schema taisce")
    assert status(conn).state == "ok"
    # An index over an expression keeps no statistics of it: they would hold erased words.
    silent = {row[0] for row in before if 0 in row[3]}
    assert "taisce.fact_version_slot" in silent
    conn.execute(REBUILT)
    told = lines(status(conn).drift)
    assert len(told) == len(silent)
    for line in told:
        assert "definition changed without statistics 0 of column" in line
    # Taken back without building anything again.
    assert all("index if exists" not in (item.mend or "") for item in status(conn).drift)
    assert install(conn, repair=True).left == []
    assert conn.execute(SETTINGS).fetchall() == before


def test_a_repair_makes_every_index_as_it_was(conn: Connection) -> None:
    before = conn.execute(SETTINGS).fetchall()
    dropped = conn.execute(
        "select string_agg(i.indexrelid::regclass::text, ', ') from pg_index as i"
        " join pg_class as c on c.oid = i.indexrelid"
        " where c.relnamespace = 'taisce'::regnamespace"
        " and not exists (select from pg_constraint as k where k.conindid = c.oid)"
        " and not exists (select from pg_inherits as h where h.inhrelid = c.oid)"
    ).fetchone()
    assert dropped
    conn.execute(f"drop index {dropped[0]}".encode())
    assert {item.change for item in status(conn).drift} == {"missing"}
    assert install(conn, repair=True).left == []
    assert conn.execute(SETTINGS).fetchall() == before
