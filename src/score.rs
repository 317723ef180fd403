//! What one full line is worth, and who has won. Knows tiles and rules, never a position.

use crate::rules::Rules;
use crate::tile::{Animal, ByTeam, Face, Placed, Seat, Team, TeamSet};

/// How a line's total compares with the target: [`score_line`] shows what follows from each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(clippy::exhaustive_enums, reason = "a number is less, equal or greater")]
pub enum Outcome {
    /// Below: the most influence scores.
    Below,
    /// Above: the least influence scores.
    Above,
    /// Exactly at the target: the team that placed the last tile scores.
    Exact,
}

impl Outcome {
    /// All outcomes, in the order that points of rules and counts of lines have.
    pub const ALL: [Outcome; 3] = [Outcome::Below, Outcome::Above, Outcome::Exact];
}

/// What lies in a line, summed by team: one word of four 16-bit fields, so that a tile is added to all sums at once.
/// A team's field holds its influence in the low byte, its number of tiles in the next four bits and its number of
/// front-up Mice in the last four. A line has at most four tiles of influence 15, so nothing overflows.
///
/// ```
/// # use savanna_core::{Animal, Face, Placed, Rules, Seat, Team, score::LineTally};
/// let (rules, [zero, one, ..]) = (Rules::default(), Seat::ALL);
/// let mut line = LineTally::of(&rules, Placed::new(zero, Animal::Zebra, Face::Front));
/// line.add(LineTally::of(&rules, Placed::new(one, Animal::Monkey, Face::Lion)));
/// assert_eq!([line.total(), line.influence(Team::ALL[0]), line.influence(Team::ALL[1])], [3 + 6, 3, 6]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct LineTally(u64);

impl LineTally {
    /// The tally of one tile.
    #[inline]
    pub fn of(rules: &Rules, tile: Placed) -> LineTally {
        let mouse = rules.mice() && tile.animal() == Animal::Mouse && tile.face() == Face::Front;
        let influence = u64::from(rules.influence(tile.animal(), tile.face()));
        LineTally((influence | 1 << 8 | u64::from(mouse) << 12) << (16 * rules.team_of(tile.seat()).index()))
    }

    /// The tally of one tile of a seat, by animal and face.
    pub(crate) fn of_all(rules: &Rules, seat: Seat) -> [[LineTally; Face::ALL.len()]; Animal::ALL.len()] {
        Animal::ALL.map(|animal| Face::ALL.map(|face| LineTally::of(rules, Placed::new(seat, animal, face))))
    }

    /// Adds tiles of the same line.
    #[inline]
    pub fn add(&mut self, tiles: LineTally) {
        self.0 += tiles.0;
    }

    #[inline]
    fn field(self, team: Team) -> u16 {
        (self.0 >> (16 * team.index())) as u16
    }

    /// The line's total influence; at most 60.
    #[inline]
    pub fn total(self) -> u8 {
        const INFLUENCE: u64 = 0x00ff_00ff_00ff_00ff;
        // The product's highest field is the sum of all four.
        ((self.0 & INFLUENCE).wrapping_mul(0x0001_0001_0001_0001) >> 48) as u8
    }

    /// The influence of a team.
    #[inline]
    pub fn influence(self, team: Team) -> u8 {
        self.field(team) as u8
    }

    /// How many tiles a team has in the line.
    #[inline]
    pub fn tiles(self, team: Team) -> u8 {
        (self.field(team) >> 8) as u8 & 15
    }

    /// Whether a team has a tile in the line.
    #[inline]
    pub fn has_tile(self, team: Team) -> bool {
        self.field(team) != 0
    }

    /// How many Mice of a team lie front up.
    #[inline]
    pub fn mice(self, team: Team) -> u8 {
        (self.field(team) >> 12) as u8
    }
}

/// What a full line gives, by [`score_line`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LinePoints {
    /// The line's total influence.
    pub total: u8,
    /// How the total compares with the target.
    pub outcome: Outcome,
    /// Points by team; at most 100 and four Mice.
    pub points: ByTeam<u16>,
}

impl LinePoints {
    /// What the line is worth to the margin of a team: by how much its points exceed the mean of the others', times the
    /// number of others, so that it is an integer.
    #[inline]
    pub fn margin(&self, rules: &Rules, team: Team) -> i32 {
        // Teams that do not play have no points.
        let all: i32 = self.points.0.iter().map(|&points| i32::from(points)).sum();
        rules.teams() as i32 * i32::from(self.points[team]) - all
    }
}

