//! `savanna.envs.Layout` and `savanna.envs.Episode`.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};

use super::args::{self, boolean, errors, number, of_type, text};
use super::moves::{self, PyMove};
use super::position::{PyPosition, PyView};
use super::rules::PyRules;
use crate::board::SPACES;
use crate::envs::{Episode, Layout, LayoutError, Section, turned_actions};
use crate::moves::ACTIONS;
use crate::notation::quoted;
use crate::play::PlayError;
use crate::position::Position;
use crate::rules::Rules;

impl From<LayoutError> for PyErr {
    fn from(error: LayoutError) -> PyErr {
        errors::RulesError::new_err(error.to_string())
    }
}

/// What the numbers of an observation are: bytes or floating-point numbers, the same numbers in either.
#[derive(Clone, Copy)]
enum Kind {
    Bytes,
    Floats,
}

impl Kind {
    fn read(name: &Bound<'_, PyAny>) -> PyResult<Kind> {
        match text(name, "dtype")?.as_str() {
            "uint8" => Ok(Kind::Bytes),
            "float32" => Ok(Kind::Floats),
            other => {
                let text = format!("dtype must be one of float32, uint8, got {}", quoted(other));
                Err(errors::SavannaError::new_err(text))
            }
        }
    }

    /// The counts as an array.
    fn array<'py>(self, py: Python<'py>, counts: Vec<u8>) -> Bound<'py, PyAny> {
        match self {
            Kind::Bytes => PyArray1::from_vec(py, counts).into_any(),
            Kind::Floats => PyArray1::from_vec(py, counts.into_iter().map(f32::from).collect()).into_any(),
        }
    }
}

/// How observations of a game of these rules are laid out: `sections`, one after the other.
///
/// All numbers are counts or flags from 0 to `high`, so they are the same as uint8 and as float32. Seats and teams
/// stand in turn order from the observing one on. With `recall`, an observation tells all that its seat has ever seen,
/// and when; else it tells what its view does. Raises `RulesError` for rules by which a score can exceed 255.
#[pyclass(module = "savanna.envs", name = "Layout", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(super) struct PyLayout(pub(super) Layout);

impl PyLayout {
    /// Refuses a game of other rules.
    fn check(&self, rules: &Rules) -> PyResult<()> {
        let mine = self.0.rules();
        let error = || errors::SavannaError::new_err(format!("layout is for {mine}, but the game is {rules}"));
        if mine == rules { Ok(()) } else { Err(error()) }
    }
}

#[pymethods]
impl PyLayout {
    #[new]
    #[pyo3(signature = (rules, recall=None))]
    fn new(rules: &Bound<'_, PyAny>, recall: Option<&Bound<'_, PyAny>>) -> PyResult<PyLayout> {
        let recall = recall.map_or(Ok(false), |recall| boolean(recall, "recall"))?;
        Ok(PyLayout(Layout::new(&PyRules::read(rules)?, recall)?))
    }

