//! `savanna.rollout` and the functions beside it.

use std::cmp::Ordering;
use std::ops::ControlFlow;
use std::time::Instant;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple, PyType};

use super::args::{errors, of_type, wrong_type};
use super::moves::PyMove;
use super::options::{First, Games, PolicyName, Seed, read_options, read_source};
use super::playouts::PyPlayouts;
use super::stats::PyStats;
use crate::moves::Move;
use crate::play::PlayError;
use crate::rollout::{Backend, Options, Policy, Source};
use crate::stats::Stats;
use crate::tile::Team;

/// Runs Rust code without the interpreter lock. Now and then it looks for signals and reports progress, if there is
/// any; when one of them raises, it stops and that is raised here. `done` is how much was done in the end, to be
/// reported last.
pub(super) fn watched<T: Send>(
    py: Python<'_>,
    done: impl FnOnce(&T) -> u64,
    progress: Option<&Bound<'_, PyAny>>,
    run: impl FnOnce(&mut dyn FnMut(u64) -> ControlFlow<()>) -> T + Send,
) -> PyResult<T> {
    if let Some(value) = progress.filter(|progress| !progress.is_callable()) {
        return Err(wrong_type("progress", "callable", value));
    }
    let progress = progress.map(|progress| progress.clone().unbind());
    let report = |py: Python<'_>, done: u64| {
        progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (done,)).map(|_| ()))
    };
    let (result, told) = py.detach(|| {
        // The most that `progress` was told, or what it raised.
        let mut told = Ok(0);
        let result = run(&mut |done| {
            let new = told.as_ref().is_ok_and(|&told| told < done);
            told = Python::attach(|py| {
                py.check_signals()?;
                if new { report(py, done).map(|()| done) } else { Ok(done) }
            });
            if told.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        (result, told)
    });
    let done = done(&result);
    if told? < done || done == 0 {
        report(py, done)?;
    }
    Ok(result)
}

/// Play random games to the end and count how they come out.
///
/// `source` is Rules (a fresh deal for every game), a Position (its true hidden tiles) or a View (the tiles that it
/// hides are redrawn for every game). With the source, `seed` (0 to 2**64 - 1) decides every game, whatever `threads`
/// (1 to 1024, by default one for each core) and `backend` are; None asks the system for one. `backend` is one of
/// `backends()`; by default it is what the environment variable SAVANNA_BACKEND names, else the first of them.
/// `progress`, if given, is called with the number of games so far a few times a second, and with all of them at the
/// end; what it raises stops the games.
///
/// `policy` says how moves are chosen. With "uniform" all legal moves are equally likely. With "soft-greedy" so they
/// are on a ply with probability 3/8, with "keen-greedy" with probability 1/8; otherwise the legal moves with the
/// greatest gain at once are equally likely, and no other is played. The gain is what the lines that a move fills give
/// its team, times the number of other teams, less what they give those. The chances are exact for "uniform", and for
/// the others to one part in 800.
///
/// Games are numbered from `first` on, a multiple of `BATCH`. So the games of a long call can be played in parts, with
/// the same seed, by as many machines as you like: adding up the parts gives the statistics of the whole, to the last
/// bit. No number may reach 2**53.
///
/// Raises `SavannaError` for a number that is out of range, an unknown backend or an unknown policy.
#[pyfunction]
#[pyo3(signature = (source, games=Games(1_000_000), seed=Seed(0), threads=None, backend=None, progress=None, *,
    policy=PolicyName(Policy::Uniform), first=First(0)),
    text_signature = "(source, games=1000000, seed=0, threads=None, backend=None, progress=None, *, policy='uniform', first=0)")]
#[expect(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "arguments from Python are owned, and one each"
)]
pub(super) fn rollout(
    source: &Bound<'_, PyAny>,
    games: Games,
    seed: Seed,
    threads: Option<&Bound<'_, PyAny>>,
    backend: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    policy: PolicyName,
    first: First,
) -> PyResult<PyStats> {
    let (py, source, options) =
        (source.py(), read_source(source)?, read_options(&games, &seed, threads, backend, &policy, &first)?);
    let mut stats = stats_of_many(py, &[source], &options, progress)?;
    stats.pop().ok_or_else(stopped)
}

