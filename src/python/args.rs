//! Arguments from Python checked, errors and records handed to Python.

use std::num::NonZeroUsize;
use std::time::Duration;

use pyo3::PyTypeCheck;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyInt, PyString, PyTuple, PyType};

use crate::board::{Line, Space};
use crate::lines::LineState;
use crate::notation::{NotationError, Seen, UnknownName, quoted};
use crate::play::{LineScore, PlayError};
use crate::position::{DeckError, StateError};
use crate::rank::RankError;
use crate::rollout::{MAX_THREADS, Options, OptionsError};
use crate::rules::{Range, Rules, RulesError};
use crate::search::endgame::SolveError;
use crate::search::{MAX_SECONDS, SearchError};
use crate::tile::{Animal, ByTeam, Hand, Seat, TeamSet, TileCounts};

/// The Python exceptions, as defined in `savanna.errors`.
pub(super) mod errors {
    use pyo3::import_exception;

    import_exception!(savanna.errors, SavannaError);
    import_exception!(savanna.errors, RulesError);
    import_exception!(savanna.errors, NotationError);
    import_exception!(savanna.errors, IllegalMoveError);
    import_exception!(savanna.errors, GameOverError);
}

/// Carries each Rust error over to the Python exception of its kind, with its text.
macro_rules! carried_over {
    ($($rust:ty => $python:ident),+ $(,)?) => {
        $(impl From<$rust> for PyErr {
            fn from(error: $rust) -> PyErr {
                errors::$python::new_err(error.to_string())
            }
        })+
    };
}

carried_over!(
    RulesError => RulesError,
    DeckError => RulesError,
    NotationError => NotationError,
    StateError => SavannaError,
    UnknownName => SavannaError,
    OptionsError => SavannaError,
);

impl From<PlayError> for PyErr {
    fn from(error: PlayError) -> PyErr {
        let text = error.to_string();
        if error == PlayError::GameOver {
            errors::GameOverError::new_err(text)
        } else {
            errors::IllegalMoveError::new_err(text)
        }
    }
}

impl From<RankError> for PyErr {
    fn from(error: RankError) -> PyErr {
        let text = error.to_string();
        if error == RankError::GameOver {
            errors::GameOverError::new_err(text)
        } else {
            errors::SavannaError::new_err(text)
        }
    }
}

impl From<SearchError> for PyErr {
    fn from(error: SearchError) -> PyErr {
        let text = error.to_string();
        match error {
            SearchError::GameOver => errors::GameOverError::new_err(text),
            SearchError::NotToMove { .. } | SearchError::Stopped => errors::SavannaError::new_err(text),
        }
    }
}

impl From<SolveError> for PyErr {
    fn from(error: SolveError) -> PyErr {
        let text = error.to_string();
        match error {
            SolveError::GameOver => errors::GameOverError::new_err(text),
            SolveError::TooManyEmpty { .. } | SolveError::Stopped => errors::SavannaError::new_err(text),
        }
    }
}

/// The `TypeError` for a value of the wrong type. Its module is named where its name alone would say nothing: NumPy's bool
/// is none of Python's.
pub(super) fn wrong_type(what: &str, wanted: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let given = value.get_type();
    let name = given.name().map_or("something else".to_owned(), |name| name.to_string());
    let is_misleading = wanted.split(' ').any(|word| word == name);
    let module = given.module().map_or(String::new(), |module| format!("{module}."));
    let module = if is_misleading && module != "builtins." { &*module } else { "" };
    PyTypeError::new_err(format!("{what} must be {wanted}, not {module}{name}"))
}

/// What has to be an object of one of the package's own types.
pub(super) fn of_type<'a, 'py, T: PyTypeCheck>(
    value: &'a Bound<'py, PyAny>,
    what: &str,
    wanted: &str,
) -> PyResult<&'a Bound<'py, T>> {
    value.cast::<T>().map_err(|_| wrong_type(what, wanted, value))
}

/// An integer from `low` to `high`, taken by `__index__`, so that NumPy's are welcome; a bool is a mistake.
pub(super) fn integer(
    value: &Bound<'_, PyAny>,
    what: &str,
    low: i128,
    high: i128,
    error: impl Fn(String) -> PyErr,
) -> PyResult<i128> {
    if value.is_instance_of::<PyBool>() || !value.get_type().hasattr("__index__")? {
        return Err(wrong_type(what, "an int", value));
    }
    let number = if value.is_exact_instance_of::<PyInt>() {
        value.clone()
    } else {
        value.get_type().getattr("__index__")?.call1((value,))?
    };
    match number.extract::<i128>() {
        Ok(number) if (low..=high).contains(&number) => Ok(number),
        _ => Err(error(format!("{what} must be {low} to {high}, got {}", digits(&number)))),
    }
}

