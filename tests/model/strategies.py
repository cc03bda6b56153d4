"""Random small memories, as lines of the load format.

Everything is drawn from one `random.Random`, so that a seed names a case.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from tests.model.memory import Memory
from tests.model.rows import ROLES, Line, ModelError
from tests.model.text import normalize_name
from tests.model.vocabulary import ALIASES, FILL, NAMES, ONE, PREDICATES, SUBJECTS, TYPES


@dataclass(frozen=True)
class Shape:
    """What a random memory may hold; `stamped` gives every fact line its known_from."""

    entities: tuple[int, int] = (3, 8)
    facts: tuple[int, int] = (2, 26)
    hub: tuple[int, int] | None = None
    stamped: bool = False
    retention: bool = True
    merges: bool = True
    versions: bool = True
    ones: bool = True
    long_messages: bool = True
    roles: tuple[str, ...] = ROLES


MIXED = Shape()
STAMPED = Shape(stamped=True)
MANY = Shape(merges=False, ones=False)
SMALL = {"long_messages": False, "retention": False, "roles": ("user",)}
HUB = Shape(entities=(2, 4), facts=(0, 4), hub=(60, 70), **SMALL)  # type: ignore[arg-type]
WIDE = Shape(entities=(4, 4), facts=(0, 6), hub=(190, 230), **SMALL)  # type: ignore[arg-type]
SHAPES = (MIXED,) * 8 + (STAMPED,) * 8 + (HUB,) * 2 + (WIDE,)


@dataclass
class Case:
    """A memory as lines, with what questions may ask about."""

    lines: list[Line]
    now: datetime
    shape: Shape
    instants: list[datetime] = field(default_factory=list)
    spellings: list[str] = field(default_factory=list)


class Maker:
    """Draws one memory line by line; a line the model refuses is left out."""

    def __init__(self, rng: Random, now: datetime, shape: Shape) -> None:
        self.rng = rng
        self.shape = shape
        self.case = Case([], now, shape)
        self.memory = Memory()
        self.start = now - timedelta(days=40)
        self.quotes: list[tuple[str, int, str]] = []
        self.numbers = {"statement": 0, "quote": 0}
        self.refused: list[tuple[Line, str]] = []

    def add(self, line: Line) -> bool:
        try:
            self.memory.apply(line)
        except ModelError as error:
            self.refused.append((line, error.code))
            return False
        self.case.lines.append(line)
        return True

    def number(self, what: str) -> str:
        self.numbers[what] += 1
        return f"{what[0]}{self.numbers[what]:04d}"

    def moment(self) -> str | None:
        """Draw a valid instant: long ago, near now on either side, or ahead."""
        rng, now = self.rng, self.case.now
        drawn = rng.choice(
            (
                None,
                now - timedelta(days=rng.randint(1, 12) * 30),
                now - timedelta(days=rng.randint(1, 12) * 30),
                now + timedelta(minutes=rng.choice((-60, -2, 2, 60))),
                now + timedelta(days=rng.randint(1, 60)),
            )
        )
        return self.told(drawn)

    def span(self) -> tuple[str | None, str | None]:
        """Draw a start and an end after it, either of them open at times."""
        one, other = self.moment(), self.moment()
        if one is not None and other is not None and one >= other:
            one, other = other, one
        return one, None if one == other else other

    def told(self, moment: datetime | None) -> str | None:
        if moment is None:
            return None
        self.case.instants.append(moment)
        return moment.isoformat()

    def stamp(self) -> str | None:
        """Give the next known time, if this memory names its own."""
        if not self.shape.stamped:
            return None
        self.start += timedelta(seconds=self.rng.randint(1, 90_000) / 1_000)
        return self.told(self.start)

    def opening(self) -> None:
        rng = self.rng
        roles = rng.choice((None, None, ["user"], ["user", "document"], ["tool"]))
        if roles and not self.shape.hub:
            self.add({"type": "project", "default_source_roles": roles})
        for predicate in PREDICATES[:4]:
            if rng.random() < 0.5:
                kind = "one" if predicate in ONE else "many"
                self.add({"type": "predicate", "predicate": predicate, "cardinality": kind})
        names = rng.sample(NAMES, rng.randint(*self.shape.entities))
        for place, name in enumerate(names):
            aliases = rng.sample(ALIASES, rng.choice((0, 0, 1, 2)))
            self.case.spellings += [name, *aliases]
            line: Line = {"type": "entity", "key": f"e{place}", "name": name, "aliases": aliases}
            if rng.random() < 0.6:
                line["entity_type"] = rng.choice(TYPES)
            self.add(line)

    def filler(self) -> str:
        if not self.shape.long_messages:
            return ""
        wanted = self.rng.choice((0, 0, 5, 40, 158, 159, 160, 161, 162, 400))
        text = ""
        while len(text.encode()) < wanted:
            text += self.rng.choice(FILL)
        return text

    def observation(self, messages: int, role: str | None = None) -> None:
        """Take in messages, each with some quotes for facts to come."""
        rng = self.rng
        key = f"t{len(self.memory.observations)}"
        said = []
        quotes = []
        for ordinal in range(messages):
            content = ""
            for _ in range(rng.choice((1, 2, 3)) if self.shape.long_messages else 1):
                quote = self.number("quote") + rng.choice(("", " is said", " \u00e9t\u00e9"))
                if not self.shape.long_messages:
                    quote = quote[:5]
                content += self.filler() + quote
                quotes.append((key, ordinal, quote))
            content += self.filler()
            mostly = rng.choice(("user", "user", "user", *self.shape.roles))
            said.append({"role": role or mostly, "content": content})
        line: Line = {
            "type": "observation",
            "key": key,
            "kind": "turn",
            "occurred_at": (self.case.now - timedelta(days=50)).isoformat(),
            "messages": said,
        }
        if self.shape.long_messages and rng.random() < 0.6:
            line["data_subject_id"] = rng.choice(SUBJECTS)
        if self.shape.long_messages and rng.random() < 0.1:
            line["formed"] = False
        if self.shape.retention and rng.random() < 0.15:
            ahead = rng.choice((-1, -1, 5))
            line["retention_until"] = (self.case.now + timedelta(days=ahead)).isoformat()
        if self.add(line):
            self.quotes += quotes

    def reference(self, number: int) -> Any:
        """Refer to an entity by key, or by a name that leads to it alone."""
        name = self.memory.entity(number).name
        if self.memory.leads_to(normalize_name(name)) == [number] and self.rng.random() < 0.4:
            return name
        keys = [key for key, known in self.memory.entity_keys.items() if known == number]
        return {"key": keys[0]} if keys else name

    def entity(self) -> int:
        return self.rng.choice(
            [e.number for e in self.memory.entities if e.kind == "named" and e.status == "active"]
        )

    def evidence(self) -> list[Line]:
        """Draw a quote, and sometimes others of the same role and subject."""
        rng = self.rng
        first = rng.choice(self.quotes)
        chosen = [first]
        for _ in range(rng.choice((0, 0, 0, 1, 2, 6))):
            other = rng.choice(self.quotes)
            if other not in chosen and self.kin(other) == self.kin(first):
                chosen.append(other)
        return [
            {"observation": key, "ordinal": ordinal, "quote": quote, "stance": "supports"}
            for key, ordinal, quote in chosen
        ]

    def kin(self, quote: tuple[str, int, str]) -> tuple[str, str | None]:
        for observation in self.memory.observations:
            if observation.key == quote[0]:
                return observation.messages[quote[1]].role, observation.data_subject_id
        raise AssertionError

    def fact(self) -> None:
        rng = self.rng
        evidence = self.evidence()
        first = evidence[0]
        role, subject = self.kin((first["observation"], first["ordinal"], first["quote"]))
        statement = self.number("statement")
        line: Line = {
            "type": "fact",
            "key": statement,
            "subject": self.reference(self.entity()),
            "predicate": rng.choice(PREDICATES),
            "statement": statement + rng.choice(("", " is so", " \u00e9t\u00e9 \U0001f600")),
            "evidence": evidence,
        }
        if role == "user" and subject is not None and rng.random() < 0.3:
            line["subject"] = rng.choice(({"speaker": subject}, "I", "The  User"))
        form = rng.random()
        if form < 0.65:
            line["object"] = self.reference(self.entity())
        elif form < 0.7 and not isinstance(line["subject"], str):
            line["object"] = line["subject"]
            if "speaker" in line["subject"]:
                del line["object"]
                line["value"] = "himself"
        elif form < 0.9:
            line["value"] = rng.choice(("red", "nuts", "\u00e9", "red"))
        elif form < 0.95:
            line["predicate"] = None
            line["value"] = "bare"
        else:
            line["predicate"] = None
        if rng.random() < 0.4:
            line["valid_from"], line["valid_until"] = self.span()
        elif rng.random() < 0.5:
            line["valid_from"] = self.moment()
        if not self.shape.ones:
            line["cardinality"] = "many"
        elif line["predicate"] in ONE and (line.get("object") or line.get("value")):
            line["cardinality"] = rng.choice(("one", "one", "many"))
            line["on_conflict"] = rng.choice(("refuse", "contradict", "truncate"))
        elif rng.random() < 0.5:
            line["cardinality"] = "many"
        if rng.random() < 0.5:
            line["confidence"] = rng.choice((0.25, 0.5, 1.0))
        stamp = self.stamp()
        if stamp:
            line["known_from"] = stamp
        if not self.add(line) or stamp is None or not self.shape.versions or rng.random() > 0.15:
            return
        known = self.memory.fact_keys[statement].versions[0].known_from
        self.add(
            {
                "type": "version",
                "fact": statement,
                "valid_from": self.moment(),
                "valid_until": None,
                "known_from": (known - timedelta(days=3)).isoformat(),
                "known_until": self.told(known - timedelta(days=rng.choice((0, 1, 2)))),
            }
        )

    def story(self) -> None:
        """Tell values of one thing that follow, enter or clash with each other."""
        rng = self.rng
        subject, predicate = self.reference(self.entity()), rng.choice(ONE)
        evidence = self.evidence()
        usual = rng.choice(("refuse", "contradict", "truncate"))
        for _ in range(rng.randint(2, 6)):
            statement = self.number("statement")
            told = evidence if rng.random() < 0.8 else self.evidence()
            line: Line = {
                "type": "fact",
                "key": statement,
                "subject": subject,
                "predicate": predicate,
                "cardinality": "one",
                "statement": statement,
                "on_conflict": rng.choice((usual, usual, "refuse", "truncate")),
                "evidence": told,
            }
            if rng.random() < 0.6:
                line["object"] = self.reference(self.entity())
            else:
                line["value"] = rng.choice(("red", "blue", "green"))
            line["valid_from"] = self.moment()
            if rng.random() < 0.3:
                line["valid_from"], line["valid_until"] = self.span()
            stamp = self.stamp()
            if stamp:
                line["known_from"] = stamp
            self.add(line)

    def again(self) -> None:
        """Tell an earlier fact of many values again, with other evidence."""
        told = [
            line
            for line in self.case.lines
            if line["type"] == "fact" and line.get("cardinality") == "many"
        ]
        if not told or self.shape.stamped:
            return
        line = dict(self.rng.choice(told))
        evidence = self.evidence()
        kins = {self.kin((e["observation"], e["ordinal"], e["quote"])) for e in evidence}
        old = line["evidence"][0]
        if kins == {self.kin((old["observation"], old["ordinal"], old["quote"]))}:
            line["evidence"] = evidence
            line["key"] = f"{line['key']}-again-{len(self.case.lines)}"
            self.add(line)

    def aftermath(self) -> None:
        """Retract, contradict and merge some of what was told."""
        rng = self.rng
        keys = list(self.memory.fact_keys)
        for key in rng.sample(keys, min(len(keys), rng.choice((0, 0, 1, 3)))):
            line: Line = {"type": "retract", "fact": key, "reason": "a mistake"}
            stamp = self.stamp()
            if stamp:
                line["at"] = stamp
            self.add(line)
        if len(keys) > 3 and rng.random() < 0.4:
            self.add({"type": "contradiction", "facts": rng.sample(keys, rng.choice((2, 3)))})
        if self.shape.merges and rng.random() < 0.3:
            absorbed, survivor = self.entity(), self.entity()
            line = {"type": "merge"}
            for side, number in (("absorbed", absorbed), ("survivor", survivor)):
                line[side] = self.reference(number)
            self.add(line)

    def star(self, centre: int, facts: int) -> None:
        """Give an entity many small facts, of one direction mostly."""
        rng = self.rng
        backward = rng.random() < 0.5
        for _ in range(facts):
            if not self.quotes:
                self.observation(20)
            key, ordinal, quote = self.quotes.pop(rng.randrange(len(self.quotes)))
            statement = self.number("statement")
            line: Line = {
                "type": "fact",
                "key": statement,
                "subject": {"key": f"e{centre}"},
                "predicate": rng.choice(("p", "q2", "r")),
                "statement": statement,
                "evidence": [{"observation": key, "ordinal": ordinal, "quote": quote}],
            }
            if rng.random() < 0.2:
                line["value"] = "v"
            else:
                line["object"] = f"n{rng.randint(1, 90)}"
                if backward:
                    line["subject"], line["object"] = line["object"], line["subject"]
            stamp = self.stamp()
            if stamp:
                line["known_from"] = stamp
            self.add(line)

    def make(self) -> Case:
        rng = self.rng
        self.opening()
        self.observation(1, role="user")
        for _ in range(rng.randint(1, 7)):
            self.observation(rng.choice((1, 1, 2, 3)))
        if self.shape.hub:
            facts = rng.randint(*self.shape.hub)
            centres = 1 if facts < 100 else 4
            for centre in range(centres):
                self.star(centre, facts // centres + (centre < facts % centres))
            self.observation(2)
        for _ in range(rng.randint(*self.shape.facts)):
            if rng.random() < 0.1:
                self.again()
            if self.shape.ones and rng.random() < 0.12:
                self.story()
            self.fact()
        self.aftermath()
        self.case.spellings += [e.name for e in self.memory.entities[:12] if e.kind == "named"]
        return self.case


def make_case(rng: Random, now: datetime, shape: Shape | None = None) -> Case:
    """Draw a memory; instants near `now` are meant to be near the time of reading."""
    return Maker(rng, now, shape or rng.choice(SHAPES)).make()
