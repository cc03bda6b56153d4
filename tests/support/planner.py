"""The planner's statistics kept, and put back as they were: fresh, stale or none at all.

Without any, no page counts as visible to all either, as in tables that were written just now: then
an index that holds all columns looks no better than another.
"""

from __future__ import annotations

from typing import Any

import psycopg

STATES = ("fresh", "stale", "none")
_OURS = """
    select c.oid from pg_class as c
    where c.relnamespace = 'taisce'::regnamespace and c.relkind in ('r', 'i', 'p', 'I')
"""
# What no ANALYZE makes, none has made: how few projects a partition holds, as it was installed.
_ANALYZED = f"""
    starelid in ({_OURS}) and not exists (
        select from pg_attribute as a
        where a.attrelid = starelid and a.attnum = staattnum and a.attstattarget = 0
    )
"""


def save(conn: psycopg.Connection[Any], state: str) -> None:
    """Keep the statistics of all tables as they are now under a name, in schema public.

    From then on only who is told to analyzes them. Of a partitioned table those of its partitions
    are kept: autovacuum makes no others.
    """
    for (name,) in conn.execute(
        "select oid::regclass::text from pg_class"
        " where relnamespace = 'taisce'::regnamespace and relkind = 'r'"
    ).fetchall():
        conn.execute(f"alter table {name} set (autovacuum_enabled = off)".encode())
    # A copy of pg_statistic holds columns of type anyarray.
    conn.execute("set allow_system_table_mods = on")
    conn.execute(
        f"""
        create table public.{state}_statistic as
        select * from pg_statistic where {_ANALYZED} and not stainherit;
        create table public.{state}_class as
        select oid, relpages, reltuples, relallvisible from pg_class where oid in ({_OURS})
        """.encode()
    )


def put_back(conn: psycopg.Connection[Any], state: str) -> None:
    """Make the statistics what they were when saved; for none, as if nothing was ever analyzed."""
    conn.execute("set allow_system_table_mods = on")
    with conn.transaction():
        conn.execute(f"delete from pg_statistic where {_ANALYZED}".encode())
        if state == "none":
            conn.execute(
                f"update pg_class set relpages = 0, reltuples = -1, relallvisible = 0"
                f" where oid in ({_OURS})".encode()
            )
            return
        # Indexes that have been built anew since are others now.
        conn.execute(
            f"insert into pg_statistic select * from public.{state}_statistic"
            f" where {_ANALYZED}".encode()
        )
        conn.execute(
            f"""
            update pg_class as c
            set relpages = s.relpages, reltuples = s.reltuples, relallvisible = s.relallvisible
            from public.{state}_class as s where s.oid = c.oid
            """.encode()
        )


def scans(conn: psycopg.Connection[Any], tables: tuple[str, ...]) -> dict[str, int]:
    """Count the scans from end to end of these tables in the transaction so far."""
    rows = conn.execute(
        """
        select regexp_replace(c.relname, '_\\d+$', ''), sum(pg_stat_get_xact_numscans(c.oid))::int
        from pg_class as c
        where c.relnamespace = 'taisce'::regnamespace and c.relkind = 'r'
          and regexp_replace(c.relname, '_\\d+$', '') = any (%s)
        group by 1
        """,
        [list(tables)],
    ).fetchall()
    return {str(name): int(count) for name, count in rows}
