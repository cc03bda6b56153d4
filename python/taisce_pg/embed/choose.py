"""Which embedder: chosen by a word, options, or the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from taisce_pg.embed.port import Embedder
from taisce_pg.problem import Problem

VARIABLE = "TAISCE_EMBEDDER"
NONE = "none"
_HINT = "give local, local:minilm, local:wordllama, http or none"


@dataclass(frozen=True)
class Choice:
    """What was chosen; every field may come from TAISCE_EMBEDDER_<FIELD>, `kind` from
    TAISCE_EMBEDDER itself. The key comes from the environment only.
    """

    kind: str = ""
    url: str = ""
    model: str = ""
    revision: str = ""
    dimensions: int | None = None
    shorten: bool = False
    question_prefix: str = ""
    text_prefix: str = ""

    @classmethod
    def of_environment(cls, environment: Mapping[str, str] = os.environ) -> Choice:
        """Read the variables. Raises `Problem` for one that is not understood."""
        made: dict[str, object] = {"kind": environment.get(VARIABLE, "").strip()}
        for field in fields(cls)[1:]:
            name = f"{VARIABLE}_{field.name.upper()}"
            text = environment.get(name, "")
            if not text:
                continue
            if field.name == "dimensions":
                made[field.name] = _dimensions(text, name)
            elif field.name == "shorten":
                made[field.name] = _flag(text, name)
            else:
                made[field.name] = text if field.name.endswith("prefix") else text.strip()
        return cls(**made)  # type: ignore[arg-type]

    def over(self, given: Mapping[str, object]) -> Choice:
        """Return this choice with what was given instead; None and "" were not."""
        named = {name: value for name, value in given.items() if value not in (None, "", False)}
        if named.get("kind", self.kind) != self.kind:
            # Another kind of embedder: what was set for the first one does not fit it.
            return replace(Choice(), **named)  # type: ignore[arg-type]
        return replace(self, **named)  # type: ignore[arg-type]

    @property
    def wanted(self) -> bool:
        """Tell whether an embedder was chosen at all."""
        return self.kind not in ("", NONE)


def open_embedder(choice: str | Choice, environment: Mapping[str, str] = os.environ) -> Embedder:
    """Make the embedder of a choice, or of the word for one with the rest from the environment.

    "local" is the best local model that is installed. Raises `Problem`, one line for each
    mistake.
    """
    if isinstance(choice, str):
        choice = Choice.of_environment(environment).over({"kind": choice})
    kind, _, which = choice.kind.partition(":")
    if choice.kind.startswith(("http://", "https://")):
        choice, kind = replace(choice, kind="http", url=choice.kind), "http"
    elif kind == "http" and which:
        raise Problem(f"no embedder {choice.kind!r}", _HINT, 2)
    if kind == "http":
        return _http(choice, environment)
    if kind == "local":
        return _local(which, choice)
    raise Problem(f"no embedder {choice.kind!r}" if kind else "no embedder chosen", _HINT, 2)


def _http(choice: Choice, environment: Mapping[str, str]) -> Embedder:
    for name, value in (("URL", choice.url), ("model", choice.model)):
        if not value:
            raise Problem(
                f"the embedder http needs a {name}",
                f"give --{name.lower()}, or set {VARIABLE}_{name.upper()}",
                2,
            )
    from taisce_pg.embed.http import HttpEmbedder

    if choice.shorten and choice.dimensions is None:
        raise Problem("the embedder shortens to no dimensions", "give --dimensions", 2)
    return HttpEmbedder(
        choice.url,
        choice.model,
        key=environment.get(f"{VARIABLE}_KEY", "").strip(),
        dimensions=choice.dimensions,
        revision=choice.revision,
        shorten=choice.shorten,
        question_prefix=choice.question_prefix,
        text_prefix=choice.text_prefix,
    )


def _local(which: str, choice: Choice) -> Embedder:
    for name in ("url", "model", "revision", "shorten", "question_prefix", "text_prefix"):
        if getattr(choice, name):
            option = name.replace("_", "-")
            raise Problem(f"a local model takes no --{option}", "leave it out, or say http", 2)
    from taisce_pg.embed.local import MODELS, installed

    found = installed()
    if not which:
        if not found:
            raise Problem("no local model is installed", "pip install 'taisce-pg[local-model]'", 2)
        which = found[0]
    if which not in MODELS:
        raise Problem(f"no local model {which!r}", _HINT, 2)
    if which not in found:
        raise Problem(
            f"the local model {which} is not installed", "pip install 'taisce-pg[local-model]'", 2
        )
    model: Embedder = MODELS[which]()
    if choice.dimensions not in (None, model.dimensions):
        raise Problem(f"{which} has {model.dimensions} dimensions", "leave --dimensions out", 2)
    return model


def _dimensions(text: str, name: str) -> int:
    if not text.strip().isdecimal() or not 1 <= int(text) <= 16_000:
        raise Problem(f"{name} is no number from 1 to 16000", "set it to what the model gives", 2)
    return int(text)


def _flag(text: str, name: str) -> bool:
    if text.strip().lower() not in ("1", "0", "true", "false", "yes", "no"):
        raise Problem(f"{name} is neither 1 nor 0", "set it to 1 or 0", 2)
    return text.strip().lower() in ("1", "true", "yes")
