"""Whatever the installer made and somebody changed by hand is seen, told in a line, and mended."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from taisce_pg.cli.main import cli
from taisce_pg.cli.report import run
from taisce_pg.install.drift import Drift, barriers, explained, find_drift, mend
from taisce_pg.install.facts import server_facts
from taisce_pg.install.render import Rendered, render_all
from taisce_pg.install.run import become_owner_of, install, status
from taisce_pg.problem import Problem
from tests.support.databases import Database
from tests.support.package import GREETING, Package

Connection = psycopg.Connection[Any]

TABLES = """\
create function taisce.note() returns trigger language plpgsql as 'begin return new; end';
create table taisce.thing (
    n int not null default 1, m text, k bigint,
    constraint thing_key primary key (n),
    constraint thing_m check (m <> ''),
    constraint thing_k unique (k)
);
create table taisce.part (
    n int references taisce.thing (n), at timestamptz not null, o int generated always as (n) stored
);
create table taisce.cut (n int not null, m int) partition by hash (n);
create table taisce.cut_0 partition of taisce.cut for values with (modulus 1, remainder 0);
create index thing_words on taisce.thing (m, k) where k > 0;
create index thing_sum on taisce.thing ((n + k));
create index cut_m on taisce.cut (m);
create statistics taisce.thing_both on n, k from taisce.thing;
create trigger noted before insert on taisce.thing for each row execute function taisce.note();
alter table taisce.thing enable row level security;
alter table taisce.thing force row level security;
create policy mine on taisce.thing for select to taisce_reader using (n > 0);
alter table taisce.thing alter column k set statistics 0;
alter table taisce.part set (fillfactor = 90);
comment on column taisce.thing.m is 'Words.';
create sequence taisce.number owned by taisce.thing.k;
create type taisce.mood as enum ('good', 'bad');
create type memory_v1.pair as (a int, b text);
grant usage on type memory_v1.pair to taisce_reader;
grant insert (m) on taisce.thing to taisce_writer;
"""


@pytest.fixture
def package(tmp_path: Path) -> Package:
    made = Package(tmp_path / "db")
    made.write("migrations/0002_table.sql", TABLES)
    return made


@pytest.fixture
def prefix(empty_database: Database) -> Iterator[str]:
    """Give a prefix of this test's own, whose roles go with it."""
    yield (name := f"p_{empty_database.name}")
    empty_database.drop()
    with empty_database.server.connect() as conn:
        for word in ("owner", "reader", "analyst", "writer", "admin", "other"):
            conn.execute(f"drop role if exists {name}_{word}")  # type: ignore[arg-type]


@pytest.fixture
def admin(empty_database: Database, prefix: str, package: Package) -> Iterator[Connection]:
    """Connect to a database with the small package in it, and a role that is nobody's."""
    with empty_database.connect() as conn:
        conn.execute(f"create role {prefix}_other".encode())
        install(conn, prefix, root=package.root)
        yield conn


def lines(drift: list[Drift]) -> list[str]:
    return [str(item) for item in drift]


