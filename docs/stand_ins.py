"""Lets Sphinx document the compiled engine with its types.

The extension module carries docstrings and names of parameters, but no types: those are in ``_core.pyi``, which is
valid Python. So the classes and functions of the stub, whose docstrings are the same to the letter, stand in for the
compiled ones while the manual is built. Nothing of the engine may be called after that.
"""

import __future__

import inspect
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, TypeVar
from unittest.mock import patch

import numpy
from sphinx.pycode import ModuleAnalyzer

from public_names import MODULES, public_names

_Item = TypeVar("_Item")


class NDArray(Generic[_Item]):
    """Stands in for NumPy's alias, which would be written out as ``ndarray[tuple[Any, ...], dtype[...]]``."""


class ArrayLike:
    """Stands in for NumPy's alias, which would be written out at even greater length."""


def install() -> dict[str, str]:
    """Put the stub's classes and functions in the place of the compiled ones, in every module that shows them.

    Returns under which public name each object can be looked up, by the module and name that it says of itself.
    """
    stand_ins: dict[str, Any] = {"NDArray": NDArray, "ArrayLike": ArrayLike}
    for alias in stand_ins.values():
        alias.__module__ = "numpy.typing"
    with patch.multiple("numpy.typing", **stand_ins):
        modules = [import_module(name) for name in MODULES]
        # Here the types of arrays are for type checkers alone, as the plain engine needs no NumPy.
        vars(import_module("savanna.reference.table")).update(np=numpy, NDArray=NDArray)
        path = Path(str(sys.modules["savanna._core"].__file__)).with_name("_core.pyi")
        stub = _read_stub(path)
    # Members stand in the order of the stub, which Sphinx would look for in the source of the package.
    package = ModuleAnalyzer.for_module("savanna")
    package.analyze()
    package.tagorder.update(_order(path))
    for module in list(sys.modules.values()):
        if module.__name__.partition(".")[0] == "savanna":
            for name in stub.keys() & vars(module).keys():
                if getattr(vars(module)[name], "__module__", "") in ("savanna", "savanna._core"):
                    setattr(module, name, stub[name])
    homes: dict[str, str] = {}
    for module in modules:
        for name in public_names(module):
            value = getattr(module, name)
            if inspect.isclass(value) or inspect.isfunction(value):
                homes.setdefault(f"{value.__module__}.{value.__qualname__}", f"{module.__name__}.{name}")
    return homes


def _order(stub: Path) -> dict[str, int]:
    """Return in which order the names of the stub stand."""
    analyzer = ModuleAnalyzer.for_file(stub, "savanna")
    analyzer.analyze()
    return analyzer.tagorder


def _read_stub(path: Path) -> dict[str, Any]:
    """Return the public classes and functions of the stub of the engine, as if they were the engine's."""
    flag = __future__.annotations.compiler_flag
    names: dict[str, Any] = {"__name__": "savanna"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec", flags=flag, dont_inherit=True), names)
    return {name: names[name] for name in names["__all__"] if callable(names.get(name))}
