"""The JSON Schema of the messages."""

import json
from importlib import resources
from typing import Any


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of what is sent to the engine and by it.

    `$defs` has the messages of either side, `fromClient` and `fromEngine`, and for each method what it takes and gives,
    as `analyse.params` and `analyse.result`.
    """
    text = resources.files("savanna.rpc").joinpath("schema.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content
