//! `savanna.rollout` and the functions beside it.

use std::time::Instant;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple, PyType};

use super::args::{of_type, wrong_type};
use super::moves::{self, PyMove};
use super::options::{First, Games, PolicyName, Seed, read_options, read_source};
use super::playouts::PyPlayouts;
use super::stats::PyStats;
use super::watch::{stopped, watched};
use crate::backend::Backend;
use crate::moves::Move;
use crate::rank::{self, RankError, RankedMove};
use crate::rollout::{Options, Policy, Source};
use crate::stats::Stats;

/// Generates a function that plays games: all take the same options and hand them, checked, to `$run`.
macro_rules! playing {
    ($(#[$doc:meta])* $name:ident($what:ident, $games:literal $(, $out:ident)?) -> $result:ty, $signature:literal, $run:path) => {
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(signature = ($what, games=Games($games), *, seed=Seed(0), threads=None, backend=None,
            policy=PolicyName(Policy::Uniform), first=First(0), progress=None $(, $out=None)?),
            text_signature = $signature)]
        #[expect(clippy::too_many_arguments, reason = "one for each option")]
        pub(super) fn $name<'py>(
            $what: &Bound<'py, PyAny>,
            games: Games,
            seed: Seed,
            threads: Option<&Bound<'_, PyAny>>,
            backend: Option<&Bound<'_, PyAny>>,
            policy: PolicyName,
            first: First,
            progress: Option<&Bound<'_, PyAny>>,
            $($out: Option<&Bound<'_, PyAny>>,)?
        ) -> PyResult<$result> {
            $run($what, &read_options(&games, &seed, threads, backend, &policy, &first)?, progress $(, $out)?)
        }
    };
}

playing!(
    /// Play random games to the end and count how they come out.
    ///
    /// `source` is Rules (a fresh deal for every game), a Position (its true hidden tiles) or a View (the tiles that it
    /// hides are redrawn for every game). With the source, `seed` (0 to 2**64 - 1) decides every game; `threads`
    /// (1 to 1024, by default one for each core) and `backend` do not. None asks the system for a seed. `backend` is one of
    /// `backends()`; by default it is what the environment variable SAVANNA_BACKEND names, else the first of them.
    /// `progress`, if given, is called with the number of games so far a few times a second, and with all of them at the
    /// end; what it raises stops the games.
    ///
    /// `policy` says how moves are chosen. "uniform" plays a random legal move. "soft-greedy" plays a random move with
    /// probability 3/8, else one with the greatest immediate gain; "keen-greedy" does so with probability 1/8. (They are
    /// epsilon-greedy playouts.) Among equally good moves each is equally likely. The gain of a move is what the lines
    /// that it fills give its team, times the number of other teams, less what they give those teams. Probabilities are
    /// exact for "uniform", and correct to one part in 800 for the others.
    ///
    /// Games are numbered from `first` on, a multiple of `BATCH`. So the games of a long call can be played in parts, with
    /// the same seed, by as many machines as you like: adding up the parts gives the statistics of the whole, to the last
    /// bit. No number may reach 2**53.
    ///
    /// Raises `SavannaError` for a number that is out of range, an unknown backend or an unknown policy.
    rollout(source, 1_000_000) -> PyStats,
    "(source, games=1000000, *, seed=0, threads=None, backend=None, policy='uniform', first=0, progress=None)", play_one
);
playing!(
    /// Return what `rollout` returns for each of many sources, with `games` games from each.
    ///
    /// One call for many short rollouts costs less than many calls, and the threads share all of them. `seconds` is the
    /// time of the whole call. Takes and raises what `rollout` does.
    rollout_many(sources, 1000) -> Vec<PyStats>,
    "(sources, games=1000, *, seed=0, threads=None, backend=None, policy='uniform', first=0, progress=None)", play_many
);
playing!(
    /// Return the legal moves as `RankedMove(move, win_share, stderr, stats)`, best first, by `games` games after each.
    ///
    /// `source` is a Position, or a View of the seat to move; for a View, all that it hides is redrawn for every game, and
    /// so is the tile that the seat draws after the move. Moves are ranked by the win share of its team, then by how
    /// far its mean score exceeds the best other. All moves are played with the same random numbers, so that differences
    /// between them are known better than `stderr` says. Raises `GameOverError` when no move is left, `SavannaError` for
    /// another source, and what `rollout` raises.
    rank_moves(source, 10_000) -> Vec<Bound<'py, PyAny>>,
    "(source, games=10000, *, seed=0, threads=None, backend=None, policy='uniform', first=0, progress=None)", play_after_moves
);
playing!(
    /// Play the games of `rollout` with the same source, seed and policy, and write each of them out.
    ///
    /// `out`, if given, is an earlier result of the same shape: its arrays are written over instead of making new ones.
    /// Takes and raises what `rollout` does, and raises `SavannaError` for an `out` that does not fit or is in use,
    /// `MemoryError` if there is no room for the arrays.
    playouts(source, 1000, out) -> PyPlayouts,
    "(source, games=1000, *, seed=0, threads=None, backend=None, policy='uniform', first=0, progress=None, out=None)", PyPlayouts::play
);

