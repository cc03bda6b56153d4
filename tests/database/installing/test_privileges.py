"""Who may do what: every object by every role, in one table, by the catalogue and by trying."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg import sql

from tests.support.contract import absent, arguments, call, functions
from tests.support.databases import Database

Connection = psycopg.Connection[Any]

GROUPS = ("taisce_reader", "taisce_analyst", "taisce_writer", "taisce_admin")
# The administrator is a member of the other three.
MEANS = {
    "reader": {"taisce_reader", "taisce_admin"},
    "analyst": {"taisce_analyst", "taisce_admin"},
    "writer": {"taisce_writer", "taisce_admin"},
    "admin": {"taisce_admin"},
}

# Functions of memory_v1, by name: who may execute all of that name.
EXECUTE = {
    "activate_generation": "admin",
    "activate_query": "admin",
    "active_model": "reader analyst writer",
    "add_alias": "writer",
    "advance_rebuild": "writer",
    "answer_context": "reader analyst",
    "answer_context_envelope": "reader",
    "assert_fact": "writer",
    "begin_generation": "admin",
    "begin_query": "analyst",
    "begin_rebuild": "writer",
    "budget_cut": "reader analyst",
    "claims": "reader analyst",
    "context": "reader",
    "context_items": "reader",
    "contradiction_members": "reader analyst",
    "correct_fact": "writer",
    "create_project": "admin",
    "current_project_id": "reader analyst writer",
    "embedding_due": "admin",
    "end_rebuild": "writer",
    "entity_candidates": "reader analyst",
    "erase_observations": "admin",
    "erase_subject": "admin",
    "evidence_window": "reader analyst writer",
    "expire": "admin",
    "explain_recall": "reader",
    "export_lines": "admin",
    "fact_context": "reader analyst",
    "fact_context_envelope": "reader",
    "fact_walk": "reader analyst",
    "facts": "reader analyst",
    "facts_as_of": "reader analyst",
    "facts_at": "reader analyst",
    "freshness": "reader analyst writer",
    "generations": "reader analyst writer",
    "get_entity": "reader",
    "grant_project": "admin",
    "graph_neighborhood": "reader analyst",
    "graph_path": "reader analyst",
    "index_generation": "admin",
    "lexical_claims": "reader analyst",
    "lexical_facts": "reader analyst",
    "lexical_passages": "reader analyst",
    "list_entities": "reader",
    "list_projects": "reader analyst writer",
    "list_records": "reader",
    "list_settings": "reader analyst writer",
    "load": "writer",
    "maintain": "admin",
    "mark_contradiction": "writer",
    "mark_formed": "writer",
    "merge_entities": "writer",
    "message_window": "reader",
    "observe": "writer",
    "park": "writer",
    "passage_body": "reader analyst",
    "passage_search": "reader analyst",
    "query_space": "reader analyst",
    "ready": "reader analyst writer",
    "ready_generation": "admin",
    "recall": "reader",
    "recall_anchors": "reader analyst",
    "recall_facts": "reader",
    "recall_plan": "admin",
    "recall_terms": "reader analyst writer",
    "record_history": "reader",
    "refresh_words": "admin",
    "register_community": "writer",
    "register_report": "writer",
    "register_segment": "writer",
    "release_content": "admin",
    "report_candidates": "reader analyst",
    "report_feedback": "reader analyst writer",
    "resolve_citation": "reader",
    "resolve_entity": "reader analyst",
    "resolve_entity_envelope": "reader",
    "retire_generation": "admin",
    "retire_query": "admin",
    "retract_fact": "writer",
    "revoke_project": "admin",
    "save_query": "writer",
    "saved_queries": "reader analyst",
    "segments_due": "reader writer",
    "semantic_claims": "reader analyst",
    "semantic_entities": "reader analyst",
    "semantic_facts": "reader analyst",
    "semantic_passages": "reader analyst",
    "set_setting": "admin",
    "settle_generation": "admin",
    "store_embeddings": "admin",
    "suspend_project": "admin",
    "testimony_context": "reader analyst",
    "testimony_context_envelope": "reader",
    "unmerge": "writer",
    "why_not": "reader",
    "withdraw_support": "writer",
}
# Functions of taisce are the owner's, all but these.
INTERNAL = {
    "granted_projects": "reader analyst writer admin",
    "view_ground": "analyst",
    "known_as": "analyst",
    "name_is_kept": "analyst",
    "shown_name": "analyst",
}
# Views of memory_v1, by name: who may select. Nobody may do anything else.
SELECT = {
    "changes": "analyst",
    "claims_current": "analyst",
    "claims_history": "analyst",
    "communities": "analyst",
    "community_reports": "analyst",
    "contradictions_current": "analyst",
    "entities": "analyst",
    "entity_mentions": "analyst",
    "entity_names": "analyst",
    "evidence_lineage": "analyst",
    "fact_evidence": "analyst",
    "facts_current": "analyst",
    "facts_history": "analyst",
    "graph_edges_current": "analyst",
    "graph_edges_history": "analyst",
    "identity_events": "analyst",
    "messages": "analyst",
    "observations": "analyst",
    "project_freshness": "analyst",
    "segments": "analyst",
}
# Tables of memory_v1: columns that a role may write, and nothing else.
INSERT: dict[str, dict[str, set[str]]] = {"load_stage": {"writer": {"line", "body"}}}

TABLE_RIGHTS = ["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"]


def who(allowed: str) -> set[str]:
    """Return the groups that a cell of the table means."""
    return set().union(*(MEANS[word] for word in allowed.split()))


@pytest.fixture(scope="module")
def nobody(module_database: Database) -> str:
    """Name a login that is a member of nothing."""
    module_database.login()
    return module_database.logins[-1]


@pytest.fixture
def conn(module_database: Database, nobody: str) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


def procedures(conn: Connection, schema: str) -> list[tuple[int, str, str]]:
    return conn.execute(
        "select oid, proname, oid::regprocedure::text from pg_proc "
        "where pronamespace = %s::regnamespace order by 3",
        [schema],
    ).fetchall()


def relations(conn: Connection, schema: str, kinds: str) -> list[tuple[int, str]]:
    return conn.execute(
        "select oid, relname from pg_class where relnamespace = %s::regnamespace "
        "and relkind::text = any(%s) order by 2",
        [schema, list(kinds)],
    ).fetchall()


def test_the_table_names_every_object_of_the_contract(conn: Connection) -> None:
    found = {name for _, name, _ in procedures(conn, "memory_v1")}
    assert found == set(EXECUTE), (
        f"add to EXECUTE: {sorted(found - set(EXECUTE))}, gone: {sorted(set(EXECUTE) - found)}"
    )
    views = {name for _, name in relations(conn, "memory_v1", "vm")}
    assert views == set(SELECT), f"SELECT and the views differ: {sorted(views ^ set(SELECT))}"
    tables = {name for _, name in relations(conn, "memory_v1", "rpfS")}
    assert tables == set(INSERT), f"INSERT and the tables differ: {sorted(tables ^ set(INSERT))}"
    internal = {name for _, name, _ in procedures(conn, "taisce")}
    assert set(INTERNAL) <= internal


@pytest.mark.parametrize("schema", ["memory_v1", "taisce"])
def test_functions_can_be_executed_by_those_in_the_table(
    conn: Connection, nobody: str, schema: str
) -> None:
    table = EXECUTE if schema == "memory_v1" else INTERNAL
    problems = []
    for oid, name, signature in procedures(conn, schema):
        allowed = who(table.get(name, ""))
        for role in (*GROUPS, nobody):
            row = conn.execute(
                "select has_function_privilege(%s::name, %s::oid, 'EXECUTE'), "
                "has_function_privilege(%s::name, %s::oid, 'EXECUTE WITH GRANT OPTION')",
                [role, oid, role, oid],
            ).fetchone()
            if row != (role in allowed, False):
                problems.append(f"{role} {signature}: has {row}, allowed {role in allowed}")
    assert not problems, "\n".join(problems)


def test_relations_are_open_to_those_in_the_table(conn: Connection, nobody: str) -> None:
    problems = []
    for schema in ("memory_v1", "taisce"):
        for oid, name in relations(conn, schema, "rpvmf"):
            for role in (*GROUPS, nobody):
                for right in TABLE_RIGHTS:
                    allowed = (
                        schema == "memory_v1"
                        and right == "SELECT"
                        and role in who(SELECT.get(name, ""))
                    )
                    row = conn.execute(
                        "select has_table_privilege(%s::name, %s::oid, %s)", [role, oid, right]
                    ).fetchone()
                    if row != (allowed,):
                        problems.append(f"{role} {right} {schema}.{name}: {row}")
    assert not problems, "\n".join(problems)


def test_columns_are_open_to_those_in_the_table(conn: Connection, nobody: str) -> None:
    problems = []
    for schema in ("memory_v1", "taisce"):
        for oid, name in relations(conn, schema, "rp"):
            rights = INSERT.get(name, {}) if schema == "memory_v1" else {}
            columns = conn.execute(
                "select attname from pg_attribute "
                "where attrelid = %s and attnum > 0 and not attisdropped",
                [oid],
            ).fetchall()
            for role in (*GROUPS, nobody):
                open_columns = set().union(
                    *(some for group, some in rights.items() if role in MEANS[group])
                )
                for (column,) in columns:
                    row = conn.execute(
                        "select has_column_privilege(%(role)s::name, %(oid)s::oid, %(column)s, "
                        "'INSERT'), has_column_privilege(%(role)s::name, %(oid)s::oid, "
                        "%(column)s, 'SELECT, UPDATE, REFERENCES')",
                        {"role": role, "oid": oid, "column": column},
                    ).fetchone()
                    if row != (column in open_columns, False):
                        problems.append(f"{role} {schema}.{name}.{column}: {row}")
    assert not problems, "\n".join(problems)


def test_sequences_are_the_owner_s(conn: Connection, nobody: str) -> None:
    for schema in ("memory_v1", "taisce"):
        for oid, name in relations(conn, schema, "S"):
            for role in (*GROUPS, nobody):
                row = conn.execute(
                    "select has_sequence_privilege(%s::name, %s::oid, 'USAGE, SELECT, UPDATE')",
                    [role, oid],
                ).fetchone()
                assert row == (False,), (role, name)


def test_schemas_are_open_to_the_groups_and_closed_for_new_objects(
    conn: Connection, nobody: str
) -> None:
    for role in (*GROUPS, nobody):
        row = conn.execute(
            "select has_schema_privilege(%(role)s::name, 'memory_v1', 'USAGE'), "
            "has_schema_privilege(%(role)s::name, 'memory_v1', 'CREATE'), "
            "has_schema_privilege(%(role)s::name, 'taisce', 'USAGE'), "
            "has_schema_privilege(%(role)s::name, 'taisce', 'CREATE')",
            {"role": role},
        ).fetchone()
        assert row == (role in GROUPS, False, False, False), role


def test_the_roles_are_groups_without_powers(conn: Connection) -> None:
    rows = conn.execute(
        "select rolname from pg_roles where rolname = any(%s) and (rolsuper or rolbypassrls "
        "or rolcreaterole or rolcreatedb or rolcanlogin or rolreplication)",
        [["taisce_owner", *GROUPS]],
    ).fetchall()
    assert rows == []
    members = conn.execute(
        "select roleid::regrole::text, member::regrole::text from pg_auth_members "
        "where member = any(%s::regrole[]) order by 1",
        [["taisce_owner", *GROUPS]],
    ).fetchall()
    assert set(members) == {
        (group, "taisce_admin") for group in ("taisce_analyst", "taisce_reader", "taisce_writer")
    }


def test_the_owner_may_do_everything(conn: Connection) -> None:
    for schema in ("memory_v1", "taisce"):
        for oid, _, signature in procedures(conn, schema):
            row = conn.execute(
                "select has_function_privilege('taisce_owner', %s::oid, 'EXECUTE')", [oid]
            ).fetchone()
            assert row == (True,), signature
        for oid, name in relations(conn, schema, "rpvm"):
            row = conn.execute(
                "select has_table_privilege('taisce_owner', %s::oid, 'SELECT')", [oid]
            ).fetchone()
            assert row == (True,), name


def test_calls_are_answered_or_refused_as_the_table_says(conn: Connection, nobody: str) -> None:
    problems = []
    for function in functions(conn):
        values = arguments(function, absent(), "nowhere")
        for role in ("taisce_owner", *GROUPS, nobody):
            with conn.transaction(force_rollback=True):
                conn.execute(sql.SQL("set local role {}").format(sql.Identifier(role)))
                outcome = call(conn, function, values)
            allowed = role == "taisce_owner" or role in who(EXECUTE.get(function.name, ""))
            if (outcome.code != "42501") is not allowed:
                problems.append(f"{role} {function}: {outcome.error}")
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("role", [*GROUPS, "nobody"])
@pytest.mark.parametrize(
    "statement",
    [
        "select * from taisce.fact",
        "select * from taisce.project_grant",
        "select * from taisce.setting",
        "insert into taisce.project_grant (project_id, grantee, access) values (1, 1, 'admin')",
        "update taisce.setting set value = '1'",
        "delete from taisce.fact",
        "truncate taisce.fact",
        "select taisce.resolve_project('north')",
        "select taisce.make_id('fact', 1, 'x')",
        "select nextval('taisce.project_number')",
        "create function memory_v1.mine() returns int language sql as 'select 1'",
        "create or replace function memory_v1.recall(question text) returns jsonb language sql "
        "as $$ select '{}'::jsonb $$",
        "alter function memory_v1.list_projects() security invoker",
        "grant taisce_owner to current_user",
        "select * from memory_v1.load_stage",
        "update memory_v1.load_stage set line = 1",
        "delete from memory_v1.load_stage",
        "insert into memory_v1.load_stage (txid, line, body) values ('1', 1, '{}')",
        "drop schema memory_v1 cascade",
    ],
)
def test_what_nobody_but_the_owner_may_do_is_refused(
    conn: Connection, nobody: str, role: str, statement: str
) -> None:
    with conn.transaction(force_rollback=True):
        taken = nobody if role == "nobody" else role
        conn.execute(sql.SQL("set local role {}").format(sql.Identifier(taken)))
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            conn.execute(statement.encode())


@pytest.mark.parametrize("role", [*GROUPS, "nobody"])
def test_the_stage_takes_lines_of_writers_only(conn: Connection, nobody: str, role: str) -> None:
    with conn.transaction(force_rollback=True):
        taken = nobody if role == "nobody" else role
        conn.execute(sql.SQL("set local role {}").format(sql.Identifier(taken)))
        statement = b"insert into memory_v1.load_stage (line, body) values (1, '{}')"
        if role in MEANS["writer"]:
            conn.execute(statement)
        else:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute(statement)
