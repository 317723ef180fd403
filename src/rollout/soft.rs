//! Soft-greedy games, one at a time: what `soft_lanes.rs` must equal, bit for bit.

use crate::board::{SPACES, Space, SpaceSet};
use crate::rollout::draws::{chosen, is_free};
use crate::rollout::scalar::{Playout, Table};
use crate::score::{LineTally, score_line};
use crate::tile::{Face, Seat, Team};

/// What a tile may be placed as: the front of the one held longer, a Lion, the front of the one that came last.
const WAYS: usize = 3;
/// The candidates for every space in their written order: which tile, which face, and which of the ways that is.
const CHOICES: [(bool, Face, usize); 4] =
    [(false, Face::Front, 0), (false, Face::Lion, 1), (true, Face::Front, 2), (true, Face::Lion, 1)];

/// How much better each way of placing a tile on each space makes the mover's margin.
type Gains = [[i32; SPACES]; WAYS];

impl Playout<'_> {
    /// Chooses one move after the other: any, if `free` says so, else one of those with the greatest gain.
    pub(super) fn play_softly(&mut self, free: &[u16], words: &[u16], table: &mut Table) {
        let mut empty = self.plan.known.empty_spaces();
        for (i, &word) in words.iter().enumerate() {
            let (seat, team) = self.plan.turns[i];
            let tiles = self.queues[seat].hand(self.plan.seats[seat].placeable).len();
            let mut gains = Gains::default();
            if !is_free(free, i, self.plan.policy.free_of_eight()) {
                self.add_up(&mut gains, seat, team, empty, table);
            }
            let (mut candidates, mut count, mut best) = ([(0, Space::ALL[0]); CHOICES.len() * SPACES], 0, i32::MIN);
            for (choice, &(_, _, way)) in CHOICES[..2 * tiles].iter().enumerate() {
                for space in empty {
                    let gain = gains[way][space.index()];
                    if gain > best {
                        (best, count) = (gain, 0);
                    }
                    if gain == best {
                        candidates[count] = (choice, space);
                        count += 1;
                    }
                }
            }
            let (choice, space) = candidates[chosen(word, count)];
            let (last, face, _) = CHOICES[choice];
            self.put(i, last, face, space, table);
            empty = empty.without(space);
        }
    }

    /// Adds up what each space gains from the lines of which it is the last empty one.
    #[inline]
    fn add_up(&self, gains: &mut Gains, seat: Seat, team: Team, empty: SpaceSet, table: &Table) {
        let (rules, plan) = (self.plan.known.rules(), &self.plan.seats[seat]);
        let hand = self.queues[seat].hand(plan.placeable);
        let weight = |tile: usize, face: Face| hand.get(tile).map(|tile| plan.weights[tile.index()][face as usize]);
        let weights: [Option<LineTally>; WAYS] =
            [weight(0, Face::Front), weight(0, Face::Lion), weight(1, Face::Front)];
        for line in self.plan.open_lines {
            let mut missing = line.spaces().and(empty);
            if missing.len() == 1
                && let Some(space) = missing.next()
            {
                for (gains, weight) in gains.iter_mut().zip(weights) {
                    if let Some(weight) = weight {
                        let mut tally = table.lines[line.index()];
                        tally.add(weight);
                        gains[space.index()] += score_line(rules, tally, team).margin(rules, team);
                    }
                }
            }
        }
    }
}
