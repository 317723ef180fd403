//! Learns the champion's evaluation by self-play, and writes `src/search/value.bin`.
//!
//! `cargo run --release --example learn -- FILE [GAMES]` takes some minutes for each kind of game. The same number of
//! games gives the same file on the same platform.
//!
//! Both sides choose the move with the best learnt win probability, and now and then a random one. After each game, every
//! probability on the way moves towards a mix of the outcome and of the probability one move later: TD(lambda) (Sutton,
//! "Learning to predict by the methods of temporal differences", 1988) for a logistic model. In the last games both sides
//! search with the learnt evaluation, so that it learns from strong play.

use std::io::Write;

use savanna_core::board::SPACES;
use savanna_core::search::champion::Learnt;
use savanna_core::search::knowledge::Knowledge;
use savanna_core::search::tree::Tree;
use savanna_core::search::value::{UNIT, Value, features};
use savanna_core::{Face, Move, Position, Purpose, Rules, Setting, World, Xoshiro256PlusPlus};

/// TD(lambda): the weight of the outcome against the next probability.
const LAMBDA: f32 = 0.8;
/// Games between updates of the evaluation that chooses the moves.
const REFRESH: u64 = 1000;

/// Both sides search in one of this number of games, with this number of iterations per move.
const SEARCHED: u64 = 100;
const ITERATIONS: u64 = 150;

/// Learns the evaluation of one kind of game.
struct Learner {
    rules: Rules,
    numbers: Vec<f32>,
    value: Value,
    rng: Xoshiro256PlusPlus,
}

impl Learner {
    fn new(rules: Rules) -> Learner {
        let numbers = vec![0.0; Value::LEN];
        let value = Value::new(vec![0; numbers.len()]);
        Learner { rules, numbers, value, rng: Xoshiro256PlusPlus::numbered(0, Purpose::Choose, 0) }
    }

    /// The learnt numbers, in units.
    fn rounded(&self) -> Vec<i16> {
        self.numbers.iter().map(|number| (number * UNIT).round().clamp(-32768.0, 32767.0) as i16).collect()
    }

    fn learn(mut self, games: u64) -> Vec<i16> {
        let setting = Setting::new(&self.rules);
        let (mut error, mut thoughts) = (0.0, 0.0);
        let quick = games - games / SEARCHED;
        for game in 0..games {
            let left = 1.0 - game as f32 / quick as f32;
            let (worlds, rate) = if game < quick {
                (self.play(&setting, game, 0.05 + 0.25 * left), 0.0003 + 0.006 * left)
            } else {
                (self.search(&setting, game), 0.001)
            };
            for error_of_one in self.look_back(&worlds, rate) {
                error += f64::from(error_of_one.powi(2));
                thoughts += 1.0;
            }
            if (game + 1) % REFRESH == 0 {
                self.value = Value::new(self.rounded());
            }
            if (game + 1) % (games / 5).max(1) == 0 || game + 1 == quick {
                eprintln!("{} games, mean squared error {:.4}", game + 1, error / thoughts);
                (error, thoughts) = (0.0, 0.0);
            }
        }
        self.rounded()
    }

    /// Plays a game in which both sides search; returns all positions after its start.
    fn search<'s>(&mut self, setting: &'s Setting, game: u64) -> Vec<World<'s>> {
        let mut position = Position::deal(&self.rules, game);
        let mut worlds = Vec::new();
        let guide = Learnt(&self.value);
        while let Some(seat) = position.seat() {
            let knowledge = Knowledge::new(setting, &position.view(seat));
            let mut tree = Tree::new(&knowledge, &guide, Xoshiro256PlusPlus::numbered(game, Purpose::Choose, 0));
            (0..ITERATIONS).for_each(|_| tree.iterate());
            let (group, edge) = tree.root().max_by_key(|(_, edge)| edge.visits).expect("a turn has a move");
            position = position.play_unchecked(knowledge.named(seat, group, edge.label));
            worlds.push(World::new(setting, &position));
        }
        worlds
    }

    /// Plays a game without search; returns all positions after its start.
    fn play<'s>(&mut self, setting: &'s Setting, game: u64, random: f32) -> Vec<World<'s>> {
        let mut world = World::new(setting, &Position::deal(&self.rules, game));
        let mut worlds = Vec::new();
        while !world.is_over() {
            let mv = self.choose(&world, random);
            world.play(mv);
            worlds.push(world);
        }
        worlds
    }

    fn choose(&mut self, world: &World<'_>, random: f32) -> Move {
        let moves: Vec<Move> = world.legal_moves().iter().collect();
        if world.ply() == SPACES - 1 {
            return moves.into_iter().max_by_key(|&mv| world.gain(mv)).expect("the last ply has a move");
        }
        if (self.rng.below(1 << 20) as f32) < random * (1 << 20) as f32 {
            return moves[self.rng.below(moves.len() as u64) as usize];
        }
        let mut best = (i32::MIN, moves[0]);
        for animal in world.hand(world.turn().0).tiles() {
            for face in Face::ALL {
                self.value.appraise(world, animal, face, |space, logit| {
                    if logit > best.0 {
                        best = (logit, Move { animal, face, space });
                    }
                });
            }
        }
        best.1
    }

    /// Corrects the probabilities of all positions before the end; returns their errors.
    fn look_back(&mut self, worlds: &[World<'_>], rate: f32) -> Vec<f32> {
        let (end, before) = worlds.split_last().expect("a game has plies");
        let winners = end.winners();
        let share = |team| if winners.contains(team) { 1.0 / winners.len() as f32 } else { 0.0 };
        // The win share that the team that has just moved can expect.
        let mut hope = share(end.setting().rules().team_of(self.rules.seat_at(end.ply() - 1)));
        let mut errors = Vec::new();
        for world in before.iter().rev() {
            hope = 1.0 - hope;
            let chance = self.correct(world, hope, rate);
            errors.push(hope - chance);
            hope = LAMBDA * hope + (1.0 - LAMBDA) * chance;
        }
        errors
    }

    /// Moves the probability in a position towards a target, and returns its old value. Features that are large or always
    /// present move less.
    fn correct(&mut self, world: &World<'_>, hope: f32, rate: f32) -> f32 {
        let mut found = Vec::new();
        features(world, |index, times| found.push((index, times as f32)));
        let logit: f32 = found.iter().map(|&(index, times)| self.numbers[index] * times).sum();
        let chance = 1.0 / (1.0 + (-logit).exp());
        let lines = found.len() - 3;
        for (&(index, times), i) in found.iter().zip(0..) {
            let slower = if i < lines { 1.0 } else { [0.1, 0.02, 0.05][i - lines] };
            self.numbers[index] += rate * slower * (hope - chance) * times;
        }
        chance
    }
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a file to write to");
    let games = arguments.next().map_or(3_000_000, |games| games.parse().expect("a number of games"));
    let mut file = std::fs::File::create(path)?;
    for rules in Value::kinds() {
        eprintln!("{rules}");
        let numbers = Learner::new(rules).learn(games);
        file.write_all(&numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same games, those with search included, give the same numbers twice, and not only zeros.
    #[test]
    fn learning_is_repeatable() {
        for rules in Value::kinds() {
            let [once, twice] = [(); 2].map(|()| Learner::new(rules).learn(200));
            assert_eq!(once, twice);
            assert_eq!(once.len(), Value::LEN);
            assert!(once.iter().filter(|&&number| number != 0).count() > 100);
            assert_ne!(Learner::new(rules).learn(100), once);
        }
    }
}
