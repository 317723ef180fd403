//! The end of a game of two teams as a [`Duel`]: lines as states, and spaces and tiles that come to the same as one.

use crate::board::{LINES, Line, LineSet, SPACES, Space, SpaceSet};
use crate::moves::Move;
use crate::search::endgame::game::{Duel, Game};
use crate::search::endgame::lines::{Answers, Lines, SETTLED};
use crate::search::endgame::mix::{Key, mixed};
use crate::search::endgame::root::{NONE, Root};
use crate::tile::{Animal, ByTeam, Face, Hand, MAX_SEATS, Team};
use crate::world::World;

/// The most kinds of tiles that two teams have, six each, made up to what processors like.
const KINDS: usize = 16;

/// Lines that count the difference between two teams.
pub(crate) type DuelLines = Lines<1, KINDS>;

/// A number for each kind of tile.
type ByKind = [i16; KINDS];

/// What all games of one search share. A tile is told by the kind that it is when it lies front up.
pub(crate) struct Plan<'l> {
    lines: &'l DuelLines,
    root: Root<1>,
    /// By the number of empty spaces.
    turns: [Turn; SPACES + 1],
    lion_cost: i32,
}

/// What a turn is to the search.
#[derive(Clone, Copy)]
struct Turn {
    seat: usize,
    team: Team,
    /// What a point of team 0 is worth to the team that moves.
    worth: i32,
    /// The kind that a tile is when it lies Lion face up.
    lion: u8,
    /// The tile drawn after it.
    drawn: u8,
    /// Whether the seat's hand still matters after it.
    again: bool,
    /// A key of all tiles in decks.
    decks: u64,
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
        let [[low], [high]] = self.root.range;
        let (states, open, empty) = (self.root.states, self.root.open, world.empty_spaces());
        Endgame { plan: self, states, open, empty, left: empty.len() as u8, hands, low, high, gained: 0 }
    }
}

/// A placement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Put {
    space: Space,
    kind: u8,
    /// The other tile of the hand.
    rest: u8,
    /// What is sure to come of it, and the least and the most that can come of all after it, this included.
    pub(crate) gain: i32,
    low: i32,
    high: i32,
}

/// What can be done with a hand: which kind of tile to put, which tile is left, and what a Lion costs.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Choice {
    kind: u8,
    rest: u8,
    cost: i32,
}

/// Those of a hand that differ, at most four.
struct Choices {
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
    fn list(&self) -> &[Choice] {
        &self.list[..self.len.min(4)]
    }
}

/// A position of two teams.
#[derive(Clone, Copy)]
pub(crate) struct Endgame<'p> {
    plan: &'p Plan<'p>,
    /// The state of every line.
    states: [u16; LINES],
    /// The lines that are not settled.
    open: LineSet,
    empty: SpaceSet,
    /// How many spaces are empty.
    left: u8,
    /// By seat.
    hands: [[u8; Hand::SIZE]; MAX_SEATS],
    /// The least and the most that the lines can still give team 0.
    low: i16,
    high: i16,
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

    fn choices(&self, turn: &Turn) -> Choices {
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

    /// How a line answers to each kind of tile.
    #[inline]
    fn answers(&self, line: Line) -> &'p Answers<1, KINDS> {
        self.plan.lines.answers(self.states[line.index()])
    }

    /// What the lines give team 0 for a tile of each kind, in points.
    #[inline]
    fn points(&self, lines: LineSet) -> ByKind {
        lines.fold([0; KINDS], |points, line| sum(points, &self.answers(line).gain[0]))
    }

    /// The placements that differ on one space.
    #[inline]
    fn placements(&self, turn: &Turn, space: Space, lines: LineSet, choices: &Choices, mut show: impl FnMut(Put)) {
        let (mut gain, mut low, mut high) = ([0; KINDS], [self.low; KINDS], [self.high; KINDS]);
        for line in lines {
            let answers = self.answers(line);
            gain = sum(gain, &answers.gain[0]);
            low = sum(low, &answers.low[0]);
            high = sum(high, &answers.high[0]);
        }
        if turn.worth < 0 {
            (low, high) = (high, low);
        }
        for &Choice { kind, rest, cost } in choices.list() {
            let worth = |points: &ByKind| worth(turn, of(points, kind)) - cost;
            show(Put { space, kind, rest, gain: worth(&gain), low: worth(&low), high: worth(&high) });
        }
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
        let choices = Choices { list: [Choice { kind, rest, cost }; 4], len: 1 };
        let mut put = Put { space, kind, rest, gain: 0, low: 0, high: 0 };
        self.placements(turn, space, lines, &choices, |it| put = it);
        put
    }

    /// The value when one space is empty.
    fn value_of_one(&self, turn: &Turn) -> i32 {
        let lines = self.empty.into_iter().next().map_or(LineSet::EMPTY, |space| self.open_lines(space));
        best_of(turn, self.choices(turn).list(), &self.points(lines))
    }

    /// The value when two spaces are empty. The two have at most one line in common, so what the second tile gives in
    /// its other lines need be summed up only once.
    fn value_of_two(&self, turn: &Turn) -> i32 {
        let after = &self.plan.turns[1];
        let (mine, theirs) = (self.choices(turn), self.choices(after));
        let sign = if after.team == turn.team { 1 } else { -1 };
        let mut spaces = self.empty;
        let (Some(a), Some(b)) = (spaces.next(), spaces.next()) else { return 0 };
        let (a_lines, b_lines) = (self.open_lines(a), self.open_lines(b));
        let mut common = a_lines.and(b_lines);
        let alone = [a_lines, b_lines].map(|lines| self.points(lines.minus(common)));
        let Some(line) = common.next() else {
            let [a, b] = &alone;
            let value = |here, there| best_of(turn, mine.list(), here) + sign * best_of(after, theirs.list(), there);
            return value(a, b).max(value(b, a));
        };
        let answers = self.answers(line);
        let mut best = i32::MIN;
        for choice in mine.list() {
            let give = of(&answers.gain[0], choice.kind);
            let next = &self.plan.lines.answers(answers.next[usize::from(choice.kind) % KINDS]).gain[0];
            for [here, there] in [[0, 1], [1, 0]] {
                let gain = worth(turn, of(&alone[here], choice.kind) + give) - choice.cost;
                let reply = best_of(after, theirs.list(), &sum(alone[there], next));
                best = best.max(gain + sign * reply);
            }
        }
        best
    }
}

