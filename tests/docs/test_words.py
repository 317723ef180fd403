"""Documents are written in plain words: they avoid habits that are hard to read, and explain terms in the glossary."""

import io
import json
import re
import tokenize
from pathlib import Path

import pytest

from tests.support.doc_blocks import name_of
from tests.support.paths import DOCS, README, ROOT

# What is scanned: documents, and the comments, docstrings and texts of programs in these folders.
DOCUMENTS = (*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb"), ROOT / "python" / "savanna" / "rules.md")
FOLDERS = ("src", "python", "include", "examples", "benches", "benchmarks")

HABITS = {
    r"\bso\s+many\b(?!\s+that)": "write 'n' or 'the number of'",
    r"(?<!\bthere )\b(?:is|are|was|were)\s+no\b(?!\s+(?:longer|more|less|fewer)\b)": "write 'is not a'",
    r"\bat\s+the\s+(?:least|most)\b": "write 'at least' or 'at most'",
    r"\b(?:whoever|whatever)\b": "name the person or the thing",
    r"(?<![\w.])(?:\d+|[a-z])\.\.=?(?:\d+|[a-z])(?![\w.])": "write 'to'",
}

# Places where one of these is right: the file, what stands there, and why.
ALLOWED: dict[tuple[str, str], str] = {}

GLOSSARY = DOCS / "glossary.md"

# Words of the glossary that a page may use without a link, by section or alone: they are those of the rules, are on
# nearly every page, or have an everyday meaning too.
EVERYDAY = {"The game", "Position", "View", "Player", "Seed", "Source", "Batch", "Record", "Study"}

# Pages of this manual that need no link: the rules define their words themselves, and the others lead to pages.
WITHOUT_TERMS = {"docs/api.md", "docs/index.md", "docs/rules.md", "docs/glossary.md"}

_C_LIKE = re.compile(r"'(?:\\.|[^'\\\n])'|(//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\")", flags=re.DOTALL)
_CODE = re.compile(r"^(?P<fence>```+).*?^(?P=fence)\s*$|`[^`]*`|\]\([^)]*\)", flags=re.DOTALL | re.MULTILINE)


def _blank(text: str) -> str:
    """Return as many blanks and line ends as the text has, so that what stays keeps its place."""
    return re.sub(r"[^\n]", " ", text)


def _kept(text: str, parts: list[tuple[int, int]]) -> str:
    """Return the text with everything blanked but the given parts."""
    kept, end = [], 0
    for start, stop in parts:
        kept += [_blank(text[end:start]), text[start:stop]]
        end = stop
    return "".join(kept) + _blank(text[end:])


def _python(text: str) -> str:
    """Return only the comments and strings of a Python program."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    kinds = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    spans = [(token.start, token.end) for token in tokens if token.type in kinds]
    return _kept(text, [(starts[a - 1] + b, starts[c - 1] + d) for (a, b), (c, d) in spans])


def prose(path: Path) -> str:
    """Return the words of a file: without code, and each in its line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells)
    elif path.suffix in (".py", ".pyi"):
        text = _python(text)
    elif path.suffix in (".rs", ".c", ".h"):
        text = _kept(text, [match.span(1) for match in _C_LIKE.finditer(text) if match[1]])
    elif path.suffix == ".sh":
        text = _kept(text, [match.span() for match in re.finditer(r"#[^\n]*", text)])
    text = _CODE.sub(lambda match: _blank(match[0]), text)
    return re.sub(r"^[ \t]*(?:#|//[/!]?|\*)", lambda match: " " * len(match[0]), text, flags=re.MULTILINE)


def habits(text: str) -> list[tuple[int, str, str]]:
    """Return what is hard to read in a text: the number of the line, what stands there, and what to do."""
    return [
        (text.count("\n", 0, match.start()) + 1, " ".join(match[0].split()), advice)
        for pattern, advice in HABITS.items()
        for match in re.finditer(pattern, text, flags=re.IGNORECASE)
    ]


