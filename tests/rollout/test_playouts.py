"""Playouts: real games by the rules, the same for every seed for ever, and uniform by the law of chance."""

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare

import savanna as sv
from savanna import reference as ref

pytestmark = pytest.mark.thin(4)

VARIANTS = {
    "2": sv.Rules(),
    "3": sv.Rules(players=3),
    "4": sv.Rules(players=4),
    "2 mice": sv.Rules(mice=True),
    "3 mice": sv.Rules(players=3, mice=True),
    "4 mice": sv.Rules(players=4, mice=True),
    "team": sv.Rules(players=4, team_game=True),
    "team mice": sv.Rules(players=4, team_game=True, mice=True),
    "absent": sv.Rules(players=3, absent_can_be_least=True),
    "odd influence": sv.Rules(influence={"monkey": 0, "zebra": 1, "giraffe": 2, "mouse": 15, "lion": 4}),
    "odd points": sv.Rules(mice=True, target=11, points=(0, 4, 7), last_seat_bonus=5),
    "odd deck": sv.Rules(players=4, mice=True, deck={"monkey": 1, "zebra": 9, "mouse": 3}),
}
P_VALUE = 1e-4
Source = sv.Rules | sv.Position | sv.View


@cache
def game(variant: str, seed: int = 0) -> list[sv.Position]:
    """Return the position at every ply of a random game."""
    rng, position = random.Random(f"{variant} {seed}"), sv.Position.deal(VARIANTS[variant], seed)
    positions = [position]
    while not position.is_over:
        position = position.play(rng.choice(position.legal_moves()))
        positions.append(position)
    return positions


def sources(variant: str) -> Iterator[Source]:
    """Return sources of every kind: fresh deals, and positions and views from the first ply to the end."""
    yield VARIANTS[variant]
    for ply in (0, 1, 7, 12, 17, 19, 20):
        position = game(variant)[ply]
        yield position
        yield from (position.view(seat) for seat in range(position.rules.players))


def reference_game(plays: sv.Playouts, number: int) -> tuple[ref.Position, Counter[str]]:
    """Play a written game move by move in the reference; return its end and how many lines came out how."""
    position = ref.Position.parse(str(plays.start(number)))
    target, lines = position.rules.target, Counter[str]()
    for action in plays.actions[number]:
        move = ref.Move.from_action(action)
        for line in position.lines_filled(move):
            lines["below" if line.total < target else "above" if line.total > target else "exact"] += 1
        position = position.play(move)
    return position, lines


# -------------------------------------------------------------------------------------------------- games by the rules


@pytest.mark.parametrize("variant", VARIANTS)
def test_written_games_replay_in_the_reference(variant: str) -> None:
    for number, source in enumerate(sources(variant)):
        games = 6
        plays = sv.playouts(source, games=games, seed=number)
        stats, lines = sv.rollout(source, games=games, seed=number), Counter[str]()
        for i in range(games):
            end, filled = reference_game(plays, i)
            assert end.is_over
            assert end.scores == tuple(plays.scores[i])
            assert sum(1 << team for team in end.winners) == plays.winners[i]
            assert [move.action for move in plays.moves(i)] == plays.actions[i].tolist()
            lines += filled
            start = plays.start(i)
            row = [[ref.ANIMALS[animal] for animal in deck] for deck in plays.decks[i]]
            if isinstance(source, sv.Rules):
                assert str(ref.Position.from_decks(ref.Rules.parse(str(source)), row)) == str(start)
            elif isinstance(source, sv.Position):
                assert start == source
            else:
                assert source.seat is not None
                assert start.view(source.seat) == source
        assert (stats.lines_below, stats.lines_exact, stats.lines_above) == tuple(
            lines[outcome] for outcome in ("below", "exact", "above")
        )


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_tally_of_the_written_games_is_the_rollout(variant: str) -> None:
    for number, source in enumerate(sources(variant)):
        plays, stats = sv.playouts(source, games=500, seed=number), sv.rollout(source, games=500, seed=number)
        teams = VARIANTS[variant].teams
        histogram = [
            np.bincount(plays.scores[:, team], minlength=stats.score_histogram.shape[1]) for team in range(teams)
        ]
        assert stats.games == 500
        assert np.array_equal(stats.score_histogram, histogram)
        shares = np.array([[bits >> team & 1 for team in range(teams)] for bits in plays.winners], dtype=float)
        shares /= shares.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(stats.win_share, shares.mean(axis=0), rtol=1e-12)
        np.testing.assert_allclose(stats.mean_score, plays.scores.mean(axis=0), rtol=1e-12)
        np.testing.assert_allclose(stats.score_sd, plays.scores.std(axis=0), rtol=1e-9, atol=1e-9)


