//! Alpha-beta for games of two teams (Knuth and Moore, "An analysis of alpha-beta pruning", 1975), with null windows for
//! all moves but the first of each game (Reinefeld, "An improvement to the Scout tree search algorithm", 1983) and a table
//! of what has been found.
//!
//! A value here is what the team to move can still gain over the other, so that it does not depend on how the game came
//! to this point.

use crate::search::endgame::game::{Duel, UNKNOWN};
use crate::search::endgame::nodes::{Nodes, Stopped};
use crate::search::endgame::table::Table;

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
    listed: Vec<G::Move>,
}

impl<'t, 'w, G: Duel> AlphaBeta<'t, 'w, G> {
    pub(crate) fn new(table: &'t mut Table<Found>, nodes: &'t mut Nodes<'w>) -> Self {
        AlphaBeta { table, nodes, choices: Vec::new(), listed: Vec::new() }
    }

    /// The value of a game if it lies between `alpha` and `beta`; else a bound of it on the same side of them.
    pub(crate) fn search(&mut self, game: &G, alpha: i32, beta: i32) -> Result<i32, Stopped> {
        self.nodes.one_more()?;
        if game.team().is_none() {
            return Ok(0);
        }
        let (mut low, mut high) = game.bounds();
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
        let (mut best, mut index) = self.list(game, alpha, first);
        let mut alpha = alpha;
        for turn in start..self.choices.len() {
            let Choice { mv, index: place, .. } = self.pick(turn);
            let (low, high) = game.prospects(mv);
            if high <= alpha {
                best = best.max(high);
                continue;
            }
            let mut value = low;
            if low < beta {
                value = self.after(game, mv, alpha, if turn == start { beta } else { alpha + 1 })?;
                if turn > start && value > alpha && value < beta {
                    value = self.after(game, mv, value - 1, beta)?;
                }
            }
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

    /// Lists the moves of which more than `alpha` can come, to be taken by what they gain, but first the one that was best
    /// before. Returns the most that can come of the others, and the place of one.
    fn list(&mut self, game: &G, alpha: i32, first: Option<u16>) -> (i32, u16) {
        self.listed.clear();
        game.moves(&mut self.listed);
        let (mut best, mut place) = (-UNKNOWN, 0);
        for (index, &mv) in (0..).zip(&self.listed) {
            let (_, high) = game.prospects(mv);
            if high > alpha {
                let rank = if first == Some(index) { i32::MAX } else { game.gain(mv) };
                self.choices.push(Choice { mv, index, rank });
            } else if high > best {
                (best, place) = (high, index);
            }
        }
        (best, place)
    }

    /// Brings the best of the moves from `turn` on to this place.
    fn pick(&mut self, turn: usize) -> Choice<G::Move> {
        let mut best = turn;
        for other in turn + 1..self.choices.len() {
            if self.choices[other].rank > self.choices[best].rank {
                best = other;
            }
        }
        self.choices.swap(turn, best);
        self.choices[turn]
    }
}
