"""Where pgTAP comes from: the server, else a package fetched once into the user's cache."""

from __future__ import annotations

import os
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import platformdirs
import psycopg

NPM_PACKAGE = "@electric-sql/pglite-pgtap@0.0.15"
NPM_SCRIPT = "share/postgresql/extension/pgtap--1.3.5.sql"
DEBIAN_PACKAGE = "postgresql-15-pgtap"
MISSING = (
    "pgTAP is missing: install it on the server (then CREATE EXTENSION pgtap works), or install "
    f"npm (fetches {NPM_PACKAGE}), or use a Debian with {DEBIAN_PACKAGE}"
)


class PgtapMissing(Exception):
    """No way to get pgTAP was open."""


def load(conn: psycopg.Connection[Any]) -> None:
    """Put pgTAP into the database, in schema public.

    Raises `PgtapMissing` with what to install and what was tried.
    """
    offered = conn.execute(
        "select 1 from pg_catalog.pg_available_extensions where name = 'pgtap'"
    ).fetchone()
    if offered:
        conn.execute("create extension pgtap schema public")
        return
    conn.execute("set client_min_messages = warning")
    conn.execute(script().read_bytes())
    conn.execute("reset client_min_messages")


def script() -> Path:
    """Return the installation script, fetching it if the cache has none."""
    kept = Path(platformdirs.user_cache_dir("taisce-pg")) / "pgtap.sql"
    if kept.exists():
        return kept
    tried = []
    for fetch in (_from_npm, _from_debian):
        with tempfile.TemporaryDirectory(prefix="taisce-pgtap-") as scratch:
            try:
                text = fetch(Path(scratch))
            except (OSError, subprocess.SubprocessError, KeyError, StopIteration) as error:
                tried.append(f"{fetch.__name__.removeprefix('_from_')}: {_reason(error)}")
                continue
        kept.parent.mkdir(parents=True, exist_ok=True)
        draft = kept.with_suffix(f".{os.getpid()}")
        draft.write_bytes(text)
        draft.replace(kept)
        return kept
    raise PgtapMissing(f"{MISSING}. Tried {'; '.join(tried)}")


def _from_npm(scratch: Path) -> bytes:
    _run(["npm", "pack", "--silent", NPM_PACKAGE], scratch)
    with tarfile.open(next(scratch.glob("*.tgz"))) as package:
        inner = package.extractfile("package/dist/pgtap.tar.gz")
        assert inner
        with tarfile.open(fileobj=inner) as files:
            found = files.extractfile(NPM_SCRIPT)
            assert found
            return found.read()


def _from_debian(scratch: Path) -> bytes:
    # apt warns on stderr when its own user cannot write here; it then writes as ours.
    _run(["apt-get", "download", DEBIAN_PACKAGE], scratch)
    _run(["dpkg", "-x", str(next(scratch.glob("*.deb"))), "tree"], scratch)
    found = scratch.glob("tree/usr/share/postgresql/*/extension/pgtap--?.?.?.sql")
    return next(iter(found)).read_bytes()


def _run(command: list[str], directory: Path) -> None:
    subprocess.run(
        command,
        cwd=directory,
        check=True,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
    )


def _reason(error: BaseException) -> str:
    if isinstance(error, FileNotFoundError):
        return f"no {error.filename} here"
    if isinstance(error, subprocess.CalledProcessError):
        lines = error.stderr.strip().splitlines()
        return lines[-1] if lines else f"ended with {error.returncode}"
    return str(error) or type(error).__name__
