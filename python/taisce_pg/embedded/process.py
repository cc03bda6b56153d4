"""Running the programs of PostgreSQL and telling whether a server process lives."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from taisce_pg.embedded.binaries import Binaries
from taisce_pg.embedded.runas import RunAs
from taisce_pg.problem import Problem

PORT = 5432
_SOCKET_PATH_LIMIT = 103  # bytes, without the closing zero, on the strictest system (macOS)


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return {**kept, "LC_ALL": "C"}


def initdb(
    binaries: Binaries,
    run_as: RunAs,
    directory: Path,
    password: str,
    settings: dict[str, str],
    lock: int,
    sync: bool,
) -> None:
    """Make a data directory: SCRAM passwords only, UTF-8, the same order of text everywhere.

    `directory` exists, is empty and belongs to the server's user.
    """
    with tempfile.TemporaryDirectory(prefix="taisce-") as scratch:
        run_as.give(Path(scratch))
        secret = Path(scratch) / "password"
        with os.fdopen(os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(password)
        run_as.give(secret)
        provider = "builtin" if binaries.major >= 17 else "libc"
        command = [
            *run_as.prefix,
            str(binaries.path("initdb")),
            f"--pgdata={directory}",
            "--username=postgres",
            f"--pwfile={secret}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            f"--locale-provider={provider}",
            "--locale=C.UTF-8",
            *([] if sync else ["--no-sync"]),
            *(f"--set={name}={value}" for name, value in settings.items()),
        ]
        done = subprocess.run(
            command,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=_environment(),
            umask=0o077,
            pass_fds=[lock],
            **run_as.options,
        )
    if done.returncode:
        said = " ".join(done.stderr.split()) or f"initdb ended with {done.returncode}"
        raise Problem(f"no data directory could be made in {directory.parent}: {said}")


def launch(
    binaries: Binaries,
    run_as: RunAs,
    data: Path,
    socket_dir: Path,
    settings: dict[str, str],
    lock: int,
    log: int,
) -> None:
    """Start the server and return at once; it inherits `lock` and belongs to no program."""
    fixed = {
        "listen_addresses": "",
        "port": str(PORT),
        "unix_socket_directories": str(socket_dir),
        "unix_socket_permissions": "0700",
        "logging_collector": "off",
    }
    options: list[str] = []
    for name, value in {**settings, **fixed}.items():
        options += ["-c", f"{name}={value}"]
    subprocess.run(
        [
            "/bin/sh",
            "-c",
            '"$@" </dev/null &',
            "sh",
            *run_as.prefix,
            str(binaries.path("postgres")),
            "-D",
            str(data),
            *options,
        ],
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        env=_environment(),
        umask=0o077,
        pass_fds=[lock],
        start_new_session=True,
        check=True,
        **run_as.options,
    )


def make_socket_dir(run_as: RunAs) -> Path:
    """Make a private folder whose path is short enough for a socket."""
    longest = _SOCKET_PATH_LIMIT - len(f"/taisce-12345678/.s.PGSQL.{PORT}")
    for place in dict.fromkeys([tempfile.gettempdir(), "/tmp", "/var/tmp"]):
        shared = os.access(place, os.W_OK | os.X_OK) and (
            run_as.uid == os.geteuid() or os.stat(place).st_mode & 0o001
        )
        if shared and len(os.fsencode(place)) <= longest:
            made = Path(tempfile.mkdtemp(prefix="taisce-", dir=place))
            run_as.give(made)
            return made
    raise Problem(
        "no folder was found for the server's socket: /tmp cannot be written",
        "set TMPDIR to a folder with a short path that the server's user can reach",
    )


def remove_socket_dir(directory: Path) -> None:
    """Remove the socket folder of a server that is gone."""
    if not directory.name.startswith("taisce-") or directory.is_symlink():
        return
    for name in (f".s.PGSQL.{PORT}", f".s.PGSQL.{PORT}.lock"):
        (directory / name).unlink(missing_ok=True)
    if directory.is_dir() and not any(directory.iterdir()):
        directory.rmdir()


def server_pid(data: Path) -> int | None:
    """Return the process number that the data directory names, alive or not."""
    try:
        return int((data / "postmaster.pid").read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None


def lives(pid: int, data: Path) -> bool:
    """Tell whether a process is the server of this data directory, and no zombie.

    A number alone says little: after a crash another process may have it.
    """
    proc = Path(f"/proc/{pid}")
    if Path("/proc/self/stat").exists():
        try:
            state = (proc / "stat").read_text().rpartition(")")[2].split()[0]
            return state not in "ZX" and os.path.samefile(proc / "cwd", data)
        except OSError:
            return False
    shown = _ps(["-o", "stat=,command=", "-p", str(pid)])
    return bool(shown) and not shown.startswith("Z") and str(data) in shown


def exists(pid: int) -> bool:
    """Tell whether a process of that number exists, be it a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _ps(options: Sequence[str]) -> str:
    try:
        return subprocess.run(["ps", *options], capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""
