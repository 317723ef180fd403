//! What has happened in a game, kept as rows of bytes from which any seat's observation is put together quickly.

use std::ops::{AddAssign, SubAssign};

use crate::board::{LINES, Line, SPACES, Space, SpaceSet};
use crate::moves::{LegalMoves, Move};
use crate::position::{Position, added};
use crate::rules::Rules;
use crate::score::{LineTally, add_last_seat_bonus, score_line};
use crate::tile::{Animal, ByTeam, Deck, Face, MAX_SEATS, Placed, Seat, Team, TileCounts};
use crate::view::View;
use crate::world::Setting;

/// How wide a row of spaces or lines is kept: wider than it is, since processors take 16 or 32 bytes at once. A row
/// that has just been changed is only ever changed and read as a whole, since they wait for parts that were written by
/// themselves.
pub(super) const WIDE: usize = 32;
/// A number for each space or line.
pub(super) type Wide = [u8; WIDE];

const _: () = assert!(SPACES <= WIDE);

/// A place of a row in which there is never anything.
const NOWHERE: u8 = WIDE as u8 - 1;

/// What rows need to know of a space.
#[derive(Clone, Copy)]
struct Place {
    /// All bits for the space itself, and for each line that runs through it.
    itself: Wide,
    through: Wide,
    /// Those lines, three or four.
    lines: [u8; 4],
}

const PLACES: [Place; SPACES] = {
    let mut table = [Place { itself: [0; WIDE], through: [0; WIDE], lines: [0; 4] }; SPACES];
    let mut i = 0;
    while i < SPACES {
        let lines = Space::ALL[i].lines().bits();
        table[i] = Place { itself: flags(1 << i), through: flags(lines), lines: items(lines) };
        i += 1;
    }
    table
};

/// By line: its spaces, three or four.
const SPACES_OF: [[u8; 4]; WIDE] = {
    let mut table = [[NOWHERE; 4]; WIDE];
    let mut i = 0;
    while i < LINES {
        table[i] = items(Line::ALL[i].spaces().bits());
        i += 1;
    }
    table
};

/// By line: its number of spaces; above 0 for places without a line, too.
const LENGTHS: Wide = {
    let mut lengths = [u8::MAX; WIDE];
    let mut i = 0;
    while i < LINES {
        lengths[i] = Line::ALL[i].spaces().len() as u8;
        i += 1;
    }
    lengths
};

/// All bits for each item of a set.
const fn flags(set: u32) -> Wide {
    let (mut row, mut i) = ([0; WIDE], 0);
    while i < WIDE {
        row[i] = if set >> i & 1 == 1 { u8::MAX } else { 0 };
        i += 1;
    }
    row
}

/// The items of a set, then `NOWHERE`.
const fn items(mut set: u32) -> [u8; 4] {
    let (mut items, mut i) = ([NOWHERE; 4], 0);
    while set != 0 {
        items[i] = set.trailing_zeros() as u8;
        set &= set - 1;
        i += 1;
    }
    items
}

/// How many tiles of each animal, a byte each in one word.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Counts(u64);

impl Counts {
    fn new(tiles: &TileCounts) -> Counts {
        Counts(tiles.0.iter().rev().fold(0, |word, &count| word << 8 | u64::from(count)))
    }

    /// One tile of this animal.
    #[inline]
    pub(super) fn one(animal: Animal) -> Counts {
        Counts(1 << (8 * animal.index()))
    }

    /// These, or none.
    #[inline]
    fn times(self, once: bool) -> Counts {
        Counts(self.0 * u64::from(once))
    }

    /// By animal, and nothing past the last.
    #[inline(always)]
    pub(super) fn bytes(self) -> [u8; 8] {
        self.0.to_le_bytes()
    }

    /// The animals of a hand, one bit each.
    #[inline]
    fn animals(self) -> u32 {
        // There are at most two of one. The product gathers the lowest bits of all bytes in its highest byte.
        let present = (self.0 | self.0 >> 1) & 0x0101_0101_0101_0101;
        (present.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
    }
}

impl AddAssign for Counts {
    #[inline]
    fn add_assign(&mut self, other: Counts) {
        self.0 += other.0;
    }
}

impl SubAssign for Counts {
    #[inline]
    fn sub_assign(&mut self, other: Counts) {
        self.0 -= other.0;
    }
}

/// The tiles of one seat that do not lie on the board.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tiles {
    /// Its hand, now and at the start.
    pub(super) hand: Counts,
    pub(super) first_hand: Counts,
    /// Those that nobody else has seen, and those that it has not seen itself.
    pub(super) hidden: Counts,
    pub(super) unseen: Counts,
    /// All that it draws in the game.
    pub(super) draws: Deck,
}

/// All that seats have seen so far, each its own part. From a view, it is what that seat knows, without the order of play.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// How many tiles were placed.
    pub(super) ply: u8,
    pub(super) empty: SpaceSet,
    pub(super) scores: ByTeam<u16>,
    pub(super) lions: ByTeam<u8>,
    /// By space: the byte of the tile on it, or 0, and which tile of the game it was, from 1 on.
    pub(super) tiles: Wide,
    pub(super) order: Wide,
    /// By line: empty spaces, and the influence of each team.
    pub(super) missing: Wide,
    pub(super) influence: [Wide; MAX_SEATS],
    /// By seat.
    pub(super) seats: [Tiles; MAX_SEATS],
}

