"""The interface for C: programs in C that use it well and badly, and the same answers as in Python."""

import inspect
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from ctypes import byref, c_int32, c_size_t, c_void_p, sizeof
from pathlib import Path

import pytest

import savanna as sv
from tests.support.both_engines import random_game
from tests.support.capi_library import (
    HEADER,
    Library,
    LineScore,
    RulesOptions,
    State,
    assert_same_tally,
    build,
    compile_as_documented,
    constant,
    declared,
    run,
)
from tests.support.paths import DATA, ROOT
from tests.support.tools import require_tool

EMBED = ROOT / "examples" / "embed.c"
ABUSE = DATA / "capi_abuse.c"
VALGRIND = ["--quiet", "--leak-check=full", "--error-exitcode=9", f"--suppressions={DATA / 'valgrind.supp'}"]
KINDS = ("shared", "static")
ANIMALS = ("monkey", "zebra", "giraffe", "elephant", "mouse")
NO_SEAT = int(constant("SAVANNA_NO_SEAT"))
RULES = ("2p", "3p,mice", "4p,mice,team", "4p,target=12,points=1.2.5,absent", "2p,deck=3.3.2.2.0")


@pytest.fixture(scope="module")
def folder() -> Path:
    """Return where both libraries are."""
    return build()


@pytest.fixture(scope="module")
def shared_library(folder: Path) -> Library:
    return Library(folder / "libsavanna_core.so")


@pytest.fixture
def library(shared_library: Library) -> Iterator[Library]:
    yield shared_library
    shared_library.close()


# Programs in C


@pytest.fixture(scope="module")
def programs(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Path]:
    """Return the programs: each of the sources with each of the libraries."""
    out = tmp_path_factory.mktemp("programs")
    made = {(source.stem, kind): out / f"{source.stem}-{kind}" for source in (EMBED, ABUSE) for kind in KINDS}
    for (name, kind), program in made.items():
        compile_as_documented(kind, folder, EMBED if name == EMBED.stem else ABUSE, program)
    return made


def expected_game(iterations: int) -> list[str]:
    """Return what `embed` prints, as Python plays it."""
    position = sv.Position.deal(sv.Rules(mice=True), seed=7)
    lines = []
    while (seat := position.seat) is not None:
        analysis = sv.analyse(position.view(seat), iterations=iterations, seed=7, threads=1)
        best = analysis.moves[0]
        words = f"of {iterations} iterations, win share {best.win_share:.3f}, best of {len(analysis.moves)} moves"
        lines.append(f"seat {seat} plays {best.move!s:<18} {best.visits:5} {words}")
        position = position.play(best.move)
    won = [", has won" if team in position.winners else "" for team in range(2)]
    return [*lines, str(position), *(f"team {team}: {position.scores[team]} points{won[team]}" for team in range(2))]


@pytest.mark.parametrize("kind", KINDS)
def test_a_c_program_plays_a_whole_game(kind: str, programs: dict[tuple[str, str], Path]) -> None:
    played = run([str(programs["embed", kind]), "150"]).stdout.splitlines()
    assert played == expected_game(150)
    assert len(played) == 23


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_c_does_wrong_is_refused(kind: str, programs: dict[tuple[str, str], Path]) -> None:
    said = run([str(programs["capi_abuse", kind])]).stdout
    refused = re.fullmatch(r"(\d+) refused, 0 wrong\n", said)
    assert refused is not None
    assert int(refused[1]) > 630, said


@pytest.mark.parametrize("name", ["embed", "capi_abuse"])
def test_no_memory_is_lost_or_misused(name: str, programs: dict[tuple[str, str], Path]) -> None:
    run([require_tool("valgrind"), *VALGRIND, str(programs[name, "static"]), *(["20"] if name == "embed" else [])])


def test_valgrind_would_see_a_handle_that_is_not_freed(folder: Path, tmp_path: Path) -> None:
    source = tmp_path / "leak.c"
    source.write_text(
        '#include <stddef.h>\n#include "savanna.h"\nint main(void) { SavannaRules *rules = NULL;\n'
        'int status = savanna_rules_parse("2p", 2, &rules, NULL); rules = NULL; return status; }\n',
        encoding="utf-8",
    )
    compile_as_documented("static", folder, source, tmp_path / "leak")
    command = [require_tool("valgrind"), *VALGRIND, str(tmp_path / "leak")]
    leaked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert leaked.returncode == 9
    assert "definitely lost" in leaked.stderr
    assert "savanna_rules_parse" in leaked.stderr


