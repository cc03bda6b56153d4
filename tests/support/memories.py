"""A small memory in the load format that has something of everything."""

from __future__ import annotations

import json
from typing import Any


def turn(key: str, content: str, **more: Any) -> dict[str, Any]:
    """Make an observation of one user message about subject s1."""
    return {
        "type": "observation",
        "key": key,
        "data_subject_id": "s1",
        "occurred_at": "2026-01-05T10:00:00Z",
        "messages": [{"role": "user", "content": content}],
        **more,
    }


def fact(key: str, subject: Any, statement: str, source: str, quote: str, **more: Any) -> Any:
    """Make a fact with one piece of evidence."""
    return {
        "type": "fact",
        "key": key,
        "subject": subject,
        "statement": statement,
        "evidence": [{"observation": source, "quote": quote}],
        **more,
    }


EVERYTHING: list[dict[str, Any]] = [
    {"type": "project", "default_source_roles": ["user", "document"]},
    {"type": "predicate", "predicate": "lives_in", "cardinality": "one", "description": "Home."},
    turn("t1", "I moved to Dublin. Marta is allergic to nuts.", source_kind="chat"),
    turn("t2", "Since March I live in Cork — “really”."),
    turn("t3", "Bob Smith knows Marta Nowak. He is 40. He is 41."),
    turn("t4", "Nothing of use.", parked="no facts"),
    turn("t5", "Not yet looked at.", formed=False),
    turn("t6", "Marta likes tea.", retention_until="2099-01-01T00:00:00Z"),
    {
        "type": "observation",
        "key": "d1",
        "kind": "document",
        "title": "Register",
        "lineage": "register",
        "messages": [
            {"role": "document", "content": "Acme is a company in Dublin.\n"},
            {"role": "document", "content": "Acme was founded in 1999."},
        ],
    },
    {
        "type": "entity",
        "key": "marta",
        "name": "Marta Nowak",
        "entity_type": "person",
        "aliases": ["Marta", "the engineer of the third floor"],
        "profile": "Engineer.",
    },
    {"type": "entity", "name": "Acme", "entity_type": "company", "source": "d1"},
    {"type": "entity", "key": "me", "speaker_of": "s1"},
    fact(
        "f1",
        {"speaker": "s1"},
        "lives in Dublin",
        "t1",
        "I moved to Dublin",
        predicate="lives_in",
        object="Dublin",
        valid_from="2026-01-01T00:00:00Z",
        known_from="2026-01-06T00:00:00Z",
    ),
    fact(
        "f2",
        {"speaker": "s1"},
        "lives in Cork",
        "t2",
        "I live in Cork",
        predicate="lives_in",
        object="Cork",
        valid_from="2026-03-01T00:00:00Z",
        confidence=0.75,
    ),
    fact("f3", {"key": "marta"}, "allergic", "t1", "Marta is allergic", value="nuts"),
    fact("f4", "Bob Smith", "knows Marta", "t3", "knows Marta", predicate="knows", object="Marta"),
    fact("f5", "Bob Smith", "is 40", "t3", "He is 40", predicate="age", value="40"),
    fact("f6", "Bob Smith", "is 41", "t3", "He is 41", predicate="age", value="41"),
    fact("f7", "Acme", "is in Dublin", "d1", "Acme is a company", predicate="in", object="Dublin"),
    fact("f8", "Marta", "likes tea", "t6", "likes tea", predicate="likes", value="tea"),
    {"type": "claim", "key": "c9", "observation": "d1", "ordinal": 1, "quote": "founded in 1999",
     "mentions": ["Acme"], "is_attributed": True, "claim_valid_from": "1999-01-01T00:00:00Z",
     "claim_valid_precision": "year"},
    {"type": "contradiction", "facts": ["f5", "f6"]},
    {"type": "retract", "fact": "f3", "reason": "a joke"},
    {"type": "entity", "name": "Robert Smith"},
    {"type": "merge", "absorbed": "Bob Smith", "survivor": "Robert Smith"},
    {"type": "community", "key": "k0", "level": 1, "members": ["Acme"]},
    {"type": "community", "key": "k1", "level": 0, "parent": "k0", "members": ["Acme", "Dublin"]},
    {"type": "report", "community": "k1", "title": "Acme", "summary": "A company.",
     "importance": 7.5, "facts": ["f7"], "sources": ["d1"]},
    {"type": "segment", "data_subject_id": "s1", "level": 1, "from_offset": 1, "to_offset": 2,
     "summary": "Moved."},
]  # fmt: skip


def lines(objects: list[dict[str, Any]]) -> list[str]:
    """Write objects as lines."""
    return [json.dumps(item, ensure_ascii=False) for item in objects]
