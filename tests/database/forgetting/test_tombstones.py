"""Of an erased observation its place in the order is left, and nothing else."""

from __future__ import annotations

from typing import Any

import psycopg

from taisce_pg.load.apply import load_lines
from tests.support.memories import turn

Connection = psycopg.Connection[Any]

LEFT = {
    "kind": "turn", "source_role": "user", "data_subject_id": None, "occurred_at": None,
    "lineage": "", "source_kind": None, "source_ref": None, "title": None,
    "idempotency_key": None, "content_digest": None, "message_count": 0, "characters": 0,
    "retention_until": "infinity", "formed_at": None, "parked_at": None, "parked_reason": None,
    "released_at": None, "erased": True,
}  # fmt: skip


def test_every_column_of_it_is_emptied(conn: Connection) -> None:
    load_lines(
        conn,
        "p",
        [
            turn("t", "Nothing of use.", kind="document", title="title", source_ref="ref",
                 source_kind="chat", lineage="lineage", parked="a reason",
                 retention_until="2090-01-01T00:00:00Z"),
        ],
    )  # fmt: skip
    conn.execute(
        "update taisce.observation set source_role = 'document', content_digest = '\\x01',"
        " released_at = now(), formed_at = now(), ingested_at = '2020-01-01Z'"
    )
    columns = "select to_jsonb(o) from taisce.observation as o"
    [(before,)] = conn.execute(columns).fetchall()
    # Of each column another value, so that one which is left shows.
    assert {name for name in LEFT if before[name] == LEFT[name]} == set()
    assert conn.execute("select parked from taisce.project_clock").fetchall() == [(1,)]
    conn.execute(
        "select memory_v1.erase_observations(array[observation_id], project => 'p')"
        " from taisce.observation"
    )
    [(after,)] = conn.execute(columns).fetchall()
    assert {name: after[name] for name in LEFT} == LEFT
    assert set(after) - set(LEFT) == {"project_id", "observation_id", "log_offset", "ingested_at"}
    assert [after[n] for n in ("project_id", "observation_id", "log_offset")] == [
        before[n] for n in ("project_id", "observation_id", "log_offset")
    ]
    assert after["ingested_at"] > "2026", "when it was told is not said either"
    assert conn.execute("select parked from taisce.project_clock").fetchall() == [(0,)]
