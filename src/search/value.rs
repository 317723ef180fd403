//! A learnt value: what a team's chance to win is in a world, judged by what lies in each line.
//!
//! The chance is the logistic function of a sum of numbers that self-play has taught (`examples/learn.rs`): one for each
//! line that is not full, which depends on its length, on how many tiles, how much influence of the team and how much of
//! all others lie in it, and on how many plies are left; one for the lead in points and one for the lead in Lions, each
//! multiplied by it; and a constant. This is a logistic n-tuple network (Lucas, "Learning to play Othello with n-tuple
//! systems", 2008) whose tuples are the lines. All numbers are integers, in units of 1/1024, so that sums are exact.

use std::sync::LazyLock;

use crate::board::{LINES, Line, SPACES, Space};
use crate::position::added;
use crate::rules::{Rules, RulesOptions};
use crate::search::real::logistic;
use crate::tile::{Animal, ByTeam, Face, Team};
use crate::world::World;

/// What 1 is as a learnt number.
pub const UNIT: f32 = 1024.0;
/// The most influence of a tile in the printed game.
const MOST: usize = 6;
/// How many stages of a game are told apart for lines: two plies each.
const STAGES: usize = SPACES / 2;

/// Where the numbers of a line of three or four spaces begin, by how many tiles lie in it, and how many a stage has.
/// So many tiles have at most `MOST` times as much influence, which is the team's or that of others.
const STARTS: ([[usize; 4]; 2], usize) = {
    let (mut starts, mut end, mut length) = ([[0; 4]; 2], 0, 3);
    while length <= 4 {
        let mut tiles = 0;
        while tiles < length {
            starts[length - 3][tiles] = end;
            end += (MOST * tiles + 1) * (MOST * tiles + 2) / 2;
            tiles += 1;
        }
        length += 1;
    }
    (starts, end)
};

/// Where those numbers begin that do not belong to lines: for each number of plies left a constant, and the weights of
/// the lead in points and in Lions.
const REST: usize = STAGES * STARTS.1;
/// How many numbers there are for teams that are so many plies away from their next turn.
const NUMBERS: usize = REST + 3 * SPACES;

/// The number of a line among those of its stage.
#[inline]
fn entry(length: usize, tiles: usize, own: usize, others: usize) -> usize {
    // Rows of equal influence of the others, each one shorter than the one before.
    STARTS.0[length - 3][tiles] + others * (2 * MOST * tiles + 3 - others) / 2 + own
}

/// How far a score is ahead of the best of the others.
fn lead(rules: &Rules, scores: &ByTeam<u16>, team: Team) -> i32 {
    let others = rules.team_list().filter(|&other| other != team).map(|other| i32::from(scores[other]));
    i32::from(scores[team]) - others.max().unwrap_or(0)
}

/// How many Lions more the others have than the team, on average and multiplied by their number.
fn lead_in_lions(rules: &Rules, lions: &ByTeam<u8>, team: Team) -> i32 {
    rules.team_list().map(|other| i32::from(lions[other]) - i32::from(lions[team])).sum()
}

/// In how many plies the team has its next turn. With two teams it is always the next but one of a team that has just
/// moved, and no other is judged.
fn distance(world: &World<'_>, team: Team) -> usize {
    let rules = world.setting().rules();
    let turns = rules.players();
    if rules.teams() == 2 { 0 } else { (turns + team.index() - world.ply() % turns) % turns }
}

/// What the chance of a team is judged by: calls `note` with the number of each feature and how much of it there is. With
/// two teams, the team is the one that has just moved; the game must not be over.
pub fn features(world: &World<'_>, team: Team, mut note: impl FnMut(usize, i32)) {
    let (rules, left) = (world.setting().rules(), SPACES - world.ply());
    let first = distance(world, team) * NUMBERS;
    for line in Line::ALL {
        let (length, missing) = (line.spaces().len(), world.missing(line));
        if missing > 0 {
            let own = usize::from(world.line(line).influence(team));
            let others = usize::from(world.line(line).total()) - own;
            let stage = first + (left - 1) / 2 * STARTS.1;
            note(stage + entry(length, length - missing, own, others), 1);
        }
    }
    let rest = first + REST + 3 * left;
    note(rest, 1);
    note(rest + 1, lead(rules, &world.scores(), team));
    note(rest + 2, lead_in_lions(rules, &world.lions(), team));
}

/// The learnt numbers of one kind of game.
#[derive(Clone, Debug)]
pub struct Value {
    numbers: Vec<i16>,
}

impl Value {
    /// The games that values are learnt for: the printed ones, without and with Mice.
    pub fn kinds() -> impl Iterator<Item = Rules> {
        let kinds = [(2, false), (3, false), (4, false), (4, true)];
        kinds.into_iter().flat_map(|(players, team_game)| {
            [false, true].map(|mice| {
                let options = RulesOptions { players, team_game, mice, ..RulesOptions::default() };
                Rules::new(&options).expect("printed rules are valid")
            })
        })
    }

    /// How many numbers are learnt for these rules.
    pub fn len_for(rules: &Rules) -> usize {
        NUMBERS * if rules.teams() == 2 { 1 } else { rules.teams() }
    }

    /// A value of as many numbers as the rules need.
    pub fn new(numbers: Vec<i16>) -> Value {
        Value { numbers }
    }

