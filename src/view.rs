//! What one seat, or everybody, knows, and how the rest may be redrawn. Players, renderers for a seat and environments
//! get a [`View`], never a [`Position`]. Nothing hidden can be reached from it.

use std::fmt;
use std::str::FromStr;

use crate::board::{LINES, SPACES, Space, SpaceSet};
use crate::lines::LineState;
use crate::moves::{LegalMoves, Move};
use crate::notation::{NotationError, Reader, Seen, Sheet, filled, read_hand};
use crate::play::{LineScore, PlayError};
use crate::position::{Position, StateError};
use crate::rng::{Purpose, Xoshiro256PlusPlus};
use crate::rules::Rules;
use crate::score::winners;
use crate::tile::{Animal, BySeat, ByTeam, Face, Hand, Placed, Seat, TeamSet, TileCounts};

/// All that one seat knows: the board with its own Lions' animals, its own hand, the sizes of hands and decks, the
/// scores. A public view has no seat: it knows what everybody sees, neither hands nor animals under Lions.
/// Positions that look the same give equal views, so everything computed from them is equal too.
///
/// ```
/// # use savanna_core::{Position, Seat};
/// let one: Position = "2p ..../..0G./..../..../.... mm/me gzezmmz/gzmgzzmm 0/0".parse()?;
/// let other: Position = "2p ..../..0M./..../..../.... mg/me gzezmmz/zgmgzzmm 0/0".parse()?;
/// let view = one.view(Seat::ALL[1]);
/// assert_eq!(view.to_string(), "seat=1 2p ..../..0?./..../..../.... ??/me ???????/???????? 0/0");
/// assert_eq!(other.view(Seat::ALL[1]), view);
/// assert_ne!(other.view(Seat::ALL[0]), one.view(Seat::ALL[0]));
/// assert_eq!(one.public().to_string(), "seat=- 2p ..../..0?./..../..../.... ??/?? ???????/???????? 0/0");
/// # Ok::<(), savanna_core::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct View {
    rules: Rules,
    seat: Option<Seat>,
    board: [Option<Seen>; SPACES],
    filled: SpaceSet,
    hand: Hand,
    scores: ByTeam<u16>,
}

impl Position {
    /// What a seat knows of this position; see [`View`].
    ///
    /// # Panics
    /// If the seat does not play in this game.
    pub fn view(&self, seat: Seat) -> View {
        assert!(seat.index() < self.rules.players(), "only a seat that plays has a view");
        self.seen_by(Some(seat))
    }

    /// What everybody knows of this position, those who have no seat too; see [`View`].
    pub fn public(&self) -> View {
        self.seen_by(None)
    }

    fn seen_by(&self, seat: Option<Seat>) -> View {
        let seen = |tile: Placed| {
            let hidden = tile.face() == Face::Lion && Some(tile.seat()) != seat;
            Seen { animal: if hidden { None } else { Some(tile.animal()) }, ..Seen::from(tile) }
        };
        View {
            rules: self.rules,
            seat,
            board: self.board.map(|tile| tile.map(seen)),
            filled: self.filled,
            hand: seat.map_or(Hand::default(), |seat| self.hands[seat]),
            scores: self.scores,
        }
    }
}

impl View {
    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Who sees this; `None` in a public view.
    pub fn seat(&self) -> Option<Seat> {
        self.seat
    }

    /// How many tiles have been placed.
    pub fn ply(&self) -> usize {
        self.filled.len()
    }

    /// The seat to move; `None` when the game is over.
    pub fn to_move(&self) -> Option<Seat> {
        (!self.is_over()).then(|| self.rules.seat_at(self.ply()))
    }

    /// Whether every space is filled.
    pub fn is_over(&self) -> bool {
        self.filled == SpaceSet::FULL
    }

    /// The tile on a space, as this seat sees it.
    ///
    /// ```
    /// # use savanna_core::{Animal, Face, Position, Seat, Seen, Space};
    /// let position: Position = "2p ..../..0G./..../..../.... mm/me gzezmmz/gzmgzzmm 0/0".parse()?;
    /// let c4 = Space::from_name("c4").expect("a space");
    /// let lion = |animal| Some(Seen { seat: Seat::ALL[0], animal, face: Face::Lion });
    /// assert_eq!(position.view(Seat::ALL[0]).tile(c4), lion(Some(Animal::Giraffe)));
    /// assert_eq!(position.view(Seat::ALL[1]).tile(c4), lion(None));
    /// # Ok::<(), savanna_core::NotationError>(())
    /// ```
    pub fn tile(&self, space: Space) -> Option<Seen> {
        self.board[space.index()]
    }

    /// The tiles in this seat's hand; none in a public view.
    pub fn hand(&self) -> Hand {
        self.hand
    }

    /// How many tiles a seat holds.
    pub fn hand_size(&self, seat: Seat) -> usize {
        self.rules.hand_and_deck(seat, self.ply()).0
    }

