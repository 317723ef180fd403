//! `savanna.Analysis`.

use std::time::Duration;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyIterator, PyList, PyTuple, PyType};

use super::args::errors;
use super::moves::{self, PyMove};
use crate::search::{Analysis, MoveAnalysis};
use crate::tile::ByTeam;

/// What a search thinks of every move in a view; a player's `analyse` makes it. It is a sequence of its `moves`.
///
/// Analyses are equal if they say the same, however long they took and on however many threads.
#[pyclass(module = "savanna", name = "Analysis", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(super) struct PyAnalysis(pub(super) Analysis);

impl PyAnalysis {
    /// A move's part as a record.
    fn record<'py>(&self, py: Python<'py>, it: &MoveAnalysis) -> PyResult<Bound<'py, PyAny>> {
        static MOVE_ANALYSIS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let record = MOVE_ANALYSIS.import(py, "savanna.records", "MoveAnalysis")?;
        let line = moves::objects(py, it.line.iter().map(|mv| mv.action()))?.to_tuple();
        let scores = PyTuple::new(py, &it.scores.0[..self.0.teams])?;
        record.call1((PyMove(it.mv), it.visits, it.win_share, it.stderr, it.margin, scores, line))
    }
}

/// A record of a move, read back.
type Row<'py> = (Bound<'py, PyMove>, u64, f64, f64, f64, Vec<f64>, Vec<Bound<'py, PyMove>>);

/// A move's part of a record, if it has the right number of teams.
fn read_record((mv, visits, win_share, stderr, margin, scores, line): Row<'_>, teams: usize) -> Option<MoveAnalysis> {
    let fits = scores.len() == teams && [win_share, stderr, margin].iter().chain(&scores).all(|it| it.is_finite());
    let scores = ByTeam(std::array::from_fn(|team| scores.get(team).copied().unwrap_or_default()));
    let line = line.iter().map(|mv| mv.get().0).collect();
    fits.then_some(MoveAnalysis { mv: mv.get().0, visits, win_share, stderr, margin, scores, line })
}

#[pymethods]
impl PyAnalysis {
    /// The best move.
    #[getter]
    fn best(&self) -> PyMove {
        PyMove(self.0.best())
    }

    /// All legal moves as `MoveAnalysis(move, visits, win_share, stderr, margin, scores, line)`, best first.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let records = self.0.moves.iter().map(|it| self.record(py, it)).collect::<PyResult<Vec<_>>>()?;
        PyTuple::new(py, records)
    }

    fn __len__(&self) -> usize {
        self.0.moves.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.moves(py)?.as_any().get_item(index)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.moves(py)?.try_iter()
    }

    /// How many iterations were made; for a player that goes by playouts, they are those.
    #[getter]
    fn iterations(&self) -> u64 {
        self.0.iterations
    }

    /// How long they took, in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.time.as_secs_f64()
    }

    /// On how many threads they were made.
    #[getter]
    fn threads(&self) -> usize {
        self.0.threads
    }

    /// Return all but how it was come by, as plain numbers and lists for JSON; moves are their texts.
    ///
    /// The keys are "iterations" and "moves", and in each of the moves those of its record.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("iterations", self.0.iterations)?;
        let rows = PyList::empty(py);
        for it in &self.0.moves {
            let row = PyDict::new(py);
            row.set_item("move", it.mv.to_string())?;
            row.set_item("visits", it.visits)?;
            row.set_item("win_share", it.win_share)?;
            row.set_item("stderr", it.stderr)?;
            row.set_item("margin", it.margin)?;
            row.set_item("scores", &it.scores.0[..self.0.teams])?;
            row.set_item("line", it.line.iter().map(ToString::to_string).collect::<Vec<_>>())?;
            rows.append(row)?;
        }
        dict.set_item("moves", rows)?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        format!("<Analysis: {}>", self.0)
    }

    /// Return the table of `repr` as HTML, for notebooks.
    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static HTML_TABLE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let rows: Vec<_> = std::iter::once(Analysis::COLUMNS.map(str::to_owned)).chain(self.0.rows()).collect();
        HTML_TABLE.import(py, "savanna.tables", "html_table")?.call1((rows, self.0.title()))
    }

    /// Rebuilds a pickled analysis.
    #[classmethod]
    fn _restore(
        _class: &Bound<'_, PyType>,
        teams: usize,
        rows: Vec<Row<'_>>,
        iterations: u64,
        seconds: f64,
        threads: usize,
    ) -> PyResult<PyAnalysis> {
        let wrong = || errors::SavannaError::new_err("pickled analysis: these numbers cannot be");
        let moves: Option<Vec<_>> = rows.into_iter().map(|row| read_record(row, teams)).collect();
        let moves = moves.filter(|moves| !moves.is_empty() && (2..=4).contains(&teams)).ok_or_else(wrong)?;
        let time = Duration::try_from_secs_f64(seconds).map_err(|_| wrong())?;
        Ok(PyAnalysis(Analysis { moves, teams, iterations, time, threads }))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Restored<'py>)> {
        let it = slf.get();
        let parts = (it.0.teams, it.moves(slf.py())?, it.0.iterations, it.seconds(), it.0.threads);
        Ok((slf.get_type().getattr("_restore")?, parts))
    }
}

/// What `Analysis._restore` takes.
type Restored<'py> = (usize, Bound<'py, PyTuple>, u64, f64, usize);
