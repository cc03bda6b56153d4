"""The same install as one plain SQL file, for a DBA to read and to run with psql."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from taisce_pg import __version__
from taisce_pg.install.facts import default_facts
from taisce_pg.install.plan import Step, checks, make_plan, opening
from taisce_pg.install.render import DEFAULT_PREFIX, render_all
from taisce_pg.install.scale import distributed, partitioned

_HEAD = """\
-- taisce-pg {version}: everything an install does, in one transaction.
-- Rendered for PostgreSQL {server_major}{folding}.
-- pgvector is in schema {vector_schema}, roles are named {prefix}_*.
-- Run it with: psql -v ON_ERROR_STOP=1 -1 -f install.sql

-- The file opens and closes its transaction itself; -1 does so too, and need not hear of it.
set client_min_messages = error;
begin;
"""
_RULE = "-- " + "-" * 93


def first_install(
    prefix: str = DEFAULT_PREFIX,
    facts: Mapping[str, Any] | None = None,
    root: Path | None = None,
    partitions: int | None = None,
) -> str:
    """Return the file for a database without a memory.

    `facts` are those of the server meant; default PostgreSQL 18 with its built-in C.UTF-8 and
    pgvector in public. `partitions` cuts the tables of project rows into as many, by hash of
    the project.
    """
    known = facts or default_facts()
    files = render_all(known, prefix, root)
    if partitions is not None:
        files = partitioned(files, partitions)
    plan = make_plan(files, {}, version=__version__, prefix=prefix)
    return script([opening(), checks(known, prefix, fresh=True), *plan.steps], known, prefix)


def distribution(prefix: str = DEFAULT_PREFIX, root: Path | None = None) -> str:
    """Return the file that spreads a memory, just installed, over a Citus cluster."""
    return distributed(render_all(default_facts(), prefix, root), f"{prefix}_owner")


def script(steps: Sequence[Step], facts: Mapping[str, Any], prefix: str) -> str:
    """Join the steps of an install into one file."""
    folding = "" if facts["fold_from"] else " or another server with the same lower()"
    parts = [_HEAD.format(version=__version__, prefix=prefix, folding=folding, **facts)]
    parts += [f"\n{_RULE}\n-- {step.title}\n\n{step.sql}" for step in steps]
    parts.append("\ncommit;\n")
    return "".join(parts)