type Progress<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

fn play_one(source: &Bound<'_, PyAny>, options: &Options, progress: Progress<'_, '_>) -> PyResult<PyStats> {
    stats_of(source.py(), &[read_source(source)?], options, progress)?.pop().ok_or_else(stopped)
}

fn play_many(sources: &Bound<'_, PyAny>, options: &Options, progress: Progress<'_, '_>) -> PyResult<Vec<PyStats>> {
    let iterator = sources.try_iter().map_err(|_| wrong_type("sources", "a sequence", sources))?;
    let read: Vec<Source> = iterator.map(|source| read_source(&source?)).collect::<PyResult<_>>()?;
    stats_of(sources.py(), &read, options, progress)
}

fn stats_of(
    py: Python<'_>,
    sources: &[Source],
    options: &Options,
    progress: Progress<'_, '_>,
) -> PyResult<Vec<PyStats>> {
    let start = Instant::now();
    let games = options.games.saturating_mul(sources.len() as u64);
    let tallies = watched(py, |_| games, progress, |watch| crate::rollout::rollout_many(sources, options, watch))?;
    let come_by = PyStats::come_by(start.elapsed(), options, sources.len());
    Ok(tallies.ok_or_else(stopped)?.into_iter().map(|tally| come_by(Stats::from(tally))).collect())
}

fn play_after_moves<'py>(
    source: &Bound<'py, PyAny>,
    options: &Options,
    progress: Progress<'_, '_>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let (start, source, py) = (Instant::now(), read_source(source)?, source.py());
    let moves = rank::moves_to_rank(&source)?.len();
    let games = options.games.saturating_mul(moves as u64);
    let ranked = watched(py, |_| games, progress, |watch| rank::rank_moves(&source, options, watch))??;
    let come_by = PyStats::come_by(start.elapsed(), options, moves);
    let ranked = ranked.ok_or_else(stopped)?.into_iter();
    records(&source, py, ranked.map(|RankedMove { mv, stats, .. }| (PyMove(mv), come_by(stats))))
}

/// Ranked moves as records.
fn records<'py>(
    source: &Source,
    py: Python<'py>,
    ranked: impl Iterator<Item = (PyMove, PyStats)>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    static RANKED_MOVE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let record = RANKED_MOVE.import(py, "savanna.records", "RankedMove")?;
    let (_, team) = source.moves().ok_or(RankError::NoMoves)?;
    let row = |(mv, stats): (PyMove, PyStats)| {
        let share = stats.stats.win_share(team);
        record.call1((mv, share.value, share.stderr, stats))
    };
    ranked.map(row).collect()
}

/// Return the legal moves that `rank_moves` would rank, in ascending order of action, without playing a game.
///
/// Raises what `rank_moves` raises for its source.
#[pyfunction]
pub(super) fn moves_to_rank<'py>(source: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    moves::objects(source.py(), rank::moves_to_rank(&read_source(source)?)?.into_iter().map(Move::action))
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
    let (py, source) = (source.py(), read_source(source)?);
    let most = rank::moves_to_rank(&source)?.len();
    let items = stats.try_iter().map_err(|_| wrong_type("stats", "a sequence", stats))?;
    let read =
        |item: PyResult<Bound<'_, PyAny>>| Ok(of_type::<PyStats>(&item?, "an item of stats", "Stats")?.get().clone());
    let given: Vec<PyStats> = items.take(most + 1).map(read).collect::<PyResult<_>>()?; // it may be endless
    let ranked = rank::rank_stats(&source, given)?.into_iter();
    records(&source, py, ranked.map(|RankedMove { mv, stats, .. }| (PyMove(mv), stats)))
}

/// Return the backends that this machine can run, best first.
#[pyfunction]
pub(super) fn backends(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Backend::available().iter().map(|backend| backend.name()))
}
