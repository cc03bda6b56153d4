"""The checker of open SQL: says whether one SELECT may run, without a database."""

from taisce_pg.sandbox.check import Checked, check
from taisce_pg.sandbox.refusal import Refusal

__all__ = ["Checked", "Refusal", "check"]
