"""What the database advises, in the words of the command line."""

from __future__ import annotations

import re

_COMMANDS = {
    "active_model": "embed status",
    "add_alias": "alias",
    "answer_context": "answer",
    "assert_fact": "assert",
    "begin_generation": "embed",
    "begin_rebuild": "rebuild begin",
    "advance_rebuild": "rebuild advance",
    "end_rebuild": "rebuild end",
    "context": "context",
    "correct_fact": "correct",
    "create_project": "project create",
    "expire": "expire",
    "explain_recall": "explain",
    "fact_context": "facts",
    "freshness": "freshness",
    "generations": "embed status",
    "get_entity": "entities",
    "grant_project": "project grant",
    "graph_neighborhood": "graph",
    "list_entities": "entities",
    "list_projects": "project list",
    "list_records": "records",
    "list_settings": "setting list",
    "mark_contradiction": "contradict",
    "mark_formed": "formed",
    "merge_entities": "merge",
    "message_window": "message",
    "observe": "observe",
    "passage_search": "passages",
    "query_space": "space",
    "recall": "recall",
    "recall_anchors": "resolve",
    "recall_plan": "plan",
    "record_history": "records --history",
    "refresh_words": "words --refresh",
    "register_community": "register community",
    "register_report": "register report",
    "register_segment": "register segment",
    "report_feedback": "feedback",
    "resolve_citation": "cite",
    "resolve_entity": "resolve",
    "retire_generation": "embed retire",
    "retract_fact": "retract",
    "revoke_project": "project grant NAME ROLE none",
    "saved_queries": "saved list",
    "segments_due": "segments-due",
    "set_setting": "setting set",
    "suspend_project": "project suspend",
    "testimony_context": "testimony",
    "why_not": "why-not",
    "withdraw_support": "withdraw",
}
"""The command that does what a function does."""

_OPTIONS = {
    "as_known_at": "--as-known-at",
    "as_of": "--as-of",
    "data_subject_id": "--subject",
    "entity_ids": "--entity",
    "entity_type": "--entity-type",
    "source_roles": "--role",
    "query_embedding and embedding_model": "TAISCE_EMBEDDER a value",
}
"""How an argument is given on the command line."""

_WORDS = {"argument project": "option --project", "call taisce-pg": "run taisce-pg"}

_FUNCTION = re.compile(
    r"(?P<schema>\bmemory_v1\.)?\b(?P<name>[a-z]+(?:_[a-z]+)*)\b(?P<call>\([^()]*\))?"
)
_DENIED = re.compile(r"permission denied for (?P<kind>\w+(?: \w+)?) \"?(?P<name>[\w.]+)\"?")

_WRITES = {
    "add_alias", "advance_rebuild", "assert_fact", "begin_rebuild", "correct_fact", "end_rebuild",
    "load", "mark_contradiction", "mark_formed", "merge_entities", "observe", "park",
    "register_community", "register_report", "register_segment", "retract_fact", "save_query",
    "unmerge", "withdraw_support",
}  # fmt: skip
_ADMINISTERS = {
    "activate_generation", "activate_query", "begin_generation", "create_project", "embedding_due",
    "erase_observations", "erase_subject", "expire", "export_lines", "grant_project",
    "index_generation", "maintain", "ready_generation", "recall_plan", "refresh_words",
    "release_content", "retire_generation", "retire_query", "revoke_project", "set_setting",
    "settle_generation", "store_embeddings", "suspend_project",
}  # fmt: skip


def translated(hint: str) -> str:
    """Return a hint of the database with commands and options for functions and arguments.

    A word counts as a function only where it cannot be plain English: in the schema, with
    parentheses or with an underscore.
    """
    text = _FUNCTION.sub(_command, hint)
    for name, option in _OPTIONS.items():
        text = re.sub(rf"(?<![\w-]){name}(?![\w-])", option, text)
    for word, said in _WORDS.items():
        text = text.replace(word, said)
    return text


def _command(found: re.Match[str]) -> str:
    command = _COMMANDS.get(found["name"])
    sure = found["schema"] or found["call"] or "_" in found["name"]
    return f"taisce-pg {command}" if command and sure else found[0]


def missing_role(message: str) -> str | None:
    """Return which role lets a login do what it was denied, and how it gets that role.

    None if the denial is not about the memory's own functions, schemas, views and tables.
    """
    found = _DENIED.search(message)
    if found is None:
        return None
    name = found["name"].rpartition(".")[2]
    if found["kind"] == "function":
        role = role_for(name)
        need = f"this needs the role taisce_{role}"
    elif found["kind"] == "schema" and name == "memory_v1":
        role = "reader"
        need = "this login has no role of the memory: taisce_reader asks, taisce_writer writes"
    elif found["kind"] == "schema" and name == "taisce":
        role = "admin"
        need = "only commands of administrators look there: this needs the role taisce_admin"
    else:
        return None
    return f"{need}; a superuser, or who installed it, runs: grant taisce_{role} to LOGIN"


def role_for(function: str) -> str:
    """Return the last word of the role that may call a public function."""
    if function in _ADMINISTERS:
        return "admin"
    if function in _WRITES:
        return "writer"
    return "analyst" if function == "begin_query" else "reader"
