//! `savanna.View`.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple, PyType};

use super::args;
use super::moves;
use super::position::PyPosition;
use super::rules::PyRules;
use crate::view::View;

/// All that one seat knows: the board, its own hand and Lions, the sizes of hands and decks, the scores.
///
/// A public view has no seat: it knows what everybody sees, which is no hand and no animal under a Lion. Positions that
/// look the same have equal views. `Position.view`, `Position.public` and `View.parse` make them; the class itself
/// cannot be called.
#[pyclass(module = "savanna", name = "View", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyView(pub(crate) View);

#[pymethods]
impl PyView {
    /// Read the text that `str` gives. Raises `NotationError` if it is malformed or no position looks like this.
    #[classmethod]
    fn parse(_class: &Bound<'_, PyType>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(PyView(args::text(text, "view text")?.parse()?))
    }

    /// The seat that sees this; None in a public view.
    #[getter]
    fn seat(&self) -> Option<usize> {
        self.0.seat().map(|seat| seat.index())
    }

    /// The rules of the game.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.0.rules())
    }

    /// How many tiles have been placed, 0 to 20.
    #[getter]
    fn ply(&self) -> usize {
        self.0.ply()
    }

    /// The seat to move; None when the game is over.
    #[getter]
    #[allow(clippy::wrong_self_convention, reason = "the attribute is promised by this name")]
    fn to_move(&self) -> Option<usize> {
        self.0.to_move().map(|seat| seat.index())
    }

    /// The placed tiles: a dict from space to `Placed(seat, animal, face)`, in reading order.
    ///
    /// The animal is None under another seat's Lion, in a public view under every Lion.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        args::board(py, |space| self.0.tile(space))
    }

    /// This seat's hand: a tuple of animals in index order; () in a public view.
    #[getter]
    fn hand<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        args::hand(py, self.0.hand())
    }

    /// How many tiles each seat holds.
    #[getter]
    fn hand_sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        args::tuple(py, self.0.rules().seats().map(|seat| self.0.hand_size(seat)))
    }

    /// How many tiles each seat has still to draw.
    #[getter]
    fn deck_sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        args::tuple(py, self.0.rules().seats().map(|seat| self.0.deck_size(seat)))
    }

    /// For each seat, how many tiles of each animal this view does not show.
    ///
    /// They are in another's hand, in a deck, or under another's Lions; in a public view, in any hand and under any
    /// Lion, too. Each dict has all five animals.
    #[getter]
    fn unseen<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let unseen = self.0.rules().seats().map(|seat| args::counts(py, self.0.unseen(seat)));
        PyTuple::new(py, unseen.collect::<PyResult<Vec<_>>>()?)
    }

    /// The score of each team; when the game is over, the last seat's bonus is in it.
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        args::by_team(py, self.0.rules(), self.0.scores())
    }

    /// How many tiles of each team lie Lion face up.
    #[getter]
    fn lions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        args::by_team(py, self.0.rules(), self.0.lions())
    }

    /// Whether all spaces are filled.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// The teams that have won, in ascending order; () before the end.
    #[getter]
    fn winners<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        args::teams(py, self.0.winners())
    }

    /// The 20 lines as they stand, as `Position.lines` has them: nothing that is hidden counts in a line.
    #[getter]
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        args::lines(py, self.0.rules(), &self.0.lines())
    }

    /// Return the lines that a move of this seat would fill, each as `LineScore(spaces, total, points)`.
    ///
    /// Points are by team; the last seat's bonus is no line's. Raises what `Position.play` raises, and
    /// `IllegalMoveError` unless this is the view of the seat to move.
    fn preview<'py>(&self, py: Python<'py>, r#move: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        let mv = moves::read_unless(self.0.is_over(), r#move)?;
        args::line_scores(py, self.0.rules(), &self.0.preview(mv)?)
    }

    /// Return the legal moves of this seat in ascending order of action id; none unless it is to move.
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        moves::list(py, self.0.legal_moves())
    }

    /// Return 200 bytes: 1 for each action id that is legal for this seat now, else 0.
    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.legal_moves().mask().map(u8::from))
    }

    /// Draw a position that is consistent with all that this view shows.
    ///
    /// All ways in which the unseen tiles can lie are equally likely. The seed, 0 to 2**64 - 1, decides which it is,
    /// else `SavannaError` is raised; None asks the system for one.
    #[pyo3(signature = (seed=None))]
    fn sample(&self, seed: Option<&Bound<'_, PyAny>>) -> PyResult<PyPosition> {
        Ok(PyPosition(self.0.sample(args::seed(seed)?)))
    }

    /// Return the picture that `savanna.render.svg` draws of what this view shows, for notebooks.
    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        args::picture(slf.as_any())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("View.parse('{}')", self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("parse")?, (slf.get().0.to_string(),)))
    }
}
