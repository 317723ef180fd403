"""Rules, decks and moves that cannot be."""

from typing import Any

import numpy as np
import pytest

import savanna
from savanna import GameOverError, IllegalMoveError, NotationError, RulesError, reference
from tests.support.refusals import DECK, NO_FLAGS, Things, endless, kind, refused

FLAGS = ("mice", "team_game", "absent_can_be_least")


@pytest.mark.parametrize(
    ("options", "error", "fragments"),
    [
        ({"players": 5}, RulesError, "players 5"),
        ({"team_game": True}, RulesError, "team_game 2"),
        ({"team_game": True, "players": 3}, RulesError, "team_game 3"),
        ({"deck": {"monkey": 9}}, RulesError, "deck 9"),
        ({"deck": {"monkey": 11, "zebra": 10}}, RulesError, "deck 21"),
        ({"deck": {"monkey": 9, "mouse": 1}}, RulesError, "mouse"),
        ({"deck": {"monkey": 9, "hippo": 1}}, RulesError, "hippo"),
        ({"deck": {"lion": 10}}, RulesError, "lion"),
        ({"deck": {}}, RulesError, "deck 0"),
        ({"deck": [("monkey", 10)]}, TypeError, "deck list"),
        ({"deck": "monkey"}, TypeError, "deck str"),
        ({"deck": {"monkey": float("nan")}}, TypeError, "monkey float"),
        ({"influence": {"Lion": 3}}, RulesError, "influence Lion"),
        ({"influence": {"lion" * 10**5: 3}}, RulesError, "influence lion"),
        ({"influence": 3}, TypeError, "influence int"),
        ({"points": (2, 1)}, RulesError, "points"),
        ({"points": (2, 1, 3, 3)}, RulesError, "points"),
        ({"points": "213"}, TypeError, "points str"),
        ({"points": 3}, TypeError, "points int"),
        ({"points": None}, TypeError, "points None"),
        *(({flag: value}, TypeError, flag) for flag in FLAGS for value in NO_FLAGS),
    ],
    ids=lambda it: str(it)[:40],
)
def test_options_of_rules(things: Things, options: dict[str, Any], error: type[Exception], fragments: str) -> None:
    refused(error, fragments, things.engine.Rules, **options)


@pytest.mark.parametrize("options", [{"mice": np.True_}, {"deck": {3: 10}}, {"influence": {None: 1}}], ids=str)
def test_both_engines_judge_alike(options: dict[str, Any]) -> None:
    def outcome(engine: Any) -> object:
        try:
            return str(engine.Rules(**options))
        except Exception as error:
            return type(error)

    assert outcome(savanna) == outcome(reference)


@pytest.mark.parametrize(
    ("decks", "error", "fragments"),
    [
        ([], RulesError, "0"),
        ([DECK], RulesError, "1"),
        ([DECK] * 3, RulesError, "3"),
        ([DECK] * 10, RulesError, "decks more than 4"),
        ([DECK, DECK[1:]], RulesError, "seat 1 3 monkey"),
        ([[*DECK, "zebra"], DECK], RulesError, "seat 0 4 zebra"),
        ([DECK, ["monkey"] * 30], RulesError, "seat 1 more than 20"),
        ([[], DECK], RulesError, "seat 0 0 monkey"),
        *(([DECK, [*DECK[1:], word]], RulesError, f"seat 1 {word}") for word in ("lion", "Zebra", "hippo", "")),
        ([DECK, [*DECK[1:], "mouse"]], RulesError, "seat 1"),
        ([DECK, [*DECK[1:], "x" * 10**6]], RulesError, "seat 1"),
        *(([DECK, [*DECK[1:], it]], TypeError, kind(it)) for it in (None, 3, b"zebra", ["zebra"], DECK)),
        *(([DECK, it], TypeError, f"seat 1 {kind(it)}") for it in (None, 3, "monkey", 3.0, object())),
        *((it, TypeError, f"decks {kind(it)}") for it in (None, 3, "monkey", 3.0, object())),
    ],
    ids=lambda it: str(it).partition(" at 0x")[0][:40],  # an object has another address in each process
)
def test_decks(things: Things, decks: Any, error: type[Exception], fragments: str) -> None:
    refused(error, fragments, things.engine.Position.from_decks, things.rules, decks)


def test_sequences_without_end(things: Things) -> None:
    from_decks = things.engine.Position.from_decks
    refused(RulesError, "points", things.engine.Rules, points=endless(1))
    refused(RulesError, "seat 1", from_decks, things.rules, [DECK, endless("zebra")])
    refused(RulesError, "decks", from_decks, things.rules, endless(DECK))
    # An iterator that ends is as good as a list.
    assert from_decks(things.rules, iter([iter(DECK), tuple(DECK)])) == from_decks(things.rules, [DECK, DECK])


@pytest.mark.parametrize("place", range(3))
def test_words_of_a_move(things: Things, place: int) -> None:
    def with_word(word: object) -> object:
        words: list[object] = ["zebra", "lion", "c4"]
        words[place] = word
        return things.engine.Move(*words)

    for word in ("", "Zebra", "c4 ", "b5", "a0", "lion\0", "é", "x", "mouse\u2028", "\ud800", "x" * 10**6):
        refused(NotationError, f"unknown {word if word.isprintable() and len(word) < 9 else ''}", with_word, word)
    for other in (None, 3, True, b"zebra", ("zebra",)):
        refused(TypeError, kind(other), with_word, other)


def test_every_action_id_is_legal_or_refused(things: Things) -> None:
    """A move is refused for its space, then for its animal, or it is in the mask."""
    position = things.position
    assert any(tiles != position.hands[position.seat] for tiles in position.hands)
    for action, legal in enumerate(position.legal_mask()):
        move = things.engine.Move.from_action(action)
        taken, held = move.space in position.board, move.animal in position.hands[position.seat]
        assert legal == (held and not taken)
        for function in () if legal else (position.play, position.lines_filled):
            for it in (move, str(move)):
                reason = f"{move.space} taken" if taken else f"seat {position.seat} {move.animal}"
                refused(IllegalMoveError, reason, function, it)


def test_nothing_can_be_played_after_the_end(things: Things) -> None:
    assert things.over.legal_moves() == []
    # That the game is over is what is looked at first, whatever is to be played.
    for move in (things.move, str(things.move), "nonsense", 3, None):
        refused(GameOverError, "over 20", things.over.play, move)
        refused(GameOverError, "over 20", things.over.lines_filled, move)
