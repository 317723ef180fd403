"""The board and the deck of a two-player game: all that the rivals share."""

# The squares of the board in reading order, as (row from the top, column); five of the 25 are holes.
HOLES = {(0, 1), (1, 4), (2, 2), (3, 0), (4, 3)}
SPACES = [(row, column) for row in range(5) for column in range(5) if (row, column) not in HOLES]


def numbers_of_lines(row: int, column: int) -> list[int]:
    """Return the lines through a square: rows are 0 to 4, columns 5 to 9, diagonals 10 to 19, falling first."""
    falling, rising = column - row + 2, column + row - 2
    lines = [row, 5 + column]
    lines += [10 + falling] if 0 <= falling < 5 else []
    lines += [15 + rising] if 0 <= rising < 5 else []
    return lines


LINES_OF = [numbers_of_lines(row, column) for row, column in SPACES]
LINES = [[space for space in range(20) if line in LINES_OF[space]] for line in range(20)]

MONKEY, ZEBRA, GIRAFFE, ELEPHANT, LION = 2, 3, 4, 5, 6  # by influence
DECK = [MONKEY] * 4 + [ZEBRA] * 3 + [GIRAFFE] * 2 + [ELEPHANT]


def orders(left: tuple[int, int, int, int] = (4, 3, 2, 1)) -> list[list[int]]:
    """Return the 12,600 orders in which a deck can lie that can be told apart; shuffling makes them equally likely."""
    if not any(left):
        return [[]]
    found = []
    for kind, influence in enumerate((MONKEY, ZEBRA, GIRAFFE, ELEPHANT)):
        if left[kind]:
            fewer = tuple(count - (other == kind) for other, count in enumerate(left))
            found += [[influence, *rest] for rest in orders(fewer)]  # type: ignore[arg-type]
    return found
