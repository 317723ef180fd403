//! Playing a move: put the tile, score the lines that it fills, draw, and perhaps end the game. The deal was the only
//! chance, so this is deterministic.

use std::fmt;

use crate::board::{Line, LineSet, SPACES, Space};
use crate::moves::Move;
use crate::position::{Position, added};
use crate::score::{LinePoints, add_last_seat_bonus, score_line, winners};
use crate::tile::{Animal, Placed, Seat, TeamSet};

/// Why a move cannot be played. The texts hold nothing that the seat to move may not know.
///
/// ```
/// # use savanna_core::Position;
/// let start: Position = "2p ..../..../..../..../.... mg/mz ezzmgzmm/mgzmzgme 0/0".parse()?;
/// let error = start.play("zebra c4".parse()?).unwrap_err();
/// assert_eq!(error.to_string(), "seat 0 holds no zebra");
/// # Ok::<(), savanna_core::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(clippy::exhaustive_enums, reason = "the rules give no other reason")]
pub enum PlayError {
    /// The game is over.
    GameOver,
    /// There is a tile on the space.
    Taken(Space),
    /// The seat to move does not hold this animal.
    NotInHand {
        /// Who is to move.
        seat: Seat,
        /// What was to be placed.
        animal: Animal,
    },
    /// The view is public, or that of another seat than the one to move, so that it knows no hand to play from.
    NotToMove {
        /// Whose view it is; `None` if it is public.
        viewer: Option<Seat>,
        /// Who is to move.
        to_move: Seat,
    },
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::GameOver => write!(f, "the game is over after {SPACES} plies"),
            PlayError::Taken(space) => write!(f, "{space} is already taken"),
            PlayError::NotInHand { seat, animal } => write!(f, "seat {seat} holds no {animal}"),
            PlayError::NotToMove { viewer: None, .. } => f.write_str("a public view has no seat to move for"),
            PlayError::NotToMove { viewer: Some(seat), to_move } => {
                write!(f, "view is that of seat {seat}, but seat {to_move} is to move")
            }
        }
    }
}

impl std::error::Error for PlayError {}

/// A line that a move fills, and what it gives: see [`Position::lines_filled`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LineScore {
    /// Which line.
    pub line: Line,
    /// Its total and points.
    pub score: LinePoints,
}

impl Position {
    /// The position after a move.
    ///
    /// # Errors
    /// The move is not legal here; this position is unchanged.
    ///
    /// # Example
    /// ```
    /// # use savanna_core::Position;
    /// let start: Position = "2p ..../..../..../..../.... mg/mz ezzmgzmm/mgzmzgme 0/0".parse()?;
    /// let next = start.play("monkey lion c4".parse()?)?; // and the Elephant is drawn
    /// assert_eq!(next.to_string(), "2p ..../..0M./..../..../.... ge/mz zzmgzmm/mgzmzgme 0/0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&self, mv: Move) -> Result<Position, PlayError> {
        self.refusal(mv).map_or_else(|| Ok(self.play_unchecked(mv)), Err)
    }

    /// The position after a move that is known to be legal, since it comes from [`Position::legal_moves`], say. Any other
    /// move gives a position that [`Position::check`] refuses, or panics.
    #[must_use]
    pub fn play_unchecked(&self, mv: Move) -> Position {
        let mut next = *self;
        next.advance(mv, |_| {});
        next
    }

    /// The lines that a move would fill, in their order, and what each would give.
    ///
    /// # Errors
    /// The move is not legal here.
    ///
    /// # Example
    /// ```
    /// # use savanna_core::{ByTeam, Line, Position};
    /// let position: Position = "2p 0z1m0m./..../..../..../.... mz/mz mmzgge/mmzzgge 0/0".parse()?;
    /// let lines = position.lines_filled("zebra e5".parse()?)?;
    /// assert_eq!((lines.len(), lines[0].line, lines[0].score.total), (1, Line::ALL[0], 3 + 2 + 2 + 3));
    /// assert_eq!(lines[0].score.points, ByTeam([0, 3, 0, 0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lines_filled(&self, mv: Move) -> Result<Vec<LineScore>, PlayError> {
        if let Some(refusal) = self.refusal(mv) {
            return Err(refusal);
        }
        let mut lines = Vec::new();
        let mut next = *self;
        next.advance(mv, |line| lines.push(line));
        Ok(lines)
    }

    /// What each line that a move would fill would give: [`Position::lines_filled`] by the name that a
    /// [`View`](crate::view::View::preview) has for it, too.
    ///
    /// # Errors
    /// The move is not legal here.
    pub fn preview(&self, mv: Move) -> Result<Vec<LineScore>, PlayError> {
        self.lines_filled(mv)
    }

    /// Who has won; no team before the end. [`winners`] says how ties are broken.
    pub fn winners(&self) -> TeamSet {
        if self.is_over() { winners(&self.rules, &self.scores, &self.lions()) } else { TeamSet::default() }
    }

    fn refusal(&self, mv: Move) -> Option<PlayError> {
        let Some(seat) = self.seat() else {
            return Some(PlayError::GameOver);
        };
        if self.filled.contains(mv.space) {
            Some(PlayError::Taken(mv.space))
        } else if !self.hands[seat].contains(mv.animal) {
            Some(PlayError::NotInHand { seat, animal: mv.animal })
        } else {
            None
        }
    }

    /// Plays a legal move in place and shows each line that it fills.
    #[inline]
    pub(crate) fn advance(&mut self, mv: Move, mut show: impl FnMut(LineScore)) {
        debug_assert_eq!(self.refusal(mv), None);
        let seat = self.rules.seat_at(self.ply());
        self.board[mv.space.index()] = Some(Placed::new(seat, mv.animal, mv.face));
        self.filled = self.filled.with(mv.space);
        for line in self.lines_completed_by(mv.space) {
            let score = score_line(&self.rules, self.line_tally(line), self.rules.team_of(seat));
            self.scores = added(self.scores, &score.points);
            show(LineScore { line, score });
        }
        self.draw(seat, mv.animal);
        if self.is_over() {
            add_last_seat_bonus(&self.rules, &mut self.scores);
        }
    }

    /// The full lines through a space that has just been filled.
    #[inline]
    fn lines_completed_by(&self, space: Space) -> LineSet {
        space.lines().filter(|line| self.filled.contains_all(line.spaces())).collect()
    }

    /// Takes the placed animal out of the hand and draws the next tile, if there is one.
    #[inline]
    fn draw(&mut self, seat: Seat, placed: Animal) {
        let drawn = self.hands[seat].drawn(placed, self.decks[seat]);
        (self.hands[seat], self.decks[seat]) = drawn.expect("a legal move places a tile of the hand");
    }
}
