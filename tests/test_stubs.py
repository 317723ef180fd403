"""The docstrings of the type stub are those of the extension module, written by `make stubs`."""

import re
from types import SimpleNamespace

from savanna import _core
from tests.support.stubs import STUB, with_docstrings


def test_the_stub_is_what_the_program_writes() -> None:
    stub = STUB.read_text(encoding="utf-8")
    assert with_docstrings(stub, _core) == stub, "run `make stubs`"


def test_docstrings_that_are_missing_or_old_are_written() -> None:
    """Taking the one-line docstrings away and changing the first of all leads back to the same stub."""
    stub = STUB.read_text(encoding="utf-8")
    bare, count = re.subn(r'(\n    def [a-z]\w*\(.*\) -> .*:)\n +""".*"""\n', r"\1 ...\n", stub)
    assert count > 50
    old = bare.replace('"""The compiled engine', '"""The uncompiled engine')
    assert old != bare
    assert with_docstrings(old, _core) == stub


def test_what_is_private_keeps_its_stub() -> None:
    def public() -> None:
        """Do this.

        And that.
        """

    module = SimpleNamespace(__doc__="All.", public=public, Thing=type("Thing", (), {"__doc__": "A thing."}))
    stub = '"""Old."""\n\ndef public() -> None: ...\n\nclass Thing:\n    """"""\n\n    def _hidden(self) -> int: ...\n'
    assert with_docstrings(stub, module) == (
        '"""All."""\n\ndef public() -> None:\n    """Do this.\n\n    And that.\n    """\n\n'
        'class Thing:\n    """A thing."""\n\n    def _hidden(self) -> int: ...\n'
    )
