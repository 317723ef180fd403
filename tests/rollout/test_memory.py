"""Memory: no call leaves anything behind, and playouts need no more for more games."""

import gc
from collections.abc import Callable, Iterator
from typing import Any

import psutil
import pytest

import savanna as sv
from savanna.envs import BatchEnv, Episode, Layout
from savanna.types import Backend
from tests.support.full import count

pytestmark = pytest.mark.thin(6)

KIB = 1024
RULES = sv.Rules(players=3, mice=True)
POSITION = sv.Position.deal(RULES, seed=3)
while POSITION.ply < 17:  # most moves fill a line now
    POSITION = POSITION.play(POSITION.legal_moves()[0])
MOVE = next(move for move in POSITION.legal_moves() if POSITION.lines_filled(move))
VIEW, OWN_VIEW = POSITION.view(0), POSITION.view(2)
RULES_TEXT, TEXT, VIEW_TEXT, MOVE_TEXT = map(str, (RULES, POSITION, VIEW, MOVE))
ILLEGAL = f"zebra {next(iter(POSITION.board))}"
STATS = sv.rollout(RULES, games=100)
PLAYS = sv.playouts(RULES, games=100)
EARLIER = sv.playouts(POSITION, games=20)
ENV = BatchEnv(20, RULES, seed=1, recall=True)
OUT, OVER = ENV.buffers(), ENV.sample_actions() * 0 + 199
GAME = sv.Game(POSITION)
for _ in range(3):
    GAME.play(GAME.position.legal_moves()[0])
RECORD = GAME.to_json()
LAYOUT, EPISODE = ENV.layout, Episode.deal(RULES, seed=1)


def refused(call: Callable[..., object], *args: Any) -> Callable[[], None]:
    def attempt() -> None:
        try:
            call(*args)
        except (ValueError, TypeError):
            return
        raise AssertionError("nothing was raised")

    return attempt


# A million calls where a call is cheap, with --full. At the bound below, even those of which there are 20,000 are found
# out then if they lose 16 bytes each, and no object is smaller; the 8,000 without it, if they lose 33.
CALLS: dict[str, tuple[int, Callable[[], object]]] = {
    "deal": (1_000_000, lambda: sv.Position.deal(RULES, 1)),
    "play": (1_000_000, lambda: POSITION.play(MOVE)),
    "view": (1_000_000, lambda: POSITION.view(1)),
    "legal moves": (1_000_000, POSITION.legal_moves),
    "sample": (1_000_000, lambda: VIEW.sample(2)),
    "lines filled": (500_000, lambda: POSITION.lines_filled(MOVE)),
    "rules": (300_000, lambda: sv.Rules(players=3, deck={"monkey": 7}, points=[1, 2, 3])),
    "text": (80_000, lambda: (str(POSITION), repr(VIEW))),
    "parse": (60_000, lambda: (sv.Position.parse(TEXT), sv.View.parse(VIEW_TEXT))),
    "parse move": (300_000, lambda: (sv.Rules.parse(RULES_TEXT), sv.Move.parse(MOVE_TEXT), POSITION.play(MOVE_TEXT))),
    "board": (60_000, lambda: (POSITION.board, VIEW.board, POSITION.hands, VIEW.unseen)),
    "arrays": (80_000, lambda: (STATS.win_share, STATS.score_histogram, STATS.to_dict())),
    "row": (60_000, lambda: (PLAYS.start(5), PLAYS.moves(5))),
    "rollout": (20_000, lambda: sv.rollout(RULES, games=1)),
    "rollout of a view": (20_000, lambda: sv.rollout(VIEW, games=1, progress=abs)),
    "rollout_many": (20_000, lambda: sv.rollout_many([RULES, POSITION, VIEW], games=1, threads=1)),
    "rank_moves": (20_000, lambda: sv.rank_moves(POSITION, games=1, threads=1)),
    "rank_moves of a view": (20_000, lambda: sv.rank_moves(OWN_VIEW, games=1, threads=1)),
    "playouts": (20_000, lambda: sv.playouts(POSITION, games=1)),
    "playouts over earlier ones": (50_000, lambda: sv.playouts(POSITION, games=20, out=EARLIER)),
    "step": (30_000, lambda: ENV.step(ENV.sample_actions())),
    "step over earlier arrays": (30_000, lambda: ENV.step(ENV.sample_actions(), out=OUT)),
    "reset": (20_000, lambda: (ENV.reset(), ENV.now(out=OUT))),
    "what seats see": (60_000, lambda: (ENV.observe(1), ENV.final_observations(2))),
    "a game of a batch": (60_000, lambda: (ENV.episode(7), ENV.view(9), ENV.view(3, 1))),
    "save and restore": (3_000, lambda: BatchEnv.restore(ENV.save())),
    "layout": (30_000, lambda: (Layout(RULES, recall=True).sections, LAYOUT.high, LAYOUT.turned(1))),
    "episode": (60_000, lambda: (EPISODE.play(EPISODE.position.legal_moves()[0]).moves, EPISODE.action_mask(1))),
    "turns": (20_000, lambda: (EPISODE.turns(LAYOUT), EPISODE.turns(LAYOUT, dtype="uint8"))),
    "observe": (60_000, lambda: (EPISODE.observe(LAYOUT, 0), EPISODE.observe(LAYOUT, 1, dtype="uint8"))),
    "record of a game": (20_000, lambda: sv.Game.from_json(RECORD)),
    "public record": (5_000, lambda: sv.PublicGame.from_json(GAME.public().to_json())),
    "wrong record": (20_000, refused(sv.Game.from_json, RECORD.replace("game", "play"))),
    "illegal action": (50_000, refused(lambda: ENV.step(OVER))),
    "wrong arrays": (100_000, refused(lambda: ENV.step(OVER, out=OUT._replace(seats=OVER[1:])))),
    "wrong bytes": (20_000, refused(lambda: BatchEnv.restore(ENV.save()[:-1]))),
    "illegal move": (300_000, refused(POSITION.play, ILLEGAL)),
    "wrong type": (300_000, refused(POSITION.view, 1.5)),
    "wrong notation": (100_000, refused(sv.Position.parse, TEXT[:-1] + "x")),
    "wrong rules": (300_000, refused(lambda: sv.Rules(deck={"monkey": 7, "hippo": 3}))),
    "wrong source": (100_000, refused(lambda: sv.rollout_many([RULES, POSITION, None], games=1))),  # type: ignore[list-item]
    "nothing to rank": (300_000, refused(lambda: sv.rank_moves(VIEW, games=1))),
    "wrong shape": (100_000, refused(lambda: sv.playouts(RULES, games=20, out=EARLIER))),
    "wrong option": (20_000, refused(lambda: sv.rollout(RULES, games=1, backend="none"))),  # type: ignore[arg-type]
}


