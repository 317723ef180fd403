"""Whole games by people and bots, through pages without scripts."""

import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import savanna as sv
from savanna import reference as ref
from savanna.game import schema
from tests.support.server import Loaded, Visitor, form, invitation, served


def play(people: list[Visitor], room: str, rng: random.Random) -> list[str]:
    """Play a game to its end by the forms of the pages, and return the moves."""
    moves: list[str] = []
    while True:
        pages = [it.get(room).text for it in people]
        boards = [form(page, "/move") for page in pages]
        movers = [seat for seat, board in enumerate(boards) if board]
        if not movers:
            assert all("/review?" in page for page in pages)
            return moves
        (mover,) = movers
        board = boards[mover]
        assert board
        tile, space = rng.choice(board["choices"]["tile"]), rng.choice(board["choices"]["space"])
        assert len(board["choices"]["space"]) == 20 - len(moves)
        answer = people[mover].post(board["action"], **board["fields"], tile=tile, space=space)
        assert (answer.status_code, answer.headers["location"]) == (303, room)
        moves.append(f"{tile} {space}")


@pytest.mark.thin(3)
@pytest.mark.parametrize("language", ["en", "es", "ja"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game_is_that_of_the_reference(players: int, language: str, tmp_path: Path) -> None:
    deal = sv.Position.deal(sv.Rules(players=players, mice=players == 3), seed=players)
    with served(tmp_path, Loaded([deal])) as client:
        people = [Visitor(client, language) for _ in range(players)]
        room = people[0].open(players=players, mice="on" if players == 3 else "", listed="")
        link = invitation(people[0].get(room).text)
        for seat, it in enumerate(people[1:], start=1):
            assert form(it.get(link).text, "") is not None
            assert it.post(link, name=f"Guest {seat}").headers["location"] == room
        assert people[0].post(f"{room}/start").status_code == 303
        moves = play(people, room, random.Random(players))
        position: Any = ref.Position.parse(str(deal))
        for move in moves:
            position = position.play(ref.Move.parse(move))
        assert position.is_over
        record = people[0].get(f"{room}/game.json")
        jsonschema.validate(record.json(), schema())
        game = sv.Game.from_json(record.text)
        assert (game.start, list(map(str, game.moves))) == (deal, moves)
        assert (game.scores, game.winners) == (position.scores, position.winners)
        for ply in (0, 7, 20):
            for key in ("all", "public", "0"):
                assert people[-1].get(f"{room}/review?ply={ply}&as={key}").status_code == 200


def test_bots_play_and_are_the_same_for_the_same_seed(tmp_path: Path) -> None:
    records = []
    for number in range(2):
        with served(tmp_path / str(number)) as client:
            ana = Visitor(client)
            room = ana.open(players=3, seat_1="beginner", seat_2="steady")
            ana.post(f"{room}/start")
            rng = random.Random(1)
            while (frame := ana.frame(room))["status"] == "playing":
                if frame["turn"]:
                    move = f"{rng.choice(frame['choices'])} {rng.choice(frame['spaces'])}"
                    ana.post(f"{room}/move", number=frame["number"], move=move)
            records.append(ana.get(f"{room}/game.json").json()["moves"])
    assert records[0] == records[1]
    assert len(records[0]) == 20


def begun(client: Any, players: int = 2) -> tuple[list[Visitor], str]:
    """Return people in a room where the game has begun."""
    people = [Visitor(client) for _ in range(players)]
    room = people[0].open(players=players)
    for it in people[1:]:
        it.post(f"{room}/sit", name="Ana")
    people[0].post(f"{room}/start")
    return people, room


def test_a_form_sent_twice_is_one_move_and_a_stale_one_is_none(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        (ana, bo), room = begun(client)
        frame = ana.frame(room)
        one, other = (f"{frame['choices'][0]} {space}" for space in frame["spaces"][:2])
        for _ in range(3):
            assert ana.post(f"{room}/move", number=frame["number"], move=one).status_code == 303
        assert bo.frame(room)["number"] == frame["number"] + 1
        answers = [
            ana.post(f"{room}/move", number=frame["number"], move=other),
            bo.post(f"{room}/move", number=frame["number"], move=one),
            ana.post(f"{room}/move", number=frame["number"] + 1, move=other),
            bo.post(f"{room}/move", number=frame["number"] + 9, move=other),
        ]
        assert [it.status_code for it in answers] == [409] * 4
        assert all('role="alert"' in it.text for it in answers)
        assert Visitor(client).post(f"{room}/move", number=frame["number"] + 1, move=other).status_code == 403
        assert ana.frame(room)["number"] == frame["number"] + 1


def test_names_that_come_twice_are_told_apart_and_escaped(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        people, room = begun(client)
        assert [it["name"] for it in people[0].frame(room)["seats"]] == ["Ana", "Ana #2"]
        for name, status in (("<script>alert(1)</script>", 303), ("a\u202eb", 303), (" \u200b ", 422), ("x" * 41, 422)):
            visitor = Visitor(client)
            answer = visitor.post("/rooms", name=name, listed="on")
            assert answer.status_code == status, name
            if status == 303:
                page = visitor.get(answer.headers["location"]).text + visitor.get("/").text
                assert "<script" not in page
                assert "\u202e" not in page


def test_who_resigns_loses_or_a_bot_plays_on(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        (ana, bo), room = begun(client)
        assert ana.post(f"{room}/resign").status_code == 303
        frame = bo.frame(room)
        assert (frame["status"], len(frame["result"])) == ("over", 1)
        assert "Ana #2 win" in frame["result"][0]
        assert bo.post(f"{room}/resign").status_code == 409
        people, room = begun(client, 3)
        assert people[1].post(f"{room}/resign").status_code == 303
        rng = random.Random(3)
        while (frame := people[0].frame(room))["status"] == "playing":
            for it in (people[0], people[2]):
                mine = it.frame(room)
                if mine["turn"]:
                    move = f"{rng.choice(mine['choices'])} {rng.choice(mine['spaces'])}"
                    assert it.post(f"{room}/move", number=mine["number"], move=move).status_code == 303
        assert frame["ply"] == 20


def test_a_rematch_is_one_room_with_the_seats_moved_on(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        people, room = begun(client, 3)
        people[0].post(f"{room}/resign")
        assert people[0].post(f"{room}/rematch").status_code == 409
        people[1].post(f"{room}/resign")
        again = {it.post(f"{room}/rematch").headers["location"] for it in people}
        assert len(again) == 1
        (new,) = again
        assert [it.frame(new)["seat"] for it in people] == [1, 2, 0]
        assert people[2].frame(new)["status"] == "playing"
        assert Visitor(client).post(f"{room}/rematch").status_code == 403
        assert f'href="{new}"' in Visitor(client).get(room).text
        assert new in people[0].get("/").text


def test_seats_before_the_game(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        ana, bo, cy = (Visitor(client) for _ in range(3))
        room = ana.open(players=2)
        assert bo.post(f"{room}/start").status_code == 403
        assert ana.post(f"{room}/start").status_code == 409
        assert ana.post(f"{room}/sit", name="Ana").status_code == 409
        assert bo.post(f"{room}/sit", name="Bo", seat=0).status_code == 409
        assert bo.post(f"{room}/sit", name="Bo", seat=1).status_code == 303
        assert cy.post(f"{room}/sit", name="Cy").status_code == 409
        assert bo.post(f"{room}/seat", seat=1, strength="strong").status_code == 403
        assert bo.post(f"{room}/leave").status_code == 303
        assert ana.post(f"{room}/seat", seat=1, strength="strong").status_code == 303
        assert ana.frame(room)["seats"][1]["name"] == "Strong bot"
        assert ana.post(f"{room}/seat", seat=1, strength="").status_code == 303
        assert ana.post(f"{room}/seat", seat=1, strength="none").status_code == 422
        assert ana.post(f"{room}/seat", seat=7, strength="strong").status_code == 422
        hidden = ana.open(players=2, listed="")
        assert bo.post(f"{hidden}/sit", name="Bo").status_code == 403
        assert hidden not in bo.get("/").text
        assert room in bo.get("/").text


def test_every_option_of_the_rules_can_be_chosen(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        ana = Visitor(client)
        room = ana.open(
            players=4,
            mice="on",
            team_game="on",
            target=11,
            points_below=2,
            points_above=3,
            points_exact=5,
            bonus=1,
            absent="on",
            deck_monkey=4,
            deck_zebra=2,
            influence_lion=7,
        )
        rules = sv.Rules.parse(ana.frame(room)["rules"])
        assert (rules.players, rules.mice, rules.team_game, rules.target) == (4, True, True, 11)
        assert (rules.points, rules.last_seat_bonus, rules.absent_can_be_least) == ((2, 3, 5), 1, True)
        assert (rules.deck["monkey"], rules.deck["zebra"], rules.influence["lion"]) == (4, 2, 7)
        for wrong in (
            {"target": "x"},
            {"players": 5},
            {"deck_monkey": 0},
            {"target": "1e3"},
            {"players": 3, "team_game": "on"},
        ):
            assert ana.post("/rooms", name="Ana", **wrong).status_code == 422, wrong


def test_looking_changes_nothing(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        people, room = begun(client)
        ana = people[0]
        frame = ana.frame(room)
        link = "/i/none"
        for path in ("/", room, f"{room}/frame", f"{room}/game.json", link, f"{room}/move", f"{room}/start", "/rooms"):
            for visitor in (ana, Visitor(client)):
                visitor.get(path)
                assert not (visitor is not ana and visitor.cookies)
        assert ana.frame(room) == frame
        assert ana.get(f"{room}/frame?after={frame['number']}").status_code == 204
