//! One game so far: where it began and what was played, so that it can tell all that a seat has seen.

use crate::board::SPACES;
use crate::envs::facts::Facts;
use crate::envs::layout::Layout;
use crate::envs::observe::write_mask;
use crate::moves::{ACTIONS, Move};
use crate::play::PlayError;
use crate::position::Position;
use crate::tile::Seat;
use crate::view::View;

/// A game from its deal to the present moment, as an immutable value. A view has forgotten the order in which things
/// happened; an episode observed by a [`Layout`] of perfect recall has not.
///
/// ```
/// # use savanna_core::{Position, Rules, envs::Episode};
/// let start = Position::deal(&Rules::default(), 7);
/// let mv = start.legal_moves().iter().next().expect("a move");
/// let episode = Episode::new(&start).expect("an empty board").play(mv)?;
/// assert_eq!((episode.start(), *episode.position()), (&start, start.play(mv)?));
/// assert!(episode.moves().eq([mv]) && Episode::new(episode.position()).is_none());
/// # Ok::<(), savanna_core::PlayError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Episode {
    start: Position,
    position: Position,
    /// Action ids; those of plies to come are 0.
    actions: [u8; SPACES],
}

impl Episode {
    /// The game that begins with this position, on an empty board.
    pub fn new(start: &Position) -> Option<Episode> {
        (start.ply() == 0).then_some(Episode { start: *start, position: *start, actions: [0; SPACES] })
    }

    /// The full truth at the start.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The full truth now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves so far.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.actions[..self.position.ply()].iter().filter_map(|&action| Move::from_action(action.into()))
    }

    /// The game after one more move.
    ///
    /// # Errors
    /// The move is not legal here.
    pub fn play(&self, mv: Move) -> Result<Episode, PlayError> {
        let mut next = *self;
        next.position = self.position.play(mv)?;
        next.actions[self.position.ply()] = mv.action() as u8;
        Ok(next)
    }

    /// What a seat knows now.
    ///
    /// # Panics
    /// If the seat does not play in this game.
    pub fn view(&self, seat: Seat) -> View {
        self.position.view(seat)
    }

    /// Writes what a seat sees, or has ever seen if the layout is of perfect recall.
    ///
    /// # Panics
    /// If the seat does not play in this game, if the layout is of other rules, or if `numbers` is too short.
    pub fn observe(&self, layout: &Layout, seat: Seat, numbers: &mut [u8]) {
        if !layout.recall() {
            return layout.observe(&self.view(seat), numbers);
        }
        assert!(layout.rules() == self.start.rules(), "a layout of these rules");
        assert!(seat.index() < layout.rules().players(), "only a seat that plays observes");
        let mut facts = Facts::begin(&self.start);
        for mv in self.moves() {
            facts.play(layout.setting(), mv);
        }
        layout.write(&facts, seat, &mut numbers[..layout.size()]);
    }

    /// Writes what the seat to move saw and what it could play before each of the moves, a row for each.
    ///
    /// # Panics
    /// If the layout is of other rules, or if there are not as many rows as moves.
    ///
    /// # Example
    /// ```
    /// # use savanna_core::{ACTIONS, Position, Rules, envs::{Episode, Layout}};
    /// let start = Position::deal(&Rules::default(), 7);
    /// let moves = start.legal_moves();
    /// let episode = Episode::new(&start).expect("an empty board").play(moves.iter().next().expect("a move"))?;
    /// let layout = Layout::new(start.rules(), true).expect("scores below 256");
    /// let (mut observations, mut masks) = (vec![0; layout.size()], [[0; ACTIONS]]);
    /// episode.turns(&layout, &mut observations, &mut masks);
    /// assert_eq!(masks[0], moves.mask().map(i8::from)); // what could be played before the only move so far
    /// # Ok::<(), savanna_core::PlayError>(())
    /// ```
    pub fn turns(&self, layout: &Layout, observations: &mut [u8], masks: &mut [[i8; ACTIONS]]) {
        assert!(layout.rules() == self.start.rules(), "a layout of these rules");
        let plies = self.position.ply();
        assert_eq!((observations.len(), masks.len()), (plies * layout.size(), plies), "a row for each move");
        let (setting, mut facts) = (layout.setting(), Facts::begin(&self.start));
        for ((mv, numbers), mask) in self.moves().zip(observations.chunks_exact_mut(layout.size())).zip(masks) {
            layout.write(&facts, setting.turn(facts.ply.into()).seat, numbers);
            write_mask(facts.legal_moves(setting), &facts, mask);
            facts.play(setting, mv);
        }
    }
}