    /// The rules of the game.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(*self.0.rules())
    }

    /// Whether observations tell all that a seat has ever seen.
    #[getter]
    fn recall(&self) -> bool {
        self.0.recall()
    }

    /// How many numbers an observation has.
    #[getter]
    fn size(&self) -> usize {
        self.0.size()
    }

    /// The parts of an observation: a tuple of `Section(name, start, shape, high, meaning)`.
    #[getter]
    fn sections<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        static SECTION: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let record = SECTION.import(py, "savanna.envs.records", "Section")?;
        let section = |it: &Section| record.call1((it.name, it.start, (it.rows, it.columns()), it.high, it.meaning));
        PyTuple::new(py, self.0.sections().iter().map(section).collect::<PyResult<Vec<_>>>()?)
    }

    /// The greatest number that can stand in each place: uint8[size]. The least is 0.
    #[getter]
    fn high<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_vec(py, self.0.high())
    }

    /// Return what a view shows, as numbers: float32[size] or uint8[size], by `dtype`.
    ///
    /// A layout with `recall` says more than a view knows: ask an `Episode` or a `BatchEnv`. Raises `SavannaError` for
    /// a public view, which has no seat to observe for.
    #[pyo3(signature = (view, *, dtype=None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        view: &Bound<'py, PyAny>,
        dtype: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let view = of_type::<PyView>(view, "view", "a View")?.get().0;
        let kind = dtype.map_or(Ok(Kind::Floats), Kind::read)?;
        if self.0.recall() {
            return Err(errors::SavannaError::new_err("no view can be laid out with recall: ask an Episode"));
        }
        self.check(view.rules())?;
        if view.seat().is_none() {
            return Err(errors::SavannaError::new_err("a public view has no seat to observe for"));
        }
        let mut counts = vec![0; self.0.size()];
        self.0.observe(&view, &mut counts);
        Ok(kind.array(py, counts))
    }

    /// Return how observations turn with the board: int64[size].
    ///
    /// `observation[..., turned(1)]` is the observation of the board turned clockwise by a quarter.
    fn turned<'py>(&self, py: Python<'py>, quarters: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        Ok(indices(py, self.0.turned(number(quarters, "quarters", 0, 3)? as usize)))
    }

    /// Return how action masks turn with the board: int64[200].
    ///
    /// `mask[..., turned_actions(1)]` is the mask of the board turned clockwise by a quarter; an action `a` of it is
    /// `turned_actions(1)[a]` on the board as it lay before.
    #[staticmethod]
    #[pyo3(name = "turned_actions")]
    fn turned_actions_<'py>(py: Python<'py>, quarters: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        Ok(indices(py, turned_actions(number(quarters, "quarters", 0, 3)? as usize)))
    }

    fn __repr__(&self) -> PyResult<String> {
        let recall = if self.0.recall() { ", recall=True" } else { "" };
        Ok(format!("Layout(Rules.parse('{}'){recall})", self.0.rules()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (PyRules, bool)) {
        (slf.get_type(), (slf.get().rules(), slf.get().recall()))
    }
}

/// Places of an array, as NumPy wants them.
fn indices(py: Python<'_>, places: Vec<usize>) -> Bound<'_, PyArray1<i64>> {
    PyArray1::from_iter(py, places.into_iter().map(|place| place as i64))
}

/// One game from its deal to the present moment. It never changes: a move makes a new one.
///
/// It holds the full truth, as a `Position` does, and beyond it what was played in which order; so it can tell what a
/// seat has ever seen. Begin with `Episode.deal` or `Episode.replay`; the class itself cannot be called.
#[pyclass(module = "savanna.envs", name = "Episode", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct PyEpisode(pub(super) Episode);

#[pymethods]
impl PyEpisode {
    /// Start a game. The seed decides how the decks are shuffled, as in `Position.deal`.
    #[classmethod]
    #[pyo3(signature = (rules, seed=None))]
    fn deal(_class: &Bound<'_, PyType>, rules: &Bound<'_, PyAny>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        PyEpisode::starting(&Position::deal(&PyRules::read(rules)?, args::seed(seed)?))
    }

    /// Play moves, or their texts, from a position with an empty board.
    ///
    /// Raises `SavannaError` if there are tiles on the board and `IllegalMoveError` if a move is not legal.
    #[classmethod]
    #[pyo3(signature = (start, moves=None))]
    fn replay(
        _class: &Bound<'_, PyType>,
        start: &Bound<'_, PyAny>,
        moves: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut episode = PyEpisode::starting(&of_type::<PyPosition>(start, "start", "a Position")?.get().0)?;
        if let Some(moves) = moves {
            for mv in args::items(moves, "moves", SPACES)? {
                episode = episode.play(&mv)?;
            }
        }
        Ok(episode)
    }

    /// The position at the start.
    #[getter]
    fn start(&self) -> PyPosition {
        PyPosition(*self.0.start())
    }

    /// The position now. Agents must be given `view`, `observe` and `action_mask`, never this.
    #[getter]
    fn position(&self) -> PyPosition {
        PyPosition(*self.0.position())
    }

    /// The moves so far, a tuple.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.moves().map(PyMove).collect::<Vec<_>>())
    }

    /// Play a `Move` or its text. Raises `IllegalMoveError` if it is not legal here.
    fn play(&self, r#move: &Bound<'_, PyAny>) -> PyResult<PyEpisode> {
        if self.0.position().is_over() {
            return Err(PlayError::GameOver.into());
        }
        Ok(PyEpisode(self.0.play(moves::read(r#move)?)?))
    }

    /// Return what a seat knows now.
    fn view(&self, seat: &Bound<'_, PyAny>) -> PyResult<PyView> {
        Ok(PyView(self.0.view(args::seat(seat, self.0.start().rules())?)))
    }

    /// Return what a seat sees, or has ever seen: float32[layout.size] or uint8[layout.size], by `dtype`.
    #[pyo3(signature = (layout, seat, *, dtype=None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        layout: &Bound<'py, PyAny>,
        seat: &Bound<'py, PyAny>,
        dtype: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (layout, kind) = (self.layout(layout)?, dtype.map_or(Ok(Kind::Floats), Kind::read)?);
        let seat = args::seat(seat, self.0.start().rules())?;
        let mut counts = vec![0; layout.0.size()];
        self.0.observe(&layout.0, seat, &mut counts);
        Ok(kind.array(py, counts))
    }

    /// Mark each legal action id of a seat with a 1: int8[200]. It is all 0 unless the seat is to move.
    fn action_mask<'py>(&self, py: Python<'py>, seat: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let seat = args::seat(seat, self.0.start().rules())?;
        Ok(PyArray1::from_iter(py, self.0.view(seat).legal_moves().mask().into_iter().map(i8::from)))
    }

    /// Return what the seat to move saw and could play before each move so far: observations and masks, row by row.
    ///
    /// The observations are float32[plies, layout.size] or uint8[plies, layout.size], by `dtype`, the masks
    /// int8[plies, 200]: what `observe` and `action_mask` gave that seat then.
    #[pyo3(signature = (layout, *, dtype=None))]
    fn turns<'py>(
        &self,
        py: Python<'py>,
        layout: &Bound<'py, PyAny>,
        dtype: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (layout, kind) = (self.layout(layout)?, dtype.map_or(Ok(Kind::Floats), Kind::read)?);
        let plies = self.0.position().ply();
        let (mut counts, mut masks) = (vec![0; plies * layout.0.size()], vec![[0; ACTIONS]; plies]);
        self.0.turns(&layout.0, &mut counts, &mut masks);
        let masks = PyArray1::from_vec(py, masks.into_flattened());
        let observations = kind.array(py, counts).call_method1("reshape", (plies, layout.0.size()))?;
        Ok((observations, masks.call_method1("reshape", (plies, ACTIONS))?))
    }

    fn __repr__(&self) -> String {
        format!("Episode({}, {} of {SPACES} plies)", self.0.start().rules(), self.0.position().ply())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Start<'py>)> {
        let episode = slf.get();
        Ok((slf.get_type().getattr("replay")?, (episode.start(), episode.moves(slf.py())?)))
    }
}

/// What an episode is replayed from.
type Start<'py> = (PyPosition, Bound<'py, PyTuple>);

impl PyEpisode {
    /// The layout that an argument of that name has to be, for the rules of this game.
    fn layout<'a>(&self, value: &'a Bound<'_, PyAny>) -> PyResult<&'a PyLayout> {
        let layout = of_type::<PyLayout>(value, "layout", "a Layout")?.get();
        layout.check(self.0.start().rules())?;
        Ok(layout)
    }

    fn starting(start: &Position) -> PyResult<PyEpisode> {
        let error = || errors::SavannaError::new_err(format!("start has {} tiles on the board, not 0", start.ply()));
        Episode::new(start).map(PyEpisode).ok_or_else(error)
    }
}