/// A number as text, cut when it is long.
fn digits(number: &Bound<'_, PyAny>) -> String {
    match number.str() {
        Ok(text) => {
            let text = text.to_string_lossy();
            if text.len() > 100 { format!("{}...", &text[..40]) } else { text.into_owned() }
        }
        Err(_) => "a number of more than 4300 digits".to_owned(),
    }
}

/// A bool; a number is a mistake.
pub(super) fn boolean(value: &Bound<'_, PyAny>, what: &str) -> PyResult<bool> {
    value.cast::<PyBool>().map(|value| value.is_true()).map_err(|_| wrong_type(what, "a bool", value))
}

/// An option of the rules.
pub(super) fn option(value: &Bound<'_, PyAny>, what: &str, (low, high): Range) -> PyResult<i64> {
    integer(value, what, low.into(), high.into(), errors::RulesError::new_err).map(|number| number as i64)
}

/// An argument that counts something.
pub(super) fn number(value: &Bound<'_, PyAny>, what: &str, low: u64, high: u64) -> PyResult<u64> {
    integer(value, what, low.into(), high.into(), errors::SavannaError::new_err).map(|number| number as u64)
}

/// A seed; `None` asks the system for one.
pub(super) fn seed(value: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    match value {
        Some(value) => {
            integer(value, "seed", 0, u64::MAX.into(), errors::SavannaError::new_err).map(|number| number as u64)
        }
        None => getrandom::u64()
            .map_err(|e| errors::SavannaError::new_err(format!("cannot get a seed from the operating system: {e}"))),
    }
}

/// A time in seconds; an int is welcome.
pub(super) fn seconds(value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let seconds = match value.extract::<f64>() {
        Ok(number) if !value.is_instance_of::<PyBool>() => number,
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => f64::INFINITY,
        _ => return Err(wrong_type("seconds", "a number", value)),
    };
    let in_range = || Duration::try_from_secs_f64(seconds).ok().filter(|_| seconds > 0.0 && seconds <= MAX_SECONDS);
    let error =
        || errors::SavannaError::new_err(format!("seconds must be above 0 and at most {MAX_SECONDS}, got {seconds:?}"));
    in_range().ok_or_else(error)
}

/// On how many threads to work; `None` means one for each core.
pub(super) struct Threads(pub(super) NonZeroUsize);

impl<'py> FromPyObject<'_, 'py> for Threads {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Threads> {
        let cores = Options::new(0).threads;
        if value.is_none() {
            return Ok(Threads(cores));
        }
        let threads = number(&value, "threads", 1, MAX_THREADS as u64)?;
        Ok(Threads(usize::try_from(threads).ok().and_then(NonZeroUsize::new).unwrap_or(cores)))
    }
}

/// A seat that plays.
pub(super) fn seat(value: &Bound<'_, PyAny>, rules: &Rules) -> PyResult<Seat> {
    number(value, "seat", 0, rules.players() as u64 - 1).map(|index| Seat::ALL[index as usize])
}

/// A string; any other type is a mistake.
pub(super) fn text(value: &Bound<'_, PyAny>, what: &str) -> PyResult<String> {
    // A string without a UTF-8 form is never valid here: it goes on with marks in place of what UTF-8 cannot hold.
    let string = value.cast::<PyString>().map_err(|_| wrong_type(what, "a str", value))?;
    Ok(string.to_string_lossy().into_owned())
}

/// The items of any iterable but a string, at most `most` of them. It may be endless.
pub(super) fn items<'py>(value: &Bound<'py, PyAny>, what: &str, most: usize) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let iterator = if value.is_instance_of::<PyString>() { None } else { value.try_iter().ok() };
    let iterator = iterator.ok_or_else(|| wrong_type(what, "a sequence", value))?;
    let items: Vec<_> = iterator.take(most + 1).collect::<PyResult<_>>()?;
    let too_many = || errors::RulesError::new_err(format!("{what} has more than {most} items"));
    if items.len() > most { Err(too_many()) } else { Ok(items) }
}

