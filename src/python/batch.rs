//! `savanna._core.Batch`, on which `savanna.envs.BatchEnv` stands.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{
    Element, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadwriteArrayDyn, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyTuple, PyType};

use super::args::{self, Threads, boolean, errors, number, text, wrong_type};
use super::envs::{PyEpisode, PyLayout};
use super::rules::PyRules;
use crate::backend::Backend;
use crate::envs::{Batch, BatchError, BatchOptions, Layout, MAX_ENVS, Number, Rows, SavedError};
use crate::moves::ACTIONS;
use crate::play::PlayError;

impl From<SavedError> for PyErr {
    fn from(error: SavedError) -> PyErr {
        errors::SavannaError::new_err(error.to_string())
    }
}

impl From<BatchError> for PyErr {
    fn from(error: BatchError) -> PyErr {
        let text = error.to_string();
        match error {
            BatchError::Play { error: Some(PlayError::GameOver), .. } => errors::GameOverError::new_err(text),
            BatchError::Play { .. } => errors::IllegalMoveError::new_err(text),
            BatchError::Actions { .. } => errors::SavannaError::new_err(text),
        }
    }
}

/// Many games, stepped by one call that writes into arrays; `savanna.envs.BatchEnv` is made of it.
#[pyclass(module = "savanna.envs", name = "Batch", frozen)]
pub(super) struct PyBatch {
    games: Mutex<Batch>,
    threads: NonZeroUsize,
}

/// An array that is written from front to back.
struct Room<'py, T: Element>(PyReadwriteArrayDyn<'py, T>);

