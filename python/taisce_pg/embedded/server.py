"""One embedded server: start or join it, leave it, stop it, say how it is."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import signal
import threading
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote, urlencode

import psycopg

from taisce_pg.embedded import process
from taisce_pg.embedded.binaries import Binaries, find_binaries
from taisce_pg.embedded.home import Home, Record, default_home, private
from taisce_pg.embedded.locks import Lock, is_held, starting
from taisce_pg.embedded.runas import RunAs, choose
from taisce_pg.problem import Problem

DEFAULT_DATABASE = "taisce"
SUPERUSER = "postgres"
READY_SECONDS = 60.0
_LOG_BYTES = 10_000_000
_FIRST_SETTINGS = {"shared_buffers": "256MB", "max_connections": "100"}

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ServerStatus:
    """How a server is: `running`, `stopped`, or `busy` (starting, recovering or stopping)."""

    state: str
    home: str
    data_dir: str
    version: str
    pid: int | None
    socket_dir: str | None
    persistent: bool
    run_as: str | None
    started: str | None


class Server:
    """The server of one home folder, shared by all programs that use that folder.

    `settings` are server settings for this start; they win over the data directory's own
    postgresql.conf. Use as a context manager, or call `start`; `release` happens at exit.
    """

    def __init__(
        self,
        home: Path | None = None,
        binaries: Binaries | None = None,
        settings: dict[str, str] | None = None,
    ) -> None:
        self.home = Home(home or default_home())
        self.binaries = binaries or find_binaries()
        self.settings = dict(settings or {})
        self.data = self.home.path / f"pg{self.binaries.major}"
        self._clients: Lock | None = None
        self._pid = os.getpid()
        self._guard = threading.RLock()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    # -- using ---------------------------------------------------------------------------------

    def start(self, persistent: bool = False) -> None:
        """Start the server, or join the one that runs; return when a connection answers.

        `persistent`: it outlives the programs that use it, until `stop`. Calling again is cheap
        and brings a crashed server back. Waits up to 60 s for crash recovery.
        Raises `Problem`: another major version, no way to run as root, no answer.
        """
        with self._guard:
            self._forget_fork()
            if self._clients and not persistent and self._try_connect(self.home.record()):
                return
            self.home.make(shared=os.geteuid() == 0)
            self._refuse_other_major()
            with starting(self.home, READY_SECONDS + 30):
                joined = self._clients is None
                if self._clients is None:
                    self._clients = Lock(self.home, "clients.lock")
                    self._clients.take(shared=True)
                try:
                    self._bring_up(persistent)
                except BaseException:
                    if joined:
                        self._clients.close()
                        self._clients = None
                    raise
            if joined:
                atexit.register(self.release)

    def release(self) -> None:
        """Stop using the server; the last one out stops it, unless it was started to stay."""
        atexit.unregister(self.release)
        with self._guard:
            self._forget_fork()
            if self._clients is None:
                return
            try:
                with starting(self.home, READY_SECONDS):
                    record = self.home.record()
                    alone = self._clients.take()
                    if alone and record and not record.persistent:
                        self._bring_down(record)
            except Problem as problem:
                log.warning("%s", problem)
            finally:
                self._clients.close()
                self._clients = None

    def stop(self) -> bool:
        """Stop the server, whoever uses it; False if none was running."""
        with self._guard:
            if not self.home.path.is_dir():
                return False
            with starting(self.home, READY_SECONDS):
                record = self.home.record()
                ran = is_held(self.home, "server.lock")
                if record:
                    self._bring_down(record)
                    self.home.remember(replace(record, persistent=False))
            return ran

    def uri(self, database: str = DEFAULT_DATABASE, user: str = SUPERUSER) -> str:
        """Return a connection string that any client understands; it holds the password.

        Raises `Problem` when the server was never started.
        """
        record = self.home.record()
        if record is None:
            raise Problem("the embedded server is not running", "run: taisce-pg server start")
        password = self.home.password(user)
        login = quote(user, safe="") + (f":{quote(password, safe='')}" if password else "")
        rest = urlencode({"host": record.socket_dir, "port": process.PORT}, safe="/")
        return f"postgresql://{login}@/{quote(database, safe='')}?{rest}"

    def status(self) -> ServerStatus:
        """Say how the server is without starting or joining it."""
        record = self.home.record() if self.home.path.is_dir() else None
        state = "stopped"
        if record and is_held(self.home, "server.lock"):
            state = "running" if self._try_connect(record) else "busy"
        up = record if state != "stopped" else None
        return ServerStatus(
            state=state,
            home=str(self.home.path),
            data_dir=str(self.data),
            version=self.binaries.version,
            pid=process.server_pid(self.data) if up else None,
            socket_dir=up.socket_dir if up else None,
            persistent=up.persistent if up else False,
            run_as=up.run_as if up else None,
            started=up.started if up else None,
        )

    # -- under start.lock ----------------------------------------------------------------------

    def _bring_up(self, persistent: bool) -> None:
        end = time.monotonic() + READY_SECONDS
        record = self.home.record()
        missing_since: float | None = None
        while not self._try_connect(record, make_database=True):
            lock = Lock(self.home, "server.lock")
            try:
                if lock.take():
                    record = self._launch(lock, persistent)
                    continue
            finally:
                lock.close()
            if record and not Path(record.socket_dir, f".s.PGSQL.{process.PORT}").exists():
                missing_since = missing_since or time.monotonic()
                if time.monotonic() - missing_since > 5:
                    self._interrupt()
            if time.monotonic() > end:
                raise Problem(
                    f"the embedded server in {self.home.path} has not answered "
                    f"for {READY_SECONDS:.0f} s",
                    f"see {self.home.log}; a long recovery may still be running: try again",
                )
            time.sleep(0.02)
        assert record
        if persistent and not record.persistent:
            self.home.remember(replace(record, persistent=True))

    def _launch(self, lock: Lock, persistent: bool) -> Record:
        """Start a server that inherits `lock`, and wait until it answers or is gone."""
        old = self.home.record()
        if old:
            process.remove_socket_dir(Path(old.socket_dir))
        run_as = choose(self.binaries, self.home.path, self.data)
        self._drop_stale_pid()
        if not (self.data / "PG_VERSION").exists():
            self._make_data(run_as, lock)
        record = Record(
            socket_dir=str(process.make_socket_dir(run_as)),
            persistent=persistent or bool(old and old.persistent),
            run_as=run_as.label,
            started=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        self.home.remember(record)
        output = self._open_log()
        mark = os.fstat(output).st_size
        try:
            process.launch(
                self.binaries,
                run_as,
                self.data,
                Path(record.socket_dir),
                self.settings,
                lock.fd,
                output,
            )
        finally:
            os.close(output)
        lock.close()
        end = time.monotonic() + READY_SECONDS
        while not self._try_connect(record):
            if not is_held(self.home, "server.lock"):
                process.remove_socket_dir(Path(record.socket_dir))
                raise Problem(
                    f"the embedded server did not start: {self._last_words(mark)}",
                    f"see {self.home.log}",
                )
            if time.monotonic() > end:
                break
            time.sleep(0.01)
        return record

    def _make_data(self, run_as: RunAs, lock: Lock) -> None:
        if self.data.exists() and any(self.data.iterdir()):
            raise Problem(
                f"{self.data} is not empty and no data directory of PostgreSQL",
                "move it away, or choose another folder with TAISCE_HOME",
            )
        draft = self.home.path / f".{self.data.name}.new"
        if draft.exists():
            shutil.rmtree(draft)
        draft.mkdir(mode=0o700)
        run_as.give(draft)
        password = self.home.password(SUPERUSER) or self.home.make_password(SUPERUSER)
        sync = self.settings.get("fsync", "on") != "off"
        try:
            process.initdb(self.binaries, run_as, draft, password, _FIRST_SETTINGS, lock.fd, sync)
        except Problem:
            shutil.rmtree(draft, ignore_errors=True)
            raise
        draft.rename(self.data)

    def _bring_down(self, record: Record) -> None:
        end = time.monotonic() + READY_SECONDS
        while is_held(self.home, "server.lock"):
            self._interrupt()
            if time.monotonic() > end:
                raise Problem(
                    f"the embedded server in {self.home.path} has not stopped "
                    f"for {READY_SECONDS:.0f} s",
                    f"see {self.home.log}",
                )
            time.sleep(0.01)
        process.remove_socket_dir(Path(record.socket_dir))

    def _interrupt(self) -> None:
        """Ask the server for a fast shutdown, if the process named is truly it."""
        pid = process.server_pid(self.data)
        if pid and process.lives(pid, self.data):
            os.kill(pid, signal.SIGINT)

    def _drop_stale_pid(self) -> None:
        """Remove a pid file that would fool the server: a zombie's, or a reused number's.

        Reached only while server.lock is free, so no server of ours lives.
        """
        pid = process.server_pid(self.data)
        if pid is None:
            return
        if process.lives(pid, self.data):
            raise Problem(
                f"another PostgreSQL (process {pid}), not started by this program, runs in "
                f"{self.data}",
                "stop it with pg_ctl, or connect to it with --dsn",
            )
        if process.exists(pid):
            (self.data / "postmaster.pid").unlink(missing_ok=True)

    # -- parts ---------------------------------------------------------------------------------

    def _try_connect(self, record: Record | None, make_database: bool = False) -> bool:
        """Tell whether the server answers; raise `Problem` if it refuses our password."""
        if record is None:
            return False
        directory = Path(record.socket_dir)
        owners = {os.geteuid()}
        if os.geteuid() == 0 and self.data.exists():
            owners.add(self.data.stat().st_uid)
        if not private(directory, owners):
            return False
        arguments: dict[str, Any] = {
            "host": str(directory),
            "port": process.PORT,
            "user": SUPERUSER,
            "password": self.home.password(SUPERUSER) or "",
            "dbname": "postgres",
            "connect_timeout": 10,
            "options": "",
            "autocommit": True,
        }
        try:
            with psycopg.connect(**arguments) as conn:
                found = conn.execute(
                    "select 1 from pg_catalog.pg_database where datname = %s", [DEFAULT_DATABASE]
                ).fetchone()
                if make_database and not found:
                    conn.execute(f"create database {DEFAULT_DATABASE}".encode())
        except psycopg.OperationalError as error:
            if "password authentication failed" in str(error):
                raise Problem(
                    f"the embedded server refuses the password kept in {self.home.path}/password",
                    "put the right one there, or move the folder away to begin anew",
                ) from error
            return "too many clients" in str(error)
        return True

    def _refuse_other_major(self) -> None:
        """Raise `Problem` if data of another major version is here; touch nothing."""
        found = _major(self.data)
        if found is None:
            others = (_major(place) for place in sorted(self.home.path.glob("pg*")))
            found = next((other for other in others if other), None)
        if found and found != self.binaries.major:
            raise Problem(
                f"{self.home.path} holds data of PostgreSQL {found}; "
                f"the installed programs are {self.binaries.version}",
                f"dump it with pg_dumpall of PostgreSQL {found}, move the folder away, start "
                "anew and restore the dump; or choose another folder with TAISCE_HOME",
            )

    def _open_log(self) -> int:
        if self.home.log.exists() and self.home.log.stat().st_size > _LOG_BYTES:
            os.replace(self.home.log, self.home.log.with_suffix(".log.1"))
        return self.home.open(self.home.log.name, os.O_RDWR | os.O_APPEND | os.O_CREAT)

    def _last_words(self, mark: int) -> str:
        """Return what the log says since byte `mark`: its first fatal line, else its last."""
        with open(self.home.log, "rb") as file:
            file.seek(mark)
            lines = file.read().decode(errors="replace").strip().splitlines()
        fatal = [line for line in lines if "FATAL" in line or "PANIC" in line]
        return (fatal or lines[-1:] or ["it left no word"])[0]

    def _forget_fork(self) -> None:
        """In a forked child, leave the parent's lock to the parent."""
        if self._pid != os.getpid():
            if self._clients:
                self._clients.close()
            self._clients = None
            self._pid = os.getpid()


def _major(directory: Path) -> int | None:
    try:
        return int((directory / "PG_VERSION").read_text().strip())
    except (OSError, ValueError):
        return None


_default: dict[Path, Server] = {}
_default_guard = threading.Lock()


def ensure_running() -> Server:
    """Start or join the server of the default home; later calls return the same one."""
    with _default_guard:
        home = default_home()
        if home not in _default:
            _default[home] = Server(home)
        server = _default[home]
    server.start()
    return server
