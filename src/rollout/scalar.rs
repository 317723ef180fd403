//! One game at a time: the backend that all others must equal, bit for bit.

use std::fmt;

use crate::board::{LINES, Line, SPACES, Space};
use crate::moves::Move;
use crate::parallel::Pulse;
use crate::position::{Position, added};
use crate::rollout::draws::{LANES, Stream, choice};
use crate::rollout::plan::{Plan, SeatPlan};
use crate::rollout::policy::Policy;
use crate::rules::MAX_DECK;
use crate::score::{LineTally, score_line, winners};
use crate::tile::{Animal, BySeat, ByTeam, Face, Seat, Team, TeamSet};

/// The lines through each space, filled up to four with a line that does not exist, so that a playout never has to
/// guess whether there is a fourth.
const FOUR_LINES: [[usize; 4]; SPACES] = {
    let mut table = [[LINES; 4]; SPACES];
    let mut space = 0;
    while space < SPACES {
        let (mut line, mut found) = (0, 0);
        while line < LINES {
            if Line::ALL[line].spaces().contains(Space::ALL[space]) {
                table[space][found] = line;
                found += 1;
            }
            line += 1;
        }
        space += 1;
    }
    table
};

/// A game that was played out, as [`playouts_watched`](crate::rollout::playouts_watched) shows it.
pub struct Playout<'p> {
    pub(super) plan: &'p Plan,
    /// Every seat's tiles: those that could be placed, in the order of play, then those under its Lions. What was
    /// exchanged on the way is noted in `exchanged`.
    pub(super) queues: BySeat<Queue>,
    moves: [Move; SPACES],
    scores: ByTeam<u16>,
    lions: ByTeam<u8>,
    lines: [u8; 3],
}

impl fmt::Debug for Playout<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Playout").field("start", &self.start()).field("moves", &self.moves()).finish_non_exhaustive()
    }
}

impl Playout<'_> {
    /// The moves in the order of play.
    pub fn moves(&self) -> &[Move] {
        &self.moves[..self.plan.plies.items.len()]
    }

    /// The final score of every team.
    pub fn scores(&self) -> ByTeam<u16> {
        self.scores
    }

    /// How many tiles of each team lie Lion face up at the end.
    pub fn lions(&self) -> ByTeam<u8> {
        self.lions
    }

    /// Who won.
    pub fn winners(&self) -> TeamSet {
        winners(self.plan.known.rules(), &self.scores, &self.lions)
    }

    /// How many lines were filled below, above and exactly at the target.
    pub fn lines(&self) -> [u8; 3] {
        self.lines
    }

    /// Where the game began, with every hidden tile decided.
    pub fn start(&self) -> Position {
        let queues = self.queues.0.map(Queue::as_it_came);
        let unseen = std::array::from_fn(|seat| {
            let plan = &self.plan.seats.0[seat];
            &queues[seat][plan.known.len()..][..plan.unseen.items.len()]
        });
        self.plan.source.start(&BySeat(unseen))
    }
}

/// The tiles of one seat in the order in which they come to its hand. On a turn, the seat holds the next one or two.
#[derive(Clone, Copy)]
pub(super) struct Queue {
    tiles: [Animal; MAX_DECK],
    turn: usize,
    /// Bit `t`: before turn `t`, the tiles of turns `t` and `t + 1` changed places.
    exchanged: u32,
}

impl Queue {
    /// The tiles in the hand, the one held longer first, if `tiles` can be placed in all.
    #[inline]
    pub(super) fn hand(&self, tiles: usize) -> &[Animal] {
        &self.tiles[self.turn..tiles.min(self.turn + 2)]
    }

    /// Places one of the two tiles in the hand: the one held longer or, if `last`, the one that came last; the only
    /// one if `tiles` can be placed in all and this is the last of them.
    #[inline]
    fn place(&mut self, last: bool, tiles: usize) -> Animal {
        let turn = self.turn;
        let exchange = usize::from(last && turn + 1 < tiles);
        self.tiles.swap(turn, turn + exchange);
        self.exchanged |= (exchange as u32) << turn;
        self.turn += 1;
        self.tiles[turn]
    }

    /// The tiles before any was placed.
    fn as_it_came(mut self) -> [Animal; MAX_DECK] {
        for turn in (0..self.turn).rev().filter(|turn| self.exchanged >> turn & 1 == 1) {
            self.tiles.swap(turn, turn + 1);
        }
        self.tiles
    }
}

/// What lies on the table in the course of a game.
pub(super) struct Table {
    /// In each line, and in none.
    pub(super) lines: [LineTally; LINES + 1],
    /// Which team placed the last tile of each line.
    placers: [Team; LINES + 1],
    /// Lions face up, by team.
    lions: ByTeam<u8>,
}