# --------------------------------------------------------------------------------------------------------- reproducible

GAMES = (1, 63, 64, 65, 1000, 16384, 16385, 20000, 40000)
ARRAYS = ("actions", "scores", "winners", "decks")
LONG: dict[str, Source] = {
    "fresh": VARIANTS["2"],
    "fresh mice": VARIANTS["4 mice"],
    "position": sv.Position.parse("3p ..../..../0e.../1Z.0G./2g... mz/mz/mz mmz/mgem/mzme 0/0/0"),
    "view": sv.View.parse("seat=1 2p ..1m1Z/0?0?.1G/0?.0m./.1m../..0?. ??/mz ???/???? 0/0"),
    "team view": sv.View.parse("seat=2 4p,mice,team 2E.../..1g./...0u/3?.../0?1?.. ??/??/mz/?? ???/???/????/???? 0/0"),
}


@pytest.mark.parametrize("name", LONG)
def test_threads_and_length_change_no_game(name: str) -> None:
    source = LONG[name]
    longest = sv.playouts(source, games=GAMES[-1], seed=11, threads=3)
    for games in GAMES:
        tally = sv.rollout(source, games=games, seed=11, threads=1)
        assert [sv.rollout(source, games=games, seed=11, threads=threads) for threads in (2, 3, 8)] == [tally] * 3
        for team, counts in enumerate(tally.score_histogram):
            assert np.array_equal(np.bincount(longest.scores[:games, team], minlength=len(counts)), counts)
        for threads in (1, 2, 8):
            plays = sv.playouts(source, games=games, seed=11, threads=threads)
            for array in ARRAYS:
                assert np.array_equal(getattr(plays, array), getattr(longest, array)[:games])
    assert sv.rollout(source, games=1000, seed=12) != sv.rollout(source, games=1000, seed=11)


# Games won by each set of teams, and a hash of all arrays. Whoever changes a number here changes the games of every
# seed: that is a "Results change" for the change log.
GOLDEN = {
    "fresh": (
        [9633, 10075, 292],
        "326633018e96deb9777d30a496004ae255e1791e665565a64bfad17fd7fc8962",
    ),
    "fresh mice": (
        [4511, 4658, 100, 4888, 119, 130, 8, 5232, 104, 105, 7, 128, 4, 5, 1],
        "315fa82fb7293f1b9514648d605eae2f039d1ec2c5c21925c4b1df92ec8bb928",
    ),
    "position": (
        [5012, 3939, 95, 10501, 245, 199, 9],
        "956ec158fe86a83ed855e28c2af3eee611905b85bca7c1f664f429ad8a0a2f1a",
    ),
    "view": (
        [6503, 13210, 287],
        "506f9d8304a1b962614d867baa2844c741f50bd4fc0914983a62083b17b3bd63",
    ),
    "team view": (
        [11851, 7883, 266],
        "885ce90a6521aa2c16b0e80f92e35507689f7fc8246d28223a86ce2ba4bbf0fc",
    ),
}


