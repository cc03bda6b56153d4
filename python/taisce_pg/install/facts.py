"""What differs from server to server and therefore enters the rendered text."""

from __future__ import annotations

from typing import Any

import psycopg

from taisce_pg.names import folding

DEFAULT_VECTOR_SCHEMA = "public"


def default_facts() -> dict[str, Any]:
    """Return the facts of PostgreSQL 18 with its built-in C.UTF-8 and pgvector in public."""
    return {
        "vector_schema": DEFAULT_VECTOR_SCHEMA,
        "server_major": 18,
        "fold_from": "",
        "fold_to": "",
    }


def server_facts(conn: psycopg.Connection[Any]) -> dict[str, Any]:
    """Ask the server for the schema of pgvector, its major version and its lower().

    `vector_schema` is a quoted identifier, "public" as long as there is no pgvector.
    `fold_from` and `fold_to` are the letters, and what they become, that have to be translated
    before lower() of this database gives what the package's table says.
    """
    row = conn.execute(
        "select pg_catalog.quote_ident(n.nspname) from pg_catalog.pg_extension as e"
        " join pg_catalog.pg_namespace as n on n.oid = e.extnamespace where e.extname = 'vector'"
    ).fetchone()
    lowered = dict(conn.execute(folding.ask_query().encode()).fetchall())
    fold_from, fold_to = folding.difference(lowered)
    return {
        "vector_schema": row[0] if row else DEFAULT_VECTOR_SCHEMA,
        "server_major": conn.info.server_version // 10000,
        "fold_from": fold_from,
        "fold_to": fold_to,
    }
