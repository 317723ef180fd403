//! The last three spaces of a game of two teams, worked out at once. No position is built for that: what the lines of a
//! space give for each kind of tile is summed up once, and a tile on another space changes this by the one line, if any,
//! that runs through both. The two teams move in turn.

use crate::board::{LINES, SPACES, Space};
use crate::search::endgame::duel::{ByKind, Choice, Endgame, KINDS, Plan, Turn, of, worth};
use crate::search::endgame::game::UNKNOWN;
use crate::search::endgame::lines::Answers;
use crate::search::endgame::root::NONE;
use crate::tile::Hand;

/// The line that runs through two spaces, `LINES` if none does; no two have more in common.
const SHARED: [[u8; SPACES]; SPACES] = {
    let mut table = [[LINES as u8; SPACES]; SPACES];
    let mut pair = 0;
    while pair < SPACES * SPACES {
        let (a, b) = (pair / SPACES, pair % SPACES);
        let lines = Space::ALL[a].lines().and(Space::ALL[b].lines());
        if a != b && !lines.is_empty() {
            assert!(lines.len() == 1);
            table[a][b] = lines.bits().trailing_zeros() as u8;
        }
        pair += 1;
    }
    table
};

/// Two empty spaces: what the lines of each give for a tile of each kind, and the state of the line through both.
struct Two {
    points: [ByKind; 2],
    shared: u16,
}

impl Endgame<'_> {
    /// The value when one space is empty.
    pub(super) fn value_of_one(&self, turn: &Turn) -> i32 {
        let points = self.empty.into_iter().next().map_or([0; KINDS], |space| self.points(space));
        self.plan.last(self.hands[turn.seat], |kind| of(&points, kind))
    }

    /// The value when two spaces are empty.
    pub(super) fn value_of_two(&self, turn: &Turn) -> i32 {
        let mut spaces = self.empty;
        let (Some(a), Some(b)) = (spaces.next(), spaces.next()) else { return 0 };
        let two = Two { points: [self.points(a), self.points(b)], shared: self.states[shared(a, b)] };
        self.plan.value(&two, self.choices(turn).list(), self.hands[self.plan.turns[1].seat], UNKNOWN)
    }

    /// The value when three spaces are empty, if it lies between `alpha` and `beta`; else a bound of it on the same side of
    /// them.
    pub(super) fn value_of_three(&self, turn: &Turn, alpha: i32, beta: i32) -> i32 {
        let mut spaces = self.empty;
        let (Some(a), Some(b), Some(c)) = (spaces.next(), spaces.next(), spaces.next()) else { return 0 };
        let (spaces, points) = ([a, b, c], [self.points(a), self.points(b), self.points(c)]);
        let theirs = self.choices(&self.plan.turns[2]);
        let last = self.plan.turns[1].seat;
        let mut best = -UNKNOWN;
        for choice in self.choices(turn).list() {
            let hand = if last == turn.seat { turn.hand_after(choice.rest) } else { self.hands[last] };
            for [here, a, b] in [[0, 1, 2], [1, 0, 2], [2, 0, 1]] {
                let gain = worth(turn, of(&points[here], choice.kind)) - choice.cost;
                let two = self.filled([spaces[here], spaces[a], spaces[b]], choice.kind, [&points[a], &points[b]]);
                let value = gain - self.plan.value(&two, theirs.list(), hand, gain - best.max(alpha));
                best = best.max(value);
                if best >= beta {
                    return best;
                }
            }
        }
        best
    }

    /// What the last two of three spaces are when a tile fills the first.
    #[inline]
    fn filled(&self, [here, a, b]: [Space; 3], kind: u8, [a_points, b_points]: [&ByKind; 2]) -> Two {
        let lines = self.plan.lines;
        let (to_a, to_b, between) = (shared(here, a), shared(here, b), shared(a, b));
        let (from_a, from_b) = (lines.answers(self.states[to_a]), lines.answers(self.states[to_b]));
        let next = |from: &Answers<1, KINDS>| from.next[usize::from(kind) % KINDS];
        Two {
            points: [
                changed(a_points, from_a, lines.answers(next(from_a))),
                changed(b_points, from_b, lines.answers(next(from_b))),
            ],
            shared: if to_a == between { next(from_a) } else { self.states[between] },
        }
    }
}

impl Plan<'_> {
    /// The value of two empty spaces for the team that moves next and has these choices, when the other then has this hand;
    /// if it is `enough` or more, a value that is no more but enough too.
    fn value(&self, two: &Two, choices: &[Choice], hand: [u8; Hand::SIZE], enough: i32) -> i32 {
        let turn = &self.turns[2];
        let shared = self.lines.answers(two.shared);
        let mut best = -UNKNOWN;
        for choice in choices {
            let from = &shared.gain[0];
            let to = &self.lines.answers(shared.next[usize::from(choice.kind) % KINDS]).gain[0];
            for [here, there] in [[0, 1], [1, 0]] {
                let gain = worth(turn, of(&two.points[here], choice.kind)) - choice.cost;
                let reply = self.last(hand, |kind| of(&two.points[there], kind) - of(from, kind) + of(to, kind));
                best = best.max(gain - reply);
                if best >= enough {
                    return best;
                }
            }
        }
        best
    }

    /// The best that can be done with a hand on the last space, where a tile of each kind gives these points.
    #[inline]
    fn last(&self, [first, second]: [u8; Hand::SIZE], points: impl Fn(u8) -> i16) -> i32 {
        let turn = &self.turns[1];
        let front = |tile| worth(turn, points(tile));
        let lion = front(turn.lion) - self.lion_cost;
        let best = lion.max(front(first));
        if second == NONE { best } else { best.max(front(second)) }
    }
}

/// What the lines of a space give for a tile of each kind when one of them comes to another state.
#[inline]
fn changed(points: &ByKind, from: &Answers<1, KINDS>, to: &Answers<1, KINDS>) -> ByKind {
    std::array::from_fn(|kind| points[kind] - from.gain[0][kind] + to.gain[0][kind])
}

/// The place of the line through two spaces among the states.
#[inline]
fn shared(a: Space, b: Space) -> usize {
    usize::from(SHARED[a.index()][b.index()])
}
