//! A learnt value for games of two teams: the chance to win of the team that has just moved, judged by what lies in each
//! line.
//!
//! The chance is the logistic function of a sum of numbers that self-play has taught (`examples/learn.rs`): one for each
//! line that is not full, which depends on its length, on how many tiles and how much influence of either team lie in it,
//! and on how many plies are left; one for the lead in points and one for the lead in Lions, each
//! multiplied by it; and a constant. This is a logistic n-tuple network (Lucas, "Learning to play Othello with n-tuple
//! systems", 2008) whose tuples are the lines. All numbers are integers, in units of 1/1024, so that sums are exact.

use std::sync::LazyLock;

use crate::board::{LINES, Line, SPACES, Space};
use crate::rules::{Rules, RulesOptions};
use crate::tile::{Animal, ByTeam, Face, Team};
use crate::world::World;

/// What 1 is as a learnt number, and so what [`Value::logit`] is in units of.
pub const UNIT: f32 = 1024.0;
/// The most influence of a tile in the printed game.
const MOST: usize = 6;
/// How many stages of a game are told apart for lines: two plies each.
const STAGES: usize = SPACES / 2;

/// Where the numbers of a line of three or four spaces begin, by how many tiles lie in it, and how many a stage has.
/// This number of tiles has at most `MOST` times as much influence, which is the team's or that of others.
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

/// The number of a line among those of its stage.
#[inline]
fn entry(length: usize, tiles: usize, own: usize, others: usize) -> usize {
    // Rows of equal influence of the others, each one shorter than the one before.
    STARTS.0[length - 3][tiles] + others * (2 * MOST * tiles + 3 - others) / 2 + own
}

/// By how much the first team has more than the second, of what is counted for each.
fn lead<T: Copy + Into<i32>>(counts: &ByTeam<T>, [team, other]: [Team; 2]) -> i32 {
    counts[team].into() - counts[other].into()
}

/// The two teams, this one first.
fn pair(team: Team) -> [Team; 2] {
    [team, Team::ALL[1 - team.index()]]
}

/// What the chance of the team that has just moved is judged by: calls `note` with the number of each feature and how
/// much of it there is. New numbers for [`Value::new`] are learnt one for each.
///
/// # Panics
/// If nobody has moved yet. When the game is over, what is noted means nothing.
///
/// # Example
/// ```
/// # use savanna_core::{Position, Rules, Setting, World, search::value::features};
/// let start: Position = "2p ..../..../..../..../.... mg/mz ezzmgzmm/mgzmzgme 0/0".parse()?;
/// let setting = Setting::new(start.rules());
/// let mut found = 0;
/// features(&World::new(&setting, &start.play("monkey c4".parse()?)?), |_, _| found += 1);
/// assert_eq!(found, 20 + 3); // each line that is not full, a constant, and the leads in points and Lions
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn features(world: &World<'_>, mut note: impl FnMut(usize, i32)) {
    let left = SPACES - world.ply();
    let teams @ [team, other] = pair(world.setting().rules().team_of(world.setting().rules().seat_at(world.ply() - 1)));
    for line in Line::ALL {
        let (length, missing) = (line.spaces().len(), world.missing(line));
        if missing > 0 {
            let [own, others] = [team, other].map(|team| usize::from(world.line(line).influence(team)));
            note((left - 1) / 2 * STARTS.1 + entry(length, length - missing, own, others), 1);
        }
    }
    let rest = REST + 3 * left;
    note(rest, 1);
    note(rest + 1, lead(&world.scores(), teams));
    note(rest + 2, -lead(&world.lions(), teams));
}

/// The learnt numbers of one kind of game.
///
/// ```
/// # use savanna_core::{Position, Rules, Setting, World, search::value::Value};
/// // The row came to exactly 10. Either team may have filled it, so both scores can be; team 1 has just moved.
/// let logit = |scores: &str| {
///     let position: Position = format!("2p 0z1m0m1z/..../..../..../.... mz/mz mmzgge/mmzgge {scores}").parse().unwrap();
///     let setting = Setting::new(position.rules());
///     Value::learnt(position.rules()).expect("two teams").logit(&World::new(&setting, &position))
/// };
/// assert!(logit("3/0") < logit("0/3"));
/// assert!(Value::learnt(&"3p".parse()?).is_none());
/// # Ok::<(), savanna_core::NotationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Value {
    numbers: Vec<i16>,
}