    /// How many tiles a seat has still to draw.
    pub fn deck_size(&self, seat: Seat) -> usize {
        self.rules.hand_and_deck(seat, self.ply()).1
    }

    /// The score of every team.
    pub fn scores(&self) -> ByTeam<u16> {
        self.scores
    }

    /// How many tiles of each team lie Lion face up.
    pub fn lions(&self) -> ByTeam<u8> {
        let mut lions = ByTeam::default();
        for tile in self.board.iter().flatten() {
            lions[self.rules.team_of(tile.seat)] += u8::from(tile.face == Face::Lion);
        }
        lions
    }

    /// Who has won; no team before the end.
    pub fn winners(&self) -> TeamSet {
        if self.is_over() { winners(&self.rules, &self.scores, &self.lions()) } else { TeamSet::default() }
    }

    /// A number for this view that is the same on every platform and for ever: the 64-bit FNV-1a hash (Fowler, Noll and
    /// Vo) of its text. Equal views have equal fingerprints, and others practically never do. Players number their random
    /// numbers by it ([`numbers_for`](crate::search::numbers_for)), so that they need remember nothing.
    pub fn fingerprint(&self) -> u64 {
        const START: u64 = 0xCBF2_9CE4_8422_2325;
        const PRIME: u64 = 0x0000_0100_0000_01B3;
        self.to_string().bytes().fold(START, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
    }

    /// Why no move can be made in this view; `None` if its seat is to move.
    pub(crate) fn refusal(&self) -> Option<PlayError> {
        match self.to_move() {
            None => Some(PlayError::GameOver),
            Some(to_move) if self.seat == Some(to_move) => None,
            Some(to_move) => Some(PlayError::NotToMove { viewer: self.seat, to_move }),
        }
    }

    /// What each line that a move of this seat would fill would give, as [`Position::preview`] says of the truth.
    ///
    /// # Errors
    /// The move is not legal here, as no move is in a public view or in that of a seat that is not to move.
    ///
    /// # Example
    /// ```
    /// # use savanna_core::{ByTeam, View};
    /// let view: View = "seat=1 2p 0z1m0?./..../..../..../.... ??/mz ??????/??????? 0/0".parse()?;
    /// let lines = view.preview("monkey e5".parse()?)?;
    /// assert_eq!((lines[0].score.total, lines[0].score.points), (3 + 2 + 6 + 2, ByTeam([0, 1, 0, 0])));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn preview(&self, mv: Move) -> Result<Vec<LineScore>, PlayError> {
        self.refusal().map_or_else(|| self.known().preview(mv), Err)
    }

    /// The 20 lines as they stand: those of the position, since nothing that is hidden counts in a line.
    ///
    /// ```
    /// # use savanna_core::Position;
    /// let position: Position = "2p 0z1m0M1z/..../..../..../.... mz/mg mmzgge/mmzgze 0/1".parse()?;
    /// assert_eq!(position.public().lines(), position.lines());
    /// # Ok::<(), savanna_core::NotationError>(())
    /// ```
    pub fn lines(&self) -> [LineState; LINES] {
        self.known().lines()
    }

    /// The legal moves of this seat; none unless it is to move.
    pub fn legal_moves(&self) -> LegalMoves {
        let hand = if self.refusal().is_none() { self.hand } else { Hand::default() };
        LegalMoves::new(hand, self.filled.complement())
    }

    /// The tiles of a seat that this view does not show: in another's hand, in any deck, under another's Lions.
    ///
    /// ```
    /// # use savanna_core::{Seat, TileCounts, View};
    /// let view: View = "seat=1 2p ..../..0?./..../..../.... ??/me ???????/???????? 0/0".parse()?;
    /// assert_eq!(view.unseen(Seat::ALL[0]), TileCounts([4, 3, 2, 1, 0])); // nothing of it has shown
    /// assert_eq!(view.unseen(Seat::ALL[1]), TileCounts([3, 3, 2, 0, 0])); // all but the own hand
    /// # Ok::<(), savanna_core::NotationError>(())
    /// ```
    pub fn unseen(&self, seat: Seat) -> TileCounts {
        let plays = seat.index() < self.rules.players();
        plays.then(|| self.unseen_if_possible(seat)).flatten().unwrap_or_default()
    }

    /// As `unseen`; `None` if more tiles show than the deck has, which no view of a position does.
    fn unseen_if_possible(&self, seat: Seat) -> Option<TileCounts> {
        let shown = self.board.iter().flatten().filter(|tile| tile.seat == seat).filter_map(|tile| tile.animal);
        let held = if self.seat == Some(seat) { self.hand } else { Hand::default() };
        shown.chain(held.tiles()).try_fold(self.rules.deck(), TileCounts::without)
    }

    /// The spaces where a seat's Lions hide an animal from this view, in reading order.
    pub(crate) fn hiding(&self, seat: Seat) -> SpaceSet {
        let hides = |tile: Seen| tile.seat == seat && tile.animal.is_none();
        Space::ALL.into_iter().filter(|space| self.board[space.index()].is_some_and(hides)).collect()
    }

