"""A first install cut into partitions by project, and the calls that spread one over Citus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from taisce_pg.install.declared import Token, relation_name, statements
from taisce_pg.install.render import Rendered
from taisce_pg.problem import Problem

MOST = 1024

# Few rows, asked by every policy, and a name is unique over all projects; then what has a few rows
# a project and is asked by every recall: each statement that may read a table locks all its parts.
_WHOLE = {
    "taisce.project",
    "taisce.project_grant",
    "taisce.project_clock",
    "taisce.embedding_generation",
    "taisce.predicate",
    "taisce.rebuild",
    "taisce.saved_query",
    "taisce.word_due",
    "taisce.word_space",
}

# On every node: asked together with rows of any project, and unique over all of them.
_EVERYWHERE = {"taisce.project", "taisce.project_grant"}
# Only the installer and the loader read these, on the coordinator.
_COORDINATOR = {"taisce.ledger", "taisce.ledger_object", "memory_v1.load_stage"}
_ANCHOR = "taisce.observation"

# EXPLAIN names the indexes of partitions: these names lead back to the files.
_NAME_INDEXES = """
do $$
declare
    v_part record;
begin
    for v_part in
        select format('%I.%I', n.nspname, c.relname) as name,
            p.relname || substring(t.relname from '_\\d+$') as wanted
        from pg_catalog.pg_inherits as h
        join pg_catalog.pg_class as c on c.oid = h.inhrelid and c.relkind = 'i'
        join pg_catalog.pg_class as p on p.oid = h.inhparent
        join pg_catalog.pg_index as i on i.indexrelid = c.oid
        join pg_catalog.pg_class as t on t.oid = i.indrelid
        join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
        where n.nspname = 'taisce' and t.relname ~ '_\\d+$'
          and not exists (select from pg_catalog.pg_constraint as k where k.conindid = c.oid)
    loop
        execute format('alter index %s rename to %I', v_part.name, v_part.wanted);
    end loop;
end
$$;
"""

# No statistics of project_id are taken, so the planner supposes 200 projects in whatever it reads.
# Here it is told: 200 in all partitions together, and that rows of a project lie near each other.
# Else they look so few that all are read where one is wanted, and so scattered that none is read in
# order. ANALYZE leaves this alone.
_FEW_PROJECTS = """
do $$
declare
    v_part name;
begin
    if current_setting('server_version_num')::integer < 180000 then
        return;
    end if;
    for v_part in
        select c.relname
        from pg_catalog.pg_partitioned_table as t
        join pg_catalog.pg_inherits as h on h.inhparent = t.partrelid
        join pg_catalog.pg_class as c on c.oid = h.inhrelid
        where t.partstrat = 'h' and c.relnamespace = 'taisce'::regnamespace
    loop
        perform pg_catalog.pg_restore_attribute_stats(
            'schemaname', 'taisce', 'relname', v_part::text, 'attname', 'project_id',
            'inherited', false, 'null_frac', 0::real, 'avg_width', 8,
            'n_distinct', {count}::real, 'correlation', 0.7::real);
    end loop;
end
$$;
"""
_PROJECTS = 200

_DISTRIBUTE = """\
-- Spreads an installed, still empty memory over the nodes of a Citus cluster, by project. Run it
-- as a superuser on the coordinator, after the install:
-- psql -v ON_ERROR_STOP=1 -1 -f distribute.sql
-- It could only be checked against the rules Citus documents, not against a cluster.
--
-- Before it: the nodes are added, and {owner} can log in on each of them (pg_dist_authinfo or
-- certificates), because functions run as it and Citus connects as whoever runs.
-- What changes: a node cannot tell who asked the coordinator, and Citus takes no policy with a
-- subquery. The tables keep row security for the owner alone; who may read which project is
-- then decided once, by the functions and views on the coordinator, and no longer a second time.

set local citus.multi_shard_modify_mode = 'sequential';
-- Triggers write to shards of the same project, which lie on the same node.
set local citus.enable_unsafe_triggers = on;

do $$
declare
    v_policy record;
begin
    for v_policy in
        select p.tablename, p.policyname
        from pg_catalog.pg_policies as p
        where p.schemaname = 'taisce' and p.policyname <> 'everything'
    loop
        execute format('drop policy %I on taisce.%I', v_policy.policyname, v_policy.tablename);
        if not exists (
            select from pg_catalog.pg_policies as p
            where p.schemaname = 'taisce' and p.tablename = v_policy.tablename
              and p.policyname = 'everything'
        ) then
            execute format('create policy everything on taisce.%I to {owner} using (true)',
                v_policy.tablename);
        end if;
    end loop;
