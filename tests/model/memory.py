"""The memory as plain lists, filled by the lines of the load format, in order."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from tests.model.conflicts import contradict_once_merged, make_room, open_of
from tests.model.erasure import erase
from tests.model.identities import Identities
from tests.model.rows import (
    BEGINNING,
    FOREVER,
    Claim,
    Evidence,
    Fact,
    Line,
    Mention,
    Message,
    ModelError,
    Observation,
    Stamps,
    Version,
    counting_stamps,
    instant,
    overlap,
    same_content,
)
from tests.model.text import normalize_name

SPEAKER_WORDS = ("i", "me", "myself", "the user")


@dataclass
class Memory(Identities):
    """One project. `stamps` gives the knowledge stamp of a line: (number, line, what)."""

    stamps: Stamps = field(
        default_factory=lambda: counting_stamps(datetime(2026, 1, 1, tzinfo=UTC))
    )
    default_source_roles: list[str] = field(default_factory=lambda: ["user"])
    predicates: dict[str, str] = field(default_factory=dict)
    observations: list[Observation] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    fact_keys: dict[str, Fact] = field(default_factory=dict)
    erased: list[int] = field(default_factory=list)
    lines: int = 0
    groups: int = 0

    # Reading

    def group_members(self, group: int | None) -> list[Fact]:
        return [fact for fact in self.facts if group is not None and fact.group == group]

    # Writing

    def apply(self, line: Line) -> None:
        """Apply one line; raises ModelError and then leaves the memory as it was."""
        self.lines += 1
        writers = {
            "project": self._project,
            "predicate": self._predicate,
            "observation": self._observation,
            "entity": self._entity,
            "fact": self._fact,
            "claim": self._claim,
            "version": self._version,
            "retract": self._retract,
            "contradiction": self._contradiction,
            "merge": self._merge,
        }
        if line["type"] in ("community", "report", "segment"):
            return
        if line["type"] not in writers:
            raise ModelError("TS008", "unknown type")
        writers[line["type"]](line)

    def _project(self, line: Line) -> None:
        self.default_source_roles = list(line.get("default_source_roles") or ["user"])

    def _predicate(self, line: Line) -> None:
        self.predicates[line["predicate"]] = line.get("cardinality") or "many"

    def _observation(self, line: Line) -> None:
        if any(known.key == line["key"] for known in self.observations):
            raise ModelError("TS008", "key taken")
        offset = line.get("log_offset")
        if offset is None:
            taken = [known.log_offset for known in self.observations] + self.erased
            offset = max(taken, default=0) + 1
        self.observations.append(
            Observation(
                key=line["key"],
                log_offset=offset,
                data_subject_id=line.get("data_subject_id"),
                retention_until=instant(line.get("retention_until")),
                formed=line.get("formed", True),
                parked=line.get("parked", False),
                messages=[Message(said["role"], said["content"]) for said in line["messages"]],
            )
        )

    def _observed(self, key: str) -> Observation:
        for observation in self.observations:
            if observation.key == key:
                return observation
        raise ModelError("TS008", "unknown observation")

    def _span(self, part: Line) -> Claim:
        observation = self._observed(part["observation"])
        ordinal = part.get("ordinal", 0)
        if not 0 <= ordinal < len(observation.messages):
            raise ModelError("TS008", "unknown ordinal")
        content = (observation.messages[ordinal].content or "").encode()
        quote = part["quote"].encode()
        start = part.get("byte_start")
        if start is None:
            if not quote or content.count(quote) != 1:
                raise ModelError("TS008", "the quote is not there exactly once")
            start = content.index(quote)
        if not quote or content[start : start + len(quote)] != quote:
            raise ModelError("TS008", "the span does not match the quote")
        return Claim(observation, ordinal, start, start + len(quote), part["quote"])

    def _claim(self, line: Line) -> None:
        claim = self._span(line)
        makers = [self._refer(reference) for reference in line.get("mentions") or []]
        for maker in makers:
            self.mentions.append(
                Mention(maker(claim.observation.key), claim.observation, claim.ordinal)
            )

    def _evidence(self, line: Line) -> tuple[list[Evidence], str, str | None]:
        """Read the evidence of a fact line with the role and subject that it gives."""
        stamp = instant(line.get("known_from")) or self.stamps(self.lines, line, "evidence")
        evidence = [
            Evidence(self._span(part), part.get("stance", "supports"), stamp)
            for part in line.get("evidence") or []
        ]
        supporting = [item.claim for item in evidence if item.stance == "supports"]
        if not supporting:
            raise ModelError("TS008", "no supporting evidence")
        roles = {claim.role for claim in supporting}
        subjects = {claim.observation.data_subject_id for claim in supporting}
        if len(roles) > 1 or len(subjects) > 1:
            raise ModelError("TS008", "evidence of several roles or subjects")
        role, subject = roles.pop(), subjects.pop()
        if line.get("source_role") not in (None, role):
            raise ModelError("TS008", "source_role is not that of the evidence")
        if line.get("data_subject_id") not in (None, subject):
            raise ModelError("TS008", "data_subject_id is not that of the evidence")
        return evidence, role, subject

    def _fact(self, line: Line) -> None:
        evidence, role, subject = self._evidence(line)
        reference = line["subject"]
        if isinstance(reference, str) and normalize_name(reference) in SPEAKER_WORDS:
            reference = {"speaker": subject}
        speaks = isinstance(reference, dict) and "speaker" in reference
        if speaks and (role != "user" or subject is None or reference["speaker"] != subject):
            raise ModelError("TS008", "only a subject's own word makes its speaker")
        make_subject = self._refer(reference)
        make_object = self._refer(line["object"]) if line.get("object") is not None else None
        valid_from = instant(line.get("valid_from")) or BEGINNING
        valid_until = instant(line.get("valid_until")) or FOREVER
        if valid_from >= valid_until:
            raise ModelError("TS008", "times out of order")
        predicate = line.get("predicate")
        cardinality = line.get("cardinality") or self.predicates.get(predicate or "", "many")

        entities, names = len(self.entities), len(self.names)
        source = evidence[0].claim.observation.key
        subject_end = make_subject(source)
        object_end = make_object(source) if make_object else None
        fact = Fact(
            key=line.get("key") or f"line {self.lines}",
            subject=subject_end,
            predicate=predicate,
            object=object_end,
            value=line.get("value"),
            statement=line["statement"],
            confidence=line.get("confidence"),
            source_role=role,
            data_subject_id=subject,
            cardinality=cardinality,
            valid_from=valid_from,
            valid_until=valid_until,
            versions=[],
            evidence=evidence,
            log_offset=min(
                item.claim.observation.log_offset for item in evidence if item.stance == "supports"
            ),
        )
        known = next((other for other in self.facts if same_content(other, fact)), None)
        if known is not None:
            self._repeat(known, fact, line)
        else:
            try:
                self._assert(fact, line)
            except ModelError:
                del self.entities[entities:], self.names[names:]
                raise
        kept = known or fact
        self.fact_keys[fact.key] = kept
        for item in evidence:
            if item.stance == "supports":
                for end in {kept.subject, kept.object} - {None}:
                    said = item.claim
                    self.mentions.append(
                        Mention(end, said.observation, said.ordinal)  # type: ignore[arg-type]
                    )

    def _repeat(self, known: Fact, again: Fact, line: Line) -> None:
        """Add the evidence of the same content; reopen it if it was retracted."""
        linked = {item.claim.place for item in known.evidence}
        fresh = [item for item in again.evidence if item.claim.place not in linked]
        known.evidence += fresh
        if fresh and known.open_version() is None:
            stamp = instant(line.get("known_from")) or self.stamps(self.lines, line, "evidence")
            source = again.evidence[0].claim.observation.key
            known.versions.append(
                Version(known.valid_from, known.valid_until, stamp, told_again=source)
            )

    def _assert(self, fact: Fact, line: Line) -> None:
        """Store a new fact by the rules of cardinality one and of contradiction."""
        stamp = instant(line.get("known_from")) or self.stamps(self.lines, line, "fact")
        own = Version(fact.valid_from, fact.valid_until, stamp)
        one = fact.cardinality == "one" and fact.predicate is not None
        in_group: list[Fact] = []
        if one:
            in_group = make_room(self.facts, fact, own, line.get("on_conflict") or "refuse", stamp)
        fact.versions.append(own)
        self.facts.append(fact)
        if one:
            in_group += [
                other
                for other, version in open_of(self.facts, fact)
                if overlap(version, own)
                and (other.source_role, other.data_subject_id)
                != (fact.source_role, fact.data_subject_id)
                and (other.object, other.value) != (fact.object, fact.value)
            ]
        if in_group:
            self.group([fact, *in_group])

    def group(self, facts: list[Fact]) -> None:
        """Put facts into one contradiction group, with all who share a group with them."""
        self.groups += 1
        old = {fact.group for fact in facts} - {None}
        for fact in self.facts:
            if fact.group in old or any(fact is other for other in facts):
                fact.group = self.groups

    def _named_fact(self, key: str) -> Fact:
        if key not in self.fact_keys:
            raise ModelError("TS008", "unknown fact")
        return self.fact_keys[key]

    def _version(self, line: Line) -> None:
        fact = self._named_fact(line["fact"])
        known_from = instant(line.get("known_from"))
        if known_from is None:
            raise ModelError("TS008", "a version says since when it is known")
        version = Version(
            instant(line.get("valid_from")) or BEGINNING,
            instant(line.get("valid_until")) or FOREVER,
            known_from,
            instant(line.get("known_until")) or FOREVER,
        )
        if version.valid_from >= version.valid_to or version.known_from >= version.known_to:
            raise ModelError("TS008", "times out of order")
        for other in fact.versions:
            if version.known_from < other.known_to and other.known_from < version.known_to:
                raise ModelError("TS008", "versions overlap in known time")
        fact.versions.append(version)

    def _retract(self, line: Line) -> None:
        fact = self._named_fact(line["fact"])
        version = fact.open_version()
        if version is None:
            raise ModelError("TS008", "retracted before")
        stamp = instant(line.get("at")) or self.stamps(self.lines, line, "retract")
        if stamp <= version.known_from:
            raise ModelError("TS008", "times out of order")
        version.known_to = stamp

    def _contradiction(self, line: Line) -> None:
        self.group([self._named_fact(key) for key in line["facts"]])

    def _merge(self, line: Line) -> None:
        ends = [self._refer(line[side]) for side in ("absorbed", "survivor")]
        before = len(self.entities)
        absorbed, survivor = (maker(None) for maker in ends)
        if len(self.entities) > before or absorbed == survivor:
            raise ModelError("TS008", "nothing to merge")
        if self.entity(absorbed).kind != "named" or self.entity(survivor).kind != "named":
            raise ModelError("TS008", "a speaker does not merge")
        moved = [fact for fact in self.facts if fact.subject == absorbed]
        stayed = [fact for fact in self.facts if fact.subject == survivor]
        self.entity(absorbed).status = "merged"
        for name in self.names:
            if name.entity == absorbed:
                name.entity, name.kind = survivor, "alias"
        for mention in self.mentions:
            if mention.entity == absorbed:
                mention.entity = survivor
        for fact in self.facts:
            if fact.subject == absorbed:
                fact.subject = survivor
            if fact.object == absorbed:
                fact.object = survivor
        for key, number in self.entity_keys.items():
            if number == absorbed:
                self.entity_keys[key] = survivor
        for one in moved:
            for other in stayed:
                if contradict_once_merged(one, other):
                    self.group([one, other])

    def erase(self, keys: Iterable[str]) -> None:
        """Erase observations with all that rests on them alone."""
        erase(self, set(keys))


def load(lines: Iterable[Line | str], stamps: Stamps | None = None) -> Memory:
    """Apply lines to an empty memory; raises ModelError at the first that is refused."""
    memory = Memory(stamps=stamps) if stamps else Memory()
    for line in lines:
        memory.apply(json.loads(line) if isinstance(line, str) else line)
    return memory
