"""The JSON Schemas of the records."""

import json
from importlib import resources
from typing import Any


def schema(public: bool = False) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the record of a `Game`, or with `public` of a `PublicGame`.

    A schema cannot play: what it accepts may still not be a possible game. It accepts everything that `from_dict`
    accepts.
    """
    name = "public_schema.json" if public else "schema.json"
    text = resources.files("savanna.game").joinpath(name).read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content
