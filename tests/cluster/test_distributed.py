"""Many processes give what one gives, to the last bit."""

import inspect
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pyarrow as pa
import pytest
from pyarrow import parquet

import savanna as sv
from savanna import distributed, envs
from savanna import reference as ref
from savanna.distributed import shards
from savanna.distributed.parts import Part
from savanna.distributed.store import opened
from savanna.studies.design import designed
from tests.support import ray_cluster
from tests.support.both_engines import random_game
from tests.support.full import count
from tests.support.ray_jobs import Fails, Logged

pytestmark = pytest.mark.thin(3)

B = sv.BATCH
RULES = sv.Rules(players=3)
GAME = random_game(sv.Position.deal(sv.Rules(), 3), 3)
PLAYERS: dict[str, Any] = {
    "one": sv.players.Random(seed=1),
    "two": sv.players.Greedy(seed=2),
    "three": sv.players.Random(seed=3),
}


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[Any]:
    with ray_cluster.running() as cluster:
        yield cluster


@pytest.mark.rare
@pytest.mark.parametrize("workers", count([2], [1, 2, 3]))
def test_rollouts_are_equal_for_any_number_of_workers(workers: int) -> None:
    for source in (sv.Rules(players=3), GAME[7], GAME[7].view(1)):
        expected = sv.rollout(source, 9 * B + 5, seed=6, policy="soft-greedy")
        for chunk in (1, 4 * B, None):
            options: dict[str, Any] = {"policy": "soft-greedy", "workers": workers, "chunk": chunk}
            assert distributed.rollout(source, 9 * B + 5, seed=6, **options) == expected
    assert (
        distributed.rollout(sv.Rules(), 3 * B, seed=6, backend="scalar", workers=workers, chunk=1).backend == "scalar"
    )


@pytest.mark.rare
@pytest.mark.parametrize("workers", count([2], [1, 2, 3]))
def test_ranks_are_equal_for_any_number_of_workers(workers: int) -> None:
    for source in (GAME[15], GAME[15].view(1)):
        expected = sv.rank_moves(source, 3 * B + 1, seed=6)
        assert distributed.rank_moves(source, 3 * B + 1, seed=6, workers=workers, chunk=B) == expected


@pytest.mark.parametrize("workers", count([2], [1, 2, 3]))
@pytest.mark.parametrize(
    "options",
    [
        {"games": 9001, "policy": "keen-greedy"},
        {"games": 61, "players": sv.players.Random()},
        {"games": 100, "players": PLAYERS, "rules": sv.Rules(mice=True)},
    ],
)
def test_studies_are_equal_for_any_number_of_workers(options: dict[str, Any], workers: int) -> None:
    expected = sv.study(**options, seed=4)
    study = distributed.study(**options, seed=4, workers=workers, chunk=1)
    assert study == expected
    assert study.to_dict() == expected.to_dict()


@pytest.mark.parametrize("workers", count([2], [1, 2, 3]))
def test_tournaments_are_equal_for_any_number_of_workers(workers: int, tmp_path: Path) -> None:
    local, spread = tmp_path / "local.jsonl", tmp_path / "spread.jsonl"
    expected = sv.tournament(PLAYERS, deals=15, seed=5, log=local)
    table = distributed.tournament(PLAYERS, deals=15, seed=5, log=spread, workers=workers)
    assert str(table) == str(expected)
    assert table.games == expected.games
    assert spread.read_bytes() == local.read_bytes()
    # Continued from the middle of a line, it comes to the same.
    spread.write_bytes(local.read_bytes()[:5000])
    distributed.tournament(PLAYERS, deals=15, seed=5, log=spread, resume=True, workers=workers)
    assert spread.read_bytes() == local.read_bytes()


@pytest.mark.parametrize("rules", ["2p,target=11", "4p,mice,team", "3p,absent", str(sv.Rules(points=(2, 1, 4)))])
def test_rules_with_other_options_are_played_there_too(rules: str) -> None:
    there = distributed.study(sv.Rules.parse(rules), games=3000, seed=4, workers=2, chunk=1)
    assert there == sv.study(sv.Rules.parse(rules), games=3000, seed=4)
    assert str(there.rules) == rules


def test_a_sequential_test_ends_after_the_same_game() -> None:
    players: list[Any] = [sv.players.Random(), sv.players.Greedy()]
    expected = sv.tournament(players, deals=3000, sprt=(0, 50))
    assert len(expected.games) < 200
    assert distributed.tournament(players, deals=3000, sprt=(0, 50)).games == expected.games