def test_the_header_is_c_plus_plus_too(folder: Path, tmp_path: Path) -> None:
    source, program = tmp_path / "main.cpp", tmp_path / "main"
    source.write_text(
        '#include "savanna.h"\n#include <cstdio>\nint main() { SavannaRules *rules = nullptr; SavannaError error;\n'
        'SavannaStatus status = savanna_rules_parse("5p", 2, &rules, &error);\n'
        "if (status == SAVANNA_STATUS_BAD_TEXT) std::puts(error.message);\n"
        "SavannaRolloutOptions options; status = savanna_rollout_default_options(&options, sizeof options, nullptr);\n"
        "options.policy = SAVANNA_POLICY_SOFT_GREEDY; options.watch = [](void *, uint64_t) -> int32_t { return 1; };\n"
        "return status; }\n",
        encoding="utf-8",
    )
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-pedantic", f"-I{HEADER.parent}"]
    compiler = require_tool("g++", "clang++", "c++")
    library = [f"-L{folder}", "-lsavanna_core", f"-Wl,-rpath,{folder}"]
    run([compiler, *flags, str(source), *library, "-o", str(program)])
    with pytest.raises(sv.NotationError) as caught:
        sv.Rules.parse("5p")
    assert run([str(program)]).stdout == f"{caught.value}\n"


def test_every_function_is_abused_or_takes_nothing() -> None:
    abused = "".join(ABUSE.with_suffix(suffix).read_text(encoding="utf-8") for suffix in (".c", ".h"))
    harmless = {"savanna_version", "savanna_abi_version", "savanna_rules_version"}
    assert [name for name in declared() if f"{name}(" not in abused and name not in harmless] == []
    assert len(declared()) > 35


def test_the_shared_library_exports_what_is_declared_and_nothing_else(folder: Path) -> None:
    command = [require_tool("nm"), "-D", "--defined-only", "--format=posix", str(folder / "libsavanna_core.so")]
    assert {line.split()[0] for line in run(command).stdout.splitlines()} == set(declared())


# The same as in Python


def test_versions(library: Library) -> None:
    assert library.library.savanna_version().decode() == sv.__version__
    assert library.library.savanna_abi_version() == int(constant("SAVANNA_ABI_VERSION"))
    assert library.library.savanna_rules_version() == 1


def test_rules_are_those_of_python(library: Library) -> None:
    for text in RULES:
        rules, handle = sv.Rules.parse(text), library.parse("rules", text)
        assert library.text("rules_text", handle) == text
        options = RulesOptions()
        library.call("rules_options", handle, byref(options), sizeof(options))
        assert (options.players, options.mice, options.team_game) == (rules.players, rules.mice, rules.team_game)
        assert list(options.deck) == [rules.deck[name] for name in ANIMALS]
        assert list(options.influence)[5] == rules.influence["lion"]
        assert (options.target, tuple(options.points)) == (rules.target, rules.points)
        again = library.make("rules_new", byref(options), sizeof(options))
        assert library.text("rules_text", again) == text


def test_default_options_are_the_printed_game_for_any_number_of_players(library: Library) -> None:
    for players in (2, 3, 4):
        options = RulesOptions()
        library.call("rules_default_options", byref(options), sizeof(options))
        options.players = players
        assert library.text("rules_text", library.make("rules_new", byref(options), sizeof(options))) == f"{players}p"


SPACES = re.findall(r"\b[a-e][1-5]\b", HEADER.read_text(encoding="utf-8").partition("#define SAVANNA_SPACES")[0])


def assert_same_tiles(state: State, value: sv.Position | sv.View) -> None:
    """Hold board, hands and decks to Python's; a view has one hand, and Lions whose animals are not known."""
    numbers = {None: -1} | {name: number for number, name in enumerate(ANIMALS)}
    placed = [(it.seat, numbers[it.animal], int(it.face == "lion")) for it in value.board.values()]
    tiles = dict(zip(value.board, placed, strict=True))
    assert [(it.seat, it.animal, it.lion) for it in state.board] == [tiles.get(name, (-1, -1, 0)) for name in SPACES]
    if isinstance(value, sv.View):
        hands = {} if value.seat is None else {value.seat: value.hand}
        sizes = value.hand_sizes, value.deck_sizes
    else:
        hands = dict(enumerate(value.hands))
        sizes = tuple(map(len, value.hands)), tuple(map(len, value.decks))
    beyond = (0,) * (4 - value.rules.players)
    assert (tuple(state.hand_sizes), tuple(state.deck_sizes)) == (sizes[0] + beyond, sizes[1] + beyond)
    for seat in range(4):
        known = [numbers[animal] for animal in hands.get(seat, ())]
        assert list(state.hands[seat]) == known + [-1] * (2 - len(known))