impl Facts {
    /// An empty board, and all tiles still to be dealt.
    fn new(rules: &Rules) -> Facts {
        let deck = Counts::new(&rules.deck());
        Facts {
            ply: 0,
            empty: SpaceSet::FULL,
            scores: ByTeam::default(),
            lions: ByTeam::default(),
            tiles: [0; WIDE],
            order: [0; WIDE],
            missing: LENGTHS,
            influence: [[0; WIDE]; MAX_SEATS],
            seats: [Tiles { hidden: deck, unseen: deck, ..Tiles::default() }; MAX_SEATS],
        }
    }

    /// The start of a game.
    pub(super) fn begin(start: &Position) -> Facts {
        let mut facts = Facts::new(start.rules());
        for seat in start.rules().seats() {
            let tiles = &mut facts.seats[seat.index()];
            for tile in start.hand(seat).tiles() {
                tiles.hand += Counts::one(tile);
            }
            tiles.unseen -= tiles.hand;
            (tiles.first_hand, tiles.draws) = (tiles.hand, start.deck(seat));
        }
        facts
    }

    /// What a seat knows. Of other seats' tiles it is told only what that seat sees of them.
    pub(super) fn of(view: &View) -> Facts {
        let rules = view.rules();
        let mut facts = Facts::new(rules);
        for space in Space::ALL {
            let Some(tile) = view.tile(space) else { continue };
            // A Lion's influence does not depend on the animal beneath it, which others do not see.
            let animal = tile.animal.unwrap_or(Animal::Monkey);
            facts.put(rules, tile.seat, rules.team_of(tile.seat), Move { animal, face: tile.face, space });
        }
        for seat in rules.seats() {
            let unseen = Counts::new(&view.unseen(seat));
            facts.seats[seat.index()] = Tiles { hidden: unseen, unseen, ..Tiles::default() };
        }
        if let Some(seat) = view.seat() {
            view.hand().tiles().for_each(|tile| facts.seats[seat.index()].hand += Counts::one(tile));
        }
        facts.scores = view.scores();
        facts
    }

    /// Plays a legal move.
    #[inline(always)]
    pub(super) fn play(&mut self, setting: &Setting, mv: Move) {
        let (rules, turn) = (setting.rules(), setting.turn(self.ply.into()));
        self.put(rules, turn.seat, turn.team, mv);
        self.order[mv.space.index()] = self.ply;
        for line in PLACES[mv.space.index()].lines.map(usize::from) {
            if self.missing[line % WIDE] == 0 {
                self.scores = added(self.scores, &self.points(setting, line, turn.team));
            }
        }
        if self.empty.is_empty() {
            add_last_seat_bonus(rules, &mut self.scores);
        }
        let tiles = &mut self.seats[turn.seat.index()];
        let placed = Counts::one(mv.animal);
        tiles.hand -= placed;
        tiles.hidden -= placed.times(mv.face == Face::Front);
        if let Some(drawn) = tiles.draws.nth(turn.round.into()).map(Counts::one) {
            tiles.hand += drawn;
            tiles.unseen -= drawn;
        }
    }

    /// What a full line gives.
    #[inline(never)]
    fn points(&self, setting: &Setting, line: usize, placer: Team) -> ByTeam<u16> {
        let mut tally = LineTally::default();
        for space in SPACES_OF[line % WIDE] {
            tally.add(setting.weight(self.tiles[usize::from(space) % WIDE]));
        }
        score_line(setting.rules(), tally, placer).points
    }

    /// The legal moves of the seat to move; none when the board is full.
    #[inline(always)]
    pub(super) fn legal_moves(&self, setting: &Setting) -> LegalMoves {
        LegalMoves::of(self.seats[setting.turn(self.ply.into()).seat.index()].hand.animals(), self.empty)
    }

    /// The moves so far.
    pub(super) fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        (1..=self.ply).filter_map(|ply| {
            let place = self.order.iter().position(|&order| order == ply)?;
            let (tile, space) = (Placed::from_byte(self.tiles[place])?, Space::new(place)?);
            Some(Move { animal: tile.animal(), face: tile.face(), space })
        })
    }

    #[inline(always)]
    fn put(&mut self, rules: &Rules, seat: Seat, team: Team, mv: Move) {
        let (tile, influence) = (Placed::new(seat, mv.animal, mv.face).byte(), rules.influence(mv.animal, mv.face));
        let Place { itself, through, .. } = &PLACES[mv.space.index()];
        self.ply += 1;
        self.empty = self.empty.without(mv.space);
        self.lions[team] += u8::from(mv.face == Face::Lion);
        for (row, here) in self.tiles.iter_mut().zip(itself) {
            *row |= here & tile;
        }
        for (row, here) in self.missing.iter_mut().zip(through) {
            *row -= here & 1;
        }
        for (row, here) in self.influence[team.index()].iter_mut().zip(through) {
            *row += here & influence;
        }
    }
}
