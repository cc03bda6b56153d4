"""Which of PostgreSQL's functions an analyst never needs.

All VOLATILE ones, and of the STABLE ones those that look into the server, the session or the
catalogue. What the checker of open SQL lets through stays open to all.
"""

from __future__ import annotations

STABLE_BEGINNINGS = (
    "aclexplode",
    "col_description",
    "current_query",
    "current_schema",
    "current_setting",
    "cursor_to_",
    "database_to_",
    "format_type",
    "has_",
    "inet_client_",
    "inet_server_",
    "lo_",
    "obj_description",
    "pg_",
    "query_to_",
    "row_security_active",
    "schema_to_",
    "shobj_description",
    "table_to_",
    "to_reg",
    "ts_debug",
    "ts_stat",
    "txid_",
    "version",
)
"""How the names of those STABLE functions begin."""

RUN_TEXT = ("ts_rewrite(tsquery,text)",)
"""Functions that run a text as SQL while the checker lets others of their name through."""

KEPT_EXTENSIONS = ("vector", "plpgsql")
"""Extensions whose functions a memory needs; those of all others are revoked."""
