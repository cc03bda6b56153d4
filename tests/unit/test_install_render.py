"""Rendering of the SQL files, without any database."""

from __future__ import annotations

from pathlib import Path

import pytest

from taisce_pg.install.facts import default_facts
from taisce_pg.install.files import Source, digest, discover
from taisce_pg.install.render import render, render_all, with_prefix
from taisce_pg.install.scale import partitioned
from taisce_pg.problem import Problem
from taisce_pg.resources import db_root


def one(text: str, *, template: bool = False) -> str:
    source = Source("functions/x.sql", "function", text, template)
    return render([source], {**default_facts(), "vector_schema": '"My Ext"'}, "taisce")[0].text


def test_a_plain_file_stays_as_it_is() -> None:
    assert one("select '{{ braces }}';\n") == "select '{{ braces }}';\n"


def test_a_template_gets_the_facts() -> None:
    assert one("x {{ vector_schema }}.vector", template=True) == 'x "My Ext".vector\n'


def test_a_template_that_asks_for_something_unknown_is_refused() -> None:
    with pytest.raises(Problem, match=r"functions/x\.sql.*nonsense"):
        one("{{ nonsense }}", template=True)


def test_another_prefix_changes_role_names_and_nothing_else() -> None:
    text = "grant x on taisce.t to taisce_reader, 'taisce_admin', my_taisce_owner, taisce_readers"
    assert with_prefix(text, "acme") == (
        "grant x on taisce.t to acme_reader, 'acme_admin', my_taisce_owner, taisce_readers"
    )


@pytest.mark.parametrize("prefix", ["", "Acme", "a b", "1a", "pg_x", 'a"b', "a" * 41, "é"])
def test_a_prefix_that_would_need_quoting_is_refused(prefix: str) -> None:
    with pytest.raises(Problem, match="prefix"):
        render_all(default_facts(), prefix)


def test_a_migration_is_known_by_its_released_text() -> None:
    source = Source("migrations/0001_x.sql", "migration", "to taisce_owner {{ fold_from }}", True)
    made = render([source], default_facts(), "acme")[0]
    assert made.text == "to acme_owner \n"
    assert made.checksum == digest(source.text)


def test_a_file_keeps_its_path_when_it_becomes_a_template(tmp_path: Path) -> None:
    (tmp_path / "views").mkdir()
    (tmp_path / "views" / "a.sql.j2").write_text("select 1;")
    (tmp_path / "views" / "readme.md").write_text("no SQL")
    assert [(s.path, s.template) for s in discover(tmp_path)] == [("views/a.sql", True)]


def test_every_file_of_the_package_renders_and_ends_its_last_statement() -> None:
    for file in render_all(default_facts(), "acme"):
        code = [line for line in file.text.splitlines() if line.strip()[:2] not in ("", "--")]
        assert code[-1].rstrip().endswith(";"), file.path
        assert "taisce_owner" not in file.text, file.path


def test_partitions_are_cut_where_rows_belong_to_a_project() -> None:
    text = """\
create table taisce.project (project_id bigint primary key);
create table taisce.fact (
    project_id bigint, n int check (n > 0), -- a comment; with a stop
    primary key (project_id, n)
);
alter table taisce.fact set (fillfactor = 50);
alter table taisce.fact alter column n set statistics 0;
create table taisce.setting (name text);
create unlogged table taisce.stage (project_id bigint);
create table taisce.vector (project_id bigint, g int) partition by list (g);
"""
    source = Source("migrations/0001_x.sql", "migration", text)
    made = partitioned(render([source], default_facts(), "taisce"), 2)[0]
    assert made.checksum == source.checksum
    assert made.text.partition("\ndo $$")[0] == text.replace(
        "n)\n);",
        """n)
) partition by hash (project_id);
create table taisce.fact_0 partition of taisce.fact
for values with (modulus 2, remainder 0);
create table taisce.fact_1 partition of taisce.fact
for values with (modulus 2, remainder 1);""",
    ).replace(
        "alter table taisce.fact set (fillfactor = 50)",
        "alter table taisce.fact_0 set (fillfactor = 50);\n"
        "alter table taisce.fact_1 set (fillfactor = 50)",
    )
    assert "'n_distinct', 100.0::real" in made.text


def test_migrations_are_numbered_without_gaps() -> None:
    numbers = [s.path.split("/")[1][:4] for s in discover(db_root()) if s.kind == "migration"]
    assert numbers == [f"{n:04}" for n in range(1, len(numbers) + 1)]
