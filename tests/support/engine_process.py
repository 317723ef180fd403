"""A client of `savanna engine` for the tests: every message of either side is held against the shipped schema."""

import contextlib
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterable
from typing import Any, Self

import jsonschema

from savanna.rpc import schema
from tests.support.timing import PATIENCE

COMMAND = [sys.executable, "-m", "savanna", "engine"]

_DEFINED = schema()["$defs"]
VALIDATORS = {
    name: jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": _DEFINED}) for name in _DEFINED
}
ENDLESS = 2**53
"""Iterations or games that take a century."""


def request(identity: Any, method: str, params: Any = ...) -> dict[str, Any]:
    """Return a request; without an identity (`...`), a notification."""
    content = {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}
    return {name: value for name, value in content.items() if value is not ...}


class Engine:
    """The process, and what it has said. `sent` are the methods of requests by id, to know what answers them."""

    def __init__(self, *options: str, starts: bool = True) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.progress: list[dict[str, Any]] = []
        self._sent: dict[str, str] = {}
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._number = 0
        self._reader = threading.Thread(target=self._read_on, daemon=True)
        self._reader.start()
        if starts:
            self.ask("initialize", client="tests")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    def _read_on(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, content: Any, *, is_valid: bool = True) -> None:
        """Send a message, which is as the schema has it or, as is said, is not."""
        assert VALIDATORS["fromClient"].is_valid(content) is is_valid, content
        for each in content if isinstance(content, list) else [content]:
            if isinstance(each, dict) and isinstance(each.get("method"), str):
                self._sent[json.dumps(each.get("id"))] = each["method"]
        self.write(json.dumps(content).encode() + b"\n")

    def read(self) -> Any:
        """Return the next message that is no notification of progress; None at the end."""
        while True:
            line = self._lines.get(timeout=PATIENCE)
            if not line:
                return None
            content = json.loads(line)
            VALIDATORS["fromEngine"].validate(content)
            if "method" in content:
                self.progress.append(content["params"])
                continue
            for each in content if isinstance(content, list) else [content]:
                self._check(each)
            return content

    def _check(self, answer: dict[str, Any]) -> None:
        """Hold a result against what its method gives."""
        if "result" in answer:
            VALIDATORS[f"{self._sent[json.dumps(answer['id'])]}.result"].validate(answer["result"])

    def call(self, method: str, params: Any = ..., *, is_valid: bool = True) -> Any:
        """Send a request and return the answer to it, which has to be the next."""
        self._number += 1
        self.send(request(self._number, method, params), is_valid=is_valid)
        answer = self.read()
        assert answer["id"] == self._number
        return answer

    def ask(self, method: str, **params: Any) -> Any:
        """Return the result of a request."""
        return self.call(method, params)["result"]

    def look_at(self, view: Any) -> Any:
        """Begin a game and set a view of it."""
        self.ask("newGame", rules=str(view.rules))
        return self.ask("setView", view=str(view))

    def close(self) -> tuple[list[Any], int, bytes]:
        """Close its input; return what it still says, its exit code, and what it wrote to standard error."""
        process = self.process
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.close()
        rest = list(iter(self.read, None))
        return rest, process.wait(PATIENCE), process.stderr.read()


def errors(answers: Iterable[Any]) -> list[int]:
    """Return the codes of answers that are errors."""
    return [answer["error"]["code"] for answer in answers if "error" in answer]