def assert_same_state(library: Library, kind: str, handle: int, value: sv.Position | sv.View) -> None:
    state = library.state(kind, handle)
    viewer = value.seat if isinstance(value, sv.View) else None
    assert (state.players, state.teams, state.ply) == (value.rules.players, value.rules.teams, value.ply)
    to_move = value.to_move if isinstance(value, sv.View) else value.seat
    assert (state.to_move, state.is_over) == (-1 if to_move is None else to_move, value.is_over)
    assert state.viewer == (NO_SEAT if viewer is None else viewer)
    beyond = [0] * (4 - value.rules.teams)
    assert list(state.scores) == [*value.scores, *beyond]
    assert list(state.lions) == [*value.lions, *beyond]
    assert [team for team in range(4) if state.won[team]] == list(value.winners)
    teams = [value.rules.team_of(seat) for seat in range(value.rules.players)]
    assert list(state.team_of_seat) == teams + [-1] * (4 - value.rules.players)
    assert_same_tiles(state, value)
    assert_same_lines(library, kind, handle, value)


def assert_same_lines(library: Library, kind: str, handle: int, value: sv.Position | sv.View) -> None:
    """Hold the lines, and what three moves would make of them, to Python's."""
    beyond = (0,) * (4 - value.rules.teams)
    for said, line in zip(library.lines(kind, handle), value.lines, strict=True):
        assert [SPACES[space] for space in said.spaces if space != -1] == list(line.spaces)
        assert tuple(said.spaces).index(-1) == 3 if len(line.spaces) == 3 else -1 not in said.spaces
        assert (tuple(said.tiles), tuple(said.influence)) == (line.tiles + beyond, line.influence + beyond)
        assert (said.total, said.empty, said.unclaimed) == (line.total, line.empty, line.unclaimed)
        assert tuple(said.points) == ((0,) * 4 if line.points is None else line.points + beyond)
        assert said.scorer == (-1 if line.scorer is None else line.scorer)
    for move in value.legal_moves()[::30]:
        filled = library.preview(kind, handle, move.action)
        lines = [(sv.LINES[it.line], it.total, tuple(it.points)) for it in filled]
        assert lines == [(it.spaces, it.total, it.points + beyond) for it in value.preview(move)]


def assert_same_view(library: Library, seen: int, view: sv.View) -> None:
    assert library.text("view_text", seen) == str(view)
    assert library.text("view_text", library.parse("view", str(view))) == str(view)
    assert library.text("rules_text", library.make("view_rules", seen)) == str(view.rules)
    assert library.legal("view", seen) == [move.action for move in view.legal_moves()]
    assert_same_state(library, "view", seen, view)


def see(library: Library, position: int, seat: int | None) -> int:
    """Return a handle of the view of a seat, or of the public view."""
    if seat is None:
        return library.make("position_public", position)
    return library.make("position_view", position, seat)


def assert_same_position(library: Library, handle: int, position: sv.Position) -> None:
    assert library.text("position_text", handle) == str(position)
    assert library.legal("position", handle) == [move.action for move in position.legal_moves()]
    assert_same_state(library, "position", handle, position)
    assert library.text("rules_text", library.make("position_rules", handle)) == str(position.rules)
    for seat in (None, *range(position.rules.players)):
        view = position.public() if seat is None else position.view(seat)
        seen = see(library, handle, seat)
        assert_same_view(library, seen, view)
        drawn = library.make("view_sample", seen, position.ply)
        assert library.text("position_text", drawn) == str(view.sample(position.ply))
        assert library.text("view_text", see(library, drawn, seat)) == str(view)


@pytest.mark.parametrize("text", RULES)
def test_games_are_those_of_python(text: str, library: Library) -> None:
    rng = random.Random(text)
    position = sv.Position.deal(sv.Rules.parse(text), seed=11)
    handle = library.make("position_deal", library.parse("rules", text), 11)
    for _ in range(20):
        assert_same_position(library, handle, position)
        move = rng.choice(position.legal_moves())
        assert library.text("move_text", move.action) == str(move)
        read = c_int32()
        library.call("move_parse", str(move).encode(), len(str(move)), byref(read))
        assert read.value == move.action
        position, handle = position.play(move), library.make("position_play", handle, move.action)
    assert position.is_over
    assert_same_position(library, handle, position)
    assert library.text("position_text", library.parse("position", str(position))) == str(position)


