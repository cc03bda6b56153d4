"""The read path of an AI agent's memory, inside PostgreSQL.

>>> from taisce_pg import connect
>>> with connect() as memory:  # doctest: +SKIP
...     bundle = memory.recall("Where does Marta work?", project="demo")
"""

from __future__ import annotations

import importlib
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from taisce_pg.client.aio import AsyncMemory as AsyncMemory
    from taisce_pg.client.aio import aconnect as aconnect
    from taisce_pg.client.memory import Memory as Memory
    from taisce_pg.client.memory import connect as connect
    from taisce_pg.client.models import Bundle as Bundle
    from taisce_pg.client.scopes import At as At
    from taisce_pg.client.scopes import Current as Current
    from taisce_pg.client.scopes import History as History
    from taisce_pg.client.scopes import Overlap as Overlap
    from taisce_pg.errors import TaisceError as TaisceError
    from taisce_pg.schemas import schema as schema

__version__ = version("taisce-pg")

_LAZY = {
    "AsyncMemory": "taisce_pg.client.aio",
    "At": "taisce_pg.client.scopes",
    "Bundle": "taisce_pg.client.models",
    "Current": "taisce_pg.client.scopes",
    "History": "taisce_pg.client.scopes",
    "Memory": "taisce_pg.client.memory",
    "Overlap": "taisce_pg.client.scopes",
    "TaisceError": "taisce_pg.errors",
    "aconnect": "taisce_pg.client.aio",
    "connect": "taisce_pg.client.memory",
    "schema": "taisce_pg.schemas",
}

__all__ = [
    "AsyncMemory",
    "At",
    "Bundle",
    "Current",
    "History",
    "Memory",
    "Overlap",
    "TaisceError",
    "__version__",
    "aconnect",
    "connect",
    "schema",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that the command line starts fast."""
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
