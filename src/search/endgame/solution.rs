//! What a solver is asked, and what it answers.

use std::fmt;
use std::str::FromStr;

use crate::moves::Move;
use crate::notation::UnknownName;
use crate::play::PlayError;
use crate::tile::ByTeam;

/// What everybody plays for.
///
/// ```
/// # use savanna_core::Objective;
/// assert_eq!("margin".parse(), Ok(Objective::Margin));
/// assert_eq!(Objective::NAMED.map(Objective::name), ["win", "margin"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Objective {
    /// To win. Two teams: 1 for a win, 0 for a shared one, -1 for a loss. More: a share of the win for each team, of which
    /// every seat wants the largest for its own team.
    Win,
    /// To be far ahead. Two teams: the difference of the final scores. More: the final scores, and every seat wants its own
    /// team to exceed the mean of the others by as much as can be.
    Margin,
    /// To win, and then to be far ahead, which is how people play. Two teams: [`WIN`] times the first plus the second.
    WinThenMargin,
}

/// What a win counts beside a margin in [`Objective::WinThenMargin`]: more than any margin.
pub const WIN: i32 = 10_000;

impl Objective {
    /// The objectives that a user can name.
    pub const NAMED: [Objective; 2] = [Objective::Win, Objective::Margin];

    /// The name: `"win"`, `"margin"` or `"win then margin"`.
    pub const fn name(self) -> &'static str {
        match self {
            Objective::Win => "win",
            Objective::Margin => "margin",
            Objective::WinThenMargin => "win then margin",
        }
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Objective {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Objective, UnknownName> {
        UnknownName::find("objective", &Objective::NAMED, Objective::name, name)
    }
}

/// The value of a position when everybody plays as well as can be, as [`solve`](crate::search::endgame::solve) finds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(clippy::exhaustive_enums, reason = "a position has two teams or more")]
pub enum Worth {
    /// Two teams: seen by the team to move.
    Duel(i32),
    /// More teams: each team's share of the win, in twelfths; all zero if only margins were asked for.
    /// And each team's final score; all zero if only wins were asked for.
    Teams {
        /// Shares of the win in twelfths.
        shares: ByTeam<u8>,
        /// Final scores.
        scores: ByTeam<u16>,
    },
}

/// A solved position: what [`solve`](crate::search::endgame::solve) answers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Solution {
    /// What everybody plays for.
    pub objective: Objective,
    /// How many teams play.
    pub teams: usize,
    /// What it is worth.
    pub value: Worth,
    /// All moves that give the team to move its best value, in ascending order of action id.
    pub moves: Vec<Move>,
    /// How many positions the solver looked at.
    pub nodes: u64,
}

/// Why a position was not solved.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use savanna_core::{Objective, Position, Rules, solve};
/// let start = Position::deal(&Rules::default(), 7);
/// let error = solve(&start, Objective::Win, &mut |_| ControlFlow::Continue(())).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "a position of 2 teams can be solved with at most 14 empty spaces, this one has 20"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SolveError {
    /// The game is over, so there are no moves.
    GameOver,
    /// It would take too long.
    TooManyEmpty {
        /// The number of empty spaces.
        empty: usize,
        /// The most that there may be.
        limit: usize,
        /// The number of teams.
        teams: usize,
    },
    /// The watcher said `Break`.
    Stopped,
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::GameOver => PlayError::GameOver.fmt(f),
            SolveError::TooManyEmpty { empty, limit, teams } => {
                write!(
                    f,
                    "a position of {teams} teams can be solved with at most {limit} empty spaces, this one has {empty}"
                )
            }
            SolveError::Stopped => f.write_str("the search was stopped"),
        }
    }
}

impl std::error::Error for SolveError {}
