//! The end of a game of two teams as a [`Duel`]: lines as states, and spaces and tiles that come to the same as one.

use crate::board::{LINES, Line, LineSet, SPACES, Space, SpaceSet};
use crate::moves::Move;
use crate::search::endgame::game::{Duel, Game};
use crate::search::endgame::hash::{Key, mixed};
use crate::search::endgame::lines::{Answers, Lines, SETTLED};
use crate::search::endgame::root::{NONE, Root};
use crate::tile::{Animal, ByTeam, Face, Hand, MAX_SEATS, Team};
use crate::world::World;

/// The most kinds of tiles that two teams have, six each, made up to what processors like.
pub(super) const KINDS: usize = 16;

/// Lines that count the difference between two teams.
pub(crate) type DuelLines = Lines<1, KINDS>;

/// A number for each kind of tile.
pub(super) type ByKind = [i16; KINDS];

/// The most lines that run through a space.
const THROUGH: usize = 4;

/// The lines through each space. Where there are three, the fourth is `LINES`, in the place of a line that is settled.
const LINES_THROUGH: [[u8; THROUGH]; SPACES] = {
    let mut table = [[LINES as u8; THROUGH]; SPACES];
    let mut space = 0;
    while space < SPACES {
        let (mut line, mut count) = (0, 0);
        while line < LINES {
            if Space::ALL[space].lines().contains(Line::ALL[line]) {
                table[space][count] = line as u8;
                count += 1;
            }
            line += 1;
        }
        space += 1;
    }
    table
};

/// What all games of one search share. A tile is told by the kind that it is when it lies front up.
pub(crate) struct Plan<'l> {
    pub(super) lines: &'l DuelLines,
    root: Root<1>,
    /// By the number of empty spaces.
    pub(super) turns: [Turn; SPACES + 1],
    pub(super) lion_cost: i32,
}

/// What a turn is to the search.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub(super) seat: usize,
    team: Team,
    /// What a point of team 0 is worth to the team that moves.
    worth: i32,
    /// The kind that a tile is when it lies Lion face up.
    pub(super) lion: u8,
    /// The tile drawn after it.
    drawn: u8,
    /// Whether the seat's hand still matters after it.
    again: bool,
    /// A key of all tiles in decks.
    decks: u64,
}

impl Turn {
    /// The hand that the seat has after it when this other tile is left.
    #[inline]
    pub(super) fn hand_after(&self, rest: u8) -> [u8; Hand::SIZE] {
        let drawn = if self.again { self.drawn } else { NONE };
        [rest.min(drawn), rest.max(drawn)]
    }
}

impl<'l> Plan<'l> {
    /// Plans the search of a world in which a point counts so much, and a Lion costs so much.
    pub(crate) fn new(world: &World, lines: &'l mut DuelLines, point: i32, lion_cost: i32) -> Plan<'l> {
        let root = Root::new(world, lines);
        let turns = root.turns.map(|turn| {
            let kinds = &root.kinds[turn.team];
            let kind = |animal: Animal, face: Face| kinds[animal.index()][face as usize];
            Turn {
                seat: turn.seat.index(),
                team: turn.team,
                worth: if turn.team == Team::ALL[0] { point } else { -point },
                lion: kind(Animal::Monkey, Face::Lion),
                drawn: turn.drawn.map_or(NONE, |tile| kind(tile, Face::Front)),
                again: turn.again,
                decks: turn.decks ^ point as u64,
            }
        });
        Plan { lines, root, turns, lion_cost }
    }

    /// The kind that a team's tile is.
    fn kind(&self, team: Team, animal: Animal, face: Face) -> u8 {
        self.root.kinds[team][animal.index()][face as usize]
    }

    /// What the lines of the world give the team that moves for sure.
    pub(crate) fn sure(&self, world: &World) -> i32 {
        worth(&self.turns[world.empty_spaces().len()], self.root.sure[0])
    }

    /// The game that the search begins with.
    pub(crate) fn start(&self, world: &World) -> Endgame<'_> {
        let mut hands = [[NONE; Hand::SIZE]; MAX_SEATS];
        let rules = world.setting().rules();
        for seat in rules.seats() {
            for (slot, tile) in hands[seat.index()].iter_mut().zip(world.hand(seat).tiles()) {
                *slot = self.kind(rules.team_of(seat), tile, Face::Front);
            }
            hands[seat.index()].sort_unstable();
        }
        let range = self.root.range.map(|[end]| end);
        let mut states = [SETTLED; LINES + 1];
        states[..LINES].copy_from_slice(&self.root.states);
        let (open, empty) = (self.root.open, world.empty_spaces());
        Endgame { plan: self, states, open, empty, left: empty.len() as u8, hands, range, gained: 0 }
    }
}

