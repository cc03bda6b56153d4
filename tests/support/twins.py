"""The asynchronous halves of the client are made from the blocking ones: one source for both.

`python -m tests.support.twins` writes them anew; a test fails when one is out of step.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.reference import ROOT

CLIENT = ROOT / "python" / "taisce_pg" / "client"
TWINS = (
    "asking",
    "answering",
    "recalling",
    "writing",
    "erasing",
    "inspecting",
    "assuring",
    "searching",
)
AWAITED = "_answer|_answers|_ask|_away|_drain|_list|_one|_read|_rows|_run|_vectors|_wait"
NOTE = "# Made from {name}.py by `python -m tests.support.twins`: change it there.\n"


def asynchronous(name: str, text: str) -> str:
    """Return the asynchronous twin of a module of blocking methods."""
    head, line, rest = text.partition("\n")
    assert "blocking" in head, head
    text = head.replace("blocking", "asynchronous") + line + NOTE.format(name=name) + rest
    text = re.sub(r"^class (\w+)", r"class Async\1", text, flags=re.M)
    text = re.sub(r"^    def ", "    async def ", text, flags=re.M)
    text = re.sub(r"\bAsking\b", "AsyncAsking", text).replace("client.asking", "client.aasking")
    return re.sub(rf"\bself\.({AWAITED})\(", r"await self.\1(", text)


def pairs() -> list[tuple[Path, str]]:
    """List each twin's file with what should stand in it."""
    return [
        (CLIENT / f"a{name}.py", asynchronous(name, (CLIENT / f"{name}.py").read_text("utf-8")))
        for name in TWINS
    ]


if __name__ == "__main__":
    for path, text in pairs():
        path.write_text(text, encoding="utf-8")