impl Value {
    /// How many numbers are learnt for a kind of game.
    pub const LEN: usize = REST + 3 * SPACES;

    /// The games that values are learnt for: the printed ones of two teams, without and with Mice.
    pub fn kinds() -> impl Iterator<Item = Rules> {
        [(2, false), (4, true)].into_iter().flat_map(|(players, team_game)| {
            [false, true].map(|mice| {
                let options = RulesOptions { players, team_game, mice, ..RulesOptions::default() };
                Rules::new(&options).unwrap_or_else(|_| unreachable!("printed rules are valid"))
            })
        })
    }

    /// A value of these numbers.
    ///
    /// # Panics
    /// If they are not [`Value::LEN`] numbers.
    pub fn new(numbers: Vec<i16>) -> Value {
        assert_eq!(numbers.len(), Value::LEN);
        Value { numbers }
    }

    /// What was learnt about games of these rules; `None` if they are not among the kinds.
    pub fn learnt(rules: &Rules) -> Option<&'static Value> {
        static ALL: LazyLock<Vec<Value>> = LazyLock::new(|| {
            let numbers = include_bytes!("value.bin").chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]]));
            numbers.collect::<Vec<i16>>().chunks(Value::LEN).map(|numbers| Value::new(numbers.to_vec())).collect()
        });
        Value::kinds().position(|kind| kind == *rules).map(|kind| &ALL[kind])
    }

    /// The logit of the chance of the team that has just moved, in units; see [`features`].
    pub fn logit(&self, world: &World<'_>) -> i32 {
        let mut sum = 0;
        features(world, |index, times| sum += i32::from(self.numbers[index]) * times);
        sum
    }

    /// Shows, for each empty space, the logit of the mover's chance after this tile is put there. That is `logit` after
    /// the move, but for all spaces together.
    ///
    /// # Panics
    /// If fewer than two spaces are empty, or there are more than two teams.
    pub fn appraise(&self, world: &World<'_>, animal: Animal, face: Face, mut show: impl FnMut(Space, i32)) {
        let (rules, left) = (world.setting().rules(), SPACES - world.ply() - 1);
        let teams @ [team, other] = pair(world.turn().1);
        let stage = &self.numbers[(left - 1) / 2 * STARTS.1..][..STARTS.1];
        let [constant, point, lion] = [0, 1, 2].map(|i| i32::from(self.numbers[REST + 3 * left + i]));
        let influence = usize::from(rules.influence(animal, face));
        // What stays as it is, and how each line changes.
        let mut base = constant + point * lead(&world.scores(), teams);
        base -= lion * (lead(&world.lions(), teams) + i32::from(face == Face::Lion));
        let mut changes = [0; LINES];
        for line in Line::ALL {
            let (length, missing) = (line.spaces().len(), world.missing(line));
            if missing > 0 {
                let [own, others] = [team, other].map(|team| usize::from(world.line(line).influence(team)));
                let tiles = length - missing;
                let now = i32::from(stage[entry(length, tiles, own, others)]);
                base += now;
                let then = if missing == 1 {
                    point * lead(&world.points(line, animal, face).points, teams)
                } else {
                    i32::from(stage[entry(length, tiles + 1, own + influence, others)])
                };
                changes[line.index()] = then - now;
            }
        }
        for space in world.empty_spaces() {
            show(space, base + space.lines().map(|line| changes[line.index()]).sum::<i32>());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::rng::{Purpose, Xoshiro256PlusPlus};
    use crate::world::Setting;

    /// Judging all spaces together gives the value of each world that a move leads to, for any numbers.
    #[test]
    fn appraisals_are_logits_of_what_comes() {
        for rules in Value::kinds() {
            let mut rng = Xoshiro256PlusPlus::numbered(5, Purpose::Choose, 0);
            let value = Value::new((0..Value::LEN).map(|_| rng.next_u64() as i16 / 64).collect());
            let setting = Setting::new(&rules);
            for seed in 0..20 {
                let mut world = World::new(&setting, &Position::deal(&rules, seed));
                while world.ply() < SPACES - 1 {
                    for animal in world.hand(world.turn().0).tiles() {
                        for face in Face::ALL {
                            value.appraise(&world, animal, face, |space, logit| {
                                let mut after = world;
                                after.play(crate::moves::Move { animal, face, space });
                                assert_eq!(value.logit(&after), logit);
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
