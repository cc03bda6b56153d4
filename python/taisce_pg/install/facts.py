"""What differs from server to server and therefore enters the rendered text."""

from __future__ import annotations

import re
from typing import Any

import psycopg

from taisce_pg.names import folding

DEFAULT_VECTOR_SCHEMA = "public"


def default_facts() -> dict[str, Any]:
    """Return the facts of PostgreSQL 18, its built-in C.UTF-8 and pgvector 0.8 in public."""
    return {
        "vector_schema": DEFAULT_VECTOR_SCHEMA,
        "has_halfvec": True,
        "has_iterative_scan": True,
        "server_major": 18,
        "fold_from": "",
        "fold_to": "",
    }


def server_facts(conn: psycopg.Connection[Any]) -> dict[str, Any]:
    """Ask the server for its major version, its lower(), and what its pgvector can do.

    `vector_schema` is a quoted identifier, "public" as long as there is no pgvector; what it can
    do is then taken from the version that would be created.
    `fold_from` and `fold_to` are the letters, and what they become, that have to be translated
    before lower() of this database gives what the package's table says.
    """
    row = conn.execute(
        "select pg_catalog.quote_ident(n.nspname) from pg_catalog.pg_extension as e"
        " join pg_catalog.pg_namespace as n on n.oid = e.extnamespace where e.extname = 'vector'"
    ).fetchone()
    version = conn.execute(
        "select coalesce("
        " (select e.extversion from pg_catalog.pg_extension as e where e.extname = 'vector'),"
        " (select a.default_version from pg_catalog.pg_available_extensions as a"
        "  where a.name = 'vector'), '0')"
    ).fetchone()
    pgvector = [int(part) for part in re.findall(r"\d+", version[0])[:2]] if version else [0]
    lowered = dict(conn.execute(folding.ask_query().encode()).fetchall())
    fold_from, fold_to = folding.difference(lowered)
    return {
        "vector_schema": row[0] if row else DEFAULT_VECTOR_SCHEMA,
        "has_halfvec": pgvector >= [0, 7],
        "has_iterative_scan": pgvector >= [0, 8],
        "server_major": conn.info.server_version // 10000,
        "fold_from": fold_from,
        "fold_to": fold_to,
    }
