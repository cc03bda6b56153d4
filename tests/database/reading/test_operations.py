"""The assured operations: entities, merges, clocks, negatives, labels."""

from __future__ import annotations

import json
from collections.abc import Iterator
from uuid import uuid4

import pytest
from psycopg.types.json import Jsonb

from taisce_pg.load.apply import load_lines
from tests.support.databases import Database
from tests.support.memories import EVERYTHING, fact, lines, turn
from tests.support.operations import Connection, crowd, one, refusal, rows, valid


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        load_lines(made, "everything", lines(EVERYTHING), name="everything")
        load_lines(made, "crowd", lines(crowd()), name="crowd")
        made.execute("set timezone = 'UTC'")
        yield made


def test_a_name_leads_to_all_that_have_it_canonical_first(conn: Connection) -> None:
    load_lines(
        conn,
        "names",
        lines(
            [
                {"type": "entity", "name": "Mercury", "entity_type": "planet"},
                {"type": "entity", "name": "Quicksilver", "aliases": ["MERCURY"]},
                {
                    "type": "entity",
                    "name": "Freddie",
                    "aliases": ["mercury "],
                    "entity_type": "man",
                },
            ]
        ),
        name="names",
    )
    found = rows(conn, "resolve_entity('mercury', project => 'names')")
    assert [(row["canonical_name"], row["matched_as"], row["spelling"]) for row in found] == [
        ("Mercury", "canonical", "Mercury"),
        ("Freddie", "alias", "mercury "),
        ("Quicksilver", "alias", "MERCURY"),
    ]
    answer = valid(one(conn, "resolve_entity_envelope('mercury', project => 'names')"))
    assert answer["negative"] is None
    assert [row["entity_id"] for row in answer["entities"]] == [row["entity_id"] for row in found]
    assert answer["truncation"]["returned"] == 3
    typed = rows(conn, "resolve_entity('mercury', 'planet', 'names')")
    assert [row["canonical_name"] for row in typed] == ["Mercury"]
    many = [
        {"type": "entity", "name": f"n{number}", "aliases": ["common"]} for number in range(257)
    ]
    load_lines(conn, "names256", lines(many[1:]), name="many")
    assert len(rows(conn, "resolve_entity('common', project => 'names256')")) == 256
    load_lines(conn, "names256", lines(many[:1]), name="many")
    assert refusal(conn, "resolve_entity('common', project => 'names256')")[0] == "TS010"


def test_a_name_nobody_has_brings_names_to_try(conn: Connection) -> None:
    assert rows(conn, "resolve_entity('nowak', project => 'everything')") == []
    answer = valid(one(conn, "resolve_entity_envelope('nowak', project => 'everything')"))
    assert answer["negative"]["kind"] == "unknown_entity"
    assert answer["negative"]["suggestions"] == ["Marta Nowak"]
    assert answer["negative"]["workaround"]


def test_facts_of_an_entity_are_counted_once_whatever_their_role(conn: Connection) -> None:
    [dublin] = rows(conn, "resolve_entity('Dublin', project => 'everything')")
    current = conn.execute(
        "select count(distinct v.fact_id) from taisce.fact_version as v where %s in"
        " (v.subject_entity_id, v.object_entity_id) and v.live and v.known_to = 'infinity'"
        " and v.valid_to > now()",
        [dublin["entity_id"]],
    ).fetchone()
    assert current == (dublin["fact_count"],)


def test_an_unknown_entity_is_one_answer_for_all(conn: Connection) -> None:
    [ada] = rows(conn, "resolve_entity('Ada', project => 'crowd')")
    foreign = rows(conn, "resolve_entity('Marta', project => 'everything')")[0]["entity_id"]
    answers = []
    for stranger in (str(uuid4()), foreign):
        for operation in ("fact_context", "testimony_context"):
            ids = [ada["entity_id"], stranger]
            call = f"{operation}('amber', project => 'crowd', entity_ids => %s::uuid[])"
            code, detail = refusal(conn, call, ids)
            assert code == "TS004"
            assert stranger not in (detail or "")
            envelope = valid(one(conn, call.replace("(", "_envelope(", 1), ids))
            assert envelope["negative"]["kind"] == "unknown_entity"
            assert envelope["facts"] == envelope["evidence"] == envelope["passages"] == []
            assert envelope["entities"] == []
            answers.append((operation, json.dumps(envelope["negative"])))
    assert len(set(answers)) == 2


