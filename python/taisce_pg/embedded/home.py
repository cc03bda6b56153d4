"""The files of one embedded server: where they are, who may read them, what they say.

password        of the superuser, 0600; password.NAME of another login
pg18/           the data directory, named after the major version
server.json     socket directory, who runs it, whether it is to stay
server.log      what the server wrote
*.lock          see locks.py
"""

from __future__ import annotations

import json
import os
import secrets
import stat
from dataclasses import asdict, dataclass
from pathlib import Path

import platformdirs

from taisce_pg.problem import Problem


def default_home() -> Path:
    """Return TAISCE_HOME, else the user's data directory for this program."""
    chosen = os.environ.get("TAISCE_HOME")
    if chosen:
        return Path(chosen).expanduser()
    return Path(platformdirs.user_data_dir("taisce-pg"))


@dataclass(frozen=True)
class Record:
    """What is remembered of the server started last."""

    socket_dir: str
    persistent: bool
    run_as: str
    started: str


class Home:
    """Read and write the files beside the data directory."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()

    @property
    def log(self) -> Path:
        """Return the path of the server's log."""
        return self.path / "server.log"

    def make(self, shared: bool) -> None:
        """Create the folder if it is missing; an existing one keeps its mode.

        `shared`: another user, who runs the server, must be able to pass through a new folder.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self.path.is_dir():
                self.path.mkdir(mode=0o700)
                if shared:
                    self.path.chmod(0o711)
        except OSError as error:
            if isinstance(error, FileExistsError) and self.path.is_dir():
                return  # another program was quicker
            raise Problem(
                f"the folder of the embedded server, {self.path}, cannot be used: "
                f"{error.strerror or error}",
                "choose another with TAISCE_HOME, or give a server with --dsn",
            ) from error

    def open(self, name: str, flags: int) -> int:
        """Open a private file (0600) of the home, making it if asked, and return its number."""
        path = self.path / name
        made = not path.exists()
        try:
            number = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise Problem(
                f"{path} cannot be opened: {error.strerror}",
                "run as the user who made it, or choose another folder with TAISCE_HOME",
            ) from error
        if made and os.geteuid() == 0:
            owner = self.path.stat()
            os.fchown(number, owner.st_uid, owner.st_gid)
        return number

    def write(self, name: str, text: str) -> None:
        """Replace a private file in one step."""
        draft = f".{name}.new"
        (self.path / draft).unlink(missing_ok=True)
        with os.fdopen(self.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "w") as file:
            file.write(text)
        os.replace(self.path / draft, self.path / name)

    def read(self, name: str) -> str | None:
        """Return the text of a file, or None if there is none."""
        if not (self.path / name).exists():
            return None
        with os.fdopen(self.open(name, os.O_RDONLY)) as file:
            return file.read()

    def password(self, user: str) -> str | None:
        """Return the password kept for a login, or None."""
        text = self.read(_password_file(user))
        return text.strip() if text else None

    def make_password(self, user: str) -> str:
        """Make, keep and return a new password for a login; the caller sets it in the server."""
        password = secrets.token_urlsafe(24)
        self.write(_password_file(user), password + "\n")
        return password

    def record(self) -> Record | None:
        """Return what is remembered of the server started last."""
        text = self.read("server.json")
        try:
            return Record(**json.loads(text)) if text else None
        except (ValueError, TypeError):
            return None

    def remember(self, record: Record) -> None:
        """Write down what the next program must know."""
        self.write("server.json", json.dumps(asdict(record)) + "\n")


def _password_file(user: str) -> str:
    if user == "postgres":
        return "password"
    if not user.replace("_", "").isalnum():
        raise ValueError(f"not a login name: {user!r}")
    return f"password.{user}"


def private(directory: Path, owners: set[int]) -> bool:
    """Tell whether a directory is closed to all but one of the owners given."""
    try:
        found = directory.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o077 and found.st_uid in owners
