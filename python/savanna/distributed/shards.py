"""Games written down for learning: what the seat to move saw, what it played, and how that came out."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from savanna._core import ENV_VERSION, RULES_VERSION, SPACES, Episode, Layout, Move, Position, Rules, __version__
from savanna.arguments import boolean
from savanna.distributed.parts import Directory, Part, check_seed, checked_crew, cut, played, telling
from savanna.distributed.store import Store, opened
from savanna.envs.rewards import Rewards
from savanna.errors import RecordError
from savanna.files import where
from savanna.studies.design import Design, designed
from savanna.studies.play import Players, player_games, policy_games
from savanna.types import Policy
from savanna.workers import Pace, Progress

_PRINTED = Rules()  # the game on the box
_PLIES = len(SPACES)
_VECTORS = ("observation", "action_mask")
_COLUMNS = ("game", "ply", "seat", "player", "action", *_VECTORS, "win_share", "margin")
# Games of a shard if nobody says how many: a batch by a policy is some MB; players may take long for each game.
_BY_POLICY, _BY_PLAYERS = 2048, 256
_GROUP = _BY_POLICY * _PLIES  # rows of a row group, so that writing long files takes no more memory than that of one


def generate(
    directory: Directory,
    rules: Rules = _PRINTED,
    games: int | None = None,
    *,
    players: Players | None = None,
    seed: int | None = 0,
    policy: Policy | None = None,
    recall: bool = False,
    workers: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> list[Path]:
    """Write the games that `study` of the same arguments counts into Parquet files, and return their paths.

    A row is a turn. `game` (int64), `ply`, `seat` and `player` (its number; uint8 each) say whose; `observation`
    (uint8[layout.size]; see `savanna.envs.Layout`, and there `recall`) and `action_mask` (uint8[200]) are what that
    seat saw and could play, `action` (uint8) what it played. `win_share` and `margin` (float32) are how the game ended
    for it: its team's share of the win, and by how much its team's score exceeds the mean of the others'. The metadata
    of each file tell of the call, of the versions and of the part that it is.

    `chunk` is how many games are a file, rounded up to whole batches or deals, by default 2048, or 256 of players. A
    file is written by the task that plays its games, which takes some 30 kB of memory for each, so all machines must
    see the `directory`. It is there whole or not at all, and the same call goes on when the program was stopped. All
    else is as in `study` of this module, and so is what is raised; `ImportError` without PyArrow.
    """
    try:
        import pyarrow  # noqa: F401 -- so that its absence is told here, not by a worker
    except ImportError as error:
        raise ImportError("generate needs PyArrow: pip install 'savanna-core[ray]'") from error
    crew, pace = checked_crew(workers), Pace(progress)
    check_seed(seed, directory)
    design = designed(rules, players, games, seed, policy)
    fewest = -(-(_BY_POLICY if players is None else _BY_PLAYERS) // design.each)
    parts = cut(design.games, design.each, chunk, fewest, fewest)
    layout = Layout(design.rules, boolean("recall", recall))
    call = {"call": "generate", **design.to_dict(), "env_version": ENV_VERSION, "recall": recall}
    store = opened(directory, "parquet", {**call, "size": parts.size})
    finished = store.finished()
    kept = [(parts.part(number), None) for number in sorted(finished)]
    with closing(played(parts, finished, _written_by(design, layout, store), crew)) as written:
        for part, _ in telling(chain(kept, written), parts, pace):
            _check(store, part)
    return [store.path(number) for number in range(parts.count)]


def _written_by(design: Design, layout: Layout, store: Store) -> Any:
    """Return the function that plays a part and writes its file; it holds nothing else, and so is all that is sent."""

    def play(part: Part) -> None:
        import pyarrow as pa
        from pyarrow import parquet

        sink = pa.BufferOutputStream()
        table = _table(design, layout, part, _metadata(design, layout, store.mark(part.number)))
        parquet.write_table(table, sink, _GROUP, compression="zstd", write_page_checksum=True)
        store.write(part.number, sink.getvalue())

    return play


def _check(store: Store, part: Part) -> None:
    """Check that a file is here, that it is what was written, and this part's."""
    import pyarrow as pa
    from pyarrow import parquet

    path = store.path(part.number)
    if not path.is_file():
        raise RecordError(f"{where(path)}: it was written, but is not here; all machines must see this directory")
    data = store.content(part.number)
    try:
        content = parquet.read_metadata(pa.BufferReader(data))
    except (pa.ArrowException, OSError, ValueError):  # a name that is not UTF-8, too
        raise store.damaged(part.number) from None
    if not _texts(store.mark(part.number)).items() <= (content.metadata or {}).items():
        raise store.strange(part.number)
    if content.num_rows != part.games * _PLIES or not store.is_whole(part.number, data):
        raise store.damaged(part.number)


