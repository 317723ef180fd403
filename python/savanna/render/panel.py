"""What stands beside the board and below it: a card for each seat, and what the signs mean."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from savanna._core import Rules
from savanna.language import Language
from savanna.render.facts import Facts, Seat
from savanna.render.letters import fitted, width
from savanna.render.narrate import move_text
from savanna.render.pieces import box, emblem, glyph, small_tile, text
from savanna.render.theme import TILE_INK, painted

LEFT, TOP, WIDTH, HEIGHT, GAP = 648, 107, 284, 551, 10

ANIMALS = ("mouse", "monkey", "zebra", "giraffe", "elephant")


def card_height(rules: Rules) -> float:
    """Return how high the card of a seat is."""
    players = rules.players
    return 166.0 if players == 2 else round((HEIGHT - GAP * (players - 1)) / players, 1)


@lru_cache(maxsize=1024)
def card(it: Seat, rules: Rules, language: Language, theme: str) -> dict[str, str]:
    """Return the card of a seat in pieces: itself with name, score and Lions, the hand, the deck, tiles not seen."""
    height = card_height(rules)
    y, tall = TOP + (height + GAP) * it.seat, height > 150
    size, top = (50, y + 58) if tall else (38, y + 52)
    drawn = [
        ground(it, y, height),
        name_row(it, rules.team_game, y),
        text(LEFT + 50, y + 43, about(it, rules.team_game, language), "small", "dim"),
        text(LEFT + WIDTH - 16, y + 32, str(it.score), "score"),
        hand(it, top, size, language),
        *stack(it, LEFT + WIDTH - 16, top, size, language),
        *rest(it, y + height - (33 if tall else 31), language),
    ]
    return {key: painted(piece, theme) for key, piece in zip(card_keys(it.seat), drawn, strict=True)}


def card_keys(seat: int) -> list[str]:
    """Return the keys of the pieces of a seat's card."""
    kinds = ("seat", "name", "lions", "score", "hand", "deck", "left", "unseen")
    return [f"{kind}:{seat}" for kind in kinds] + [f"unseen:{seat}:{animal}" for animal in ANIMALS]


def ground(it: Seat, y: float, height: float) -> str:
    """Return the ground of a card, which stands out if its seat is to move or has won."""
    chosen = it.to_move or it.wins
    paint = "mover" if chosen else "card"
    parts = [box(LEFT, y, WIDTH, height, 14, f'class="{paint}"')]
    if chosen:
        parts.append(box(LEFT + 1, y + 1, WIDTH - 2, height - 2, 13, 'class="edge" stroke-width="2"'))
    return "".join(parts)


def name_row(it: Seat, team_game: bool, y: float) -> str:
    """Return the emblem of a seat and its name."""
    tile = box(LEFT + 14, y + 14, 26, 26, 7, f'class="seat{it.seat}"')
    tile += emblem(it.seat, team_game, LEFT + 27, y + 27, TILE_INK)
    room = WIDTH - 76 - width(str(it.score), "score")
    return tile + text(LEFT + 50, y + 26, fitted([it.name], lambda names: names[0], "name", room), "name")


def about(it: Seat, team_game: bool, said: Language) -> str:
    """Return the small print under a name."""
    about = [said.say("seat {seat}", seat=it.seat)]
    if team_game:
        about.append(said.say("team {team}", team=it.team))
    if it.to_move:
        about.append(said.say("to move"))
    return said.listed([*about, said.count("{number} Lion", "{number} Lions", it.lions)])


def hand(it: Seat, y: float, size: float, said: Language) -> str:
    """Return the tiles of a hand, side by side."""
    if not it.hand:
        return text(LEFT + 16, y + size * 0.6, said.say("no tiles in hand"), "small", "dim")
    return "".join(small_tile(it.seat, animal, LEFT + 14 + (size + 6) * n, y, size) for n, animal in enumerate(it.hand))


