"""PostgreSQL's own parse of a query, as plain dictionaries.

Nodes come as `{"SelectStmt": {...}}`; fields of a fixed kind come bare. The JSON form of the
parser is used because its protobuf form refuses ordinary nesting.
"""

from __future__ import annotations

import json
import threading
from typing import Any

from postgast import PgQueryError
from postgast.errors import check_error
from postgast.native import lib

from taisce_pg.sandbox.text import Text

Node = dict[str, Any]

_ROOMY_STACK = 64 * 1024 * 1024
_MANY_TOKENS = 1_000
_stack_size = threading.Lock()


def parse(text: Text) -> list[Node]:
    """Return the statements of a query, without the empty ones.

    The C parser recurses with the text, so the longest are parsed on a thread with a stack
    of its own: the caller's may be small. Refuses with `syntax` or `size`.
    """
    result: list[Any] = []
    if len(text.kinds) <= _MANY_TOKENS:
        _parse_into(text.sql, result)
    else:
        with _stack_size:
            before = threading.stack_size(_ROOMY_STACK)
            try:
                thread = threading.Thread(target=_parse_into, args=(text.sql, result), daemon=True)
                thread.start()
            finally:
                threading.stack_size(before)
        thread.join()
    outcome = result[0]
    if isinstance(outcome, PgQueryError):
        byte = outcome.cursorpos - 1
        raise text.refuse("syntax", byte, outcome.message)
    if isinstance(outcome, Exception):
        raise text.refuse("size", -1, "The query is nested too deeply.")
    statements: list[Node] = outcome
    return statements


def _parse_into(sql: str, result: list[Any]) -> None:
    try:
        result.append(_parse(sql))
    except Exception as exc:
        result.append(exc)


def _parse(sql: str) -> list[Node]:
    found = lib.pg_query_parse(sql.encode("utf-8"))
    try:
        check_error(found)
        tree = json.loads(found.parse_tree)
    finally:
        lib.pg_query_free_parse_result(found)
    return [entry["stmt"] for entry in tree["stmts"] if entry.get("stmt")]


def kind_of(node: Node) -> tuple[str, Node]:
    """Return the name of a wrapped node and its fields."""
    for name, fields in node.items():
        return name, fields
    return "", {}


def strings(nodes: list[Node] | None) -> list[str]:
    """Return the texts of a list of String nodes; anything else becomes "*"."""
    return [
        node["String"].get("sval", "") if "String" in node else "*" for node in nodes or [] if node
    ]


def place(fields: Node) -> int:
    """Return the byte where a node begins, or -1."""
    location = fields.get("location", 0)
    return location if isinstance(location, int) else -1


def first_place(tree: Any, otherwise: int = -1) -> int:
    """Return the first byte that a part of a tree comes from, or `otherwise`."""
    best = -1
    stack = [tree]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            location = value.get("location")
            if isinstance(location, int) and location >= 0:
                best = location if best < 0 else min(best, location)
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)
    return best if best >= 0 else otherwise
