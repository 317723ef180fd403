//! Observations put together from the facts of a game.

use crate::board::SPACES;
use crate::envs::facts::{COUNTS, Counts, Facts, WIDE, Wide};
use crate::envs::layout::Layout;
use crate::tile::{ANIMALS, Animal, Face, Placed, Seat};
use crate::view::View;

/// What observations may be made of.
pub trait Number: Copy + Default + Send {
    /// Writes all counts.
    fn write(counts: &[u8], numbers: &mut [Self]);

    /// Lets counts be written, through `room` if need be.
    fn fill(numbers: &mut [Self], room: &mut [u8], write: impl FnOnce(&mut [u8])) {
        let room = &mut room[..numbers.len()];
        write(room);
        Self::write(room, numbers);
    }
}

impl Number for u8 {
    fn write(counts: &[u8], numbers: &mut [u8]) {
        numbers.copy_from_slice(counts);
    }

    #[inline]
    fn fill(numbers: &mut [u8], _: &mut [u8], write: impl FnOnce(&mut [u8])) {
        write(numbers);
    }
}

impl Number for f32 {
    #[inline]
    fn write(counts: &[u8], numbers: &mut [f32]) {
        for (number, &count) in numbers.iter_mut().zip(counts) {
            *number = f32::from(count);
        }
    }
}

impl Layout {
    /// Writes what a view shows.
    ///
    /// # Panics
    /// If the view is of other rules, if the layout is of perfect recall, which no view has, or if `numbers` is too short.
    pub fn observe(&self, view: &View, numbers: &mut [u8]) {
        assert!(*view.rules() == self.rules && !self.recall, "a view of these rules is laid out without recall");
        self.write(&Facts::of(view), view.seat(), &mut numbers[..self.size()]);
    }

    /// Writes what a seat sees. Rows are written wider than they are, in ascending order, so each is cut by the next; the
    /// last ones are narrow.
    #[inline]
    pub(super) fn write(&self, facts: &Facts, me: Seat, out: &mut [u8]) {
        let (at, seats, teams) = (&self.at, self.rules.players(), self.rules.teams());
        let in_turn =
            |first: usize, row: usize, of: usize| if first + row < of { first + row } else { first + row - of };
        let my_team = self.rules.team_of(me).index();
        let seat_in = |row: usize| in_turn(me.index(), row, seats);
        let team_in = |row: usize| in_turn(my_team, row, teams);
        for row in 0..seats {
            let tile = Placed::new(Seat::ALL[seat_in(row)], Animal::Monkey, Face::Front).byte();
            wide(out, at.owner + row * SPACES, &equal(&facts.tiles, OF_SEAT, tile));
        }
        let shown = shown(&facts.tiles, me);
        for animal in Animal::ALL {
            let tile = Placed::new(Seat::ALL[0], animal, Face::Front).byte();
            wide(out, at.animal + animal.index() * SPACES, &equal(&shown, OF_ANIMAL, tile));
        }
        let lion = Placed::new(Seat::ALL[0], Animal::Monkey, Face::Lion).byte();
        wide(out, at.lion, &equal(&facts.tiles, OF_FACE, lion));
        wide(out, at.missing, &facts.missing);
        for row in 0..teams {
            wide(out, at.influence + row * SPACES, &facts.influence[team_in(row)]);
        }
        if self.recall {
            wide(out, at.order, &facts.order);
        }
        narrow(out, at.hand, &facts.hands[me.index()]);
        for row in 0..seats {
            out[at.hand_size + row] = facts.hand_sizes[seat_in(row)];
            out[at.deck_size + row] = facts.deck_sizes[seat_in(row)];
        }
        for row in 0..seats {
            let tiles = if row == 0 { &facts.decks } else { &facts.hidden };
            narrow(out, at.unseen + row * ANIMALS, &tiles[seat_in(row)]);
        }
        for row in 0..teams {
            out[at.score + row] = facts.scores[team_in(row)];
            out[at.lions + row] = facts.lions[team_in(row)];
        }
        let to_move = self.rules.seat_at(facts.ply.into()).index();
        for row in 0..seats {
            out[at.to_move + row] = u8::from(seat_in(row) == to_move && usize::from(facts.ply) < SPACES);
        }
        if self.recall {
            narrow(out, at.first_hand, &facts.first_hands[me.index()]);
            out[at.draws..].fill(0);
            for (turn, &drawn) in facts.draws[me.index()].iter().enumerate().filter(|&(_, &drawn)| drawn > 0) {
                out[at.draws + turn * ANIMALS + usize::from(drawn) - 1] = 1;
            }
        }
    }
}

/// The parts of a tile's byte in which a place is told to be taken, and by whom, with which animal, with which face up.
const OF_SEAT: u8 = Placed::TAKEN | Placed::SEAT;
const OF_ANIMAL: u8 = Placed::TAKEN | Placed::ANIMAL;
const OF_FACE: u8 = Placed::TAKEN | Placed::FACE;

/// A 1 where a part of the tile is that of `tile`.
#[inline]
fn equal(tiles: &Wide, part: u8, tile: u8) -> Wide {
    let mut row = [0; WIDE];
    for (flag, it) in row.iter_mut().zip(tiles) {
        *flag = u8::from(it & part == tile & part);
    }
    row
}

/// The tiles as a seat sees them: 0 for another seat's Lions.
#[inline]
fn shown(tiles: &Wide, me: Seat) -> Wide {
    let mine = Placed::new(me, Animal::Monkey, Face::Front).byte() & Placed::SEAT;
    let mut row = [0; WIDE];
    for (seen, &it) in row.iter_mut().zip(tiles) {
        let hidden = it & Placed::FACE != 0 && it & Placed::SEAT != mine;
        *seen = if hidden { 0 } else { it };
    }
    row
}

#[inline]
fn wide(out: &mut [u8], start: usize, row: &Wide) {
    out[start..start + WIDE].copy_from_slice(row);
}

#[inline]
fn narrow(out: &mut [u8], start: usize, row: &Counts) {
    out[start..start + COUNTS].copy_from_slice(row);
}