def stack(it: Seat, right: float, y: float, size: float, said: Language) -> tuple[str, str]:
    """Return the deck as a stack of tiles, and their number."""
    count = len(it.deck)
    if not count:
        return text(right, y + size * 0.6, said.say("deck empty"), "aside", "dim"), ""
    paint = f'class="seat{it.seat}"'
    side = size * 0.8
    sheets = [
        box(right - side - 3.0 * n, y + size - side - 3.0 * n, side, side, 7, paint)
        for n in reversed(range(min(count, 3)))
    ]
    middle = right - side / 2 - 3.0 * (min(count, 3) - 1)
    figure = text(right - side / 2, y + size - side * 0.34, str(count), "sum", "tile")
    label = text(middle - side / 2 - 8, y + size * 0.66, said.say("deck"), "aside", "dim")
    return "".join(sheets), figure + label


def rest(it: Seat, y: float, said: Language) -> list[str]:
    """Return the tiles that are not seen by number, or, where nothing is hidden, the deck as it will be drawn."""
    if it.unseen is None:
        drawn = draws(it.deck, y)
        return [drawn and text(LEFT + 16, y + 15, said.say("draws"), "small", "dim") + drawn] + [""] * len(ANIMALS)
    counts, x = dict(it.unseen), LEFT + 68.0
    parts = [text(LEFT + 16, y + 15, said.say("unseen"), "small", "dim") if any(counts.values()) else ""]
    for animal in ANIMALS:
        count = counts[animal]
        figure = text(x + 23, y + 15, str(count), "count")
        parts.append(glyph(animal, x, y, 21, "ink") + figure if count else "")
        x += 42 if count else 0
    return parts


def draws(deck: Sequence[str | None], y: float, room: int = 9) -> str:
    """Return the tiles of a deck in the order in which they will be drawn, as many as there is room for."""
    parts = [glyph(str(animal), LEFT + 68 + 22 * n, y, 21, "ink") for n, animal in enumerate(deck[:room])]
    if len(deck) > room:
        parts[-1] = text(LEFT + 69 + 22 * (room - 1), y + 15, f"+{len(deck) - room + 1}", "small", "dim")
    return "".join(parts)


@lru_cache(maxsize=64)
def key(rules: Rules, language: Language, theme: str) -> str:
    """Return what tiles are worth, and how lines are scored: there is room for it below two cards."""
    y = TOP + (card_height(rules) + GAP) * rules.players
    height, influence = TOP + HEIGHT - y, rules.influence
    animals = [animal for animal in ANIMALS if rules.deck[animal]] + ["lion"]
    parts = [box(LEFT, y, WIDTH, height, 14, 'class="card"')]
    step = (WIDTH - 28) / len(animals)
    for n, animal in enumerate(animals):
        x = LEFT + 14 + step * (n + 0.5)
        parts.append(glyph(animal, x - 18, y + 22, 36, "ink"))
        parts.append(text(x, y + 79, str(influence[animal]), "sum"))
    for n, (case, who, gained) in enumerate(scoring(rules, language)):
        base = y + 119 + 24 * n
        parts.append(text(LEFT + 16, base, case, "count"))
        parts.append(text(LEFT + 106, base, who, "note", "dim"))
        parts.append(text(LEFT + WIDTH - 16, base, gained, "worth", "ink"))
    return painted("".join(parts), theme)


def scoring(rules: Rules, language: Language) -> Iterator[tuple[str, str, str]]:
    """Yield the cases by which a full line is scored, who gets its points, and how many they are."""
    below, above, exact = rules.points
    target, say = rules.target, language.say
    yield say("below {target}", target=target), say("the most influence"), f"+{below}"
    yield say("above {target}", target=target), say("the least influence"), f"+{above}"
    yield say("exactly {target}", target=target), say("who fills the line"), f"+{exact}"


def footer(facts: Facts) -> str:
    """Return the line at the bottom: the analysis, or how lines are scored."""
    say = facts.language.say
    if facts.advice is not None:
        best = facts.advice.moves[0]
        content = say(
            "Share of wins of the best move on each space, by {iterations} iterations. "
            "Best: {move}, {share} % ± {error} %",
            iterations=f"{facts.advice.iterations:,}",
            move=move_text(best.move, facts.language),
            share=f"{100 * best.win_share:.1f}",
            error=f"{100 * best.stderr:.1f}",
        )
    elif facts.rules.players == 2:
        content = say("Outside the board: the sum of each line, who leads in it, and once it is full, who scored.")
    else:
        cases = (f"{case}, {who} {gained}" for case, who, gained in scoring(facts.rules, facts.language))
        content = say("Full lines: {cases}", cases="; ".join(cases))
    return text(28, 702, content, "note", "dim")