/// An animal by its name.
pub(super) fn animal(value: &Bound<'_, PyAny>, error: impl Fn(String) -> PyErr) -> PyResult<Animal> {
    let name = text(value, "animal")?;
    Animal::from_name(&name).ok_or_else(|| error(format!("unknown animal {}", quoted(&name))))
}

/// The items as a tuple.
pub(super) fn tuple<'py, T>(py: Python<'py>, items: impl Iterator<Item = T>) -> PyResult<Bound<'py, PyTuple>>
where
    T: IntoPyObject<'py>,
{
    PyTuple::new(py, items.collect::<Vec<_>>())
}

/// The names of the tiles in a hand or a deck.
pub(super) fn animals<'py>(py: Python<'py>, tiles: impl Iterator<Item = Animal>) -> PyResult<Bound<'py, PyTuple>> {
    tuple(py, tiles.map(Animal::name))
}

/// The hand as a sorted tuple.
pub(super) fn hand(py: Python<'_>, hand: Hand) -> PyResult<Bound<'_, PyTuple>> {
    animals(py, hand.tiles())
}

/// Counts by name, all five animals in index order.
pub(super) fn counts(py: Python<'_>, tiles: TileCounts) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for animal in Animal::ALL {
        dict.set_item(animal.name(), tiles[animal])?;
    }
    Ok(dict)
}

/// One number for each team that plays.
pub(super) fn by_team<'py, T>(py: Python<'py>, rules: &Rules, values: ByTeam<T>) -> PyResult<Bound<'py, PyTuple>>
where
    T: Copy + IntoPyObject<'py>,
{
    tuple(py, rules.team_list().map(|team| values[team]))
}

/// The numbers of the teams in a set.
pub(super) fn teams(py: Python<'_>, teams: TeamSet) -> PyResult<Bound<'_, PyTuple>> {
    tuple(py, teams.teams().map(|team| team.index()))
}

/// The board as a dict in reading order, placed spaces only, from what somebody sees on each space.
pub(super) fn board<'py>(py: Python<'py>, tile: impl Fn(Space) -> Option<Seen>) -> PyResult<Bound<'py, PyDict>> {
    static PLACED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let placed = PLACED.import(py, "savanna.records", "Placed")?;
    let dict = PyDict::new(py);
    for space in Space::ALL {
        if let Some(Seen { seat, animal, face }) = tile(space) {
            let record = placed.call1((seat.index(), animal.map(Animal::name), face.name()))?;
            dict.set_item(space.name(), record)?;
        }
    }
    Ok(dict)
}

/// The picture of a position or a view, which is drawn in Python.
pub(super) fn picture<'py>(it: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    static SVG: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    SVG.import(it.py(), "savanna.render", "svg")?.call1((it,))
}

/// The spaces of a line, in reading order.
fn spaces(py: Python<'_>, line: Line) -> PyResult<Bound<'_, PyTuple>> {
    tuple(py, line.spaces().map(Space::name))
}

/// Scored lines as records.
pub(super) fn line_scores<'py>(py: Python<'py>, rules: &Rules, lines: &[LineScore]) -> PyResult<Bound<'py, PyTuple>> {
    static LINE_SCORE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let record = LINE_SCORE.import(py, "savanna.records", "LineScore")?;
    let row =
        |it: &LineScore| record.call1((spaces(py, it.line)?, it.score.total, by_team(py, rules, it.score.points)?));
    PyTuple::new(py, lines.iter().map(row).collect::<PyResult<Vec<_>>>()?)
}

/// Lines as they stand, as records.
pub(super) fn lines<'py>(py: Python<'py>, rules: &Rules, lines: &[LineState]) -> PyResult<Bound<'py, PyTuple>> {
    static LINE_STATE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let record = LINE_STATE.import(py, "savanna.records", "LineState")?;
    let row = |it: &LineState| {
        record.call1((
            spaces(py, it.line)?,
            tuple(py, rules.team_list().map(|team| it.tally.tiles(team)))?,
            tuple(py, rules.team_list().map(|team| it.tally.influence(team)))?,
            it.tally.total(),
            it.empty,
            it.points.map(|points| by_team(py, rules, points)).transpose()?,
            it.scorer.map(|team| team.index()),
            it.unclaimed,
        ))
    };
    PyTuple::new(py, lines.iter().map(row).collect::<PyResult<Vec<_>>>()?)
}
