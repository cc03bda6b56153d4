"""Embedders: what turns texts into vectors. The database itself never calls one.

>>> from taisce_pg.embed import open_embedder
>>> embedder = open_embedder("local")  # doctest: +SKIP
>>> len(embedder.embed(["Marta works for Acme."])[0])  # doctest: +SKIP
384
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from taisce_pg.embed.choose import Choice as Choice
    from taisce_pg.embed.choose import open_embedder as open_embedder
    from taisce_pg.embed.http import HttpEmbedder as HttpEmbedder
    from taisce_pg.embed.port import Embedder as Embedder
    from taisce_pg.embed.port import EmbedderFailed as EmbedderFailed
    from taisce_pg.embed.port import Vector as Vector

_LAZY = {
    "Choice": "taisce_pg.embed.choose",
    "Embedder": "taisce_pg.embed.port",
    "EmbedderFailed": "taisce_pg.embed.port",
    "HttpEmbedder": "taisce_pg.embed.http",
    "Vector": "taisce_pg.embed.port",
    "open_embedder": "taisce_pg.embed.choose",
}

__all__ = [
    "Choice",
    "Embedder",
    "EmbedderFailed",
    "HttpEmbedder",
    "Vector",
    "open_embedder",
]


def __getattr__(name: str) -> Any:
    """Import a name when it is first used: the HTTP client alone takes longer than a question."""
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
