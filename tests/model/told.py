"""The memory as assured operations see it: claims, what of it is asked for, and who may see it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from tests.model.memory import Memory
from tests.model.rows import FOREVER, Claim, Evidence, Fact, Line, Mention, instant
from tests.model.walk import expired

SKEW = timedelta(minutes=5)


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
