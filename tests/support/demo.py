"""A database with the demo memory in it, made once a run."""

from __future__ import annotations

from pathlib import Path

from taisce_pg.demo.build import build_lines
from taisce_pg.demo.run import load_demo, open_to_analysts
from tests.support.databases import freeze, once
from tests.support.servers import ServerUnderTest


def demo_template(server: ServerUnderTest, run_dir: Path, template: str) -> str:
    """Name a template that holds the project demo, open to analysts."""

    def build(name: str) -> None:
        from tests.support.databases import create

        create(server, name, template)
        with server.connect(name) as conn:
            load_demo(conn, "demo", list(build_lines()))
            open_to_analysts(conn, "demo")
            conn.execute("analyze")
        freeze(server, name)

    return once(run_dir, "demo", build)