impl Plan {
    /// Plays this many games of a stream and shows each. Asks the pulse in every round and ends if it says so.
    pub(crate) fn play(
        &self,
        seed: u64,
        stream: u64,
        games: u64,
        pulse: &mut Pulse<'_>,
        mut show: impl FnMut(&Playout<'_>),
    ) {
        let mut stream = Stream::new(seed, stream);
        let mut round = vec![0; self.words * LANES];
        let mut game = Playout::new(self);
        let mut left = games;
        while left > 0 && pulse().is_continue() {
            stream.draw_round(&mut round);
            for lane in 0..LANES {
                if left > 0 && game.play(&round[lane * self.words..][..self.words]).is_some() {
                    show(&game);
                    left -= 1;
                }
            }
        }
    }
}

impl<'p> Playout<'p> {
    /// Room for one game after the other.
    fn new(plan: &'p Plan) -> Playout<'p> {
        let queue = Queue { tiles: [Animal::Monkey; MAX_DECK], turn: 0, exchanged: 0 };
        let blank = Move { animal: Animal::Monkey, face: Face::Front, space: Space::ALL[0] };
        Playout {
            plan,
            queues: BySeat([queue; Seat::ALL.len()]),
            moves: [blank; SPACES],
            scores: plan.scores,
            lions: plan.lions,
            lines: [0; 3],
        }
    }

    /// Plays the game that these words decide; `None` if one of them is refused.
    // Inlined into the loop of a thread, it would have too few registers.
    #[inline(never)]
    fn play(&mut self, words: &[u16]) -> Option<()> {
        let plan = self.plan;
        let (tile_words, words) = words.split_at(plan.tile_words);
        let (shared, ply_words) = words.split_at(plan.shared_words);
        self.deal(tile_words)?;
        let mut table = Table { lines: plan.lines, placers: [Team::ALL[0]; LINES + 1], lions: plan.lions };
        match plan.policy {
            Policy::Uniform => self.play_uniformly(shared, ply_words, &mut table)?,
            Policy::SoftGreedy | Policy::KeenGreedy => self.play_softly(shared, ply_words, &mut table),
        }
        self.lions = table.lions;
        self.score(&table.lines, &table.placers);
        Some(())
    }

    /// Chooses all moves uniformly: first all spaces, then one tile after the other.
    #[inline]
    fn play_uniformly(&mut self, choices: &[u16], ply_words: &[u16], table: &mut Table) -> Option<()> {
        let plan = self.plan;
        let (mut order, mut spaces) = ([0; SPACES], [Space::ALL[0]; SPACES]);
        for (&ply, space) in plan.plies.draw(&mut order, ply_words)?.iter().zip(plan.known.empty_spaces()) {
            spaces[ply] = space;
        }

        for (i, &space) in spaces[..plan.plies.items.len()].iter().enumerate() {
            let (face, last) = choice(choices, i);
            self.put(i, last, face, space, table);
        }
        Some(())
    }

    /// Plays ply `i`: one of the two tiles in the hand, with this face up, on this space.
    #[inline]
    pub(super) fn put(&mut self, i: usize, last: bool, face: Face, space: Space, table: &mut Table) {
        let (seat, team) = self.plan.turns[i];
        let plan = &self.plan.seats[seat];
        let animal = self.queues[seat].place(last, plan.placeable);
        self.moves[i] = Move { animal, face, space };
        table.lions[team] += u8::from(face == Face::Lion);
        let weight = plan.weights[animal.index()][face as usize];
        for line in FOUR_LINES[space.index()] {
            table.lines[line].add(weight);
            table.placers[line] = team;
        }
    }

    /// Decides every seat's queue.
    fn deal(&mut self, mut words: &[u16]) -> Option<()> {
        for seat in self.plan.known.rules().seats() {
            let SeatPlan { known, unseen, .. } = &self.plan.seats[seat];
            let (mine, rest) = words.split_at(unseen.shuffle.len());
            let queue = &mut self.queues[seat];
            (queue.turn, queue.exchanged) = (0, 0);
            queue.tiles[..known.len()].copy_from_slice(known);
            unseen.draw(&mut queue.tiles[known.len()..], mine)?;
            words = rest;
        }
        Some(())
    }

    /// Scores all lines that were filled. Tiles never move, so this may as well be done together at the end.
    fn score(&mut self, lines: &[LineTally; LINES + 1], placers: &[Team; LINES + 1]) {
        let rules = *self.plan.known.rules();
        let (mut scores, mut outcomes) = (self.plan.scores, [0; 3]);
        for line in self.plan.open_lines {
            let score = score_line(&rules, lines[line.index()], placers[line.index()]);
            scores = added(scores, &score.points);
            outcomes[score.outcome as usize] += 1;
        }
        (self.scores, self.lines) = (scores, outcomes);
    }
}
