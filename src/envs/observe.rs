//! Observations written: from a view, or kept up move by move.

use crate::board::{SPACES, Space};
use crate::envs::layout::Layout;
use crate::moves::Move;
use crate::tile::{Animal, ByTeam, Face, Hand, Seat, Team};
use crate::view::View;

/// What observations may be made of.
pub trait Number: Copy + Default + Send {
    /// The number that a count is.
    fn of(count: u8) -> Self;

    /// Writes all counts.
    #[inline]
    fn write(counts: &[u8], numbers: &mut [Self]) {
        for (number, &count) in numbers.iter_mut().zip(counts) {
            *number = Self::of(count);
        }
    }
}

impl Number for u8 {
    #[inline]
    fn of(count: u8) -> u8 {
        count
    }
}

impl Number for f32 {
    #[inline]
    fn of(count: u8) -> f32 {
        f32::from(count)
    }
}

/// A move as others may see it, and what came of it.
#[derive(Clone, Copy)]
pub(super) struct Event {
    pub(super) mover: Seat,
    /// Which tile of the game it was, from 0 on.
    pub(super) ply: usize,
    pub(super) mv: Move,
    /// The tile that the mover drew.
    pub(super) drawn: Option<Animal>,
    pub(super) scores: ByTeam<u16>,
    pub(super) lions: ByTeam<u8>,
}

impl Layout {
    /// Writes what a view shows.
    ///
    /// # Panics
    /// If the view is of other rules, if the layout is of perfect recall, which no view has, or if `numbers` is too short.
    pub fn observe(&self, view: &View, numbers: &mut [u8]) {
        assert!(*view.rules() == self.rules && !self.recall, "a view of these rules is laid out without recall");
        let out = &mut numbers[..self.size()];
        out.copy_from_slice(&self.blank);
        let me = view.seat();
        for space in Space::ALL {
            if let Some(tile) = view.tile(space) {
                self.put_tile(out, me, tile.seat, space, tile.animal, tile.face);
            }
        }
        for tile in view.hand().tiles() {
            out[self.at.hand + tile.index()] += 1;
        }
        for seat in self.rules.seats() {
            let row = self.seat_row(me, seat);
            out[self.at.hand_size + row] = view.hand_size(seat) as u8;
            out[self.at.deck_size + row] = view.deck_size(seat) as u8;
            for animal in Animal::ALL {
                *self.unseen(out, me, seat, animal) = view.unseen(seat)[animal];
            }
        }
        self.put_standing(out, me, &view.scores(), &view.lions(), view.to_move());
    }

    /// Writes what a seat sees when it has been dealt these tiles, in draw order.
    pub(super) fn begin(&self, out: &mut [u8], me: Seat, tiles: &[Animal]) {
        out.copy_from_slice(&self.blank);
        let (hand, _) = tiles.split_at(Hand::SIZE);
        for seat in self.rules.seats() {
            let row = self.seat_row(me, seat);
            out[self.at.hand_size + row] = Hand::SIZE as u8;
            out[self.at.deck_size + row] = (self.rules.deck().total() - Hand::SIZE) as u8;
            for animal in Animal::ALL {
                *self.unseen(out, me, seat, animal) = self.rules.deck()[animal];
            }
        }
        for &tile in hand {
            out[self.at.hand + tile.index()] += 1;
            *self.unseen(out, me, me, tile) -= 1;
            if self.recall {
                out[self.at.first_hand + tile.index()] += 1;
            }
        }
        out[self.at.to_move + self.seat_row(me, self.rules.seat_at(0))] = 1;
    }

    /// Adds what a seat sees of a move.
    #[inline]
    pub(super) fn follow(&self, out: &mut [u8], me: Seat, event: &Event) {
        let Event { mover, ply, mv, drawn, .. } = *event;
        let row = self.seat_row(me, mover);
        let shown = if mv.face == Face::Lion && mover != me { None } else { Some(mv.animal) };
        self.put_tile(out, me, mover, mv.space, shown, mv.face);
        if mover == me {
            out[self.at.hand + mv.animal.index()] -= 1;
            if let Some(tile) = drawn {
                out[self.at.hand + tile.index()] += 1;
                *self.unseen(out, me, me, tile) -= 1;
            }
        } else if let Some(animal) = shown {
            *self.unseen(out, me, mover, animal) -= 1;
        }
        out[if drawn.is_some() { self.at.deck_size } else { self.at.hand_size } + row] -= 1;
        out[self.at.to_move + row] = 0;
        let next = (ply + 1 < SPACES).then(|| self.rules.seat_at(ply + 1));
        self.put_standing(out, me, &event.scores, &event.lions, next);
        if self.recall {
            out[self.at.order + mv.space.index()] = ply as u8 + 1;
            if let Some(tile) = drawn.filter(|_| mover == me) {
                let turn = ply / self.rules.players();
                out[self.at.draws + turn * Animal::ALL.len() + tile.index()] = 1;
            }
        }
    }

    #[inline]
    fn put_tile(&self, out: &mut [u8], me: Seat, seat: Seat, space: Space, animal: Option<Animal>, face: Face) {
        out[self.at.owner + self.seat_row(me, seat) * SPACES + space.index()] = 1;
        if let Some(animal) = animal {
            out[self.at.animal + animal.index() * SPACES + space.index()] = 1;
        }
        out[self.at.lion + space.index()] = u8::from(face == Face::Lion);
        // A Lion is as strong whatever is beneath it.
        let influence = self.rules.influence(animal.unwrap_or(Animal::Monkey), face);
        let team = self.at.influence + self.team_row(me, self.rules.team_of(seat)) * SPACES;
        for line in space.lines() {
            out[self.at.missing + line.index()] -= 1;
            out[team + line.index()] += influence;
        }
    }

    #[inline]
    fn put_standing(&self, out: &mut [u8], me: Seat, scores: &ByTeam<u16>, lions: &ByTeam<u8>, next: Option<Seat>) {
        for team in Team::ALL.into_iter().take(self.rules.teams()) {
            let row = self.team_row(me, team);
            out[self.at.score + row] = scores[team] as u8;
            out[self.at.lions + row] = lions[team];
        }
        if let Some(seat) = next {
            out[self.at.to_move + self.seat_row(me, seat)] = 1;
        }
    }

    #[inline]
    fn unseen<'o>(&self, out: &'o mut [u8], me: Seat, seat: Seat, animal: Animal) -> &'o mut u8 {
        &mut out[self.at.unseen + self.seat_row(me, seat) * Animal::ALL.len() + animal.index()]
    }
}
