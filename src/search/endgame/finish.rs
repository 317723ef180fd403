//! The last two spaces of a game of two teams, worked out at once. No position is built for that: what the lines of a
//! space give for each kind of tile is summed up once, and a tile on another space changes this by the one line, if any,
//! that runs through both. The two teams move in turn.

use crate::board::{LINES, SPACES, Space};
use crate::search::endgame::duel::{ByKind, Choice, Endgame, KINDS, Plan, Turn, of, worth};
use crate::search::endgame::game::UNKNOWN;
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
        self.plan.value(&two, self.choices(turn).list(), self.hands[self.plan.turns[1].seat])
    }
}

impl Plan<'_> {
    /// The value of two empty spaces for the team that moves next and has these choices, when the other then has this hand.
    fn value(&self, two: &Two, choices: &[Choice], hand: [u8; Hand::SIZE]) -> i32 {
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

/// The place of the line through two spaces among the states.
#[inline]
fn shared(a: Space, b: Space) -> usize {
    usize::from(SHARED[a.index()][b.index()])
}
