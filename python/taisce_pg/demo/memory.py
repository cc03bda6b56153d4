"""Collect observations, entities and facts, and write them as lines of the load format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Line = dict[str, Any]
Quote = tuple[str, str]


@dataclass
class Memory:
    """A memory in the making. Keys are the caller's; each may be used once."""

    told_on: str
    predicates: dict[str, Line] = field(default_factory=dict)
    entities: dict[str, Line] = field(default_factory=dict)
    observations: dict[str, Line] = field(default_factory=dict)
    facts: list[Line] = field(default_factory=list)
    heads: dict[str, str] = field(default_factory=dict)
    _known: dict[str, Line] = field(default_factory=dict)

    def predicate(self, name: str, cardinality: str, description: str) -> None:
        """Declare a predicate."""
        self.predicates[name] = {
            "type": "predicate",
            "predicate": name,
            "cardinality": cardinality,
            "description": description,
        }

    def entity(
        self, key: str, name: str, kind: str, aliases: list[str], profile: str | None = None
    ) -> str:
        """Declare an entity and return its key."""
        if key in self.entities:
            raise ValueError(f"entity {key} is declared twice")
        self.entities[key] = {
            "type": "entity",
            "key": key,
            "name": name,
            "entity_type": kind,
            "aliases": aliases,
            "profile": profile,
        }
        return key

    def document(self, key: str, title: str, text: str, reference: str, head: str = "") -> str:
        """Take in a document of one message and return its key; `head`: its main words."""
        self.heads[key] = head
        if key in self.observations:
            raise ValueError(f"observation {key} is declared twice")
        self.observations[key] = {
            "type": "observation",
            "key": key,
            "kind": "document",
            "occurred_at": instant(self.told_on),
            "title": title,
            "source_kind": "record",
            "source_ref": reference,
            "messages": [{"role": "document", "content": text}],
        }
        return key

    def relation(
        self, subject: str, predicate: str, object: str, statement: str, quotes: list[Quote],
        valid_from: str | None = None, valid_until: str | None = None,
    ) -> None:  # fmt: skip
        """Hold a fact between two entities; `quotes` are (document, exact words)."""
        self._fact(subject, predicate, {"object": {"key": object}}, statement, quotes,
                   valid_from, valid_until)  # fmt: skip

    def attribute(
        self, subject: str, predicate: str, value: str | None, statement: str,
        quotes: list[Quote], valid_from: str | None = None, valid_until: str | None = None,
    ) -> None:  # fmt: skip
        """Hold a fact about one entity: a value, or the bare statement."""
        self._fact(subject, predicate, {"value": value} if value else {}, statement, quotes,
                   valid_from, valid_until)  # fmt: skip

    def _fact(
        self, subject: str, predicate: str, other: Line, statement: str, quotes: list[Quote],
        valid_from: str | None, valid_until: str | None,
    ) -> None:  # fmt: skip
        if predicate not in self.predicates:
            raise ValueError(f"predicate {predicate} is not declared")
        line: Line = {
            "type": "fact",
            "key": f"fact:{len(self.facts) + 1}",
            "subject": {"key": subject},
            "predicate": predicate,
            **other,
            "statement": statement,
            "valid_from": instant(valid_from),
            "valid_until": instant(valid_until),
            "source_role": "document",
            "evidence": [self._evidence(*quote) for quote in quotes],
        }
        content = repr([value for key, value in line.items() if key not in ("key", "evidence")])
        known = self._known.setdefault(content, line)
        if known is line:
            self.facts.append(line)
        else:
            known["evidence"] += line["evidence"]

    def _evidence(self, document: str, quote: str) -> Line:
        """Point at the words; with the first byte where they stand more than once."""
        content = self.observations[document]["messages"][0]["content"]
        start = content.index(quote)
        line: Line = {"observation": document, "ordinal": 0, "quote": quote}
        if content.find(quote, start + 1) >= 0:
            line["byte_start"] = len(content[:start].encode())
        return line

    def lines(self) -> Iterator[Line]:
        """Yield the lines in an order in which every reference has been declared."""
        yield {"type": "project", "default_source_roles": ["user", "document"]}
        yield from self.predicates.values()
        yield from self.entities.values()
        yield from self.observations.values()
        yield from self.facts


def instant(day: str | None) -> str | None:
    """Write a day as the instant it begins, in UTC."""
    return f"{day}T00:00:00Z" if day else None
