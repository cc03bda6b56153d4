"""Whatever is asked, the answer is an answer or an error that says what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner

from taisce_pg import Memory, errors
from taisce_pg.cli.main import cli
from tests.support.databases import Database
from tests.support.told import Ids, tell

Connection = psycopg.Connection[Any]
SECRET = "xyzzyplugh"


@pytest.fixture(scope="module")
def north(module_database: Database) -> Ids:
    """Tell a memory, which the superuser and one login may use in every way."""
    module_database.login("taisce_admin")
    with module_database.connect() as conn:
        ids = tell(conn, "north")
        tell(conn, "south")
        conn.execute(
            "select memory_v1.grant_project('north', %s, 'admin')", [module_database.logins[-1]]
        )
        conn.execute(
            "insert into taisce.entity (project_id, entity_id, identity_kind, canonical_name, "
            "first_seen_at) select p.project_id, gen_random_uuid(), 'named', 'Crowd ' || n, now() "
            "from taisce.project as p, generate_series(1, 257) as n where p.name = 'north'"
        )
        for name in ("crowd", "many"):
            conn.execute(
                "insert into taisce.entity_name (project_id, name_key, entity_id, "
                "normalized_name, spelling, kind, words) "
                "select e.project_id, %(name)s, e.entity_id, %(name)s, %(name)s, 'alias', 1 "
                "from taisce.entity as e where e.canonical_name like 'Crowd %%' "
                "and (%(name)s = 'crowd' or e.canonical_name <> 'Crowd 257')",
                {"name": name},
            )
    return ids


@pytest.fixture
def conn(module_database: Database, north: Ids) -> Iterator[Connection]:
    """Connect as the login, who sees one project."""
    name = module_database.logins[0]
    with psycopg.connect(module_database.uri(user=name, password=name), autocommit=True) as made:
        yield made


@pytest.fixture
def memory(module_database: Database, north: Ids) -> Iterator[Memory]:
    name = module_database.logins[0]
    with Memory(module_database.uri(user=name, password=name)) as opened:
        yield opened


def refusal(conn: Connection, question: str | None, **controls: Any) -> psycopg.Error:
    """Return the error of a recall that must be refused."""
    casts = {"source_roles": "::text[]", "surfaces": "::text[]", "query_embedding": "::vector"}
    given = "".join(f", {name} => %({name})s{casts.get(name, '')}" for name in controls)
    with pytest.raises(psycopg.Error) as told:
        conn.execute(
            f"select memory_v1.recall(%(question)s{given})".encode(),
            {"question": question, **controls},
        )
    return told.value


def assert_says(
    error: psycopg.Error, code: str, word: str, detail: str, *, echo: str = SECRET
) -> None:
    """Check all four parts of an error, and that it does not repeat what was given."""
    assert error.sqlstate == code, error
    assert error.diag.message_primary == word
    assert re.search(detail, error.diag.message_detail or "")
    assert error.diag.message_hint
    assert echo not in str(error)


@pytest.mark.parametrize(
    ("question", "detail"),
    [
        (None, "1 to 8192 bytes"),
        ("", "blank"),
        (" \t\r\n", "blank"),
        ("\u00a0\u2003\u3000", "blank"),
        (SECRET + "x" * 8183, "1 to 8192 bytes.*8193"),
        ("é" * 4097, "1 to 8192 bytes.*8194"),
        (" ".join(f"{SECRET}{n}" for n in range(130)), "at most 512 candidate"),
        (" ".join(SECRET + chr(97 + n) * 1100 for n in range(6)), "32768 bytes"),
        ("is Crowd in?", "at most 256"),
    ],
)
def test_a_bad_question_is_refused(conn: Connection, question: str | None, detail: str) -> None:
    assert_says(refusal(conn, question), "TS001", "invalid_question", detail)


def test_the_limits_of_a_question_are_inside(conn: Connection) -> None:
    for question in (
        "x" * 8192,
        "é" * 4096,
        " ".join(f"w{n}" for n in range(129)),
        "is Many in?",
        "?",
        "\u200b",
    ):
        answer = conn.execute("select memory_v1.recall(%s)", [question]).fetchone()
        assert answer is not None
        assert answer[0]["contract"] == "recall/v1"


def test_512_candidates_are_answered_and_513_are_not(conn: Connection) -> None:
    """A question of n words has 4n - 6 windows; a word said before adds three at its end."""
    words = [f"{SECRET}{n}" for n in range(129)]
    at_limit = " ".join([*words[:128], words[0], words[5]])
    count = conn.execute(
        "select count(*) from memory_v1.recall_terms(%s) where kind = 'plain'", [at_limit]
    ).fetchone()
    assert count == (512,)
    error = refusal(conn, " ".join([*words, words[5]]))
    assert_says(error, "TS001", "invalid_question", "at most 512 .* at least 513")


CONTROLS: list[tuple[dict[str, Any], str]] = [
    ({"max_characters": 0}, "max_characters must be between 1 and 16000, not 0"),
    ({"max_characters": -1}, "max_characters"),
    ({"max_characters": 16001}, "max_characters must be between 1 and 16000, not 16001"),
    ({"max_characters": 2147483647}, "max_characters"),
    ({"source_roles": []}, "source_roles"),
    ({"source_roles": [SECRET]}, "source_roles"),
    ({"source_roles": ["user", "user"]}, "source_roles"),
    ({"source_roles": ["user", None]}, "source_roles"),
    ({"source_roles": ["User"]}, "source_roles"),
    ({"source_roles": [["user"], ["tool"]]}, "source_roles"),
    ({"source_roles": ["user", "assistant", "system", "tool", "document", "user"]}, "source"),
    ({"surfaces": []}, "surfaces"),
    ({"surfaces": [SECRET]}, "surfaces"),
    ({"surfaces": ["facts", "facts"]}, "surfaces"),
    ({"surfaces": [None]}, "surfaces"),
    ({"surfaces": [["facts"], ["reports"]]}, "surfaces"),
    ({"data_subject_id": ""}, "data_subject_id"),
    ({"data_subject_id": " \u3000"}, "data_subject_id"),
    ({"data_subject_id": SECRET + "x" * 1015}, "data_subject_id.*1024.*1025"),
    ({"as_of": "infinity"}, "as_of"),
    ({"as_of": "-infinity"}, "as_of"),
    ({"as_known_at": "infinity"}, "as_known_at"),
    ({"as_known_at": "-infinity"}, "as_known_at"),
    ({"evidence_per_fact": 0}, "evidence_per_fact must be between 1 and 5, not 0"),
    ({"evidence_per_fact": 6}, "evidence_per_fact must be between 1 and 5, not 6"),
    ({"query_embedding": "[1,2]"}, "query_embedding and embedding_model"),
    ({"embedding_model": SECRET}, "query_embedding and embedding_model"),
    ({"query_embedding": "[1,2]", "embedding_model": " "}, "query_embedding"),
]


@pytest.mark.parametrize(("controls", "detail"), CONTROLS, ids=lambda value: str(value)[:40])
def test_a_control_out_of_range_is_refused_before_anything_is_read(
    conn: Connection, controls: dict[str, Any], detail: str
) -> None:
    for project in (None, "nowhere"):
        error = refusal(conn, "Marta", **controls, project=project)
        assert_says(error, "TS002", "invalid_recall_controls", detail)


def test_controls_within_range_are_taken(conn: Connection) -> None:
    for controls in (
        {"max_characters": 1},
        {"max_characters": 16000},
        {"source_roles": ["user", "assistant", "system", "tool", "document"]},
        {"surfaces": ["passages", "reports", "facts"]},
        {"data_subject_id": "x" * 1024},
        {"as_of": "294276-12-31 23:59:59.999999+00", "as_known_at": "4714-11-24 00:00+00 BC"},
        {"as_of": "4714-11-24 00:00+00 BC", "as_known_at": "294276-12-31 23:59:59.999999+00"},
        {"evidence_per_fact": 5},
        {"hops": -2147483648},
        {"hops": 2147483647},
        {"query_embedding": "[1,2]", "embedding_model": "other"},
    ):
        casts = {"source_roles": "::text[]", "surfaces": "::text[]", "query_embedding": "::vector"}
        given = "".join(f", {name} => %({name})s{casts.get(name, '')}" for name in controls)
        for function in ("recall", "recall_facts"):
            conn.execute(
                f"select memory_v1.{function}('Marta' {given})".encode(), controls
            ).fetchall()


@pytest.mark.parametrize("project", ["nowhere", "south", "", " ", "north ", "NORTH", "é" * 5000])
def test_a_project_that_is_not_granted_is_unknown(conn: Connection, project: str) -> None:
    error = refusal(conn, "Marta", project=project)
    assert_says(error, "TS003", "unknown_project", "no project of that name is granted")


def test_the_client_refuses_what_no_server_can_hold(memory: Memory) -> None:
    for question in (f"{SECRET}\0", f"{SECRET}\ud800"):
        with pytest.raises(errors.InvalidQuestion) as told:
            memory.recall(question)
        assert told.value.code == "TS001"
        assert told.value.detail
        assert told.value.hint
        assert SECRET not in str(told.value)
    for control in ("data_subject_id", "embedding_model"):
        for text in (f"{SECRET}\0", f"{SECRET}\ud800"):
            with pytest.raises(errors.TaisceError) as refused:
                memory.recall("Marta", **{control: text})  # type: ignore[arg-type]
            assert refused.value.code in ("TS002", "TS005")
            assert SECRET not in str(refused.value)
    assert memory.recall("Marta").facts, "the connection is good for the next question"


@pytest.mark.parametrize("option", ["--as-of", "--as-known-at"])
@pytest.mark.parametrize("text", ["2024-01-01T00:00:00", "2024-01-01", "yesterday", "", "12:00Z"])
def test_the_command_line_refuses_a_time_without_a_zone(
    module_database: Database, north: Ids, option: str, text: str
) -> None:
    result = CliRunner().invoke(
        cli, ["--dsn", module_database.uri(), "recall", "Marta", "--project", "north", option, text]
    )
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    assert "zone" in result.output or "time" in result.output
