//! Where playouts start from, and what is unknown there.

use crate::moves::{LegalMoves, Move};
use crate::position::{Position, StateError};
use crate::rules::Rules;
use crate::tile::{Animal, BySeat, Seat, Team, TileCounts};
use crate::view::View;

/// What to play out. Rules, positions and views become sources by `into`.
///
/// ```
/// # use savanna_core::{Position, Rules, Source};
/// let start = Position::deal(&Rules::default(), 7);
/// let [deals, truth, seen]: [Source; 3] = [Rules::default().into(), start.into(), start.view(start.seat().unwrap()).into()];
/// assert_eq!([deals, truth, seen].map(|source| source.plies_left()), [20; 3]);
/// let mv = start.legal_moves().iter().next().expect("a move");
/// assert_eq!(truth.after(mv), Some(start.play_unchecked(mv).into()));
/// assert_eq!((seen.after(mv).map(|source| source.plies_left()), deals.after(mv)), (Some(19), None));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Source {
    /// A fresh deal for every game.
    Rules(Rules),
    /// This position, with its true hidden tiles.
    Position(Position),
    /// This view, with the tiles that it hides redrawn for every game.
    View(View),
    /// The same after a legal move of the seat that sees it; the tile that it then draws is redrawn, too. Only
    /// [`Source::after`] makes it.
    #[non_exhaustive]
    After {
        /// What the seat sees before the move.
        view: View,
        /// The move.
        mv: Move,
    },
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
    /// The legal moves and the team to move; `None` if there are no moves, or none that the source knows.
    pub fn moves(&self) -> Option<(LegalMoves, Team)> {
        let (moves, seat) = match self {
            Source::Position(position) => (position.legal_moves(), position.seat()?),
            Source::View(view) => (view.legal_moves(), view.seat()?),
            Source::Rules(_) | Source::After { .. } => return None,
        };
        (!moves.is_empty()).then(|| (moves, self.rules().team_of(seat)))
    }

    /// What comes after a move; `None` if it is not legal there, as none is before the deal.
    pub fn after(&self, mv: Move) -> Option<Source> {
        match self {
            Source::Position(position) => position.play(mv).ok().map(Source::Position),
            Source::View(view) if view.legal_moves().contains(mv) => Some(Source::After { view: *view, mv }),
            _ => None,
        }
    }

    /// The rules of its games.
    pub fn rules(&self) -> &Rules {
        match self {
            Source::Rules(rules) => rules,
            Source::Position(position) => position.rules(),
            Source::View(view) | Source::After { view, .. } => view.rules(),
        }
    }

    /// How many plies are left to play.
    pub fn plies_left(&self) -> usize {
        self.known().empty_spaces().len()
    }

    /// The start at which each seat's tiles are these, in the order of [`Position::tiles`]. It brings back a playout's
    /// [`start`](crate::rollout::Playout::start) of which only the tiles were kept.
    ///
    /// # Errors
    /// The tiles are not those of the rules, or not where the source knows them to be.
    pub fn start_with(&self, tiles: &BySeat<Vec<Animal>>) -> Result<Position, StateError> {
        let shape = match self {
            Source::View(view) => view.sample(0),
            Source::After { view, mv } => view.sample(0).play_unchecked(*mv),
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
            // The decks are unknown and so empty: nothing is drawn after the move.
            Source::After { view, mv } => view.known().play_unchecked(*mv),
        }
    }

    /// The tiles of a seat in the order in which they come to its hand, as far as that is known; the unseen ones
    /// follow.
    pub(crate) fn known_queue(&self, seat: Seat) -> Vec<Animal> {
        match self {
            Source::Position(position) => position.hand(seat).tiles().chain(position.deck(seat).tiles()).collect(),
            Source::View(view) | Source::After { view, .. } if view.seat() == Some(seat) => {
                self.known().hand(seat).tiles().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The tiles of a seat that are shuffled for every game.
    pub(crate) fn unseen(&self, seat: Seat) -> TileCounts {
        match self {
            _ if seat.index() >= self.rules().players() => TileCounts::default(),
            Source::Rules(rules) => rules.deck(),
            Source::Position(_) => TileCounts::default(),
            Source::View(view) | Source::After { view, .. } => view.unseen(seat),
        }
    }

    /// The start at which these are every seat's unseen tiles, as they come to hand, deck, and the places under Lions.
    pub(crate) fn start(&self, unseen: &BySeat<&[Animal]>) -> Position {
        let view = match self {
            Source::Rules(rules) => {
                let mut start = Position::empty(rules);
                rules.seats().for_each(|seat| start.give(seat, unseen[seat]));
                return start;
            }
            Source::Position(position) => return *position,
            Source::View(view) | Source::After { view, .. } => view,
        };
        let mut start = view.known();
        for seat in view.rules().seats() {
            let handed = view.hand_out(&mut start, seat, unseen[seat]);
            debug_assert!(handed.is_some(), "a view counts its unseen tiles");
        }
        if let Source::After { mv, .. } = self { start.play_unchecked(*mv) } else { start }
    }
}
