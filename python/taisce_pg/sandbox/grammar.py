"""Default deny over PostgreSQL's exact parse: kinds of statement, nodes, functions, types.

Names of relations and columns depend on where they stand; `columns` looks at those.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from taisce_pg.sandbox.catalogue import Catalogue, suggest
from taisce_pg.sandbox.nodes import BARE, BARE_WITHIN, FIELDS, LEAVES, WRITES
from taisce_pg.sandbox.spans import literal
from taisce_pg.sandbox.text import Text
from taisce_pg.sandbox.tree import Node, first_place, kind_of, place, strings

MAX_TABLE_ITEMS = 100
MAX_PADDING = 10_000

_TABLE_ITEMS = frozenset({"RangeVar", "RangeSubselect", "RangeFunction", "JoinExpr", "JsonTable"})
_LOOKED_AT = _TABLE_ITEMS | {
    "A_Expr", "CollateClause", "FuncCall", "ParamRef", "SQLValueFunction", "SortBy", "SubLink",
    "TypeName",
}  # fmt: skip
_PADDED = frozenset({"bpchar", "char", "bit", "varbit"})
_BUILTIN_SCHEMA = "pg_catalog"
_VECTOR_SCHEMAS = frozenset({"public"})
_FUNCTION_HINT = "query_space() lists the functions that a query may call."
_REASONS_OF_NODES: dict[str, tuple[Any, str]] = {
    "RangeTableSample": ("function", "Sampling is not allowed; use order by random() and limit."),
    "RangeTableFunc": ("function", "XML is not part of the query space."),
    "MergeSupportFunc": ("function", _FUNCTION_HINT),
    "XmlExpr": ("function", "XML is not part of the query space."),
    "XmlSerialize": ("function", "XML is not part of the query space."),
    "LockingClause": ("lock", "Leave out FOR UPDATE and FOR SHARE: a query only reads."),
    "IntoClause": ("write", "Leave out INTO: a query only reads."),
}


@dataclass(frozen=True, slots=True)
class SemanticCall:
    """A call that needs a vector: of a literal text, or of the text of a parameter.

    `project` is the one it names itself, None for that of the query.
    """

    function: str
    text: str | None
    parameter: int | None
    position: int
    project: str | None = None


def _child(parent: str, field: str, value: Node) -> tuple[str, Any]:
    """Return the name and the fields of a part of a node, of which some come bare."""
    if not value:
        return "", value
    if len(value) == 1:
        for name, fields in value.items():
            if name[0] <= "Z" and fields.__class__ is dict:
                return name, fields
    bare = BARE_WITHIN.get((parent, field)) or BARE.get(field)
    if bare is None:
        return f"{parent}.{field}", value
    return bare, value


def _uncast(node: Node) -> Node:
    """Return an expression without the casts that leave a text as it is."""
    while "TypeCast" in node:
        type_name = node["TypeCast"].get("typeName", {})
        whole = strings(type_name.get("names"))[-1:] in (["text"], ["varchar"])
        if not whole or type_name.keys() & {"typmods", "arrayBounds"}:
            break
        node = node["TypeCast"].get("arg", {})
    return node


class Grammar:
    """One walk over a parse tree; refuses the first node that is not allowed."""

    def __init__(self, text: Text, catalogue: Catalogue, parameters: int) -> None:
        """Keep the text, the names allowed and the number of parameters that will be bound."""
        self.text = text
        self.catalogue = catalogue
        self.parameters = parameters
        self.functions: set[str] = set()
        self.semantic: list[SemanticCall] = []
        self.table_items = 0

    def statement(self, statements: list[Node]) -> Node:
        """Return the fields of the one SELECT, or refuse what else was given."""
        if not statements:
            raise self.text.refuse("not_a_query", -1, "Write a SELECT.")
        if len(statements) > 1:
            semicolon = self.text.kinds.index("ASCII_59")
            byte = self.text.starts[min(semicolon + 1, len(self.text.starts) - 1)]
            raise self.text.refuse("multiple_statements", byte, "Send one SELECT at a time.")
        name, fields = kind_of(statements[0])
        first = self.text.starts[0]
        if name in WRITES:
            raise self.text.refuse("write", first, "A query only reads.")
        if name != "SelectStmt":
            raise self.text.refuse("not_a_query", first, "Write a SELECT.")
        return fields

    def check_effects(self, root: Node) -> None:
        """Refuse data-changing parts, INTO and row locks, wherever they stand."""
        stack: list[Any] = [root]
        while stack:
            value = stack.pop()
            if isinstance(value, list):
                stack.extend(reversed(value))
                continue
            if not isinstance(value, dict):
                continue
            for key, inner in value.items():
                if key in WRITES:
                    byte = first_place(inner)
                    raise self.text.refuse("write", byte, "A query only reads.")
                if key == "intoClause":
                    byte = first_place(inner)
                    raise self.text.refuse("write", byte, "Leave out INTO: a query only reads.")
                if key == "lockingClause":
                    raise self.text.refuse("lock", self._lock_place(), "A query takes no locks.")
                if isinstance(inner, dict | list):
                    stack.append(inner)

    def check_nodes(self, root: Node) -> None:
        """Refuse every node, field, function, type and operator that is not listed."""
        stack: list[tuple[str, Any]] = [("SelectStmt", root)]
        while stack:
            name, fields = stack.pop()
            allowed = FIELDS.get(name)
            if allowed is None:
                raise self._unknown_node(name, fields)
            if name in _LOOKED_AT:
                self._check_one(name, fields)
            if not fields.keys() <= allowed:
                hint = "This clause is not allowed in a query."
                raise self.text.refuse("syntax", first_place(fields), hint)
            if name in LEAVES:
                continue
            children: list[tuple[str, Any]] = []
            for field, value in fields.items():
                if value.__class__ is dict:
                    children.append(_child(name, field, value))
                elif value.__class__ is list:
                    children += [
                        _child(name, field, item) for item in value if item.__class__ is dict
                    ]
            children.reverse()
            stack += [child for child in children if child[0]]

    def _unknown_node(self, name: str, fields: Any) -> Exception:
        byte = first_place(fields)
        reason, hint = _REASONS_OF_NODES.get(
            name, ("syntax", "This construct is not allowed in a query.")
        )
        return self.text.refuse(reason, byte, hint)

    def _check_one(self, name: str, fields: Node) -> None:
        if name == "FuncCall":
            self._check_function(fields)
        elif name == "TypeName":
            self._check_type(fields)
        elif name == "A_Expr":
            self._check_operator(fields.get("name"), place(fields))
        elif name == "SubLink":
            self._check_operator(fields.get("operName"), place(fields))
        elif name == "SortBy":
            self._check_operator(fields.get("useOp"), first_place(fields.get("node", {})))
        elif name == "SQLValueFunction":
            if fields.get("op") not in self.catalogue.value_keywords:
                raise self.text.refuse("function", place(fields), _FUNCTION_HINT)
        elif name == "ParamRef":
            if not 1 <= fields.get("number", 0) <= self.parameters:
                hint = "Write the value itself; only saved queries have parameters."
                raise self.text.refuse("syntax", place(fields), hint)
        elif name == "CollateClause":
            names = strings(fields.get("collname"))
            if len(names) > 1 and names[0] != _BUILTIN_SCHEMA:
                raise self.text.refuse("type", place(fields), "Name a built-in collation.")
        elif name in _TABLE_ITEMS:
            self.table_items += 1
            if self.table_items > MAX_TABLE_ITEMS:
                hint = f"A query may name {MAX_TABLE_ITEMS} sources."
                raise self.text.refuse("cost", -1, hint)

    def _check_function(self, fields: Node) -> None:
        names = strings(fields.get("funcname"))
        name = names[-1]
        catalogue = self.catalogue
        schema = names[0] if len(names) == 2 else None
        if len(names) > 2:
            known = False
        elif schema is None:
            known = (
                name in catalogue.functions
                or name in catalogue.helpers
                or name in catalogue.vector_functions
            )
        elif schema == _BUILTIN_SCHEMA:
            known = name in catalogue.functions
        elif schema == catalogue.schema:
            known = name in catalogue.helpers
        else:
            known = schema in _VECTOR_SCHEMAS and name in catalogue.vector_functions
        if not known:
            everything = (*catalogue.functions, *catalogue.helpers)
            raise self.text.refuse(
                "function", place(fields), suggest(name, everything, _FUNCTION_HINT)
            )
        if name == "ts_rewrite" and len(fields.get("args", ())) != 3:
            raise self.text.refuse("function", place(fields), "Give ts_rewrite three tsqueries.")
        self.functions.add(name)
        if name in catalogue.helpers and name not in catalogue.functions:
            self._check_helper(name, fields)

    def _check_helper(self, name: str, fields: Node) -> None:
        allowed = self.catalogue.helpers[name].arguments
        arguments = fields.get("args") or []
        if len(arguments) > len(allowed):
            hint = f"{name} takes at most {len(allowed)} arguments: {', '.join(allowed)}."
            raise self.text.refuse("function", place(fields), hint)
        given: dict[str, Node] = {}
        for index, argument in enumerate(arguments):
            named = argument.get("NamedArgExpr")
            word = named["name"] if named else allowed[index]
            if word not in allowed:
                hint = suggest(word, allowed, f"{name} takes {', '.join(allowed)}.")
                raise self.text.refuse("function", place(named or fields), hint)
            given[word] = named.get("arg", {}) if named else argument
        if name.startswith("semantic_") and "query" in given:
            self._note_semantic(name, fields, given)

    def _note_semantic(self, name: str, fields: Node, given: dict[str, Node]) -> None:
        byte = place(fields)
        query = given["query"]
        project = literal(given.get("project", {}))
        query = _uncast(query)
        text, number = None if "TypeCast" in query else literal(query), None
        if "ParamRef" in query:
            number = query["ParamRef"].get("number", 0)
        elif text is None:
            raise self.text.refuse(
                "function",
                byte,
                f"Give {name} its text as a literal or a parameter, also one cast to text.",
            )
        if "query_embedding" not in given:
            call = SemanticCall(name, text, number, self.text.position(byte), project)
            self.semantic.append(call)

    def _check_type(self, fields: Node) -> None:
        names = strings(fields.get("names"))
        catalogue = self.catalogue
        schema = names[0] if len(names) == 2 else None
        name = names[-1] if names else ""
        if fields.get("setof") or fields.get("pct_type") or len(names) > 2:
            known = False
        elif name in catalogue.vector_types:
            known = schema is None or schema in _VECTOR_SCHEMAS
        else:
            known = name in catalogue.types and schema in (None, _BUILTIN_SCHEMA)
        if not known:
            hint = suggest(name, catalogue.types, "Cast to a built-in data type.")
            raise self.text.refuse("type", place(fields), hint)
        for modifier in fields.get("typmods") or []:
            length = modifier.get("A_Const", {}).get("ival", {}).get("ival", 0)
            if name in _PADDED and length > MAX_PADDING:
                hint = f"A padded type may be {MAX_PADDING} long."
                raise self.text.refuse("cost", place(fields), hint)

    def _check_operator(self, names: list[Node] | None, byte: int) -> None:
        words = strings(names)
        if len(words) > 1:
            hint = "Write the operator without a schema."
            raise self.text.refuse("operator", byte, hint)
        if words and words[0] not in self.catalogue.operators and not words[0].isupper():
            hint = suggest(words[0], self.catalogue.operators, "There is no such operator.")
            raise self.text.refuse("operator", byte, hint)

    def _lock_place(self) -> int:
        for index, kind in enumerate(self.text.kinds[:-1]):
            following = self.text.kinds[index + 1]
            if kind == "FOR" and following in ("UPDATE", "SHARE", "NO", "KEY"):
                return self.text.starts[index]
        return -1
