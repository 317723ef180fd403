"""The texts that people read, gathered from the code, and the catalogues of their translations."""

import io
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from savanna.language import LANGUAGES, WORDS

KEYWORDS = {"say": None, "marked": None, "count": (1, 2)}
"""The functions that are given texts: `count` one for a single thing and one for several."""

PACKAGE = WORDS.parent

PLACES = ("language.py", "render/*.py", "serve/[!r]*.py", "serve/r[!u]*.py", "serve/templates/*.html")
"""Where there are texts in the reader's language; `serve/running.py` speaks to who starts a server, in English."""


def texts() -> Catalog:
    """Return a catalogue of all texts in the code and in the pages, each with the files in which it stands."""
    catalog = Catalog(project="savanna-core", fuzzy=False)
    for path in sorted(path for pattern in PLACES for path in PACKAGE.glob(pattern)):
        method = "python" if path.suffix == ".py" else "jinja2.ext:babel_extract"
        with path.open("rb") as file:
            for _, message, _, _ in extract(method, file, keywords=KEYWORDS):
                catalog.add(message, locations=[(path.relative_to(PACKAGE).as_posix(), 0)])
    return catalog


def catalogue_path(code: str) -> Path:
    """Return where the translations of a language are, for people."""
    return WORDS / code / "LC_MESSAGES" / "savanna.po"


def catalogue(code: str) -> Catalog:
    """Return the translations of a language."""
    with catalogue_path(code).open("rb") as file:
        return read_po(file, locale=code)


def compiled(code: str) -> bytes:
    """Return the translations of a language for programs."""
    out = io.BytesIO()
    write_mo(out, catalogue(code))
    return out.getvalue()


def update() -> None:
    """Bring all catalogues to the texts of the code, and compile them; what is new has no translation yet."""
    for code in LANGUAGES:
        if code == "en":
            continue
        kept = catalogue(code)
        kept.update(texts(), no_fuzzy_matching=True, update_header_comment=False)
        kept.obsolete.clear()
        with catalogue_path(code).open("wb") as file:
            write_po(file, kept, width=110, sort_output=True, omit_header=False)
        catalogue_path(code).with_suffix(".mo").write_bytes(compiled(code))


if __name__ == "__main__":
    update()