# What is done by hand (PREFIX stands for the prefix of the roles), and what is said of it.
MENDED: list[tuple[str, str]] = [
    # Functions
    ("create or replace function memory_v1.greet(who text) returns text language sql as 'select 1'",
     "function memory_v1.greet(text): definition changed"),
    ("alter function memory_v1.greet(text) volatile",
     "function memory_v1.greet(text): definition changed"),
    ("alter function memory_v1.greet(text) set work_mem = '1MB'",
     "function memory_v1.greet(text): definition changed"),
    ("alter function memory_v1.greet(text) security definer",
     "function memory_v1.greet(text): definition changed"),
    ("alter function memory_v1.greet(text) owner to PREFIX_other",
     "function memory_v1.greet(text): belongs to PREFIX_other, not to PREFIX_owner"),
    ("grant execute on function memory_v1.greet(text) to public",
     "function memory_v1.greet(text): privileges +public=EXECUTE"),
    ("grant execute on function memory_v1.greet(text) to PREFIX_other with grant option",
     "function memory_v1.greet(text): privileges +PREFIX_other=EXECUTE*"),
    ("revoke execute on function memory_v1.greet(text) from PREFIX_reader",
     "function memory_v1.greet(text): privileges -PREFIX_reader=EXECUTE"),
    ("revoke execute on function memory_v1.greet(text) from PREFIX_owner",
     "function memory_v1.greet(text): privileges +PREFIX_owner=-EXECUTE"),
    ("comment on function memory_v1.greet(text) is 'Says something.'",
     "function memory_v1.greet(text): comment changed"),
    ("comment on function memory_v1.greet(text) is null",
     "function memory_v1.greet(text): comment changed"),
    ("drop function memory_v1.greet(text) cascade", "function memory_v1.greet(text): missing"),
    ("create or replace function taisce.drift() returns table (class text, identity text,"
     " path text, change text, detail text, mend text) language sql as 'select 1, 2, 3, 4, 5, 6"
     " where false'", "function taisce.drift(): definition changed"),
    ("drop function taisce.installed_objects()", "function taisce.installed_objects(): missing"),
    # Views
    ("create or replace view memory_v1.greeting as select 'y' as word",
     "view memory_v1.greeting: definition changed"),
    ("create or replace view memory_v1.greeting as select memory_v1.greet('x') as word, 1 as more",
     "column more on memory_v1.greeting: added"),
    ("alter view memory_v1.greeting set (security_invoker = true)",
     "view memory_v1.greeting: definition changed"),
    ("alter view memory_v1.greeting owner to PREFIX_other",
     "view memory_v1.greeting: belongs to PREFIX_other, not to PREFIX_owner"),
    ("grant select on memory_v1.greeting to PREFIX_other",
     "view memory_v1.greeting: privileges +PREFIX_other=SELECT"),
    ("grant select (word) on memory_v1.greeting to public",
     "column word on memory_v1.greeting: privileges +public=SELECT"),
    ("comment on column memory_v1.greeting.word is 'A word.'",
     "column word on memory_v1.greeting: comment changed"),
    ("drop view memory_v1.greeting", "view memory_v1.greeting: missing"),
    ("create rule silent as on insert to memory_v1.greeting do instead nothing",
     "rule silent on memory_v1.greeting: added"),
    # Tables
    ("alter table taisce.thing disable row level security", "table taisce.thing: definition"),
    ("alter table taisce.thing no force row level security", "table taisce.thing: definition"),
    ("alter table taisce.part enable row level security", "table taisce.part: definition"),
    ("alter table taisce.part set (fillfactor = 50)", "table taisce.part: definition"),
    ("alter table taisce.part reset (fillfactor)", "table taisce.part: definition"),
    ("alter table taisce.thing set (autovacuum_enabled = off)", "table taisce.thing: definition"),
    ("alter table taisce.part set unlogged", "table taisce.part: definition"),
    ("alter table taisce.thing owner to PREFIX_other",
     "table taisce.thing: belongs to PREFIX_other, not to PREFIX_owner"),
    ("grant select on taisce.thing to PREFIX_reader",
     "table taisce.thing: privileges +PREFIX_reader=SELECT"),
    ("grant select on taisce.cut_0 to public", "table taisce.cut_0: privileges +public=SELECT"),
    ("revoke select on taisce.thing from PREFIX_owner",
     "table taisce.thing: privileges +PREFIX_owner=-SELECT"),
    ("comment on table taisce.thing is 'x'", "table taisce.thing: comment changed"),
    # Columns
    ("alter table taisce.thing alter column n set default 2",
     "column n on taisce.thing: definition changed now integer not null default 2"),
    ("alter table taisce.thing alter column n drop default", "column n on taisce.thing: def"),
    ("alter table taisce.part alter column at drop not null", "column at on taisce.part: def"),
    ("alter table taisce.part alter column n set not null", "column n on taisce.part: def"),
    ("alter table taisce.thing alter column k set statistics 500", "column k on taisce.thing: def"),
    ("alter table taisce.thing alter column k set statistics -1", "column k on taisce.thing: def"),
    ("grant select (m) on taisce.thing to public",
     "column m on taisce.thing: privileges +public=SELECT"),
    ("revoke insert (m) on taisce.thing from PREFIX_writer",
     "column m on taisce.thing: privileges -PREFIX_writer=INSERT"),
    ("comment on column taisce.thing.m is 'Other words.'", "column m on taisce.thing: comment"),
    # Constraints
    ("alter table taisce.thing drop constraint thing_m", "constraint thing_m on taisce.thing: mis"),
    ("alter table taisce.thing drop constraint thing_m, add constraint thing_m check (m <> 'a')",
     "constraint thing_m on taisce.thing: definition changed now CHECK"),
    ("alter table taisce.thing drop constraint thing_m, add constraint thing_m check (m <> '')"
     " not valid", "constraint thing_m on taisce.thing: definition changed"),
    ("alter table taisce.thing drop constraint thing_key cascade",
     "constraint thing_key on taisce.thing: missing"),
    ("alter table taisce.part drop constraint part_n_fkey",
     "constraint part_n_fkey on taisce.part: missing"),
    ("alter table taisce.part disable trigger all",
     "constraint part_n_fkey on taisce.part: definition changed"),
    ("alter table taisce.part alter constraint part_n_fkey deferrable",
     "constraint part_n_fkey on taisce.part: definition changed"),
    ("alter table taisce.part add constraint extra check (n > 0)",
     "constraint extra on taisce.part: added"),
    ("comment on constraint thing_m on taisce.thing is 'x'",
     "constraint thing_m on taisce.thing: comment changed"),
    # Indexes
    ("drop index taisce.thing_words", "index thing_words on taisce.thing: missing"),
    ("drop index taisce.thing_words; create index thing_words on taisce.thing (m)",
     "index thing_words on taisce.thing: definition changed"),
    ("create index extra on taisce.thing (k, n)", "index extra on taisce.thing: added"),
    ("alter index taisce.thing_words set (fillfactor = 50)",
     "index thing_words on taisce.thing: definition changed"),
    ("alter index taisce.thing_sum alter column 1 set statistics 500",
     "index thing_sum on taisce.thing: definition changed"),
    ("update pg_index set indisvalid = false where indexrelid = 'taisce.thing_words'::regclass",
     "index thing_words on taisce.thing: definition changed"),
    ("alter index taisce.thing_words rename to other", "index other on taisce.thing: added"),
    # Triggers, rules, policies, statistics
    ("alter table taisce.thing disable trigger noted",
     "trigger noted on taisce.thing: definition changed"),
    ("alter table taisce.thing enable always trigger noted",
     "trigger noted on taisce.thing: definition changed"),
    ("drop trigger noted on taisce.thing", "trigger noted on taisce.thing: missing"),
    ("create trigger spy before insert on taisce.part for each row"
     " execute function taisce.note()", "trigger spy on taisce.part: added"),
    ("create rule lost as on insert to taisce.part do instead nothing",
     "rule lost on taisce.part: added"),
    ("drop policy mine on taisce.thing", "policy mine on taisce.thing: missing"),
    ("alter policy mine on taisce.thing using (true)",
     "policy mine on taisce.thing: definition changed"),
    ("alter policy mine on taisce.thing to public",
     "policy mine on taisce.thing: definition changed"),
    ("create policy yours on taisce.thing using (true)", "policy yours on taisce.thing: added"),
    ("drop statistics taisce.thing_both", "statistics thing_both on taisce.thing: missing"),
    ("create statistics taisce.extra on m, k from taisce.thing",
     "statistics extra on taisce.thing: added"),
    # Sequences, types, schemas
    ("alter sequence taisce.number increment by 7", "sequence taisce.number: definition changed"),
    ("alter sequence taisce.number owned by none", "sequence taisce.number: definition changed"),
    ("grant usage on sequence taisce.number to public", "sequence taisce.number: privileges"),
    ("grant usage on type taisce.mood to PREFIX_other", "type taisce.mood: privileges"),
    ("alter type memory_v1.pair owner to PREFIX_other", "type memory_v1.pair: belongs to"),
    ("comment on type memory_v1.pair is 'x'", "type memory_v1.pair: comment changed"),
    ("grant create on schema memory_v1 to public",
     "schema memory_v1: privileges +public=CREATE"),
    ("grant usage on schema taisce to PREFIX_reader",
     "schema taisce: privileges +PREFIX_reader=USAGE"),
    ("alter schema taisce owner to PREFIX_other", "schema taisce: belongs to PREFIX_other"),
    ("alter default privileges for role PREFIX_owner in schema taisce grant select on tables"
     " to public", "default privileges tables of PREFIX_owner in taisce: added"),
    ("alter default privileges in schema memory_v1 grant execute on functions to PREFIX_other",
     "default privileges functions of"),
    # Roles
    ("alter role PREFIX_reader bypassrls", "role PREFIX_reader: definition changed now bypassrls"),
    ("alter role PREFIX_owner superuser", "role PREFIX_owner: definition changed now superuser"),
    ("alter role PREFIX_writer createrole createdb login",
     "role PREFIX_writer: definition changed now createdb, createrole, login"),
    ("alter role PREFIX_owner replication", "role PREFIX_owner: definition changed"),
    ("alter role PREFIX_admin noinherit", "role PREFIX_admin: definition changed now noinherit"),
    ("alter role PREFIX_reader connection limit 3", "role PREFIX_reader: definition changed"),
    ("alter role PREFIX_owner set row_security = off",
     "role PREFIX_owner: definition changed now row_security=off"),
    ("comment on role PREFIX_reader is 'x'", "role PREFIX_reader: comment changed"),
    ("grant pg_read_all_data to PREFIX_reader",
     "membership PREFIX_reader in pg_read_all_data: added"),
    ("grant PREFIX_owner to PREFIX_analyst",
     "membership PREFIX_analyst in PREFIX_owner: added"),
    ("revoke PREFIX_reader from PREFIX_admin",
     "membership PREFIX_admin in PREFIX_reader: missing"),
    ("grant PREFIX_reader to PREFIX_admin with admin option",
     "membership PREFIX_admin in PREFIX_reader: definition changed now admin"),
]  # fmt: skip

