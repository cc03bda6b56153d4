"""The tables cut into hash partitions by project, for a first install of a large memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from taisce_pg.install.declared import Token, relation_name, statements
from taisce_pg.install.render import Rendered
from taisce_pg.problem import Problem

MOST = 1024

# Few rows, asked by every policy, and a name is unique over all projects.
_WHOLE = {"taisce.project", "taisce.project_grant", "taisce.project_clock"}


def partitioned(files: Sequence[Rendered], count: int) -> list[Rendered]:
    """Return `files` with each table of project rows partitioned by hash of project_id.

    Left whole: projects and their grants, tables partitioned otherwise, unlogged ones, and
    tables without project_id. Raises Problem unless `count` is between 2 and 1024.
    """
    if not 2 <= count <= MOST:
        raise Problem(f"{count} partitions cannot be made", f"ask for 2 to {MOST}", exit_code=2)
    cut: set[str] = set()
    return [
        replace(file, text=_cut(file.text, count, cut)) if file.kind == "migration" else file
        for file in files
    ]


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
