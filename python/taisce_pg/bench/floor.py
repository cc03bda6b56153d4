"""The yardstick that cannot be beaten: the rows of an answer by primary key, as the same jsonb."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import psycopg

from taisce_pg.bench.probe import plain

_PLANNER = ("seqscan", "bitmapscan", "hashjoin", "mergejoin")


def prepare(conn: psycopg.Connection[Any]) -> psycopg.Connection[Any]:
    """Let a session read by key, whatever the planner would think of it."""
    plain(conn)
    for name in _PLANNER:
        conn.execute(f"set enable_{name} = off".encode())
    conn.execute("set jit = off")
    conn.execute("set plan_cache_mode = force_generic_plan")
    return conn


def fetch(project_id: int, facts: list[dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    """Return the query for the facts of a bundle with one evidence each, and its values."""
    text = files("taisce_pg.bench").joinpath("sql/floor.sql").read_text()
    evidence = [fact["evidence"][0] for fact in facts]
    values: dict[str, Any] = {
        name: [fact[name] for fact in facts]
        for name in ("fact_id", "known_from", "evidence_total", "anchored_on", "hops")
    }
    for name in ("path", "via", "co_derived_with", "contradicts"):
        values[name] = [json.dumps(fact[name]) for fact in facts]
    values["claim_id"] = [item["claim_id"] for item in evidence]
    values["context_start"] = [item["context_start"] for item in evidence]
    values["context_bytes"] = [len(item["context"].encode()) for item in evidence]
    values["project_id"] = project_id
    return text, values