impl<'py, T: Element> Room<'py, T> {
    /// The array, if it has this shape, this type, no gaps, and nobody else uses it.
    fn new(value: &Bound<'py, PyAny>, what: &str, shape: &[usize]) -> PyResult<Room<'py, T>> {
        let dtype = numpy::dtype::<T>(value.py());
        let wanted = || format!("an array of {dtype} without gaps");
        let array = value.cast::<PyArrayDyn<T>>().map_err(|_| wrong_type(what, &wanted(), value))?;
        if array.shape() != shape || !array.is_c_contiguous() {
            let got = array.shape();
            return Err(errors::SavannaError::new_err(format!(
                "{what} must be {} of shape {shape:?}, got {got:?}",
                wanted()
            )));
        }
        let in_use = |_| errors::SavannaError::new_err(format!("{what} cannot be written: it is in use or read-only"));
        Ok(Room(array.try_readwrite().map_err(in_use)?))
    }

    fn slice(&mut self) -> PyResult<&mut [T]> {
        Ok(self.0.as_slice_mut()?)
    }
}

impl PyBatch {
    /// The games. A thread that waits for them lets others run Python meanwhile.
    fn games(&self, py: Python<'_>) -> MutexGuard<'_, Batch> {
        self.games.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives `work` the games and their rows in these arrays, and runs it without the interpreter lock. What it reads lies
    /// in memory of its own.
    fn on_rows<T: Element + Number, R: Send>(
        &self,
        out: &Bound<'_, PyTuple>,
        read: Range<*const u8>,
        work: impl FnOnce(&mut Batch, Rows<'_, T>) -> R + Send,
    ) -> PyResult<R> {
        let py = out.py();
        let mut games = self.games(py);
        let (count, players, size) = (games.len(), games.layout().rules().players(), games.layout().size());
        let mut observations = Room::new(&out.get_item(0)?, "observations", &[count, size])?;
        let mut masks = Room::new(&out.get_item(1)?, "action_mask", &[count, ACTIONS])?;
        let mut rewards = Room::new(&out.get_item(2)?, "rewards", &[count, players])?;
        let mut ended = Room::new(&out.get_item(3)?, "terminated", &[count])?;
        let mut seats = Room::new(&out.get_item(4)?, "seats", &[count])?;
        let rows = Rows {
            observations: observations.slice()?,
            masks: masks.slice()?,
            rewards: rewards.slice()?,
            ended: ended.slice()?,
            seats: seats.slice()?,
        };
        apart(&[
            read,
            bytes(rows.observations),
            bytes(rows.masks),
            bytes(rows.rewards),
            bytes(rows.ended),
            bytes(rows.seats),
        ])?;
        let games = &mut *games;
        Ok(py.detach(|| work(games, rows)))
    }

    /// The place of a game.
    fn place(&self, game: &Bound<'_, PyAny>) -> PyResult<usize> {
        let last = self.games(game.py()).len() as i128 - 1;
        args::integer(game, "index", 0, last, PyIndexError::new_err).map(|place| place as usize)
    }
}

/// Where an array lies.
fn bytes<T>(array: &[T]) -> Range<*const u8> {
    let Range { start, end } = array.as_ptr_range();
    start.cast()..end.cast()
}

/// Refuses arrays that share memory in a way that NumPy does not tell.
fn apart(arrays: &[Range<*const u8>]) -> PyResult<()> {
    let shared = |(i, one): (usize, &Range<*const u8>)| {
        arrays[..i].iter().any(|other| one.start < other.end && other.start < one.end)
    };
    if arrays.iter().enumerate().any(shared) {
        return Err(errors::SavannaError::new_err("out and actions must not share memory"));
    }
    Ok(())
}

/// Whether these arrays take floating-point numbers.
fn floats(out: &Bound<'_, PyTuple>) -> PyResult<bool> {
    Ok(out.get_item(0)?.cast::<PyArrayDyn<f32>>().is_ok())
}

/// The options of a batch, each checked.
fn read_options(
    recall: &Bound<'_, PyAny>,
    reward: &Bound<'_, PyAny>,
    illegal: &Bound<'_, PyAny>,
    autoreset: &Bound<'_, PyAny>,
) -> PyResult<BatchOptions> {
    Ok(BatchOptions {
        recall: boolean(recall, "recall")?,
        reward: text(reward, "reward")?.parse()?,
        illegal: text(illegal, "illegal")?.parse()?,
        reset: text(autoreset, "autoreset")?.parse()?,
    })
}

/// Check the options of a batch and return its layout, without dealing a game. Raises what `BatchEnv` does.
#[pyfunction]
pub(super) fn check_batch(
    rules: &Bound<'_, PyAny>,
    recall: &Bound<'_, PyAny>,
    reward: &Bound<'_, PyAny>,
    illegal: &Bound<'_, PyAny>,
    autoreset: &Bound<'_, PyAny>,
) -> PyResult<PyLayout> {
    let options = read_options(recall, reward, illegal, autoreset)?;
    Ok(PyLayout(Layout::new(&PyRules::read(rules)?, options.recall)?))
}

#[pymethods]
impl PyBatch {
    /// Deal the games.
    #[new]
    #[pyo3(signature = (rules, num_envs, *, seed, recall, reward, illegal, autoreset, threads))]
    #[expect(clippy::too_many_arguments, reason = "the options of `BatchEnv`")]
    fn new(
        rules: &Bound<'_, PyAny>,
        num_envs: &Bound<'_, PyAny>,
        seed: Option<&Bound<'_, PyAny>>,
        recall: &Bound<'_, PyAny>,
        reward: &Bound<'_, PyAny>,
        illegal: &Bound<'_, PyAny>,
        autoreset: &Bound<'_, PyAny>,
        threads: Threads,
    ) -> PyResult<PyBatch> {
        let games = number(num_envs, "num_envs", 1, MAX_ENVS as u64)? as usize;
        let options = read_options(recall, reward, illegal, autoreset)?;
        let (py, rules, seed) = (rules.py(), PyRules::read(rules)?, args::seed(seed)?);
        Backend::usual()?;
        let games = py.detach(|| Batch::new(&rules, games, seed, options))?;
        Ok(PyBatch { games: Mutex::new(games), threads: threads.0 })
    }

    /// How many games there are.
    fn __len__(&self, py: Python<'_>) -> usize {
        self.games(py).len()
    }

    /// The seed that deals the games.
    #[getter]
    fn seed(&self, py: Python<'_>) -> u64 {
        self.games(py).seed()
    }

    /// On how many threads a step works.
    #[getter]
    fn threads(&self) -> usize {
        self.threads.get()
    }

    /// How observations are laid out.
    #[getter]
    fn layout(&self, py: Python<'_>) -> PyLayout {
        PyLayout(self.games(py).layout().clone())
    }

    /// The options that have names: recall, reward, illegal and autoreset.
    #[getter]
    fn options(&self, py: Python<'_>) -> (bool, &'static str, &'static str, &'static str) {
        let BatchOptions { recall, reward, illegal, reset } = self.games(py).options();
        (recall, reward.name(), illegal.name(), reset.name())
    }

    /// Begin the next game where `places`, an array of bools, is true. With a seed, all games begin as at first.
    fn reset(
        &self,
        py: Python<'_>,
        places: PyReadonlyArray1<'_, bool>,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (places, seed) = (places.as_slice()?, seed.map(|seed| args::seed(Some(seed))).transpose()?);
        let mut games = self.games(py);
        if places.len() != games.len() {
            let text = format!("{} games need {} places, got {}", games.len(), games.len(), places.len());
            return Err(errors::SavannaError::new_err(text));
        }
        let games = &mut *games;
        py.detach(|| {
            if let Some(seed) = seed {
                games.reseed(seed);
            }
            games.reset(|place| places[place]);
        });
        Ok(())
    }

    /// Play an action in each game and write what comes of it into the arrays of `out`.
    fn step(&self, actions: PyReadonlyArray1<'_, u8>, out: &Bound<'_, PyTuple>) -> PyResult<()> {
        let (actions, threads) = (actions.as_slice()?, self.threads);
        if floats(out)? {
            self.on_rows::<f32, _>(out, bytes(actions), |games, rows| games.step(actions, rows, threads))??;
        } else {
            self.on_rows::<u8, _>(out, bytes(actions), |games, rows| games.step(actions, rows, threads))??;
        }
        Ok(())
    }

    /// Write the games as they are.
    fn show(&self, out: &Bound<'_, PyTuple>) -> PyResult<()> {
        if floats(out)? {
            self.on_rows::<f32, _>(out, bytes::<u8>(&[]), |games, rows| games.show(rows))
        } else {
            self.on_rows::<u8, _>(out, bytes::<u8>(&[]), |games, rows| games.show(rows))
        }
    }

    /// Draw a uniformly random legal action for each game, 255 where it is over: uint8[num_envs].
    fn sample<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let mut games = self.games(py);
        let (mut actions, games) = (vec![0; games.len()], &mut *games);
        py.detach(|| games.sample(&mut actions));
        PyArray1::from_vec(py, actions)
    }

    /// Write what a seat sees in each game, or saw at the end of the one before.
    fn observe(&self, seat: &Bound<'_, PyAny>, ends: &Bound<'_, PyAny>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = seat.py();
        let games = &*self.games(py);
        let (seat, ends) = (args::seat(seat, games.layout().rules())?, boolean(ends, "ends")?);
        let shape = [games.len(), games.layout().size()];
        if out.cast::<PyArrayDyn<f32>>().is_ok() {
            let mut room = Room::<f32>::new(out, "out", &shape)?;
            let numbers = room.slice()?;
            py.detach(|| games.observe(seat, ends, numbers));
        } else {
            let mut room = Room::<u8>::new(out, "out", &shape)?;
            let numbers = room.slice()?;
            py.detach(|| games.observe(seat, ends, numbers));
        }
        Ok(())
    }

    /// Return the game in a place, from its deal on, with the full truth in it.
    fn episode(&self, index: &Bound<'_, PyAny>) -> PyResult<PyEpisode> {
        let place = self.place(index)?;
        Ok(PyEpisode(self.games(index.py()).episode(place)))
    }

    /// Return the whole batch as bytes.
    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let games = &*self.games(py);
        PyBytes::new(py, &py.detach(|| games.save()))
    }

    /// Return the batch that was saved. Raises `SavannaError` for any other bytes.
    #[classmethod]
    fn restore(class: &Bound<'_, PyType>, data: &[u8], threads: Threads) -> PyResult<PyBatch> {
        Backend::usual()?;
        let games = class.py().detach(|| Batch::restore(data))?;
        Ok(PyBatch { games: Mutex::new(games), threads: threads.0 })
    }
}
