"""Ask `savanna engine` for its move in each given view: `python examples/engine_client.py VIEW...`.

It uses only the standard library; a client in another language does the same. SAVANNA is the command to run.
"""

import json
import os
import shlex
import subprocess
import sys
from itertools import count
from typing import IO, Any

PROGRAM = shlex.split(os.environ.get("SAVANNA", "savanna"))
NUMBERS = count(1)


def ask(to_engine: IO[str], from_engine: IO[str], method: str, **params: Any) -> Any:
    """Send a request and wait for its answer; skip notifications of progress."""
    number = next(NUMBERS)
    to_engine.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
    to_engine.flush()
    for line in from_engine:
        answer = json.loads(line)
        if answer.get("id") == number:
            if "error" in answer:
                raise SystemExit(f"{method}: {answer['error']['message']}")
            return answer["result"]
    raise SystemExit("the engine has ended")


if __name__ == "__main__":
    engine = subprocess.Popen([*PROGRAM, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert engine.stdin is not None
    assert engine.stdout is not None
    pipes = (engine.stdin, engine.stdout)
    with engine:
        ask(*pipes, "initialize", client="engine_client.py")
        for view in sys.argv[1:]:
            ask(*pipes, "newGame", rules=view.split()[1] if " " in view else view)
            ask(*pipes, "setView", view=view)
            print(ask(*pipes, "bestMove", iterations=2000)["move"])
