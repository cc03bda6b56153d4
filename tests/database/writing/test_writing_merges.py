"""Names that are declared, merges, and merges taken back."""

from __future__ import annotations

import uuid

import pytest

from tests.support.writing import (
    MOVES,
    NOTHING,
    Conn,
    Writer,
    home,
    lives,
)


@pytest.fixture
def writer(conn: Conn) -> Writer:
    made = Writer(conn)
    made.say(MOVES, "t1")
    return made


def entity(writer: Writer, name: str) -> uuid.UUID:
    found: uuid.UUID = writer.value(
        "select entity_id from taisce.entity where canonical_name = %s", name
    )
    return found


def test_an_alias_leads_to_its_entity(writer: Writer) -> None:
    lives(writer, "Dublin", 2020)
    dublin = entity(writer, "Dublin")
    made = writer.do("add_alias", entity_id=dublin, alias="Baile  Átha Cliath")
    assert made == {
        "entity_id": dublin,
        "normalized_name": "baile átha cliath",
        "repeated": False,
    }
    assert writer.do("add_alias", entity_id=dublin, alias="baile átha cliath")["repeated"]
    for alias in (None, "", " ", "x" * 4097):
        assert writer.refused("TS005", "add_alias", entity_id=dublin, alias=alias).startswith(
            "alias: "
        )
    writer.refused("TS004", "add_alias", entity_id=NOTHING, alias="x")
    speaker = entity(writer, "speaker")
    writer.refused("TS005", "add_alias", entity_id=speaker, alias="x")


def couple(writer: Writer) -> None:
    """Tell of two who turn out to be one, from every side."""
    writer.say(
        "Bob lives in Cork. Bob knows Robert Smith. Robert Smith lives in Sligo. Ann knows "
        "Bob. Robert Smith works.",
        "t2",
    )
    for subject, predicate, quote, more in [
        ("Bob", "lives_in", "Bob lives in Cork", home("Cork", 2020)),
        ("Robert Smith", "lives_in", "Robert Smith lives in Sligo", home("Sligo", 2021)),
        ("Bob", "knows", "Bob knows Robert Smith", {"object": "Robert Smith"}),
        ("Ann", "knows", "Ann knows Bob", {"object": "Bob"}),
        ("Robert Smith", "does", "Robert Smith works", {"value": "works"}),
    ]:
        many = {} if predicate == "lives_in" else {"cardinality": "many"}
        writer.believe(subject, predicate, f"t2: {quote}", **more, **many)
    writer.do("add_alias", entity_id=entity(writer, "Bob"), alias="the fixer")
    writer.do("add_alias", entity_id=entity(writer, "Robert Smith"), alias="The Fixer")
    writer.do("register_community", key="k1", members=["Bob", "Ann"])
    writer.do("register_community", key="k2", members=["Bob", "Robert Smith"])
    covered = writer.value("select fact_id from taisce.fact where statement = 'Ann knows Bob'")
    writer.do("register_report", community="k1", title="t", summary="s", fact_ids=[covered])


def state(writer: Writer) -> dict[str, list[str]]:
    """Give all that is stored but the clock, the log of merges, and numbers of indexed texts."""
    found = writer.dump("entity_merge", "project_clock", "posting", "word_document")
    found["words"] = sorted(
        text
        for (text,) in writer.rows(
            "select (to_jsonb(w) - '{batch,slice}'::text[])::text from taisce.word_document as w"
        )
    )
    return found


def test_a_merge_is_undone_exactly(writer: Writer) -> None:
    couple(writer)
    before = state(writer)
    merged = writer.do("merge_entities", absorbed="Bob", survivor="Robert Smith")
    assert merged["absorbed"] == entity(writer, "Bob")
    assert state(writer) != before
    assert writer.value("select count(distinct contradiction_group) from taisce.fact") == 1
    again = writer.do("merge_entities", absorbed="Bob", survivor="Robert Smith")
    assert again == {**merged, "repeated": True}
    by_id = writer.do(
        "merge_entities",
        absorbed={"id": str(merged["absorbed"])},
        survivor={"id": str(merged["survivor"])},
    )
    assert by_id == again
    undone = writer.do("unmerge", merge_id=merged["merge_id"])
    assert undone["reversed_at"] is not None
    assert not undone["repeated"]
    after = state(writer)
    assert {name: rows for name, rows in after.items() if rows != before[name]} == {}
    assert writer.do("unmerge", merge_id=merged["merge_id"]) == {**undone, "repeated": True}
    other = writer.do("merge_entities", absorbed="Bob", survivor="Robert Smith")
    assert other["merge_id"] != merged["merge_id"]
    assert not other["repeated"]