@pytest.fixture(scope="module", autouse=True)
def frozen() -> Iterator[None]:
    """Keep what is there by now from being searched again and again."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def growth(call: Callable[[], object], times: int) -> int:
    """Return by how many bytes the process grows in so many calls."""
    gc.collect()
    before = psutil.Process().memory_info().rss
    for _ in range(times):
        call()
    gc.collect()
    grown: int = psutil.Process().memory_info().rss - before
    return grown


@pytest.mark.parametrize("name", CALLS)
def test_calls_leave_nothing_behind(name: str) -> None:
    most, call = CALLS[name]
    times = count(min(most, 8_000), most)
    growth(call, 1000)
    # What is lost is lost in each half; what Python's allocator rearranges is not.
    halves = [growth(call, times // 2) for _ in range(2)]
    assert min(halves) < 128 * KIB, halves


def test_the_measurement_finds_a_leak() -> None:
    kept: list[object] = []
    # More than earlier tests may have left free.
    assert min(growth(lambda: kept.append(POSITION.play(MOVE)), 400_000) for _ in range(2)) > 128 * KIB


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("backend", "games"), [("scalar", count(1_000_000, 3_000_000)), (sv.backends()[0], count(20_000_000, 50_000_000))]
)
def test_rollout_needs_no_more_memory_for_more_games(backend: Backend, games: int, threads: int) -> None:
    resident: list[int] = []

    def look(_: int) -> None:
        resident.append(psutil.Process().memory_info().rss)

    sv.rollout(RULES, games=200_000, threads=threads, backend=backend)
    before = psutil.Process().memory_info().rss
    sv.rollout(RULES, games, threads=threads, backend=backend, progress=look)
    assert len(resident) >= 3
    # The moves of the games alone would take 60 MB or more.
    assert max(resident) - before < 1024 * KIB


def test_playouts_give_their_memory_back() -> None:
    sv.playouts(RULES, games=300_000)
    before = psutil.Process().memory_info().rss
    plays = sv.playouts(RULES, games=300_000)
    arrays = (plays.actions, plays.scores, plays.winners, plays.decks)
    size = sum(array.nbytes for array in arrays)
    # Two bytes a score of three teams, one for the winners; 3 decks of 8 tiles; 20 moves.
    assert size == 300_000 * (20 + 2 * 3 + 1 + 3 * 8)
    assert psutil.Process().memory_info().rss - before < size + 1024 * KIB
    del plays, arrays
    assert psutil.Process().memory_info().rss - before < 1024 * KIB


def test_playouts_over_earlier_ones_need_no_further_memory() -> None:
    plays = sv.playouts(RULES, games=300_000)
    before = psutil.Process().memory_info().rss
    resident: list[int] = []
    for seed in range(5):
        progress = lambda _: resident.append(psutil.Process().memory_info().rss)  # noqa: E731
        plays = sv.playouts(RULES, games=300_000, seed=seed, out=plays, progress=progress)
    assert len(resident) >= 5
    # The arrays are 15 MB.
    assert max(resident) - before < 1024 * KIB