@pytest.mark.rare
def test_a_player_that_fails_loses_as_it_does_here() -> None:
    players: dict[str, Any] = {"fails": Fails(), "plays": sv.players.Random()}
    table = distributed.tournament(players, deals=2)
    assert table.games == sv.tournament(players, deals=2).games
    assert {game.reason for game in table.games} >= {"exception: ZeroDivisionError: at ply 0"}
    for function in (sv.study, distributed.study):
        with pytest.raises(sv.SavannaError, match=r"^game 0 of the study, deal 0: Fails\(\) in seat 0 did not play on"):
            function(players=Fails(), games=3)


# ------------------------------------------------------------------------------------------------------------ generate


def columns(paths: list[Path]) -> pa.Table:
    return pa.concat_tables([parquet.read_table(path) for path in paths])


@pytest.mark.rare
@pytest.mark.parametrize("recall", [False, True])
@pytest.mark.parametrize(
    "options", [{"policy": "soft-greedy", "games": 2100}, {"players": PLAYERS, "games": 30, "chunk": 7}]
)
def test_shards_hold_what_each_seat_saw_and_did(options: dict[str, Any], recall: bool, tmp_path: Path) -> None:
    rules = sv.Rules(players=3, mice=True)
    paths = distributed.generate(tmp_path / "new" / "x", rules, seed=8, recall=recall, workers=2, **options)
    assert sorted(tmp_path.glob("new/x/*.parquet")) == paths
    assert len(paths) >= 2
    table = columns(paths)
    data = {name: table[name].to_numpy() for name in ("game", "ply", "seat", "player", "action", "win_share", "margin")}
    layout = envs.Layout(rules, recall)
    seen = table["observation"].combine_chunks().flatten().to_numpy().reshape(-1, layout.size)
    masks = table["action_mask"].combine_chunks().flatten().to_numpy().reshape(-1, 200)
    games = len(table) // 20
    assert np.array_equal(data["game"], np.repeat(np.arange(games), 20))
    assert np.array_equal(data["ply"], np.tile(np.arange(20), games))
    starts = starts_of(rules, options)
    for game in [*range(0, games, 97), games - 1]:
        position = ref.Position.parse(str(starts(game)))
        episode = envs.Episode.replay(starts(game))
        for row in range(20 * game, 20 * game + 20):
            action = int(data["action"][row])
            assert data["seat"][row] == position.seat
            assert np.array_equal(masks[row], np.frombuffer(position.legal_mask(), np.uint8))
            assert np.array_equal(seen[row], episode.observe(layout, int(data["seat"][row]), dtype="uint8"))
            position = position.play(str(sv.Move.from_action(action)))
            episode = episode.play(sv.Move.from_action(action))
        for row in range(20 * game, 20 * game + 20):
            seat = int(data["seat"][row])
            share = (seat in position.winners) / len(position.winners)
            others = [score for team, score in enumerate(position.scores) if team != seat]
            assert data["win_share"][row] == np.float32(share)
            assert data["margin"][row] == np.float32(position.scores[seat] - sum(others) / 2)
    study = sv.study(rules, seed=8, **{name: it for name, it in options.items() if name != "chunk"})
    assert study.games == games
    scores = study.table("teams")
    for team in range(3):
        mean = data["win_share"][data["seat"] == team].mean()
        assert mean == pytest.approx(scores[f"seat {team}"]["win share"].value, abs=1e-6)


