"""What the assured operations answer, by loops over all there is and nothing else.

Words nominate: in a small memory every text that shares a word with the query. The random
memories are made of words that no stemmer changes, so that sharing a word is sharing a token.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from tests.model.memory import Memory
from tests.model.rows import FOREVER, Claim, Evidence, Fact, Line, Mention, ModelError, instant
from tests.model.walk import US, Boundary, Ids, Reached, expired, fact_walk

VOCABULARY = (
    *("amber", "basil", "cedar", "delta", "ember", "fjord", "garnet"),
    *("hazel", "indigo", "jasmin", "kelp", "lotus", "maroon", "nectar"),
)
NAMES = ("Amber", "Basil Cedar", "Delta", "Ember Fjord Garnet", "Hazel", "Indigo")
ALIASES = ("Zorba", "Quux")
PREDICATES = ("kelp", "lotus_maroon", "other:nectar", None)
SUBJECTS = ("s1", "s2")
ROLES = ("user", "tool", "document")
SKEW = timedelta(minutes=5)
NEIGHBOURS = 20
EVIDENCE = 60
SIDES = 25


@dataclass
class Said(Claim):
    """A claim with what operations show of it."""

    text: str = ""
    asserted_at: datetime | None = None
    current: bool = True


@dataclass
class ClaimMention(Mention):
    claim: Said | None = None


@dataclass
class Told(Memory):
    """A memory that keeps its claims, lineages and merges."""

    claims: dict[tuple[int, int, int, int, str], Said] = field(default_factory=dict)
    claim_keys: dict[str, Said] = field(default_factory=dict)
    lineages: dict[str, str] = field(default_factory=dict)

    def _observation(self, line: Line) -> None:
        super()._observation(line)
        self.lineages[line["key"]] = line.get("lineage") or line["key"]

    def _span(self, part: Line) -> Claim:
        if "claim" in part:
            return self.claim_keys[part["claim"]]
        span = super()._span(part)
        text = part.get("claim_text") or part["quote"]
        made = Said(
            span.observation, span.ordinal, span.byte_start, span.byte_end, span.quote, text
        )
        return self.claims.setdefault((*made.place, text), made)

    def _claim(self, line: Line) -> None:
        claim = self._span(line)
        assert isinstance(claim, Said)
        claim.asserted_at = instant(line.get("asserted_at"))
        claim.current = line.get("is_current_testimony", True)
        self.claim_keys[line["key"]] = claim
        for reference in line.get("mentions") or []:
            number = self._refer(reference)(claim.observation.key)
            self.mentions.append(
                ClaimMention(number, claim.observation, ordinal=claim.ordinal, claim=claim)
            )

    def mentioned(self, claim: Said) -> set[int]:
        """Return the entities that a claim mentions."""
        found = {
            one.entity
            for one in self.mentions
            if isinstance(one, ClaimMention) and one.claim is claim
        }
        for fact in self.facts:
            if any(item.claim is claim and item.stance == "supports" for item in fact.evidence):
                found |= ends(fact)
        return found

    def lineage(self, claim: Claim) -> str:
        return self.lineages[claim.observation.key]


@dataclass(frozen=True)
class Asked:
    """The time that is asked for; looks like the scope of a walk."""

    now: datetime
    mode: str = "current"
    at: datetime | None = None
    start: datetime | None = None
    end: datetime | None = None
    known_at: datetime | None = None

    def believes(self, version: Any) -> bool:
        if self.known_at is None:
            return bool(version.known_to == FOREVER)
        return bool(version.known_from <= self.known_at < version.known_to)

    def holds(self, version: Any) -> bool:
        if not self.believes(version):
            return False
        if self.mode == "history":
            return bool(version.valid_from <= (self.known_at or self.now))
        if self.mode == "at":
            assert self.at is not None
            return bool(version.valid_from <= self.at < version.valid_to)
        if self.mode == "overlap":
            assert self.start is not None
            assert self.end is not None
            return bool(version.valid_from <= self.end and version.valid_to > self.start)
        read = self.known_at or self.now
        ahead = read + SKEW
        return bool(
            version.valid_from <= ahead and version.valid_to > (ahead if version.replaced else read)
        )

    def version(self, fact: Fact) -> Any:
        return next((one for one in fact.versions if self.holds(one)), None)

    def ever_known(self, fact: Fact) -> bool:
        return any(
            self.known_at is None or one.known_from <= self.known_at for one in fact.versions
        )


def words(*texts: str | None) -> set[str]:
    return set(re.findall(r"[a-z]+", " ".join(text or "" for text in texts).lower()))


def name_of(memory: Memory, number: int | None) -> str:
    if number is None or memory.entity(number).kind != "named":
        return ""
    return memory.entity(number).name


def fact_words(memory: Memory, fact: Fact) -> set[str]:
    return words(
        fact.statement,
        name_of(memory, fact.subject),
        name_of(memory, fact.object),
        re.sub("[_:-]", " ", fact.predicate or ""),
        fact.value,
    )


def visible(
    fact: Fact, stance: str, asked: Asked, roles: Iterable[str], subject: str | None
) -> list[Evidence]:
    return [
        item
        for item in fact.evidence
        if item.stance == stance
        and item.claim.role in roles
        and subject in (None, item.claim.observation.data_subject_id)
        and not expired(item.claim.observation.retention_until, asked.now)
        and (asked.known_at is None or item.linked_at <= asked.known_at)
    ]


def kept_until(fact: Fact, now: datetime) -> bool:
    """Say whether a fact is kept: as long as the longest kept of its supporting evidence."""
    return any(
        not expired(item.claim.observation.retention_until, now)
        for item in fact.evidence
        if item.stance == "supports"
    )


def ends(fact: Fact) -> set[int]:
    return {fact.subject} | ({fact.object} if fact.object is not None else set())


@dataclass
class FactAnswer:
    """What fact_context may return: with room for all of it, exactly that."""

    kept: list[Fact]
    dropped: int
    touches: dict[str, int]
    hops: dict[str, int | None]
    neighbours: list[int]
    neighbours_cut: bool
    because: str | None


def neighbours_of(rows: list[Reached], anchors: list[int]) -> tuple[list[int], set[int]]:
    """List the further entities of a walk as they are met, and which are met at the first hop."""
    met: list[int] = []
    near: set[int] = set()
    for row in rows:
        for end in (row.fact.subject, row.fact.object):
            if end is None or end in anchors:
                continue
            if end not in met:
                met.append(end)
            if row.hops == 1:
                near.add(end)
    return met, near


def fact_context(
    memory: Told,
    query: set[str],
    *,
    anchors: list[int] | None,
    named: list[int],
    hops: int,
    predicate: str | None,
    asked: Asked,
    roles: tuple[str, ...],
    subject: str | None,
    ids: Ids,
) -> FactAnswer:
    """Find the candidates and confirm them.

    `anchors` are the entities given, None for none; `named` those that the query names.
    """
    boundary = Boundary(roles, subject, predicate)
    fenced = anchors is not None
    starts = anchors if anchors is not None else named[:NEIGHBOURS]
    nominated: list[int] = []
    if not fenced and not starts:
        nominated = [
            entity.number
            for entity in memory.entities
            if entity.status == "active"
            and entity.kind == "named"
            and query
            & words(
                entity.entity_type,
                *(n.normalized for n in memory.names if n.entity == entity.number),
            )
        ]
        assert len(nominated) <= NEIGHBOURS
    around = 0 if not fenced or asked.mode in ("overlap", "history") else hops
    walk = fact_walk(memory, starts + nominated, max(around, 1), asked, boundary, ids)  # type: ignore[arg-type]
    met, near = neighbours_of(walk.rows, starts) if around else ([], set())
    neighbours = met[: NEIGHBOURS - len(starts)]
    inside = set(starts) | set(neighbours)

    candidates = [fact for fact in memory.facts if query & fact_words(memory, fact)]
    candidates += [row.fact for row in walk.rows if row.fact not in candidates]
    kept, dropped = [], 0
    funnel = {"found": 0, "subject": 0, "role": 0, "predicate": 0, "time": 0}
    seen_anyway = list(candidates)
    if True:
        wide = fact_walk(
            memory, starts + nominated, 1, Asked(asked.now, "history", known_at=asked.known_at),  # type: ignore[arg-type]
            Boundary(("user", "assistant", "system", "tool", "document")), ids,
        )  # fmt: skip
        seen_anyway += [row.fact for row in wide.rows if row.fact not in seen_anyway]
    for fact in seen_anyway:
        if fenced and not ends(fact) & inside:
            continue
        alive = kept_until(fact, asked.now)
        holds = asked.version(fact) is not None
        passed = alive
        funnel["found"] += passed
        passed = passed and subject in (None, fact.data_subject_id)
        funnel["subject"] += passed
        passed = passed and fact.source_role in roles
        funnel["role"] += passed
        relation = fact.object is not None and fact.predicate == predicate
        passed = passed and (predicate is None or relation)
        funnel["predicate"] += passed
        funnel["time"] += passed and holds
        if fact not in candidates:
            continue
        if subject not in (None, fact.data_subject_id) or fact.source_role not in roles:
            continue
        if predicate is not None and not relation:
            continue
        if not alive:
            dropped += 1
        elif not holds:
            believed = any(asked.believes(one) for one in fact.versions)
            if not believed and asked.ever_known(fact):
                dropped += 1
        elif not visible(fact, "supports", asked, roles, subject):
            dropped += 1
        else:
            kept.append(fact)
    because = None
    if not kept:
        because = "no_facts" if fenced else "words"
        if funnel["found"]:
            stages = ("subject", "role", "predicate", "time")
            because = next((one for one in stages if not funnel[one]), "evidence")
    touches = {fact.key: len(ends(fact) & set(starts)) for fact in kept}
    hops_of: dict[str, int | None] = {}
    for fact in kept:
        if touches[fact.key]:
            hops_of[fact.key] = 1
        elif not fenced:
            hops_of[fact.key] = None
        else:
            hops_of[fact.key] = 2 if ends(fact) & near & inside else 3
    cut = bool(walk.more or walk.cuts or len(met) > len(neighbours))
    return FactAnswer(kept, dropped, touches, hops_of, neighbours, bool(around) and cut, because)


def chosen_evidence(
    memory: Told,
    facts: list[Fact],
    asked: Asked,
    roles: tuple[str, ...],
    subject: str | None,
    per_stance: int,
    claim_id: Callable[[Any], str],
) -> list[list[tuple[str, Claim]]]:
    """Share the evidence out among facts in the order they are shown."""
    queues: list[list[tuple[str, Claim]]] = []
    for fact in facts:
        ranked: dict[str, list[Claim]] = {}
        for stance in ("supports", "contradicts"):
            items = [item.claim for item in visible(fact, stance, asked, roles, subject)]
            items.sort(key=claim_id)
            items.sort(key=lambda claim: tuple(-part for part in claim.place[:3]))
            items.sort(
                key=lambda claim: (
                    getattr(claim, "asserted_at", None) is None,
                    -(getattr(claim, "asserted_at", None) or asked.now).timestamp(),
                )
            )
            turns: dict[str, int] = {}
            turned: list[tuple[int, int, Claim]] = []
            for claim in items:
                lineage = memory.lineage(claim)
                turned.append((turns.get(lineage, 0), len(turned), claim))
                turns[lineage] = turns.get(lineage, 0) + 1
            turned.sort(key=lambda one: one[:2])
            ranked[stance] = [claim for _, _, claim in turned][:per_stance]
        merged: list[tuple[str, Claim]] = []
        for number in range(per_stance):
            for stance in ("supports", "contradicts"):
                merged += [(stance, claim) for claim in ranked[stance][number : number + 1]]
        queues.append(merged)
    shown: list[list[tuple[str, Claim]]] = [[] for _ in facts]
    left = EVIDENCE
    for place in range(2 * per_stance):
        for number, queue in enumerate(queues):
            if place < len(queue) and left:
                shown[number].append(queue[place])
                left -= 1
    return shown


def other_sides(
    memory: Told, fact: Fact, asked: Asked, roles: tuple[str, ...], subject: str | None
) -> list[Fact]:
    """List the other sides of a fact's contradiction that may be seen."""
    return [
        other
        for other in memory.group_members(fact.group)
        if other is not fact
        and other.source_role in roles
        and subject in (None, other.data_subject_id)
        and kept_until(other, asked.now)
        and asked.version(other) is not None
        and visible(other, "supports", asked, roles, subject)
    ]


