//! `savanna.rollout`, `savanna.playouts` and what they return.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};

use super::args::{self, errors, integer, number, wrong_type};
use super::moves;
use super::position::PyPosition;
use super::rules::PyRules;
use super::view::PyView;
use crate::moves::Move;
use crate::rollout::{
    BATCH, Backend, MAX_GAMES, MAX_THREADS, Options, Playout, Source, Tally, playouts_watched, rollout_watched,
};
use crate::score::Outcome;
use crate::stats::Stats;
use crate::tile::{Animal, BySeat, ByTeam, MAX_SEATS, Team};

fn read_source(value: &Bound<'_, PyAny>) -> PyResult<Source> {
    if let Ok(rules) = value.cast::<PyRules>() {
        Ok(Source::Rules(rules.get().0))
    } else if let Ok(position) = value.cast::<PyPosition>() {
        Ok(Source::Position(position.get().0))
    } else if let Ok(view) = value.cast::<PyView>() {
        Ok(Source::View(view.get().0))
    } else {
        Err(wrong_type("source", "Rules, a Position or a View", value))
    }
}

/// How many games; the default is a million.
pub(super) struct Games(u64);

impl<'py> FromPyObject<'_, 'py> for Games {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Games> {
        number(&value, "games", 1, MAX_GAMES).map(Games)
    }
}

/// A seed; the default is 0, and `None` has been replaced by one from the system.
pub(super) struct Seed(u64);

impl<'py> FromPyObject<'_, 'py> for Seed {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Seed> {
        args::seed(if value.is_none() { None } else { Some(&value) }).map(Seed)
    }
}

fn read_options(
    games: &Games,
    seed: &Seed,
    threads: Option<&Bound<'_, PyAny>>,
    backend: Option<&Bound<'_, PyAny>>,
) -> PyResult<Options> {
    let mut options = Options { seed: seed.0, ..Options::new(games.0) };
    if let Some(threads) = threads {
        let threads = number(threads, "threads", 1, MAX_THREADS)?;
        options.threads = usize::try_from(threads).ok().and_then(NonZeroUsize::new).unwrap_or(options.threads);
    }
    if let Some(backend) = backend {
        options.backend = args::text(backend, "backend")?.parse()?;
    }
    Ok(options)
}

/// Runs Rust code without the interpreter lock. Between its jobs it looks for signals and reports progress; when one
/// of them raises, it stops and that is raised here.
fn watched<T: Send>(
    py: Python<'_>,
    games: u64,
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
    let (result, error) = py.detach(|| {
        let mut error = None;
        let result = run(&mut |done| {
            let told = Python::attach(|py| py.check_signals().and_then(|()| report(py, done)));
            told.map_or_else(
                |raised| {
                    error = Some(raised);
                    ControlFlow::Break(())
                },
                ControlFlow::Continue,
            )
        });
        (result, error)
    });
    match error {
        Some(raised) => Err(raised),
        None => report(py, games).map(|()| result),
    }
}

/// Play uniformly random games to the end and count how they come out.
///
/// `source` is Rules (a fresh deal for every game), a Position (its true hidden tiles) or a View (the tiles that it
/// hides are redrawn for every game). With the source, `seed` (0 to 2**64 - 1) decides every game, whatever `threads`
/// (1 to 1024, by default one for each core) and `backend` (by default the first of `backends()`) are; None asks the
/// system for one. `progress`, if given, is called with the number of games so far a few times a second, and with all
/// of them at the end; what it raises stops the games. Raises `SavannaError` for a number that is out of range or an
/// unknown backend.
#[pyfunction]
#[pyo3(signature = (source, games=Games(1_000_000), seed=Seed(0), threads=None, backend=None, progress=None),
    text_signature = "(source, games=1000000, seed=0, threads=None, backend=None, progress=None)")]
#[expect(clippy::needless_pass_by_value, reason = "arguments from Python are owned")]
pub(super) fn rollout(
    source: &Bound<'_, PyAny>,
    games: Games,
    seed: Seed,
    threads: Option<&Bound<'_, PyAny>>,
    backend: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyStats> {
    let (py, source, options) = (source.py(), read_source(source)?, read_options(&games, &seed, threads, backend)?);
    let start = Instant::now();
    let tally = watched(py, options.games, progress, |watch| rollout_watched(&source, &options, watch))?;
    let tally = tally.ok_or_else(|| errors::SavannaError::new_err("the playouts were stopped"))?;
    let (backend, threads) = (options.backend, options.threads_used());
    Ok(PyStats(Stats { tally, time: start.elapsed(), backend, threads }))
}

/// Play the games of `rollout` with the same source and seed, and write each of them out.
///
/// Takes and raises what `rollout` does, and raises `MemoryError` if there is no room for the arrays.
#[pyfunction]
#[pyo3(signature = (source, games=Games(1000), seed=Seed(0), threads=None, backend=None, progress=None),
    text_signature = "(source, games=1000, seed=0, threads=None, backend=None, progress=None)")]
