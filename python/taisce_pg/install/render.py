"""Turn the files of the package into the text that runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import jinja2

from taisce_pg.install.declared import Declared, declared
from taisce_pg.install.files import Kind, Source, digest, discover
from taisce_pg.problem import Problem
from taisce_pg.resources import db_root

DEFAULT_PREFIX = "taisce"

_ROLE = re.compile(r"\btaisce_(owner|reader|writer|analyst|admin)\b")
# Functions that run as the owner are parsed under the settings of whoever calls them first.
_GUARD = "\nset row_security = on\n"
_SETTINGS = "set standard_conforming_strings = on\n"
_PREFIX = re.compile(r"[a-z_][a-z0-9_]{0,39}")


@dataclass(frozen=True)
class Rendered:
    """One file ready to run.

    `checksum` is that of the unrendered text for a migration (which must stay as released)
    and of the rendered text otherwise (which changes with the server too).
    """

    path: str
    kind: Kind
    text: str
    checksum: str

    @cached_property
    def declared(self) -> Declared:
        """Return what the text creates and alters."""
        return declared(self.text)


def render_all(
    facts: Mapping[str, Any], prefix: str = DEFAULT_PREFIX, root: Path | None = None
) -> list[Rendered]:
    """Render every file below `root` (default: the package's own), in install order.

    `facts` is what templates may use. Raises Problem for an unusable prefix or a template
    that asks for something unknown.
    """
    check_prefix(prefix)
    return render(discover(root or db_root()), facts, prefix)


def render(sources: Iterable[Source], facts: Mapping[str, Any], prefix: str) -> list[Rendered]:
    """Render the given files, keeping their order."""
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return [_one(environment, source, facts, prefix) for source in sources]


def check_prefix(prefix: str) -> None:
    """Raise Problem unless the prefix makes role names that need no quoting."""
    if not _PREFIX.fullmatch(prefix) or prefix.startswith("pg_"):
        raise Problem(
            f"{prefix!r} cannot be a prefix of role names",
            "use up to 40 lower-case letters, digits and _, beginning with a letter",
            exit_code=2,
        )


def with_prefix(text: str, prefix: str) -> str:
    """Replace the default role names in a text by those of another prefix."""
    return text if prefix == DEFAULT_PREFIX else _ROLE.sub(rf"{prefix}_\1", text)


def _one(
    environment: jinja2.Environment, source: Source, facts: Mapping[str, Any], prefix: str
) -> Rendered:
    text = source.text
    if source.template:
        try:
            text = environment.from_string(text).render(**facts)
        except jinja2.TemplateError as exc:
            raise Problem(f"{source.path} cannot be rendered: {exc}") from exc
    text = with_prefix(text, prefix)
    if source.kind == "function":
        text = text.replace(_GUARD, _GUARD + _SETTINGS)
    if not text.endswith("\n"):
        text += "\n"
    checksum = source.checksum if source.kind == "migration" else digest(text)
    return Rendered(source.path, source.kind, text, checksum)
