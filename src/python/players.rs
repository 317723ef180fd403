//! `savanna.players`: a frozen class for each player.

use std::num::NonZeroUsize;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::analysis::PyAnalysis;
use super::args::{self, Threads, errors, number, wrong_type};
use super::moves::PyMove;
use super::options::Seed;
use super::position::{PyPosition, PyView};
use super::watch::watched;
use crate::backend::Backend;
use crate::rollout::{MAX_GAMES, Options};
use crate::search::{
    Analysis, Analyst, Budget, Champion, Effort, FlatMonteCarlo, Greedy, Ismcts, Player, Random, SoftGreedy,
};
use crate::view::View;

/// The view that a player is given.
fn read_view(value: &Bound<'_, PyAny>) -> PyResult<View> {
    match value.cast::<PyView>() {
        Ok(view) => Ok(view.get().0),
        Err(_) if value.is_instance_of::<PyPosition>() => {
            Err(PyTypeError::new_err("view must be a View, not Position: a player sees one seat's position.view(seat)"))
        }
        Err(_) => Err(wrong_type("view", "a View", value)),
    }
}

/// The move that a player chooses; the interpreter goes on meanwhile.
fn choose(py: Python<'_>, player: &impl Player, view: &Bound<'_, PyAny>) -> PyResult<PyMove> {
    let view = read_view(view)?;
    Backend::usual()?;
    Ok(PyMove(watched(py, |_| 0, None, |watch| player.choose_watched(&view, watch))??))
}

/// What a player thinks of the moves; the interpreter goes on meanwhile.
fn think(
    py: Python<'_>,
    player: &impl Analyst,
    view: &Bound<'_, PyAny>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyAnalysis> {
    let view = read_view(view)?;
    Backend::usual()?;
    let done = |result: &Result<Analysis, _>| result.as_ref().map_or(0, |analysis| analysis.iterations);
    Ok(PyAnalysis(watched(py, done, progress, |watch| player.analyse_watched(&view, watch))??))
}