@dataclass(frozen=True)
class _Played:
    """A game that was played to its end: its number in the study, and which player each team was."""

    number: int
    sides: Sequence[int]
    start: Position
    moves: Sequence[Move]


def _games(design: Design, pieces: range) -> Iterator[_Played]:
    """Play some pieces of a study."""
    plan = design.seating
    first = pieces.start * design.each
    if plan is not None:
        records = player_games(plan, design.players, pieces, threads=1)
        for number, record in enumerate(records, start=first):
            yield _Played(number, plan.by_team(number), record.start, record.moves)
        return
    assert design.policy is not None
    for batch in pieces:
        plays = policy_games(design.rules, design.policy, design.games, design.seed, batch)
        for game in range(len(plays)):
            sides = [0] * design.rules.teams
            yield _Played(batch * design.each + game, sides, plays.start(game), plays.moves(game))


def _table(design: Design, layout: Layout, part: Part, metadata: dict[bytes, bytes]) -> Any:
    """Play a part and return its turns as a `pyarrow.Table`."""
    import pyarrow as pa

    rules = design.rules
    seats = np.arange(_PLIES) % rules.players
    teams = np.array([rules.team_of(seat) for seat in seats.tolist()])
    paid = {"win_share": Rewards(layout, "win"), "margin": Rewards(layout, "margin")}
    columns: dict[str, list[Any]] = {name: [] for name in ("game", "player", "action", *paid, *_VECTORS)}
    for game in _games(design, part.pieces):
        episode = Episode.replay(game.start, game.moves)
        columns["game"].append(np.full(_PLIES, game.number, np.int64))
        columns["player"].append(np.array(game.sides, np.uint8)[teams])
        columns["action"].append(np.array([move.action for move in episode.moves], np.uint8))
        for name, rewards in paid.items():
            by_seat = rewards.after_move(game.start, episode.position)
            columns[name].append(np.array(by_seat, np.float32)[seats])
        for name, rows in zip(_VECTORS, episode.turns(layout, dtype="uint8"), strict=True):
            columns[name].append(rows.view(np.uint8))
    whole = {name: np.concatenate(values) for name, values in columns.items()}
    games = len(columns["game"])
    whole |= {"ply": np.tile(np.arange(_PLIES, dtype=np.uint8), games), "seat": np.tile(seats.astype(np.uint8), games)}
    arrays = {name: _vectors(whole[name]) if name in _VECTORS else pa.array(whole[name]) for name in _COLUMNS}
    return pa.table(arrays, metadata=metadata)


def _vectors(rows: Any) -> Any:
    """Return a column, as a `pyarrow.Array`, whose values are the rows of an array."""
    import pyarrow as pa

    return pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel()), rows.shape[1])


def _metadata(design: Design, layout: Layout, mark: Mapping[str, Any]) -> dict[bytes, bytes]:
    """Return what a reader must know of a file, and whose it is."""
    made_by = {"version": __version__, "rules_version": RULES_VERSION, "env_version": ENV_VERSION}
    return _texts({**made_by, **design.to_dict(), "recall": layout.recall, **mark})


def _texts(content: Mapping[str, Any]) -> dict[bytes, bytes]:
    """Return plain values as texts for the metadata of a file, all but texts themselves as JSON."""
    texts = {name: it if isinstance(it, str) else json.dumps(it) for name, it in content.items()}
    return {f"savanna.{name}".encode(): text.encode() for name, text in texts.items()}
