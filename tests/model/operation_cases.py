"""Random small memories for the assured operations, and what is asked of them."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any

from tests.model.rows import Line, ModelError
from tests.model.told import Asked, Told
from tests.model.walk import US

VOCABULARY = (
    *("amber", "basil", "cedar", "delta", "ember", "fjord", "garnet"),
    *("hazel", "indigo", "jasmin", "kelp", "lotus", "maroon", "nectar"),
)
NAMES = ("Amber", "Basil Cedar", "Delta", "Ember Fjord Garnet", "Hazel", "Indigo")
ALIASES = ("Zorba", "Quux")
PREDICATES = ("kelp", "lotus_maroon", "other:nectar", None)
SUBJECTS = ("s1", "s2")
ROLES = ("user", "tool", "document")


class OperationCase:
    """A random memory for operations, as lines."""

    def __init__(self, rng: Random, now: datetime) -> None:
        """Draw it; a line that the model refuses is left out."""
        self.rng = rng
        self.now = now
        self.memory = Told()
        self.lines: list[Line] = []
        self.instants: list[datetime] = []
        self.quotes: list[tuple[str, int, str]] = []
        self.claim_keys: list[str] = []
        self.add({"type": "predicate", "predicate": "kelp", "cardinality": "one"})
        for name in NAMES[: rng.randint(3, len(NAMES))]:
            line: Line = {"type": "entity", "key": name, "name": name}
            if rng.random() < 0.3:
                line["aliases"] = [rng.choice(ALIASES)]
            if rng.random() < 0.3:
                line["entity_type"] = rng.choice(VOCABULARY)
            self.add(line)
        for number in range(rng.randint(3, 7)):
            self.observe(number)
        for number in range(rng.randint(2, 8)):
            self.claim(number)
        for number in range(rng.randint(4, 18)):
            self.fact(number)
        for _ in range(rng.randint(0, 3)):
            self.change()

    def add(self, line: Line) -> bool:
        try:
            self.memory.apply(line)
        except ModelError:
            return False
        self.lines.append(line)
        return True

    def some_words(self, most: int = 4) -> str:
        return " ".join(self.rng.choices(VOCABULARY, k=self.rng.randint(1, most)))

    def moment(self) -> datetime:
        day = self.now.replace(hour=0, minute=0, second=0, microsecond=0)
        made = day + timedelta(days=self.rng.randint(-60, 20))
        self.instants.append(made)
        return made

    def observe(self, number: int) -> None:
        role = self.rng.choice(("user", "user", "tool", "document"))
        messages = []
        for ordinal in range(self.rng.randint(1, 4)):
            quotes = [f"q{number}x{ordinal}x{part} {self.some_words()}" for part in range(3)]
            messages.append({"role": role, "content": ". ".join(quotes) + "."})
            self.quotes += [(f"o{number}", ordinal, quote) for quote in quotes]
        line: Line = {"type": "observation", "key": f"o{number}", "messages": messages}
        if self.rng.random() < 0.7:
            line["data_subject_id"] = self.rng.choice(SUBJECTS)
        if self.rng.random() < 0.4:
            line["lineage"] = self.rng.choice(("l1", "l2"))
        if self.rng.random() < 0.15:
            line["retention_until"] = (self.now - timedelta(days=1)).isoformat()
        self.add(line)

    def claim(self, number: int) -> None:
        observation, ordinal, quote = self.rng.choice(self.quotes)
        text = self.rng.choice((quote, "Amber cedar.", "amber  CEDAR", self.some_words(2)))
        line: Line = {
            "type": "claim",
            "key": f"c{number}",
            "observation": observation,
            "ordinal": ordinal,
            "quote": quote,
            "claim_text": text,
        }
        if self.rng.random() < 0.6:
            line["asserted_at"] = self.moment().isoformat()
        if self.rng.random() < 0.15:
            line["is_current_testimony"] = False
        if self.rng.random() < 0.6:
            line["mentions"] = [{"key": key} for key in self.some_entities(2)]
        place = (observation, ordinal, quote, text)
        if any(place == self.place_of(other) for other in self.lines if other["type"] == "claim"):
            return
        if self.add(line):
            self.claim_keys.append(line["key"])

    @staticmethod
    def place_of(line: Line) -> tuple[Any, ...]:
        return (line["observation"], line["ordinal"], line["quote"], line["claim_text"])

    def some_entities(self, most: int) -> list[str]:
        keys = list(self.memory.entity_keys)
        return self.rng.sample(keys, self.rng.randint(1, min(most, len(keys))))

    def fact(self, number: int) -> None:
        first = self.rng.choice(self.quotes)
        role = self.memory._observed(first[0]).messages[0].role
        subject = self.memory._observed(first[0]).data_subject_id
        evidence: list[Line] = []
        for observation, ordinal, quote in [first, *self.rng.choices(self.quotes, k=3)]:
            other = self.memory._observed(observation)
            if (other.messages[0].role, other.data_subject_id) == (role, subject) and all(
                quote != part.get("quote") for part in evidence
            ):
                evidence.append({"observation": observation, "ordinal": ordinal, "quote": quote})
        for part in self.rng.sample(self.claim_keys, min(len(self.claim_keys), 2)):
            evidence.append({"claim": part, "stance": "contradicts"})
        ends_of = self.some_entities(2)
        line: Line = {
            "type": "fact",
            "key": f"f{number}",
            "subject": {"key": ends_of[0]},
            "statement": f"f{number} {self.some_words()}",
            "evidence": evidence,
        }
        predicate = self.rng.choice(PREDICATES)
        if predicate is not None:
            line["predicate"] = predicate
            if len(ends_of) > 1:
                line["object"] = {"key": ends_of[1]}
        if "object" not in line and self.rng.random() < 0.5:
            line["value"] = self.some_words(2)
        if self.rng.random() < 0.4:
            line["valid_from"] = self.moment().isoformat()
        if self.rng.random() < 0.25:
            line["valid_until"] = self.moment().isoformat()
        line["on_conflict"] = self.rng.choice(("refuse", "contradict", "truncate"))
        self.add(line)

    def change(self) -> None:
        facts = list(self.memory.fact_keys)
        what = self.rng.choice(("retract", "contradiction", "merge"))
        if what == "retract" and facts:
            self.add({"type": "retract", "fact": self.rng.choice(facts)})
        elif what == "contradiction" and len(facts) > 2:
            some = self.rng.sample(facts, self.rng.randint(2, 3))
            self.add({"type": "contradiction", "facts": some})
        elif what == "merge" and len(self.memory.entity_keys) > 2:
            absorbed, survivor = self.rng.sample(list(self.memory.entity_keys), 2)
            self.add(
                {"type": "merge", "absorbed": {"key": absorbed}, "survivor": {"key": survivor}}
            )

    def asked(self, known: list[datetime]) -> Asked:
        """Draw a time to ask for."""
        mode = self.rng.choice(("current", "current", "at", "overlap", "history"))
        near = [one + self.rng.choice((-1, 0, 1)) * US for one in self.instants or [self.now]]
        at = self.rng.choice(near)
        start = self.rng.choice(near)
        end = start + self.rng.choice((0 * US, US, *(timedelta(days=n) for n in range(1, 30))))
        known_at = self.rng.choice(known) if known and self.rng.random() < 0.3 else None
        return Asked(
            self.now,
            mode,
            at if mode == "at" else None,
            start if mode == "overlap" else None,
            end if mode == "overlap" else None,
            known_at,
        )