/// The budget of a player that counts its iterations by a name of its own; `usual` is that of one who says nothing.
fn read_budget(
    (name, count): (&str, Option<&Bound<'_, PyAny>>),
    seconds: Option<&Bound<'_, PyAny>>,
    usual: u64,
) -> PyResult<Budget> {
    match (count, seconds) {
        (Some(_), Some(_)) => Err(errors::SavannaError::new_err(format!("give {name} or seconds, not both"))),
        (Some(count), None) => number(count, name, 1, MAX_GAMES).map(Budget::Iterations),
        (None, Some(seconds)) => args::seconds(seconds).map(Budget::Time),
        (None, None) => Ok(Budget::Iterations(usual)),
    }
}

/// The budget as the argument that makes it; the name is that of iterations.
fn budget_text(name: &str, budget: Budget) -> String {
    match budget {
        Budget::Iterations(count) => format!("{name}={count}"),
        Budget::Time(time) => format!("seconds={:?}", time.as_secs_f64()),
    }
}

/// Generates the class of a player that has a seed and nothing else.
macro_rules! instant_player {
    ($(#[$doc:meta])* $class:ident, $name:literal, $player:ident) => {
        $(#[$doc])*
        #[pyclass(module = "savanna.players", name = $name, frozen, eq, hash)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub(super) struct $class($player);

        #[pymethods]
        impl $class {
            #[new]
            #[pyo3(signature = (*, seed=Seed(0)), text_signature = "(*, seed=0)")]
            fn new(seed: Seed) -> $class {
                $class($player { seed: seed.0 })
            }

            /// The seed of its random numbers.
            #[getter]
            fn seed(&self) -> u64 {
                self.0.seed
            }

            /// What tables of results call it; the seed is not in it.
            #[getter]
            fn name(&self) -> &'static str {
                $name
            }

            /// Return the same player with another seed; None asks the system for one.
            fn with_seed(&self, seed: Seed) -> $class {
                $class($player { seed: seed.0 })
            }

            /// Return the move that it makes in a view of the seat to move.
            ///
            /// Raises `GameOverError` when the game is over, `SavannaError` if another seat is to move.
            fn choose(&self, py: Python<'_>, view: &Bound<'_, PyAny>) -> PyResult<PyMove> {
                choose(py, &self.0, view)
            }

            fn __repr__(&self) -> String {
                format!("{}(seed={})", $name, self.0.seed)
            }

            /// Rebuilds a pickled player.
            #[classmethod]
            fn _restore(_class: &Bound<'_, PyType>, seed: Seed) -> $class {
                $class::new(seed)
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (u64,))> {
                Ok((slf.get_type().getattr("_restore")?, (slf.get().seed(),)))
            }
        }
    };
}

/// Generates the class of a player that searches with an [`Effort`] and nothing else. `$count` is what it calls its
/// iterations.
macro_rules! searching_player {
    ($(#[$doc:meta])* $class:ident, $name:literal, $player:ident, $count:ident, $signature:literal) => {
        $(#[$doc])*
        #[pyclass(module = "savanna.players", name = $name, frozen, eq, hash)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub(super) struct $class($player);

        #[pymethods]
        impl $class {
            #[new]
            #[pyo3(signature = ($count=None, *, seconds=None, seed=Seed(0), threads=Threads(NonZeroUsize::MIN)),
                text_signature = $signature)]
            fn new(
                $count: Option<&Bound<'_, PyAny>>,
                seconds: Option<&Bound<'_, PyAny>>,
                seed: Seed,
                threads: Threads,
            ) -> PyResult<$class> {
                let budget = read_budget((stringify!($count), $count), seconds, $player::ITERATIONS)?;
                Ok($class($player(Effort { budget, seed: seed.0, threads: threads.0 })))
            }

            /// How many it makes for one move; None if it goes by time.
            #[getter]
            fn $count(&self) -> Option<u64> {
                if let Budget::Iterations(count) = self.0.0.budget { Some(count) } else { None }
            }

            /// How long it thinks about one move; None if it does not go by time.
            #[getter]
            fn seconds(&self) -> Option<f64> {
                if let Budget::Time(time) = self.0.0.budget { Some(time.as_secs_f64()) } else { None }
            }

            /// The seed of its random numbers.
            #[getter]
            fn seed(&self) -> u64 {
                self.0.0.seed
            }

            /// On how many threads it works.
            #[getter]
            fn threads(&self) -> usize {
                self.0.0.threads.get()
            }

            /// What tables of results call it: its kind and budget, without seed and threads.
            #[getter]
            fn name(&self) -> String {
                format!("{}({})", $name, budget_text(stringify!($count), self.0.0.budget))
            }

            /// Return the same player with another seed; None asks the system for one.
            fn with_seed(&self, seed: Seed) -> $class {
                $class($player(Effort { seed: seed.0, ..self.0.0 }))
            }

            /// Return the move that it makes in a view of the seat to move: the best of `analyse`.
            ///
            /// Raises `GameOverError` when the game is over, `SavannaError` if another seat is to move.
            fn choose(&self, py: Python<'_>, view: &Bound<'_, PyAny>) -> PyResult<PyMove> {
                choose(py, &self.0, view)
            }

            /// Return what it thinks of every move in a view of the seat to move. Raises what `choose` does.
            fn analyse(&self, py: Python<'_>, view: &Bound<'_, PyAny>) -> PyResult<PyAnalysis> {
                think(py, &self.0, view, None)
            }

            fn __repr__(&self) -> String {
                let Effort { budget, seed, threads } = self.0.0;
                let budget = budget_text(stringify!($count), budget);
                format!("{}({budget}, seed={seed}, threads={threads})", $name)
            }

            /// Rebuilds a pickled player.
            #[classmethod]
            fn _restore(
                _class: &Bound<'_, PyType>,
                count: Option<&Bound<'_, PyAny>>,
                seconds: Option<&Bound<'_, PyAny>>,
                seed: Seed,
                threads: Threads,
            ) -> PyResult<$class> {
                $class::new(count, seconds, seed, threads)
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Restored)> {
                let it = slf.get();
                let parts = (it.$count(), it.seconds(), it.seed(), it.threads());
                Ok((slf.get_type().getattr("_restore")?, parts))
            }
        }
    };
}

/// What `_restore` of a player that searches takes.
type Restored = (Option<u64>, Option<f64>, u64, usize);

instant_player!(
    /// Chooses among the legal moves, all equally likely. `seed` is 0 to 2**64 - 1; None asks the system for one.
    ///
    /// The view and the seed decide the move; other views of one game have other random numbers.
    PyRandom, "Random", Random
);
instant_player!(
    /// Chooses a move after which the margin of its team has grown most; equally good ones are equally likely.
    ///
    /// The margin is by how much the team's score exceeds the mean of the others. What comes later does not concern it.
    /// `seed` is 0 to 2**64 - 1; None asks the system for one. The view and the seed decide the move.
    PyGreedy, "Greedy", Greedy
);
searching_player!(
    /// Chooses the move that uniformly random playouts after it say is best: by win share + 0.01 * margin.
    ///
    /// The `playouts` (20,000 unless `seconds` is given instead) are spread evenly over the moves; any remainder is
    /// dropped, and each move gets at least one. All moves are played with the same random numbers, and each playout
    /// starts from a new determinization: what the view hides is redrawn. With `seconds`, all moves get 128 playouts
    /// more until that time has passed. View, `seed` (0 to 2**64 - 1, None asks the system for one) and playouts decide
    /// the move; `threads` (None means one for each core) does not affect it. Raises `SavannaError` for a number out of
    /// range, and when both budgets are given.
    PyFlatMonteCarlo, "FlatMonteCarlo", FlatMonteCarlo, playouts,
    "(playouts=None, *, seconds=None, seed=0, threads=1)"
);
searching_player!(
    /// Sequential halving on epsilon-greedy playouts with epsilon 3/8.
    ///
    /// The playouts follow the policy "soft-greedy": a random move with probability 3/8, else one with the greatest
    /// immediate gain. As many rounds as it takes to halve all moves down to one share the `playouts` (20,000 unless
    /// `seconds` is given instead), or the time, equally. A round spreads its part over the moves still in the race, as
    /// `FlatMonteCarlo` does over all moves; then the worse half, by win share + 0.01 * margin over all their playouts
    /// so far, leaves the race. `seed`, `threads` and errors are as for `FlatMonteCarlo`.
    PySoftGreedy, "SoftGreedy", SoftGreedy, playouts,
    "(playouts=None, *, seconds=None, seed=0, threads=1)"
);
searching_player!(
    /// Information-set Monte Carlo tree search (ISMCTS) with random playouts, as published for one observer.
    ///
    /// Each of the `iterations` (10,000 unless `seconds` is given instead) draws a determinization, walks down the tree
    /// by upper confidence bounds that count how often a move was available, and ends in a uniformly random playout. For
    /// each 65,536 iterations there is a tree, at most 16; their visits are added up. The move that was tried most is
    /// the best. `seed`, `threads` and errors are as for `FlatMonteCarlo`; with `seconds`, each thread grows a tree.
    PyIsmcts, "Ismcts", Ismcts, iterations,
    "(iterations=None, *, seconds=None, seed=0, threads=1)"
);
searching_player!(
    /// The strongest player here, in all games.
    ///
    /// In the printed games of two teams, it searches as `Ismcts` does, guided by a value function learnt by self-play:
    /// the values of the positions after each move are the priors of the search and replace playouts. In other games it
    /// chooses as `SoftGreedy` does (with four teams by playouts with epsilon 1/8), and iterations are playouts. It makes
    /// 40,000 iterations unless `iterations` or `seconds` is given. In all games of two teams, with at most six empty
    /// spaces and at most 300 determinizations, it solves each of these instead, for any budget; an iteration is a move
    /// of one. `seed`, `threads` and errors are as for `FlatMonteCarlo`.
    PyChampion, "Champion", Champion, iterations,
    "(iterations=None, *, seconds=None, seed=0, threads=1)"
);

/// Check the budget, seed and threads of a player that searches, without making one.
///
/// Returns how many iterations it would make for one move, None if it goes by time; 40,000 when neither is given, as of
/// the `Champion`. Raises what that does.
#[pyfunction]
#[pyo3(signature = (iterations=None, *, seconds=None, seed=Seed(0), threads=None),
    text_signature = "(iterations=None, *, seconds=None, seed=0, threads=None)")]
