//! Where playouts start from, and what is unknown there.

use crate::position::{Position, StateError};
use crate::rules::Rules;
use crate::tile::{Animal, BySeat, Seat, TileCounts};
use crate::view::View;

/// What to play out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// A fresh deal for every game.
    Rules(Rules),
    /// This position, with its true hidden tiles.
    Position(Position),
    /// This view, with the tiles that it hides redrawn for every game.
    View(View),
}

impl From<Rules> for Source {
    fn from(rules: Rules) -> Source {
        Source::Rules(rules)
    }
}

impl From<Position> for Source {
    fn from(position: Position) -> Source {
        Source::Position(position)
    }
}

impl From<View> for Source {
    fn from(view: View) -> Source {
        Source::View(view)
    }
}

impl Source {
    /// The rules of its games.
    pub fn rules(&self) -> &Rules {
        match self {
            Source::Rules(rules) => rules,
            Source::Position(position) => position.rules(),
            Source::View(view) => view.rules(),
        }
    }

    /// How many plies are left to play.
    pub fn plies_left(&self) -> usize {
        self.known().empty_spaces().len()
    }

    /// The start at which each seat's tiles are these, in the order of [`Position::tiles`].
    ///
    /// # Errors
    /// The tiles are not those of the rules, or not where the source knows them to be.
    pub fn start_with(&self, tiles: &BySeat<Vec<Animal>>) -> Result<Position, StateError> {
        let shape = match self {
            Source::View(view) => view.sample(0),
            _ => self.known(),
        };
        shape.with_tiles(tiles)
    }

    /// The start as far as it is known; hidden tiles are missing from it.
    pub(crate) fn known(&self) -> Position {
        match self {
            Source::Rules(rules) => Position::empty(rules),
            Source::Position(position) => *position,
            Source::View(view) => view.known(),
        }
    }

    /// The tiles of a seat in the order in which they come to its hand, as far as that is known; the unseen ones
    /// follow.
    pub(crate) fn known_queue(&self, seat: Seat) -> Vec<Animal> {
        match self {
            Source::Position(position) => position.hand(seat).tiles().chain(position.deck(seat).tiles()).collect(),
            Source::View(view) if view.seat() == seat => view.hand().tiles().collect(),
            _ => Vec::new(),
        }
    }

    /// The tiles of a seat that are shuffled for every game.
    pub(crate) fn unseen(&self, seat: Seat) -> TileCounts {
        match self {
            _ if seat.index() >= self.rules().players() => TileCounts::default(),
            Source::Rules(rules) => rules.deck(),
            Source::Position(_) => TileCounts::default(),
            Source::View(view) => view.unseen(seat),
        }
    }

    /// Puts a seat's shuffled unseen tiles where they lie at the start: hand, deck, and under Lions.
    pub(crate) fn hand_out(&self, start: &mut Position, seat: Seat, unseen: &[Animal]) {
        match self {
            Source::Rules(_) => start.give(seat, unseen),
            Source::Position(_) => {}
            Source::View(view) => {
                let handed = view.hand_out(start, seat, unseen);
                debug_assert!(handed.is_some(), "a view counts its unseen tiles");
            }
        }
    }
}