/// A placement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Put {
    space: Space,
    kind: u8,
    /// The other tile of the hand.
    rest: u8,
    /// What is sure to come of it.
    pub(crate) gain: i32,
}

/// What can be done with a hand: which kind of tile to put, which tile is left, and what a Lion costs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) kind: u8,
    pub(super) rest: u8,
    pub(super) cost: i32,
}

/// Those of a hand that differ, at most four.
pub(super) struct Choices {
    list: [Choice; 4],
    len: usize,
}

impl Choices {
    #[inline]
    fn add(&mut self, choice: Choice) {
        self.list[self.len % 4] = choice;
        self.len += 1;
    }

    #[inline]
    pub(super) fn list(&self) -> &[Choice] {
        &self.list[..self.len.min(4)]
    }
}

/// A position of two teams.
#[derive(Clone, Copy)]
pub(crate) struct Endgame<'p> {
    pub(super) plan: &'p Plan<'p>,
    /// The state of every line, and last that of a line that is settled, for spaces that have fewer lines than others.
    pub(super) states: [u16; LINES + 1],
    /// The lines that are not settled.
    open: LineSet,
    pub(super) empty: SpaceSet,
    /// How many spaces are empty.
    left: u8,
    /// By seat.
    pub(super) hands: [[u8; Hand::SIZE]; MAX_SEATS],
    /// The least and the most that the lines can still give team 0.
    range: [i16; 2],
    /// What team 0 has gained since the search began.
    gained: i32,
}

impl<'p> Endgame<'p> {
    #[inline]
    fn turn(&self) -> &'p Turn {
        &self.plan.turns[usize::from(self.left)]
    }

    /// The open lines through a space.
    #[inline]
    fn open_lines(&self, space: Space) -> LineSet {
        space.lines().and(self.open)
    }

    /// What can be done with the hand of a turn.
    pub(super) fn choices(&self, turn: &Turn) -> Choices {
        let [first, second] = self.hands[turn.seat];
        let (lion, cost) = (turn.lion, self.plan.lion_cost);
        let rest = |tile| if turn.again { tile } else { NONE };
        let mut choices = Choices { list: [Choice { kind: first, rest: rest(second), cost: 0 }; 4], len: 1 };
        // A Lion that costs nothing is no more than a tile that is as strong.
        if first != lion || cost != 0 {
            choices.add(Choice { kind: lion, rest: rest(second), cost });
        }
        if second != NONE && second != first {
            if turn.again || second != lion || cost != 0 {
                choices.add(Choice { kind: second, rest: rest(first), cost: 0 });
            }
            if turn.again && (second != lion || cost != 0) {
                choices.add(Choice { kind: lion, rest: rest(first), cost });
            }
        }
        choices
    }

    /// How the lines through a space answer to each kind of tile.
    #[inline]
    fn answers(&self, space: Space) -> [&'p Answers<1, KINDS>; THROUGH] {
        let [a, b, c, d] = LINES_THROUGH[space.index()];
        let answers = |line| self.plan.lines.answers(self.states[usize::from(line)]);
        [answers(a), answers(b), answers(c), answers(d)]
    }

    /// What the lines give team 0 for a tile of each kind, in points.
    #[inline]
    pub(super) fn points(&self, space: Space) -> ByKind {
        sum(self.answers(space), |answers| &answers.gain[0])
    }

    /// The least and the most that the lines can still give team 0 after a placement.
    #[inline]
    fn range_after(&self, mv: Put) -> [i16; 2] {
        let kind = usize::from(mv.kind) % KINDS;
        self.answers(mv.space).iter().fold(self.range, |[low, high], answers| {
            let gain = answers.gain[0][kind];
            [low + answers.low[0][kind] - gain, high + answers.high[0][kind] - gain]
        })
    }

    /// The placement that a move is to the search, which is the same for moves that come to the same.
    pub(crate) fn put(&self, mv: Move) -> Put {
        let turn = self.turn();
        let [first, second] = self.hands[turn.seat];
        let tile = self.plan.kind(turn.team, mv.animal, Face::Front);
        let rest = match turn.again {
            false => NONE,
            true if tile == first => second,
            true => first,
        };
        let (kind, cost) = if mv.face == Face::Lion { (turn.lion, self.plan.lion_cost) } else { (tile, 0) };
        let lines = self.open_lines(mv.space);
        let space = self.empty.into_iter().find(|&other| self.open_lines(other) == lines).unwrap_or(mv.space);
        Put { space, kind, rest, gain: worth(turn, of(&self.points(space), kind)) - cost }
    }
}