#[expect(clippy::needless_pass_by_value, reason = "arguments from Python are owned")]
pub(super) fn playouts(
    source: &Bound<'_, PyAny>,
    games: Games,
    seed: Seed,
    threads: Option<&Bound<'_, PyAny>>,
    backend: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyPlayouts> {
    let (py, source, options) = (source.py(), read_source(source)?, read_options(&games, &seed, threads, backend)?);
    let (rules, plies) = (*source.rules(), source.plies_left());
    let widths = Widths { plies, teams: rules.teams(), seats: rules.players(), tiles: rules.deck().total() };
    let actions = zeros::<u8, _>(py, (games.0, plies))?.cast_into::<PyArray2<u8>>()?;
    let scores = zeros::<i16, _>(py, (games.0, widths.teams))?.cast_into::<PyArray2<i16>>()?;
    let winners = zeros::<u8, _>(py, (games.0,))?.cast_into::<PyArray1<u8>>()?;
    let decks = zeros::<u8, _>(py, (games.0, widths.seats, widths.tiles))?.cast_into::<PyArray3<u8>>()?;
    let done = {
        let (mut actions, mut scores) = (actions.readwrite(), scores.readwrite());
        let (mut winners, mut decks) = (winners.readwrite(), decks.readwrite());
        let mut rest = Rows {
            widths,
            actions: actions.as_slice_mut()?,
            scores: scores.as_slice_mut()?,
            winners: winners.as_slice_mut()?,
            decks: decks.as_slice_mut()?,
        };
        let batches = std::iter::from_fn(move || rest.take_batch());
        watched(py, options.games, progress, |watch| playouts_watched(&source, &options, batches, Rows::write, watch))?
    };
    if !done {
        return Err(errors::SavannaError::new_err("the playouts were stopped"));
    }
    let (actions, scores) = (actions.unbind(), scores.unbind());
    Ok(PyPlayouts { source, actions, scores, winners: winners.unbind(), decks: decks.unbind() })
}

/// Return the backends that this machine can run, best first.
#[pyfunction]
pub(super) fn backends(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Backend::available().iter().map(|backend| backend.name()))
}

/// An array of zeros, made by NumPy itself so that it is NumPy that says when there is no memory for it.
fn zeros<'py, T: numpy::Element, S: IntoPyObject<'py>>(py: Python<'py>, shape: S) -> PyResult<Bound<'py, PyAny>> {
    py.import("numpy")?.getattr("zeros")?.call1((shape, numpy::dtype::<T>(py)))
}

/// How many numbers a game takes in each array.
#[derive(Clone, Copy)]
struct Widths {
    plies: usize,
    teams: usize,
    seats: usize,
    tiles: usize,
}

/// The rows of some games in all arrays.
struct Rows<'a> {
    widths: Widths,
    actions: &'a mut [u8],
    scores: &'a mut [i16],
    winners: &'a mut [u8],
    decks: &'a mut [u8],
}

impl<'a> Rows<'a> {
    /// Splits the rows of the next batch off the front; `None` when no rows are left.
    fn take_batch(&mut self) -> Option<Rows<'a>> {
        let games = self.winners.len().min(BATCH as usize);
        let Widths { plies, teams, seats, tiles } = self.widths;
        (games > 0).then(|| Rows {
            widths: self.widths,
            actions: split_front(&mut self.actions, games * plies),
            scores: split_front(&mut self.scores, games * teams),
            winners: split_front(&mut self.winners, games),
            decks: split_front(&mut self.decks, games * seats * tiles),
        })
    }

    /// Writes a game into its row.
    fn write(&mut self, game: usize, playout: &Playout<'_>) {
        let Widths { plies, teams, seats, tiles } = self.widths;
        for (cell, mv) in self.actions[game * plies..].iter_mut().zip(playout.moves()) {
            *cell = mv.action() as u8;
        }
        for (cell, score) in self.scores[game * teams..][..teams].iter_mut().zip(playout.scores().0) {
            *cell = score as i16;
        }
        self.winners[game] = playout.winners().bits();
        let start = playout.start();
        let rows = self.decks[game * seats * tiles..].chunks_mut(tiles);
        for (row, seat) in rows.zip(start.rules().seats()) {
            for (cell, animal) in row.iter_mut().zip(start.tiles(seat)) {
                *cell = animal.index() as u8;
            }
        }
    }
}

