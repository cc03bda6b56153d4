"""How a read's cost grows with the hub and with the store, in every time scope, and its picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from taisce_pg.bench import generator, reference
from taisce_pg.bench.measures import Bench, Call
from taisce_pg.bench.probe import count, interleave
from taisce_pg.problem import Problem

SCOPES = ("current", "as of the middle", "known early", "known in the middle", "known late")
_SHARES = {"known early": 0.0002, "known in the middle": 0.5, "known late": 0.97}
_DEGREES: tuple[tuple[str, float, int], ...] = (
    (generator.FORTY, 0, 40),
    (generator.ORDINARY, 0, 100),
    (generator.SMALL_HUB, 0.01, 0),
    (generator.CHURN_HUB, 0.05, 0),
    (generator.HUB, 0.1, 0),
)


@dataclass(frozen=True)
class Point:
    """One read: `size` is the facts of the entity (against "hub") or of the store ("store").

    Buffers and milliseconds (median) of the walk alone, ours and, where it has such a read,
    the reference's.
    """

    against: str
    scope: str
    size: int
    buffers: int
    milliseconds: float
    reference_buffers: int | None = None
    reference_milliseconds: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


def curves(benches: Sequence[Bench]) -> Iterator[Point]:
    """Yield the walk from entities of growing size, and from the hub of growing stores."""
    largest = benches[-1]
    for name, share, number in _DEGREES:
        size = number or round(largest.made.facts * share)
        for scope in SCOPES:
            yield _point(largest, name, scope, "hub", size)
    for bench in benches:
        for scope in SCOPES:
            yield _point(bench, generator.HUB, scope, "store", bench.made.facts)


def draw(points: Sequence[Point], path: Path) -> None:
    """Draw cost against size on logarithmic axes; the file's ending chooses SVG or PNG.

    Raises Problem without matplotlib, which the extra `bench` brings.
    """
    try:
        import matplotlib
    except ImportError:
        raise Problem(
            "the picture needs matplotlib", "install taisce-pg[bench], or leave out --plot"
        ) from None
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "taisce-pg", "font.size": 9})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 2, figsize=(11, 8), sharex="col")
    colours = dict(zip(SCOPES, ("C0", "C1", "C2", "C3", "C4"), strict=True))
    for column, (against, label) in enumerate(
        (("hub", "facts of the entity"), ("store", "facts of the store"))
    ):
        for row, (mine, theirs, unit) in enumerate(
            (
                ("buffers", "reference_buffers", "buffers read"),
                ("milliseconds", "reference_milliseconds", "milliseconds, median"),
            )
        ):
            axis = axes[row][column]
            for scope in SCOPES:
                line = sorted(
                    (p for p in points if p.against == against and p.scope == scope),
                    key=lambda p: p.size,
                )
                sizes = [p.size for p in line]
                axis.plot(
                    sizes,
                    [getattr(p, mine) for p in line],
                    marker="o",
                    color=colours[scope],
                    label=scope,
                )
                there = [p for p in line if getattr(p, theirs) is not None]
                if there:
                    axis.plot(
                        [p.size for p in there],
                        [getattr(p, theirs) for p in there],
                        marker="x",
                        linestyle="--",
                        color=colours[scope],
                        label=f"{scope}, reference",
                    )
            axis.set_xscale("log")
            axis.set_yscale("log")
            axis.grid(True, which="both", alpha=0.25)
            axis.set_ylabel(unit)
            if row == 1:
                axis.set_xlabel(label)
    axes[0][0].legend(fontsize=7)
    figure.suptitle("One hop from one entity: solid is taisce-pg, dashed the reference")
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)


def _point(bench: Bench, name: str, scope: str, against: str, size: int) -> Point:
    controls: dict[str, Any] = {"as_of": None, "as_known_at": None}
    if scope == "as of the middle":
        controls["as_of"] = bench.instant(0.5)
    elif scope != "current":
        controls["as_known_at"] = bench.instant(_SHARES[scope])
    anchors = [anchor["entity_id"] for anchor in bench.ask(Call(f"What of {name}?"))["anchors"]]
    call = (
        "select * from memory_v1.fact_walk(%(entity_ids)s::uuid[], project => %(project)s,"
        " as_of => %(as_of)s, as_known_at => %(as_known_at)s)"
    )
    values = {"entity_ids": anchors, "project": bench.made.project, **controls}
    runs = {"ours": lambda: bench.conn.execute(call.encode(), values).fetchall()}
    other = None
    if scope != "as of the middle":
        query, keys = reference.walk(
            bench.made.project_id, anchors, known_at=controls["as_known_at"], evidence=False
        )
        runs["reference"] = lambda: bench.conn.execute(query.encode(), keys).fetchall()
        other = (query, keys)
    times = interleave(runs, min(bench.rounds, 7))
    theirs = count(bench.conn, *other) if other else None
    return Point(
        against,
        scope,
        size,
        count(bench.conn, call, values).buffers,
        times["ours"].median,
        theirs.buffers if theirs else None,
        times["reference"].median if other else None,
    )
