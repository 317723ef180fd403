"""The extension module runs on any x86-64 processor: newer instructions stand only in functions that are called where
the processor has them."""

import platform
import re
import subprocess

import pytest

import savanna._core
from tests.support.tools import require_tool

# What came after the x86-64 baseline (SSE2): wide registers, their instructions, and counting bits.
NEWER = re.compile(r"%[yz]mm|%k[0-7]\b|\t(?:v[a-z]\w*|popcnt|lzcnt|andn|bls\w+|pext|pdep|mulx|pshufb|pblendvb)\s")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
# Chosen when the program runs: ours, and those of the library that Rust's own library searches bytes with.
CHOSEN = re.compile(r"play_avx2|play_avx512|by_avx2|memchr.*avx2")


def functions_with_newer_instructions() -> set[str]:
    command = [require_tool("objdump"), "--disassemble", "--no-show-raw-insn", savanna._core.__file__]
    function, found = "", set()
    for line in subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.splitlines():
        if start := FUNCTION.match(line):
            function = start[1]
        elif NEWER.search(line):
            found.add(function)
    return found


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="only x86-64 has these instructions")
def test_newer_instructions_stand_only_where_they_are_chosen() -> None:
    found = functions_with_newer_instructions()
    # The check sees something: our own vector functions.
    assert all(any(name in function for function in found) for name in ("play_avx2", "play_avx512", "by_avx2"))
    assert {function for function in found if not CHOSEN.search(function)} == set()
