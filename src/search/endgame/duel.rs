//! The end of a game of two teams as a [`Duel`]: lines as states, and spaces and tiles that come to the same as one.

use crate::board::{LINES, LineSet, SPACES, Space, SpaceSet};
use crate::moves::Move;
use crate::search::endgame::game::{Duel, Game};
use crate::search::endgame::lines::{Lines, SETTLED};
use crate::search::endgame::mix::{Key, mixed};
use crate::search::endgame::root::{NONE, Root};
use crate::tile::{Animal, ByTeam, Face, Hand, MAX_SEATS, Team};
use crate::world::World;

/// What all games of one search share. A tile is told by the kind that it is when it lies front up.
pub(crate) struct Plan<'l> {
    lines: &'l Lines<1>,
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
    pub(crate) fn new(world: &World, lines: &'l mut Lines<1>, point: i32, lion_cost: i32) -> Plan<'l> {
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

/// The choices of a hand, at most four.
#[derive(Clone, Copy)]
struct Choices([Choice; 4], usize);

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
        let mut choices = Choices([Choice { kind: NONE, rest: NONE, cost: 0 }; 4], 0);
        for (tile, rest) in [(first, second), (second, first)] {
            if tile != NONE {
                let rest = if turn.again { rest } else { NONE };
                choices.add(Choice { kind: tile, rest, cost: 0 });
                choices.add(Choice { kind: lion, rest, cost });
            }
        }
        choices
    }

    /// What the lines give team 0 for a tile on a space, in points.
    #[inline]
    fn points(&self, lines: LineSet, kind: u8) -> i16 {
        lines.map(|line| self.plan.lines.step(self.states[line.index()], kind).gain[0]).sum()
    }

    /// A placement with its gain and prospects.
    #[inline]
    fn placement(&self, turn: &Turn, space: Space, lines: LineSet, choice: Choice) -> Put {
        let Choice { kind, rest, cost } = choice;
        let (mut gain, mut low, mut high) = (0, self.low, self.high);
        for line in lines {
            let step = self.plan.lines.step(self.states[line.index()], kind);
            gain += step.gain[0];
            low += step.low[0];
            high += step.high[0];
        }
        if turn.worth < 0 {
            (low, high) = (high, low);
        }
        let worth = |points: i16| i32::from(points) * turn.worth - cost;
        Put { space, kind, rest, gain: worth(gain), low: worth(low), high: worth(high) }
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
        let alike = self.empty.into_iter().find(|&other| self.open_lines(other) == lines);
        self.placement(turn, alike.unwrap_or(mv.space), lines, Choice { kind, rest, cost })
    }

    /// The value when one space is empty.
    fn value_of_one(&self, turn: &Turn) -> i32 {
        let lines = self.empty.into_iter().next().map_or(LineSet::EMPTY, |space| self.open_lines(space));
        let worth = |choice: &Choice| worth(turn, self.points(lines, choice.kind)) - choice.cost;
        self.choices(turn).list().iter().map(worth).max().unwrap_or(0)
    }

    /// The value when two spaces are empty. The two have at most one line in common, so what the second tile gives in
    /// its other lines need be summed up only once.
    fn value_of_two(&self, turn: &Turn) -> i32 {
        let after = &self.plan.turns[1];
        let (mine, theirs) = (self.choices(turn), self.choices(after));
        let mut spaces = self.empty;
        let (Some(a), Some(b)) = (spaces.next(), spaces.next()) else { return 0 };
        let (a_lines, b_lines) = (self.open_lines(a), self.open_lines(b));
        let common = a_lines.and(b_lines);
        let mut best = i32::MIN;
        for (lines, others) in [(a_lines, b_lines), (b_lines, a_lines)] {
            let others = others.minus(common);
            let mut replies = [0; 4];
            for (reply, choice) in replies.iter_mut().zip(theirs.list()) {
                *reply = worth(after, self.points(others, choice.kind)) - choice.cost;
            }
            for choice in mine.list() {
                let gain = worth(turn, self.points(lines, choice.kind)) - choice.cost;
                let line = common.into_iter().next();
                let next =
                    line.map_or(SETTLED, |line| self.plan.lines.step(self.states[line.index()], choice.kind).next);
                let reply = |(reply, choice): (&i32, &Choice)| {
                    reply + worth(after, self.plan.lines.step(next, choice.kind).gain[0])
                };
                let reply = replies.iter().zip(theirs.list()).map(reply).max().unwrap_or(0);
                best = best.max(if after.team == turn.team { gain + reply } else { gain - reply });
            }
            if a_lines == b_lines {
                break;
            }
        }
        best
    }
}

impl Choices {
    #[inline]
    fn add(&mut self, choice: Choice) {
        if !self.list().contains(&choice) {
            self.0[self.1] = choice;
            self.1 += 1;
        }
    }

    #[inline]
    fn list(&self) -> &[Choice] {
        &self.0[..self.1]
    }
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
            moves.extend(choices.list().iter().map(|&choice| self.placement(turn, space, lines, choice)));
        }
    }

    fn play(&mut self, mv: Put) {
        let turn = self.turn();
        for line in self.open_lines(mv.space) {
            let state = &mut self.states[line.index()];
            let step = self.plan.lines.step(*state, mv.kind);
            *state = step.next;
            self.low += step.low[0] - step.gain[0];
            self.high += step.high[0] - step.gain[0];
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
