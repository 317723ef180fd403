"""The manual tells the truth: on every page the Python runs, the commands run and print what is shown, links lead on.

What is a page, `doc_blocks.pages` finds by looking; README.md is one of them.
"""

import io
import json
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from tests.support.doc_blocks import WITHOUT_EXAMPLES, Block, name_of, pages, read_blocks
from tests.support.paths import DOCS, README, ROOT

SHELL_LANGUAGES = ("sh", "console")

# Blocks that nothing runs: notation and settings that are shown, and directives of the manual's generator.
SHOWN = re.compile(r"text|json|toml|\{[a-z-]+\}.*")

# Commands that are not run here: they install, build, or take long. The checks of a change do what they do.
NOT_RUN = re.compile(r"(pip install|pytest|make|cargo|gcc|savanna serve|python (examples|benchmarks)/\S+)\b")
SAVANNA = re.compile(r"(?:python -m )?savanna (?!serve)")

# What a machine is free to answer differently: times, rates, the backend and the number of threads.
MACHINE_LINE = re.compile(r"games/s|seconds|CPU")

PAGES = pages()
WITH_EXAMPLES = [page for page in PAGES if name_of(page) not in WITHOUT_EXAMPLES]


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


def run_command(command: str, shown: list[str], directory: Path) -> None:
    """Run a command of savanna and compare what it prints with what is shown, if anything is."""
    words = shlex.split(command, comments=True)
    program = words[3:] if words[0] == "python" else words[1:]
    result = subprocess.run(
        [sys.executable, "-m", "savanna", *program],
        capture_output=True,
        encoding="utf-8",
        cwd=directory,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, ""), command
    if shown:
        printed = [line.rstrip() for line in result.stdout.splitlines() if line.strip()]
        assert len(printed) == len(shown), (command, printed)
        for printed_line, shown_line in zip(printed, shown, strict=True):
            if not MACHINE_LINE.search(shown_line):
                assert printed_line == shown_line, command


def promised(text: str) -> list[str]:
    """Return what the comments behind calls of `print` say that they print."""
    comments = re.findall(r"^\s*print\(.*\)  # (.*)$", text, flags=re.MULTILINE)
    return [comment.partition(": ")[0] if ": " in comment else comment for comment in comments]


def run_page(page: Path, directory: Path) -> list[str]:
    """Run all blocks of a page in order, in one folder and with one set of names; return the kinds of what was run."""
    names: dict[str, object] = {"__name__": "page"}
    kinds = []
    for block in read_blocks(page):
        if block.language == "python":
            # Blank lines in front make tracebacks name the line of the page.
            code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
            with redirect_stdout(io.StringIO()) as printed:
                exec(code, names)
            for comment in promised(block.text):
                assert comment in printed.getvalue(), f"{page.name}, block at line {block.line}: {comment}"
            kinds.append("python")
        elif block.language in SHELL_LANGUAGES:
            for command, shown in shell_commands(block):
                if SAVANNA.match(command):
                    run_command(command, shown, directory)
                    kinds.append("command")
                else:
                    assert NOT_RUN.match(command), f"{page.name}, line {block.line}: nobody runs {command}"
        else:
            assert SHOWN.fullmatch(block.language), f"{page.name}, line {block.line}: what is {block.language!r}?"
    return kinds


RARE = {DOCS / name: pytest.mark.rare for name in ("scale.md", "study.md")}  # they start Ray, and play many games


@pytest.mark.parametrize("page", [pytest.param(it, marks=RARE.get(it, ())) for it in PAGES], ids=name_of)
def test_examples_run_and_print_what_is_shown(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")  # plots need no display
    kinds = run_page(page, tmp_path)
    assert bool(kinds) != (name_of(page) in WITHOUT_EXAMPLES)


def test_pages_without_examples_are_there() -> None:
    assert set(WITHOUT_EXAMPLES) <= {name_of(page) for page in PAGES}
    assert all(reason.strip() for reason in WITHOUT_EXAMPLES.values())


def test_a_command_and_a_print_that_do_not_give_what_is_shown_are_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    for shown in ("```python\nprint(1)  # 2\n```\n", "```console\n$ savanna --version\nsavanna 7\n```\n"):
        page.write_text(shown, encoding="utf-8")
        with pytest.raises(AssertionError):
            run_page(page, tmp_path)
    page.write_text("```python\nprint(2)  # 2: two\n```\n", encoding="utf-8")
    assert run_page(page, tmp_path) == ["python"]


@pytest.mark.parametrize("language", ["ruby", "{unknown"])
def test_a_block_that_nobody_runs_is_an_error(language: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"```{language}\nputs 1\n```\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="what is"):
        run_page(page, tmp_path)


# Links, notebooks


def targets(text: str) -> list[str]:
    """Return the files that a page links to, shows or includes."""
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)
    return links + re.findall(r"^```\{(?:literal)?include\} (\S+)$", text, flags=re.MULTILINE)


@pytest.mark.parametrize("page", [README, *sorted(DOCS.rglob("*.md"))], ids=name_of)
def test_links_to_files_lead_somewhere(page: Path) -> None:
    assert [link for link in targets(page.read_text(encoding="utf-8")) if not (page.parent / link).exists()] == []


def test_links_are_found() -> None:
    text = "[a](b.md#c) ![d](e.png) [f](https://g)\n```{include} ../h.md\n```\n"
    assert targets(text) == ["b.md", "e.png", "../h.md"]
    assert len([link for page in PAGES if page.suffix == ".md" for link in targets(page.read_text("utf-8"))]) > 30


def test_notebooks_hold_no_output() -> None:
    """They are run anew whenever the manual is built; what is kept is what can be read as a change."""
    notebooks = sorted((DOCS / "notebooks").glob("*.ipynb"))
    assert len(notebooks) >= 2
    for notebook in notebooks:
        written = json.loads(notebook.read_text(encoding="utf-8"))
        assert set(written["metadata"]) == {"kernelspec", "language_info"}, notebook.name
        for cell in written["cells"]:
            assert cell["cell_type"] == "markdown" or (cell["outputs"], cell["execution_count"]) == ([], None)


# README.md, and reading itself


def test_first_blocks_are_the_two_commands_that_start_everything() -> None:
    first, second = [block.text.strip() for block in read_blocks() if block.language in SHELL_LANGUAGES][:2]
    assert first == "pip install . && savanna rollout"
    assert second == "pip install '.[test]' && pytest"


def test_the_readme_stays_one_page() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 100


def test_an_unclosed_block_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text("one\n```python\nx = 1\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"README.md, line 2: the code block is never closed"):
        read_blocks(path)


def test_types_are_checked_for_every_page_with_python(tmp_path: Path) -> None:
    """The program that hands the pages to mypy writes a module for each of them that has Python."""
    program = [sys.executable, "-m", "tests.support.doc_blocks", str(tmp_path)]
    subprocess.run(program, check=True, cwd=ROOT)
    with_python = [page for page in PAGES if any(block.language == "python" for block in read_blocks(page))]
    assert len(list(tmp_path.glob("*.py"))) == len(with_python) >= 8