/// Plays out many sources with the same options.
fn stats_of_many(
    py: Python<'_>,
    sources: &[Source],
    options: &Options,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<PyStats>> {
    let start = Instant::now();
    let games = options.games.saturating_mul(sources.len() as u64);
    let tallies = watched(py, |_| games, progress, |watch| crate::rollout::rollout_many(sources, options, watch))?;
    let (time, threads) = (start.elapsed(), options.threads_used(sources.len()));
    let stats = |tally| PyStats { stats: Stats::from(tally), time, backend: options.backend, threads };
    Ok(tallies.ok_or_else(stopped)?.into_iter().map(stats).collect())
}

/// Never raised: what stops the games is raised itself.
pub(super) fn stopped() -> PyErr {
    errors::SavannaError::new_err("the playouts were stopped")
}

/// Return what `rollout` returns for each of many sources, with `games` games from each.
///
/// One call for many short rollouts costs less than many calls, and the threads share all of them. `seconds` is the
/// time of the whole call. Takes and raises what `rollout` does.
#[pyfunction]
#[pyo3(signature = (sources, games=Games(1000), seed=Seed(0), threads=None, backend=None, progress=None, *,
    policy=PolicyName(Policy::Uniform), first=First(0)),
    text_signature = "(sources, games=1000, seed=0, threads=None, backend=None, progress=None, *, policy='uniform', first=0)")]
#[expect(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "arguments from Python are owned, and one each"
)]
pub(super) fn rollout_many(
    sources: &Bound<'_, PyAny>,
    games: Games,
    seed: Seed,
    threads: Option<&Bound<'_, PyAny>>,
    backend: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    policy: PolicyName,
    first: First,
) -> PyResult<Vec<PyStats>> {
    let (py, options) = (sources.py(), read_options(&games, &seed, threads, backend, &policy, &first)?);
    let iterator = sources.try_iter().map_err(|_| wrong_type("sources", "a sequence", sources))?;
    let sources: Vec<Source> = iterator.map(|source| read_source(&source?)).collect::<PyResult<_>>()?;
    stats_of_many(py, &sources, &options, progress)
}

/// Return the legal moves as `RankedMove(move, win_share, stderr, stats)`, best first, by `games` games after each.
///
/// `source` is a Position, or a View of the seat to move; for a View, all that it hides is redrawn for every game, and
/// so is the tile that the seat draws after the move. Moves are ranked by the win share of its team, then by how
/// far its mean score exceeds the best other. All moves are played with the same random numbers, so that differences
/// between them are known better than `stderr` says. Raises `GameOverError` when no move is left, `SavannaError` for
/// another source, and what `rollout` raises.
#[pyfunction]
#[pyo3(signature = (source, games=Games(10_000), seed=Seed(0), threads=None, backend=None, progress=None, *,
    policy=PolicyName(Policy::Uniform), first=First(0)),
    text_signature = "(source, games=10000, seed=0, threads=None, backend=None, progress=None, *, policy='uniform', first=0)")]
#[expect(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "arguments from Python are owned, and one each"
)]
pub(super) fn rank_moves<'py>(
    source: &Bound<'py, PyAny>,
    games: Games,
    seed: Seed,
    threads: Option<&Bound<'_, PyAny>>,
    backend: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    policy: PolicyName,
    first: First,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let (py, root, options) =
        (source.py(), read_source(source)?, read_options(&games, &seed, threads, backend, &policy, &first)?);
    let (moves, team) = moves_of(&root)?;
    let sources: Vec<Source> = moves.iter().filter_map(|&mv| root.after(mv)).collect();
    let stats = stats_of_many(py, &sources, &options, progress)?;
    in_order(py, team, moves.into_iter().zip(stats).collect())
}

/// Return the legal moves that `rank_moves` would rank, in ascending order of action, without playing a game.
///
/// Raises what `rank_moves` raises for its source.
#[pyfunction]
pub(super) fn moves_to_rank<'py>(source: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let (moves, _) = moves_of(&read_source(source)?)?;
    PyList::new(source.py(), moves.into_iter().map(PyMove))
}

