//! Observations put together from the facts of a game.

use crate::board::SPACES;
use crate::envs::facts::{Counts, Facts, WIDE, Wide};
use crate::envs::layout::Layout;
use crate::moves::{ACTIONS, LegalMoves};
use crate::tile::{ANIMALS, Animal, Face, Placed, Seat, Team};
use crate::view::View;

/// What observations may be made of: bytes, which are small, or the floating-point numbers of networks, so that
/// [`Batch::step`](crate::envs::Batch::step) need not be followed by a conversion.
pub trait Number: Copy + Default + Send + From<u8> {}

impl Number for u8 {}

impl Number for f32 {}

impl Layout {
    /// Writes what a view shows.
    ///
    /// # Panics
    /// If the view is of other rules or public, if the layout is of perfect recall, which no view has, or if `numbers` is
    /// too short.
    pub fn observe(&self, view: &View, numbers: &mut [u8]) {
        assert!(view.rules() == self.rules() && !self.recall(), "a view of these rules is laid out without recall");
        let seat = view.seat().expect("the view of a seat");
        self.write(&Facts::of(view), seat, &mut numbers[..self.size()]);
    }

    /// Writes what a seat sees.
    #[inline(always)]
    pub(super) fn write<N: Number>(&self, facts: &Facts, me: Seat, out: &mut [N]) {
        // Loops of a known length need no counting.
        match (self.rules().players(), self.rules().teams()) {
            (2, _) => self.write_for::<N, 2, 2>(facts, me, out),
            (3, _) => self.write_for::<N, 3, 3>(facts, me, out),
            (_, 2) => self.write_for::<N, 4, 2>(facts, me, out),
            _ => self.write_for::<N, 4, 4>(facts, me, out),
        }
    }

    /// Writes the sections in their order.
    #[inline(always)]
    fn write_for<N: Number, const SEATS: usize, const TEAMS: usize>(&self, facts: &Facts, me: Seat, out: &mut [N]) {
        let seats: [Seat; SEATS] = std::array::from_fn(|row| Seat::ALL[(me.index() + row) % SEATS]);
        let my_team = self.rules().team_of(me).index();
        let teams: [Team; TEAMS] = std::array::from_fn(|row| Team::ALL[(my_team + row) % TEAMS]);
        let standing = self.standing(facts.ply, me);
        let mut pen = Pen { out };
        pen.needs(SPACES * (SEATS + ANIMALS + 2 + TEAMS) + WIDE - SPACES);
        for seat in seats {
            pen.spaces(&equal(&facts.tiles, OF_SEAT, Placed::new(seat, Animal::Monkey, Face::Front).byte()));
        }
        let shown = shown(&facts.tiles, me);
        for animal in Animal::ALL {
            pen.spaces(&equal(&shown, OF_ANIMAL, Placed::new(Seat::ALL[0], animal, Face::Front).byte()));
        }
        pen.spaces(&equal(&facts.tiles, OF_FACE, Placed::new(Seat::ALL[0], Animal::Monkey, Face::Lion).byte()));
        pen.spaces(&facts.missing);
        for team in teams {
            pen.spaces(&facts.influence[team.index()]);
        }
        if self.recall() {
            pen.spaces(&facts.order);
        }
        pen.needs(ANIMALS + SEATS * (3 + ANIMALS) + 2 * TEAMS);
        let mine = &facts.seats[me.index()];
        pen.row(&mine.hand.bytes(), ANIMALS);
        pen.row(&standing.sizes, 2 * SEATS);
        pen.row(&mine.unseen.bytes(), ANIMALS);
        for &seat in &seats[1..] {
            pen.row(&facts.seats[seat.index()].hidden.bytes(), ANIMALS);
        }
        pen.row(&teams.map(|team| facts.scores[team] as u8), TEAMS);
        pen.row(&teams.map(|team| facts.lions[team]), TEAMS);
        pen.row(&first::<SEATS>(&standing.to_move), SEATS);
        if self.recall() {
            pen.row(&first::<ANIMALS>(&mine.first_hand.bytes()), ANIMALS);
            let mut drawn = mine.draws.tiles().take(standing.turns);
            while !pen.out.is_empty() {
                let animal = drawn.next().map(Counts::one).unwrap_or_default();
                pen.row(&first::<ANIMALS>(&animal.bytes()), ANIMALS);
            }
        }
    }
}

/// Writes a 1 for each legal action.
#[inline(always)]
pub(super) fn write_mask(legal: LegalMoves, facts: &Facts, mask: &mut [i8; ACTIONS]) {
    *mask = [0; ACTIONS];
    if legal.is_empty() {
        return;
    }
    let free = equal(&facts.tiles, Placed::TAKEN, 0);
    let row = first::<SPACES>(&free).map(|flag| flag as i8);
    let rows = mask.as_chunks_mut::<SPACES>().0;
    // A hand has at most two animals.
    for animal in [legal.animals().trailing_zeros(), legal.animals().ilog2()] {
        rows[Face::ALL.len() * animal as usize] = row;
        rows[Face::ALL.len() * animal as usize + 1] = row;
    }
}

/// Writes one row after the other.
struct Pen<'o, N> {
    out: &'o mut [N],
}

impl<N: Number> Pen<'_, N> {
    /// Checks once that there is room for n numbers.
    #[inline(always)]
    fn needs(&self, count: usize) {
        assert!(self.out.len() >= count, "room for an observation");
    }

    /// Writes a row that is this long. What stands past its end the next row writes over: whole words are written faster.
    #[inline(always)]
    fn row<const C: usize>(&mut self, row: &[u8; C], length: usize) {
        *self.out.first_chunk_mut().expect("room for an observation") = row.map(N::from);
        self.out = &mut std::mem::take(&mut self.out)[length..];
    }

    /// Writes a number for each space or line. Bytes that are not wanted cost nothing, but other numbers do.
    #[inline(always)]
    fn spaces(&mut self, row: &Wide) {
        if size_of::<N>() == 1 { self.row(row, SPACES) } else { self.row(&first::<SPACES>(row), SPACES) }
    }
}

/// The first bytes of a row.
#[inline(always)]
fn first<const C: usize>(row: &[u8]) -> [u8; C] {
    std::array::from_fn(|i| row[i])
}

/// The parts of a tile's byte in which a place is told to be taken, and by whom, with which animal, with which face up.
const OF_SEAT: u8 = Placed::TAKEN | Placed::SEAT;
const OF_ANIMAL: u8 = Placed::TAKEN | Placed::ANIMAL;
const OF_FACE: u8 = Placed::TAKEN | Placed::FACE;

/// A 1 where a part of the tile is that of `tile`.
#[inline(always)]
fn equal(tiles: &Wide, part: u8, tile: u8) -> Wide {
    let mut row = [0; WIDE];
    for (flag, it) in row.iter_mut().zip(tiles) {
        *flag = u8::from(it & part == tile & part);
    }
    row
}

/// The tiles as a seat sees them: 0 for another seat's Lions.
#[inline(always)]
fn shown(tiles: &Wide, me: Seat) -> Wide {
    let mine = Placed::new(me, Animal::Monkey, Face::Front).byte() & Placed::SEAT;
    let mut row = [0; WIDE];
    for (seen, &it) in row.iter_mut().zip(tiles) {
        let hidden = it & Placed::FACE != 0 && it & Placed::SEAT != mine;
        *seen = if hidden { 0 } else { it };
    }
    row
}
