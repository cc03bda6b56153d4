"""What a file declares, read from its tokens, so that no nesting is too deep for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import postgast

_TOKENS = postgast.pg_query_pb2
_ALTERING = {"ALTER", "DROP", "INDEX", "TRIGGER", "POLICY", "RULE"}


@dataclass(frozen=True)
class Function:
    """A function or procedure a file creates.

    `arguments` are the types of its input arguments, `defaults` how many of the last ones may
    be left out.
    """

    name: str
    arguments: tuple[str, ...]
    defaults: int = 0

    @property
    def signature(self) -> str:
        """Return the name with its argument types, as to_regprocedure() reads it."""
        return f"{self.name}({', '.join(self.arguments)})"


@dataclass(frozen=True)
class Declared:
    """What one file creates and which existing tables it changes."""

    functions: tuple[Function, ...] = ()
    views: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()


@dataclass(frozen=True)
class Token:
    """A word or sign and where it stands, in bytes."""

    word: str
    start: int
    end: int


def declared(text: str) -> Declared:
    """Find the functions, views and altered tables of a file (statements at top level only)."""
    data = text.encode()
    functions: list[Function] = []
    views: list[str] = []
    created: set[str] = set()
    altered: dict[str, None] = {}
    for tokens in statements(data):
        words = [token.word.upper() for token in tokens]
        if words[0] == "CREATE":
            at = _kind_at(words)
            kind = words[at] if at else ""
            if kind in ("FUNCTION", "PROCEDURE"):
                functions.append(_function(data, tokens, at))
            elif kind == "VIEW":
                views.append(relation_name(data, tokens, at + 1)[0])
            elif kind == "TABLE":
                created.add(relation_name(data, tokens, _skip_if(words, at + 1))[0])
        if set(words[:4]) & _ALTERING:
            altered.update(dict.fromkeys(_altered(data, tokens, words)))
    return Declared(
        tuple(functions), tuple(views), tuple(name for name in altered if name not in created)
    )


def statements(data: bytes) -> list[list[Token]]:
    """Return the tokens of each statement at top level, without comments."""
    statements: list[list[Token]] = [[]]
    for token in postgast.scan(data.decode()).tokens:
        name = _TOKENS.Token.Name(token.token)
        if name in ("SQL_COMMENT", "C_COMMENT"):
            continue
        if name == "ASCII_59":
            statements.append([])
            continue
        word = data[token.start : token.end].decode()
        statements[-1].append(Token(word, token.start, token.end))
    return [tokens for tokens in statements if tokens]


def _kind_at(words: list[str]) -> int:
    """Return where the word function, procedure, view or table stands, 0 if there is none."""
    for at, word in enumerate(words[1:8], 1):
        if word in ("FUNCTION", "PROCEDURE", "VIEW", "TABLE"):
            return at
        if word not in ("OR", "REPLACE", "UNLOGGED", "RECURSIVE", "TEMPORARY", "TEMP"):
            return 0
    return 0


def _skip_if(words: list[str], at: int) -> int:
    if words[at] == "IF":
        at += 3 if words[at + 1] == "NOT" else 2
    return at + 1 if words[at] == "ONLY" else at


def relation_name(data: bytes, tokens: list[Token], at: int) -> tuple[str, int]:
    """Return the qualified name that begins at a token, and the number of the token after it."""
    end = at + 1
    while end + 1 < len(tokens) and tokens[end].word == ".":
        end += 2
    return data[tokens[at].start : tokens[end - 1].end].decode(), end


def _altered(data: bytes, tokens: list[Token], words: list[str]) -> list[str]:
    if words[:2] == ["ALTER", "TABLE"] or words[:2] == ["DROP", "TABLE"]:
        return [relation_name(data, tokens, _skip_if(words, 2))[0]]
    if "ON" in words and words[0] in ("CREATE", "DROP", "ALTER"):
        at = words.index("ON") + 1
        if at < len(words):
            return [relation_name(data, tokens, _skip_if(words, at))[0]]
    return []


def _function(data: bytes, tokens: list[Token], at: int) -> Function:
    name, opening = relation_name(data, tokens, at + 1)
    depth, closing = 0, opening
    for closing in range(opening, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[closing].word, 0)
        if depth == 0:
            break
    arguments = data[tokens[opening].start : tokens[closing].end].decode()
    tree = postgast.parse(f"create procedure x{arguments} language sql as ''")
    inputs = [
        node.function_parameter
        for node in tree.stmts[0].stmt.create_function_stmt.parameters
        if _TOKENS.FunctionParameterMode.Name(node.function_parameter.mode)
        not in ("FUNC_PARAM_OUT", "FUNC_PARAM_TABLE")
    ]
    return Function(
        name,
        tuple(_type(parameter.arg_type) for parameter in inputs),
        sum(parameter.HasField("defexpr") for parameter in inputs),
    )


def _type(node: Any) -> str:
    parts = [_quoted(part.string.sval) for part in node.names]
    return ".".join(parts) + "[]" * len(node.array_bounds)


def _quoted(word: str) -> str:
    plain = word.replace("_", "a").isalnum() and word == word.lower() and not word[0].isdigit()
    return word if plain else '"' + word.replace('"', '""') + '"'
