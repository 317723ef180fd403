//! `savanna.Playouts`: games written into arrays.

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyIterator, PyList, PyRange, PyTuple, PyType};

use super::args::{errors, integer, of_type};
use super::moves;
use super::options::read_source;
use super::position::{PyPosition, PyView};
use super::rules::PyRules;
use super::watch::{stopped, watched};
use crate::moves::ACTIONS;
use crate::rollout::{BATCH, Options, Playout, Source, playouts_watched};
use crate::tile::{Animal, BySeat, Team};

/// Games that were played out and written down; one row of each array is one game. `playouts` makes them.
///
/// It is a sequence of its games, each as `Playout(start, moves, scores, winners)`.
#[pyclass(module = "savanna", name = "Playouts", frozen)]
pub(super) struct PyPlayouts {
    source: Source,
    /// The moves as played, as action ids: uint8[games, plies], where plies is how many the source has left.
    #[pyo3(get)]
    actions: Py<PyArray2<u8>>,
    /// The final scores: int16[games, teams].
    #[pyo3(get)]
    scores: Py<PyArray2<i16>>,
    /// The winners as a bit set, team 0 lowest, so 5 are teams 0 and 2: uint8[games].
    ///
    /// A game by its number has them as a tuple of teams, as a `Position` has: `playouts[game].winners`.
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
    /// Plays games out and writes them down, in new arrays or over those of `out`.
    pub(super) fn play(
        source: &Bound<'_, PyAny>,
        options: &Options,
        progress: Option<&Bound<'_, PyAny>>,
        out: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyPlayouts> {
        let (py, source) = (source.py(), read_source(source)?);
        let shape = Shape::of(&source, options)?;
        let plays = match out {
            Some(out) => PyPlayouts::over(out, source, shape)?,
            None => PyPlayouts::zeros(py, source, shape)?,
        };
        let done = {
            let in_use = |_| errors::SavannaError::new_err("out cannot be written: its arrays are in use or read-only");
            let mut actions = plays.actions.bind(py).try_readwrite().map_err(in_use)?;
            let mut scores = plays.scores.bind(py).try_readwrite().map_err(in_use)?;
            let mut winners = plays.winners.bind(py).try_readwrite().map_err(in_use)?;
            let mut decks = plays.decks.bind(py).try_readwrite().map_err(in_use)?;
            let mut rest = Rows {
                shape,
                actions: actions.as_slice_mut()?,
                scores: scores.as_slice_mut()?,
                winners: winners.as_slice_mut()?,
                decks: decks.as_slice_mut()?,
            };
            let batches = std::iter::from_fn(move || rest.take_batch());
            watched(
                py,
                |_| options.games,
                progress,
                |watch| playouts_watched(&source, options, batches, Rows::write, watch),
            )?
        };
        if done { Ok(plays) } else { Err(stopped()) }
    }

    /// Room for games of this shape.
    fn zeros(py: Python<'_>, source: Source, shape: Shape) -> PyResult<PyPlayouts> {
        let Shape { games, plies, teams, seats, tiles } = shape;
        Ok(PyPlayouts {
            source,
            actions: zeros::<u8, _>(py, (games, plies))?.cast_into::<PyArray2<u8>>()?.unbind(),
            scores: zeros::<i16, _>(py, (games, teams))?.cast_into::<PyArray2<i16>>()?.unbind(),
            winners: zeros::<u8, _>(py, (games,))?.cast_into::<PyArray1<u8>>()?.unbind(),
            decks: zeros::<u8, _>(py, (games, seats, tiles))?.cast_into::<PyArray3<u8>>()?.unbind(),
        })
    }

    /// The arrays of an earlier result, for games from another source.
    fn over(out: &Bound<'_, PyAny>, source: Source, shape: Shape) -> PyResult<PyPlayouts> {
        let py = out.py();
        let earlier = of_type::<PyPlayouts>(out, "out", "Playouts")?.get();
        let Shape { games, plies, teams, seats, tiles } = shape;
        let fits = earlier.actions.bind(py).shape() == [games, plies]
            && earlier.scores.bind(py).shape() == [games, teams]
            && earlier.winners.bind(py).shape() == [games]
            && earlier.decks.bind(py).shape() == [games, seats, tiles]
            && earlier.actions.bind(py).is_c_contiguous()
            && earlier.scores.bind(py).is_c_contiguous()
            && earlier.decks.bind(py).is_c_contiguous();
        if !fits {
            let wanted = format!("{games} games of {plies} plies, {teams} teams and {seats} decks of {tiles} tiles");
            return Err(errors::SavannaError::new_err(format!("out has another shape or layout than {wanted}")));
        }
        Ok(PyPlayouts {
            source,
            actions: earlier.actions.clone_ref(py),
            scores: earlier.scores.clone_ref(py),
            winners: earlier.winners.clone_ref(py),
            decks: earlier.decks.clone_ref(py),
        })
    }

    /// The row of a game.
    fn row(&self, game: &Bound<'_, PyAny>) -> PyResult<i128> {
        let last = self.winners.bind(game.py()).len() as i128 - 1;
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
        if actions.iter().any(|&action| action >= ACTIONS) {
            return Err(errors::SavannaError::new_err("actions was changed to ids that name no move"));
        }
        moves::objects(py, actions.into_iter())
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
            Source::View(view) | Source::After { view, .. } => PyView(view).into_bound_py_any(py)?,
        };
        let PyPlayouts { actions, scores, winners, decks, .. } = playouts;
        Ok((slf.get_type().getattr("_restore")?, (source, actions, scores, winners, decks).into_pyobject(py)?))
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyIterator>> {
        let py = slf.py();
        let games = PyRange::new(py, 0, slf.get().__len__(py) as isize)?;
        py.import("builtins")?.getattr("map")?.call1((slf.getattr("__getitem__")?, games))?.try_iter()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, game: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        static PLAYOUT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let count = self.__len__(py) as i128;
        let game = integer(game, "game", -count, count - 1, PyIndexError::new_err)?.rem_euclid(count);
        let game = game.into_pyobject(py)?.into_any();
        let scores = self.scores.bind(py).get_item(&game)?.call_method0("tolist")?;
        let winners: u8 = self.winners.bind(py).get_item(&game)?.extract()?;
        let winners = Team::ALL.into_iter().filter(|team| winners >> team.index() & 1 == 1).map(Team::index);
        let record = PLAYOUT.import(py, "savanna.records", "Playout")?;
        record.call1((
            self.start(py, &game)?,
            self.moves(py, &game)?.to_tuple(),
            scores.cast_into::<PyList>()?.to_tuple(),
            PyTuple::new(py, winners.collect::<Vec<_>>())?,
        ))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.winners.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Playouts: {} games>", self.__len__(py))
    }
}

/// An array of zeros, made by NumPy itself, so that NumPy raises the error when memory runs out.
fn zeros<'py, T: numpy::Element, S: IntoPyObject<'py>>(py: Python<'py>, shape: S) -> PyResult<Bound<'py, PyAny>> {
    py.import("numpy")?.getattr("zeros")?.call1((shape, numpy::dtype::<T>(py)))
}

/// The sizes of the arrays.
#[derive(Clone, Copy)]
struct Shape {
    games: usize,
    plies: usize,
    teams: usize,
    seats: usize,
    tiles: usize,
}

impl Shape {
    fn of(source: &Source, options: &Options) -> PyResult<Shape> {
        let (games, rules) = (usize::try_from(options.games)?, source.rules());
        let (teams, seats, tiles) = (rules.teams(), rules.players(), rules.deck().total());
        Ok(Shape { games, plies: source.plies_left(), teams, seats, tiles })
    }
}

/// The rows of some games in all arrays.
struct Rows<'a> {
    shape: Shape,
    actions: &'a mut [u8],
    scores: &'a mut [i16],
    winners: &'a mut [u8],
    decks: &'a mut [u8],
}

impl<'a> Rows<'a> {
    /// Splits the rows of the next batch off the front; `None` when no rows are left.
    fn take_batch(&mut self) -> Option<Rows<'a>> {
        let games = self.winners.len().min(BATCH as usize);
        let Shape { plies, teams, seats, tiles, .. } = self.shape;
        (games > 0).then(|| Rows {
            shape: self.shape,
            actions: split_front(&mut self.actions, games * plies),
            scores: split_front(&mut self.scores, games * teams),
            winners: split_front(&mut self.winners, games),
            decks: split_front(&mut self.decks, games * seats * tiles),
        })
    }

    /// Writes a game into its row.
    fn write(&mut self, game: usize, playout: &Playout<'_>) {
        let Shape { plies, teams, seats, tiles, .. } = self.shape;
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
