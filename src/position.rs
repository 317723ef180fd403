//! A position: the full truth about a game at one moment, as an immutable value.

use std::collections::HashSet;
use std::fmt;

use crate::board::{Line, SPACES, Space, SpaceSet};
use crate::rng::{Purpose, Xoshiro256PlusPlus};
use crate::rules::{MAX_DECK, Rules};
use crate::score::{LineTally, add_last_seat_bonus, score_line};
use crate::tile::{Animal, BySeat, ByTeam, Deck, Face, Hand, Placed, Seat, Team, TileCounts};

/// Everything there is to know about a game at one moment, hidden tiles included. It is a small plain value: a move
/// makes a new one. Give players a [`View`](crate::view::View) of it instead.
///
/// ```
/// # use savanna_core::{Position, Rules, Seat};
/// let start = Position::deal(&Rules::default(), 7);
/// assert_eq!((start.seat(), start.hand(Seat::ALL[1]).len(), start.deck(Seat::ALL[1]).len()), (Some(Seat::ALL[0]), 2, 8));
/// assert_eq!(start, Position::deal(&Rules::default(), 7)); // the seed decides the deal
/// assert_eq!(start.to_string().parse(), Ok(start));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub(crate) rules: Rules,
    pub(crate) board: [Option<Placed>; SPACES],
    pub(crate) filled: SpaceSet,
    pub(crate) hands: BySeat<Hand>,
    pub(crate) decks: BySeat<Deck>,
    pub(crate) scores: ByTeam<u16>,
}

const _: () = assert!(size_of::<Position>() <= 128);

/// Why a set of decks cannot be dealt.
///
/// ```
/// # use savanna_core::{Animal, Position, Rules};
/// let error = Position::from_decks(&Rules::default(), &[[Animal::Monkey; 10]; 2]).unwrap_err();
/// assert_eq!(error.to_string(), "deck of seat 0 has 10 monkeys; the rules allow 4");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum DeckError {
    /// The number of decks is not the number of seats.
    Decks {
        /// The number of decks.
        got: usize,
        /// The number of seats.
        seats: usize,
    },
    /// A deck is not made of the tiles that the rules give.
    Tiles {
        /// Whose deck.
        seat: Seat,
        /// The first animal whose count is wrong.
        animal: Animal,
        /// Its count in the deck.
        got: usize,
        /// Its count in the rules.
        expected: usize,
    },
}

impl fmt::Display for DeckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeckError::Decks { got, seats } => write!(f, "{seats} players need {seats} decks, got {got}"),
            DeckError::Tiles { seat, animal, got, expected } => {
                let plural = if *animal == Animal::Mouse { "mice".to_owned() } else { format!("{animal}s") };
                let tiles = if *got == 1 { animal.to_string() } else { plural };
                write!(f, "deck of seat {seat} has {got} {tiles}; the rules allow {expected}")
            }
        }
    }
}

impl std::error::Error for DeckError {}

/// Why a position cannot occur, as [`Position::check`] and readers of text find.
///
/// ```
/// # use savanna_core::Position;
/// let error = "2p ..../..../..../..../.... mg/mz ezzmgzmm/mgzmzgme 3/0".parse::<Position>().unwrap_err();
/// assert_eq!(error.to_string(), "position text: the lines on the board cannot give these scores");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum StateError {
    /// The tiles of this seat do not add up to its deck.
    Tiles(Seat),
    /// A seat's number of tiles on the board does not match its turns.
    Turns {
        /// Whose tiles.
        seat: Seat,
        /// Tiles on the board.
        got: usize,
        /// Turns that the seat has had.
        expected: usize,
    },
    /// The hand of this seat has the wrong size.
    HandSize {
        /// Whose hand.
        seat: Seat,
        /// Tiles in the hand.
        got: usize,
        /// Tiles that it must hold.
        expected: usize,
    },
    /// No order of play gives these scores.
    Scores,
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateError::Tiles(seat) => write!(f, "the tiles of seat {seat} do not add up to its deck"),
            StateError::Turns { seat, got, expected } => {
                write!(f, "seat {seat} has {got} tiles on the board, but has had {expected} turns")
            }
            StateError::HandSize { seat, got, expected } => {
                write!(f, "the hand of seat {seat} has {got} tiles, it must have {expected}")
            }
            StateError::Scores => f.write_str("the lines on the board cannot give these scores"),
        }
    }
}

impl std::error::Error for StateError {}

impl Position {
    /// The start of a game whose decks are shuffled by this seed.
    pub fn deal(rules: &Rules, seed: u64) -> Position {
        let mut rng = Xoshiro256PlusPlus::numbered(seed, Purpose::Deal, 0);
        let mut start = Position::empty(rules);
        let mut deck = [Animal::Monkey; MAX_DECK];
        let mut size = 0;
        for animal in Animal::ALL {
            for _ in 0..rules.deck()[animal] {
                deck[size] = animal;
                size += 1;
            }
        }
        for seat in rules.seats() {
            let mut tiles = deck;
            rng.shuffle(&mut tiles[..size]);
            start.give(seat, &tiles[..size]);
        }
        start
    }