/// The number of one kind.
#[inline]
pub(super) fn of(numbers: &ByKind, kind: u8) -> i16 {
    numbers[usize::from(kind) % KINDS]
}

/// Sums kind by kind, without a loop over the lines, in which the compiler would not keep kinds side by side.
#[inline]
fn sum<'a>(
    [a, b, c, d]: [&'a Answers<1, KINDS>; THROUGH],
    what: impl Fn(&'a Answers<1, KINDS>) -> &'a ByKind,
) -> ByKind {
    let (a, b, c, d) = (what(a), what(b), what(c), what(d));
    std::array::from_fn(|kind| a[kind] + b[kind] + c[kind] + d[kind])
}

impl Game for Endgame<'_> {
    type Move = Put;

    fn teams(&self) -> usize {
        2
    }

    fn team(&self) -> Option<Team> {
        if self.left == 0 { None } else { Some(self.turn().team) }
    }

    /// One placement for each that comes to something else.
    #[inline]
    fn moves(&self, mut see: impl FnMut(Put)) {
        let turn = self.turn();
        let choices = self.choices(turn);
        let (mut idle, mut single) = (false, LineSet::EMPTY);
        for space in self.empty {
            let lines = self.open_lines(space);
            // Two spaces have at most one line in common.
            if lines.is_empty() {
                if std::mem::replace(&mut idle, true) {
                    continue;
                }
            } else if lines.bits().is_power_of_two() {
                if single.contains_all(lines) {
                    continue;
                }
                single = single.or(lines);
            }
            let points = self.points(space);
            for &Choice { kind, rest, cost } in choices.list() {
                see(Put { space, kind, rest, gain: worth(turn, of(&points, kind)) - cost });
            }
        }
    }

    fn play(&mut self, mv: Put) {
        let turn = self.turn();
        self.range = self.range_after(mv);
        for line in self.open_lines(mv.space) {
            let state = &mut self.states[line.index()];
            let answers = self.plan.lines.answers(*state);
            *state = answers.next[usize::from(mv.kind) % KINDS];
            if *state == SETTLED {
                self.open = self.open.without(line);
            }
        }
        self.empty = self.empty.without(mv.space);
        self.left -= 1;
        self.hands[turn.seat] = turn.hand_after(mv.rest);
        self.gained += if turn.team == Team::ALL[0] { mv.gain } else { -mv.gain };
    }

    fn result(&self) -> ByTeam<i32> {
        ByTeam([self.gained, -self.gained, 0, 0])
    }
}

impl Duel for Endgame<'_> {
    fn prospects(&self, mv: Put) -> (i32, i32) {
        let (low, high) = bounds(self.turn(), self.range_after(mv));
        (mv.gain + low, mv.gain + high)
    }

    fn gain(&self, mv: Put) -> i32 {
        mv.gain
    }

    /// No Lion need be counted: a team can always put its tiles front up, so none can be forced to lose by its Lions.
    fn bounds(&self, alpha: i32, beta: i32) -> (i32, i32) {
        let turn = self.turn();
        let exact = match self.left {
            1 => self.value_of_one(turn),
            2 => self.value_of_two(turn),
            3 => self.value_of_three(turn, alpha, beta),
            _ => return bounds(turn, self.range),
        };
        (exact, exact)
    }

    /// The states of the lines, which open lines cross in the empty spaces, and all tiles.
    fn key(&self) -> Option<u64> {
        let mut key = Key::new(self.turn().decks);
        for states in self.states.as_chunks::<4>().0 {
            key.add(states.iter().fold(0, |word, &state| word << 16 | u64::from(state)));
        }
        key.add(u64::from_le_bytes(self.hands.as_flattened().try_into().unwrap_or_default()));
        let crossings = self.empty.map(|space| self.open_lines(space));
        key.add(crossings.map(|lines| mixed(lines.bits().into())).fold(0, u64::wrapping_add));
        Some(key.finish())
    }
}

/// The least and the most that the team that moves can gain when these are the ends for team 0.
#[inline]
fn bounds(turn: &Turn, [low, high]: [i16; 2]) -> (i32, i32) {
    let (low, high) = (worth(turn, low), worth(turn, high));
    (low.min(high), low.max(high))
}

/// Points of team 0, as what they are worth to the team that moves.
#[inline]
pub(super) fn worth(turn: &Turn, points: i16) -> i32 {
    i32::from(points) * turn.worth
}
