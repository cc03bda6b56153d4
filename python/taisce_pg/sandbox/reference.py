"""The reference of open SQL as Markdown, made from the query space."""

from __future__ import annotations

from typing import Any


def render_reference(space: dict[str, Any]) -> str:
    """Return docs/open-sql-views.md: views, then worked examples.

    Helper functions are left to the manifest and `taisce-pg space`, since they have pages of their
    own.
    """
    lines = [
        "# Views of open SQL",
        "",
        "This page is made from the comments in the database "
        "(`TAISCE_WRITE_MANIFEST=1 pytest tests/database/open_sql/test_manifest.py`); "
        "`taisce-pg space` shows the same of your installation.",
        "",
        space["headline"],
        "",
        "An analyst may select from these views in schema `memory_v1` and nothing else. They show "
        "one project: the one that the setting `taisce.project` names, else the only one granted. "
        "An open end of time is null. Rows whose retention has passed are in no view.",
        "",
        "| you want | view |",
        "| --- | --- |",
        *(f"| {item['need']} | [{item['view']}](#{item['view']}) |" for item in space["choose"]),
        "",
        "## Before you trust a result",
        "",
        *(f"* {warning}" for warning in space["warnings"]),
        "",
    ]
    for view in space["views"]:
        lines += [
            f"## {view['name']}",
            "",
            f"{view['description']} {_sentence(view['grain'])} Key: {view['key']}.",
            "",
            "| column | type | meaning |",
            "| --- | --- | --- |",
            *(f"| {c['name']} | {c['type']} | {c['comment']} |" for c in view["columns"]),
            "",
        ]
    lines += ["## Worked examples", ""]
    for example in space["examples"]:
        lines += [
            f"### {_sentence(example['title'])[:-1]}",
            "",
            "Not this:",
            "",
            "```sql",
            example["wrong"],
            "```",
            "",
            "but this:",
            "",
            "```sql",
            example["right"],
            "```",
            "",
            example["why"],
            "",
        ]
    return "\n".join(lines)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