def starts_of(rules: sv.Rules, options: dict[str, Any]) -> Callable[[int], sv.Position]:
    """Return how game number so and so began, by other means."""
    from savanna.arena.schedule import derived_seed

    if "policy" in options:
        batches = [
            sv.playouts(rules, size, seed=derived_seed(8, "study", batch), policy=options["policy"])
            for batch, size in enumerate([2048, options["games"] - 2048])
        ]
        return lambda game: batches[game // 2048].start(game % 2048)
    return lambda game: sv.Position.deal(rules, derived_seed(8, "deal", game // 6))


@pytest.mark.rare
def test_a_directory_of_shards_is_a_data_set(tmp_path: Path) -> None:
    """It holds its files alone, and everybody reads them."""
    folder = tmp_path / "games"
    paths = distributed.generate(folder, RULES, games=2100, seed=8, chunk=1)
    assert sorted(folder.iterdir()) == paths
    whole = parquet.read_table(folder)
    assert len(paths) == 2
    assert whole.equals(columns(paths))
    assert len(pandas.read_parquet(folder)) == 2100 * 20
    size = envs.Layout(RULES).size
    assert {field.name: str(field.type) for field in whole.schema} == {
        "game": "int64",
        **dict.fromkeys(("ply", "seat", "player", "action"), "uint8"),
        "observation": f"fixed_size_list<element: uint8>[{size}]",
        "action_mask": "fixed_size_list<element: uint8>[200]",
        **dict.fromkeys(("win_share", "margin"), "float"),
    }
    metadata = parquet.read_schema(paths[1]).metadata
    told = {"rules": "3p", "games": "2100", "seed": "8", "policy": "uniform", "players": "[]", "recall": "false"}
    told |= {"version": sv.__version__, "rules_version": str(sv.RULES_VERSION), "env_version": str(envs.ENV_VERSION)}
    assert {f"savanna.{name}".encode(): text.encode() for name, text in {**told, "part": "1"}.items()} == {
        name: text for name, text in metadata.items() if name != b"savanna.call"
    }
    assert parquet.read_metadata(paths[0]).num_row_groups == 1


@pytest.mark.rare
def test_long_shards_have_several_groups_of_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Since a group is written out of memory, and read into it, at once."""
    monkeypatch.setattr(shards, "_GROUP", 50)
    design = designed(RULES, PLAYERS, 6, 7, None)
    store = opened(tmp_path, "parquet", design.to_dict())
    shards._written_by(design, envs.Layout(RULES), store)(Part(0, range(1), 6))
    content = parquet.read_metadata(store.path(0))
    assert [content.row_group(group).num_rows for group in range(content.num_row_groups)] == [50, 50, 20]


@pytest.mark.rare
def test_shards_are_the_same_for_any_number_of_workers(tmp_path: Path) -> None:
    written = []
    for workers in (1, 2, 3):
        paths = distributed.generate(tmp_path / str(workers), players=PLAYERS, games=20, chunk=1, workers=workers)
        written.append([path.read_bytes() for path in paths])
    assert len(written[0]) > 2
    assert written[0] == written[1] == written[2]
    metadata = parquet.read_schema(paths[0]).metadata
    assert metadata[b"savanna.rules"] == b"2p"
    assert metadata[b"savanna.players"].startswith(b'[["one", "Random(')


def test_a_file_that_another_machine_has_is_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "_written_by", lambda *_: lambda part: None)
    with pytest.raises(sv.SavannaError, match=r"part-000000.parquet: it was written, but is not here; all machines "):
        distributed.generate(tmp_path, games=5)


# ---------------------------------------------------------------------------------------------------- the directory


STORED: dict[str, Callable[..., Any]] = {
    "rollout": partial(distributed.rollout, RULES, 3 * B, seed=7, chunk=1),
    "study": partial(distributed.study, RULES, games=5000, seed=7, chunk=1),
    "generate": partial(distributed.generate, rules=RULES, players=PLAYERS, games=18, seed=7, chunk=1),
}


@pytest.mark.parametrize("name", STORED)
def test_half_a_file_is_never_taken_for_a_whole_one(name: str, tmp_path: Path) -> None:
    call = STORED[name]
    expected = call(directory=tmp_path)
    parts = sorted(tmp_path.glob("part-*"))
    assert len(parts) == 3
    data = parts[1].read_bytes()
    # What a worker was writing when it was killed has another name, and is not looked at.
    parts[1].rename(tmp_path / f".{parts[1].name}.0123456789abcdef.tmp")
    assert call(directory=tmp_path) == expected
    assert parts[1].read_bytes() == data or name == "rollout"  # that says how many seconds it took
    # What was cut short by something else is refused, until it is removed.
    for torn in (b"", data[: len(data) // 2], data[:-1]):
        parts[1].write_bytes(torn)
        with pytest.raises(sv.SavannaError, match=rf"{parts[1].name}: it is damaged, remove it") as caught:
            call(directory=tmp_path)
        assert "\n" not in str(caught.value)
    parts[1].unlink()
    assert call(directory=tmp_path) == expected


@pytest.mark.parametrize("name", STORED)
def test_what_is_of_another_part_or_call_is_never_counted(name: str, tmp_path: Path) -> None:
    """Though it is whole, and has as many games."""
    call, here, there = STORED[name], tmp_path / "here", tmp_path / "there"
    expected = call(directory=here)
    call(directory=there, seed=8)
    parts = sorted(here.glob("part-*"))
    ending = parts[0].suffix
    data = parts[1].read_bytes()
    for number, other in ((1, parts[0]), (1, there / parts[1].name), (3, parts[0])):
        path = here / f"part-{number:06}{ending}"
        path.write_bytes(other.read_bytes())
        with pytest.raises(sv.SavannaError, match=rf"{path.name}: it is not part {number} of this call$"):
            call(directory=here)
        path.unlink()
    parts[1].write_bytes(data)
    assert call(directory=here) == expected


def test_a_directory_belongs_to_one_call(tmp_path: Path) -> None:
    call = partial(distributed.rollout, directory=tmp_path / "a" / "b", chunk=1)
    call(RULES, 3 * B, seed=7)
    cases: list[tuple[tuple[sv.Rules, int], dict[str, Any], str]] = [
        ((RULES, 3 * B), {"seed": 8}, "seed is '7', not '8'"),
        ((RULES, 2 * B), {"seed": 7}, f"games is '{3 * B}', not '{2 * B}'"),
        ((sv.Rules(), 3 * B), {"seed": 7}, "source is '\"3p\"', not '\"2p\"'"),
        ((RULES, 3 * B), {"seed": 7, "policy": "soft-greedy"}, "policy is '\"uniform\"', not '\"soft-greedy\"'"),
        ((RULES, 3 * B), {"seed": 7, "chunk": 2 * B}, "size is '1', not '2'"),
    ]
    for arguments, options, text in cases:
        with pytest.raises(sv.SavannaError, match=r"a/b: it was begun by another call: ") as caught:
            call(*arguments, **options)
        assert str(caught.value).endswith(text)
    manifest = tmp_path / "a" / "b.savanna" / "call.json"
    head = json.loads(manifest.read_bytes())
    assert {"format", "savanna", "rules_version"} < set(head)
    manifest.write_text("[")
    with pytest.raises(sv.SavannaError, match=r"a/b: .*a/b.savanna/call.json is not one of ours$"):
        call(RULES, 3 * B, seed=7)
    manifest.unlink()
    with pytest.raises(sv.SavannaError, match=r"a/b: it is not empty, and .*a/b.savanna/call.json is not there$"):
        call(RULES, 3 * B, seed=7)
    with pytest.raises(sv.SavannaError, match=r"part-000000.json: File exists$"):
        distributed.rollout(RULES, 10, directory=tmp_path / "a" / "b" / "part-000000.json")


# ----------------------------------------------------------------------------------------------- progress, bad input


def test_progress_is_told_as_elsewhere(tmp_path: Path) -> None:
    told: list[Any] = []
    distributed.rollout(sv.Rules(), 3 * B, chunk=1, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 3 * B
    moves = len(GAME[19].legal_moves())
    distributed.rank_moves(GAME[19], B + 1, progress=told.append)
    assert told[-1] == moves * (B + 1)
    pairs: list[tuple[int, int]] = []
    note = lambda done, total: pairs.append((done, total))  # noqa: E731
    distributed.study(games=2049, chunk=1, progress=note)
    assert pairs[-1] == (2049, 2049)
    distributed.tournament(PLAYERS, deals=1, progress=note)
    assert pairs[-1] == (6, 6)
    distributed.generate(tmp_path / "x", games=5, progress=note)
    assert pairs[-1] == (5, 5)


def test_what_progress_raises_stops_the_call() -> None:
    def stop(*_: int) -> None:
        raise ZeroDivisionError("stop")

    calls: list[Callable[..., object]] = [
        partial(distributed.rollout, sv.Rules(), 2**53, chunk=1),
        partial(distributed.study, games=2**50, chunk=1),
        partial(distributed.tournament, PLAYERS, deals=10**9),
    ]
    for call in calls:
        with pytest.raises(ZeroDivisionError, match=r"^stop$"):
            call(progress=stop)
    assert distributed.rollout(sv.Rules(), 10) == sv.rollout(sv.Rules(), 10)


CALLS: dict[str, Callable[..., object]] = {
    "rollout": partial(distributed.rollout, sv.Rules(), games=10),
    "rank_moves": partial(distributed.rank_moves, GAME[5], games=10),
    "study": partial(distributed.study, games=10),
    "tournament": partial(distributed.tournament, PLAYERS, deals=1),
    "generate": partial(distributed.generate, directory="/nonexistent/x", games=10),
}


@pytest.mark.parametrize("name", CALLS)
def test_bad_input_is_refused_before_anything_is_done(name: str) -> None:
    call = CALLS[name]
    cases: list[tuple[type[Exception], str, dict[str, Any]]] = [
        (sv.SavannaError, "^workers must be 1 to 1000000, got 0$", {"workers": 0}),
        (TypeError, "^workers must be an int, not float$", {"workers": 1.0}),
        (TypeError, "^progress must be ", {"progress": 3}),
        (sv.SavannaError, "^seed must be 0 to 18446744073709551615, got -1", {"seed": -1}),
    ]
    if name != "tournament":
        cases += [
            (sv.SavannaError, "^chunk must be 1 to 9007199254740992, got 0$", {"chunk": 0}),
            (TypeError, "^chunk must be an int, not str$", {"chunk": "1"}),
            (sv.SavannaError, "^games must be 1 to 9007199254740992, got 0$", {"games": 0}),
            (sv.SavannaError, "^directory needs a seed", {"seed": None, "directory": "/nonexistent/y"}),
            (TypeError, "^path must be a path, not int$", {"directory": 3}),
            (sv.SavannaError, "policy", {"policy": "best"}),
        ]
    for kind, text, options in cases:
        with pytest.raises(kind, match=text):
            call(**options)
    assert not Path("/nonexistent").exists()


def test_sources_are_refused_as_here() -> None:
    with pytest.raises(TypeError, match=r"^source must be Rules, a Position or a View, not int$"):
        distributed.rollout(3)  # type: ignore[arg-type]
    with pytest.raises(sv.GameOverError):
        distributed.rank_moves(GAME[20])
    with pytest.raises(sv.SavannaError, match=r"^threads must be 1 to 1024, got 0$"):
        distributed.rollout(sv.Rules(), 10, threads=0)
    with pytest.raises(sv.SavannaError, match=r"^threads must be 1 to 1, the CPUs of the largest machine, got 2$"):
        distributed.rollout(sv.Rules(), 10, threads=2)


def test_players_that_cannot_be_sent_are_refused() -> None:
    player: Any = type("Odd", (), {"choose": lambda self, view: view.legal_moves()[0], "lock": threading.Lock()})()
    with pytest.raises(TypeError, match=r"^what plays the games cannot be sent to other processes: .*'_thread.lock'"):
        distributed.study(players=player, games=1)


def test_without_ray_it_says_what_to_install() -> None:
    program = "import sys; sys.modules['{}'] = None; import savanna; {}"
    for module, statement, what in (
        ("ray", "import savanna.distributed", "savanna.distributed needs Ray"),
        ("pyarrow", "from savanna.distributed import generate; generate('x')", "generate needs PyArrow"),
    ):
        done = subprocess.run([sys.executable, "-c", program.format(module, statement)], capture_output=True, text=True)
        assert done.stderr.splitlines()[-1] == f"ImportError: {what}: pip install 'savanna-core[ray]'"


@pytest.mark.parametrize("name", distributed.__all__)
def test_what_is_public_is_documented(name: str) -> None:
    function = getattr(distributed, name)
    alike = getattr(sv, {"generate": "study"}.get(name, name))
    ours, theirs = inspect.signature(function).parameters, inspect.signature(alike).parameters
    assert f"savanna.{alike.__name__}`" in function.__doc__ or f"`{alike.__name__}` of the same" in function.__doc__
    # What is in both has the same default; what is here alone is spoken of.
    both = ours.keys() & theirs.keys() - {"threads"}
    assert len(both) > 5
    assert [it for it in both if repr(ours[it].default) != repr(theirs[it].default)] == []
    alone = ours.keys() - theirs.keys() - {"chunk", "directory", "recall"}
    assert alone == {"workers"}
    assert function.__annotations__.keys() == {*ours, "return"}


@pytest.mark.rare
def test_games_of_players_are_begun_once_each(tmp_path: Path) -> None:
    """Nobody asks a player twice as long as no worker dies."""
    distributed.study(players=Logged(str(tmp_path / "log")), games=12, chunk=1)
    begun = (tmp_path / "log").read_text().split()
    assert len(begun) == len(set(begun)) == 24
