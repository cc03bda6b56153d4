"""Everything that schema memory_v1 promises, read from the catalogue."""

from __future__ import annotations

from typing import Any

import psycopg

FUNCTIONS = """
    select
        p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',
        pg_get_function_arguments(p.oid),
        pg_get_function_result(p.oid),
        obj_description(p.oid, 'pg_proc')
    from pg_proc as p
    where p.pronamespace = 'memory_v1'::regnamespace
    order by 1
"""
VIEWS = """
    select c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
        obj_description(c.oid, 'pg_class'), col_description(c.oid, a.attnum)
    from pg_class as c
    join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'memory_v1'::regnamespace and c.relkind = 'v'
    order by c.relname, a.attnum
"""
TYPES = """
    select t.typname, a.attname, format_type(a.atttypid, a.atttypmod),
        obj_description(t.oid, 'pg_type')
    from pg_type as t
    join pg_class as c on c.oid = t.typrelid and c.relkind = 'c'
    join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where t.typnamespace = 'memory_v1'::regnamespace
    order by t.typname, a.attnum
"""


def read_promises(conn: psycopg.Connection[Any]) -> dict[str, Any]:
    """Return functions with signature, result and comment, views and row types with columns."""
    with conn.transaction():
        conn.execute("set local search_path = pg_catalog")
        functions = conn.execute(FUNCTIONS).fetchall()
        views: dict[str, Any] = {}
        for view, column, kind, about, comment in conn.execute(VIEWS):
            entry = views.setdefault(view, {"comment": about, "columns": []})
            entry["columns"].append([column, kind, comment])
        types: dict[str, Any] = {}
        for name, column, kind, about in conn.execute(TYPES):
            entry = types.setdefault(name, {"comment": about, "columns": []})
            entry["columns"].append([column, kind])
    return {
        "functions": {
            name: {"arguments": arguments, "returns": result, "comment": comment}
            for name, arguments, result, comment in functions
        },
        "views": views,
        "types": types,
    }


def broken(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Say what a caller of `before` would miss in `now`; an empty list if nothing."""
    said = []
    for name, entry in before["functions"].items():
        found = now["functions"].get(name)
        if found is None:
            said.append(f"function {name} is gone")
        elif (found["arguments"], found["returns"]) != (entry["arguments"], entry["returns"]):
            said.append(f"function {name} has other arguments, defaults or result")
    for kind in ("views", "types"):
        for name, entry in before[kind].items():
            found = now[kind].get(name, {"columns": []})
            old = [column[:2] for column in entry["columns"]]
            new = [column[:2] for column in found["columns"]]
            if new[: len(old)] != old:
                said.append(f"{kind[:-1]} {name} lost or changed a column")
    return said
