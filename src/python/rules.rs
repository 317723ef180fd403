//! `savanna.Rules`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyType};

use super::args::{boolean, counts, errors, items, of_type, option, seat, text, wrong_type};
use crate::notation::quoted;
use crate::rules::{DECK_COUNT, INFLUENCE, PLAYERS, POINTS, Range, Rules, RulesOptions, TARGET};
use crate::tile::Animal;

/// The rules of one game: every option, checked once. Options left out keep what is printed on the box.
///
/// `players` is 2 to 4; `mice` and `team_game` (for 4 players) are the variants. `deck` maps animals to how many tiles
/// of each every seat starts with; an animal left out counts 0, except that a mouse left out counts 1 with `mice`.
/// `influence` maps animals and "lion" to 0 to 15; an omitted one keeps its default. `points` (0 to 100 each) are those
/// for a line below, above and exactly at `target` (0 to 100). `last_seat_bonus` (0 to 100) goes to the last seat's
/// team when the game ends; None means 2 for three players, else 0. With `absent_can_be_least`, a team without a tile
/// in a line above the target counts as 0 there, and so is the least.
///
/// Raises `RulesError` for options that are out of range or contradict each other, `TypeError` for wrong types.
#[pyclass(module = "savanna", name = "Rules", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyRules(pub(crate) Rules);

impl PyRules {
    /// The rules that an argument of that name has to be.
    pub(super) fn read(value: &Bound<'_, PyAny>) -> PyResult<Rules> {
        of_type::<PyRules>(value, "rules", "Rules").map(|rules| rules.get().0)
    }

    /// The arguments that make these rules: the variant, and what differs from what is printed for it.
    fn changed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (mine, printed) = (self.0.options(), self.0.printed().options());
        let options = PyDict::new(py);
        options.set_item("players", mine.players)?;
        options.set_item("mice", mine.mice)?;
        options.set_item("team_game", mine.team_game)?;
        if mine.deck != printed.deck {
            options.set_item("deck", self.deck(py)?)?;
        }
        if mine.influence != printed.influence {
            options.set_item("influence", self.influence(py)?)?;
        }
        if mine.target != printed.target {
            options.set_item("target", mine.target)?;
        }
        if mine.points != printed.points {
            options.set_item("points", self.points())?;
        }
        if mine.last_seat_bonus != printed.last_seat_bonus {
            options.set_item("last_seat_bonus", mine.last_seat_bonus)?;
        }
        if mine.absent_can_be_least {
            options.set_item("absent_can_be_least", true)?;
        }
        Ok(options)
    }
}

const INFLUENCE_NAMES: [&str; 6] = ["monkey", "zebra", "giraffe", "elephant", "mouse", "lion"];

/// An argument that may be left out. `None` is not left out but a mistake.
struct Given<'py>(Option<Bound<'py, PyAny>>);

impl Given<'_> {
    const NOT: Self = Given(None);

    /// Replaces the default by what was given.
    fn read<T>(&self, value: &mut T, read: impl Fn(&Bound<'_, PyAny>) -> PyResult<T>) -> PyResult<()> {
        if let Some(given) = &self.0 {
            *value = read(given)?;
        }
        Ok(())
    }
}

impl<'py> FromPyObject<'_, 'py> for Given<'py> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Given(Some(value.to_owned())))
    }
}

/// Reads a mapping from names to integers over the given numbers.
fn read_mapping(
    value: &Bound<'_, PyAny>,
    what: &str,
    names: &[&str],
    range: Range,
    numbers: &mut [i64],
) -> PyResult<()> {
    let mapping = value.cast::<PyMapping>().map_err(|_| wrong_type(what, "a mapping", value))?;
    for item in mapping.items()?.iter() {
        let (key, count): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        let name = text(&key, &format!("a key of {what}"))?;
        let Some(place) = names.iter().position(|&known| known == name) else {
            let known = names.join(", ");
            return Err(errors::RulesError::new_err(format!("{what} has no {}, only {known}", quoted(&name))));
        };
        numbers[place] = option(&count, &format!("{what} of {name}"), range)?;
    }
    Ok(())
}

fn read_points(value: &Bound<'_, PyAny>) -> PyResult<[i64; 3]> {
    let numbers = items(value, "points", 3)?;
    let numbers: Vec<i64> =
        numbers.iter().map(|item| option(item, "each of points", POINTS)).collect::<PyResult<_>>()?;
    let three = "points must be three numbers: below, above, exact";
    numbers.try_into().map_err(|_| errors::RulesError::new_err(three))
}