/// Scores a full line; `placer` is the team that placed its last tile. Nothing is known here of where the line lies or
/// whether it is full, so that any tiles can be scored to try rules out.
///
/// ```
/// # use savanna_core::{Animal::*, ByTeam, Face, Placed, Rules, Seat, Team};
/// # use savanna_core::score::{LineTally, score_line};
/// let (rules, [zero, one, ..]) = (Rules::default(), Seat::ALL);
/// let tile = |seat, animal| LineTally::of(&rules, Placed::new(seat, animal, Face::Front));
/// let mut line = tile(zero, Giraffe);
/// line.add(tile(one, Zebra)); // 7, below 10: the most influence scores 2
/// assert_eq!(score_line(&rules, line, Team::ALL[1]).points, ByTeam([2, 0, 0, 0]));
/// line.add(tile(one, Zebra)); // exactly 10: the team that placed this tile scores 3
/// assert_eq!(score_line(&rules, line, Team::ALL[1]).points, ByTeam([0, 3, 0, 0]));
/// line.add(tile(one, Monkey)); // 12, above 10: the least influence scores 1
/// assert_eq!(score_line(&rules, line, Team::ALL[1]).points, ByTeam([1, 0, 0, 0]));
/// ```
#[inline]
pub fn score_line(rules: &Rules, line: LineTally, placer: Team) -> LinePoints {
    // All teams at once, a field of 16 bits for each as in the tally, since every playout waits for this 20 times. First
    // how far each is from scoring; the nearest ones score. A tile of influence 0 takes part, so absence is told by the
    // number of tiles.
    const EACH: u64 = 0x0001_0001_0001_0001;
    const INFLUENCE: u64 = 63 * EACH;
    let total = line.total();
    let (below, exact) = (total < rules.target(), total == rules.target());
    let present = (((line.0 >> 8) & (15 * EACH)) + 15 * EACH) >> 4 & EACH;
    let mut absent = (present ^ EACH) << 7;
    if rules.absent_can_be_least() && !below {
        absent &= not_playing(rules);
    }
    let by_influence = (line.0 & INFLUENCE ^ if below { INFLUENCE } else { 0 }) | absent;
    let distance = if exact { EACH & !(1 << (16 * placer.index())) } else { by_influence };
    let [a, b, c, d] = [0, 16, 32, 48].map(|shift| (distance >> shift) as u16);
    let nearest = a.min(b).min(c.min(d));
    let missed = (((distance ^ (u64::from(nearest) * EACH)) + 255 * EACH) >> 8) & EACH;
    let mice = (line.0 >> 12) & (15 * EACH);
    let (outcome, value) = match (below, exact) {
        (true, _) => (Outcome::Below, rules.points_below()),
        (_, true) => (Outcome::Exact, rules.points_exact()),
        _ => (Outcome::Above, rules.points_above()),
    };
    let points = ((missed ^ EACH) * 255) & (u64::from(value) * EACH + mice);
    LinePoints { total, outcome, points: ByTeam([0, 16, 32, 48].map(|shift| (points >> shift) as u16)) }
}

/// All bits of the fields of teams that do not play. Hardly any rules ask for them.
#[cold]
fn not_playing(rules: &Rules) -> u64 {
    !(u64::MAX >> (64 - 16 * rules.teams()))
}

/// Adds what the last seat's team gets when the game ends.
#[inline]
pub(crate) fn add_last_seat_bonus(rules: &Rules, scores: &mut ByTeam<u16>) {
    let last = Seat::ALL[rules.players() - 1];
    scores[rules.team_of(last)] += u16::from(rules.last_seat_bonus());
}

/// The winners of a finished game: the highest score, then the fewest own Lions, then all who still tie.
///
/// ```
/// # use savanna_core::{ByTeam, Rules, TeamSet, score::winners};
/// let rules = Rules::default();
/// let bits = |scores, lions| winners(&rules, &ByTeam(scores), &ByTeam(lions)).bits();
/// assert_eq!(bits([9, 7, 0, 0], [5, 1, 0, 0]), 0b01);
/// assert_eq!(bits([8, 8, 0, 0], [5, 1, 0, 0]), 0b10); // the fewer Lions
/// assert_eq!(bits([8, 8, 0, 0], [3, 3, 0, 0]), 0b11); // shared
/// ```
pub fn winners(rules: &Rules, scores: &ByTeam<u16>, lions: &ByTeam<u8>) -> TeamSet {
    let rank = |team: Team| (scores[team], std::cmp::Reverse(lions[team]));
    let best = rules.team_list().map(rank).max();
    rules.team_list().filter(|&team| Some(rank(team)) == best).collect()
}
