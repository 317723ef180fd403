"""Every door takes all options of `Rules` and all players, or stands below with a reason why it does not."""

import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import gymnasium
import pyspiel
import pytest

import savanna as sv
import savanna.envs.gymnasium
import savanna.envs.openspiel
from savanna import distributed, players
from savanna.cli import app, main, program  # noqa: F401 (program has all commands)
from savanna.envs import BatchEnv
from savanna.envs.pettingzoo import env
from tests.support.engine_process import Engine
from tests.support.full import count
from tests.support.paths import ROOT

pytestmark = pytest.mark.thin(4)

TEXTS = {
    "players": "3p",
    "mice": "2p,mice",
    "team_game": "4p,team",
    "deck": str(sv.Rules(deck={"monkey": 7, "zebra": 3})),
    "influence": str(sv.Rules(influence={"lion": 7})),
    "target": "2p,target=11",
    "points": str(sv.Rules(points=(2, 1, 4))),
    "last_seat_bonus": "2p,bonus=1",
    "absent_can_be_least": "2p,absent",
}
"""For each option of `Rules` a text of rules in which it is not as usual."""

PLAYERS = ("random", "greedy", "flat:8", "soft-greedy:8", "ismcts:8", "champion:8")


def test_the_options_are_all_there_are() -> None:
    assert set(TEXTS) == set(inspect.signature(sv.Rules).parameters)
    for option, text in TEXTS.items():
        assert getattr(sv.Rules.parse(text), option) != getattr(sv.Rules(), option)
    assert {type(players.parse(text)).__name__ for text in PLAYERS} == set(players.__all__) - {
        "Player",
        "parse",
        "written",
    }


def printed(*arguments: str) -> Any:
    """Return the JSON that a command prints."""
    with redirect_stdout(StringIO()) as output:
        assert main([*arguments, "--json"]) == 0
    return json.loads(output.getvalue())


def by_openspiel(rules: str) -> str:
    return str(pyspiel.load_game(f"savanna_ten(rules={rules.replace(',', ';').replace('=', ':')})").rules)


def by_rpc(rules: str) -> Any:
    with Engine() as engine:
        return engine.ask("newGame", rules=rules)["rules"]


RIVALS = ("random", "greedy")
BY_TEXT: dict[str, Callable[[str], Any]] = {
    "savanna rollout": lambda text: printed("rollout", "--games", "10", "--rules", text)["rules"],
    "savanna study": lambda text: printed("study", "--games", "10", "--rules", text)["rules"],
    "savanna tournament": lambda text: printed("tournament", "random", "greedy", "--deals", "1", "--rules", text)[
        "rules"
    ],
    "BatchEnv": lambda text: BatchEnv(1, text).rules,
    "Gymnasium": lambda text: gymnasium.make("Savanna-v0", rules=text).unwrapped.layout.rules,  # type: ignore[attr-defined]
    "Gymnasium, side by side": lambda text: gymnasium.make_vec("Savanna-v0", num_envs=1, rules=text).layout.rules,  # type: ignore[attr-defined]
    "PettingZoo": lambda text: env(text)._layout.rules,
    "OpenSpiel": by_openspiel,
    "JSON-RPC": by_rpc,
}
"""What plays by the rules of a text, and says by which it does."""


@pytest.mark.parametrize("option", TEXTS)
@pytest.mark.parametrize("door", BY_TEXT)
def test_every_option_is_taken(door: str, option: str) -> None:
    assert str(BY_TEXT[door](TEXTS[option])) == TEXTS[option]


WITHOUT_RULES = {
    "analyse": "it takes a position or a view, which have their rules",
    "bench": "it measures the printed game",
    "convert": "games have their rules",
    "engine": "newGame takes rules",
    "replay": "games have their rules",
    "rules": "it prints them",
    "serve": "rooms choose their rules and players by its pages",
    "show": "games have their rules",
}
WITHOUT_PLAYERS = {
    **WITHOUT_RULES,
    "analyse": "an analysis is the champion's",
    "rollout": "it plays by policies; study takes players",
    "engine": "its answers are the champion's, as it speaks for one engine",
}


COMMANDS = {it.callback.__name__: it.callback for it in app.app.registered_commands if it.callback}


def options_of(command: str) -> set[str]:
    return set(inspect.signature(COMMANDS[command]).parameters)


def test_every_command_takes_rules_and_players_or_says_why_not() -> None:
    assert {it for it in COMMANDS if "rules" not in options_of(it)} == set(WITHOUT_RULES)
    assert {it for it in COMMANDS if not options_of(it) & {"player", "names"}} == set(WITHOUT_PLAYERS)


@pytest.mark.parametrize("player", PLAYERS)
def test_every_player_is_taken(player: str) -> None:
    assert printed("study", "--games", "2", "--player", player)["deals"]
    assert len(printed("tournament", player, "random", "--deals", "1")["pairs"]) == 1
    game = gymnasium.make("Savanna-v0", opponent=player)
    game.reset(seed=1)
    side_by_side = gymnasium.make_vec("Savanna-v0", num_envs=2, opponent=player)
    environments: tuple[Any, ...] = (game, side_by_side)
    for it in environments:
        assert it.unwrapped._games._players == (players.parse(player),)


def test_c_has_every_option() -> None:
    header = (ROOT / "include" / "savanna.h").read_text(encoding="utf-8")
    match = re.search(r"typedef struct \{((?:(?!typedef)[\s\S])*)\} SavannaRulesOptions;", header)
    assert match
    assert set(re.findall(r"^  \w+ (\w+)(?:\[\w+\])?;", match[1], re.MULTILINE)) == set(TEXTS)
    assert "savanna_rules_parse(" in header


def test_clusters_take_what_one_machine_takes() -> None:
    """A source, rules or players by the same names as the functions that play here."""
    for name in distributed.__all__:
        there = set(inspect.signature(getattr(distributed, name)).parameters)
        here = set(inspect.signature(getattr(sv, "study" if name == "generate" else name)).parameters)
        assert here & {"source", "rules", "players"} <= there


def test_help_is_whole_without_docstrings() -> None:
    commands = [[], *([name] for name in COMMANDS)]
    for command in commands[: count(3, 99)]:
        shown = [
            subprocess.run(
                [sys.executable, *flags, "-m", "savanna", *command, "--help"], capture_output=True, check=True
            )
            for flags in ([], ["-OO"])
        ]
        assert shown[0].stdout == shown[1].stdout
        assert len(shown[0].stdout.splitlines()) > 6
