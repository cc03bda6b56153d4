"""Take from PUBLIC, in one database, what an analyst never needs; and give it back."""

from taisce_pg.harden.plan import Change, plan_hardening
from taisce_pg.harden.run import harden, is_hardened, undo, undo_script

__all__ = ["Change", "harden", "is_hardened", "plan_hardening", "undo", "undo_script"]
