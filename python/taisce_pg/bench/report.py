"""What the bench says: a table, JSON, a results file, and a guard over counted figures."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import psycopg
from rich.table import Table

from taisce_pg import __version__
from taisce_pg.bench.curves import Point
from taisce_pg.bench.measures import Row

SLACK = 1.15
_SETTINGS = ("shared_buffers", "work_mem", "fsync", "synchronous_commit", "jit")


def machine(conn: psycopg.Connection[Any]) -> dict[str, Any]:
    """Return facts of the machine of this program and of the server."""
    row = conn.execute("select version()").fetchone()
    facts: dict[str, Any] = {
        "package": __version__,
        "server": str(row[0]).split(" on ")[0] if row else "",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }
    for name in _SETTINGS:
        shown = conn.execute(f"show {name}".encode()).fetchone()
        facts[name] = shown[0] if shown else None
    return facts


def table(rows: Iterable[Row], wide: bool) -> Table:
    """Lay rows out for a terminal; a wide one also shows what was read and returned."""
    made = Table(box=None, header_style="bold", pad_edge=False)
    made.add_column("measure", no_wrap=True)
    for title in ("ours", "against", "ratio"):
        made.add_column(title, justify="right", no_wrap=True)
    made.add_column("goal", no_wrap=True)
    made.add_column("", no_wrap=True)
    if wide:
        for title in ("p95", "buffers", "facts"):
            made.add_column(title, justify="right", no_wrap=True)
    for row in rows:
        cells = [
            row.measure,
            _quantity(row.ours, row.unit),
            _against(row),
            f"{row.ratio:.2f}" if row.ratio is not None else "",
            row.goal,
            {True: "[green]met[/]", False: "[red]missed[/]", None: ""}[row.met],
        ]
        if wide:
            cells += [
                _quantity(row.p95, row.unit),
                f"{row.buffers:,}" if row.buffers is not None else "",
                f"{row.facts:,}" if row.facts is not None else "",
            ]
        made.add_row(*cells)
    return made


def notes(rows: Iterable[Row]) -> Iterator[str]:
    """Yield what is to be said of single measures, one line each."""
    for row in rows:
        if row.notes:
            yield f"{row.measure}: {'; '.join(row.notes)}"


def results(rows: list[Row], facts: dict[str, Any], sizes: list[int]) -> str:
    """Write the results as Markdown."""
    lines = [
        "# Results",
        "",
        "Written by `taisce-pg bench --write`. Times are medians in milliseconds of interleaved "
        "runs of one session; judge by ratios.",
        "",
        f"Facts: {', '.join(f'{size:,}' for size in sizes)}. "
        + "; ".join(f"{name.replace('_', ' ')} {value}" for name, value in facts.items())
        + ".",
        "",
        "| measure | ours | p95 | against | ratio | goal | met | buffers | entries | facts |",
        "| --- | ---: | ---: | ---: | ---: | --- | --- | ---: | ---: | ---: |",
    ]
    for row in rows:
        cells = (
            row.measure,
            _quantity(row.ours, row.unit),
            _quantity(row.p95, row.unit),
            _against(row),
            f"{row.ratio:.2f}" if row.ratio is not None else "",
            row.goal,
            {True: "yes", False: "no", None: ""}[row.met],
            *(
                f"{value:,}" if value is not None else ""
                for value in (row.buffers, row.entries, row.facts)
            ),
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", *(f"* {note}" for note in notes(rows)), ""])


def whole(
    rows: Iterable[Row],
    points: Iterable[Point],
    facts: dict[str, Any],
    sizes: list[int],
    seed: int,
) -> str:
    """Write everything of a run as JSON: rows, curves, and where and on what it ran."""
    value = {
        "rows": [row.to_dict() for row in rows],
        "curves": [point.to_dict() for point in points],
        "machine": facts,
        "sizes": sizes,
        "seed": seed,
    }
    return json.dumps(value, indent=1) + "\n"


def counted(rows: Iterable[Row]) -> dict[str, dict[str, int]]:
    """Return the figures that do not depend on the machine: buffers and index entries."""
    return {
        row.measure: {
            name: value
            for name, value in (("buffers", row.buffers), ("entries", row.entries))
            if value is not None
        }
        for row in rows
        if row.buffers is not None
    }


def regressions(rows: Iterable[Row], baseline: dict[str, dict[str, int]]) -> Iterator[str]:
    """Yield each counted figure that is worse than the baseline by more than the slack."""
    for measure, figures in counted(rows).items():
        for name, value in figures.items():
            before = baseline.get(measure, {}).get(name)
            if before is not None and value > before * SLACK + 8:
                yield f"{measure}: {value:,} {name}, {before:,} before"


def baseline_key(facts: dict[str, Any], size: int, seed: int, short: bool) -> str:
    """Name what figures may be compared with: size and seed of the memory, server, length."""
    major = facts["server"].split()[-1].split(".")[0]
    return f"{size} facts, seed {seed}, server {major}{', short' if short else ''}"


def read_baseline(path: Path, key: str) -> dict[str, dict[str, int]]:
    """Read the figures kept for a key, none if there are none."""
    if not path.exists():
        return {}
    kept: dict[str, dict[str, dict[str, int]]] = json.loads(path.read_text())
    return kept.get(key, {})


def write_baseline(path: Path, key: str, rows: Iterable[Row]) -> None:
    """Keep the figures under a key, beside those of other keys."""
    kept = json.loads(path.read_text()) if path.exists() else {}
    kept[key] = counted(rows)
    path.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")


def _against(row: Row) -> str:
    """Return the yardstick with the letter of what it is: reference, floor or ordinary entity."""
    for name in ("reference", "floor", "ordinary"):
        value = getattr(row, name)
        if value is not None:
            return f"{_quantity(value, row.unit)} {name[0]}"
    return ""


def _quantity(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    if unit == "ms":
        return f"{value:.2f}" if value < 100 else f"{value:,.0f}"
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()
