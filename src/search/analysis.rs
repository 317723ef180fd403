//! What a search thinks of every move.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::time::Duration;

use crate::moves::Move;
use crate::stats::Stats;
use crate::tile::{ByTeam, Team};

/// How many points of the margin are worth as much as a win to the players of this crate. They are many, so that the
/// margin decides between moves that win about as often, and more so when there are few playouts. It is what
/// [`MoveAnalysis::worth`] counts by.
pub const POINTS_PER_WIN: u16 = 100;

/// What a search thinks of one move; shares and scores are those of finished games. [`Analysis`] has one for each.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveAnalysis {
    /// The move.
    pub mv: Move,
    /// How many iterations began with it.
    pub visits: u64,
    /// The share of them that the mover's team won; a win shared among `k` teams counts `1 / k`.
    pub win_share: f64,
    /// The standard error of the share, as [`Mean::stderr`](crate::stats::Mean::stderr) has it; 0 only if all deals that
    /// the view leaves open were solved, for then chance has no part in it.
    pub stderr: f64,
    /// By how much the mean score of the mover's team exceeds the mean of the other teams' mean scores.
    pub margin: f64,
    /// The mean score of every team.
    pub scores: ByTeam<f64>,
    /// How the game is likely to go on after the move, as far as the search has looked. An animal under another seat's
    /// Lion is a guess.
    pub line: Vec<Move>,
}

impl MoveAnalysis {
    /// What playouts after a move of this team tell about it: for an [`Analyst`](crate::search::Analyst) of your own.
    ///
    /// # Panics
    /// If the team does not play by these rules.
    ///
    /// # Example
    /// ```
    /// # use savanna_core::{MoveAnalysis, Options, Position, Source, Stats, Team, rollout};
    /// let position: Position = "2p 0Z0z1M0m/0m0m1Z0e/.0z0m1z/1Z1M1e1M/1g0g1G0G -/m -/- 9/9".parse()?;
    /// let mv = "monkey a3".parse()?;
    /// let after = Source::from(position).after(mv).expect("a legal move"); // it ends the game by 14 to 11
    /// let it = MoveAnalysis::of(mv, Team::ALL[1], &Stats::from(rollout(&after, &Options::new(10))));
    /// assert_eq!((it.visits, it.win_share, it.margin, it.worth()), (10, 1.0, 3.0, 1.03));
    /// # Ok::<(), savanna_core::NotationError>(())
    /// ```
    pub fn of(mv: Move, team: Team, stats: &Stats) -> MoveAnalysis {
        let share = stats.win_share(team);
        let mut scores = ByTeam::default();
        for team in stats.tally.rules().team_list() {
            scores[team] = stats.score(team).value;
        }
        MoveAnalysis {
            mv,
            visits: stats.tally.games(),
            win_share: share.value,
            stderr: share.stderr,
            margin: stats.margin(team),
            scores,
            line: Vec::new(),
        }
    }

    /// What moves are judged by: the share of wins, and the margin in units of [`POINTS_PER_WIN`].
    pub fn worth(&self) -> f64 {
        self.win_share + self.margin / f64::from(POINTS_PER_WIN)
    }
}

impl Eq for MoveAnalysis {}

impl Hash for MoveAnalysis {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Equal moves with equal visits hardly ever differ in more than these.
        (self.mv, self.visits, &self.line).hash(state);
    }
}

/// What a search thinks of all moves in a view. Two are equal if they say the same; time and threads
/// do not count. As text it is a table of the best.
///
/// ```
/// # use savanna_core::{Analyst, Effort, View, search::Champion};
/// let view: View = "seat=1 2p 0?0z1M0m/0m0m1Z0e/.0z0m1z/1Z1M1e1M/1g0g1G0? -/m -/- 9/9".parse()?;
/// let analysis = Champion(Effort::iterations(100)).analyse(&view)?;
/// let [best, other] = &analysis.moves[..] else { panic!("two moves") };
/// assert_eq!((best.mv, best.mv.to_string()), (analysis.best(), "monkey a3".to_owned()));
/// assert_eq!((best.win_share, other.win_share), (1.0, 0.0)); // both end the game
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The moves, best first in the search's own judgement; never none.
    pub moves: Vec<MoveAnalysis>,
    /// How many teams there are.
    pub teams: usize,
    /// How many iterations were made.
    pub iterations: u64,
    /// How long they took.
    pub time: Duration,
    /// On how many threads.
    pub threads: usize,
}

impl Analysis {
    /// The best move.
    ///
    /// # Panics
    /// If it has no moves, which never happens in the analysis of a search.
    pub fn best(&self) -> Move {
        self.moves[0].mv
    }
}

impl PartialEq for Analysis {
    fn eq(&self, other: &Analysis) -> bool {
        (&self.moves, self.teams, self.iterations) == (&other.moves, other.teams, other.iterations)
    }
}

impl Eq for Analysis {}

impl Hash for Analysis {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.moves, self.teams, self.iterations).hash(state);
    }
}

/// How many moves of an analysis are shown; those after the best are of little interest.
const SHOWN: usize = 5;

impl Analysis {
    /// The columns of the table that shows it.
    pub(crate) const COLUMNS: [&'static str; 5] = ["move", "visits", "win share", "error", "margin"];

    /// The table's rows: the best moves.
    pub(crate) fn rows(&self) -> impl Iterator<Item = [String; 5]> + '_ {
        self.moves.iter().take(SHOWN).map(|it| {
            let number = |value: f64| format!("{value:.4}");
            let (share, error) = (number(it.win_share), number(it.stderr));
            [it.mv.to_string(), it.visits.to_string(), share, error, format!("{:+.2}", it.margin)]
        })
    }

    /// What the table is of.
    pub(crate) fn title(&self) -> String {
        format!("{} iterations, best of {} moves", self.iterations, self.moves.len())
    }
}

impl fmt::Display for Analysis {
    /// The best five moves as a table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title())?;
        for [mv, numbers @ ..] in std::iter::once(Self::COLUMNS.map(str::to_owned)).chain(self.rows()) {
            write!(f, "\n  {mv:<16}")?;
            numbers.iter().try_for_each(|number| write!(f, " {number:>10}"))?;
        }
        Ok(())
    }
}