fn split_front<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (front, rest) = std::mem::take(slice).split_at_mut(count);
    *slice = rest;
    front
}

/// What many playouts came to; `rollout` makes them.
///
/// Statistics are equal if the games were, however long they took and by whatever means. Arrays are fresh each time.
#[pyclass(module = "savanna", name = "Stats", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(super) struct PyStats(Stats);

type Counts = (u64, Vec<[u64; MAX_SEATS]>, Vec<u64>, [u64; 3]);

impl PyStats {
    fn by_team<'py>(&self, py: Python<'py>, value: impl Fn(Team) -> f64) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.0.tally.rules().team_list().map(value))
    }
}

#[pymethods]
impl PyStats {
    /// How many games were played.
    #[getter]
    fn games(&self) -> u64 {
        self.0.tally.games()
    }

    /// The rules of the games.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.0.tally.rules())
    }

    /// The share of games that each team won: float64[teams]. A win shared among k teams counts 1/k for each.
    #[getter]
    fn win_share<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.by_team(py, |team| self.0.win_share(team).value)
    }

    /// The standard error of `win_share`: float64[teams].
    #[getter]
    fn win_stderr<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.by_team(py, |team| self.0.win_share(team).stderr)
    }

    /// Each team's mean final score, the last seat's bonus included: float64[teams].
    #[getter]
    fn mean_score<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.by_team(py, |team| self.0.score(team).value)
    }

    /// The standard deviation of each team's final score over the games played: float64[teams].
    #[getter]
    fn score_sd<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.by_team(py, |team| self.0.score(team).sd)
    }

    /// How many games each team ended with a score of 0, 1, 2, ...: int64[teams, K].
    ///
    /// K - 1 is a bound on scores that depends on the rules alone.
    #[getter]
    fn score_histogram<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let teams = self.0.tally.rules().team_list();
        let rows = teams.map(|team| self.0.tally.histogram(team).iter().map(|&count| count as i64).collect());
        Ok(PyArray2::from_vec2(py, &rows.collect::<Vec<Vec<i64>>>())?)
    }

    /// How many lines a game came out exactly at the target, on average.
    #[getter]
    fn exact_tens(&self) -> f64 {
        self.0.exact_lines()
    }

    /// How many lines came out below the target, over all games.
    #[getter]
    fn lines_below(&self) -> u64 {
        self.0.tally.lines(Outcome::Below)
    }

    /// How many lines came out exactly at the target, over all games.
    #[getter]
    fn lines_exact(&self) -> u64 {
        self.0.tally.lines(Outcome::Exact)
    }

    /// How many lines came out above the target, over all games.
    #[getter]
    fn lines_above(&self) -> u64 {
        self.0.tally.lines(Outcome::Above)
    }

    /// How long the playouts took, in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.time.as_secs_f64()
    }

    /// What played them: one of `backends()`.
    #[getter]
    fn backend(&self) -> &'static str {
        self.0.backend.name()
    }

    /// How many threads played them.
    #[getter]
    fn threads(&self) -> usize {
        self.0.threads
    }

    /// Return all but how they were come by, as plain numbers and lists for JSON.
    ///
    /// The keys are the attributes' names, without rules, seconds, backend and threads.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("games", self.games())?;
        dict.set_item("win_share", self.win_share(py).to_vec()?)?;
        dict.set_item("win_stderr", self.win_stderr(py).to_vec()?)?;
        dict.set_item("mean_score", self.mean_score(py).to_vec()?)?;
        dict.set_item("score_sd", self.score_sd(py).to_vec()?)?;
        let teams: Vec<Team> = self.0.tally.rules().team_list().collect();
        let histogram: Vec<_> = teams.iter().map(|&team| self.0.tally.histogram(team)).collect();
        dict.set_item("score_histogram", histogram)?;
        dict.set_item("exact_tens", self.exact_tens())?;
        dict.set_item("lines_below", self.lines_below())?;
        dict.set_item("lines_exact", self.lines_exact())?;
        dict.set_item("lines_above", self.lines_above())?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("<Stats: {}>", self.0)
    }

    /// Rebuilds pickled statistics.
    #[classmethod]
    fn _restore(
        _class: &Bound<'_, PyType>,
        rules: &Bound<'_, PyRules>,
        counts: Counts,
        seconds: f64,
        backend: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<PyStats> {
        let (games, wins, histogram, lines) = counts;
        let wins = ByTeam(std::array::from_fn(|team| wins.get(team).copied().unwrap_or_default()));
        let tally = Tally::from_counts(&rules.get().0, games, wins, histogram, lines);
        let wrong = |what: &str| errors::SavannaError::new_err(format!("pickled statistics: {what} cannot be"));
        let tally = tally.ok_or_else(|| wrong("these counts"))?;
        let time = Duration::try_from_secs_f64(seconds).map_err(|_| wrong("this time"))?;
        Ok(PyStats(Stats { tally, time, backend: args::text(backend, "backend")?.parse()?, threads }))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Restored)> {
        let Stats { tally, time, backend, threads } = &slf.get().0;
        let teams = || tally.rules().team_list();
        let wins = teams().map(|team| tally.wins(team)).collect();
        let histogram = teams().flat_map(|team| tally.histogram(team)).copied().collect();
        let lines = [Outcome::Below, Outcome::Exact, Outcome::Above].map(|outcome| tally.lines(outcome));
        let counts = (tally.games(), wins, histogram, lines);
        let parts = (PyRules(*tally.rules()), counts, time.as_secs_f64(), backend.name(), *threads);
        Ok((slf.get_type().getattr("_restore")?, parts))
    }
}

