"""The compact records of the demo, read from the files beside this module."""

from __future__ import annotations

import gzip
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
_DATA = _HERE / "data"


@cache
def meta() -> dict[str, Any]:
    """Return where the records come from: origin, commit, date, licence and counts."""
    read: dict[str, Any] = json.loads((_DATA / "meta.json").read_text(encoding="utf-8"))
    return read


def rows(name: str) -> list[dict[str, Any]]:
    """Return the records of one kind: people, committees or notes."""
    with gzip.open(_DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@cache
def version() -> str:
    """Return twelve hex digits that change when the records or their wording change."""
    digest = hashlib.sha256()
    for path in [*sorted(_DATA.glob("*.gz")), _DATA / "meta.json", *sorted(_HERE.glob("*.py"))]:
        if path.name not in ("convert.py", "questions.py", "run.py"):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]
