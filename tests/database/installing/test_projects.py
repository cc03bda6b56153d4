"""Projects, who may use them, and the limits of the installation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from taisce_pg.cli.main import cli
from taisce_pg.cli.report import run
from tests.support.databases import Database

Connection = psycopg.Connection[Any]


@pytest.fixture
def boss(database: Database) -> Iterator[Connection]:
    """Connect as a member of taisce_admin who is no superuser."""
    with psycopg.connect(database.login("taisce_admin"), autocommit=True) as made:
        yield made


@pytest.fixture
def guest(database: Database) -> Iterator[Connection]:
    """Connect as a reader."""
    with psycopg.connect(database.login("taisce_reader"), autocommit=True) as made:
        yield made


def call(conn: Connection, text: str, *arguments: Any) -> Any:
    row = conn.execute(f"select memory_v1.{text}", arguments).fetchone()  # type: ignore[arg-type]
    return row[0] if row else None


def names(conn: Connection) -> list[tuple[str, str, str]]:
    return conn.execute("select name, status, access from memory_v1.list_projects()").fetchall()


def fails(conn: Connection, code: str, text: str, *arguments: Any) -> psycopg.Error:
    with pytest.raises(psycopg.Error) as told:
        call(conn, text, *arguments)
    assert told.value.sqlstate == code
    if code.startswith("TS"):
        assert told.value.diag.message_detail
        assert told.value.diag.message_hint
    return told.value


def test_a_new_project_belongs_to_its_maker_alone(
    boss: Connection, conn: Connection, guest: Connection
) -> None:
    number = call(boss, "create_project('one')")
    assert isinstance(number, int)
    assert names(boss) == [("one", "active", "admin")]
    assert names(guest) == []
    assert names(conn) == [], "a superuser needs a grant like anybody"


def test_a_taken_name_is_refused_and_uses_nothing_up(boss: Connection, conn: Connection) -> None:
    call(boss, "create_project('one')")
    error = fails(boss, "TS005", "create_project('one')")
    assert "one" not in str(error.diag.message_detail).split()
    assert conn.execute("select count(*) from taisce.project_grant").fetchone() == (1,)


@pytest.mark.parametrize(
    "arguments",
    [(None,), ("",), (" \t",), ("x" * 257,), ("x", []), ("x", ["user", "nobody"]), ("x", [None])],
)
def test_an_unusable_project_is_refused(boss: Connection, arguments: tuple[Any, ...]) -> None:
    marks = ", ".join(["%s", "%s::text[]"][: len(arguments)])
    fails(boss, "TS005", f"create_project({marks})", *arguments)
    assert names(boss) == []


def test_default_source_roles_are_what_people_said(boss: Connection) -> None:
    call(boss, "create_project('one')")
    call(boss, "create_project('two', array['document', 'tool'])")
    rows = boss.execute(
        "select name, default_source_roles from memory_v1.list_projects()"
    ).fetchall()
    assert rows == [("one", ["user"]), ("two", ["document", "tool"])]


def test_a_grant_reaches_the_members_of_a_role(boss: Connection, guest: Connection) -> None:
    call(boss, "create_project('one')")
    fails(guest, "TS003", "current_project_id()")
    call(boss, "grant_project('one', 'taisce_reader', 'read')")
    assert names(guest) == [("one", "active", "read")]
    assert call(guest, "current_project_id()") is not None
    assert call(boss, "revoke_project('one', 'taisce_reader')") is True
    assert call(boss, "revoke_project('one', 'taisce_reader')") is False
    assert names(guest) == []


def test_several_projects_must_be_told_apart(boss: Connection) -> None:
    call(boss, "create_project('one')")
    call(boss, "create_project('two')")
    fails(boss, "TS005", "current_project_id()")
    boss.execute("set taisce.project = 'two'")
    assert call(boss, "current_project_id()") is not None
    boss.execute("set taisce.project = 'three'")
    fails(boss, "TS003", "current_project_id()")


def test_unknown_and_foreign_projects_are_the_same_error(
    database: Database, boss: Connection, conn: Connection
) -> None:
    call(boss, "create_project('one')")
    with psycopg.connect(database.login("taisce_admin"), autocommit=True) as other:
        for text in (
            "grant_project(%s, 'taisce_reader', 'read')",
            "revoke_project(%s, 'taisce_reader')",
            "suspend_project(%s)",
        ):
            foreign = fails(other, "TS003", text, "one")
            unknown = fails(other, "TS003", text, "nowhere")
            assert str(foreign) == str(unknown)
    assert conn.execute("select count(*) from taisce.project_grant").fetchone() == (1,)


def test_write_access_does_not_administer(
    database: Database, boss: Connection, conn: Connection
) -> None:
    call(boss, "create_project('one')")
    uri = database.login("taisce_admin")
    call(boss, "grant_project('one', %s, 'write')", database.logins[-1])
    with psycopg.connect(uri, autocommit=True) as other:
        assert names(other) == [("one", "active", "write")]
        fails(other, "TS003", "suspend_project('one')")


def test_a_suspended_project_is_unknown_until_it_is_resumed(
    boss: Connection, guest: Connection
) -> None:
    call(boss, "create_project('one')")
    call(boss, "grant_project('one', 'taisce_reader', 'read')")
    assert call(boss, "suspend_project('one')") is True
    assert call(boss, "suspend_project('one')") is False
    assert names(guest) == []
    fails(guest, "TS003", "current_project_id()")
    fails(boss, "TS003", "current_project_id()")
    assert names(boss) == [("one", "suspended", "admin")]
    call(boss, "grant_project('one', 'taisce_analyst', 'read')")
    assert call(boss, "suspend_project('one', false)") is True
    assert names(guest) == [("one", "active", "read")]
    fails(boss, "TS005", "suspend_project('one', null)")


def test_the_last_administrator_stays(boss: Connection) -> None:
    call(boss, "create_project('one')")
    me = boss.info.user
    fails(boss, "TS005", "revoke_project('one', %s)", me)
    fails(boss, "TS005", "grant_project('one', %s, 'read')", me)
    assert names(boss) == [("one", "active", "admin")]
    call(boss, "grant_project('one', 'taisce_admin', 'admin')")
    assert call(boss, "revoke_project('one', %s)", me) is True
    assert names(boss) == [("one", "active", "admin")], "as a member"


@pytest.mark.parametrize(
    ("grantee", "access"),
    [("nobody_at_all", "read"), (None, "read"), ("taisce_reader", "own"), ("taisce_reader", None)],
)
def test_an_unusable_grant_is_refused(
    boss: Connection, grantee: str | None, access: str | None
) -> None:
    call(boss, "create_project('one')")
    fails(boss, "TS005", "grant_project('one', %s, %s)", grantee, access)


def test_a_dropped_role_breaks_nobody(
    database: Database, boss: Connection, conn: Connection
) -> None:
    call(boss, "create_project('one')")
    conn.execute("create role soon_gone")
    try:
        call(boss, "grant_project('one', 'soon_gone', 'read')")
    finally:
        conn.execute("drop role soon_gone")
    grants = boss.execute("select grants from memory_v1.list_projects()").fetchall()[0][0]
    assert any(name.startswith("dropped role") for name in grants)


def test_a_pool_login_sees_nothing_before_it_takes_a_role(
    database: Database, boss: Connection
) -> None:
    call(boss, "create_project('one')")
    call(boss, "grant_project('one', 'taisce_reader', 'read')")
    with psycopg.connect(database.login("taisce_reader", inherit=False), autocommit=True) as pool:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            names(pool)
        pool.execute("set role taisce_reader")
        assert names(pool) == [("one", "active", "read")]


@pytest.mark.parametrize("role", ["taisce_reader", "taisce_analyst", "taisce_writer"])
def test_only_administrators_administer(conn: Connection, role: str) -> None:
    conn.execute(f"set role {role}")  # type: ignore[arg-type]
    for text in (
        "create_project('x')",
        "grant_project('x', 'taisce_reader', 'read')",
        "revoke_project('x', 'taisce_reader')",
        "suspend_project('x')",
        "set_setting('recall_terms', '1')",
    ):
        fails(conn, "42501", text)
    assert names(conn) == []
    assert conn.execute("select count(*) from memory_v1.list_settings()").fetchone() != (0,)


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("bundle_characters", " 500 ", "500"),
        ("clock_skew", "90 seconds", "90 seconds"),
        ("passage_weight_vectors", "0.25", "0.25"),
        ("audit", "log", "log"),
        ("sandbox_analytical_roles", "", ""),
    ],
)
def test_a_setting_within_its_range_is_kept(
    boss: Connection, name: str, value: str, kept: str
) -> None:
    assert call(boss, "set_setting(%s, %s)", name, value) == kept
    settings = dict(boss.execute("select name, value from memory_v1.list_settings()").fetchall())
    assert settings[name] == kept


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("no_such_setting", "1"),
        (None, "1"),
        ("bundle_characters", "0"),
        ("bundle_characters", "many"),
        ("bundle_characters", "99999999999999999999"),
        ("bundle_characters", None),
        ("clock_skew", "2 days"),
        ("clock_skew", "-1 second"),
        ("clock_skew", "soon"),
        ("passage_weight_vectors", "NaN"),
        ("passage_weight_vectors", "1.5"),
        ("audit", "loud"),
        ("sandbox_tiers", "{"),
        ("sandbox_tiers", "[]"),
    ],
)
def test_a_setting_out_of_range_is_refused(
    boss: Connection, name: str | None, value: str | None
) -> None:
    before = boss.execute("select * from memory_v1.list_settings()").fetchall()
    fails(boss, "TS005", "set_setting(%s, %s)", name, value)
    assert boss.execute("select * from memory_v1.list_settings()").fetchall() == before


def test_the_command_line_says_the_same(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    def taisce(*arguments: str) -> tuple[int, str, str]:
        code = run(cli, ["--dsn", database.uri(), *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    assert taisce("project", "list")[:2] == (0, "")
    assert taisce("project", "create", "one", "--source-role", "document")[0] == 0
    code, _, err = taisce("project", "create", "one")
    assert code == 1
    assert "TS005" in err
    assert taisce("project", "grant", "one", "taisce_reader", "read")[0] == 0
    assert taisce("project", "suspend", "one")[0] == 0
    code, out, _ = taisce("project", "list", "--json")
    row = json.loads(out)[0]
    assert (row["name"], row["status"], row["access"]) == ("one", "suspended", "admin")
    assert row["grants"]["taisce_reader"] == "read"
    assert taisce("project", "suspend", "one", "--resume")[0] == 0
    assert taisce("project", "grant", "one", "taisce_reader", "none")[0] == 0
    assert "document" in taisce("project", "list")[1]
    assert taisce("setting", "set", "recall_terms", "99")[0] == 0
    assert taisce("setting", "get", "recall_terms")[1] == "99\n"
    assert taisce("setting", "get", "nonsense")[0] == 1
    assert "recall_terms" in taisce("setting", "list")[1]
    assert taisce("project", "grant", "one", "taisce_reader", "own")[0] == 2
    assert taisce("status")[0] == 0
    assert json.loads(taisce("install", "--json")[1])["applied"] == []
    assert json.loads(taisce("uninstall", "--yes", "--json")[1])["prefix"] == "taisce"
    assert taisce("status", "--json")[0] == 3


def test_names_do_nothing_to_a_terminal(
    boss: Connection, capfd: pytest.CaptureFixture[str]
) -> None:
    call(boss, "create_project(%s)", "x\x1b[red]y")
    dsn = boss.info.dsn + f" password={boss.info.password}"
    assert run(cli, ["--dsn", dsn, "project", "list"]) == 0
    shown = capfd.readouterr().out
    assert "\x1b" not in shown
    assert "x\\x1b[red]y" in shown
