//! What many playouts came to, in exact integers that can be added in any order.

use crate::board::SPACES;
use crate::rollout::scalar::Playout;
use crate::rules::Rules;
use crate::score::{Outcome, winners};
use crate::tile::{ByTeam, MAX_SEATS, Team, TeamSet};

/// Counts over finished games. [`Stats`](crate::stats::Stats) makes means and errors of them.
///
/// ```
/// # use savanna_core::{Options, Outcome, Rules, Team, rollout};
/// let tally = rollout(&Rules::default().into(), &Options::new(1000));
/// let [alone, shared, ..] = tally.wins(Team::ALL[0]);
/// assert_eq!(alone + shared + tally.wins(Team::ALL[1])[0], 1000);
/// let lines = [Outcome::Below, Outcome::Exact, Outcome::Above].map(|outcome| tally.lines(outcome));
/// assert_eq!(lines.iter().sum::<u64>(), 20 * 1000);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tally {
    rules: Rules,
    games: u64,
    /// Games that a team won alone, with one other, with two, with three.
    wins: ByTeam<[u64; MAX_SEATS]>,
    /// Games that ended with a score of 0, 1, ..., `rules.max_score()`, for one team after the other.
    histogram: Vec<u64>,
    /// How many scores there are.
    width: usize,
    /// Lines filled below, exactly at and above the target.
    lines: [u64; 3],
}

impl Tally {
    /// No games yet.
    pub fn new(rules: &Rules) -> Tally {
        let width = rules.max_score() + 1;
        let histogram = vec![0; rules.teams() * width];
        Tally { rules: *rules, games: 0, wins: ByTeam::default(), histogram, width, lines: [0; 3] }
    }

    /// A tally of these counts, as `wins`, `histogram` and `lines` give them; `None` if they do not fit the rules. So
    /// counts that were kept, or made elsewhere, can be added and read; the example is at [`Stats`](crate::stats::Stats).
    pub fn from_counts(
        rules: &Rules,
        games: u64,
        wins: ByTeam<[u64; MAX_SEATS]>,
        histogram: Vec<u64>,
        lines: [u64; 3],
    ) -> Option<Tally> {
        let empty = Tally::new(rules);
        let fits = histogram.len() == empty.histogram.len();
        let tally = Tally { games, wins, histogram, lines, ..empty };
        let complete = |team| tally.histogram(team).iter().sum::<u64>() == games;
        (fits && rules.team_list().all(complete)).then_some(tally)
    }

    /// Counts one game.
    pub fn add(&mut self, playout: &Playout<'_>) {
        self.add_games(1);
        self.add_scores(&playout.scores(), &playout.lions());
        self.add_lines(playout.lines().map(u64::from));
    }

    /// Counts games of which everything else is counted by the methods that follow.
    pub(super) fn add_games(&mut self, games: u64) {
        self.games += games;
    }

    /// Counts the scores and the winners of one game.
    pub(super) fn add_scores(&mut self, scores: &ByTeam<u16>, lions: &ByTeam<u8>) {
        for team in self.rules.team_list() {
            self.histogram_mut(team)[usize::from(scores[team])] += 1;
        }
        self.add_winners(winners(&self.rules, scores, lions));
    }

    /// Where the scores of a team are counted.
    pub(super) fn histogram_mut(&mut self, team: Team) -> &mut [u64] {
        &mut self.histogram[team.index() * self.width..][..self.width]
    }

    /// Counts the winners of one game.
    pub(super) fn add_winners(&mut self, winners: TeamSet) {
        for team in winners.teams() {
            self.wins[team][winners.len() - 1] += 1;
        }
    }

    /// Counts games that a team won alone.
    pub(super) fn add_lone_wins(&mut self, team: Team, games: u64) {
        self.wins[team][0] += games;
    }

    /// Counts lines below, exactly at and above the target.
    pub(super) fn add_lines(&mut self, lines: [u64; 3]) {
        for (total, lines) in self.lines.iter_mut().zip(lines) {
            *total += lines;
        }
    }

    /// Adds the games of another tally of the same rules.
    pub fn merge(&mut self, other: &Tally) {
        debug_assert_eq!(self.rules, other.rules);
        self.games += other.games;
        let wins = self.wins.0.iter_mut().flatten().zip(other.wins.0.iter().flatten());
        let histogram = self.histogram.iter_mut().zip(&other.histogram);
        let lines = self.lines.iter_mut().zip(&other.lines);
        for (mine, theirs) in wins.chain(histogram).chain(lines) {
            *mine += theirs;
        }
    }

    /// The rules of the games.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How many games were played.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many games a team won together with so many others (0..4).
    pub fn wins(&self, team: Team) -> [u64; MAX_SEATS] {
        self.wins[team]
    }

    /// How many games a team ended with a score of 0, 1, 2, ...
    pub fn histogram(&self, team: Team) -> &[u64] {
        &self.histogram[team.index() * self.width..][..self.width]
    }

    /// How many lines were filled in the playouts that came out so; at most 20 a game.
    pub fn lines(&self, outcome: Outcome) -> u64 {
        self.lines[outcome as usize]
    }
}

// A game adds at most 20 to a count, so no count overflows before 2^59 games.
const _: () = assert!(SPACES < 32);
