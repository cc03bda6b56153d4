"""The model on two clocks, held to examples worked out by hand."""

from datetime import datetime
from typing import Any

from tests.model.rows import BEGINNING, FOREVER
from tests.model.walk import facts_at
from tests.support.story import DAY, MICROSECOND, MINUTE, NOW, Story, iso, keys

# Time


def at(moment: datetime) -> dict[str, Any]:
    return {"valid_from": iso(moment)}


def test_current_lets_the_clock_of_a_client_be_ahead(story: Story) -> None:
    story.fact("soon", "A", "p", value="1", **at(NOW + 5 * MINUTE))
    story.fact("later", "A", "p", value="2", **at(NOW + 5 * MINUTE + MICROSECOND))
    story.fact("ends", "A", "p", value="3", valid_until=iso(NOW + MICROSECOND))
    story.fact("ended", "A", "p", value="4", valid_until=iso(NOW))
    assert keys(story.ask("A")) == ["soon", "ends"]


def test_a_replaced_fact_leaves_when_its_replacement_shows(story: Story) -> None:
    for key, value, start in (("old", "1", NOW - DAY), ("new", "2", NOW + 5 * MINUTE)):
        story.fact(key, "A", "p", value=value, cardinality="one", **at(start))
    assert keys(story.ask("A")) == ["new"]
    assert keys(story.ask("A", now=NOW - MICROSECOND)) == ["old"]
    memory = story.load()
    assert [
        (v.valid_from, v.valid_to, v.known_to, v.replaced) for v in memory.facts[0].versions
    ] == [
        (NOW - DAY, FOREVER, memory.facts[1].versions[0].known_from, False),
        (NOW - DAY, NOW + 5 * MINUTE, FOREVER, True),
    ]
    assert memory.facts[0].superseded_by == "new"


def test_the_four_scopes(story: Story) -> None:
    learned = NOW - 10 * DAY
    story.fact(
        "f", "A", "p", value="v", known_from=iso(learned), **at(NOW - 20 * DAY),
        valid_until=iso(NOW - 5 * DAY),
    )  # fmt: skip
    assert keys(story.ask("A")) == []
    assert keys(story.ask("A", as_of=NOW - 20 * DAY)) == ["f"]
    assert keys(story.ask("A", as_of=NOW - 20 * DAY - MICROSECOND)) == []
    assert keys(story.ask("A", as_of=NOW - 5 * DAY)) == []
    assert keys(story.ask("A", as_known_at=learned)) == ["f"]
    assert keys(story.ask("A", as_known_at=learned - MICROSECOND)) == []
    assert keys(story.ask("A", as_known_at=NOW - 5 * DAY)) == []
    assert keys(story.ask("A", as_known_at=NOW, as_of=NOW - 6 * DAY)) == ["f"]
    assert keys(story.ask("A", as_known_at=learned - DAY, as_of=NOW - 6 * DAY)) == []


def test_a_later_known_time_is_read_as_known_through(story: Story) -> None:
    story.fact("f", "A", "p", value="v", known_from=iso(NOW - DAY))
    bundle = story.ask("A", as_known_at=NOW + 9 * DAY, known_through=NOW - DAY)
    assert keys(bundle) == ["f"]
    assert bundle["scope"] == {
        "as_of": None,
        "as_known_at": iso(NOW + 9 * DAY),
        "read_as_known_at": iso(NOW - DAY),
    }


def test_what_was_retracted_is_still_known_before(story: Story) -> None:
    story.fact("f", "A", "p", value="v", known_from=iso(NOW - 3 * DAY))
    story.add("retract", fact="f", at=iso(NOW - DAY), reason="wrong")
    assert keys(story.ask("A")) == []
    assert keys(story.ask("A", as_known_at=NOW - DAY)) == []
    bundle = story.ask("A", as_known_at=NOW - DAY - MICROSECOND)
    assert keys(bundle) == ["f"]
    assert bundle["facts"][0]["known_until"] == iso(NOW - DAY)
    assert bundle["facts"][0]["valid_from"] is None


def test_expired_facts_are_seen_by_no_read(story: Story) -> None:
    until = {"retention_until": iso(NOW), "known_from": iso(NOW - DAY)}
    story.fact("f", "A", "p", value="v", **until)
    assert keys(story.ask("A")) == []
    # The name came with the same words.
    assert story.ask("A")["reach"]["silent_because"] == "unknown_name"
    assert keys(story.ask("A", as_known_at=NOW - DAY)) == []
    assert keys(story.ask("A", now=NOW - MICROSECOND)) == ["f"]


def test_facts_at_is_four_comparisons(story: Story) -> None:
    story.fact("f", "A", "p", value="v", valid_from=iso(NOW), valid_until=iso(NOW + DAY))
    memory = story.load()
    for moment, seen in (
        (NOW - MICROSECOND, 0),
        (NOW, 1),
        (NOW + DAY - MICROSECOND, 1),
        (NOW + DAY, 0),
    ):
        found = facts_at(memory, moment, moment + MICROSECOND, FOREVER, FOREVER, NOW)
        assert len(found) == seen
    assert len(facts_at(memory, NOW, BEGINNING, FOREVER, FOREVER, NOW)) == 1