    /// The start of a game with these decks, one for each seat in draw order; the first two tiles are the hand.
    ///
    /// # Errors
    /// A number of decks other than the number of seats, or a deck that is not made of the tiles of the rules.
    ///
    /// # Example
    /// ```
    /// # use savanna_core::{Animal::*, Hand, Position, Rules, Seat};
    /// let deck = [Zebra, Monkey, Elephant, Monkey, Monkey, Monkey, Zebra, Zebra, Giraffe, Giraffe];
    /// let start = Position::from_decks(&Rules::default(), &[deck, deck])?;
    /// assert_eq!(start.hand(Seat::ALL[1]), Hand::new(&[Zebra, Monkey]));
    /// assert!(start.deck(Seat::ALL[1]).tiles().eq(deck[2..].iter().copied()));
    /// # Ok::<(), savanna_core::DeckError>(())
    /// ```
    pub fn from_decks<D: AsRef<[Animal]>>(rules: &Rules, decks: &[D]) -> Result<Position, DeckError> {
        if decks.len() != rules.players() {
            return Err(DeckError::Decks { got: decks.len(), seats: rules.players() });
        }
        let mut start = Position::empty(rules);
        for (seat, deck) in rules.seats().zip(decks) {
            let tiles = deck.as_ref();
            for animal in Animal::ALL {
                let got = tiles.iter().filter(|&&tile| tile == animal).count();
                let expected = rules.deck()[animal] as usize;
                if got != expected {
                    return Err(DeckError::Tiles { seat, animal, got, expected });
                }
            }
            start.give(seat, tiles);
        }
        Ok(start)
    }

    /// A board without tiles, and no tiles in any hand or deck.
    pub(crate) fn empty(rules: &Rules) -> Position {
        Position {
            rules: *rules,
            board: [None; SPACES],
            filled: SpaceSet::EMPTY,
            hands: BySeat::default(),
            decks: BySeat::default(),
            scores: ByTeam::default(),
        }
    }

    /// Gives the seat these tiles: the first two (or fewer) as its hand, the others as its deck.
    pub(crate) fn give(&mut self, seat: Seat, tiles: &[Animal]) {
        let (hand, deck) = tiles.split_at(tiles.len().min(Hand::SIZE));
        self.hands[seat] = Hand::new(hand);
        self.decks[seat] = Deck::new(deck);
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How many tiles have been placed.
    pub fn ply(&self) -> usize {
        self.filled.len()
    }

    /// The seat to move; `None` when the game is over.
    pub fn seat(&self) -> Option<Seat> {
        (!self.is_over()).then(|| self.rules.seat_at(self.ply()))
    }

    /// Whether every space is filled.
    pub fn is_over(&self) -> bool {
        self.filled == SpaceSet::FULL
    }

    /// The tile on a space.
    pub fn tile(&self, space: Space) -> Option<Placed> {
        self.board[space.index()]
    }

    /// The spaces without a tile.
    pub fn empty_spaces(&self) -> SpaceSet {
        self.filled.complement()
    }

    /// The tiles in a seat's hand.
    pub fn hand(&self, seat: Seat) -> Hand {
        self.hands[seat]
    }

    /// The tiles that a seat has still to draw, in draw order.
    pub fn deck(&self, seat: Seat) -> Deck {
        self.decks[seat]
    }

    /// The score of every team; the last seat's bonus is in it once the game is over.
    pub fn scores(&self) -> ByTeam<u16> {
        self.scores
    }

    /// How many tiles of each team lie Lion face up.
    pub fn lions(&self) -> ByTeam<u8> {
        let mut lions = ByTeam::default();
        for tile in self.board.iter().flatten() {
            lions[self.rules.team_of(tile.seat())] += u8::from(tile.face() == Face::Lion);
        }
        lions
    }

    /// The tiles of a seat that lie on the board.
    pub(crate) fn tiles_on_board(&self, seat: Seat) -> impl Iterator<Item = Placed> {
        self.board.iter().flatten().copied().filter(move |tile| tile.seat() == seat)
    }

    /// All tiles of a seat: on the board in reading order, in the hand in index order, in the deck in draw order. At
    /// the start of a game this is a draw order of its deck.
    pub fn tiles(&self, seat: Seat) -> Vec<Animal> {
        let placed = self.tiles_on_board(seat).map(Placed::animal);
        placed.chain(self.hands[seat].tiles()).chain(self.decks[seat].tiles()).collect()
    }

    /// The position in which each seat's tiles are these, in the order of [`Position::tiles`], with the same tiles'
    /// places and faces on the board.
    ///
    /// # Errors
    /// The tiles are not those of the rules, or others than a score or a front on the board allows.
    ///
    /// # Example
    /// ```
    /// # use savanna_core::{BySeat, Position, Seat};
    /// let truth: Position = "2p ..../..0G./..../..../.... mm/me gzezmmz/gzmgzzmm 0/0".parse()?;
    /// let mut tiles = BySeat(Seat::ALL.map(|seat| truth.tiles(seat)));
    /// tiles[Seat::ALL[0]].swap(0, 1); // the Giraffe under the Lion, and a Monkey in the hand
    /// let twin = truth.with_tiles(&tiles)?;
    /// assert_eq!(twin.to_string(), "2p ..../..0M./..../..../.... mg/me gzezmmz/gzmgzzmm 0/0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_tiles(&self, tiles: &BySeat<Vec<Animal>>) -> Result<Position, StateError> {
        let mut position = *self;
        for seat in self.rules.seats() {
            let mut rest = tiles[seat].iter();
            for square in position.board.iter_mut().flatten().filter(|tile| tile.seat() == seat) {
                let &animal = rest.next().ok_or(StateError::Tiles(seat))?;
                if square.face() == Face::Front && square.animal() != animal {
                    return Err(StateError::Tiles(seat));
                }
                *square = Placed::new(seat, animal, square.face());
            }
            if rest.len() > MAX_DECK {
                return Err(StateError::Tiles(seat));
            }
            position.give(seat, rest.as_slice());
        }
        position.check().map(|()| position)
    }

