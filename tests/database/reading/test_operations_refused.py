"""Arguments that the assured operations refuse, by name and before they read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from taisce_pg.load.apply import load_lines
from tests.support.databases import Database
from tests.support.memories import EVERYTHING, lines
from tests.support.operations import Connection, crowd, refusal


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        load_lines(made, "everything", lines(EVERYTHING), name="everything")
        load_lines(made, "crowd", lines(crowd()), name="crowd")
        made.execute("set timezone = 'UTC'")
        yield made


ENTITY = "5b103a6f-af84-4577-8f94-ebf2fee235e4"
REFUSED = [
    ("fact_context", "query => ''", "query"),
    ("fact_context", "query => repeat('a', 8193)", "query"),
    ("fact_context", "query => 'a', k => 0", "k"),
    ("fact_context", "query => 'a', k => 31", "k"),
    ("fact_context", "query => 'a', hops => 3", "hops"),
    ("fact_context", "query => 'a', hops => -1", "hops"),
    ("fact_context", "query => 'a', evidence_per_fact => 6", "evidence_per_fact"),
    ("fact_context", "query => 'a', evidence_per_fact => 0", "evidence_per_fact"),
    ("fact_context", "query => 'a', predicate => ' '", "predicate"),
    ("fact_context", "query => 'a', entity_ids => '{}'", "entity_ids"),
    ("fact_context", "query => 'a', entity_ids => array[null]::uuid[]", "entity_ids"),
    (
        "fact_context",
        f"query => 'a', entity_ids => array['{ENTITY}', '{ENTITY}']::uuid[]",
        "entity_ids",
    ),
    (
        "fact_context",
        "query => 'a', entity_ids => "
        "array(select gen_random_uuid() from generate_series(1, 20))",
        "entity_ids",
    ),
    ("fact_context", "query => 'a', source_roles => '{}'", "source_roles"),
    ("fact_context", "query => 'a', source_roles => '{user,user}'", "source_roles"),
    ("fact_context", "query => 'a', source_roles => '{user,king}'", "source_roles"),
    ("fact_context", "query => 'a', data_subject_id => ' '", "data_subject_id"),
    ("fact_context", "query => 'a', identity_regime => 'both'", "identity_regime"),
    ("fact_context", "query => 'a', embedding_model => 'm'", "query_embedding"),
    ("fact_context", "query => 'a', continuation => 'abc'", "continuation"),
    ("fact_context", "query => 'a', continuation => repeat('AAAA', 30)", "continuation"),
    ("testimony_context", "query => 'a', k => 101", "k"),
    ("testimony_context", "query => 'a', candidate_k => 401", "candidate_k"),
    ("testimony_context", "query => 'a', k => 60, candidate_k => 50", "candidate_k"),
    (
        "testimony_context",
        "query => 'a', entity_ids => "
        "array(select gen_random_uuid() from generate_series(1, 21))",
        "entity_ids",
    ),
    ("answer_context", "query => 'a', max_characters => 0", "max_characters"),
    ("answer_context", "query => 'a', hops => 3", "hops"),
    ("resolve_entity", "name => ' '", "name"),
    ("resolve_entity", "name => repeat('a', 4097)", "name"),
    ("resolve_entity", "name => 'a', entity_type => ''", "entity_type"),
    ("facts", "fact_ids => '{}'", "fact_ids"),
    ("claims", "claim_ids => array[null]::uuid[]", "claim_ids"),
    ("facts_as_of", "valid_at => 'infinity', believed_at => now()", "valid_at"),
    ("facts_as_of", "valid_at => now(), believed_at => null", "believed_at"),
    ("facts_as_of", "valid_at => now(), believed_at => now(), max_rows => 1001", "max_rows"),
    ("contradiction_members", f"group_id => '{ENTITY}', continuation => 'zz'", "continuation"),
    ("graph_neighborhood", f"entity_id => '{ENTITY}', max_depth => 5", "max_depth"),
    ("graph_neighborhood", f"entity_id => '{ENTITY}', max_edges => 501", "max_edges"),
    ("graph_neighborhood", f"entity_id => '{ENTITY}', predicates => '{{}}'", "predicates"),
    ("graph_path", f"from_id => '{ENTITY}', to_id => '{ENTITY}', max_depth => 7", "max_depth"),
    ("graph_path", f"from_id => '{ENTITY}', to_id => '{ENTITY}', max_paths => 11", "max_paths"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "arguments", "field"), REFUSED)
def test_an_argument_out_of_range_is_refused_by_name(
    conn: Connection, function: str, arguments: str, field: str
) -> None:
    forms = [function]
    if function in ("fact_context", "testimony_context", "answer_context", "resolve_entity"):
        forms.append(f"{function}_envelope")
    for form in forms:
        code, detail = refusal(conn, f"{form}({arguments}, project => 'everything')")
        assert code == "TS005"
        assert field in (detail or "")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("[]", "object"),
        ('{"mode": "then"}', "mode"),
        ('{"at": "2024-01-01T00:00:00Z"}', "mode"),
        ('{"mode": "at"}', "at"),
        ('{"mode": "at", "at": "2024-01-01T00:00:00"}', "at"),
        ('{"mode": "at", "at": "2024-02-30T00:00:00Z"}', "at"),
        ('{"mode": "at", "at": null}', "at"),
        ('{"mode": "at", "at": "infinity"}', "at"),
        ('{"mode": "at", "at": "2024-01-01T00:00:00Z", "from": "x"}', "keys"),
        ('{"mode": "current", "at": "2024-01-01T00:00:00Z"}', "keys"),
        ('{"mode": "overlap", "from": "2024-01-01T00:00:00Z"}', "to"),
        (
            '{"mode": "overlap", "from": "2024-01-02T00:00:00Z", "to": "2024-01-01T00:00:00Z"}',
            "time_scope.to",
        ),
        ('{"mode": "history", "believed_at": "yesterday"}', "believed_at"),
    ],
)
def test_a_time_that_cannot_be_meant_is_refused(conn: Connection, given: str, said: str) -> None:
    for form in ("fact_context", "answer_context_envelope"):
        code, detail = refusal(
            conn, f"{form}('a', project => 'everything', time_scope => %s::jsonb)", given
        )
        assert code == "TS005"
        assert said in (detail or "")