    /// What was learnt about games of these rules; `None` if they are not among the kinds.
    pub fn learnt(rules: &Rules) -> Option<&'static Value> {
        static ALL: LazyLock<Vec<Value>> = LazyLock::new(|| {
            let mut bytes = include_bytes!("value.bin").chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]]));
            Value::kinds().map(|rules| Value::new(bytes.by_ref().take(Value::len_for(&rules)).collect())).collect()
        });
        Value::kinds().position(|kind| kind == *rules).map(|kind| &ALL[kind])
    }

    /// The logit of a team's chance, in units; see [`features`].
    pub fn logit(&self, world: &World<'_>, team: Team) -> i32 {
        let mut sum = 0;
        features(world, team, |index, times| sum += i32::from(self.numbers[index]) * times);
        sum
    }

    /// The share of the win that each team can expect in a world that this team's move has led to.
    pub fn shares(&self, world: &World<'_>, mover: Team) -> ByTeam<f32> {
        let rules = world.setting().rules();
        let mut shares = ByTeam::default();
        if rules.teams() == 2 {
            let share = logistic(self.logit(world, mover) as f32 / UNIT);
            rules.team_list().for_each(|team| shares[team] = if team == mover { share } else { 1.0 - share });
            return shares;
        }
        rules.team_list().for_each(|team| shares[team] = logistic(self.logit(world, team) as f32 / UNIT));
        let sum: f32 = shares.0.iter().sum();
        shares.0.iter_mut().for_each(|share| *share /= sum);
        shares
    }

    /// Shows, for each empty space, the logit of the mover's chance after this tile is put there. That is `logit` after
    /// the move, but for all spaces together. There must be more than one.
    pub fn appraise(&self, world: &World<'_>, animal: Animal, face: Face, mut show: impl FnMut(Space, i32)) {
        let (rules, left) = (*world.setting().rules(), SPACES - world.ply() - 1);
        let team = world.turn().1;
        let numbers = &self.numbers[if rules.teams() == 2 { 0 } else { NUMBERS * (rules.teams() - 1) }..][..NUMBERS];
        let stage = &numbers[(left - 1) / 2 * STARTS.1..][..STARTS.1];
        let influence = usize::from(rules.influence(animal, face));
        // What stays as it is, and how each line would change.
        let (mut base, mut changes) = (0, [0; LINES]);
        for line in Line::ALL {
            let (length, missing) = (line.spaces().len(), world.missing(line));
            if missing > 0 {
                let own = usize::from(world.line(line).influence(team));
                let others = usize::from(world.line(line).total()) - own;
                let tiles = length - missing;
                let now = i32::from(stage[entry(length, tiles, own, others)]);
                base += now;
                let then = if missing == 1 { 0 } else { stage[entry(length, tiles + 1, own + influence, others)] };
                changes[line.index()] = i32::from(then) - now;
            }
        }
        let [constant, point, lion] = [0, 1, 2].map(|i| i32::from(numbers[REST + 3 * left + i]));
        let mut lions = world.lions();
        lions[team] += u8::from(face == Face::Lion);
        base += constant + lion * lead_in_lions(&rules, &lions, team);
        for space in world.empty_spaces() {
            let changed: i32 = space.lines().map(|line| changes[line.index()]).sum();
            let full = world.filled_by(space).map(|line| world.points(line, animal, face).points);
            let scores = full.fold(world.scores(), |scores, points| added(scores, &points));
            show(space, base + changed + point * lead(&rules, &scores, team));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::rng::{Purpose, Xoshiro256PlusPlus};
    use crate::world::Setting;

    /// Judging all spaces together is judging each world that a move leads to, whatever the numbers are.
    #[test]
    fn appraisals_are_logits_of_what_comes() {
        for rules in Value::kinds() {
            let mut rng = Xoshiro256PlusPlus::numbered(5, Purpose::Choose, 0);
            let value = Value::new((0..Value::len_for(&rules)).map(|_| rng.next_u64() as i16 / 64).collect());
            let setting = Setting::new(&rules);
            for seed in 0..20 {
                let mut world = World::new(&setting, &Position::deal(&rules, seed));
                while world.ply() < SPACES - 1 {
                    let team = world.turn().1;
                    for animal in world.hand(world.turn().0).tiles() {
                        for face in Face::ALL {
                            value.appraise(&world, animal, face, |space, logit| {
                                let mut after = world;
                                after.play(crate::moves::Move { animal, face, space });
                                assert_eq!(value.logit(&after, team), logit);
                            });
                        }
                    }
                    let moves: Vec<_> = world.legal_moves().iter().collect();
                    world.play(moves[rng.below(moves.len() as u64) as usize]);
                }
            }
        }
    }

    /// No two states of a line share a number.
    #[test]
    fn entries_are_all_different() {
        let mut seen = std::collections::HashSet::new();
        for length in 3..=4 {
            for tiles in 0..length {
                for others in 0..=MOST * tiles {
                    (0..=MOST * tiles - others).for_each(|own| assert!(seen.insert(entry(length, tiles, own, others))));
                }
            }
        }
        assert_eq!((seen.len(), seen.iter().max()), (STARTS.1, Some(&(STARTS.1 - 1))));
    }
}
