"""The reference of the load format as Markdown, made from the table that checks it.

`python -m taisce_pg.load.reference docs/storage-and-load.md` renews the part between its marks.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from taisce_pg.load.format import TYPES
from taisce_pg.load.kinds import Field, Fields
from taisce_pg.load.parts import EVIDENCE, MESSAGE

BEGIN = "<!-- load format reference: begin (python -m taisce_pg.load.reference FILE) -->"
END = "<!-- load format reference: end -->"


def reference() -> str:
    """Return the reference: a table for every type of line, then the fields of exported lines."""
    return "\n".join(_lines()) + "\n"


def renewed(page: str) -> str:
    """Return a page with the part between its marks made anew."""
    before, _, rest = page.partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        raise ValueError("the page has no marks for the reference")
    return f"{before}{BEGIN}\n\n{reference()}\n{END}{after}"


def _lines() -> Iterator[str]:
    for name, kind in TYPES.items():
        if name == "key":
            continue
        yield f"### {name}"
        yield ""
        yield kind.meaning + (" Needs admin access." if kind.admin else "")
        yield ""
        yield from _table(kind.fields, kind.admin)
        if name == "observation":
            yield from _part("Each item of `messages`:", MESSAGE)
        elif name == "fact":
            yield from _part("Each item of `evidence`:", EVIDENCE)
    yield "### Lines of an export"
    yield ""
    yield (
        "A line with an `id` is *exact*: it is put back as it was, with ids and stamps, and "
        "nothing is derived from it. Only `taisce-pg export` writes such lines; they need admin "
        "access and an empty project. These fields come on top:"
    )
    yield ""
    yield "| type | fields |"
    yield "| --- | --- |"
    for name, kind in TYPES.items():
        if kind.exact:
            fields = [f"`{field}`" for field in kind.exact if field not in kind.fields]
            yield f"| {name} | {', '.join(fields)} |"
    yield ""


def _part(title: str, fields: Fields) -> Iterator[str]:
    yield title
    yield ""
    yield from _table(fields, False)


def _table(fields: Fields, all_admin: bool) -> Iterator[str]:
    yield "| field | value | meaning |"
    yield "| --- | --- | --- |"
    for name, field in fields.items():
        yield f"| `{name}`{_remark(field, all_admin)} | {field.kind.words} | {field.meaning} |"
    yield ""


def _remark(field: Field, all_admin: bool) -> str:
    remarks = [
        word
        for word, holds in (("required", field.required), ("admin", field.admin and not all_admin))
        if holds
    ]
    return f" ({', '.join(remarks)})" if remarks else ""


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(renewed(path.read_text()))
