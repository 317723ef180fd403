//! `savanna.Stats`.

use std::hash::{Hash, Hasher};
use std::time::Duration;

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};

use super::args::{self, errors};
use super::rules::PyRules;
use crate::rollout::{Backend, MAX_GAMES, Tally};
use crate::score::Outcome;
use crate::stats::Stats;
use crate::tile::{ByTeam, MAX_SEATS, Team};

/// What many playouts came to; `rollout` makes them.
///
/// Statistics are equal if the games were, however long they took and by whatever means. Arrays are fresh each time.
#[pyclass(module = "savanna", name = "Stats", frozen, eq, hash)]
#[derive(Clone)]
pub(super) struct PyStats {
    pub(super) stats: Stats,
    /// How long the playouts took.
    pub(super) time: Duration,
    /// What played them.
    pub(super) backend: Backend,
    /// On how many threads.
    pub(super) threads: usize,
}

impl PartialEq for PyStats {
    fn eq(&self, other: &PyStats) -> bool {
        self.stats == other.stats
    }
}

impl Hash for PyStats {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.stats.hash(state);
    }
}

type Counts = (u64, Vec<[u64; MAX_SEATS]>, Vec<u64>, [u64; 3]);

/// A figure of a team.
type Figure = fn(&Stats, Team) -> f64;

const WIN_SHARE: Figure = |stats, team| stats.win_share(team).value;
const WIN_STDERR: Figure = |stats, team| stats.win_share(team).stderr;
const MEAN_SCORE: Figure = |stats, team| stats.score(team).value;
const SCORE_SD: Figure = |stats, team| stats.score(team).sd;

impl PyStats {
    fn by_team(&self, figure: Figure) -> Vec<f64> {
        self.stats.tally.rules().team_list().map(|team| figure(&self.stats, team)).collect()
    }
}

#[pymethods]
impl PyStats {
    /// How many games were played.
    #[getter]
    fn games(&self) -> u64 {
        self.stats.tally.games()
    }

    /// The rules of the games.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.stats.tally.rules())
    }

    /// The share of games that each team won: float64[teams]. A win shared among k teams counts 1/k for each.
    #[getter]
    fn win_share<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.by_team(WIN_SHARE))
    }

    /// The standard error of `win_share`: float64[teams].
    #[getter]
    fn win_stderr<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.by_team(WIN_STDERR))
    }

    /// Each team's mean final score, the last seat's bonus included: float64[teams].
    #[getter]
    fn mean_score<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.by_team(MEAN_SCORE))
    }

    /// The standard deviation of each team's final score over the games played: float64[teams].
    #[getter]
    fn score_sd<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.by_team(SCORE_SD))
    }

    /// How many games each team ended with a score of 0, 1, 2, ...: int64[teams, K].
    ///
    /// K - 1 is a bound on scores that depends on the rules alone.
    #[getter]
    fn score_histogram<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let teams = self.stats.tally.rules().team_list();
        let rows = teams.map(|team| self.stats.tally.histogram(team).iter().map(|&count| count as i64).collect());
        Ok(PyArray2::from_vec2(py, &rows.collect::<Vec<Vec<i64>>>())?)
    }

    /// How many lines a game came out exactly at the target, on average.
    #[getter]
    fn exact_tens(&self) -> f64 {
        self.stats.exact_lines()
    }

    /// How many lines came out below the target, over all games.
    #[getter]
    fn lines_below(&self) -> u64 {
        self.stats.tally.lines(Outcome::Below)
    }

    /// How many lines came out exactly at the target, over all games.
    #[getter]
    fn lines_exact(&self) -> u64 {
        self.stats.tally.lines(Outcome::Exact)
    }

    /// How many lines came out above the target, over all games.
    #[getter]
    fn lines_above(&self) -> u64 {
        self.stats.tally.lines(Outcome::Above)
    }

    /// How long the playouts took, in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.time.as_secs_f64()
    }

    /// What played them: one of `backends()`.
    #[getter]
    fn backend(&self) -> &'static str {
        self.backend.name()
    }

    /// How many threads played them.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    /// Return all but how they were come by, as plain numbers and lists for JSON.
    ///
    /// The keys are the attributes' names, without rules, seconds, backend and threads.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("games", self.games())?;
        dict.set_item("win_share", self.by_team(WIN_SHARE))?;
        dict.set_item("win_stderr", self.by_team(WIN_STDERR))?;
        dict.set_item("mean_score", self.by_team(MEAN_SCORE))?;
        dict.set_item("score_sd", self.by_team(SCORE_SD))?;
        let teams: Vec<Team> = self.stats.tally.rules().team_list().collect();
        let histogram: Vec<_> = teams.iter().map(|&team| self.stats.tally.histogram(team)).collect();
        dict.set_item("score_histogram", histogram)?;
        dict.set_item("exact_tens", self.exact_tens())?;
        dict.set_item("lines_below", self.lines_below())?;
        dict.set_item("lines_exact", self.lines_exact())?;
        dict.set_item("lines_above", self.lines_above())?;
        Ok(dict)
    }

    /// The statistics of both's games together. Their seconds are added up; the backend is that of the first.
    fn __add__(&self, other: &PyStats) -> PyResult<PyStats> {
        let (mine, theirs) = (&self.stats.tally, &other.stats.tally);
        if mine.rules() != theirs.rules() {
            return Err(errors::SavannaError::new_err(format!(
                "statistics of {} and of {} cannot be added: the rules differ",
                mine.rules(),
                theirs.rules()
            )));
        }
        let games = mine.games().saturating_add(theirs.games());
        if games > MAX_GAMES {
            return Err(errors::SavannaError::new_err(format!("games must be at most {MAX_GAMES}, got {games}")));
        }
        let mut tally = mine.clone();
        tally.merge(theirs);
        let time = self.time.saturating_add(other.time);
        let threads = self.threads.max(other.threads);
        Ok(PyStats { stats: tally.into(), time, backend: self.backend, threads })
    }

    fn __repr__(&self) -> String {
        format!("<Stats: {}>", self.stats)
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
        Ok(PyStats { stats: tally.into(), time, backend: args::text(backend, "backend")?.parse()?, threads })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Restored)> {
        let PyStats { stats: Stats { tally }, time, backend, threads } = slf.get();
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