#[pymethods]
impl PyRules {
    #[new]
    #[pyo3(signature = (*, players=Given::NOT, mice=Given::NOT, team_game=Given::NOT, deck=None, influence=None,
        target=Given::NOT, points=Given::NOT, last_seat_bonus=None, absent_can_be_least=Given::NOT),
        text_signature = "(*, players=2, mice=False, team_game=False, deck=None, influence=None, target=10, \
        points=(2, 1, 3), last_seat_bonus=None, absent_can_be_least=False)")]
    #[expect(clippy::too_many_arguments, reason = "one for each option")]
    fn new(
        players: Given<'_>,
        mice: Given<'_>,
        team_game: Given<'_>,
        deck: Option<&Bound<'_, PyAny>>,
        influence: Option<&Bound<'_, PyAny>>,
        target: Given<'_>,
        points: Given<'_>,
        last_seat_bonus: Option<&Bound<'_, PyAny>>,
        absent_can_be_least: Given<'_>,
    ) -> PyResult<PyRules> {
        let mut options = RulesOptions::default();
        players.read(&mut options.players, |value| option(value, "players", PLAYERS))?;
        mice.read(&mut options.mice, |value| boolean(value, "mice"))?;
        team_game.read(&mut options.team_game, |value| boolean(value, "team_game"))?;
        if let Some(deck) = deck {
            let mut tiles = [0, 0, 0, 0, i64::from(options.mice)];
            read_mapping(deck, "deck", &Animal::ALL.map(Animal::name), DECK_COUNT, &mut tiles)?;
            options.deck = Some(tiles);
        }
        if let Some(influence) = influence {
            read_mapping(influence, "influence", &INFLUENCE_NAMES, INFLUENCE, &mut options.influence)?;
        }
        target.read(&mut options.target, |value| option(value, "target", TARGET))?;
        points.read(&mut options.points, read_points)?;
        options.last_seat_bonus = last_seat_bonus.map(|value| option(value, "last_seat_bonus", POINTS)).transpose()?;
        absent_can_be_least.read(&mut options.absent_can_be_least, |value| boolean(value, "absent_can_be_least"))?;
        Ok(PyRules(Rules::new(&options)?))
    }

    /// Read the text that `str` gives, such as "2p,mice". Raises `NotationError` for any other.
    #[classmethod]
    fn parse(_class: &Bound<'_, PyType>, text: &Bound<'_, PyAny>) -> PyResult<PyRules> {
        Ok(PyRules(self::text(text, "rules text")?.parse()?))
    }

    /// Number of seats, 2 to 4.
    #[getter]
    fn players(&self) -> usize {
        self.0.players()
    }

    /// Whether each deck has a Mouse, and Mice earn points.
    #[getter]
    fn mice(&self) -> bool {
        self.0.mice()
    }

    /// Whether seats 0 and 2 play against seats 1 and 3.
    #[getter]
    fn team_game(&self) -> bool {
        self.0.team_game()
    }

    /// Number of tiles of each animal that every seat starts with: all five, in index order.
    #[getter]
    fn deck<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        counts(py, self.0.deck())
    }

    /// Influence of each animal lying front up, and of "lion".
    #[getter]
    fn influence<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in INFLUENCE_NAMES.into_iter().zip(self.0.options().influence) {
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    /// The total influence that lines are compared with.
    #[getter]
    fn target(&self) -> u8 {
        self.0.target()
    }

    /// Points for a line below, above and exactly at the target.
    #[getter]
    fn points(&self) -> (u8, u8, u8) {
        (self.0.points_below(), self.0.points_above(), self.0.points_exact())
    }

    /// Points that the last seat's team gets when the game ends.
    #[getter]
    fn last_seat_bonus(&self) -> u8 {
        self.0.last_seat_bonus()
    }

    /// Whether a team without a tile in a line above the target counts as 0 there, and so is the least.
    #[getter]
    fn absent_can_be_least(&self) -> bool {
        self.0.absent_can_be_least()
    }

    /// Number of teams: one for each seat, or two in the Team game.
    #[getter]
    fn teams(&self) -> usize {
        self.0.teams()
    }

    /// The most points that a team could have in the end: a bound, which need not be reached.
    ///
    /// Every line counts the best of `points`, each Mouse of the team's four lines, at most 20 of them, and the last
    /// seat's bonus is added.
    #[getter]
    fn max_score(&self) -> usize {
        self.0.max_score()
    }

    /// Return the team that a seat plays for. Raises `SavannaError` for a seat that does not play.
    fn team_of(&self, seat: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(self.0.team_of(self::seat(seat, &self.0)?).index())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let option = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| Ok(format!("{name}={}", value.repr()?));
        let options = self.changed(py)?.iter().map(option).collect::<PyResult<Vec<_>>>()?;
        Ok(format!("Rules({})", options.join(", ")))
    }

    /// Return these rules with other options, which the constructor takes and checks.
    ///
    /// An option that is as printed stays as printed: `Rules().replace(players=3)` has the deck for three players.
    #[pyo3(signature = (**options))]
    fn replace<'py>(slf: &Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        let all = slf.get().changed(slf.py())?;
        if let Some(options) = options {
            all.update(options.as_mapping())?;
        }
        slf.get_type().call((), Some(&all))
    }

    /// What `copy.replace` calls.
    #[pyo3(signature = (**options))]
    fn __replace__<'py>(slf: &Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        PyRules::replace(slf, options)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("parse")?, (slf.get().0.to_string(),)))
    }
}
