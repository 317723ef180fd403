"""What is public: the modules that the reference describes, and their names. The tests hold the reference to it."""

from types import ModuleType

MODULES = (
    "savanna",
    "savanna.players",
    "savanna.errors",
    "savanna.records",
    "savanna.types",
    "savanna.arena",
    "savanna.game",
    "savanna.render",
    "savanna.rpc",
    "savanna.serve",
    "savanna.studies",
    "savanna.distributed",
    "savanna.envs",
    "savanna.envs.gymnasium",
    "savanna.envs.pettingzoo",
    "savanna.envs.openspiel",
    "savanna.reference",
)
"""The public modules. Where two of them show the same object, it is described under its name in the first."""


def public_names(module: ModuleType) -> list[str]:
    """Return the public names of a module: its ``__all__``, or the classes and functions that it defines itself."""
    defined = [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    ]
    return list(getattr(module, "__all__", defined))
