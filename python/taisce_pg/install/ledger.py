"""The installer's book: which text of which file is in the database."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import psycopg

from taisce_pg.install.render import Rendered

Installed = dict[str, dict[tuple[str, ...], int]]
"""By name: the types of arguments, and how many of the last ones may be left out."""
"""Names of functions in the database, each with the argument types of its overloads."""


_OWNER = """
select mode() within group (order by pg_catalog.pg_get_userbyid(o.owner)::text)
from (
    select c.relowner as owner
    from pg_catalog.pg_class as c
    where c.relnamespace = pg_catalog.to_regnamespace('taisce')
    union all
    select p.proowner
    from pg_catalog.pg_proc as p
    where p.pronamespace = pg_catalog.to_regnamespace('taisce')
) as o
where pg_catalog.to_regclass('taisce.ledger') is not null
"""


@dataclass(frozen=True)
class LedgerRow:
    """One applied file; `checksum` as in Rendered."""

    path: str
    kind: str
    checksum: str
    package_version: str = ""
    applied_at: datetime | None = None


def installed_prefix(conn: psycopg.Connection[Any]) -> str | None:
    """Return the role prefix of the memory in this database, None if there is no memory.

    The owner of most of it tells, so no right on the ledger is needed, and a few objects that
    were given to somebody else lead nobody astray.
    """
    row = conn.execute(_OWNER).fetchone()
    return str(row[0]).removesuffix("_owner") if row and row[0] else None


def read_ledger(conn: psycopg.Connection[Any]) -> dict[str, LedgerRow]:
    """Return the ledger by path."""
    rows = conn.execute(
        "select path, kind, checksum, package_version, applied_at from taisce.ledger"
    )
    return {row[0]: LedgerRow(*row) for row in rows}


def recorded_major(conn: psycopg.Connection[Any]) -> int | None:
    """Return the oldest major version of a server that hashes of objects were taken on."""
    row = conn.execute("select min(server_major) from taisce.ledger_object").fetchone()
    return row[0] if row else None


def installed_functions(
    conn: psycopg.Connection[Any], files: Iterable[Rendered]
) -> tuple[Installed, dict[str, str]]:
    """Return the functions there are, and how the server spells the types that `files` use.

    Types the server does not know yet are left out of the second result.
    """
    installed: Installed = {}
    rows = conn.execute(
        "select n.nspname || '.' || p.proname,"
        " array(select t::regtype::text from unnest(p.proargtypes) with ordinality as a (t, i)"
        " order by a.i), p.pronargdefaults"
        " from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace"
        " where n.nspname in ('taisce', 'memory_v1')"
    )
    for name, arguments, defaults in rows:
        installed.setdefault(name, {})[tuple(arguments)] = defaults
    wanted = sorted(
        {
            word
            for file in files
            for function in file.declared.functions
            for word in function.arguments
        }
    )
    spelled = conn.execute(
        "select w.name, to_regtype(w.name)::text from unnest(%s::text[]) as w (name)"
        " where to_regtype(w.name) is not null",
        [wanted],
    ).fetchall()
    return installed, dict(spelled)


def entries(files: Sequence[Rendered], version: str, prefix: str) -> str:
    """Return the statements that enter `files` into the ledger."""
    return "".join(_entry(file, version, prefix) for file in files)


def removal(paths: Sequence[str]) -> str:
    """Return the statement that takes files out of the ledger which the package no longer has."""
    listed = ", ".join(literal(path) for path in paths)
    return f"delete from taisce.ledger where path in ({listed});\n"


def record(files: Sequence[Rendered], applied: Iterable[str]) -> str:
    """Return the statement that writes down how the objects look after this install."""
    done = set(applied)
    declared = [
        {
            "path": file.path,
            "applied": file.path in done,
            "functions": [function.signature for function in file.declared.functions],
            "views": list(file.declared.views),
        }
        for file in files
        if file.declared.functions or file.declared.views
    ]
    lines = ",\n".join(f"  {json.dumps(entry, ensure_ascii=False)}" for entry in declared)
    return f"select taisce.record_objects({literal(f'[{chr(10)}{lines}{chr(10)}]')});\n"


def literal(text: str) -> str:
    """Quote a text as an SQL string constant."""
    return "'" + text.replace("'", "''") + "'"


def dollar_quoted(text: str) -> str:
    """Quote a long text so that it stays readable."""
    number, tag = 0, "$body$"
    while tag in text:
        number += 1
        tag = f"$body{number}$"
    return f"{tag}{text}{tag}"


def _entry(file: Rendered, version: str, prefix: str) -> str:
    values = ", ".join(
        (
            literal(file.path),
            literal(file.kind),
            literal(file.checksum),
            literal(version),
            literal(prefix),
        )
    )
    return (
        "insert into taisce.ledger (path, kind, checksum, package_version, prefix, body)\n"
        f"values ({values}, {dollar_quoted(file.text)})\n"
        "on conflict (path) do update set checksum = excluded.checksum, body = excluded.body,\n"
        "    package_version = excluded.package_version, applied_at = now();\n"
    )
