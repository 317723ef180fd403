//! From exact counts to means, shares and errors. Floating point begins here and nowhere before.

use std::fmt;

use crate::rollout::Tally;
use crate::score::Outcome;
use crate::tile::Team;

/// A tally, read as statistics. The shares and means of no games are NaN.
///
/// ```
/// # use savanna_core::{ByTeam, Rules, Stats, Tally, Team};
/// // Of four games team 0 wins three with 10 points to 8, and loses one by the same.
/// let (rules, [zero, one, ..]) = (Rules::default(), Team::ALL);
/// let mut scores = vec![0; 2 * (rules.max_score() + 1)];
/// for (team, score, games) in [(0, 10, 3), (0, 8, 1), (1, 8, 3), (1, 10, 1)] {
///     scores[team * (rules.max_score() + 1) + score] = games;
/// }
/// let wins = ByTeam([[3, 0, 0, 0], [1, 0, 0, 0], [0; 4], [0; 4]]);
/// let tally = Tally::from_counts(&rules, 4, wins, scores, [80, 0, 0]).expect("counts that fit");
/// let stats = Stats::from(tally);
/// assert_eq!((stats.win_share(zero).value, stats.score(one).value, stats.margin(zero)), (0.75, 8.5, 1.0));
/// assert_eq!(stats.to_string(), "4 games, win share 0.7500 / 0.2500, mean score 9.500 / 8.500");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Stats {
    /// The counts.
    pub tally: Tally,
}

impl AsRef<Stats> for Stats {
    fn as_ref(&self) -> &Stats {
        self
    }
}

impl From<Tally> for Stats {
    fn from(tally: Tally) -> Stats {
        Stats { tally }
    }
}

/// A mean over the games of a tally, and what is needed to judge it. [`Stats::win_share`] and [`Stats::score`] give it.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// The standard deviation over the games played.
    pub sd: f64,
    /// The standard error of the mean: the deviation divided by the square root of the number of games.
    pub stderr: f64,
}

impl Mean {
    /// The mean of values that occur so often each.
    fn of(values: impl Iterator<Item = (f64, u64)> + Clone) -> Mean {
        let games: f64 = values.clone().map(|(_, count)| count as f64).sum();
        let value = values.clone().map(|(value, count)| value * count as f64).sum::<f64>() / games;
        let variance = values.map(|(x, count)| (x - value).powi(2) * count as f64).sum::<f64>() / games;
        let sd = variance.sqrt();
        Mean { value, sd, stderr: sd / games.sqrt() }
    }
}

impl Stats {
    /// The share of wins of a team: a win that is shared among `k` teams counts `1 / k`.
    pub fn win_share(&self, team: Team) -> Mean {
        let wins = self.tally.wins(team);
        let lost = self.tally.games() - wins.iter().sum::<u64>();
        let won = wins.into_iter().enumerate().map(|(others, count)| (1.0 / (others + 1) as f64, count));
        Mean::of(won.chain([(0.0, lost)]))
    }

    /// The final score of a team.
    ///
    /// # Panics
    /// If the team does not play by these rules, as for [`lead`](Stats::lead) and [`margin`](Stats::margin).
    pub fn score(&self, team: Team) -> Mean {
        Mean::of(self.tally.histogram(team).iter().enumerate().map(|(score, &count)| (score as f64, count)))
    }

    /// By how much the mean score of a team exceeds the best of the others.
    ///
    /// # Panics
    /// As [`score`](Stats::score).
    pub fn lead(&self, team: Team) -> f64 {
        let others = self.tally.rules().team_list().filter(|&other| other != team);
        let best = others.map(|other| self.score(other).value).fold(f64::NEG_INFINITY, f64::max);
        self.score(team).value - best
    }

    /// By how much the mean score of a team exceeds the mean of the others' mean scores.
    ///
    /// # Panics
    /// As [`score`](Stats::score).
    pub fn margin(&self, team: Team) -> f64 {
        let rules = self.tally.rules();
        let all: f64 = rules.team_list().map(|team| self.score(team).value).sum();
        let mine = self.score(team).value;
        mine - (all - mine) / (rules.teams() - 1) as f64
    }

    /// How many lines a game came out exactly at the target.
    pub fn exact_lines(&self) -> f64 {
        self.tally.lines(Outcome::Exact) as f64 / self.tally.games() as f64
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let teams = || self.tally.rules().team_list();
        let joined = |numbers: &mut dyn Iterator<Item = String>| numbers.collect::<Vec<_>>().join(" / ");
        write!(
            f,
            "{} games, win share {}, mean score {}",
            self.tally.games(),
            joined(&mut teams().map(|team| format!("{:.4}", self.win_share(team).value))),
            joined(&mut teams().map(|team| format!("{:.3}", self.score(team).value)))
        )
    }
}
