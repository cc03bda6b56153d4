"""What has expired or was erased is in no export, no text for the embedder, no suggestion."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from taisce_pg.load.export import export_lines
from tests.support.memories import fact, turn
from tests.support.retention import LATER, PAST, pass_by

Connection = psycopg.Connection[Any]

REPORTS = {"stands", "zorg by its source", "zorg by its fact", "by part of its evidence"}


def told() -> list[dict[str, Any]]:
    """Return a memory of which one turn, about Zorg, may be read until an instant."""

    def report(title: str, *facts: str, sources: tuple[str, ...] = ()) -> dict[str, Any]:
        return {"type": "report", "community": f"c{len(title)}", "title": title, "summary": title,
                "facts": list(facts), "sources": list(sources)}  # fmt: skip

    return [
        turn("kept", "I like Dublin. Acme is in Dublin."),
        turn("passing", "Zorg of Acme lives in Dublin. Acme is in Dublin.", retention_until=LATER),
        turn("others", "Bea knows Carl Berg.", data_subject_id="s2"),
        {"type": "entity", "key": "acme", "name": "Acme", "entity_type": "firm"},
        {"type": "entity", "name": "Acme", "profile": "zorgish", "source": "passing"},
        {"type": "entity", "key": "e1", "name": "Zorg", "source": "passing",
         "entity_type": "zorgtype"},
        {"type": "entity", "key": "twin", "name": "Zorgling", "source": "passing"},
        {"type": "entity", "key": "into", "name": "Dublin"},
        fact("seat", "Acme", "is in Dublin", "kept", "Acme is in Dublin", predicate="in",
             object="Dublin"),
        fact("seat", "Acme", "is in Dublin", "passing", "Acme is in Dublin", predicate="in",
             object="Dublin"),
        fact("home", {"key": "e1"}, "lives in Dublin", "passing", "Zorg of Acme lives in Dublin",
             predicate="lives_in", object="Dublin"),
        fact("fan", "Acme", "is for it", "kept", "I like Dublin", predicate="likes",
             object={"key": "e1"}),
        {"type": "claim", "key": "said", "observation": "passing", "quote": "Zorg of Acme",
         "claim_text": "Zorg is of Acme", "mentions": [{"key": "twin"}, {"key": "e1"}]},
        fact("knows", "Bea", "knows Carl Berg", "others", "Bea knows Carl Berg",
             predicate="knows", object="Carl Berg"),
        *({"type": "community", "key": f"c{len(title)}", "members": ["Acme"]}
          for title in sorted(REPORTS)),
        report("stands", "fan", sources=("kept",)),
        report("zorg by its source", sources=("passing",)),
        report("zorg by its fact", "home"),
        report("by part of its evidence", "seat"),
        {"type": "segment", "data_subject_id": "s1", "level": 1, "from_offset": 1,
         "to_offset": 2, "summary": "about zorg"},
        {"type": "segment", "data_subject_id": "s2", "level": 1, "from_offset": 1,
         "to_offset": 3, "summary": "about Bea"},
        {"type": "merge", "absorbed": {"key": "twin"}, "survivor": {"key": "into"}},
    ]  # fmt: skip


@pytest.fixture
def boss(conn: Connection) -> Connection:
    load_lines(conn, "p", told())
    return conn


def erase_turn(conn: Connection) -> None:
    conn.execute(
        "select * from memory_v1.erase_observations(array["
        " (select observation_id from taisce.observation where idempotency_key = 'passing')],"
        " project => 'p')"
    )


def erase_subject(conn: Connection) -> None:
    conn.execute("select * from memory_v1.erase_subject('s1', project => 'p')")


def expire(conn: Connection) -> None:
    pass_by(conn)
    conn.execute("select * from memory_v1.expire(project => 'p')")


@pytest.mark.parametrize("forget", [erase_turn, erase_subject, expire, pass_by])
def test_an_export_without_what_is_gone_loads_into_a_new_project(
    boss: Connection, forget: Callable[[Connection], None]
) -> None:
    forget(boss)
    lines = list(export_lines(boss, "p"))
    tombs = [one for one in map(json.loads, lines) if one.get("erased")]
    assert len(tombs) == (2 if forget is erase_subject else 1)
    assert not any("zorg" in line.lower() for line in lines)
    load_lines(boss, "q", lines)
    # The whole of it is repeated by the copy, the empty places with it.
    assert list(export_lines(boss, "q")) == lines
    lineages = boss.execute(
        "select distinct o.lineage from taisce.observation as o"
        " join taisce.project as p using (project_id) where o.erased and p.name = 'q'"
    ).fetchall()
    assert lineages == [("",)]


def test_an_export_leaves_out_what_reads_hide_and_expire_will_delete(boss: Connection) -> None:
    def of(kind: str) -> list[dict[str, Any]]:
        return [one for one in map(json.loads, export_lines(boss, "p")) if one["type"] == kind]

    assert {one["title"] for one in of("report")} == REPORTS
    assert len(of("segment")) == 2
    [merge] = of("merge")
    assert [one["spelling"] for one in merge["snapshot"]["names"]] == ["Zorgling"]
    pass_by(boss)
    assert [one["title"] for one in of("report")] == ["stands"]
    assert [one["summary"] for one in of("segment")] == ["about Bea"]
    [merge] = of("merge")
    assert merge["snapshot"]["names"] == merge["snapshot"]["mentions"] == []
    acme = next(one for one in of("entity") if one["name"] == "Acme")
    assert acme["entity_type"] == "firm"
    assert "profile" not in acme
    parts = ("report", "segment", "merge", "key")
    passed = {part: of(part) for part in parts}
    boss.execute("select * from memory_v1.expire(project => 'p')")
    assert {part: of(part) for part in parts} == passed


def test_a_merge_of_an_exported_name_that_passed_can_be_taken_back(boss: Connection) -> None:
    load_lines(boss, "p", [
        {"type": "entity", "key": "two", "name": "Zorgfirm", "source": "passing"},
    ])  # fmt: skip
    boss.execute(
        "select memory_v1.add_alias(entity_id, 'Firma', project => 'p') from taisce.entity"
        " where canonical_name = 'Zorgfirm'"
    )
    load_lines(boss, "p", [
        {"type": "merge", "absorbed": {"key": "two"}, "survivor": {"key": "acme"}},
    ])  # fmt: skip
    pass_by(boss)
    lines = list(export_lines(boss, "p"))
    assert not any("zorg" in line.lower() for line in lines)
    load_lines(boss, "q", lines)
    merge = next(one for one in map(json.loads, lines)
                 if one["type"] == "merge" and one["snapshot"]["names"])  # fmt: skip
    boss.execute("select memory_v1.unmerge(%s, project => 'q')", [merge["id"]])
    boss.execute("select set_config('taisce.project', 'q', false)")
    names = boss.execute("select canonical_name from memory_v1.entities").fetchall()
    assert ("Firma",) in names
    assert not any("Zorg" in name or "erased" in name for (name,) in names)


def due(conn: Connection, space: str) -> list[str]:
    """Return all texts that a new generation of a space would embed."""
    begun = conn.execute(
        "select generation_id from memory_v1.begin_generation(%s, 'toy', '', 2, project => 'p')",
        [space],
    ).fetchone()
    found = conn.execute(
        "select input_text from memory_v1.embedding_due(%s, project => 'p')", begun
    ).fetchall()
    return [text for (text,) in found]


def test_the_embedder_gets_no_text_that_has_expired(boss: Connection) -> None:
    spaces = ("message", "claim", "fact", "entity", "report")
    assert all(any("zorg" in text.lower() for text in due(boss, space)) for space in spaces)
    pass_by(boss)
    passed = {space: sorted(due(boss, space)) for space in spaces}
    for space, texts in passed.items():
        assert texts
        assert not any("zorg" in text.lower() for text in texts), (space, texts)
    assert len(passed["report"]) == 1
    assert "Acme (firm)" in passed["entity"]
    boss.execute("select * from memory_v1.expire(project => 'p')")
    assert {space: sorted(due(boss, space)) for space in spaces} == passed


def test_a_report_on_part_of_whose_evidence_has_expired_is_not_shown(boss: Connection) -> None:
    boss.execute("select set_config('taisce.project', 'p', false)")
    titles = "select title from memory_v1.community_reports order by title"
    visible = (
        "select array_agg(r.title order by r.title) from taisce.report as r where r.report_id ="
        " any (taisce.visible_reports(r.project_id, array[r.report_id], '{user}'))"
    )
    assert {title for (title,) in boss.execute(titles)} == REPORTS
    pass_by(boss)
    assert boss.execute(titles).fetchall() == [("stands",)]
    assert boss.execute(visible).fetchone() == (["stands"],)
    boss.execute("select * from memory_v1.expire(project => 'p')")
    assert boss.execute(titles).fetchall() == [("stands",)]


def test_expired_mentions_do_not_hide_the_one_that_spells_a_name(boss: Connection) -> None:
    load_lines(boss, "p", [
        *(turn(f"n{n}", f"Number {n}.", retention_until=LATER) for n in range(300)),
        {"type": "entity", "key": "quill", "name": "Quill", "source": "n0"},
        *({"type": "claim", "key": f"c{n}", "observation": f"n{n}", "quote": "Number",
           "claim_text": "Number", "mentions": [{"key": "quill"}]} for n in range(300)),
        turn("late", "Quill is here."),
        {"type": "claim", "key": "cq", "observation": "late", "quote": "Quill is here",
         "claim_text": "Quill is here", "mentions": [{"key": "quill"}]},
    ])  # fmt: skip
    pass_by(boss)
    anchors = "select name from memory_v1.recall_anchors('Quill?', project => 'p')"
    assert boss.execute(anchors).fetchall() == [("Quill",)]


def test_suggestions_for_a_subject_are_of_his_own_observations(boss: Connection) -> None:
    def suggested(subject: str | None) -> list[str]:
        row = boss.execute(
            "select memory_v1.recall('Who is Mr Berg?', project => 'p', data_subject_id => %s)"
            " #> '{reach,suggestions}'",
            [subject],
        ).fetchone()
        assert row is not None
        return list(row[0])

    assert suggested(None) == ["Carl Berg"]
    assert suggested("s2") == ["Carl Berg"]
    assert suggested("s1") == []
    boss.execute(
        "update taisce.entity_mention set retention_until = %s where data_subject_id = 's2'",
        [PAST],
    )
    assert suggested("s2") == []
