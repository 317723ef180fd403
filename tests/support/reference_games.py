"""Rules and games of the reference engine that several of its tests need."""

from collections import Counter

from savanna import reference as ref

START = "2p ..../..../..../..../.... mm/zg mmzzzgge/mmmmzzge 0/0"

TWO = ref.Rules()
MICE = ref.Rules(mice=True)
THREE = ref.Rules(players=3)
ABSENT = ref.Rules(players=3, absent_can_be_least=True)
TEAMS = ref.Rules(players=4, mice=True, team_game=True)


def start(rules: ref.Rules, moves: tuple[str, ...]) -> ref.Position:
    """Return a start with decks from which each seat draws its tiles in the order of these moves."""
    decks = []
    for seat in range(rules.players):
        deck = [move.split()[0] for move in moves[seat :: rules.players]]
        decks.append(deck + list((Counter(rules.deck) - Counter(deck)).elements()))
    return ref.Position.from_decks(rules, decks)


def full_game(rules: ref.Rules, lions: set[int]) -> ref.Position:
    """Play a whole game on the spaces in reading order; the plies in `lions` are placed Lion face up."""
    position = ref.Position.deal(rules, seed=1)
    for ply, space in enumerate(ref.SPACES):
        animal = position.hands[ply % rules.players][0]
        position = position.play(ref.Move(animal, "lion" if ply in lions else "front", space))
    return position
