"""Colours and signs: who is who to every eye, by light and by dark."""

from dataclasses import dataclass

SEAT_COLOURS = ("#D55E00", "#56B4E9", "#F0E442", "#009E73")
"""The seats' colours, red, blue, yellow and green as Okabe and Ito chose them for all kinds of sight."""

TILE_INK = "#1B1712"
"""What is drawn on the seats' colours, and what Lions lie on."""

SHAPES = ("circle", "square", "triangle", "diamond")
"""The seats' shapes, so that colour is never the only sign; in the Team game partners share one."""

SIGNS = {"circle": "●○", "square": "■□", "triangle": "▲△", "diamond": "◆◇"}
"""The shapes as characters, filled and hollow."""


def shape(seat: int, team_game: bool) -> tuple[str, bool]:
    """Return a seat's shape, and whether it is hollow, which tells partners apart."""
    return (SHAPES[seat % 2], seat >= 2) if team_game else (SHAPES[seat], False)


def sign(seat: int, team_game: bool) -> str:
    """Return a seat's shape as a character."""
    name, hollow = shape(seat, team_game)
    return SIGNS[name][hollow]


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours around the tiles: of surfaces, from the page up, and of what is written on them."""

    page: str
    board: str
    space: str
    card: str
    mover: str
    ink: str
    dim: str
    faint: str
    heat: str


LIGHT = Theme(
    page="#FFFDF8",
    board="#E9DCC0",
    space="#F7EFDD",
    card="#F6F0E2",
    mover="#FFFFFF",
    ink="#241E16",
    dim="#655A48",
    faint="#C9B78F",
    heat="#D58BB5",
)
DARK = Theme(
    page="#17140F",
    board="#2F2819",
    space="#3F3724",
    card="#231F17",
    mover="#332D20",
    ink="#F5EEDF",
    dim="#BFB39B",
    faint="#6B5E43",
    heat="#8A3B6E",
)


@dataclass(frozen=True, slots=True)
class Lettering:
    """How a text is written: its size in units of the picture, whether it is bold, and which point of it is placed."""

    size: float
    bold: bool = False
    anchor: str = "start"

    def rule(self, root: str, name: str) -> str:
        """Return it as a style rule."""
        weight = ";font-weight:700" if self.bold else ""
        anchor = "" if self.anchor == "start" else f";text-anchor:{self.anchor}"
        return f".{root} .{name}{{font-size:{self.size:g}px{weight}{anchor}}}"


TEXTS = {
    "status": Lettering(27, bold=True),
    "about": Lettering(15),
    "note": Lettering(13),
    "small": Lettering(12),
    "count": Lettering(13, bold=True),
    "name": Lettering(17, bold=True),
    "score": Lettering(30, bold=True, anchor="end"),
    "axis": Lettering(14, anchor="middle"),
    "influence": Lettering(24, bold=True, anchor="end"),
    "share": Lettering(20, bold=True, anchor="middle"),
    "query": Lettering(22, bold=True, anchor="middle"),
    "sum": Lettering(17, bold=True, anchor="middle"),
    "so-far": Lettering(16, anchor="middle"),
    "gain": Lettering(12, bold=True, anchor="middle"),
    "tiny": Lettering(8, bold=True, anchor="middle"),
}
"""All that is written, from the turn down to a share of points."""


def rules_of(theme: Theme, root: str) -> str:
    """Return the style rules of a theme for what lies in an element of the class `root`."""
    fills = {name: getattr(theme, name) for name in ("page", "board", "space", "card", "mover", "ink", "dim", "faint")}
    parts = [f".{root} .{name}{{fill:{colour}}}" for name, colour in fills.items()]
    parts += [
        f".{root} .on-{ground}{{fill:{theme.ink};color:{getattr(theme, ground)}}}" for ground in ("card", "mover")
    ]
    parts.append(f".{root} .heat{{fill:{theme.heat}}}")
    parts.append(f".{root} .edge{{fill:none;stroke:{theme.ink}}}")
    parts.append(f".{root} .full{{fill:{theme.card};stroke:{theme.ink}}}")
    parts.append(f".{root} .web{{fill:none;stroke:{theme.faint}}}")
    return "".join(parts)


def style(theme: str) -> str:
    """Return the style sheet of a picture in the theme "light", "dark" or "auto".

    All rules begin with a class that is of the theme alone, so pictures in one page do not change each other.
    """
    root = f"sv-{theme}"
    same = f".{root} .tile{{fill:{TILE_INK}}}" + "".join(it.rule(root, name) for name, it in TEXTS.items())
    same += f".{root} .end{{text-anchor:end}}"
    # A thin edge, as yellow would be lost on a light page.
    for seat, colour in enumerate(SEAT_COLOURS):
        same += f".{root} .seat{seat}{{fill:{colour};stroke:{TILE_INK};stroke-width:1.2}}"
        same += f".{root} .front{seat}{{fill:{TILE_INK};color:{colour}}}"
        same += f".{root} .lion{seat}{{fill:{colour};color:{TILE_INK}}}"
    if theme == "auto":
        return f"{same}{rules_of(LIGHT, root)}@media (prefers-color-scheme:dark){{{rules_of(DARK, root)}}}"
    return same + rules_of(DARK if theme == "dark" else LIGHT, root)


THEMES = ("light", "dark", "auto")
"""The themes there are; "auto" is dark where the reader's system is."""
