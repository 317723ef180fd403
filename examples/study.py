"""Answers a designer's questions with `savanna.study`: makes the tables and pictures of docs/study.md.

    pip install 'savanna-core[plot]'
    python examples/study.py --into docs/study.md --pictures docs/pictures

It takes some minutes on one core; `--share 0.01` plays a hundredth of the games. Without `--into`, it prints the
tables. The same seed and share give the same numbers on every machine.
"""

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import savanna as sv
from savanna.players import Champion, SoftGreedy
from savanna.studies import Estimate
from savanna.types import Policy

SEED = 2024
FAST: tuple[Policy, ...] = ("uniform", "soft-greedy")  # policies of `savanna.rollout`
GAMES = 100_000  # by each policy


class Row(NamedTuple):
    """A study, with the first columns of its row."""

    rules: str
    play: str
    study: sv.Study


class Question(NamedTuple):
    """A table of the document: which players play which rules, and the figures to show.

    `strong` maps names to players and their numbers of games; `figures` maps heads to table, row and column of a study.
    """

    rules: Sequence[str]
    strong: Mapping[str, tuple[Any, int]]
    figures: Mapping[str, tuple[str, str, str]]


def seats(players: int) -> dict[str, tuple[str, str, str]]:
    """Return the figures for the wins of each seat."""
    return {f"seat {seat} wins": ("teams", f"seat {seat}", "win share") for seat in range(players)}


def earned(*tiles: str) -> dict[str, tuple[str, str, str]]:
    """Return the figures for what tiles earn in the end."""
    return {f"{tile} earns": ("animals", tile, "in the end") for tile in tiles}


SHARES = ("win share", "share", "exact", "below")  # the columns in per cent
LEAD = {"lead": ("lead", "first over second", "points")}
LIONS = {"Lions": ("lions", "all", "share")}
EXACT = {"exact lines": ("lines", "all", "exact")}
BELOW = {"lines below": ("lines", "all", "below")}

CHAMPION, SOFT = "Champion(500)", "SoftGreedy(2000)"
QUESTIONS = {
    "bonus": Question(
        rules=["3p,bonus=0", "3p,bonus=1", "3p"],
        strong={CHAMPION: (Champion(500), 1500), SOFT: (SoftGreedy(2000), 800)},
        figures=seats(3),
    ),
    "mice": Question(
        rules=["2p", "2p,mice", "3p", "3p,mice", "4p", "4p,mice"],
        strong={CHAMPION: (Champion(500), 500)},
        figures={
            "score of seat 0": ("teams", "seat 0", "score"),
            **LEAD,
            **EXACT,
            **LIONS,
            **earned("monkey", "mouse"),
        },
    ),
    "lion": Question(
        rules=["2p" if lion == 6 else f"2p,influence=2.3.4.5.1.{lion}" for lion in range(1, 10)],
        strong={CHAMPION: (Champion(500), 300)},
        figures={**LIONS, **BELOW, **EXACT, **LEAD, **earned("zebra", "zebra lion")},
    ),
    "absent": Question(
        rules=["2p", "2p,absent", "3p", "3p,absent", "4p", "4p,absent"],
        strong={CHAMPION: (Champion(500), 500)},
        figures={**seats(4), **LEAD, **LIONS},
    ),
}


def played(question: Question, share: float) -> Iterator[Row]:
    """Play the games of a question."""
    players: dict[str, tuple[Any, int]] = {**dict.fromkeys(FAST, (None, GAMES)), **question.strong}
    for play, (player, games) in players.items():
        for text in question.rules:
            rules, number = sv.Rules.parse(text), max(2, round(games * share))
            policy = next((it for it in FAST if it == play), None)
            yield Row(text, play, sv.study(rules, players=player, games=number, seed=SEED, policy=policy))


def cell(study: sv.Study, place: tuple[str, str, str]) -> str:
    """Return a figure as the document has it, empty if the game has no such row."""
    table, row, column = place
    figure = study.table(table).get(row, {}).get(column)
    if figure is None:
        return ""
    factor, sign, digits = (100, " %", 1) if column in SHARES else (1, "", 2)
    error = factor * figure.error
    digits += round(error, digits) == 0
    return f"{factor * figure.value:.{digits}f} ± {error:.{digits}f}{sign}"


def markdown(question: Question, rows: Sequence[Row]) -> str:
    """Return the table of a question."""
    heads = ["play", "rules", "games", *question.figures]
    lines = [heads, ["---", "---", *["---:"] * (len(heads) - 2)]]
    for rules, play, study in rows:
        lines.append([play, f"`{rules}`", f"{study.games:,}", *(cell(study, it) for it in question.figures.values())])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def filled(document: str, name: str, table: str) -> str:
    """Put a table into its place in the document."""
    pattern = re.compile(rf"(?<=<!-- {name} -->\n)(\|.*\n)*")
    if len(pattern.findall(document)) != 1:
        raise ValueError(f"there must be one place for the table {name!r}")
    return pattern.sub(lambda _: table, document)


def draw(folder: Path, name: str, rows: Sequence[Row], lines: Mapping[str, tuple[str, str, str]], even: float) -> None:
    """Draw figures over the rules of a question, for each way of playing."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}):
        figure = Figure(figsize=(3.4 * len(lines), 3), layout="constrained")
        for axes, (head, (table, row, column)) in zip(
            figure.subplots(1, len(lines), sharey=even > 0), lines.items(), strict=True
        ):
            for play in dict.fromkeys(row.play for row in rows):
                mine = [it for it in rows if it.play == play]
                figures: list[Estimate] = [it.study.table(table)[row][column] for it in mine]
                x = [varied(name, it.study.rules) for it in mine]
                y = [100 * it.value for it in figures]
                reach = [[100 * (it.value - it.low) for it in figures], [100 * (it.high - it.value) for it in figures]]
                axes.errorbar(x, y, reach, capsize=2, label=play)
            if even:
                axes.axhline(even, color="0.5", linestyle=":")
            axes.set_xticks(x)
            axes.set_title(head)
            axes.set_xlabel({"bonus": "bonus of the last seat", "lion": "influence of Lions"}[name])
            axes.set_ylabel("per cent")
        axes.legend(fontsize="small")
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None})


def varied(name: str, rules: sv.Rules) -> int:
    """Return the number that a question varies."""
    return rules.last_seat_bonus if name == "bonus" else rules.influence["lion"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Answer all questions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, metavar="FILE", help="put the tables into this document")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="draw pictures into this folder")
    parser.add_argument("--share", type=float, default=1.0, help="which share of the games to play")
    options = parser.parse_args(arguments)
    for name, question in QUESTIONS.items():
        rows = list(played(question, options.share))
        table = markdown(question, rows)
        if options.into is None:
            print(f"{name}\n\n{table}", flush=True)
        else:
            text = options.into.read_text(encoding="utf-8")
            options.into.write_text(filled(text, name, table), encoding="utf-8")
        if options.pictures is not None and name == "bonus":
            draw(options.pictures, name, rows, seats(3), even=100 / 3)
        if options.pictures is not None and name == "lion":
            draw(options.pictures, name, rows, {**LIONS, **BELOW, **EXACT}, even=0)


if __name__ == "__main__":
    main()
