"""The model on writing: supersession, contradiction, refusals, erasure."""

from datetime import datetime
from typing import Any

import pytest

from tests.model.recall import recall
from tests.model.rows import ModelError
from tests.support.story import DAY, NOW, Story, iso, keys

# Writing


def one(story: Story, key: str, value: str, start: datetime, **more: Any) -> None:
    story.fact(key, "A", "p", value=value, cardinality="one", valid_from=iso(start), **more)


def test_windows_that_do_not_overlap_are_accepted_in_any_order(story: Story) -> None:
    one(story, "late", "1", NOW)
    one(story, "early", "2", NOW - 9 * DAY, valid_until=iso(NOW))
    memory = story.load()
    assert all(len(fact.versions) == 1 and fact.group is None for fact in memory.facts)


@pytest.mark.parametrize("start", [NOW, NOW - DAY])
def test_a_newcomer_that_starts_no_later_conflicts(story: Story, start: datetime) -> None:
    one(story, "known", "1", NOW)
    one(story, "new", "2", start)
    with pytest.raises(ModelError, match="TS006"):
        story.load()
    story.lines[-1]["on_conflict"] = "contradict"
    known, new = story.load().facts
    assert known.group == new.group is not None
    story.lines[-1]["on_conflict"] = "truncate"
    if start == NOW:
        with pytest.raises(ModelError, match="TS006"):
            story.load()
    else:
        version = story.load().facts[1].versions[0]
        assert (version.valid_from, version.valid_to) == (NOW - DAY, NOW)


def test_nothing_resumes_after_a_bounded_newcomer(story: Story) -> None:
    one(story, "first", "1", NOW - 9 * DAY)
    one(story, "visit", "2", NOW - 5 * DAY, valid_until=iso(NOW - 4 * DAY))
    assert keys(story.ask("A", as_of=NOW - 6 * DAY)) == ["first"]
    assert keys(story.ask("A", as_of=NOW - 4 * DAY)) == []


def test_roles_do_not_supersede_each_other_but_contradict(story: Story) -> None:
    one(story, "said", "1", NOW - 9 * DAY)
    one(story, "planted", "2", NOW - 5 * DAY, role="tool")
    memory = story.load()
    assert len(memory.facts[0].versions) == 1
    bundle = recall(memory, "A", now=NOW, source_roles=["user", "tool"])
    assert keys(bundle) == ["said", "planted"]
    assert all(len(fact["contradicts"]) == 1 for fact in bundle["facts"])


def test_equal_values_of_two_roles_do_not_contradict(story: Story) -> None:
    one(story, "said", "1", NOW - 9 * DAY)
    one(story, "read", "1", NOW - 5 * DAY, role="document")
    assert [fact.group for fact in story.load().facts] == [None, None]


def test_the_same_content_again_adds_evidence(story: Story) -> None:
    story.fact("f", "A", "p", value="v")
    story.fact("f-again", "A", "p", value="v", statement="f")
    story.lines.append({**story.lines[-1], "key": "f-thrice"})
    fact = story.ask("A")["facts"][0]
    assert fact["evidence_total"] == 2
    story.add("retract", fact="f")
    assert keys(story.ask("A")) == []
    story.fact("f-back", "A", "p", value="v", statement="f")
    assert keys(story.ask("A")) == ["f"]
    assert len(story.load().facts) == 1


def test_ambiguous_names_and_wrong_spans_are_refused(story: Story) -> None:
    story.entity("B", aliases=["it"])
    story.entity("C", aliases=["it"])
    story.fact("f", "it", "p", value="v")
    with pytest.raises(ModelError, match="TS008"):
        story.load()
    other = Story()
    other.said("t", "aba")
    other.fact(
        "f", "A", "p", value="v", evidence=[{"observation": "t", "ordinal": 0, "quote": "a"}]
    )
    with pytest.raises(ModelError, match="TS008"):
        other.load()
    other.lines[-1]["evidence"][0]["byte_start"] = 2
    assert other.load().facts[0].evidence[0].claim.byte_start == 2


def test_only_a_subject_speaks_for_himself(story: Story) -> None:
    story.fact("f", "I", "p", value="v", data_subject_id="s1")
    assert story.load().speaker("s1") is not None
    story.fact("g", "me", "p", value="v", data_subject_id="s1", role="assistant")
    with pytest.raises(ModelError, match="TS008"):
        story.load()


def test_erasing_takes_what_rests_on_it_alone(story: Story) -> None:
    one(story, "old", "1", NOW - 9 * DAY)
    one(story, "new", "2", NOW - 5 * DAY)
    memory = story.load()
    memory.erase(["t-new"])
    bundle = recall(memory, "A", now=NOW)
    assert keys(bundle) == ["old"]
    assert bundle["facts"][0]["valid_until"] is None
    assert bundle["freshness"]["stored"] == 2
    memory.erase(["t-old"])
    assert recall(memory, "A", now=NOW)["reach"]["silent_because"] == "unknown_name"
