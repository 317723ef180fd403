"""The animals as small drawings, each a face on a square of 64 by 64.

What is drawn takes the colour that its user fills with; what is cut out of that takes its `color`, which is the colour
of what lies below.
"""

from math import cos, pi, sin

CUT = 'fill="currentColor"'


def circle(x: float, y: float, r: float, what: str = "") -> str:
    """Return a disc."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}"{what and " " + what}/>'


def oval(x: float, y: float, rx: float, ry: float, what: str = "") -> str:
    """Return a filled ellipse."""
    return f'<ellipse cx="{x:g}" cy="{y:g}" rx="{rx:g}" ry="{ry:g}"{what and " " + what}/>'


def path(course: str, what: str = "") -> str:
    """Return a filled path."""
    return f'<path d="{course}"{what and " " + what}/>'


def groove(course: str, width: float) -> str:
    """Return a line cut out of what lies below it."""
    return f'<path d="{course}" fill="none" stroke="currentColor" stroke-width="{width:g}" stroke-linecap="round"/>'


def both(part: str) -> str:
    """Return a part of the left half, and its mirror image."""
    return f'{part}<g transform="matrix(-1 0 0 1 64 0)">{part}</g>'


def scallops(x: float, y: float, r: float, count: int) -> str:
    """Return the outline of a ring of bows, as a mane has."""
    corners = [(x + r * sin(2 * pi * k / count), y - r * cos(2 * pi * k / count)) for k in range(count)]
    bow = r * sin(pi / count) * 1.12
    bows = "".join(f"A{bow:.1f} {bow:.1f} 0 0 1 {a:.1f} {b:.1f}" for a, b in [*corners[1:], corners[0]])
    return f"M{corners[0][0]:.1f} {corners[0][1]:.1f}{bows}Z"


MOUSE = (
    both(circle(14, 19, 13) + circle(14.5, 19.5, 7.5, CUT))
    + path("M32 15C47 15 54 26 50 39C47 50 38 59 32 59C26 59 17 50 14 39C10 26 17 15 32 15Z")
    + both(circle(24, 36, 3.4, CUT) + groove("M22 49L7 46M22 52L9 55", 1.8))
    + oval(32, 55, 4.6, 3.4, CUT)
)
MONKEY = (
    both(circle(9, 33, 8.5) + circle(9, 33, 4.2, CUT))
    + path("M32 5C36 5 37 8 35 9C48 10 54 20 54 32C54 48 45 59 32 59C19 59 10 48 10 32C10 18 19 8 32 5Z")
    + both(circle(24.5, 29, 9.5, CUT))
    + oval(32, 43, 14.5, 11.5, CUT)
    + both(circle(25.5, 30, 3.4) + oval(29.6, 39, 1.3, 1.8))
    + path("M23 45C27 51 37 51 41 45C39 55 25 55 23 45Z")
)
ZEBRA = (
    both(path("M21 18C12 14 10 6 13 2C20 3 25 9 26 15Z") + path("M20 14C16 11 14.5 8 15 5.5C18.5 7 21 10 22 13Z", CUT))
    + path("M27 14C27 6 29 2 32 1C35 2 37 6 37 14Z")
    + path(
        "M32 11C43 11 49 18 48 27C47 36 43 42 43 48C44 57 39 62 32 62C25 62 20 57 21 48"
        "C21 42 17 36 16 27C15 18 21 11 32 11Z"
    )
    + groove("M26 16L32 21L38 16M24.5 22L32 28.5L39.5 22", 2.6)
    + both(groove("M16.5 31L24 34M18.5 38L26 39.5M20.5 44.5L27 44.5", 2.8) + circle(23, 27.5, 2.6, CUT))
    + both(oval(27.5, 54.5, 1.9, 2.6, CUT))
)
GIRAFFE = (
    both(path("M23 20L22 7H26L29 20Z") + circle(24, 6, 4.2))
    + both(
        path("M18 23C10 25 4 22 1 16C8 13 15 15 20 19Z")
        + path("M15 21C11 22 7.5 20.5 5.5 17.5C9.5 16.5 13 17.5 16 19.5Z", CUT)
    )
    + path(
        "M32 14C42 14 47 19 46 27C45 34 43 37 43 42C49 46 49 54 45 58C41 62 23 62 19 58"
        "C15 54 15 46 21 42C21 37 19 34 18 27C17 19 22 14 32 14Z"
    )
    + both(circle(23.5, 28, 3, CUT) + oval(26, 49, 1.9, 2.6, CUT))
    + path("M32 17L36 20L34.5 25H29.5L28 20ZM27.5 31L30.5 35L29.5 40L26.5 39ZM36.5 31L33.5 35L34.5 40L37.5 39Z", CUT)
    + groove("M23 55.5C27 58 37 58 41 55.5", 1.8)
)
ELEPHANT = (
    both(path("M24 12C14 4 2 8 1 22C0 36 6 46 14 46C20 46 24 40 25 34Z"))
    + both(path("M22 40C18 44 16 50 18 57C21 56 25 51 26 44Z"))
    + path(
        "M32 8C43 8 48 16 47 26C46 34 41 38 40 44C39 50 39 54 42 55C44 55.5 45.5 54 46 52L50 54"
        "C49 60 45 63 40 62C33 60 33 52 32 49C31 46 26 44 24 38C19 34 17 31 17 26C16 16 21 8 32 8Z"
    )
    + both(groove("M19 13C15.5 20 16 30 21 37", 2.2) + circle(25, 27, 2.9, CUT))
    + groove("M31 42L37 41.5M33.5 47.5L38 47", 1.7)
)
LION = (
    path(scallops(32, 32, 26, 13))
    + both(circle(18, 19, 6.2, CUT) + circle(18, 19, 3))
    + path("M32 15C43 15 49 23 48 33C47 44 40 51 32 51C24 51 17 44 16 33C15 23 21 15 32 15Z", CUT)
    + both(oval(25, 30, 2.9, 3.4))
    + path(
        "M26.5 37.5H37.5C37.5 40.5 33.5 43 33 43.5V45.5C35 47.5 38 47 39 45L40.5 46"
        "C39 49.5 34.5 50 32 47.5C29.5 50 25 49.5 23.5 46L25 45C26 47 29 47.5 31 45.5V43.5"
        "C30.5 43 26.5 40.5 26.5 37.5Z"
    )
)
ACACIA = path("M4 27C8 17 19 14 26 15C31 9 46 11 48 16C55 16 60 21 60 27C52 31 44 28 38 29C30 31 14 32 4 27Z") + path(
    "M29 30L31.5 44C31 50 29 54 25 57H41C36 54 35 50 35 44L44 29.5H41L34.5 37.5L32.5 30Z"
)

GLYPHS = {
    "mouse": MOUSE,
    "monkey": MONKEY,
    "zebra": ZEBRA,
    "giraffe": GIRAFFE,
    "elephant": ELEPHANT,
    "lion": LION,
    "acacia": ACACIA,
}
"""The drawings by name; the acacia stands where no tile can be placed."""
