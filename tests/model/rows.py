"""The rows of a memory, one dataclass a kind."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

BEGINNING = datetime.min.replace(tzinfo=UTC)
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
FOREVER = datetime.max.replace(tzinfo=UTC)
ROLES = ("user", "assistant", "system", "tool", "document")

Line = dict[str, Any]


class ModelError(Exception):
    """A refusal; `code` is its SQLSTATE."""

    def __init__(self, code: str, why: str = "") -> None:
        super().__init__(f"{code} {why}")
        self.code = code


@dataclass
class Message:
    role: str
    content: str | None


@dataclass
class Observation:
    key: str
    log_offset: int
    data_subject_id: str | None
    retention_until: datetime | None
    formed: bool
    parked: bool
    messages: list[Message]


@dataclass
class Claim:
    observation: Observation
    ordinal: int
    byte_start: int
    byte_end: int
    quote: str

    @property
    def role(self) -> str:
        return self.observation.messages[self.ordinal].role

    @property
    def place(self) -> tuple[int, int, int, int]:
        return (self.observation.log_offset, self.ordinal, self.byte_start, self.byte_end)


@dataclass
class Entity:
    number: int
    kind: str
    name: str
    entity_type: str | None = None
    speaker_of: str | None = None
    status: str = "active"
    first_name: str = ""

    def __post_init__(self) -> None:
        self.first_name = self.name


@dataclass
class Name:
    normalized: str
    entity: int
    kind: str
    source: str | None = None
    spelling: str = ""


@dataclass
class Mention:
    entity: int
    observation: Observation
    ordinal: int = 0


@dataclass
class Version:
    valid_from: datetime
    valid_to: datetime
    known_from: datetime
    known_to: datetime = FOREVER
    replaced: bool = False
    cut_by: str | None = None
    told_again: str | None = None
    """Keys of the fact that replaced it and of the observation that reopened it."""


@dataclass
class Evidence:
    claim: Claim
    stance: str
    linked_at: datetime


@dataclass
class Fact:
    key: str
    subject: int
    predicate: str | None
    object: int | None
    value: str | None
    statement: str
    confidence: float | None
    source_role: str
    data_subject_id: str | None
    cardinality: str
    valid_from: datetime
    valid_until: datetime
    versions: list[Version]
    evidence: list[Evidence]
    log_offset: int
    group: int | None = None
    support: str = "current"
    superseded_by: str | None = None

    @property
    def kind(self) -> str:
        return "attribute" if self.object is None else "relation"

    @property
    def retention_until(self) -> datetime | None:
        """The latest of its evidence; none if any has none."""
        ends = [item.claim.observation.retention_until for item in self.evidence]
        known = [end for end in ends if end is not None]
        return max(known) if len(known) == len(ends) else None

    def open_version(self) -> Version | None:
        for version in self.versions:
            if version.known_to == FOREVER:
                return version
        return None


Stamps = Callable[[int, Line, str], datetime]


def counting_stamps(start: datetime) -> Stamps:
    """Give every line its own stamp: `start` and as many seconds as its number."""
    return lambda number, line, what: start + timedelta(seconds=number)


def instant(value: Any) -> datetime | None:
    """Read an instant of a line."""
    if value is None or isinstance(value, datetime):
        return value
    read = datetime.fromisoformat(value)
    if read.tzinfo is None:
        raise ModelError("TS008", "a time without zone")
    return read


def overlap(one: Version, other: Version) -> bool:
    """Say whether two versions hold at some instant together."""
    return one.valid_from < other.valid_to and other.valid_from < one.valid_to


def same_content(one: Fact, other: Fact) -> bool:
    """Say whether two facts are one by what they say."""
    return (
        (one.subject, one.predicate, one.object, one.value, one.statement)
        == (other.subject, other.predicate, other.object, other.value, other.statement)
        and (one.source_role, one.data_subject_id) == (other.source_role, other.data_subject_id)
        and (one.valid_from, one.valid_until) == (other.valid_from, other.valid_until)
    )
