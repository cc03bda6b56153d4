"""A PostgreSQL of one's own under the user's data directory, for those who have none.

Only the binaries come from a package; starting, sharing and stopping are here. A server lives
while a program uses it: every program holds a shared lock that the kernel drops when it dies,
and the last one to leave stops the server, unless it was started to stay.
"""

from taisce_pg.embedded.binaries import Binaries, find_binaries
from taisce_pg.embedded.home import default_home
from taisce_pg.embedded.server import DEFAULT_DATABASE, Server, ServerStatus, ensure_running

__all__ = [
    "DEFAULT_DATABASE",
    "Binaries",
    "Server",
    "ServerStatus",
    "default_home",
    "ensure_running",
    "find_binaries",
]