LEFT: list[tuple[str, str, str]] = [
    ("alter table taisce.thing drop column m cascade", "column m on taisce.thing: missing",
     "restore it"),
    ("alter table taisce.thing add column z int", "column z on taisce.thing: added",
     "alter table taisce.thing drop column z;"),
    ("alter table taisce.part alter column at type timestamp",
     "column at on taisce.part: definition", "restore it"),
    ("drop table taisce.part", "table taisce.part: missing", "restore it"),
    ("create table taisce.extra (n int)", "table taisce.extra: added", "drop table taisce.extra;"),
    ("create function memory_v1.extra() returns int language sql as 'select 1'",
     "function memory_v1.extra(): added", "drop routine memory_v1.extra();"),
    ("create aggregate taisce.extra(int) (sfunc = int4pl, stype = int)",
     "function taisce.extra(integer): added", "drop routine taisce.extra(integer);"),
    ("create view memory_v1.extra as select 1 as one", "view memory_v1.extra: added",
     "drop view memory_v1.extra;"),
    ("create sequence taisce.extra", "sequence taisce.extra: added", "drop sequence taisce.extra;"),
    ("create type taisce.extra as (n int)", "type taisce.extra: added", "drop type taisce.extra;"),
    ("create operator taisce.<+> (function = int4pl, leftarg = int, rightarg = int)",
     "other operator taisce.<+>(integer,integer): added",
     "drop operator taisce.<+>(integer,integer);"),
    ("alter type taisce.mood add value 'so'", "type taisce.mood: definition changed", "restore it"),
]  # fmt: skip