def same_words(text: str) -> str:
    """Bring a claim into the form in which equal ones are put together."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(plain.split()).strip(" .,;:!?()[]{}<>\"'`*_/|-")


@dataclass
class SaidAnswer:
    """Groups of claims and sets of messages that testimony_context may return.

    `surely`: messages that hold a word of the query themselves; `possibly`: all that may be shown.
    """

    groups: dict[str, list[Said]]
    touches: dict[str, int]
    surely: set[tuple[str, int]]
    possibly: set[tuple[str, int]]


def said_about(
    memory: Told,
    query: set[str],
    *,
    anchors: list[int] | None,
    now: datetime,
    roles: tuple[str, ...],
    subject: str | None,
) -> SaidAnswer:
    """Find claims by their words, group them, and the messages that may be shown."""
    groups: dict[str, list[Said]] = {}
    touches: dict[str, int] = {}

    def open_to(claim_or_message: Any, observation: Any) -> bool:
        return (
            claim_or_message.role in roles
            and subject in (None, observation.data_subject_id)
            and not expired(observation.retention_until, now)
        )

    scoped: set[tuple[str, int]] = set()
    for claim in memory.claims.values():
        mentioned = memory.mentioned(claim)
        if anchors is not None and mentioned & set(anchors):
            scoped.add((claim.observation.key, claim.ordinal))
        if not claim.current or not open_to(claim, claim.observation):
            continue
        if not query & words(claim.text):
            continue
        if anchors is not None and not mentioned & set(anchors):
            continue
        form = same_words(claim.text)
        groups.setdefault(form, []).append(claim)
        touches[form] = max(touches.get(form, 0), len(mentioned & set(anchors or [])))
    surely, possibly = set(), set()
    for observation in memory.observations:
        for ordinal, message in enumerate(observation.messages):
            place = (observation.key, ordinal)
            if message.content is None or not open_to(message, observation):
                continue
            if anchors is not None and place not in scoped:
                continue
            possibly.add(place)
            if query & words(message.content):
                surely.add(place)
    return SaidAnswer(groups, touches, surely, possibly)


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
