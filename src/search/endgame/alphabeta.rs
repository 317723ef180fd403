//! Alpha-beta for games of two teams (Knuth and Moore, "An analysis of alpha-beta pruning", 1975), with null windows for
//! all moves but the first of each game (Reinefeld, "An improvement to the Scout tree search algorithm", 1983) and a table
//! of what has been found.
//!
//! A value here is what the team to move can still gain over the other, so that it does not depend on how the game came
//! to this point.

use crate::search::endgame::game::{Duel, UNKNOWN};
use crate::search::endgame::nodes::{Nodes, Stopped};
use crate::search::endgame::transposition::Table;

/// What is known of a game that has been searched, in one word: bounds of its value (24 bits each), and where the game
/// lists the best move (16).
#[derive(Clone, Copy, Default)]
pub(crate) struct Found(u64);

impl Found {
    fn new(low: i32, high: i32, best: u16) -> Found {
        let field = |value: i32| u64::from(value as u32 & 0xff_ffff);
        Found(field(low) | field(high) << 24 | u64::from(best) << 48)
    }

    fn bounds(self) -> (i32, i32) {
        let field = |bits: u64| (bits as i32) << 8 >> 8;
        (field(self.0), field(self.0 >> 24))
    }

    fn best(self) -> u16 {
        (self.0 >> 48) as u16
    }
}

/// How many moves of a game are picked by their rank. If these do not end its search, no move is likely to, and the order
/// of the others hardly matters.
const ORDERED: usize = 8;

/// A move that is still to be looked at.
#[derive(Clone, Copy)]
struct Choice<M> {
    mv: M,
    /// Where the game lists it, by which the table remembers it.
    index: u16,
    /// The higher, the sooner.
    rank: i32,
}

/// One search after the other, with the table and the room that they share.
pub(crate) struct AlphaBeta<'t, 'w, G: Duel> {
    table: &'t mut Table<Found>,
    nodes: &'t mut Nodes<'w>,
    /// The moves still to be looked at of all games on the way from the root, one game's after the other's.
    choices: Vec<Choice<G::Move>>,
}

impl<'t, 'w, G: Duel> AlphaBeta<'t, 'w, G> {
    pub(crate) fn new(table: &'t mut Table<Found>, nodes: &'t mut Nodes<'w>) -> Self {
        AlphaBeta { table, nodes, choices: Vec::new() }
    }

    /// The value of a game if it lies between `alpha` and `beta`; else a bound of it on the same side of them.
    pub(crate) fn search(&mut self, game: &G, alpha: i32, beta: i32) -> Result<i32, Stopped> {
        self.nodes.one_more()?;
        if game.team().is_none() {
            return Ok(0);
        }
        let (mut low, mut high) = game.bounds(alpha, beta);
        if low >= beta || low == high {
            return Ok(low);
        }
        if high <= alpha {
            return Ok(high);
        }
        let key = game.key();
        let known = key.and_then(|key| self.table.get(key));
        if let Some(found) = known {
            let (least, most) = found.bounds();
            (low, high) = (low.max(least), high.min(most));
            if low >= beta || low == high {
                return Ok(low);
            }
            if high <= alpha {
                return Ok(high);
            }
        }
        let (alpha, beta) = (alpha.max(low), beta.min(high));
        let (best, index) = self.best(game, alpha, beta, known.map(Found::best))?;
        let value = best.clamp(low, high);
        if let Some(key) = key {
            let low = if best > alpha { value } else { low };
            let high = if best < beta { value } else { high };
            self.table.put(key, Found::new(low, high, index));
        }
        Ok(value)
    }

    /// The best value that a move gives, as `search` does, and where the game lists this move.
    fn best(&mut self, game: &G, alpha: i32, beta: i32, first: Option<u16>) -> Result<(i32, u16), Stopped> {
        let start = self.choices.len();
        self.list(game, first);
        let (mut best, mut index, mut alpha) = (-UNKNOWN, 0, alpha);
        for turn in start..self.choices.len() {
            if turn < start + ORDERED {
                self.pick(turn);
            }
            let Choice { mv, index: place, .. } = self.choices[turn];
            let (low, high) = game.prospects(mv);
            let value = if high <= alpha {
                high
            } else if low >= beta {
                low
            } else if turn == start {
                self.after(game, mv, alpha, beta)?
            } else {
                let value = self.after(game, mv, alpha, alpha + 1)?;
                if value > alpha && value < beta { self.after(game, mv, value - 1, beta)? } else { value }
            };
            if value > best {
                (best, index, alpha) = (value, place, alpha.max(value));
                if value >= beta {
                    break;
                }
            }
        }
        self.choices.truncate(start);
        Ok((best, index))
    }

    /// The value of a game if this move is made, as `search` does.
    pub(crate) fn after(&mut self, game: &G, mv: G::Move, alpha: i32, beta: i32) -> Result<i32, Stopped> {
        let (mut next, gain) = (*game, game.gain(mv));
        next.play(mv);
        if next.team() == game.team() {
            Ok(gain + self.search(&next, alpha - gain, beta - gain)?)
        } else {
            Ok(gain - self.search(&next, gain - beta, gain - alpha)?)
        }
    }

    /// Lists the moves, to be taken by what they gain, but first the one that was best before.
    fn list(&mut self, game: &G, first: Option<u16>) {
        let first = first.unwrap_or(u16::MAX);
        let mut index = 0;
        game.moves(|mv| {
            let rank = if index == first { i32::MAX } else { game.gain(mv) };
            self.choices.push(Choice { mv, index, rank });
            index += 1;
        });
    }

