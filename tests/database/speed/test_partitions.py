"""Tables cut by project, and the text that spreads them over Citus."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner
from psycopg.types.json import Jsonb

from taisce_pg.bench import generator, probe
from taisce_pg.bench.generator import generate
from taisce_pg.bench.measures import Bench, Call
from taisce_pg.bench.partitions import _CALLS, LIMIT
from taisce_pg.cli.main import cli
from taisce_pg.install.facts import server_facts
from taisce_pg.install.run import install, status
from taisce_pg.install.script import distribution, first_install
from taisce_pg.resources import db_root
from tests.support.databases import Database, create, freeze, fresh, once
from tests.support.servers import ServerUnderTest
from tests.support.told import fingerprint, tell

PARTITIONS = 4
Connection = psycopg.Connection[Any]


@pytest.fixture(scope="session")
def cut_template(server: ServerUnderTest, run_dir: Path, empty_template: str) -> str:
    """Name a template whose tables are cut into partitions."""

    def build(name: str) -> None:
        create(server, name, empty_template)
        with server.connect(name) as conn:
            facts = server_facts(conn)
            conn.execute(first_install(facts=facts, partitions=PARTITIONS).encode())
        freeze(server, name)

    return once(run_dir, "cut", build)


@pytest.fixture
def cut(server: ServerUnderTest, run_dir: Path, cut_template: str) -> Iterator[Database]:
    with fresh(server, run_dir, cut_template) as made:
        yield made


def test_nothing_is_pending_in_a_cut_memory_and_every_large_table_is_cut(cut: Database) -> None:
    with cut.connect() as conn:
        assert status(conn).state == "ok"
        assert install(conn).applied == []
        whole = conn.execute(
            """
            select c.oid::regclass::text
            from pg_class as c
            join pg_attribute as a on a.attrelid = c.oid and a.attname = 'project_id'
            where c.relnamespace = 'taisce'::regnamespace and c.relkind = 'r'
              and not c.relispartition
            order by 1
            """
        ).fetchall()
        unnamed = conn.execute(
            """
            select c.relname from pg_inherits as h
            join pg_class as c on c.oid = h.inhrelid and c.relkind = 'i'
            join pg_class as p on p.oid = h.inhparent
            where c.relname !~ ('^' || p.relname || '_\\d+$') and c.relname !~ '_pkey$|_key\\d*$'
            """
        ).fetchall()
    # A few rows a project: cutting them costs every recall locks and wins nothing.
    assert [name.removeprefix("taisce.") for (name,) in whole] == [
        "embedding_generation",
        "predicate",
        "project",
        "project_clock",
        "project_grant",
        "rebuild",
        "saved_query",
        "word_due",
        "word_space",
    ]
    # EXPLAIN names the indexes of partitions.
    assert [name for (name,) in unnamed if not name.startswith("embedding_small")] == []


def test_the_planner_knows_that_a_partition_holds_few_projects(cut: Database) -> None:
    """Else whole projects are read for one row; what ANALYZE would note names a project."""
    with cut.connect() as conn:
        if conn.info.server_version < 180000:
            pytest.skip("nobody may tell an older server")
        tell(conn, "north")
        conn.execute("vacuum (analyze)")
        told = conn.execute(
            """
            select i.inhrelid::regclass::text,
                (select array[s.n_distinct, s.correlation, s.null_frac]
                 from pg_stats as s
                 where s.schemaname = 'taisce' and s.tablename = c.relname
                   and s.attname = 'project_id' and s.most_common_vals is null
                   and s.histogram_bounds is null)
            from pg_partitioned_table as t
            join pg_inherits as i on i.inhparent = t.partrelid
            join pg_class as c on c.oid = i.inhrelid
            where t.partstrat = 'h'
            """
        ).fetchall()
    assert len(told) > 20 * PARTITIONS
    assert {
        name: said for name, said in told if said != pytest.approx([200 / PARTITIONS, 0.7, 0])
    } == {}


def partition_of(conn: Connection, project: str) -> str:
    row = conn.execute(
        "select f.tableoid::regclass::text from taisce.fact as f join taisce.project as p"
        " using (project_id) where p.name = %s limit 1",
        [project],
    ).fetchone()
    assert row is not None
    return str(row[0])


def test_rows_at_the_same_place_of_two_partitions_are_not_taken_for_each_other(
    cut: Database,
) -> None:
    """What finds rows by their place names the project as well: places repeat in partitions."""
    with cut.connect() as conn:
        # Suspended or not, all three look alike; take two that lie in different partitions.
        told = {name: tell(conn, name) for name in ("north", "south", "asleep")}
        places = {name: partition_of(conn, name) for name in told}
        mine, other = next(
            (one, two) for one in places for two in places if places[one] != places[two]
        )
        same = conn.execute(
            "select count(*) from taisce.fact_version as a join taisce.fact_version as b"
            " on a.ctid = b.ctid and a.tableoid <> b.tableoid"
        ).fetchone()
        assert same is not None
        assert same[0] > 0
        before = fingerprint(conn, other)
        conn.execute("select set_config('taisce.project', %s, false)", [mine])
        ids = told[mine]
        source = Jsonb([{"observation": {"id": str(ids.observation)}, "quote": "Acme is in"}])
        for value, year in (("first", 2001), ("second", 2002), ("third", 2003)):
            conn.execute(
                "select * from memory_v1.assert_fact('\"Marta\"', 'sits_in', value => %s,"
                " statement => %s, evidence => %s, cardinality => 'one',"
                " valid_from => make_timestamptz(%s, 1, 1, 0, 0, 0))",
                [value, value, source, year],
            )
        conn.execute("select memory_v1.mark_contradiction(%s)", [[ids.fact, ids.other_fact]])
        conn.execute("select * from memory_v1.retract_fact(%s, 'wrong')", [ids.fact])
        conn.execute("select * from memory_v1.maintain()").fetchall()
        assert fingerprint(conn, other) == before
        cuts = conn.execute(
            "select count(*) from taisce.fact_version where closed_cause = 'superseded'"
        ).fetchone()
        assert cuts == (2,)


def test_no_function_finds_a_row_by_its_place_alone() -> None:
    """Nor beside a project that an index could be read for: then all its rows would be."""
    missing = []
    for path in sorted((db_root() / "functions").rglob("*.sql*")):
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines):
            found = re.search(r"(\w+)\.ctid\s+(=|in\b|<>|<|>)", line)
            if found and not any(
                re.search(rf"\b{found[1]}\.project_id \+ 0 =", near)
                for near in lines[max(0, number - 2) : number]
            ):
                missing.append(f"{path.name}:{number + 1}: {line.strip()}")
    assert missing == []


def test_no_function_asks_for_what_a_partitioned_table_cannot_tell() -> None:
    """System columns after insert: only tables that are whole have them."""
    asked = [
        path.name
        for path in (db_root() / "functions").rglob("*.sql*")
        if re.search(r"returning[^;]*\b(xmax|xmin|cmin|cmax)\b", path.read_text())
    ]
    assert asked == []


@pytest.fixture(scope="module")
def benches(
    server: ServerUnderTest, run_dir: Path, template: str, cut_template: str
) -> Iterator[tuple[Bench, Bench]]:
    """Give the same memory in whole tables and in cut ones."""
    with fresh(server, run_dir, template) as one, fresh(server, run_dir, cut_template) as two:
        conns = [database.connect() for database in (one, one, two, two)]
        made = []
        for conn in (conns[0], conns[2]):
            conn.execute("select memory_v1.set_setting('bundle_characters', '1000000')")
            made.append(generate(conn, generator.FEWEST))
        yield (
            Bench(probe.plain(conns[0]), conns[1], made[0]),
            Bench(probe.plain(conns[2]), conns[3], made[1]),
        )
        for conn in conns:
            conn.close()


@pytest.mark.parametrize("case", _CALLS)
def test_a_recall_reads_no_more_in_partitions(benches: tuple[Bench, Bench], case: str) -> None:
    call: Call = _CALLS[case]
    whole, parts = (bench.counts(call) for bench in benches)
    answers = [[fact["statement"] for fact in bench.ask(call)["facts"]] for bench in benches]
    assert answers[0] == answers[1]
    assert parts.buffers <= LIMIT * whole.buffers + 4
    assert parts.entries <= LIMIT * whole.entries + 4


# -- Citus -----------------------------------------------------------------------------------------

_SPREAD = re.compile(
    r"create_distributed_table\(\s*'([\w.]+)', 'project_id', colocate_with => '([\w.]+)'\)"
)
_COPIED = re.compile(r"create_reference_table\('([\w.]+)'\)")


def test_every_table_is_distributed_by_project_or_copied(conn: Connection) -> None:
    text = distribution()
    spread, copied = _SPREAD.findall(text), _COPIED.findall(text)
    assert [beside for _, beside in spread] == ["none", *["taisce.observation"] * (len(spread) - 1)]
    assert spread[0][0] == "taisce.observation"
    names = [name for name, _ in spread]
    tables = dict(
        conn.execute(
            """
            select c.oid::regclass::text, exists (
                select from pg_attribute as a
                where a.attrelid = c.oid and a.attname = 'project_id' and a.attnotnull)
            from pg_class as c
            where c.relnamespace = any (array['taisce', 'memory_v1']::regnamespace[])
              and c.relkind in ('r', 'p') and not c.relispartition
            """
        ).fetchall()
    )
    coordinator = {"taisce.ledger", "taisce.ledger_object", "memory_v1.load_stage"}
    assert len(set(names) | set(copied)) == len(names) + len(copied)
    assert set(names) | set(copied) | coordinator == set(tables)
    assert all(tables[name] for name in names)
    # Rows of a project may be copied to every node only where all of them are asked at once.
    assert {name for name in copied if tables[name]} == {"taisce.project", "taisce.project_grant"}


def test_no_constraint_reaches_beyond_a_node(conn: Connection) -> None:
    """Unique keys carry the project, and keys lead to copied tables or to the same project."""
    text = distribution()
    names = [name for name, _ in _SPREAD.findall(text)]
    copied = _COPIED.findall(text)
    loose = conn.execute(
        """
        select i.indexrelid::regclass::text
        from pg_index as i
        where i.indrelid = any (%s::regclass[]) and i.indisunique
          and not exists (
            select from pg_attribute as a
            where a.attrelid = i.indrelid and a.attname = 'project_id'
              and a.attnum = any (i.indkey::smallint[]))
        """,
        [names],
    ).fetchall()
    assert loose == []
    keys = conn.execute(
        """
        select k.conname, k.conrelid::regclass::text, k.confrelid::regclass::text,
            (select array_position(k.conkey, a.attnum) = array_position(k.confkey, b.attnum)
             from pg_attribute as a, pg_attribute as b
             where a.attrelid = k.conrelid and a.attname = 'project_id'
               and b.attrelid = k.confrelid and b.attname = 'project_id'),
            k.confdeltype
        from pg_constraint as k
        where k.contype = 'f' and k.connamespace = 'taisce'::regnamespace and k.conparentid = 0
        """
    ).fetchall()
    assert keys
    for name, table, target, aligned, on_delete in keys:
        assert on_delete in ("a", "r", "c"), name
        if table in names:
            assert target in copied or (target in names and aligned), name
        else:
            assert target in copied, name
    others = conn.execute(
        "select conname from pg_constraint where contype = 'x' and conrelid = any (%s::regclass[])",
        [names],
    ).fetchall()
    assert others == []


def test_policies_with_a_subquery_go_before_tables_are_distributed(conn: Connection) -> None:
    """The part before the Citus calls is run here: afterwards no policy holds a subquery."""
    before = distribution().split("select create_reference_table", 1)[0]
    with conn.transaction(force_rollback=True):
        conn.execute(before.encode())
        left = conn.execute(
            """
            select tablename, count(*), bool_or(concat(qual, with_check) ~* 'select'),
                array_agg(distinct roles::text)
            from pg_policies where schemaname = 'taisce' group by 1
            """
        ).fetchall()
        assert len(left) > 20
        for table, count, subquery, roles in left:
            assert (count, subquery) == (1, False), table
            assert roles == ["{taisce_owner}"] or table == "project_grant", table
        forced = conn.execute(
            "select bool_and(relrowsecurity and relforcerowsecurity) from pg_class"
            " where relnamespace = 'taisce'::regnamespace and relkind in ('r', 'p')"
            " and relname = any (%s)",
            [[table for table, *_ in left]],
        ).fetchone()
        assert forced == (True,)


def test_a_server_without_citus_refuses_the_rest(conn: Connection) -> None:
    with pytest.raises(psycopg.errors.UndefinedFunction, match="create_reference_table"):
        conn.execute(distribution().encode())


def test_the_roles_of_another_prefix_are_named() -> None:
    assert "to acme_owner using" in distribution("acme")
    assert "taisce_owner" not in distribution("acme")


def test_partitions_and_distribution_exclude_each_other() -> None:
    done = CliRunner().invoke(cli, ["sql", "--offline", "--partitions", "4", "--distribute"])
    assert done.exit_code == 2
    assert CliRunner().invoke(cli, ["sql", "--distribute"]).output == distribution()
