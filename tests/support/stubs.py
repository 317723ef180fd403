"""The docstrings of the type stub: `python -m tests.support.stubs --write` copies them from the extension module.

They are written once, in Rust. What is private keeps its stub as it is; signatures, constants and comments are written
by hand. What the stub lacks is added there by hand: a function with `...` for a body, a class with an empty docstring.
"""

import ast
import inspect
import sys
from pathlib import Path
from typing import Any

from savanna import _core

STUB = Path(_core.__file__).with_name("_core.pyi")


def with_docstrings(stub: str, module: Any) -> str:
    """Return the text of a stub with the docstrings of its module in place of its own."""
    lines = stub.splitlines()
    tree = ast.parse(stub)
    # From the end, so that the numbers of the lines before it stay right.
    for node, value in reversed(_documented(tree, module)):
        text = inspect.cleandoc(value.__doc__)
        first = node.body[0]
        indent, place = first.col_offset, slice(first.lineno - 1, first.end_lineno)
        if ast.get_docstring(node) is not None:
            lines[place] = _literal(text, indent)
        else:  # `def name(self) -> int: ...`
            head = lines[place][0][:indent].rstrip()
            gap = [""] if "".join(lines[first.lineno : first.lineno + 1]).strip() else []
            lines[place] = [head, *_literal(text, node.col_offset + 4), *gap]
    return "\n".join(lines) + "\n"


def _documented(tree: ast.Module, module: Any) -> list[tuple[Any, Any]]:
    """Return the parts of a stub that have docstrings, in their order, each with what it stands for."""
    parts: list[tuple[Any, Any]] = [(tree, module)]
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            value = getattr(module, node.name)
            parts.append((node, value))
            for member in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(member, ast.FunctionDef) and (
                    ast.get_docstring(member) or not member.name.startswith("_")
                ):
                    parts.append((member, getattr(value, member.name)))
    return parts


def _literal(text: str, indent: int) -> list[str]:
    """Return the lines of a docstring."""
    lines = [f'"""{text}"""'] if "\n" not in text else [*f'"""{text}'.splitlines(), '"""']
    return [" " * indent + line if line else "" for line in lines]


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    STUB.write_text(with_docstrings(STUB.read_text(encoding="utf-8"), _core), encoding="utf-8")
