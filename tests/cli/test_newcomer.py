"""What a newcomer does first, in an empty folder: play many games, look at a position, let players play, read it back.

All of it goes by the command line and what it writes, as the tour in docs/tour.md has it.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import savanna as sv
from savanna import reference


def savanna(folder: Path, *arguments: str) -> str:
    """Run a command in a folder and return what it prints; nothing may go wrong or be complained about."""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-m", "savanna", *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def savanna_json(folder: Path, *arguments: str) -> Any:
    return json.loads(savanna(folder, *arguments, "--json"))


def test_first_steps(tmp_path: Path) -> None:
    # The help names the commands that follow.
    overview = savanna(tmp_path, "--help")
    for command in ("rollout", "analyse", "tournament"):
        assert re.search(rf"\b{command}\b", overview)

    # A first rollout: the numbers of the command are those of Python.
    report = savanna_json(tmp_path, "rollout", "--games", "20_000", "--seed", "1")
    stats = sv.rollout(sv.Rules(players=2), games=20_000, seed=1)
    assert {key: report[key] for key in stats.to_dict()} == stats.to_dict()

    # A deal and a move: as text, the position goes back into the command.
    position = sv.Position.deal(sv.Rules(players=2), seed=7).play("giraffe lion c4")
    again = savanna_json(tmp_path, "rollout", "--position", str(position), "--games", "5000", "--seed", "0")
    assert again["win_share"] == sv.rollout(position, games=5000, seed=0).win_share.tolist()

    # A first analysis: the command uses what the seat to move sees, whether it is given the position or the view.
    view = position.view(1)
    options = ("--iterations", "2000", "--seed", "0")
    analysis = savanna_json(tmp_path, "analyse", "--position", str(view), *options)
    assert analysis == savanna_json(tmp_path, "analyse", "--position", str(position), *options)
    best = sv.Move.parse(analysis["moves"][0]["move"])
    assert best in view.legal_moves()

    # A first game, saved, loaded, and replayed by the plain engine.
    game = sv.Game.deal(sv.Rules(players=2), seed=7, names=["Ann", "Bo"])
    while (seat := game.seat) is not None:
        game.play(sv.players.Greedy().choose(game.view(seat)))
    game.save(tmp_path / "game.json")
    loaded = sv.Game.load(tmp_path / "game.json")
    assert loaded == game
    plain = reference.Position.parse(str(loaded.start))
    for ply, move in enumerate(loaded.moves):
        loaded.goto(ply)
        assert str(loaded.position) == str(plain)
        plain = plain.play(str(move))
    assert (plain.scores, plain.winners) == (game.scores, game.winners)

    # A first tournament, saved; its games can be played again, and end as is written.
    report = savanna_json(tmp_path, "tournament", "greedy", "random", "--deals", "3", "--log", "games.jsonl")
    assert report["games"] == 6
    assert {path.name for path in tmp_path.iterdir()} == {"game.json", "games.jsonl"}
    saved = sv.Tournament.load(tmp_path / "games.jsonl")
    for number, written in enumerate(saved.games):
        positions = saved.replay(number)
        assert (len(positions), positions[-1].scores) == (21, written.scores)