end
$$;

"""


def partitioned(files: Sequence[Rendered], count: int) -> list[Rendered]:
    """Return `files` with each table of project rows partitioned by hash of project_id.

    Left whole: projects and their grants, tables partitioned otherwise, unlogged ones, and
    tables without project_id. Raises Problem unless `count` is between 2 and 1024.
    """
    if not 2 <= count <= MOST:
        raise Problem(f"{count} partitions cannot be made", f"ask for 2 to {MOST}", exit_code=2)
    cut: set[str] = set()
    made = [
        replace(file, text=_cut(file.text, count, cut)) if file.kind == "migration" else file
        for file in files
    ]
    last = max(n for n, file in enumerate(made) if file.kind == "migration")
    more = _NAME_INDEXES + _FEW_PROJECTS.format(count=max(_PROJECTS / count, 1))
    made[last] = replace(made[last], text=made[last].text + more)
    return made


def distributed(files: Sequence[Rendered], owner: str = "taisce_owner") -> str:
    """Return the SQL that makes Citus tables of an installed memory, as one file.

    Tables with project_id are distributed by it and co-located, so that each statement meets one
    node; the few others that functions read are copied to every node. `owner` is the role that
    owns them.
    """
    lines = [_DISTRIBUTE.format(owner=owner)]
    names = list(_tables(files))
    for name, of_project in names:
        if name not in _COORDINATOR and (name in _EVERYWHERE or not of_project):
            lines.append(f"select create_reference_table('{name}');\n")
    lines.append("\n")
    spread = [name for name, of_project in names if of_project and name not in _EVERYWHERE]
    for name in sorted(spread, key=lambda name: name != _ANCHOR):
        beside = "none" if name == _ANCHOR else _ANCHOR
        lines.append(
            f"select create_distributed_table(\n    '{name}', 'project_id',"
            f" colocate_with => '{beside}');\n"
        )
    return "".join(lines)


def _tables(files: Sequence[Rendered]) -> Iterator[tuple[str, bool]]:
    """Yield each table that migrations make, and whether its rows belong to projects."""
    for file in files:
        if file.kind != "migration":
            continue
        data = file.text.encode()
        for tokens in statements(data):
            words = [token.word.lower() for token in tokens]
            at = words.index("table") + 1 if "table" in words[:3] and words[0] == "create" else 0
            if at:
                name, after = relation_name(data, tokens, at)
                # A partition goes with its table.
                if words[after] == "(":
                    yield name, "project_id" in words


def _cut(text: str, count: int, cut: set[str]) -> str:
    data, made, done = text.encode(), b"", 0
    for tokens in statements(data):
        end = tokens[-1].end
        words = [token.word.lower() for token in tokens]
        if words[:2] == ["create", "table"] and words[-1] == ")" and _of_project(words):
            name, _ = relation_name(data, tokens, 2)
            if name in _WHOLE or not _closes_at_end(tokens):
                continue
            cut.add(name)
            parts = "".join(
                f";\ncreate table {name}_{number} partition of {name}\n"
                f"for values with (modulus {count}, remainder {number})"
                for number in range(count)
            )
            made += data[done:end] + f" partition by hash (project_id){parts}".encode()
            done = end
        elif words[:2] == ["alter", "table"] and "set" in words:
            name, after = relation_name(data, tokens, 2)
            # Storage parameters belong to the partitions.
            if name not in cut or words[after : after + 2] != ["set", "("]:
                continue
            rest = data[tokens[after].start : end].decode()
            each = ";\n".join(f"alter table {name}_{number} {rest}" for number in range(count))
            made += data[done : tokens[0].start] + each.encode()
            done = end
    return (made + data[done:]).decode()


def _of_project(words: list[str]) -> bool:
    return "project_id" in words and "partition" not in words


def _closes_at_end(tokens: list[Token]) -> bool:
    """Tell whether the last parenthesis is that of the columns, with no option behind them."""
    depth = 0
    for number, token in enumerate(tokens):
        depth += {"(": 1, ")": -1}.get(token.word, 0)
        if token.word == ")" and depth == 0:
            return number == len(tokens) - 1
    return False