def test_merges_are_taken_back_last_first(writer: Writer) -> None:
    couple(writer)
    before = state(writer)
    first = writer.do("merge_entities", absorbed="Bob", survivor="Robert Smith")
    between = state(writer)
    second = writer.do("merge_entities", absorbed="Robert Smith", survivor="Ann")
    assert writer.refused("TS005", "unmerge", merge_id=first["merge_id"]) == (
        "merge_id: later merges of the survivor come first"
    )
    writer.do("unmerge", merge_id=second["merge_id"])
    assert state(writer) == between
    writer.do("unmerge", merge_id=first["merge_id"])
    assert state(writer) == before


def test_what_was_told_since_a_merge_stays_with_the_survivor(writer: Writer) -> None:
    couple(writer)
    merged = writer.do("merge_entities", absorbed="Bob", survivor="Robert Smith")
    writer.say("Bob sings.", "t3")
    since = writer.believe("Bob", "does", "t3: Bob sings", value="sings", cardinality="many")
    writer.do("unmerge", merge_id=merged["merge_id"])
    subject = "select subject_entity_id from taisce.fact where fact_id = %s"
    assert writer.value(subject, since["fact_id"]) == merged["survivor"]
    assert (
        writer.value(
            "select subject_entity_id from taisce.fact where statement = 'Bob lives in Cork'"
        )
        == merged["absorbed"]
    )
    assert writer.held() == [("Cork", 2020, None), ("Sligo", 2021, None)]


def test_what_cannot_be_merged(writer: Writer) -> None:
    couple(writer)
    lives(writer, "Dublin", 2020)
    refused = [
        ("TS005", "Bob", "Bob", "absorbed: is the survivor"),
        ("TS004", "Nobody", "Bob", "absorbed: is not known in the project"),
        ("TS004", "Bob", {"id": NOTHING}, "survivor: is not known in the project"),
        ("TS005", {"speaker": "s1"}, "Bob", "absorbed: is a speaker, or has no name any more"),
        ("TS005", "The Fixer", "Ann", "absorbed: is a name of several: give a key or an id"),
    ]
    for code, absorbed, survivor, detail in refused:
        told = writer.refused(code, "merge_entities", absorbed=absorbed, survivor=survivor)
        assert told == detail
    bob, robert = str(entity(writer, "Bob")), str(entity(writer, "Robert Smith"))
    writer.do("merge_entities", absorbed={"id": bob}, survivor={"id": robert})
    told = writer.refused("TS005", "merge_entities", absorbed={"id": robert}, survivor={"id": bob})
    assert told == "survivor: was merged into the absorbed one before"
    writer.refused("TS004", "unmerge", merge_id=NOTHING)


def test_what_was_absorbed_before_leads_to_the_last_survivor(writer: Writer) -> None:
    for place, since in (("Dublin", 2020), ("Cork", 2021), ("Galway", 2022)):
        lives(writer, place, since)
    leads = (
        "select string_agg(coalesce(s.canonical_name, '-'), ' ' order by e.canonical_name)"
        " from taisce.entity as e"
        " left join taisce.entity as s on s.project_id = e.project_id"
        " and s.entity_id = e.merged_into where e.identity_kind = 'named'"
    )
    first = writer.do("merge_entities", absorbed="Cork", survivor="Dublin")
    second = writer.do("merge_entities", absorbed="Dublin", survivor="Galway")
    assert writer.value(leads) == "Galway Galway -", "Cork, Dublin, Galway"
    writer.do("unmerge", merge_id=second["merge_id"])
    assert writer.value(leads) == "Dublin - -"
    writer.do("unmerge", merge_id=first["merge_id"])
    assert writer.value(leads) == "- - -"
