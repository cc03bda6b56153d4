"""Statements at random for the checker: some from a grammar, some bent out of good and bad ones."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from tests.support.sandbox import full_catalogue, read_table

_TOKENS = re.compile(r"\s+|\w+|'[^']*'|\"[^\"]*\"|[^\w\s]")
_ODD = [
    "", " ", ";", "--", "/*", "*/", "(", ")", "[", "]", "'", '"', "$$", "\\", "\n", "\r", "\0",
    "\u00a0", "\ufeff", "\u200b", "é", "😀", "::", ":=", "=>", "..", "U&'\\0061'", "$1", "%", "?",
    "E'\\x'", "::regclass", "for update", "into x", "null", "*", ".*", "lateral", "tablesample",
    "with recursive", "union all", "set_config('a.b','c',false)", "pg_sleep(1)", "pg_class",
    "taisce.fact", "f.row_to_json", "over ()", "filter (where true)", "within group (order by 1)",
    "array[", "case when", "end", "cast(", "as", "operator(pg_catalog.+)", "\ud800", "\x1a",
]  # fmt: skip
_BAD_CALLS = ["pg_sleep", "set_config", "version", "pg_read_file", "lo_get", "query_to_xml"]
_BAD_TYPES = ["regclass", "xml", "taisce.fact", "oid", "memory_v1.entities"]
_OPERATORS = ["+", "-", "*", "/", "||", "=", "<>", "<", "~", "->", "@>", "&&", "<=>", "is not"]


class Fuzzer:
    """Makes statements from a seed; the same seed makes the same ones."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.catalogue = full_catalogue()
        self.functions = sorted(self.catalogue.functions)
        self.views = sorted(self.catalogue.views)
        self.types = sorted(self.catalogue.types)
        tables = (*read_table("legitimate.jsonl"), *read_table("attacks.jsonl"))
        self.seeds = [line["sql"] for line in tables if len(line["sql"]) < 5_000]

    def statements(self, count: int) -> Iterator[str]:
        """Make statements, half of them from the grammar."""
        for _ in range(count):
            if self.random.random() < 0.5:
                yield self.select(0)
            else:
                yield self.bent()

    def bent(self) -> str:
        """Return a query of the tables with a few tokens changed."""
        parts = _TOKENS.findall(self.random.choice(self.seeds))
        for _ in range(self.random.randint(1, 4)):
            if not parts:
                break
            at = self.random.randrange(len(parts))
            kind = self.random.randrange(7)
            if kind == 0:
                del parts[at]
            elif kind == 1:
                parts.insert(at, self.random.choice(_ODD))
            elif kind == 2:
                parts[at] = self.random.choice(_ODD)
            elif kind == 3:
                parts.insert(at, parts[self.random.randrange(len(parts))])
            elif kind == 4:
                other = _TOKENS.findall(self.random.choice(self.seeds))
                start = self.random.randrange(max(len(other), 1))
                parts[at:at] = other[start : start + self.random.randint(1, 12)]
            elif kind == 5:
                parts[at:at] = [parts[at]] * self.random.choice([2, 5, 60, 400])
            else:
                parts = parts[:at]
        return "".join(parts)

    def select(self, depth: int) -> str:
        """Return a SELECT of the grammar below, mostly well formed."""
        pick = self.random.random
        if depth > 3 or pick() < 0.05:
            return f"values ({self.expression(9, 'a')})"
        names = [f"t{depth}{index}" for index in range(self.random.randint(1, 2))]
        text = "select " + ("distinct " if pick() < 0.1 else "")
        targets = (self.expression(depth, names[0]) for _ in range(self.random.randint(1, 3)))
        text += ", ".join(target + (" as a" if pick() < 0.3 else "") for target in targets)
        first, *others = (self.source(depth, name) for name in names)
        text += f" from {first}"
        for name, source in zip(names[1:], others, strict=True):
            joined = f"{names[0]}.{self.column()} = {name}.{self.column()}"
            text += self.random.choice(
                [
                    f" join {source} on {joined}",
                    f" cross join {source}",
                    f", {source}",
                    f" left join {source} using (project)",
                ]
            )
        if pick() < 0.5:
            text += f" where {self.expression(depth, names[0])}"
        if pick() < 0.2:
            text += f" group by {self.random.choice(['1', 'a', 'cube (1, 2)', 'rollup (a)'])}"
        if pick() < 0.3:
            text += f" order by {self.expression(8, names[0])}"
        if pick() < 0.3:
            text += f" limit {self.random.choice(['5', 'all', '(select 1)'])}"
        if pick() < 0.1:
            text += self.random.choice([" for update", " into x", " union all " + self.select(3)])
        if pick() < 0.15:
            step = self.random.choice(["n + 1", "n - 1", "n * 2", "n"])
            body = self.random.choice(
                [self.select(3), f"select 1 as n union all select {step} from w where n < 5"]
            )
            text = f"with recursive w as ({body}) {text}"
        return text

    def source(self, depth: int, name: str) -> str:
        """Return an item of a FROM clause."""
        pick = self.random.random()
        if pick < 0.5:
            return f"{self.random.choice(self.views)} as {name}"
        if pick < 0.6:
            return f"lateral ({self.select(depth + 1)}) as {name}"
        if pick < 0.75:
            return f"({self.select(depth + 1)}) as {name}"
        if pick < 0.85:
            return f"generate_series(1, {self.random.choice([3, 500, 10**7])}) as {name}"
        if pick < 0.95:
            return f"{self.random.choice(self.functions)}({self.expression(9, name)}) as {name}(a)"
        return f"{self.random.choice(['pg_class', 'taisce.fact', 'w', 'nowhere'])} as {name}"

    def column(self) -> str:
        """Return a name that some view has, or none."""
        view = self.catalogue.views[self.random.choice(self.views)]
        names = [*view.columns, "a", "n", "ctid", "row_to_json", "*"]
        return self.random.choice(names)

    def expression(self, depth: int, name: str) -> str:
        """Return an expression over a source."""
        pick = self.random.random()
        if depth > 6 or pick < 0.3:
            return self.random.choice(
                [f"{name}.{self.column()}", self.column(), "1", "'x'", "null", name, "$1"]
            )
        inner = self.expression(depth + 2, name)
        other = self.expression(depth + 2, name)
        if pick < 0.45:
            return f"{inner} {self.random.choice(_OPERATORS)} {other}"
        if pick < 0.6:
            calls = [*self.random.choices(self.functions, k=12), self.random.choice(_BAD_CALLS)]
            return f"{self.random.choice(calls)}({inner})"
        if pick < 0.7:
            kinds = [*self.random.choices(self.types, k=6), self.random.choice(_BAD_TYPES)]
            return f"({inner})::{self.random.choice(kinds)}"
        if pick < 0.8:
            return f"({self.select(depth + 1)})"
        forms = [
            f"case when {inner} then {other} end",
            f"array[{inner}, {other}]",
            f"({inner}).{self.column()}",
            f"exists ({self.select(depth + 2)})",
            f"count(*) filter (where {inner}) over (partition by {other})",
            f"{inner} in ({other}, 1)",
            f"coalesce({inner}, {other})",
            f"row({inner}, {other})",
            f"({inner})[1]",
            f"{inner} is null",
        ]
        return self.random.choice(forms)