def test_a_merged_id_leads_to_its_survivor_and_is_echoed(conn: Connection) -> None:
    gone, kept = (
        conn.execute(
            "select e.entity_id from taisce.entity as e join taisce.project as p using"
            " (project_id) where p.name = 'everything' and e.canonical_name = %s",
            [name],
        ).fetchone()
        for name in ("Bob Smith", "Robert Smith")
    )
    assert gone is not None
    assert kept is not None
    answer = valid(
        one(
            conn,
            "fact_context_envelope('age', project => 'everything', entity_ids => %s)",
            [gone[0]],
        )
    )
    assert answer["scope"]["anchors"] == [str(kept[0])]
    assert answer["entities"][0]["asked_id"] == str(gone[0])
    assert {fact["subject"] for fact in answer["facts"]} == {"Robert Smith"}


def test_names_and_ends_of_the_past_are_rebuilt_when_asked_for(conn: Connection) -> None:
    load_lines(
        conn,
        "merge",
        lines(
            [
                turn("t", "Bob swims. Rob runs."),
                {"type": "entity", "key": "bob", "name": "Bob"},
                {"type": "entity", "key": "rob", "name": "Rob"},
                fact("f1", {"key": "bob"}, "swims", "t", "Bob swims", value="swims"),
                fact("f2", {"key": "rob"}, "runs", "t", "Rob runs", value="runs"),
            ]
        ),
        name="merge",
    )
    moments = []

    def now() -> None:
        row = conn.execute("select clock_timestamp()").fetchone()
        assert row is not None
        moments.append(row[0])

    now()
    [(merge,)] = conn.execute(
        "select merge_id from memory_v1.merge_entities('\"Bob\"', '\"Rob\"', 'merge')"
    ).fetchall()
    now()
    conn.execute("select memory_v1.unmerge(%s, 'merge')", [merge])
    now()
    names = {
        regime: [
            sorted(
                {
                    row["subject"]
                    for row in rows(
                        conn,
                        "facts_as_of(now(), %s, identity_regime => %s, project => 'merge')",
                        moment,
                        regime,
                    )
                }
            )
            for moment in moments
        ]
        for regime in ("current", "as_of")
    }
    assert names["current"] == [["Bob", "Rob"]] * 3
    assert names["as_of"] == [["Bob", "Rob"], ["Rob"], ["Bob", "Rob"]]
    held = rows(
        conn,
        "fact_context('swims', 'merge', identity_regime => 'as_of', time_scope => %s)",
        Jsonb({"mode": "current", "believed_at": moments[1].isoformat()}),
    )
    assert [row["subject"] for row in held if row["statement"] == "swims"] == ["Rob"]


def test_the_audit_read_is_ordered_bounded_and_echoes_its_clocks(conn: Connection) -> None:
    call = "facts_as_of(%s, %s, %s, project => 'everything')"
    found = rows(conn, call, "2026-02-01Z", "2026-12-31Z", 1000)
    assert [(row["fact_kind"], row["fact_id"]) for row in found] == sorted(
        (row["fact_kind"], row["fact_id"]) for row in found
    )
    assert {row["object"] for row in found if row["predicate"] == "lives_in"} == {"Dublin"}
    assert {row["valid_at"] for row in found} == {"2026-02-01T00:00:00+00:00"}
    some = rows(conn, call, "2026-02-01Z", "2026-12-31Z", 2)
    assert [row["fact_id"] for row in some] == [row["fact_id"] for row in found[:2]]
    assert [row["truncated"] for row in some] == [True, True]
    assert rows(conn, call, "2026-02-01Z", "2026-12-31Z", 0) == []
    assert rows(conn, call, "2026-02-01Z", "2020-01-01Z", 10) == []


