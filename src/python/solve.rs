//! `savanna.solve` and `savanna.Solution`.

use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use super::args::{self, errors, of_type};
use super::moves::{self, PyMove};
use super::position::PyPosition;
use super::watch::watched;
use crate::moves::Move;
use crate::search::endgame::{self, Objective, Solution, Worth};
use crate::tile::ByTeam;

/// What a position is worth when everybody plays as well as can be, and the best moves; `solve` makes it.
///
/// Solutions are equal if they say the same of positions of as many teams.
#[pyclass(module = "savanna", name = "Solution", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(super) struct PySolution(Solution);

#[pymethods]
impl PySolution {
    /// What everybody plays for: "win" or "margin".
    #[getter]
    fn objective(&self) -> &'static str {
        self.0.objective.name()
    }

    /// What the position is worth.
    ///
    /// With two teams it is an integer, seen by the team to move: 1 for a win, 0 for a shared one and -1 for a loss, or
    /// the margin of the final scores. With more it is a tuple by team: shares of the win, or final scores.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.0.value {
            Worth::Duel(value) => Ok(value.into_pyobject(py)?.into_any()),
            Worth::Teams { shares, scores } => Ok(match self.0.objective {
                Objective::Win => PyTuple::new(py, shares.0[..self.0.teams].iter().map(|&it| f64::from(it) / WHOLE))?,
                Objective::Margin | Objective::WinThenMargin => PyTuple::new(py, &scores.0[..self.0.teams])?,
            }
            .into_any()),
        }
    }

    /// All moves that give the team to move its best value, in ascending order of action id.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        Ok(moves::objects(py, self.0.moves.iter().map(|mv| mv.action()))?.to_tuple())
    }

    /// How many positions the solver looked at.
    #[getter]
    fn nodes(&self) -> u64 {
        self.0.nodes
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let it = slf.get();
        let value = it.value(slf.py())?.repr()?.to_string();
        let moves: Vec<String> = it.0.moves.iter().map(ToString::to_string).collect();
        Ok(format!("<Solution: {} {value} by {}; {} nodes>", it.objective(), moves.join(", "), it.0.nodes))
    }

    /// Rebuilds a pickled solution.
    #[classmethod]
    fn _restore(
        _class: &Bound<'_, PyType>,
        objective: &str,
        value: Vec<i32>,
        moves: Vec<Bound<'_, PyMove>>,
        nodes: u64,
    ) -> PyResult<PySolution> {
        let wrong = || errors::SavannaError::new_err("pickled solution: these numbers cannot be");
        let objective: Objective = objective.parse()?;
        let moves: Vec<Move> = moves.iter().map(|mv| mv.get().0).collect();
        let (teams, value) = read_worth(objective, &value).filter(|_| !moves.is_empty()).ok_or_else(wrong)?;
        Ok(PySolution(Solution { objective, teams, value, moves, nodes }))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Restored<'py>)> {
        let it = slf.get();
        let value = match it.0.value {
            Worth::Duel(value) => vec![value],
            Worth::Teams { shares, scores } => match it.0.objective {
                Objective::Win => shares.0[..it.0.teams].iter().map(|&share| share.into()).collect(),
                Objective::Margin | Objective::WinThenMargin => {
                    scores.0[..it.0.teams].iter().map(|&score| score.into()).collect()
                }
            },
        };
        let parts = (it.objective(), value, it.moves(slf.py())?, it.0.nodes);
        Ok((slf.get_type().getattr("_restore")?, parts))
    }
}

/// What `Solution._restore` takes: the value is one number for two teams, else one for each.
type Restored<'py> = (&'static str, Vec<i32>, Bound<'py, PyTuple>, u64);

/// A won game, as Rust counts shares.
const WHOLE: f64 = 12.0;

/// The number of teams and the value that these numbers are, if they can be.
fn read_worth(objective: Objective, numbers: &[i32]) -> Option<(usize, Worth)> {
    match numbers {
        &[value] => Some((2, Worth::Duel(value))),
        [_, _, _] | [_, _, _, _] => {
            let (mut shares, mut scores) = (ByTeam([0; 4]), ByTeam([0; 4]));
            for (team, &number) in numbers.iter().enumerate() {
                match objective {
                    Objective::Win => shares.0[team] = u8::try_from(number).ok().filter(|&share| share <= 12)?,
                    Objective::Margin | Objective::WinThenMargin => scores.0[team] = u16::try_from(number).ok()?,
                }
            }
            Some((numbers.len(), Worth::Teams { shares, scores }))
        }
        _ => None,
    }
}

/// What everybody plays for.
pub(super) struct ObjectiveName(Objective);

impl<'py> FromPyObject<'_, 'py> for ObjectiveName {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<ObjectiveName> {
        Ok(ObjectiveName(args::text(&value, "objective")?.parse()?))
    }
}

/// Return the exact value of a position near its end, and all best moves, when everybody knows all tiles.
///
/// `objective` says what everybody plays for. "win": with two teams, to win (1), else to share (0); with more, each
/// team for its own share of the win. "margin": with two teams, for the difference of the final scores; with more, each
/// team for its own score less the mean of the others. With three or four teams, the team to move takes of moves that
/// it likes equally the one with the smallest action id, which can matter to the others; the value is what comes of
/// this.
///
/// At most 14 spaces may be empty with two teams, 8 with more; that can take minutes, and Ctrl-C stops it. Raises
/// `GameOverError` when the game is over, `SavannaError` for more empty spaces or an unknown objective.
#[pyfunction]
#[pyo3(signature = (position, *, objective=ObjectiveName(Objective::Win)),
    text_signature = "(position, *, objective='win')")]
#[expect(clippy::needless_pass_by_value, reason = "arguments from Python are owned")]
pub(super) fn solve(position: &Bound<'_, PyAny>, objective: ObjectiveName) -> PyResult<PySolution> {
    let it = of_type::<PyPosition>(position, "position", "a Position")?.get().0;
    Ok(PySolution(watched(position.py(), |_| 0, None, |watch| endgame::solve(&it, objective.0, watch))??))
}