@pytest.mark.parametrize("text", RULES)
def test_playouts_are_those_of_python(text: str, library: Library) -> None:
    for kind, handle, source in library.sources(text):
        stats = sv.rollout(source, 20_000, seed=5, threads=1)
        for threads in (1, 2, 0):
            options = library.options(games=20_000, seed=5, threads=threads)
            assert_same_tally(library.rollout(kind, handle, options), stats)


def test_playouts_by_each_policy_are_those_of_python_in_parts_too(library: Library) -> None:
    batch = int(constant("SAVANNA_BATCH"))
    assert batch == sv.BATCH
    games = batch + 3000
    for number, policy in enumerate(sv.POLICIES):
        assert int(constant(f"SAVANNA_POLICY_{policy.upper().replace('-', '_')}")) == number
        for kind, handle, source in library.sources("3p,mice"):
            tallies = []
            for first, count in ((0, games), (0, batch), (batch, 3000)):
                tally = library.rollout(kind, handle, library.options(games=count, first=first, seed=6, policy=number))
                assert_same_tally(tally, sv.rollout(source, count, seed=6, policy=policy, first=first))
                tallies.append(tally)
            wins = [[count for row in tally.wins for count in row] for tally in tallies]
            whole, *parts = ([it.games, *it.scores, *it.lines, *won] for it, won in zip(tallies, wins, strict=True))
            assert whole == [sum(counts) for counts in zip(*parts, strict=True)]


@pytest.mark.parametrize("text", RULES)
def test_moves_are_ranked_as_in_python(text: str, library: Library) -> None:
    start, options = sv.Position.deal(sv.Rules.parse(text), seed=3), library.options(games=300, seed=5)
    handle = library.make("position_deal", library.parse("rules", text), 3)
    view = library.make("position_view", handle, 0)
    for kind, it, source in (("position", handle, start), ("view", view, start.view(0))):
        ranked, expected = library.rank(kind, it, options), sv.rank_moves(source, 300, seed=5)
        assert [row.action for row in ranked] == [row.move.action for row in expected]
        for row, wanted in zip(ranked, expected, strict=True):
            assert_same_tally(row.tally, wanted.stats)
    other = library.make("position_view", handle, 1)
    with pytest.raises(AssertionError, match="source must be a Position, or a View of the seat to move"):
        library.rank("view", other, options)


def test_what_is_usual_is_so_in_python(library: Library) -> None:
    said = inspect.signature(sv.rollout).parameters
    options = library.options()
    assert (options.games, options.first, options.seed) == (said["games"].default, said["first"].default, 0)
    assert (said["policy"].default, options.policy, options.threads) == ("uniform", 0, 0)
    effort = library.effort()
    assert (effort.iterations, effort.seconds, effort.seed) == (sv.players.Champion().iterations, 0.0, 0)
    assert effort.threads == 0
    assert [(bool(it.watch), it.context) for it in (options, effort)] == [(False, None)] * 2


@pytest.mark.parametrize("text", RULES)
def test_the_champion_thinks_as_in_python(text: str, library: Library) -> None:
    position = sv.Position.deal(sv.Rules.parse(text), seed=2)
    for plies in (0, 9, 16):
        while position.ply < plies:
            position = position.play(position.legal_moves()[position.ply % 5])
        view = position.view(position.ply % position.rules.players)
        expected = sv.analyse(view, iterations=300, seed=4, threads=1)
        for threads in (1, 2):
            effort = library.effort(iterations=300, seed=4, threads=threads)
            best, made, moves = library.analyse(library.parse("view", str(view)), effort)
            assert (best, made) == (expected.moves[0].move.action, expected.iterations)
            said = [(it.action, it.visits, it.win_share, it.share_stderr, it.margin) for it in moves]
            assert said == [(it.move.action, it.visits, it.win_share, it.stderr, it.margin) for it in expected.moves]
            assert [tuple(it.scores)[: position.rules.teams] for it in moves] == [it.scores for it in expected.moves]


def test_the_champion_thinks_by_the_clock(library: Library) -> None:
    view = library.make("position_view", library.make("position_deal", library.parse("rules", "2p"), 1), 0)
    best, made, _ = library.analyse(view, library.effort(seconds=0.01))
    assert best in library.legal("view", view)
    assert made > 0


