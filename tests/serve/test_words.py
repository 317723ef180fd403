"""Texts in the reader's language: complete, with the same values, compiled, and none of them mixed."""

import re
import string
from pathlib import Path

import pytest

import savanna as sv
from savanna import render
from savanna.language import LANGUAGES, language
from tests.support import catalogues
from tests.support.both_engines import random_game
from tests.support.server import Visitor, served

OTHERS = [code for code in LANGUAGES if code != "en"]


def values(text: str) -> set[str]:
    """Return the names of the values in a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_is_there_with_its_values(code: str) -> None:
    texts = {message.id for message in catalogues.texts() if message.id}
    kept = {message.id: message.string for message in catalogues.catalogue(code) if message.id}
    assert set(kept) == texts
    plurals = catalogues.catalogue(code).num_plurals
    for text, translated in kept.items():
        one = text if isinstance(text, str) else text[0]
        forms = [translated] if isinstance(translated, str) else list(translated or ())
        assert len(forms) == (1 if isinstance(text, str) else plurals)
        for form in forms:
            assert form
            assert values(form) == values(one), text


@pytest.mark.parametrize("code", OTHERS)
def test_what_programs_read_is_what_people_wrote(code: str) -> None:
    compiled = catalogues.catalogue_path(code).with_suffix(".mo").read_bytes()
    assert compiled == catalogues.compiled(code)


def test_a_language_that_is_not_there() -> None:
    with pytest.raises(sv.SavannaError, match=r"^language must be one of 'en', 'es', 'ja', got 'xx'$"):
        language("xx")
    with pytest.raises(TypeError, match=r"^language must be a str, not int$"):
        render.svg(sv.Position.deal(sv.Rules(), 1), language=3)  # type: ignore[arg-type]


WRITING = {"es": re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]"), "ja": re.compile(r"[A-Za-z]{2,}")}
ALLOWED = re.compile(r"Savanna Ten|SAVANNA TEN|English|Español|日本語|Ana|Bo|[a-e][1-5]|UTF|JSON")


@pytest.mark.parametrize("code", OTHERS)
def test_pages_speak_one_language(code: str, tmp_path: Path) -> None:
    with served(tmp_path) as client:
        ana, bo = Visitor(client, code), Visitor(client, code)
        lobby = ana.get("/")
        room = ana.open(players=2)
        pages = [lobby.text, ana.get(room).text]
        bo.post(f"{room}/sit", name="Bo")
        ana.post(f"{room}/start")
        pages += [ana.get(room).text, bo.get(room).text, bo.post(f"{room}/move", number=0, move="x").text]
        ana.post(f"{room}/resign")
        pages += [ana.get(room).text, ana.get(f"{room}/review?ply=0&as=public").text]
        for page in pages:
            body = re.sub(r"<(head|style)\b.*?</\1>|<[^>]*>|&[a-z0-9#]+;", " ", page, flags=re.DOTALL)
            assert not WRITING[code].search(ALLOWED.sub("", body)), WRITING[code].search(ALLOWED.sub("", body))


def test_a_language_can_be_chosen(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        ana = Visitor(client, "xx, ja;q=0.8, es")
        assert 'lang="ja"' in ana.get("/").text
        assert ana.post("/me", language="es").status_code == 303
        assert '<html lang="es">' in ana.get("/").text
        assert ana.post("/me", language="xx").status_code == 422


@pytest.mark.parametrize("code", LANGUAGES)
def test_pictures_in_every_language(code: str) -> None:
    start = sv.Position.deal(sv.Rules(players=3), seed=2)
    for position in random_game(start, 3)[::5]:
        for source in (position, position.public()):
            picture = render.svg(source, language=code)
            assert (picture == render.svg(source)) == (code == "en")
            assert "{" not in picture.replace("{fill", "").replace("{@", "") or "<style>" in picture
