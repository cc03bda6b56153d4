"""Embedders for tests: one that counts, and an endpoint that misbehaves as it is told."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMENSIONS = 32


def vector_of(text: str, dimensions: int = DIMENSIONS) -> list[float]:
    """Make a vector of the words of a text: texts with words in common are near each other."""
    made = [0.0] * dimensions
    for word in text.lower().replace(".", " ").replace("?", " ").replace(":", " ").split():
        place, sign = struct.unpack("<IB", hashlib.sha256(word.encode()).digest()[:5])
        made[place % dimensions] += 1.0 if sign & 1 else -1.0
    length = math.sqrt(sum(number * number for number in made))
    return [number / length for number in made] if length else [1.0, *made[1:]]


class Counting:
    """An embedder that counts what it is asked, and may be slow or fail."""

    revision = ""
    input_version = "1"

    def __init__(self, model: str = "words", dimensions: int = DIMENSIONS) -> None:
        self.model = model
        self.dimensions: int | None = dimensions
        self.asked: list[str] = []
        self.delay = 0.0
        self.failure: Exception | None = None
        self.before: Callable[[], None] = lambda: None

    def embed(
        self, texts: Sequence[str], *, seconds: float | None = None, question: bool = False
    ) -> list[list[float]]:
        """Answer, after what tests want to happen first."""
        self.asked += texts
        self.before()
        if self.delay:
            time.sleep(self.delay)
        if self.failure is not None:
            raise self.failure
        assert self.dimensions is not None
        return [vector_of(text, self.dimensions) for text in texts]


@dataclass
class Endpoint:
    """What an endpoint is to answer next, and what it was asked."""

    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    script: list[Callable[[Handler, dict[str, Any]], None]] = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    """One request: the next of the script, else a right answer."""

    endpoint: Endpoint
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer as the script says."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.endpoint.asked.append(body)
        self.endpoint.headers.append({key.lower(): value for key, value in self.headers.items()})
        self.endpoint.times.append(time.monotonic())
        answer = self.endpoint.script.pop(0) if self.endpoint.script else right
        answer(self, body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def reply(self, status: int, body: Any, **headers: str) -> None:
        """Send an answer."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        # Who asked may have gone: that is what some tests do.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.wfile.write(data)


def right(handler: Handler, body: dict[str, Any]) -> None:
    """Answer with the vectors, last first, to see that the index is followed."""
    size = body.get("dimensions", DIMENSIONS)
    rows = [
        {"object": "embedding", "index": place, "embedding": vector_of(text, size)}
        for place, text in enumerate(body["input"])
    ]
    handler.reply(200, {"object": "list", "data": rows[::-1], "model": body["model"]})


def status(code: int, told: str = "", **headers: str) -> Callable[[Handler, dict[str, Any]], None]:
    """Make an answer that refuses; its message repeats what was sent, as some do."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        message = {"message": f"{told} {body['input']}", "code": told or None}
        handler.reply(code, {"error": message}, **headers)

    return answer


def stall(seconds: float) -> Callable[[Handler, dict[str, Any]], None]:
    """Make an answer that comes late."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        time.sleep(seconds)
        right(handler, body)

    return answer


def trickle(handler: Handler, body: dict[str, Any]) -> None:
    """Send a byte now and then, so that no single wait is long."""
    handler.send_response(200)
    handler.send_header("content-length", "100000")
    handler.end_headers()
    for _ in range(100):
        try:
            handler.wfile.write(b" ")
            handler.wfile.flush()
        except OSError:
            return
        time.sleep(0.05)


def cut(handler: Handler, body: dict[str, Any]) -> None:
    """Cut the connection in the middle of an answer."""
    handler.send_response(200)
    handler.send_header("content-length", "100000")
    handler.end_headers()
    handler.wfile.write(b'{"data": [')
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def rows(*made: Any) -> Callable[[Handler, dict[str, Any]], None]:
    """Make an answer of just these embeddings."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        data = [{"index": place, "embedding": one} for place, one in enumerate(made)]
        handler.reply(200, {"data": data})

    return answer


def raw(body: bytes) -> Callable[[Handler, dict[str, Any]], None]:
    """Make an answer of just these bytes."""
    return lambda handler, _: handler.reply(200, body)


@contextmanager
def endpoint() -> Iterator[Endpoint]:
    """Run an endpoint on loopback."""
    told = Endpoint()
    handler = type("Told", (Handler,), {"endpoint": told})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    told.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