def test_failures_say_what_python_says(library: Library) -> None:
    rules = library.parse("rules", "3p")
    position, made = library.make("position_deal", rules, 1), c_void_p()
    start = sv.Position.deal(sv.Rules(players=3), seed=1)
    for text in ("5p", "2p,mouse", "2p,deck=1.1.1.1.0", "é" * 40):
        with pytest.raises(sv.NotationError) as caught:
            sv.Rules.parse(text)
        refusal = library.refusal("rules_parse", text.encode(), len(text.encode()), byref(made))
        assert refusal == ("bad text", str(caught.value))
    held = {move.animal for move in start.legal_moves()}
    animal = next(name for name in ("monkey", "zebra", "giraffe", "elephant") if name not in held)
    move = sv.Move(animal, "front", "a1")
    with pytest.raises(sv.IllegalMoveError) as illegal:
        start.play(move)
    assert library.refusal("position_play", position, move.action, byref(made)) == ("illegal move", str(illegal.value))
    for wrong in (3, NO_SEAT):
        with pytest.raises(sv.SavannaError) as seat:
            start.view(wrong)
        assert library.refusal("position_view", position, wrong, byref(made)) == ("out of range", str(seat.value))
    assert made.value is None


def test_refusals_of_previews_and_public_views_say_what_python_says(library: Library) -> None:
    position = sv.Position.parse("2p ..../..0G./..../..../.... mm/me gzezmmz/gzmgzzmm 0/0")
    to_move, other, public = position.view(1), position.view(0), position.public()
    lines, count = (LineScore * 4)(), c_size_t(7)

    def refusal(source: sv.Position | sv.View, action: int) -> tuple[str, str]:
        kind = "view" if isinstance(source, sv.View) else "position"
        handle = library.parse(kind, str(source))
        said = library.refusal(f"{kind}_preview", handle, action, lines, 4, sizeof(LineScore), byref(count))
        assert (bytes(lines), count.value) == (bytes(sizeof(lines)), 7)
        return said

    for source, text, status in (
        (position, "zebra c5", "illegal move"),
        (to_move, "zebra c5", "illegal move"),
        (to_move, "monkey c4", "illegal move"),
        (other, "monkey c5", "not to move"),
        (public, "monkey c5", "not to move"),
    ):
        move = sv.Move.parse(text)
        with pytest.raises(sv.IllegalMoveError) as caught:
            source.preview(move)
        assert refusal(source, move.action) == (status, str(caught.value))
    assert refusal(public, 200) == ("out of range", "action must be 0 to 199, got 200")
    over = random_game(position, 1)[-1]
    for source in (over, over.view(0), over.public()):
        assert refusal(source, 200) == ("game over", "the game is over after 20 plies")

    seen, made, effort = library.parse("view", str(public)), c_void_p(), library.effort(iterations=10)
    with pytest.raises(sv.SavannaError) as thought:
        sv.analyse(public, iterations=10)
    thinking = library.refusal("view_analyse", seen, byref(effort), sizeof(effort), byref(made))
    assert thinking == ("not to move", str(thought.value))
    assert made.value is None


def test_handles_may_be_used_by_many_threads(library: Library) -> None:
    position = library.make("position_deal", library.parse("rules", "2p,mice"), 9)
    expected = [library.text("position_text", position), library.legal("position", position)]
    options = library.options(games=5000, threads=1)
    alone = bytes(library.rollout("position", position, options))

    def ask(_: int) -> bool:
        seen = [library.text("position_text", position), library.legal("position", position)]
        return seen == expected and bytes(library.rollout("position", position, options)) == alone

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(200)))


def test_a_backend_that_does_not_exist_is_refused(folder: Path) -> None:
    program = (
        "import sys\nfrom ctypes import byref, sizeof\nfrom pathlib import Path\n"
        "from ctypes import c_void_p\n"
        "from tests.support.capi_library import Library, Tally\n"
        "library, tally = Library(Path(sys.argv[1])), Tally()\n"
        "rules, options = library.parse('rules', '2p'), library.options(games=10)\n"
        "arguments = byref(options), sizeof(options), byref(tally), sizeof(tally)\n"
        "print(*library.refusal('rules_rollout', rules, *arguments), tally.games)\n"
        "view, effort, made = library.parse('view', sys.argv[2]), library.effort(iterations=10), c_void_p()\n"
        "print(*library.refusal('view_analyse', view, byref(effort), sizeof(effort), byref(made)), made.value)\n"
    )
    view = str(sv.Position.deal(sv.Rules(), 7).view(0))
    command = [sys.executable, "-c", program, str(folder / "libsavanna_core.so"), view]
    path = {"PYTHONPATH": str(ROOT), "SAVANNA_BACKEND": "abacus"}
    played, thought = run(command, env=path).stdout.splitlines()
    for said, made in ((played, 0), (thought, None)):
        assert said.startswith("out of range SAVANNA_BACKEND must be one of ")
        assert said.endswith(f"got 'abacus' {made}")