    /// A position that is consistent with all that this seat knows, uniform over the ways in which the unseen tiles
    /// can lie.
    ///
    /// Every seat's unseen tiles are shuffled (Fisher and Yates, seat by seat). If the others choose their moves
    /// without regard to the animals, this is the exact posterior, since their hidden tiles are then exchangeable.
    ///
    /// ```
    /// # use savanna_core::{Seat, View};
    /// let view: View = "seat=1 2p ..../..0?./..../..../.... ??/me ???????/???????? 0/0".parse()?;
    /// let guesses = (0..50).map(|seed| view.sample(seed)).collect::<Vec<_>>();
    /// assert!(guesses.iter().all(|guess| guess.view(Seat::ALL[1]) == view));
    /// assert!(guesses.iter().any(|guess| *guess != guesses[0]));
    /// # Ok::<(), savanna_core::NotationError>(())
    /// ```
    pub fn sample(&self, seed: u64) -> Position {
        let mut rng = Xoshiro256PlusPlus::numbered(seed, Purpose::Sample, 0);
        self.complete(|tiles| rng.shuffle(tiles))
            .unwrap_or_else(|_| unreachable!("a view of a position can be completed"))
    }

    /// The position in which every seat's unseen tiles, listed in index order and then arranged by `arrange`, are its
    /// hand (of other seats), its deck in draw order, and the animals under its Lions in reading order.
    fn complete(&self, mut arrange: impl FnMut(&mut [Animal])) -> Result<Position, StateError> {
        let mut position = self.known();
        for seat in self.rules.seats() {
            let unseen = self.unseen_if_possible(seat).ok_or(StateError::Tiles(seat))?;
            let mut tiles: Vec<Animal> = unseen.tiles().collect();
            arrange(&mut tiles);
            self.hand_out(&mut position, seat, &tiles).ok_or(StateError::Tiles(seat))?;
        }
        Ok(position)
    }

    /// The position as far as this seat knows it, without the tiles in other hands and in decks. An animal that is not
    /// known stands as a monkey until it is handed out; under a Lion, it makes no difference to any score.
    pub(crate) fn known(&self) -> Position {
        let mut position = Position::empty(&self.rules);
        position.filled = self.filled;
        position.scores = self.scores;
        if let Some(seat) = self.seat {
            position.hands[seat] = self.hand;
        }
        let placed = |tile: Seen| Placed::new(tile.seat, tile.animal.unwrap_or(Animal::Monkey), tile.face);
        position.board = self.board.map(|tile| tile.map(placed));
        position
    }

    /// Hands a seat's unseen tiles out: to its hand unless it is known, its deck, and its Lions. `None` if there are
    /// too few tiles or too many.
    pub(crate) fn hand_out(&self, position: &mut Position, seat: Seat, tiles: &[Animal]) -> Option<()> {
        let lions = self.hiding(seat);
        let (held, hidden) = tiles.split_at_checked(tiles.len().checked_sub(lions.len())?)?;
        if self.seat == Some(seat) {
            let hand: Vec<Animal> = self.hand.tiles().collect();
            position.give(seat, &[&hand, held].concat());
        } else {
            position.give(seat, held);
        }
        for (space, &animal) in lions.zip(hidden) {
            position.board[space.index()] = Some(Placed::new(seat, animal, Face::Lion));
        }
        Some(())
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sheet = Sheet {
            rules: self.rules,
            board: self.board,
            hands: BySeat::default(),
            decks: BySeat::default(),
            scores: self.scores,
        };
        for seat in self.rules.seats() {
            sheet.hands[seat] = vec![None; self.hand_size(seat)];
            sheet.decks[seat] = vec![None; self.deck_size(seat)];
        }
        let Some(seat) = self.seat else {
            return write!(f, "seat=- {sheet}");
        };
        sheet.hands[seat] = self.hand.tiles().map(Some).collect();
        write!(f, "seat={seat} {sheet}")
    }
}

impl FromStr for View {
    type Err = NotationError;

    /// Reads the text of a view and checks that some position looks like this.
    fn from_str(text: &str) -> Result<View, NotationError> {
        let mut reader = Reader::new("view text", text);
        reader.expect("seat=")?;
        let mut before_seat = reader.clone();
        let seat = reader.viewer(Seat::ALL.len())?;
        reader.expect(" ")?;
        let sheet = reader.sheet("a letter of m z g e u or '?'")?;
        before_seat.viewer(sheet.rules.players())?; // only the rules, which come later, say which seats play
        let impossible = |error| NotationError::impossible("view text", error);
        let view = View {
            rules: sheet.rules,
            seat,
            board: sheet.board,
            filled: filled(&sheet),
            hand: seat.map_or(Ok(Hand::default()), |seat| read_hand(&sheet, seat)).map_err(impossible)?,
            scores: sheet.scores,
        };
        let position = view.complete(|_| {}).map_err(impossible)?;
        position.check().map_err(impossible)?;
        reader.ends_as(&position.seen_by(seat).to_string())?;
        Ok(view)
    }
}