/// Return what `rank_moves` returns, from what the playouts after each legal move came to.
///
/// `source` is what `rank_moves` took, and `stats` has one `Stats` for each legal move, in ascending order of action,
/// which may be sums of several calls. Raises `SavannaError` for another number of them, or for other rules, and what
/// `rank_moves` raises for its source.
#[pyfunction]
pub(super) fn rank_stats<'py>(
    source: &Bound<'py, PyAny>,
    stats: &Bound<'py, PyAny>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let root = read_source(source)?;
    let (moves, team) = moves_of(&root)?;
    let mut given: Vec<PyStats> = Vec::new();
    let items = stats.try_iter().map_err(|_| wrong_type("stats", "a sequence", stats))?;
    for item in items.take(moves.len() + 1) {
        let item = item?;
        let item = of_type::<PyStats>(&item, "an item of stats", "Stats")?.get();
        if item.stats.tally.rules() != root.rules() {
            return Err(errors::SavannaError::new_err("stats are of other rules than the source"));
        }
        given.push(item.clone());
    }
    if given.len() != moves.len() {
        let (wanted, more) = (moves.len(), if given.len() > moves.len() { "more" } else { "fewer" });
        return Err(errors::SavannaError::new_err(format!("there are {wanted} legal moves, but {more} stats")));
    }
    in_order(source.py(), team, moves.into_iter().zip(given).collect())
}

/// The moves that are to be ranked, in ascending order of action, and the team that moves.
fn moves_of(root: &Source) -> PyResult<(Vec<Move>, Team)> {
    if root.plies_left() == 0 {
        return Err(PlayError::GameOver.into());
    }
    let no_moves = || errors::SavannaError::new_err("source must be a Position, or a View of the seat to move");
    let (moves, team) = root.moves().ok_or_else(no_moves)?;
    Ok((moves.iter().collect(), team))
}

/// Moves as records, best first.
fn in_order(py: Python<'_>, team: Team, mut ranked: Vec<(Move, PyStats)>) -> PyResult<Vec<Bound<'_, PyAny>>> {
    static RANKED_MOVE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let worth = |stats: &PyStats| (stats.stats.win_share(team).value, stats.stats.lead(team));
    ranked.sort_by(|(_, a), (_, b)| worth(b).partial_cmp(&worth(a)).unwrap_or(Ordering::Equal));
    let record = RANKED_MOVE.import(py, "savanna.records", "RankedMove")?;
    let row = |(mv, stats): (Move, PyStats)| {
        let share = stats.stats.win_share(team);
        record.call1((PyMove(mv), share.value, share.stderr, stats))
    };
    ranked.into_iter().map(row).collect()
}

/// Play the games of `rollout` with the same source, seed and policy, and write each of them out.
///
/// `out`, if given, is an earlier result of the same shape: its arrays are written over instead of making new ones.
/// Takes and raises what `rollout` does, and raises `SavannaError` for an `out` that does not fit or is in use,
/// `MemoryError` if there is no room for the arrays.
#[pyfunction]
#[pyo3(signature = (source, games=Games(1000), seed=Seed(0), threads=None, backend=None, progress=None, out=None, *,
    policy=PolicyName(Policy::Uniform), first=First(0)),
    text_signature = "(source, games=1000, seed=0, threads=None, backend=None, progress=None, out=None, *, policy='uniform', first=0)")]
#[expect(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "arguments from Python are owned, and one each"
)]
pub(super) fn playouts(
    source: &Bound<'_, PyAny>,
    games: Games,
    seed: Seed,
    threads: Option<&Bound<'_, PyAny>>,
    backend: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    out: Option<&Bound<'_, PyAny>>,
    policy: PolicyName,
    first: First,
) -> PyResult<PyPlayouts> {
    let options = read_options(&games, &seed, threads, backend, &policy, &first)?;
    PyPlayouts::play(source.py(), read_source(source)?, &options, out, progress)
}

/// Return the backends that this machine can run, best first.
#[pyfunction]
pub(super) fn backends(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Backend::available().iter().map(|backend| backend.name()))
}
