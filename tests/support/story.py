"""Small memories told line by line, and what the model answers about them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.model.memory import Memory, load
from tests.model.recall import recall

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
MICROSECOND = timedelta(microseconds=1)


class Story:
    """Writes lines: every fact gets a message of its own that says its key."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def entity(self, name: str, **more: Any) -> None:
        self.lines.append({"type": "entity", "key": name, "name": name, **more})

    def said(self, key: str, *contents: str, role: str = "user", **more: Any) -> None:
        messages = [{"role": role, "content": content} for content in contents]
        self.lines.append(
            {"type": "observation", "key": key, "kind": "turn", "messages": messages, **more}
        )

    def fact(self, key: str, subject: Any, predicate: str | None, **more: Any) -> None:
        role = more.pop("role", "user")
        about = {
            name: more.pop(name) for name in ("data_subject_id", "retention_until") if name in more
        }
        if "evidence" not in more:
            self.said(f"t-{key}", key, role=role, **about)
            more["evidence"] = [{"observation": f"t-{key}", "ordinal": 0, "quote": key}]
        self.lines.append(
            {
                "type": "fact",
                "key": key,
                "subject": subject,
                "predicate": predicate,
                "statement": more.pop("statement", key),
                **more,
            }
        )

    def add(self, kind: str, **more: Any) -> None:
        self.lines.append({"type": kind, **more})

    def load(self) -> Memory:
        return load(self.lines)

    def ask(self, question: str, **controls: Any) -> dict[str, Any]:
        return recall(self.load(), question, now=controls.pop("now", NOW), **controls)


def keys(bundle: dict[str, Any]) -> list[str]:
    return [fact["statement"] for fact in bundle["facts"]]


def iso(moment: datetime) -> str:
    return moment.isoformat()