def scanned() -> list[Path]:
    """Return the files whose words are read."""
    programs = [
        path
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".md", ".py", ".pyi", ".rs", ".c", ".h", ".sh")
    ]
    return sorted({*DOCUMENTS, *programs})


@pytest.mark.parametrize("path", scanned(), ids=name_of)
def test_words_are_plain(path: Path) -> None:
    found = habits(prose(path))
    assert [place for place in found if (name_of(path), place[1]) not in ALLOWED] == []


def test_what_is_allowed_is_there() -> None:
    for (name, words), reason in ALLOWED.items():
        assert words in [found for _, found, _ in habits(prose(ROOT / name))]
        assert reason.strip()


def test_the_scan_reads_what_people_read() -> None:
    kinds = {path.suffix for path in scanned()}
    assert {".md", ".ipynb", ".py", ".rs", ".c", ".sh"} <= kinds
    assert len(scanned()) > 50
    assert sum(len(prose(path).split()) for path in scanned()) > 25_000


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.md", "One\n\n```text\nso many\n```\n`is no` and so\nmany games", 6),
        ("a.py", 'x = 1\nis_no = x\n"""At the\nleast."""\n', 3),
        ("a.py", "a[0:2]  # in b\n# It is\n# no space.\n", 2),
        ("a.rs", "let so = many;\n/// One of 2..4 players\nfn f() { 2..4 }\n", 2),
        ("a.rs", 'let x = \'"\';\nfail("whatever comes");\n', 2),
        ("a.c", "int x;\n/* at the\n * most */\n", 2),
        ("a.sh", "so many\n# so many\n", 2),
    ],
)
def test_each_habit_is_seen_where_it_is_written(name: str, text: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert [found for found, _, _ in habits(prose(path))] == [line]


def test_words_that_only_look_like_habits_are_left_alone() -> None:
    for text in (
        "It is no longer there.",
        "so many that it overflows",
        "0.5 to 2",
        "a note of 3p...",
        "is not a space",
    ):
        assert habits(text) == []


# ------------------------------------------------------------------------------------------------------ the glossary


def terms() -> dict[str, str]:
    """Return the section of each term of the glossary."""
    found, section = {}, ""
    for level, title in re.findall(r"^(##|###) (.+)$", GLOSSARY.read_text(encoding="utf-8"), flags=re.MULTILINE):
        if level == "##":
            section = title
        else:
            assert title not in found, title
            found[title] = section
    return found


def anchor(term: str) -> str:
    """Return the anchor of a heading, as forges and the manual's generator make it."""
    return re.sub(r"[^\w -]", "", term.lower()).replace(" ", "-")


def links(text: str) -> list[str]:
    """Return the terms of the glossary to which a page links, as anchors."""
    return re.findall(r"\]\((?:[./]|docs/)*glossary\.md(?:#([^)]+))?\)", text) + re.findall(
        r"\]\(#([^)]+)\)", text if text.startswith("# Glossary") else ""
    )


def pages() -> list[Path]:
    """Return the pages that use the words of the glossary."""
    return [README, *sorted(DOCS.glob("*.md")), *sorted((DOCS / "notebooks").glob("*.ipynb"))]


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_a_page_links_to_the_terms_that_it_uses(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    linked = links(text)
    assert linked, "no link to the glossary"
    assert {link for link in linked if link} <= {anchor(term) for term in terms()}
    if name_of(page) in WITHOUT_TERMS or page == README:
        return
    words = prose(page)
    wanted = [term for term, section in terms().items() if not {term, section} & EVERYDAY]
    used = [term for term in wanted if re.search(rf"\b{re.escape(term)}s?\b", words, flags=re.IGNORECASE)]
    assert [term for term in used if anchor(term) not in linked] == []


def test_the_glossary_explains_each_term() -> None:
    text = GLOSSARY.read_text(encoding="utf-8")
    assert len(terms()) > 50
    for term in terms():
        (explained,) = re.findall(rf"^### {re.escape(term)}\n\n(.+?)(?=\n#|\Z)", text, flags=re.DOTALL | re.MULTILINE)
        assert len(explained.split()) >= 6, term