    /// Brings the best of the moves from `turn` on to this place.
    fn pick(&mut self, turn: usize) {
        let choices = &mut self.choices[turn..];
        let (mut best, mut rank) = (0, i32::MIN);
        for (place, choice) in choices.iter().enumerate() {
            if choice.rank > rank {
                (best, rank) = (place, choice.rank);
            }
        }
        choices.swap(0, best);
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::search::endgame::game::Game;
    use crate::tile::{ByTeam, Team};

    fn value<G: Duel>(game: &G, alpha: i32, beta: i32) -> i32 {
        let mut watch = |_| ControlFlow::Continue(());
        let (mut table, mut nodes) = (Table::new(8), Nodes::new(&mut watch));
        AlphaBeta::new(&mut table, &mut nodes).search(game, alpha, beta).expect("nobody stops it")
    }

    /// Nim: take any number from one heap; the player who takes the last wins 1 from the other.
    #[derive(Clone, Copy)]
    struct Nim {
        heaps: [u8; 3],
        mover: usize,
        keyed: bool,
    }

    impl Game for Nim {
        type Move = (usize, u8);

        fn teams(&self) -> usize {
            2
        }

        fn team(&self) -> Option<Team> {
            (self.heaps != [0; 3]).then_some(Team::ALL[self.mover])
        }

        fn moves(&self, see: impl FnMut((usize, u8))) {
            (0..3).flat_map(|heap| (1..=self.heaps[heap]).map(move |taken| (heap, taken))).for_each(see);
        }

        fn play(&mut self, (heap, taken): (usize, u8)) {
            self.heaps[heap] -= taken;
            self.mover = 1 - self.mover;
        }

        fn result(&self) -> ByTeam<i32> {
            let winner = 1 - self.mover;
            ByTeam(std::array::from_fn(|team| i32::from(team == winner)))
        }
    }

    impl Duel for Nim {
        fn gain(&self, (heap, taken): (usize, u8)) -> i32 {
            i32::from(self.heaps.iter().sum::<u8>() == taken && self.heaps[heap] == taken)
        }

        fn key(&self) -> Option<u64> {
            let key = self.heaps.iter().fold(1, |key, &heap| key << 8 | u64::from(heap));
            self.keyed.then_some(key)
        }
    }

    /// Bouton's theorem (1901): the mover loses if, and only if, the heaps' sizes add up to 0 without carrying.
    #[test]
    fn nim_is_won_as_bouton_says() {
        let mut lost = 0;
        for number in 0..6_u8 * 6 * 6 {
            let heaps = [number / 36, number / 6 % 6, number % 6];
            let expected = if heaps == [0; 3] { 0 } else { [1, -1][usize::from(heaps[0] ^ heaps[1] ^ heaps[2] == 0)] };
            lost += u32::from(expected == -1);
            for (mover, keyed) in [(0, true), (1, true), (0, false)] {
                let game = Nim { heaps, mover, keyed };
                assert_eq!(value(&game, -UNKNOWN, UNKNOWN), expected, "{heaps:?}");
                assert_eq!(value(&game, 0, 1) > 0, expected > 0, "{heaps:?}");
                assert_eq!(value(&game, -1, 0) < 0, expected < 0, "{heaps:?}");
            }
        }
        assert!(lost > 20, "{lost} games are lost");
    }

    /// A row of coins of which one is taken from either end; who takes an odd one goes on.
    #[derive(Clone, Copy)]
    struct Coins<'c> {
        row: &'c [i32],
        mover: usize,
    }

    impl Game for Coins<'_> {
        /// Whether the coin is the last of the row.
        type Move = bool;

        fn teams(&self) -> usize {
            2
        }

        fn team(&self) -> Option<Team> {
            (!self.row.is_empty()).then_some(Team::ALL[self.mover])
        }

        fn moves(&self, see: impl FnMut(bool)) {
            [false, true].into_iter().for_each(see);
        }

        fn play(&mut self, last: bool) {
            let coin = self.gain(last);
            self.row = if last { &self.row[..self.row.len() - 1] } else { &self.row[1..] };
            self.mover = if coin % 2 == 0 { 1 - self.mover } else { self.mover };
        }

        fn result(&self) -> ByTeam<i32> {
            ByTeam::default()
        }
    }

    impl Duel for Coins<'_> {
        fn gain(&self, last: bool) -> i32 {
            self.row[if last { self.row.len() - 1 } else { 0 }]
        }

        fn bounds(&self, _: i32, _: i32) -> (i32, i32) {
            let all: i32 = self.row.iter().map(|coin| coin.abs()).sum();
            (-all, all)
        }
    }

    /// The value by complete search.
    fn complete(game: Coins) -> i32 {
        let after = |last| {
            let mut next = game;
            next.play(last);
            game.gain(last) + if next.mover == game.mover { complete(next) } else { -complete(next) }
        };
        if game.row.is_empty() { 0 } else { after(false).max(after(true)) }
    }

    #[test]
    fn a_team_that_moves_again_still_counts_for_itself() {
        // 3, 5 and 7 go on for the team that takes them: by hand, 3 + 5 + 7 and then 4.
        assert_eq!(value(&Coins { row: &[3, 5, 7, 4], mover: 0 }, -UNKNOWN, UNKNOWN), 19);
        // 4 is taken, and the other has 9 and goes on with 2.
        assert_eq!(value(&Coins { row: &[4, 9, 2], mover: 1 }, -UNKNOWN, UNKNOWN), 4 - 9 - 2);
        let coins: Vec<i32> = (0..60).map(|i| i * i * 7 % 23 - 6).collect();
        for row in coins.windows(9) {
            let game = Coins { row, mover: 0 };
            let exact = complete(game);
            assert_eq!(value(&game, -UNKNOWN, UNKNOWN), exact);
            for bound in exact - 3..=exact + 3 {
                assert_eq!(value(&game, bound - 1, bound) >= bound, exact >= bound);
            }
        }
    }
}
