"""What hardening changes in this database: read from the catalogue, written as statements.

Every statement comes with the one that takes it back, and names only what is so at the moment:
what PUBLIC does not have is not revoked, what a role has already is not granted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql
from psycopg.rows import tuple_row

from taisce_pg.harden.names import KEPT_EXTENSIONS, RUN_TEXT, STABLE_BEGINNINGS
from taisce_pg.sandbox.catalogue import load_catalogue

TEMP_FILE_LIMIT = "64MB"
_BATCH = 50

_FUNCTIONS = """
select p.oid::regprocedure::text, p.proname, p.provolatile
from pg_catalog.pg_proc as p
where p.prokind <> 'p'
  and (
    p.pronamespace in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    and not exists (
        select from pg_catalog.pg_depend as d
        where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    and (p.provolatile = 'v' or p.provolatile = 's' and p.proname ~ %(stable)s)
    and (not p.proname = any (%(allowed)s) or p.oid::regprocedure::text = any (%(text)s))
    and p.prorettype not in (
        'trigger'::regtype, 'event_trigger'::regtype, 'language_handler'::regtype,
        'internal'::regtype, 'index_am_handler'::regtype, 'table_am_handler'::regtype,
        'fdw_handler'::regtype, 'tsm_handler'::regtype)
    and not 'internal'::regtype = any (p.proargtypes)
    and not 'cstring'::regtype = any (p.proargtypes)
    or exists (
        select from pg_catalog.pg_depend as d
        join pg_catalog.pg_extension as e on e.oid = d.refobjid
        where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
          and d.refclassid = 'pg_catalog.pg_extension'::regclass
          and not e.extname = any (%(kept)s))
  )
order by 1
"""
_ACLS = """
select p.oid::regprocedure::text, array_agg(a.grantee::bigint)
from pg_catalog.pg_proc as p,
    pg_catalog.aclexplode(coalesce(p.proacl, pg_catalog.acldefault('f', p.proowner))) as a
where p.oid = any (%s::regprocedure[]::oid[]) and a.privilege_type = 'EXECUTE'
group by 1
"""
_RELATIONS = """
select pg_catalog.format('%I.%I', n.nspname, c.relname), c.relname, a.privilege_type,
    array_agg(a.grantee::bigint)
from pg_catalog.pg_class as c
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
cross join pg_catalog.aclexplode(c.relacl) as a
where n.nspname in ('pg_catalog', 'information_schema')
group by 1, 2, 3
having 0 = any (array_agg(a.grantee::bigint))
order by 1, 3
"""
_COLUMNS = """
select pg_catalog.format('%I.%I', n.nspname, c.relname), t.privilege_type,
    pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' order by a.attnum)
from pg_catalog.pg_attribute as a
join pg_catalog.pg_class as c on c.oid = a.attrelid
join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
cross join pg_catalog.aclexplode(a.attacl) as t
where n.nspname in ('pg_catalog', 'information_schema') and t.grantee = 0
group by 1, 2
order by 1, 2
"""
_LANGUAGES = """
select pg_catalog.quote_ident(l.lanname)
from pg_catalog.pg_language as l,
    pg_catalog.aclexplode(coalesce(l.lanacl, pg_catalog.acldefault('l', l.lanowner))) as a
where l.lanpltrusted and a.grantee = 0 and a.privilege_type = 'USAGE'
order by 1
"""
_DATABASE = """
select a.privilege_type
from pg_catalog.pg_database as d,
    pg_catalog.aclexplode(coalesce(d.datacl, pg_catalog.acldefault('d', d.datdba))) as a
where d.datname = pg_catalog.current_database() and a.grantee = 0
  and a.privilege_type in ('TEMPORARY', 'CREATE')
order by 1
"""
_SCHEMAS = """
select pg_catalog.quote_ident(n.nspname)
from pg_catalog.pg_namespace as n,
    pg_catalog.aclexplode(coalesce(n.nspacl, pg_catalog.acldefault('n', n.nspowner))) as a
where a.grantee = 0 and a.privilege_type = 'CREATE'
order by 1
"""
_LOGINS = """
select pg_catalog.quote_ident(r.rolname), (
    select pg_catalog.split_part(c.setting, '=', 2)
    from pg_catalog.pg_db_role_setting as s, pg_catalog.unnest(s.setconfig) as c (setting)
    where s.setrole = r.oid and c.setting like 'temp_file_limit=%'
      and s.setdatabase = (
        select d.oid from pg_catalog.pg_database as d
        where d.datname = pg_catalog.current_database())
), exists (
    select from pg_catalog.pg_db_role_setting as s, pg_catalog.unnest(s.setconfig) as c (setting)
    where s.setrole = r.oid and s.setdatabase = 0 and c.setting like 'temp_file_limit=%'
)
from pg_catalog.pg_roles as r
where r.rolcanlogin and not r.rolsuper and taisce.is_analyst_only(r.rolname)
order by 1
"""
_BODIES = """
select pg_catalog.concat_ws(' ', p.prosrc, pg_catalog.pg_get_function_sqlbody(p.oid))
from pg_catalog.pg_proc as p
where p.pronamespace in ('taisce'::regnamespace, 'memory_v1'::regnamespace)
union all
select pg_catalog.pg_get_viewdef(c.oid)
from pg_catalog.pg_class as c
where c.relnamespace in ('taisce'::regnamespace, 'memory_v1'::regnamespace) and c.relkind = 'v'
union all
select pg_catalog.pg_get_expr(d.adbin, d.adrelid)
from pg_catalog.pg_attrdef as d
join pg_catalog.pg_class as c on c.oid = d.adrelid
where c.relnamespace in ('taisce'::regnamespace, 'memory_v1'::regnamespace)
"""


@dataclass(frozen=True)
class Change:
    """A statement and the one that takes it back."""

    did: str
    undo: str


@dataclass(frozen=True)
class Roles:
    """Whom to spare: the owner, and roles that keep what PUBLIC had; names as SQL writes them."""

    owner: str
    keep: tuple[str, ...]
    numbers: dict[str, int]


def plan_hardening(
    conn: psycopg.Connection[Any], prefix: str = "taisce", keep: Iterable[str] = ()
) -> list[Change]:
    """Return what is still to be done in this database; changes nothing.

    `keep` are roles besides readers, writers and administrators of the memory that keep what
    PUBLIC loses. Must be called by a superuser: others do not see all there is.
    """
    conn.execute("set local search_path = pg_catalog")
    with conn.cursor(row_factory=tuple_row) as cursor:
        roles = _roles(cursor, prefix, keep)
        words = set(re.findall(r"\w+", " ".join(str(row[0]) for row in cursor.execute(_BODIES))))
        return [
            *_functions(cursor, roles, words),
            *_relations(cursor, roles),
            *_others(cursor, roles),
            *_logins(cursor),
        ]


def _roles(cursor: Any, prefix: str, keep: Iterable[str]) -> Roles:
    names = [f"{prefix}_reader", f"{prefix}_writer", f"{prefix}_admin", *keep]
    found = {
        name: (quoted, number)
        for name, quoted, number in cursor.execute(
            "select r.rolname, pg_catalog.quote_ident(r.rolname), r.oid::bigint "
            "from pg_catalog.pg_roles as r where r.rolname = any (%s)",
            [[f"{prefix}_owner", *names]],
        )
    }
    for name in (f"{prefix}_owner", *names):
        if name not in found:
            from taisce_pg.problem import Problem

            raise Problem(f"there is no role {name}", "install first, or check --keep")
    kept = tuple(dict.fromkeys(found[name][0] for name in names))
    return Roles(found[f"{prefix}_owner"][0], kept, dict(found.values()))


def _functions(cursor: Any, roles: Roles, words: set[str]) -> Iterator[Change]:
    catalogue = load_catalogue()
    allowed = sorted(catalogue.functions | catalogue.value_keywords)
    found = cursor.execute(
        _FUNCTIONS,
        {
            "stable": f"^({'|'.join(STABLE_BEGINNINGS)})",
            "allowed": allowed,
            "text": list(RUN_TEXT),
            "kept": list(KEPT_EXTENSIONS),
        },
    ).fetchall()
    holders = dict(cursor.execute(_ACLS, [[signature for signature, _, _ in found]]).fetchall())
    owned = [
        signature for signature, name, volatility in found if volatility != "v" or name in words
    ]
    open_to_all = [signature for signature, _, _ in found if 0 in holders.get(signature, ())]
    for role in (*roles.keep, roles.owner):
        wanted = owned if role == roles.owner else open_to_all
        number = roles.numbers[role]
        lacking = [one for one in wanted if number not in holders.get(one, ())]
        # A function closed to PUBLIC by somebody else was closed to the owner too.
        lacking = [one for one in lacking if one in set(open_to_all) or role == roles.owner]
        yield from _batches("execute on function", lacking, role, grant=True)
    yield from _batches("execute on function", open_to_all, "public", grant=False)


def _relations(cursor: Any, roles: Roles) -> Iterator[Change]:
    by_right: dict[str, list[tuple[str, set[int]]]] = {}
    for relation, _, privilege, grantees in cursor.execute(_RELATIONS).fetchall():
        by_right.setdefault(privilege.lower(), []).append((relation, set(grantees)))
    for privilege, relations in by_right.items():
        for role in (*roles.keep, roles.owner):
            number = roles.numbers[role]
            lacking = [name for name, grantees in relations if number not in grantees]
            yield from _batches(f"{privilege} on table", lacking, role, grant=True)
        names = [name for name, _ in relations]
        yield from _batches(f"{privilege} on table", names, "public", grant=False)
    for relation, privilege, columns in cursor.execute(_COLUMNS).fetchall():
        right = f"{privilege.lower()} ({columns}) on table {relation}"
        keep = ", ".join((*roles.keep, roles.owner))
        yield Change(f"grant {right} to {keep}", f"revoke {right} from {keep}")
        yield Change(f"revoke {right} from public", f"grant {right} to public")


def _others(cursor: Any, roles: Roles) -> Iterator[Change]:
    keep = ", ".join((*roles.keep, roles.owner))
    database = cursor.execute(
        "select pg_catalog.quote_ident(pg_catalog.current_database())"
    ).fetchone()[0]
    rights = [f"{row[0].lower()} on database {database}" for row in cursor.execute(_DATABASE)]
    rights += [f"usage on language {row[0]}" for row in cursor.execute(_LANGUAGES)]
    for right in rights:
        yield Change(f"grant {right} to {keep}", f"revoke {right} from {keep}")
        yield Change(f"revoke {right} from public", f"grant {right} to public")
    for (schema,) in cursor.execute(_SCHEMAS).fetchall():
        right = f"create on schema {schema}"
        yield Change(f"revoke {right} from public", f"grant {right} to public")


def _logins(cursor: Any) -> Iterator[Change]:
    database = cursor.execute(
        "select pg_catalog.quote_ident(pg_catalog.current_database())"
    ).fetchone()[0]
    for login, here, everywhere in cursor.execute(_LOGINS).fetchall():
        if here is None and not everywhere:
            role = f"alter role {login} in database {database}"
            limit = sql.Literal(TEMP_FILE_LIMIT).as_string()
            yield Change(f"{role} set temp_file_limit = {limit}", f"{role} reset temp_file_limit")


def _batches(right: str, objects: list[str], role: str, *, grant: bool) -> Iterator[Change]:
    for start in range(0, len(objects), _BATCH):
        what = f"{right} {', '.join(objects[start : start + _BATCH])}"
        given, taken = f"grant {what} to {role}", f"revoke {what} from {role}"
        yield Change(given, taken) if grant else Change(taken, given)
