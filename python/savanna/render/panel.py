"""What stands beside the board and below it: a card for each seat, and what the signs mean."""

from collections.abc import Iterator

from savanna.render.facts import Facts, Seat
from savanna.render.letters import fitted, width
from savanna.render.pieces import box, emblem, glyph, small_tile, text
from savanna.render.theme import TILE_INK

LEFT, TOP, WIDTH, HEIGHT, GAP = 648, 107, 284, 551, 10

ANIMALS = ("mouse", "monkey", "zebra", "giraffe", "elephant")


def panel(facts: Facts) -> str:
    """Return the cards of all seats, and what tiles and lines are worth where there is room for it."""
    players = facts.rules.players
    height = 166.0 if players == 2 else round((HEIGHT - GAP * (players - 1)) / players, 1)
    cards = [card(facts, seat, TOP + (height + GAP) * seat.seat, height) for seat in facts.seats]
    below = TOP + (height + GAP) * players
    return "".join(cards) + (key(facts, below, TOP + HEIGHT - below) if players == 2 else "")


def card(facts: Facts, it: Seat, y: float, height: float) -> str:
    """Return the card of a seat: name and score, Lions, hand and deck, tiles that are not seen."""
    tall = height > 150
    chosen = it.to_move or it.wins
    ground = "mover" if chosen else "card"
    parts = [box(LEFT, y, WIDTH, height, 14, f'class="{ground}"')]
    if chosen:
        parts.append(box(LEFT + 1, y + 1, WIDTH - 2, height - 2, 13, 'class="edge" stroke-width="2"'))
    parts.append(box(LEFT + 14, y + 14, 26, 26, 7, f'class="seat{it.seat}"'))
    parts.append(emblem(it.seat, facts.rules.team_game, LEFT + 27, y + 27, TILE_INK))
    room = WIDTH - 76 - width(str(it.score), "score")
    name = fitted(facts, lambda facts: facts.seats[it.seat].name, "name", room)
    parts.append(text(LEFT + 50, y + 26, name, "name"))
    parts.append(text(LEFT + 50, y + 43, about(facts, it), "small", "dim"))
    parts.append(text(LEFT + WIDTH - 16, y + 32, str(it.score), "score"))
    size, top = (50, y + 58) if tall else (38, y + 52)
    parts.append(hand(it, top, size))
    parts.append(stack(it, LEFT + WIDTH - 16, top, size))
    parts.append(rest(it, y + height - (33 if tall else 31)))
    return f'<g data-seat="{it.seat}">{"".join(parts)}</g>'


def about(facts: Facts, it: Seat) -> str:
    """Return the small print under a name."""
    lions = f"{it.lions} Lion{'s' * (it.lions != 1)}"
    team = f"team {it.team}, " if facts.rules.team_game else ""
    return f"seat {it.seat}, {team}{'to move, ' * it.to_move}{lions}"


def hand(it: Seat, y: float, size: float) -> str:
    """Return the tiles of a hand, side by side."""
    if not it.hand:
        return text(LEFT + 16, y + size * 0.6, "no tiles in hand", "small", "dim")
    return "".join(small_tile(it.seat, animal, LEFT + 14 + (size + 6) * n, y, size) for n, animal in enumerate(it.hand))


def stack(it: Seat, right: float, y: float, size: float) -> str:
    """Return the deck as a stack of tiles with their number."""
    count = len(it.deck)
    if not count:
        return text(right, y + size * 0.6, "deck empty", "aside", "dim")
    paint = f'class="seat{it.seat}"'
    side = size * 0.8
    sheets = [
        box(right - side - 3.0 * n, y + size - side - 3.0 * n, side, side, 7, paint)
        for n in reversed(range(min(count, 3)))
    ]
    middle = right - side / 2 - 3.0 * (min(count, 3) - 1)
    figure = text(right - side / 2, y + size - side * 0.34, str(count), "sum", "tile")
    label = text(middle - side / 2 - 8, y + size * 0.66, "deck", "aside", "dim")
    return "".join(sheets) + figure + label


def rest(it: Seat, y: float) -> str:
    """Return the tiles that are not seen by number, or, where nothing is hidden, the deck as it will be drawn."""
    label, parts, x = "unseen" if it.unseen is not None else "draws", [], LEFT + 68.0
    if it.unseen is None:
        room = 9
        for animal in it.deck[:room]:
            parts.append(glyph(str(animal), x, y, 21, "ink"))
            x += 22
        if len(it.deck) > room:
            parts[-1] = text(x - 21, y + 15, f"+{len(it.deck) - room + 1}", "small", "dim")
    else:
        for animal in (animal for animal in ANIMALS if it.unseen[animal]):
            parts.append(glyph(animal, x, y, 21, "ink"))
            parts.append(text(x + 23, y + 15, str(it.unseen[animal]), "count"))
            x += 42
    return text(LEFT + 16, y + 15, label, "small", "dim") + "".join(parts) if parts else ""


def key(facts: Facts, y: float, height: float) -> str:
    """Return what tiles are worth, and how lines are scored."""
    influence, rules = facts.rules.influence, facts.rules
    animals = [animal for animal in ANIMALS if rules.deck[animal]] + ["lion"]
    parts = [box(LEFT, y, WIDTH, height, 14, 'class="card"')]
    step = (WIDTH - 28) / len(animals)
    for n, animal in enumerate(animals):
        x = LEFT + 14 + step * (n + 0.5)
        parts.append(glyph(animal, x - 18, y + 22, 36, "ink"))
        parts.append(text(x, y + 79, str(influence[animal]), "sum"))
    for n, (case, who, gained) in enumerate(scoring(facts)):
        base = y + 119 + 24 * n
        parts.append(text(LEFT + 16, base, case, "count"))
        parts.append(text(LEFT + 106, base, who, "note", "dim"))
        parts.append(text(LEFT + WIDTH - 16, base, gained, "worth", "ink"))
    return "".join(parts)


def scoring(facts: Facts) -> Iterator[tuple[str, str, str]]:
    """Yield the cases by which a full line is scored, who gets its points, and how many they are."""
    below, above, exact = facts.rules.points
    target = facts.rules.target
    yield f"below {target}", "the most influence", f"+{below}"
    yield f"above {target}", "the least influence", f"+{above}"
    yield f"exactly {target}", "who fills the line", f"+{exact}"


def footer(facts: Facts) -> str:
    """Return the line at the bottom: the analysis, or how lines are scored."""
    if facts.advice is not None:
        best = facts.advice.moves[0]
        content = (
            f"Share of wins of the best move on each space, by {facts.advice.iterations:,} iterations. "
            f"Best: {best.move}, {100 * best.win_share:.1f} % ± {100 * best.stderr:.1f} %"
        )
    elif facts.rules.players == 2:
        content = "Outside the board: the sum of each line, who leads in it, and once it is full, who scored."
    else:
        content = "Full lines: " + "; ".join(f"{case}, {who} {gained}" for case, who, gained in scoring(facts))
    return text(28, 702, content, "note", "dim")
