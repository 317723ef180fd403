"""README.md tells the truth: its Python runs, its commands run, and what it shows of their output is what comes out.

So does docs/environments.md, as far as it has the like.
"""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from readme_blocks import ENVIRONMENTS, README, Block, read_blocks

DOCUMENTS = (README, ENVIRONMENTS)
SHELL_LANGUAGES = ("sh", "bash", "shell", "console")

# What a machine is free to answer differently: times, rates, the backend and the number of threads.
MACHINE_LINE = re.compile(r"games/s|seconds|CPU")


def shell_commands(block: Block) -> list[tuple[str, list[str]]]:
    """Return the commands of a shell block, each with the output that is shown after it (none without prompts)."""
    lines = block.text.splitlines()
    if not any(line.startswith("$ ") for line in lines):
        return [(part.strip(), []) for line in lines for part in line.split("&&")]
    commands: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands and line.strip():
            commands[-1][1].append(line.rstrip())
    return commands


def savanna_commands() -> list[tuple[str, list[str]]]:
    blocks = [block for block in read_blocks() if block.language in SHELL_LANGUAGES]
    commands = [command for block in blocks for command in shell_commands(block)]
    return [(command, shown) for command, shown in commands if re.match(r"(python -m )?savanna\b", command)]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_python_blocks_run_in_order(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = [block for block in read_blocks(document) if block.language == "python"]
    assert blocks
    names: dict[str, object] = {"__name__": "readme"}
    for block in blocks:
        # Blank lines in front make tracebacks name the line of the document.
        exec(compile("\n" * (block.line - 1) + block.text, str(document), "exec"), names)


def test_commands_run_and_print_what_is_shown(tmp_path: Path) -> None:
    commands = savanna_commands()
    assert any(command.startswith("savanna rollout") for command, _ in commands)
    for command, shown in commands:
        words = shlex.split(command, comments=True)
        program = words[3:] if words[0] == "python" else words[1:]
        result = subprocess.run(
            [sys.executable, "-m", "savanna", *program],
            capture_output=True,
            encoding="utf-8",
            cwd=tmp_path,
            check=False,
        )
        assert (result.returncode, result.stderr) == (0, ""), command
        if shown:
            printed = [line.rstrip() for line in result.stdout.splitlines() if line.strip()]
            assert len(printed) == len(shown), command
            for printed_line, shown_line in zip(printed, shown, strict=True):
                if not MACHINE_LINE.search(shown_line):
                    assert printed_line == shown_line, command


def test_first_blocks_are_the_two_commands_that_start_everything() -> None:
    first, second = [block.text.strip() for block in read_blocks() if block.language in SHELL_LANGUAGES][:2]
    assert first == "pip install . && savanna rollout"
    assert second == "pip install '.[test]' && pytest"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_to_files_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_an_unclosed_block_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text("one\n```python\nx = 1\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"README.md, line 2: the code block is never closed"):
        read_blocks(path)
