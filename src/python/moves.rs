//! `savanna.Move`.

use std::sync::{Mutex, PoisonError};

use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple, PyType};

use super::args::{animal, errors, integer, text};
use crate::board::Space;
use crate::moves::{ACTIONS, LegalMoves, Move};
use crate::notation::quoted;
use crate::play::PlayError;
use crate::tile::Face;

/// A placement: which animal, which face up ("front" or "lion"), on which space ("a5").
///
/// Its text is "zebra c4", or "zebra lion c4" with the Lion up. Moves are ordered by `action`. Raises `NotationError`
/// for words that name nothing.
#[pyclass(module = "savanna", name = "Move", frozen, eq, ord, hash)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PyMove(pub(crate) Move);

#[pymethods]
impl PyMove {
    #[new]
    fn new(animal: &Bound<'_, PyAny>, face: &Bound<'_, PyAny>, space: &Bound<'_, PyAny>) -> PyResult<PyMove> {
        let unknown = |text: String| errors::NotationError::new_err(text);
        let animal = self::animal(animal, unknown)?;
        let (face, space) = (text(face, "face")?, text(space, "space")?);
        let face = Face::from_name(&face).ok_or_else(|| unknown(format!("unknown face {}", quoted(&face))))?;
        let space = Space::from_name(&space).ok_or_else(|| unknown(format!("unknown space {}", quoted(&space))))?;
        Ok(PyMove(Move { animal, face, space }))
    }

    /// Read the text that `str` gives. Raises `NotationError` for any other.
    #[classmethod]
    fn parse(_class: &Bound<'_, PyType>, text: &Bound<'_, PyAny>) -> PyResult<PyMove> {
        Ok(PyMove(self::text(text, "move text")?.parse()?))
    }

    /// Return the move of an action id, 0..199. Raises `IllegalMoveError` for another number.
    #[classmethod]
    fn from_action(_class: &Bound<'_, PyType>, action: &Bound<'_, PyAny>) -> PyResult<PyMove> {
        let error = |text: String| errors::IllegalMoveError::new_err(text);
        let action = integer(action, "action id", 0, ACTIONS as i128 - 1, error)?;
        let mv = usize::try_from(action).ok().and_then(Move::from_action);
        mv.map(PyMove).ok_or_else(|| error(format!("action id {action} names no move")))
    }

    /// The animal on the tile's front, whichever face lies up.
    #[getter]
    fn animal(&self) -> &'static str {
        self.0.animal.name()
    }

    /// The side that lies up: "front" or "lion".
    #[getter]
    fn face(&self) -> &'static str {
        self.0.face.name()
    }

    /// The space where the tile is placed, one of `SPACES`.
    #[getter]
    fn space(&self) -> &'static str {
        self.0.space.name()
    }

    /// The action id, 0 to 199: (animal * 2 + face) * 20 + space, each by its index.
    #[getter]
    fn action(&self) -> usize {
        self.0.action()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}', '{}', '{}')", self.animal(), self.face(), self.space())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (&'static str, &'static str, &'static str)) {
        let mv = slf.get();
        (slf.get_type(), (mv.animal(), mv.face(), mv.space()))
    }
}

/// Legal moves as a list, which is the caller's own.
///
/// Making a list move by move costs two calls of the interpreter for each, copying a tuple none. So the lists that were
/// asked for twice in a row, among those that share a place in a small table, are kept as tuples.
pub(super) fn list(py: Python<'_>, moves: LegalMoves) -> PyResult<Bound<'_, PyList>> {
    static KEPT: Mutex<[Kept; KEPT_LISTS]> = Mutex::new([const { Kept { moves: None, tuple: None } }; KEPT_LISTS]);
    // The table is never locked while Python objects are made or dropped, which could run other Python code.
    let place = moves.hash_bits(KEPT_LISTS.ilog2());
    let (is_again, tuple) = {
        let kept = &mut KEPT.lock().unwrap_or_else(PoisonError::into_inner)[place];
        let is_again = kept.moves.replace(moves) == Some(moves);
        (is_again, if is_again { kept.tuple.as_ref().map(|tuple| tuple.clone_ref(py)) } else { kept.tuple.take() })
    };
    match tuple {
        Some(tuple) if is_again => return tuple.bind(py).as_sequence().to_list(),
        _ => {}
    }
    let list = objects(py, moves.actions())?;
    if is_again {
        let tuple = list.to_tuple().unbind();
        let kept = &mut KEPT.lock().unwrap_or_else(PoisonError::into_inner)[place];
        if kept.moves == Some(moves) && kept.tuple.is_none() {
            kept.tuple = Some(tuple);
        }
    }
    Ok(list)
}

/// The number of lists that are kept.
const KEPT_LISTS: usize = 1024;

/// The moves that were asked for last in a place of the table, and as a tuple, once they have been asked for again.
struct Kept {
    moves: Option<LegalMoves>,
    tuple: Option<Py<PyTuple>>,
}

/// Legal moves as flags for each action id: bytes.
pub(super) fn mask(py: Python<'_>, moves: LegalMoves) -> Bound<'_, PyBytes> {
    let mut bytes = [0; ACTIONS];
    bytes.iter_mut().zip(moves.mask()).for_each(|(byte, legal)| *byte = u8::from(legal));
    PyBytes::new(py, &bytes)
}

/// Legal moves as flags for each action id: int8[200].
pub(super) fn mask_array(py: Python<'_>, moves: LegalMoves) -> Bound<'_, PyArray1<i8>> {
    PyArray1::from_iter(py, moves.mask().into_iter().map(i8::from))
}

/// The moves of action ids as a list. The 200 objects are made once: making them anew would take longer than the game
/// itself.
pub(super) fn objects(py: Python<'_>, actions: impl Iterator<Item = usize>) -> PyResult<Bound<'_, PyList>> {
    static ALL: PyOnceLock<Vec<Py<PyMove>>> = PyOnceLock::new();
    let all = ALL.get_or_try_init(py, || {
        (0..ACTIONS).filter_map(Move::from_action).map(|mv| Py::new(py, PyMove(mv))).collect::<PyResult<Vec<_>>>()
    })?;
    PyList::new(py, actions.map(|action| all[action].bind(py)))
}

/// A move to be played. That the game is over comes before anything that may be wrong with the move.
pub(super) fn read_unless(is_over: bool, value: &Bound<'_, PyAny>) -> PyResult<Move> {
    if is_over { Err(PlayError::GameOver.into()) } else { read(value) }
}

/// A move, given as such or as its text.
pub(super) fn read(value: &Bound<'_, PyAny>) -> PyResult<Move> {
    if let Ok(mv) = value.cast::<PyMove>() {
        return Ok(mv.get().0);
    }
    if value.is_instance_of::<PyString>() {
        return Ok(text(value, "move text")?.parse()?);
    }
    Err(PyTypeError::new_err(format!("a move is a Move or its text, not {}", value.get_type().name()?)))
}