/// The number of one kind.
#[inline]
fn of(numbers: &ByKind, kind: u8) -> i16 {
    numbers[usize::from(kind) % KINDS]
}

/// Sums kind by kind.
#[inline]
fn sum(a: ByKind, b: &ByKind) -> ByKind {
    std::array::from_fn(|kind| a[kind] + b[kind])
}

/// What the best choice of a turn is worth when these are the points that team 0 gets for a tile of each kind.
#[inline]
fn best_of(turn: &Turn, choices: &[Choice], points: &ByKind) -> i32 {
    choices.iter().map(|choice| worth(turn, of(points, choice.kind)) - choice.cost).max().unwrap_or(0)
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
    fn moves(&self, moves: &mut Vec<Put>) {
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
            self.placements(turn, space, lines, &choices, |put| moves.push(put));
        }
    }

    fn play(&mut self, mv: Put) {
        let turn = self.turn();
        for line in self.open_lines(mv.space) {
            let state = &mut self.states[line.index()];
            let answers = self.plan.lines.answers(*state);
            let kind = usize::from(mv.kind) % KINDS;
            *state = answers.next[kind];
            self.low += answers.low[0][kind] - answers.gain[0][kind];
            self.high += answers.high[0][kind] - answers.gain[0][kind];
            if *state == SETTLED {
                self.open = self.open.without(line);
            }
        }
        self.empty = self.empty.without(mv.space);
        self.left -= 1;
        let (rest, drawn) = (mv.rest, if turn.again { turn.drawn } else { NONE });
        self.hands[turn.seat] = [rest.min(drawn), rest.max(drawn)];
        self.gained += if turn.team == Team::ALL[0] { mv.gain } else { -mv.gain };
    }

    fn result(&self) -> ByTeam<i32> {
        ByTeam([self.gained, -self.gained, 0, 0])
    }
}

impl Duel for Endgame<'_> {
    fn prospects(&self, mv: Put) -> (i32, i32) {
        (mv.low, mv.high)
    }

    fn gain(&self, mv: Put) -> i32 {
        mv.gain
    }

    /// No Lion need be counted: a team can always put its tiles front up, so none can be forced to lose by its Lions.
    fn bounds(&self) -> (i32, i32) {
        let turn = self.turn();
        let exact = match self.left {
            1 => self.value_of_one(turn),
            2 => self.value_of_two(turn),
            _ => {
                let (a, b) = (worth(turn, self.low), worth(turn, self.high));
                return (a.min(b), a.max(b));
            }
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

/// Points of team 0, as what they are worth to the team that moves.
#[inline]
fn worth(turn: &Turn, points: i16) -> i32 {
    i32::from(points) * turn.worth
}
