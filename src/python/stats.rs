//! `savanna.Stats`.

use std::hash::{Hash, Hasher};
use std::time::Duration;

use numpy::{PyArray1, PyArray2};
use pyo3::conversion::FromPyObjectOwned;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::args::{self, errors};
use super::rules::PyRules;
use crate::backend::Backend;
use crate::rollout::{MAX_GAMES, Options, Tally};
use crate::score::Outcome;
use crate::stats::Stats;
use crate::tile::{ByTeam, MAX_SEATS, Team};

/// What many playouts came to; `rollout` makes them.
///
/// Statistics are equal if the games were; time, backend and threads do not count. Arrays are fresh each time.
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

/// A figure of a team.
type Figure = fn(&Stats, Team) -> f64;

const WIN_SHARE: Figure = |stats, team| stats.win_share(team).value;
const WIN_STDERR: Figure = |stats, team| stats.win_share(team).stderr;
const MEAN_SCORE: Figure = |stats, team| stats.score(team).value;
const SCORE_SD: Figure = |stats, team| stats.score(team).sd;

impl AsRef<Stats> for PyStats {
    fn as_ref(&self) -> &Stats {
        &self.stats
    }
}

impl PyStats {
    /// What makes of statistics those that say how long they took together, and by what means.
    pub(super) fn come_by(time: Duration, options: &Options, sources: usize) -> impl Fn(Stats) -> PyStats + use<> {
        let (backend, threads) = (options.backend, options.threads_used(sources));
        move |stats| PyStats { stats, time, backend, threads }
    }

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
    ///
    /// Two imaginary games count for it, one won and one lost, so that it is not 0 if all games were won.
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
    /// K - 1 is `rules.max_score`.
    #[getter]
    fn score_histogram<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let teams = self.stats.tally.rules().team_list();
        let rows = teams.map(|team| self.stats.tally.histogram(team).iter().map(|&count| count as i64).collect());
        Ok(PyArray2::from_vec2(py, &rows.collect::<Vec<Vec<i64>>>())?)
    }

    /// The mean number of lines per game that came out exactly at the target.
    #[getter]
    fn exact_lines_per_game(&self) -> f64 {
        self.stats.exact_lines()
    }

    /// The same as `exact_lines_per_game`, by the name that fits a target of 10.
    #[getter]
    fn exact_tens(&self) -> f64 {
        self.exact_lines_per_game()
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

    /// Return the statistics for JSON, without rules, timing, backend and threads: plain numbers and lists.
    ///
    /// The keys are the attributes' names; of the two names for one figure it has "exact_tens".
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

    /// Return all counts as plain numbers and lists for JSON, from which `from_counts` makes the same statistics.
    ///
    /// The keys are attributes' names, and "wins": for each team the number of games that it won alone, with one other,
    /// with two, with three.
    fn to_counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tally = &self.stats.tally;
        let teams: Vec<Team> = tally.rules().team_list().collect();
        let dict = PyDict::new(py);
        dict.set_item("games", tally.games())?;
        dict.set_item("wins", teams.iter().map(|&team| tally.wins(team)).collect::<Vec<_>>())?;
        dict.set_item("score_histogram", teams.iter().map(|&team| tally.histogram(team)).collect::<Vec<_>>())?;
        dict.set_item("lines_below", self.lines_below())?;
        dict.set_item("lines_exact", self.lines_exact())?;
        dict.set_item("lines_above", self.lines_above())?;
        dict.set_item("seconds", self.seconds())?;
        dict.set_item("backend", self.backend())?;
        dict.set_item("threads", self.threads)?;
        Ok(dict)
    }

    /// Make the statistics of some counts by these rules, as `to_counts` gives them.
    ///
    /// Raises `SavannaError` for a count that is missing, and for counts that no games by these rules have.
    #[staticmethod]
    fn from_counts(rules: &Bound<'_, PyAny>, counts: &Bound<'_, PyAny>) -> PyResult<PyStats> {
        let rules = PyRules::read(rules)?;
        let counts = counts.cast::<PyDict>().map_err(|_| args::wrong_type("counts", "a dict", counts))?;
        let wins: Vec<[u64; MAX_SEATS]> = count(counts, "wins")?;
        let scores: Vec<Vec<u64>> = count(counts, "score_histogram")?;
        let lines = [count(counts, "lines_below")?, count(counts, "lines_above")?, count(counts, "lines_exact")?];
        let wrong = |what: &str| errors::SavannaError::new_err(format!("no games have these {what}"));
        if wins.len() != rules.teams() || scores.len() != rules.teams() {
            return Err(wrong("numbers of teams"));
        }
        let wins = ByTeam(std::array::from_fn(|team| wins.get(team).copied().unwrap_or_default()));
        let tally = Tally::from_counts(&rules, count(counts, "games")?, wins, scores.concat(), lines);
        let time = Duration::try_from_secs_f64(count(counts, "seconds")?).map_err(|_| wrong("seconds"))?;
        Ok(PyStats {
            stats: tally.ok_or_else(|| wrong("counts"))?.into(),
            time,
            backend: count::<String>(counts, "backend")?.parse()?,
            threads: count(counts, "threads")?,
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Restored<'py>)> {
        let stats = slf.get();
        Ok((slf.get_type().getattr("from_counts")?, (stats.rules(), stats.to_counts(slf.py())?)))
    }
}

/// What `Stats.from_counts` takes.
type Restored<'py> = (PyRules, Bound<'py, PyDict>);

/// One of the counts that make statistics.
fn count<'py, T: FromPyObjectOwned<'py>>(counts: &Bound<'py, PyDict>, key: &str) -> PyResult<T> {
    let wrong = |what| errors::SavannaError::new_err(format!("counts: {key} {what}"));
    let value = counts.get_item(key)?.ok_or_else(|| wrong("is missing"))?;
    value.extract().map_err(|_| wrong("is not what to_counts gives"))
}
