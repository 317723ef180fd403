"""Completion in shells: the scripts are ones that shells accept, and words are completed."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import ENVIRONMENT, SAVANNA, refused, run
from tests.support.tools import require_tool


def script(shell: str) -> str:
    """Return the script for a shell."""
    result = run("--show-completion", shell)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def completed(*words: str) -> list[str]:
    """Return what the last of the words can become, as the script for bash asks for it."""
    asked = {"_SAVANNA_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    result = subprocess.run(
        SAVANNA, env={**ENVIRONMENT, **asked}, capture_output=True, text=True, timeout=60, check=False
    )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.split()


def test_commands_and_options_are_completed() -> None:
    assert completed("savanna", "ro") == ["rollout"]
    assert completed("savanna", "r") == ["replay", "rollout", "rules"]
    assert completed("savanna", "rollout", "--po") == ["--policy", "--position"]
    assert completed("savanna", "nothing") == []


def test_bash_accepts_its_script_and_completes_by_it(tmp_path: Path) -> None:
    bash = require_tool("bash")
    path = tmp_path / "completion.bash"
    path.write_text(script("bash"))
    subprocess.run([bash, "-n", path], check=True)
    program = tmp_path / "savanna"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m savanna "$@"\n')
    program.chmod(0o755)
    asked = (
        f'source "{path}"; COMP_WORDS=(savanna ro); COMP_CWORD=1; _savanna_completion "{program}"; echo "$COMPREPLY"'
    )
    result = subprocess.run(
        [bash, "--norc", "-c", asked], env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "rollout\n", "")


@pytest.mark.parametrize(("shell", "sign"), [("zsh", "#compdef savanna"), ("fish", "complete --command savanna")])
def test_other_shells_have_scripts_too(shell: str, sign: str) -> None:
    assert sign in script(shell)


def test_bad_shells() -> None:
    refused(["--show-completion", "tcsh"], "--show-completion knows bash, zsh, fish, powershell, pwsh, got 'tcsh'")
    refused(["--install-completion", "bash"], "so it takes no 'bash'")
