"""Who runs the server: PostgreSQL refuses to run as root.

For root there are two ways, and neither changes the mode of anything that exists:
an unprivileged user, if that user can reach the programs and the folder; else a user namespace,
in which the server is not root although its files belong to root.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from taisce_pg.embedded.binaries import Binaries
from taisce_pg.problem import Problem


@dataclass(frozen=True)
class RunAs:
    """How to start a program of the server, and the user and group its files belong to."""

    label: str
    uid: int
    gid: int
    prefix: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)

    def give(self, path: Path) -> None:
        """Give a file or folder, just made, to the server's user."""
        if os.geteuid() == 0:
            os.chown(path, self.uid, self.gid)


def choose(binaries: Binaries, home: Path, data: Path) -> RunAs:
    """Choose who runs a server whose data directory is or will be `data`.

    Raises `Problem` when root finds neither way open.
    """
    if os.geteuid() != 0:
        return RunAs("self", os.geteuid(), os.getegid())
    if data.exists():
        owner = data.stat()
        if owner.st_uid == 0:
            return _namespace(home)
        user = _user(owner.st_uid, owner.st_gid)
        if _reaches(user, [binaries.path("postgres"), data]):
            return user
        raise Problem(
            f"{data} belongs to user {user.label}, who cannot reach it or {binaries.bin}",
            "run as that user, or choose another folder with TAISCE_HOME",
        )
    nobody = _nobody()
    if nobody and _reaches(nobody, [binaries.path("postgres"), _nearest(home)]):
        return nobody
    return _namespace(home)


def _user(uid: int, gid: int) -> RunAs:
    try:
        label = pwd.getpwuid(uid).pw_name
    except KeyError:
        label = str(uid)
    return RunAs(label, uid, gid, options={"user": uid, "group": gid, "extra_groups": []})


def _nobody() -> RunAs | None:
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        return None
    return _user(entry.pw_uid, entry.pw_gid)


def _nearest(path: Path) -> Path:
    """Return the path itself or its nearest ancestor that exists."""
    return next(place for place in (path, *path.parents) if place.exists())


def _reaches(user: RunAs, paths: list[Path]) -> bool:
    """Tell whether a user may pass all these folders and run these programs."""
    test = 'for path in "$@"; do test -x "$path" || exit 1; done'
    return not subprocess.run(
        ["/bin/sh", "-c", test, "sh", *paths],
        cwd="/",
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **user.options,
    ).returncode


def _namespace(home: Path) -> RunAs:
    nobody = _nobody()
    unshare = shutil.which("unshare")
    if nobody and unshare:
        prefix = (unshare, "-U", f"--map-user={nobody.uid}", f"--map-group={nobody.gid}", "--")
        tried = subprocess.run([*prefix, "true"], cwd="/", capture_output=True)
        if not tried.returncode:
            return RunAs("namespace", 0, 0, prefix)
    raise Problem(
        "PostgreSQL does not run as root, and here root can neither make a user namespace nor "
        f"let user nobody reach {home} and the installed programs",
        "set TAISCE_HOME to a folder such as /var/lib/taisce-pg with this package installed "
        "outside private folders, or run as an ordinary user, or give a server with --dsn",
    )
