//! `savanna.Position` and `savanna.View`, in one file because each makes the other.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple, PyType};

use super::args::{self, animal, errors, items};
use super::moves;
use super::rules::PyRules;
use crate::moves::Move;
use crate::notation::Seen;
use crate::position::Position;
use crate::rules::MAX_DECK;
use crate::tile::{Animal, MAX_SEATS};
use crate::view::View;

/// Everything there is to know about a game at one moment, hidden tiles included.
///
/// It never changes: a move makes a new position. Begin with `Position.deal`, `Position.from_decks` or
/// `Position.parse`; the class itself cannot be called.
///
/// Players must be given `position.view(seat)`, never the position itself.
#[pyclass(module = "savanna", name = "Position", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyPosition(pub(crate) Position);

impl PyPosition {
    fn read_move(&self, value: &Bound<'_, PyAny>) -> PyResult<Move> {
        moves::read_unless(self.0.is_over(), value)
    }
}

#[pymethods]
impl PyPosition {
    /// Start a game. The seed decides how the decks are shuffled.
    ///
    /// It is 0 to 2**64 - 1, else `SavannaError` is raised; None asks the system for one.
    #[classmethod]
    #[pyo3(signature = (rules, seed=None))]
    fn deal(_class: &Bound<'_, PyType>, rules: &Bound<'_, PyAny>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(PyPosition(Position::deal(&PyRules::read(rules)?, args::seed(seed)?)))
    }

    /// Start a game with these decks: for each seat its animals in draw order.
    ///
    /// The first two of a deck are the hand. Raises `RulesError` unless each deck is made of the tiles of the rules.
    #[classmethod]
    fn from_decks(_class: &Bound<'_, PyType>, rules: &Bound<'_, PyAny>, decks: &Bound<'_, PyAny>) -> PyResult<Self> {
        let decks = items(decks, "decks", MAX_SEATS)?;
        let read_deck = |(seat, deck): (usize, &Bound<'_, PyAny>)| -> PyResult<Vec<Animal>> {
            let what = format!("deck of seat {seat}");
            let unknown = |text: String| errors::RulesError::new_err(format!("{what}: {text}"));
            items(deck, &what, MAX_DECK)?.iter().map(|tile| animal(tile, unknown)).collect()
        };
        let decks: Vec<_> = decks.iter().enumerate().map(read_deck).collect::<PyResult<_>>()?;
        Ok(PyPosition(Position::from_decks(&PyRules::read(rules)?, &decks)?))
    }

    /// Read the text that `str` gives. Raises `NotationError` if it is malformed or no game can come to this.
    #[classmethod]
    fn parse(_class: &Bound<'_, PyType>, text: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(PyPosition(args::text(text, "position text")?.parse()?))
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
        self.0.seat().map(|seat| seat.index())
    }

    /// The seat to move, the same as `to_move`; the `seat` of a `View` is the seat that sees it.
    #[getter]
    fn seat(&self) -> Option<usize> {
        self.to_move()
    }

    /// The placed tiles: a dict from space to `Placed(seat, animal, face)`, in reading order.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        args::board(py, |space| self.0.tile(space).map(Seen::from))
    }

    /// Every seat's hand: a tuple of animals in index order.
    #[getter]
    fn hands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let hands = self.0.rules().seats().map(|seat| args::hand(py, self.0.hand(seat)));
        PyTuple::new(py, hands.collect::<PyResult<Vec<_>>>()?)
    }

    /// Every seat's deck: a tuple of animals in draw order.
    #[getter]
    fn decks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let decks = self.0.rules().seats().map(|seat| args::animals(py, self.0.deck(seat).tiles()));
        PyTuple::new(py, decks.collect::<PyResult<Vec<_>>>()?)
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

    /// Return the legal moves in ascending order of action id; none when the game is over.
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        moves::list(py, self.0.legal_moves())
    }

    /// Return 200 bytes: 1 for each action id that is legal, else 0.
    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        moves::mask(py, self.0.legal_moves())
    }

    /// Return `legal_mask` as an array: int8[200].
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        moves::mask_array(py, self.0.legal_moves())
    }

    /// Return the position after a move, given as `Move` or as its text.
    ///
    /// Raises `IllegalMoveError`, `GameOverError` or `NotationError`, and then nothing has changed.
    fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<PyPosition> {
        Ok(PyPosition(self.0.play(self.read_move(r#move)?)?))
    }

    /// Return the lines that a legal move would fill, each as `LineScore(spaces, total, points)`.
    ///
    /// Points are by team; the last seat's bonus belongs to no line. Raises what `play` raises.
    fn lines_filled<'py>(&self, py: Python<'py>, r#move: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        args::line_scores(py, self.0.rules(), &self.0.lines_filled(self.read_move(r#move)?)?)
    }

    /// Return what `lines_filled` returns; a `View` has it by this name, too.
    fn preview<'py>(&self, py: Python<'py>, r#move: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
        self.lines_filled(py, r#move)
    }

    /// The 20 lines as they stand, in the order of `LINES`, each as a `LineState`.
    #[getter]
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        args::lines(py, self.0.rules(), &self.0.lines())
    }

    /// Return what a seat knows. Raises `SavannaError` for a seat that does not play.
    fn view(&self, seat: &Bound<'_, PyAny>) -> PyResult<PyView> {
        Ok(PyView(self.0.view(args::seat(seat, self.0.rules())?)))
    }

    /// Return what everybody knows, those who have no seat too: a `View` whose seat is None.
    fn public(&self) -> PyView {
        PyView(self.0.public())
    }

    /// Recompute from scratch all that must hold; raises `SavannaError` for what does not.
    fn check(&self) -> PyResult<()> {
        Ok(self.0.check()?)
    }

    /// Return the picture that `savanna.render.svg` draws of all there is, for notebooks.
    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        args::picture(slf.as_any())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Position.parse('{}')", self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("parse")?, (slf.get().0.to_string(),)))
    }
}

/// All that one seat knows: the board, its own hand and Lions, the sizes of hands and decks, the scores.
///
/// A public view has no seat: it knows what everybody sees, neither hands nor animals under Lions. Positions that
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
    /// Points are by team; the last seat's bonus belongs to no line. Raises what `Position.play` raises, and
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
        moves::mask(py, self.0.legal_moves())
    }

    /// Return `legal_mask` as an array: int8[200].
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        moves::mask_array(py, self.0.legal_moves())
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
