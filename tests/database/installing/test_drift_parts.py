"""Changes by hand of what hardly shows: how columns, keys and policies are kept."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from taisce_pg.install.drift import find_drift
from taisce_pg.install.facts import server_facts
from taisce_pg.install.render import render_all
from taisce_pg.install.run import become_owner_of

Connection = psycopg.Connection[Any]

RESTRICTED = """
do $$
declare
    v_roles text;
    v_rule text;
begin
    select pg_get_expr(p.polqual, p.polrelid), (
        select string_agg(case u.id when 0 then 'public' else pg_get_userbyid(u.id)::text end, ', ')
        from unnest(p.polroles) as u (id)
    )
    into v_rule, v_roles
    from pg_policy as p
    where p.polrelid = 'taisce.audit_entry'::regclass and p.polname = 'readable';
    drop policy readable on taisce.audit_entry;
    execute format('create policy readable on taisce.audit_entry as restrictive for select to %s '
        'using (%s)', v_roles, v_rule);
end $$
"""
CHANGES = [
    ("alter table taisce.claim alter column quote set storage external", "column",
     "quote on taisce.claim"),
    ("alter table taisce.claim alter column quote set compression pglz", "column",
     "quote on taisce.claim"),
    ("alter table taisce.claim alter column quote set (n_distinct = 5)", "column",
     "quote on taisce.claim"),
    ("alter table taisce.claim alter column quote set statistics 7", "column",
     "quote on taisce.claim"),
    ('alter table taisce.feedback alter column note type text collate "C"', "column",
     "note on taisce.feedback"),
    ("alter table taisce.feedback alter column note set default 'x'", "column",
     "note on taisce.feedback"),
    ("alter table taisce.feedback alter column note set not null", "column",
     "note on taisce.feedback"),
    ("alter index taisce.claim_pkey set (fillfactor = 50)", "constraint",
     "claim_pkey on taisce.claim"),
    ("alter index taisce.feedback_fact set (fillfactor = 50)", "index",
     "feedback_fact on taisce.feedback"),
    ("alter table taisce.project_grant disable trigger all", "constraint",
     "project_grant_project_id_fkey on taisce.project_grant"),
    ("alter table taisce.entity disable trigger source_followed", "trigger",
     "source_followed on taisce.entity"),
    ("alter table taisce.entity enable always trigger source_followed", "trigger",
     "source_followed on taisce.entity"),
    ("alter table taisce.entity enable replica trigger source_followed", "trigger",
     "source_followed on taisce.entity"),
    (RESTRICTED, "policy", "readable on taisce.audit_entry"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "kind", "identity"), CHANGES, ids=[change.strip()[:70] for change, *_ in CHANGES]
)
def test_a_change_that_hardly_shows_is_told(
    module_database: Any, change: str, kind: str, identity: str
) -> None:
    with module_database.connect() as conn:
        files = render_all(server_facts(conn), "taisce")
        with conn.transaction(force_rollback=True):
            become_owner_of(conn, "taisce")
            assert find_drift(conn, files) == []
            conn.execute("set local role none")
            conn.execute(change.encode())
            become_owner_of(conn, "taisce")
            found = [(one.kind, one.identity, one.change) for one in find_drift(conn, files)]
    assert found == [(kind, identity, "definition")]