/// What `Stats._restore` takes.
type Restored = (PyRules, Counts, f64, &'static str, usize);

/// Games that were played out and written down; one row of each array is one game. `playouts` makes them.
#[pyclass(module = "savanna", name = "Playouts", frozen)]
pub(super) struct PyPlayouts {
    source: Source,
    /// The moves as played, as action ids: uint8[games, plies], where plies is how many the source has left.
    #[pyo3(get)]
    actions: Py<PyArray2<u8>>,
    /// The final scores: int16[games, teams].
    #[pyo3(get)]
    scores: Py<PyArray2<i16>>,
    /// The winners, a bit for each team, team 0 lowest: uint8[games].
    #[pyo3(get)]
    winners: Py<PyArray1<u8>>,
    /// Every seat's tiles at the start, as animal indices: uint8[games, seats, tiles].
    ///
    /// First those on the board in reading order, then the hand, then the deck in draw order; so from a fresh deal a
    /// row is a deck in draw order.
    #[pyo3(get)]
    decks: Py<PyArray3<u8>>,
}

impl PyPlayouts {
    /// The row of a game.
    fn row(&self, game: &Bound<'_, PyAny>) -> PyResult<i128> {
        let last = self.winners.bind(game.py()).len()? as i128 - 1;
        integer(game, "game", 0, last, PyIndexError::new_err)
    }
}

#[pymethods]
impl PyPlayouts {
    /// Return the position from which a game (0 to `len` - 1) was played, every hidden tile included.
    ///
    /// Raises `IndexError` for another number, `SavannaError` if `decks` was changed to something impossible.
    fn start(&self, py: Python<'_>, game: &Bound<'_, PyAny>) -> PyResult<PyPosition> {
        let decks = self.decks.bind(py).get_item(self.row(game)?)?;
        let mut tiles = BySeat::default();
        for (seat, row) in self.source.rules().seats().zip(decks.try_iter()?) {
            let indices: Vec<usize> = row?.extract()?;
            tiles[seat] = indices.into_iter().filter_map(|index| Animal::ALL.get(index).copied()).collect();
        }
        Ok(PyPosition(self.source.start_with(&tiles)?))
    }

    /// Return the moves of a game (0 to `len` - 1) in the order of play. Raises `IndexError` for another number.
    fn moves<'py>(&self, py: Python<'py>, game: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let actions: Vec<usize> = self.actions.bind(py).get_item(self.row(game)?)?.extract()?;
        let moves: Option<Vec<Move>> = actions.into_iter().map(Move::from_action).collect();
        let changed = || errors::SavannaError::new_err("actions was changed to ids that name no move");
        moves::objects(py, moves.ok_or_else(changed)?.into_iter())
    }

    /// Rebuilds pickled playouts.
    #[classmethod]
    fn _restore(
        _class: &Bound<'_, PyType>,
        source: &Bound<'_, PyAny>,
        actions: Py<PyArray2<u8>>,
        scores: Py<PyArray2<i16>>,
        winners: Py<PyArray1<u8>>,
        decks: Py<PyArray3<u8>>,
    ) -> PyResult<PyPlayouts> {
        Ok(PyPlayouts { source: read_source(source)?, actions, scores, winners, decks })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, playouts) = (slf.py(), slf.get());
        let source = match playouts.source {
            Source::Rules(rules) => PyRules(rules).into_bound_py_any(py)?,
            Source::Position(position) => PyPosition(position).into_bound_py_any(py)?,
            Source::View(view) => PyView(view).into_bound_py_any(py)?,
        };
        let PyPlayouts { actions, scores, winners, decks, .. } = playouts;
        Ok((slf.get_type().getattr("_restore")?, (source, actions, scores, winners, decks).into_pyobject(py)?))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.winners.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Playouts: {} games>", self.__len__(py)?))
    }
}