def test_kept_items_are_read_by_id_in_the_order_asked(conn: Connection) -> None:
    ids = [
        str(row[0])
        for row in conn.execute(
            "select f.fact_id from taisce.fact as f join taisce.project as p using (project_id)"
            " where p.name = 'everything' order by f.fact_id desc"
        )
    ]
    found = rows(conn, "facts(%s::uuid[], 'everything')", ids)
    assert [row["fact_id"] for row in found] == ids
    retracted = [row for row in found if row["statement"] == "allergic"]
    assert retracted[0]["known_until"] is not None
    claims = sorted({one["claim_id"] for row in found for one in row["evidence"]}, reverse=True)
    told = rows(conn, "claims(%s::uuid[], 'everything')", claims)
    assert [row["claim_id"] for row in told] == claims
    for name, some in (("facts", ids), ("claims", claims)):
        call = f"{name}(%s::uuid[], 'everything')"
        assert refusal(conn, call, [some[0], str(uuid4())])[0] == "TS004"
        assert refusal(conn, f"{name}(%s::uuid[], 'crowd')", some[:1])[0] == "TS004"


def test_a_vector_without_a_use_is_said_and_of_another_model_refused(conn: Connection) -> None:
    call = (
        "fact_context_envelope('amber', 'crowd', query_embedding => '[1,2,3]',"
        " embedding_model => %s)"
    )
    answer = valid(one(conn, call, "m"))
    assert answer["degraded"] == ["vectors"]
    assert answer["searched"] == "words"
    with conn.transaction(force_rollback=True):
        conn.execute(
            "insert into taisce.embedding_generation (project_id, generation_id, space, model,"
            " dimensions, input_version, state, created_at) select project_id, 1, 'fact', 'm', 3,"
            " '1', 'active', now() from taisce.project where name = 'crowd'"
        )
        with conn.transaction(force_rollback=True):
            assert refusal(conn, call, "other")[0] == "TS011"
        freshness = valid(one(conn, call, "m"))["freshness"]
        assert freshness["vectors"] == {"space": "fact", "generation": 1, "through_offset": 0}


def test_a_query_too_long_to_anchor_is_answered_and_said(conn: Connection) -> None:
    query = "amber " + " ".join(f"w{number}" for number in range(400))
    answer = valid(one(conn, "fact_context_envelope(%s, 'crowd')", query))
    assert "anchoring" in answer["degraded"]
    assert answer["facts"]


def test_nothing_found_says_what_emptied_it(conn: Connection) -> None:
    [acme] = rows(conn, "resolve_entity('Acme', project => 'everything')")
    entity = f"entity_ids => array['{acme['entity_id']}']::uuid[]"
    for more, because in (
        ("", None),
        (", source_roles => '{tool}'", "role"),
        (", data_subject_id => 'nobody'", "subject"),
        (", predicate => 'founded'", "predicate"),
        (', time_scope => \'{"mode": "current", "believed_at": "2020-01-01T00:00:00Z"}\'', "time"),
    ):
        answer = valid(one(conn, f"fact_context_envelope('Dublin', 'everything', {entity}{more})"))
        if because is None:
            assert answer["facts"]
        else:
            assert answer["negative"]["kind"] == "known_empty"
            assert answer["negative"]["explanation"].startswith(f"{because}:")
            assert rows(conn, f"fact_context('Dublin', 'everything', {entity}{more})") == []
    told = one(conn, "testimony_context_envelope('Dublin', 'everything', source_roles => '{tool}')")
    assert valid(told)["negative"]["explanation"].startswith("role:")


def test_a_label_carries_its_dates(conn: Connection) -> None:
    [held] = rows(
        conn,
        "fact_context('lives', 'everything', time_scope => %s, k => 1)",
        Jsonb({"mode": "at", "at": "2026-02-01T00:00:00Z"}),
    )
    assert held["label"] == "lives in Dublin (2026-01 to 2026-03)"
    labels = conn.execute(
        "select taisce.fact_label('x', f, t) from (values"
        " ('2026-01-02Z'::timestamptz, 'infinity'::timestamptz),"
        " ('-infinity', '2026-01-02 10:30Z'), ('-infinity', 'infinity')) as v (f, t)"
    ).fetchall()
    assert [row[0] for row in labels] == [
        "x (since 2026-01-02)",
        "x (until 2026-01-02T10:30Z)",
        "x",
    ]