    /// What lies in a line.
    #[inline]
    pub(crate) fn line_tally(&self, line: Line) -> LineTally {
        let mut tally = LineTally::default();
        for space in line.spaces() {
            if let Some(tile) = self.board[space.index()] {
                tally.add(LineTally::of(&self.rules, tile));
            }
        }
        tally
    }

    /// Recomputes from scratch all that must hold in a position that can occur. Every position that this crate makes
    /// passes, but for what [`Position::play_unchecked`] makes of moves that are not legal; it is there for tests.
    ///
    /// # Errors
    /// The first thing that cannot be.
    pub fn check(&self) -> Result<(), StateError> {
        let deck_size = self.rules.deck().total();
        for seat in self.rules.seats() {
            let placed = self.tiles_on_board(seat).count();
            let expected = self.rules.turns_before(seat, self.ply());
            if placed != expected {
                return Err(StateError::Turns { seat, got: placed, expected });
            }
            let (got, expected) = (self.hands[seat].len(), Hand::SIZE.min(deck_size - placed));
            if got != expected {
                return Err(StateError::HandSize { seat, got, expected });
            }
            if self.tiles(seat).into_iter().collect::<TileCounts>() != self.rules.deck() {
                return Err(StateError::Tiles(seat));
            }
        }
        if self.possible_scores().contains(&self.scores) { Ok(()) } else { Err(StateError::Scores) }
    }

    /// Every score that the full lines on the board can have given. Only lines at the target leave a choice: any
    /// team in the line may have placed the last tile.
    fn possible_scores(&self) -> HashSet<ByTeam<u16>> {
        let full = Line::ALL.into_iter().filter(|line| self.filled.contains_all(line.spaces()));
        full.fold(HashSet::from([start_of_scores(self)]), |scores, line| {
            let gains: HashSet<ByTeam<u16>> = self.gains_by_filler(line).into_iter().map(|(_, gain)| gain).collect();
            scores.iter().flat_map(|&score| gains.iter().map(move |gain| added(score, gain))).collect()
        })
    }

    /// The points of a full line if this or that team filled it, for all that can have; nothing of a line with an empty
    /// space.
    pub(crate) fn gains_by_filler(&self, line: Line) -> Vec<(Team, ByTeam<u16>)> {
        if !self.filled.contains_all(line.spaces()) {
            return Vec::new();
        }
        let tally = self.line_tally(line);
        let present = self.rules.team_list().filter(|&team| tally.has_tile(team));
        present.map(|filler| (filler, score_line(&self.rules, tally, filler).points)).collect()
    }
}

/// What the scores of a position are without those of its lines: the last seat's bonus once the game is over.
pub(crate) fn start_of_scores(position: &Position) -> ByTeam<u16> {
    let mut start = ByTeam::default();
    if position.is_over() {
        add_last_seat_bonus(&position.rules, &mut start);
    }
    start
}

/// Scores with one line's points added.
#[inline]
pub(crate) fn added(scores: ByTeam<u16>, points: &ByTeam<u16>) -> ByTeam<u16> {
    // None comes near 65,536, so all four are added as one word.
    let word = |numbers: &ByTeam<u16>| numbers.0.iter().rev().fold(0, |word, &number| word << 16 | u64::from(number));
    let sum = word(&scores) + word(points);
    ByTeam([0, 16, 32, 48].map(|shift| (sum >> shift) as u16))
}