@pytest.mark.parametrize("name", LONG)
def test_seeds_give_the_same_games_for_ever(name: str) -> None:
    plays = sv.playouts(LONG[name], games=20_000, seed=2024)
    digest = hashlib.sha256()
    for array in ARRAYS:
        values = getattr(plays, array)
        digest.update(np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<")).tobytes())
    wins = [int((plays.winners == bits).sum()) for bits in range(1, 16)]
    assert ([count for count in wins if count], digest.hexdigest()) == GOLDEN[name]


def shuffle_words(items: int) -> list[list[int]]:
    """Return, for each word of a shuffle, the bounds of the numbers that it gives."""
    words: list[list[int]] = []
    product = 2**32
    for bound in range(items, 1, -1):
        if product * bound <= 2**16 and 2**16 % (product * bound) <= 256:
            product *= bound
            words[-1].append(bound)
        else:
            product = bound
            words.append([bound])
    return words


class RefusedError(Exception):
    """A word that would make some orders likelier than others."""


def shuffled(items: list[Any], words: Iterator[int]) -> list[Any]:
    """Shuffle from the front with 16-bit words, each of which gives several numbers."""
    items, place, refused = list(items), 0, False
    for bounds in shuffle_words(len(items)):
        word, product = next(words), 1
        for bound in bounds:
            number, word = divmod(word * bound, 2**16)
            items[place], items[place + number] = items[place + number], items[place]
            place, product = place + 1, product * bound
        refused = refused or word < 2**16 % product
    if refused:
        raise RefusedError
    return items


def lanes(seed: int, batch: int, words: int) -> Iterator[list[int]]:
    """Return the words of one lane after the other, out of the stream of a batch."""
    generators = [ref.Xoshiro256PlusPlus.seeded(seed, "playout", 16 * batch + index) for index in range(16)]
    while True:
        outputs = [[generator.next() for generator in generators] for _ in range(words)]
        for lane in range(64):
            yield [row[lane // 4] >> (16 * (lane % 4)) & 0xFFFF for row in outputs]


def written_order(source: sv.Rules | sv.View, seed: int, batch: int, games: int) -> list[list[int]]:
    """Return the actions of the first games of a batch by the written order of draws, in plain Python."""
    rules = source if isinstance(source, sv.Rules) else source.rules
    board = {} if isinstance(source, sv.Rules) else source.board
    counts = (rules.deck,) * rules.players if isinstance(source, sv.Rules) else source.unseen
    unseen = [[animal for animal, count in seat.items() for _ in range(count)] for seat in counts]
    empty = [space for space in ref.SPACES if space not in board]
    choices = -(-len(empty) // 8)
    tile_words = sum(len(shuffle_words(len(tiles))) for tiles in unseen)
    written: list[list[int]] = []
    for lane in lanes(seed, batch, tile_words + choices + len(shuffle_words(len(empty)))):
        words = iter(lane)
        try:
            queues = [shuffled(tiles, words) for tiles in unseen]
            bits = [next(words) for _ in range(choices)]
            plies = shuffled(list(range(len(empty))), words)
        except RefusedError:
            continue
        decks: list[list[str]] = []
        for seat, queue in enumerate(queues):
            known = list(source.hand) if isinstance(source, sv.View) and source.seat == seat else []
            placed = sum(tile.seat == seat for tile in board.values())
            decks.append((known + queue)[: sum(rules.deck.values()) - placed])  # the rest lies under Lions
        actions = []
        for ply, space in sorted(zip(plies, empty, strict=True)):
            deck = decks[(len(board) + ply) % rules.players]
            choice = bits[ply // 8] >> (2 * (ply % 8))
            # The hand is the next two tiles: the one held longer is taken, or the one that came last.
            animal = deck.pop(1 if choice & 2 and len(deck) > 1 else 0)
            actions.append(ref.Move(animal, ref.FACES[choice & 1], space).action)
        written.append(actions)
        if len(written) == games:
            return written
    raise AssertionError("the lanes never end")


@pytest.mark.parametrize("name", ["fresh", "fresh mice", "view", "team view"])
@pytest.mark.parametrize("seed", [0, 2**64 - 1])
def test_games_follow_the_written_order_of_draws(name: str, seed: int) -> None:
    source = LONG[name]
    assert not isinstance(source, sv.Position)
    actions = sv.playouts(source, games=16384 + 70, seed=seed).actions
    first, second = written_order(source, seed, 0, 200), written_order(source, seed, 1, 70)
    assert actions[:200].tolist() == first
    assert actions[16384:].tolist() == second
    assert len(set(map(tuple, first + second))) == 270


# ---------------------------------------------------------------------------------------------------- the law of chance


def test_ten_million_games_of_two_agree_with_an_independent_program() -> None:
    """The other program's 16.8 million games; the figures are rounded to the last digit that is given."""
    stats = sv.rollout(sv.Rules(), games=10_000_000, seed=0)
    mean, sd, share = np.array([11.501, 11.685]), np.array([3.031, 3.095]), np.array([0.4881, 0.5119])
    both = (1 / 10e6 + 1 / 16.8e6) ** 0.5
    assert np.all(abs(stats.mean_score - mean) < 4 * sd * both + 0.0005)
    assert np.all(abs(stats.win_share - share) < 4 * 0.5 * both + 0.00005)
    # The standard error of a standard deviation is sd / sqrt(2 n) for scores that are nearly normal.
    assert np.all(abs(stats.score_sd - sd) < 4 * sd * both / 2**0.5 * 1.1 + 0.0005)
    # Lines of a game at exactly ten have a standard deviation of 0.87.
    assert abs(stats.exact_tens - 0.7208) < 4 * 0.87 * both + 0.00005
    assert stats.lines_below + stats.lines_exact + stats.lines_above == 20 * stats.games


def test_shared_wins_of_two() -> None:
    """1.42 % of the games are shared."""
    shared = (sv.playouts(sv.Rules(), games=1_000_000, seed=1).winners == 3).mean()
    assert abs(shared - 0.0142) < 4 * (0.0142 * (1 / 1e6 + 1 / 16.8e6)) ** 0.5 + 0.00005


@pytest.mark.parametrize("variant", ["3", "4", "team", "2 mice", "absent", "odd influence"])
def test_other_rules_agree_with_random_games_of_the_reference(variant: str) -> None:
    games, rules = 500, ref.Rules.parse(str(VARIANTS[variant]))
    rng = random.Random(variant)
    ends = [ref.random_playout(ref.Position.deal(rules, seed), rng) for seed in range(games)]
    stats = sv.rollout(VARIANTS[variant], games=1_000_000, seed=3)
    scores = np.array([end.scores for end in ends])
    shares = np.array([[(team in end.winners) / len(end.winners) for team in range(rules.teams)] for end in ends])
    both = (1 / games + 1 / 1e6) ** 0.5
    assert np.all(abs(scores.mean(axis=0) - stats.mean_score) < 4 * stats.score_sd * both)
    assert np.all(abs(shares.mean(axis=0) - stats.win_share) < 4 * shares.std(axis=0) * both)
    # For scores that are nearly normal; the reference's spread is the one that is uncertain.
    assert np.all(abs(scores.std(axis=0) / stats.score_sd - 1) < 4 * 1.2 / (2 * games) ** 0.5)


def assert_follows(counts: Counter[Any], law: dict[Any, Fraction]) -> None:
    """Check by a chi-square test that what was counted has these probabilities."""
    assert set(counts) <= set(law)
    expected = [float(counts.total() * chance) for chance in law.values()]
    assert min(expected) >= 5
    assert chisquare([counts[key] for key in law], expected).pvalue > P_VALUE


def endings(position: ref.Position) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Return all games to the end as action ids, and their chances if a slot, a face and a space are drawn evenly.

    With two different animals in the hand every legal move has the same chance, and so it has with two equal ones.
    """
    if position.is_over:
        yield (), Fraction(1)
        return
    assert position.seat is not None
    hand = position.hands[position.seat]
    for animal in hand:
        for move in position.legal_moves():
            if move.animal == animal:
                moves = sum(other.animal == animal for other in position.legal_moves())
                for rest, chance in endings(position.play(move)):
                    yield (move.action, *rest), chance / len(hand) / moves


def test_endings_of_a_position_follow_the_exact_law() -> None:
    source = sv.Position.parse("2p 0m1m.0M/0G1g0G1Z/1m.0z0Z/1z0e1g1M/.0z0m1z m/me -/- 4/9")
    law: dict[Any, Fraction] = defaultdict(Fraction)
    for actions, chance in endings(ref.Position.parse(str(source))):
        law[actions] += chance
    assert sum(law.values()) == 1
    assert len(law) == 96  # 3 spaces, 2 faces and 2 animals, then 2 and 2, then 2 faces
    plays = sv.playouts(source, games=100_000, seed=1)
    assert_follows(Counter(map(tuple, plays.actions.tolist())), law)


def test_endings_of_a_view_follow_the_exact_law() -> None:
    """Seat 1's hand and the animals under its Lions are unknown: all orders of m, m, z, e are equally likely."""
    text = "2p 0m1m.0M/0G1g0G1{}/1m.0z0Z/1z0z1g1{}/.0e0m1z m/{} -/- 4/9"
    law: dict[Any, Fraction] = defaultdict(Fraction)
    pool = "mmez"
    orders = list(permutations(pool))
    for first, second, *lions in orders:
        hand = "".join(sorted((first, second), key="mzgeu".index))
        start = text.format(lions[0].upper(), lions[1].upper(), hand)
        for actions, chance in endings(ref.Position.parse(start)):
            law[start, actions] += chance / len(orders)
    assert sum(law.values()) == 1
    plays = sv.playouts(sv.Position.parse(next(iter(law))[0]).view(0), games=200_000, seed=1)
    starts = {plays.decks[i].tobytes(): str(plays.start(i)) for i in range(2000)}
    rows = zip(plays.decks, plays.actions.tolist(), strict=True)
    assert_follows(Counter((starts[deck.tobytes()], tuple(actions)) for deck, actions in rows), law)


@pytest.mark.parametrize("hands", ["mz/zg/mm", "mm/zg/mz"])
def test_the_first_move_is_uniform(hands: str) -> None:
    """From a known start, every legal move is equally likely, with two different animals in the hand or two equal."""
    decks = {"mz": "mmzge", "zg": "mmmze", "mm": "mzzge"}
    text = "/".join(decks[hand] for hand in hands.split("/"))
    source = sv.Position.parse(f"3p ..../..../..../..../.... {hands} {text} 0/0/0")
    legal = [move.action for move in source.legal_moves()]
    assert len(legal) == (80 if hands.startswith("mz") else 40)
    plays = sv.playouts(source, games=200_000, seed=9)
    assert_follows(Counter(plays.actions[:, 0].tolist()), dict.fromkeys(legal, Fraction(1, len(legal))))


def p_value(counts: NDArray[np.int64]) -> float:
    """Return how likely counts that should be equal come out at least as unequal as these."""
    return float(chisquare(counts).pvalue)


@pytest.mark.rare
def test_spaces_and_faces_of_a_million_fresh_games_are_uniform() -> None:
    games = 1_000_000
    actions = sv.playouts(VARIANTS["4 mice"], games=games, seed=0).actions.astype(np.int64)
    spaces, faces = actions % 20, actions // 20 % 2
    worst = []
    for ply in range(20):
        worst.append(p_value(np.bincount(spaces[:, ply] * 2 + faces[:, ply], minlength=40)))
        following = (ply + 1) % 20
        pairs = np.bincount(spaces[:, ply] * 20 + spaces[:, following], minlength=400)
        assert not pairs[::21].any()  # no space is filled twice
        worst.append(p_value(pairs[pairs > 0]))
        assert (pairs > 0).sum() == 380
        worst.append(p_value(np.bincount(faces[:, ply] * 2 + faces[:, following], minlength=4)))
    # Games have nothing to do with those nearby in the lanes, the generators and the rounds.
    for apart in (1, 3, 4, 16, 64, 256, 16384):
        cells = spaces[:-apart, 0] * 20 + spaces[apart:, 0]
        worst.append(p_value(np.bincount(cells, minlength=400)))
        worst.append(p_value(np.bincount(faces[:-apart, 7] * 2 + faces[apart:, 7], minlength=4)))
    assert min(worst) > P_VALUE


def test_they_are_a_sequence_of_games() -> None:
    """Each game, played again by the reference, ends as its record says."""
    plays = sv.playouts(sv.Rules(players=3), games=40, seed=5)
    games = list(plays)
    assert len(games) == len(plays) == 40
    for number, game in enumerate(games):
        assert (game.start, list(game.moves)) == (plays.start(number), plays.moves(number))
        end = ref.Position.parse(str(game.start))
        for move in game.moves:
            end = end.play(str(move))
        assert (game.scores, game.winners) == (end.scores, end.winners)
        assert sum(1 << team for team in game.winners) == plays.winners[number]
    assert (plays[-1], plays[-40]) == (games[39], games[0])
    for number in (40, -41):
        with pytest.raises(IndexError, match=f"game must be .*, got {number}"):
            plays[number]
    with pytest.raises(TypeError, match="game must be an int, not slice"):
        plays[0:2]  # type: ignore[index]
