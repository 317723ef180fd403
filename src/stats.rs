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
    /// The standard error of the mean, never 0. Of a share it counts two imaginary games, one won and one lost, so it is
    /// not 0 if all games were won. Of another mean it is NaN if all games came to the same, since these do not tell how
    /// far others may lie from them.
    pub stderr: f64,
}

/// The standard error of a share of games, given the sums of what each counts for (0 to 1) and of its square.
///
/// Two imaginary games are added, one won and one lost, as by Agresti and Coull, "Approximate is better than 'exact' for
/// interval estimation of binomial proportions", 1998: 20 wins in 20 games do not prove that every game is won. For many
/// games the error is the usual one.
pub(crate) fn share_error(sum: f64, squares: f64, games: u64) -> f64 {
    let all = games as f64 + 2.0;
    let mean = (sum + 1.0) / all;
    ((squares + 1.0) / all - mean * mean).max(0.0).sqrt() / all.sqrt()
}

impl Mean {
    /// The mean of values that occur so often each.
    fn of(values: impl Iterator<Item = (f64, u64)> + Clone) -> Mean {
        let games: f64 = values.clone().map(|(_, count)| count as f64).sum();
        let value = values.clone().map(|(value, count)| value * count as f64).sum::<f64>() / games;
        let variance = values.map(|(x, count)| (x - value).powi(2) * count as f64).sum::<f64>() / games;
        let sd = variance.sqrt();
        Mean { value, sd, stderr: if sd > 0.0 { sd / (games - 1.0).sqrt() } else { f64::NAN } }
    }
}

impl Stats {
    /// The share of wins of a team: a win that is shared among `k` teams counts `1 / k`.
    pub fn win_share(&self, team: Team) -> Mean {
        let (games, wins) = (self.tally.games(), self.tally.wins(team));
        let lost = games - wins.iter().sum::<u64>();
        let won = wins.into_iter().enumerate().map(|(others, count)| (1.0 / (others + 1) as f64, count));
        let sum = |power| won.clone().map(|(share, count)| share.powi(power) * count as f64).sum();
        let stderr = if games == 0 { f64::NAN } else { share_error(sum(1), sum(2), games) };
        Mean { stderr, ..Mean::of(won.clone().chain([(0.0, lost)])) }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use crate::tile::ByTeam;

    #[test]
    fn a_share_is_never_sure() {
        let close = |left: f64, right: f64| assert!((left - right).abs() < 1e-12, "{left} {right}");
        close(share_error(0.0, 0.0, 0), (1.0_f64 / 8.0).sqrt()); // 1 and 0: deviation 1/2, of two games
        close(share_error(20.0, 20.0, 20), (21.0 / 22.0 * 1.0 / 22.0 / 22.0_f64).sqrt());
        close(share_error(1.0, 0.5, 2), (0.125_f64).sqrt() / 2.0); // two shared wins: 1/2, 1/2, 1 and 0
        assert!((share_error(5e5, 5e5, 1_000_000) - 0.0005).abs() < 1e-8); // sqrt(p (1 - p) / games)
    }

    #[test]
    fn what_games_cannot_tell_is_not_a_number() {
        let rules = Rules::default();
        let (zero, length) = (Team::ALL[0], rules.max_score() + 1);
        let tally = |scores: &[(usize, u64)]| {
            let games: u64 = scores.iter().map(|(_, count)| count).sum();
            let mut histograms = vec![0; 2 * length];
            for (score, count) in scores {
                histograms[*score] += count;
                histograms[length] += count; // the other team has 0
            }
            let wins = ByTeam([[games, 0, 0, 0], [0; 4], [0; 4], [0; 4]]);
            Stats::from(
                Tally::from_counts(&rules, games, wins, histograms, [20 * games, 0, 0]).expect("counts that fit"),
            )
        };
        assert!(tally(&[]).win_share(zero).stderr.is_nan());
        assert!(tally(&[(9, 1)]).score(zero).stderr.is_nan());
        assert!(tally(&[(9, 500)]).score(zero).stderr.is_nan());
        assert_eq!(tally(&[(8, 1), (10, 1)]).score(zero).stderr, 1.0); // deviation sqrt(2), of two games
        assert!(tally(&[(9, 500)]).win_share(zero).stderr > 0.001);
    }
}
