"""What every function that writes refuses, and that nothing is left of what was refused.

An unknown project, ids that lead nowhere or to another project, names that lead to several, empty
or long texts, spans that do not match, times out of order: each wherever a function takes such a
thing, found by the names of its parameters.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.database.writing.test_writing_at_once import CASES, Case, opening
from tests.support.writing import NOTHING, Conn, Row, Writer, year

LONG = "x" * 4097
REFERENCES = ("subject", "object", "absorbed", "survivor")
IDS = ("fact_id", "entity_id", "observation_id", "merge_id")
LISTS = ("fact_ids", "observation_ids", "ids")
TEXTS = (
    "statement", "predicate", "alias", "title", "summary", "key", "data_subject_id",
    "idempotency_key",
)  # fmt: skip
WITHOUT = {"end_rebuild", "advance_rebuild", "expire", "maintain"}
"""Functions that take nothing of the kinds above; what they refuse is in db/tests/write."""


@pytest.fixture
def writer(conn: Conn) -> Writer:
    return Writer(conn)


def parameters(conn: Conn, function: str) -> list[str]:
    row = conn.execute(
        "select proargnames[1:pronargs] from pg_proc where pronamespace = 'memory_v1'::regnamespace"
        " and proname = %s",
        [function],
    ).fetchone()
    assert row is not None
    return list(row[0])


def wrongs(names: list[str], good: Row, foreign: dict[str, str]) -> Iterator[tuple[str, str, Row]]:
    """Give what is wrong, the code it is refused with, and the arguments."""
    for name in (one for one in IDS if one in names):
        yield f"{name} unknown", "TS004", {name: NOTHING}
        if name in foreign:
            yield f"{name} foreign", "TS004", {name: foreign[name]}
    for name in (one for one in LISTS if one in names):
        yield f"{name} unknown", "TS004", {name: [*map(str, good.get(name) or []), NOTHING]}
    for name in (one for one in REFERENCES if one in names):
        free = {"value": None, "predicate": "knows"} if name == "object" else {}
        yield f"{name} unknown", "TS004", {name: {"id": NOTHING}, **free}
        yield f"{name} foreign", "TS004", {name: {"id": foreign["entity_id"]}, **free}
        yield f"{name} ambiguous", "TS005", {name: "twins", **free}
        yield f"{name} empty", "TS005", {name: " ", **free}
        yield f"{name} long", "TS005", {name: LONG, **free}
    if "members" in names:
        yield "a member unknown", "TS004", {"members": ["Ann", {"id": NOTHING}]}
        yield "a member ambiguous", "TS005", {"members": ["twins"]}
        yield "a member long", "TS005", {"members": [LONG]}
        yield "a member empty", "TS005", {"members": [" "]}
    for name in (one for one in TEXTS if one in names):
        yield f"{name} empty", "TS005", {name: " "}
    if "alias" in names:
        yield "alias long", "TS005", {"alias": LONG}
    if "valid_from" in names:
        turned = {"valid_from": year(2020), "valid_until": year(2019)}
        yield "times out of order", "TS005", turned
        yield "no time between", "TS005", {**turned, "valid_until": year(2020)}
        yield "a start that never is", "TS005", {"valid_from": "infinity"}
    if "evidence" in names:
        said = good["evidence"][0]
        yield "another quote", "TS005", {"evidence": [{**said, "quote": "I never said"}]}
        yield "another place", "TS005", {"evidence": [{**said, "byte_start": 1}]}
        yield "an unknown turn", "TS004", {"evidence": [{**said, "observation": "nope"}]}
    if "from_offset" in names:
        yield "offsets out of order", "TS005", {"from_offset": 2, "to_offset": 1}
    if "messages" in names:
        said = {"role": "user", "content": "x"}
        for what, message in (("empty", {"content": " "}), ("no role", {"role": "god"}),
                              ("long", {"content": "x" * 65_537})):  # fmt: skip
            yield f"a message {what}", "TS005", {"messages": [{**said, **message}]}


def foreign_ids(conn: Conn) -> dict[str, str]:
    """Tell another project the same; return ids of it."""
    story = opening(Writer(conn, "other"), "unmerge")
    entity = conn.execute(
        "select entity_id from taisce.entity join taisce.project using (project_id)"
        " where name = 'other' and canonical_name = 'Bob'"
    ).fetchone()
    assert entity is not None
    return {"fact_id": str(story.fact), "observation_id": str(story.observation),
            "merge_id": str(story.merge), "entity_id": str(entity[0])}  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.function)
def test_what_is_wrong_is_refused_and_leaves_nothing(case: Case, writer: Writer) -> None:
    conn = writer.conn
    story = opening(writer, case.function)
    foreign = foreign_ids(conn)
    for name in ("A", "B"):
        row = writer.believe(name, "is", "t: city 03", value="x", cardinality="many")
        assert row["fact_id"]
        found = writer.value("select entity_id from taisce.entity where canonical_name = %s", name)
        writer.do("add_alias", entity_id=found, alias="twins")
    good = case.values(story, 0)
    names = parameters(conn, case.function)
    tried = 0
    for what, code, wrong in wrongs(names, good, foreign):
        tried += 1
        given = {**good, **wrong}
        if case.function == "report_feedback" and "fact_id" in wrong:
            given.pop("bundle", None)
        try:
            detail = writer.refused(code, case.function, **given)
        except (AssertionError, pytest.fail.Exception) as error:
            raise AssertionError(f"{what}: {error}") from error
        assert NOTHING not in detail
        assert LONG not in detail
    assert (tried == 0) == (case.function in WITHOUT)
    for project in ("nobody's", "asleep"):
        if project == "asleep":
            conn.execute("select memory_v1.create_project('asleep')")
            conn.execute("select memory_v1.suspend_project('asleep')")
        other = Writer(conn, project, new=False)
        other.refused("TS003", case.function, **good)
