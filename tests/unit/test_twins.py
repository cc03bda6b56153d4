"""The two halves of the client are one source."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.twins import asynchronous, pairs


@pytest.mark.parametrize(("path", "text"), pairs(), ids=lambda one: getattr(one, "name", ""))
def test_an_asynchronous_twin_is_in_step(path: Path, text: str) -> None:
    assert path.read_text("utf-8") == text, "run: python -m tests.support.twins"


def test_methods_wait_and_calls_are_awaited() -> None:
    made = asynchronous(
        "one",
        '"""The blocking one."""\n\nclass One:\n    def ask(self) -> int:\n'
        "        return self._ask(1)\n",
    )
    assert made.startswith('"""The asynchronous one."""\n# Made from one.py')
    assert "class AsyncOne:\n    async def ask(self) -> int:\n" in made
    assert made.endswith("        return await self._ask(1)\n")
