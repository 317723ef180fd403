//! What many playouts came to, in exact integers that can be added in any order.

use crate::board::LINES;
use crate::rollout::options::MAX_GAMES;
use crate::rollout::scalar::Playout;
use crate::rules::Rules;
use crate::score::{Outcome, winners};
use crate::tile::{ByTeam, MAX_SEATS, Team, TeamSet};
use crate::world::World;

/// Counts over finished games. [`Stats`](crate::stats::Stats) makes means and errors of them.
///
/// ```
/// # use savanna_core::{Options, Outcome, Rules, Team, rollout};
/// let tally = rollout(&Rules::default().into(), &Options::new(1000));
/// let [alone, shared, ..] = tally.wins(Team::ALL[0]);
/// assert_eq!(alone + shared + tally.wins(Team::ALL[1])[0], 1000);
/// let lines = Outcome::ALL.map(|outcome| tally.lines(outcome));
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
    /// Lines filled below, above and exactly at the target.
    lines: [u64; 3],
}

impl Tally {
    /// No games yet.
    pub fn new(rules: &Rules) -> Tally {
        let width = rules.max_score() + 1;
        let histogram = vec![0; rules.teams() * width];
        Tally { rules: *rules, games: 0, wins: ByTeam::default(), histogram, width, lines: [0; 3] }
    }

    /// A tally of these counts, as `wins`, `histogram` and `lines` give them: `lines` below, above and exactly at the
    /// target. `None` if no such games can be played by the rules, or there are more than [`MAX_GAMES`]. So counts that
    /// were kept, or made elsewhere, can be added and read; the example is at [`Stats`](crate::stats::Stats).
    pub fn from_counts(
        rules: &Rules,
        games: u64,
        wins: ByTeam<[u64; MAX_SEATS]>,
        histogram: Vec<u64>,
        lines: [u64; 3],
    ) -> Option<Tally> {
        let empty = Tally::new(rules);
        let fits = games <= MAX_GAMES && histogram.len() == empty.histogram.len();
        let tally = Tally { games, wins, histogram, lines, ..empty };
        (fits && tally.adds_up()).then_some(tally)
    }

    /// Whether every game has a score of each team, winners, and no more lines than there are.
    fn adds_up(&self) -> bool {
        let sum = |counts: &[u64]| counts.iter().copied().map(u128::from).sum::<u128>();
        let (games, teams) = (u128::from(self.games), self.rules.teams());
        let mut won = 0;
        for sharers in 1..=MAX_SEATS {
            let wins = Team::ALL.map(|team| self.wins[team][sharers - 1]);
            // Each of these games was won by this number of teams, each counted once.
            let (shared, rest) = (sum(&wins) / sharers as u128, sum(&wins) % sharers as u128);
            let possible = sum(&wins[teams..]) == 0 && wins.iter().all(|&wins| u128::from(wins) <= shared);
            if rest != 0 || !possible {
                return false;
            }
            won += shared;
        }
        let scored = |team| sum(self.histogram(team)) == games;
        won == games && self.rules.team_list().all(scored) && sum(&self.lines) <= LINES as u128 * games
    }

    /// Counts one game.
    pub fn add(&mut self, playout: &Playout<'_>) {
        self.add_games(1);
        self.add_scores(&playout.scores(), &playout.lions());
        self.add_lines(playout.lines().map(u64::from));
    }

    /// Counts one game that was played by other means: how it ended, and how many lines were filled on the way below,
    /// above and exactly at the target. So a policy of your own is counted; `examples/own_policy.rs` has one.
    ///
    /// # Panics
    /// If the world is of other rules or its game not over, or if there are more lines than the board has.
    ///
    /// # Example
    /// ```
    /// # use savanna_core::{Position, Setting, Tally, Team, World};
    /// let position: Position = "2p 0Z0z1M0m/0m0m1Z0e/.0z0m1z/1Z1M1e1M/1g0g1G0G -/m -/- 9/9".parse()?;
    /// let (setting, mut tally) = (Setting::new(position.rules()), Tally::new(position.rules()));
    /// let mut world = World::new(&setting, &position);
    /// world.play("monkey a3".parse()?); // lines of 10, 14, 14 and 7, and the end by 14 to 11
    /// tally.add_end(&world, [1, 2, 1]);
    /// assert_eq!((tally.games(), tally.wins(Team::ALL[1]), tally.histogram(Team::ALL[1])[14]), (1, [1, 0, 0, 0], 1));
    /// # Ok::<(), savanna_core::NotationError>(())
    /// ```
    pub fn add_end(&mut self, end: &World<'_>, lines: [u8; 3]) {
        assert!(self.rules == *end.setting().rules() && end.is_over(), "an end by the rules of this tally");
        let lines = lines.map(u64::from);
        assert!(lines.iter().sum::<u64>() <= LINES as u64, "at most {LINES} lines of a game, got {lines:?}");
        assert!(self.games < MAX_GAMES, "a tally has at most {MAX_GAMES} games");
        self.add_games(1);
        self.add_scores(&end.scores(), &end.lions());
        self.add_lines(lines);
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

    /// Counts lines below, above and exactly at the target.
    pub(super) fn add_lines(&mut self, lines: [u64; 3]) {
        for (total, lines) in self.lines.iter_mut().zip(lines) {
            *total += lines;
        }
    }

    /// Adds the games of another tally of the same rules.
    ///
    /// # Panics
    /// If the rules differ, or if there are more than [`MAX_GAMES`] together.
    pub fn merge(&mut self, other: &Tally) {
        assert!(self.rules == other.rules, "tallies of {} and of {} cannot be added", self.rules, other.rules);
        assert!(self.games + other.games <= MAX_GAMES, "a tally has at most {MAX_GAMES} games");
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

    /// The number of games that a team won together with n others, n from 0 to 3.
    pub fn wins(&self, team: Team) -> [u64; MAX_SEATS] {
        self.wins[team]
    }

    /// How many games a team ended with a score of 0, 1, 2, ...
    ///
    /// # Panics
    /// If the team does not play by these rules.
    pub fn histogram(&self, team: Team) -> &[u64] {
        &self.histogram[team.index() * self.width..][..self.width]
    }

    /// How many lines were filled in the playouts that came out so; at most 20 a game.
    pub fn lines(&self, outcome: Outcome) -> u64 {
        self.lines[outcome as usize]
    }
}

/// A tally that lanes add to.
pub(super) struct LaneTally {
    pub(super) tally: Tally,
    /// Lines exactly at the target, at or above it, and all.
    pub(super) exact: u64,
    pub(super) reached: u64,
    pub(super) lines: u64,
}

impl LaneTally {
    pub(super) fn new(rules: &Rules) -> LaneTally {
        LaneTally { tally: Tally::new(rules), exact: 0, reached: 0, lines: 0 }
    }

    /// Counts one game.
    pub(super) fn add(&mut self, playout: &Playout<'_>) {
        self.tally.add(playout);
    }

    /// The tally of all that was counted.
    pub(super) fn finish(mut self) -> Tally {
        self.tally.add_lines([self.lines - self.reached, self.reached - self.exact, self.exact]);
        self.tally
    }
}

// A game adds at most 20 to a count, so no count overflows.
const _: () = assert!(MAX_GAMES <= u64::MAX / LINES as u64);