pub(super) fn check_search(
    iterations: Option<&Bound<'_, PyAny>>,
    seconds: Option<&Bound<'_, PyAny>>,
    seed: Seed,
    threads: Option<Threads>,
) -> PyResult<Option<u64>> {
    let _ = (seed, threads); // checked as they were read
    let budget = read_budget(("iterations", iterations), seconds, Champion::ITERATIONS)?;
    Ok(if let Budget::Iterations(count) = budget { Some(count) } else { None })
}

/// Return what the `Champion` thinks of every move in a view of the seat to move, best first.
///
/// It searches for `iterations` (40,000 unless `seconds` is given instead) on `threads` threads (None means one per
/// core). Under a budget of iterations, the view and the seed (0 to 2**64 - 1; None asks the system for one) decide the
/// result; the number of threads does not. `progress`, if given, is called with the number of iterations so far a few
/// times a second, and with all of them at the end; an exception that it raises stops the search. Raises
/// `GameOverError` when the game is over, `SavannaError` if another seat is to move, for a number that is out of range,
/// and for both budgets.
#[pyfunction]
#[pyo3(signature = (view, iterations=None, *, seconds=None, seed=Seed(0), threads=None, progress=None),
    text_signature = "(view, iterations=None, *, seconds=None, seed=0, threads=None, progress=None)")]
#[expect(clippy::needless_pass_by_value, reason = "arguments from Python are owned")]
pub(super) fn analyse(
    view: &Bound<'_, PyAny>,
    iterations: Option<&Bound<'_, PyAny>>,
    seconds: Option<&Bound<'_, PyAny>>,
    seed: Seed,
    threads: Option<Threads>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyAnalysis> {
    let budget = read_budget(("iterations", iterations), seconds, Champion::ITERATIONS)?;
    let threads = threads.map_or_else(|| Options::new(0).threads, |threads| threads.0);
    think(view.py(), &Champion(Effort { budget, seed: seed.0, threads }), view, progress)
}