@pytest.fixture(scope="module")
def shared(
    module_database: Database, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Connection, str, list[Rendered]]]:
    """Give one installation to all tests that leave it as it was, and its rendered files."""
    package = Package(tmp_path_factory.mktemp("package") / "db")
    package.write("migrations/0002_table.sql", TABLES)
    prefix = f"p_{module_database.name}"
    with module_database.connect() as conn:
        conn.execute("drop schema memory_v1, taisce cascade")
        install(conn, prefix, root=package.root)
        conn.execute(f"create role {prefix}_other".encode())
        yield conn, prefix, render_all(server_facts(conn), prefix, package.root)
    module_database.drop()
    with module_database.server.connect() as conn:
        for word in ("owner", "reader", "analyst", "writer", "admin", "other"):
            conn.execute(f"drop role if exists {prefix}_{word}".encode())


def look(conn: Connection, prefix: str, files: list[Rendered]) -> list[Drift]:
    conn.execute("set local role none")
    shut = barriers(conn, prefix)
    if shut:
        return shut
    become_owner_of(conn, prefix)
    return find_drift(conn, files)


def repair(conn: Connection, prefix: str, files: list[Rendered], drift: list[Drift]) -> list[Drift]:
    """Take back what can be, as an install with --repair does, and return what is left."""
    failed = mend(conn, prefix, drift)
    for file in files:
        if file.kind != "migration" and file.path in {item.path for item in drift}:
            conn.execute(file.text.encode())
    return explained(look(conn, prefix, files), failed)


@pytest.mark.parametrize(("change", "line"), MENDED, ids=[change[:60] for change, _ in MENDED])
def test_a_change_by_hand_is_told_in_a_line_and_taken_back(
    shared: tuple[Connection, str, list[Rendered]], change: str, line: str
) -> None:
    conn, prefix, files = shared
    with conn.transaction(force_rollback=True):
        conn.execute("set local check_function_bodies = off")
        conn.execute(change.replace("PREFIX", prefix).encode())
        drift = look(conn, prefix, files)
        told = [str(item) for item in drift]
        assert any(text.startswith(line.replace("PREFIX", prefix)) for text in told), told
        assert not any("\n" in text for text in told)
        assert repair(conn, prefix, files, drift) == []


@pytest.mark.parametrize(("change", "line", "way"), LEFT, ids=[change[:60] for change, *_ in LEFT])
def test_what_cannot_be_taken_back_is_told_with_the_way_out(
    shared: tuple[Connection, str, list[Rendered]], change: str, line: str, way: str
) -> None:
    conn, prefix, files = shared
    with conn.transaction(force_rollback=True):
        conn.execute(change.encode())
        drift = look(conn, prefix, files)
        told = [str(item) for item in drift]
        assert any(text.startswith(line) for text in told), told
        left = [i for i in repair(conn, prefix, files, drift) if str(i).startswith(line)]
        assert left
        assert way in left[0].way_out


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
