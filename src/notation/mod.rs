//! Text forms that read back. Reading is strict: a text is accepted only if writing what was read gives it again.
//!
//! ```text
//! animal    zebra, face: front, space: c4
//! move      zebra c4                      front up;  `zebra lion c4` with the Lion up
//! rules     2p,mice,target=11             players, then every option that is not the printed one
//! position  RULES BOARD HANDS DECKS SCORES
//!           2p ..../0z1M../..../..../.... mz/mz mzemmgg/mzzegmg 0/0
//! view      seat=SEAT and a position in which `?` stands for each tile that the seat does not know
//!           seat=0 2p ..../0z1?../..../..../.... mz/?? ???????/??????? 0/0
//!           seat=- in a public view, in which all hands, decks and animals under Lions are `?`
//! ```
//!
//! The board lists the five ranks from the top. A tile is its seat and its animal's [letter](Animal::letter), in upper
//! case when it lies Lion face up. Hands are in index order and decks in draw order, `-` where there are no tiles.

mod reader;

use std::fmt;
use std::str::FromStr;

pub(crate) use reader::Reader;

use crate::board::{SPACES, Space, SpaceSet};
use crate::moves::Move;
use crate::position::{Position, StateError};
use crate::rules::{Rules, RulesOptions};
use crate::tile::{Animal, BySeat, ByTeam, Deck, Face, Hand, Placed, Seat, Team};

/// Why a text cannot be read.
///
/// ```
/// # use savanna_core::{Move, Rules};
/// let error = "2p,mice,tarte=9".parse::<Rules>().unwrap_err();
/// assert_eq!(error.to_string(), "rules text, character 8: expected an option, found 't'");
/// let error = "zebra c3".parse::<Move>().unwrap_err();
/// assert_eq!(error.to_string(), "move text: 'c3' is not a space");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct NotationError {
    /// What the text should have been, such as `position text`.
    pub what: &'static str,
    /// How many characters were read before the trouble; `None` when the text reads well but means nothing possible.
    pub at: Option<usize>,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(at) => write!(f, "{}, character {at}: {}", self.what, self.problem),
            None => write!(f, "{}: {}", self.what, self.problem),
        }
    }
}

impl std::error::Error for NotationError {}

impl NotationError {
    pub(crate) fn impossible(what: &'static str, state: StateError) -> NotationError {
        NotationError { what, at: None, problem: state.to_string() }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.face {
            Face::Front => write!(f, "{} {}", self.animal, self.space),
            Face::Lion => write!(f, "{} lion {}", self.animal, self.space),
        }
    }
}

impl FromStr for Move {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Move, NotationError> {
        let words: Vec<&str> = text.split(' ').collect();
        let (animal, face, space) = match words[..] {
            [animal, space] => (animal, Face::Front, space),
            [animal, "lion", space] => (animal, Face::Lion, space),
            _ => return Err(move_error(text, "is not 'ANIMAL SPACE' or 'ANIMAL lion SPACE'")),
        };
        let animal = Animal::from_name(animal).ok_or_else(|| move_error(animal, "is not an animal"))?;
        let space = Space::from_name(space).ok_or_else(|| move_error(space, "is not a space"))?;
        Ok(Move { animal, face, space })
    }
}

fn move_error(found: &str, problem: &str) -> NotationError {
    unreadable("move text", found, problem)
}

fn unreadable(what: &'static str, found: &str, problem: &str) -> NotationError {
    NotationError { what, at: None, problem: format!("{} {problem}", quoted(found)) }
}

/// Makes a type its name as text, which reads back.
macro_rules! names {
    ($($named:ident: $what:literal, $problem:literal;)+) => {
        $(impl fmt::Display for $named {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $named {
            type Err = NotationError;

            fn from_str(name: &str) -> Result<$named, NotationError> {
                $named::from_name(name).ok_or_else(|| unreadable($what, name, $problem))
            }
        })+
    };
}

names!(
    Animal: "animal text", "is not an animal";
    Face: "face text", "is not a face";
    Space: "space text", "is not a space";
);

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.index().fmt(f)
    }
}

impl fmt::Display for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.index().fmt(f)
    }
}

/// Nothing of a kind has this name; its text lists those that there are.
///
/// ```
/// # use savanna_core::Policy;
/// let error = "greedy".parse::<Policy>().unwrap_err();
/// assert_eq!(error.to_string(), "policy must be one of uniform, soft-greedy, keen-greedy, got 'greedy'");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct UnknownName {
    what: &'static str,
    known: Vec<&'static str>,
    name: String,
}

impl UnknownName {
    /// The one of `all` things of a kind that has this name.
    pub(crate) fn find<T: Copy>(
        what: &'static str,
        all: &[T],
        name_of: impl Fn(T) -> &'static str,
        name: &str,
    ) -> Result<T, UnknownName> {
        let unknown =
            || UnknownName { what, known: all.iter().map(|&it| name_of(it)).collect(), name: name.to_owned() };
        all.iter().copied().find(|&it| name_of(it) == name).ok_or_else(unknown)
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} must be one of {}, got {}", self.what, self.known.join(", "), quoted(&self.name))
    }
}

impl std::error::Error for UnknownName {}

/// Text from outside, safe to show: quoted, escaped, and cut when long.
pub(crate) fn quoted(text: &str) -> String {
    const SHOWN: usize = 40;
    let start: String = text.chars().take(SHOWN).collect();
    let dots = if start.len() < text.len() { "..." } else { "" };
    format!("'{}{dots}'", start.escape_debug())
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mine, printed) = (self.options(), self.printed().options());
        write!(f, "{}p", mine.players)?;
        let flag = |on: bool, word: &str| if on { format!(",{word}") } else { String::new() };
        let list = |word: &str, numbers: &[i64], printed: &[i64]| {
            let joined = numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(".");
            flag(numbers != printed, &format!("{word}={joined}"))
        };
        f.write_str(&flag(mine.mice, "mice"))?;
        f.write_str(&flag(mine.team_game, "team"))?;
        f.write_str(&list("deck", mine.deck.as_ref().unwrap_or(&[0; 5]), printed.deck.as_ref().unwrap_or(&[0; 5])))?;
        f.write_str(&list("influence", &mine.influence, &printed.influence))?;
        f.write_str(&list("target", &[mine.target], &[printed.target]))?;
        f.write_str(&list("points", &mine.points, &printed.points))?;
        let bonus = |options: &RulesOptions| [options.last_seat_bonus.unwrap_or(0)];
        f.write_str(&list("bonus", &bonus(&mine), &bonus(&printed)))?;
        f.write_str(&flag(mine.absent_can_be_least, "absent"))
    }
}

impl FromStr for Rules {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Rules, NotationError> {
        let mut reader = Reader::new("rules text", text);
        let rules = reader.rules()?;
        reader.ends_as(&rules.to_string())?;
        Ok(rules)
    }
}

/// A tile as somebody sees it: what [`View::tile`](crate::view::View::tile) gives, where a
/// [`Position`] has the truth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Seen {
    /// The owner.
    pub seat: Seat,
    /// The animal, unless a Lion hides it.
    pub animal: Option<Animal>,
    /// The side that lies up.
    pub face: Face,
}

impl From<Placed> for Seen {
    fn from(tile: Placed) -> Seen {
        Seen { seat: tile.seat(), animal: Some(tile.animal()), face: tile.face() }
    }
}

/// The fields of a position or view as they are written, before anything is known to be possible. `None` is a tile
/// that is not known.
pub(crate) struct Sheet {
    pub(crate) rules: Rules,
    pub(crate) board: [Option<Seen>; SPACES],
    pub(crate) hands: BySeat<Vec<Option<Animal>>>,
    pub(crate) decks: BySeat<Vec<Option<Animal>>>,
    pub(crate) scores: ByTeam<u16>,
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |animal: Option<Animal>| animal.map_or('?', Animal::letter);
        let square = |tile: Option<Seen>| match tile {
            None => ".".to_owned(),
            Some(Seen { seat, animal, face: Face::Front }) => format!("{}{}", seat.index(), letter(animal)),
            Some(Seen { seat, animal, face: Face::Lion }) => {
                format!("{}{}", seat.index(), letter(animal).to_ascii_uppercase())
            }
        };
        let ranks = self.board.chunks(4).map(|rank| rank.iter().map(|&tile| square(tile)).collect::<String>());
        let tiles = |tiles: &Vec<Option<Animal>>| {
            if tiles.is_empty() { "-".to_owned() } else { tiles.iter().map(|&tile| letter(tile)).collect() }
        };
        let by_seat =
            |lists: &BySeat<Vec<_>>| self.rules.seats().map(|seat| tiles(&lists[seat])).collect::<Vec<_>>().join("/");
        let scores = self.rules.team_list().map(|team| self.scores[team].to_string());
        write!(
            f,
            "{} {} {} {} {}",
            self.rules,
            ranks.collect::<Vec<_>>().join("/"),
            by_seat(&self.hands),
            by_seat(&self.decks),
            scores.collect::<Vec<_>>().join("/")
        )
    }
}

impl Position {
    fn sheet(&self) -> Sheet {
        let known = |tiles: &mut dyn Iterator<Item = Animal>| tiles.map(Some).collect();
        Sheet {
            rules: self.rules,
            board: self.board.map(|tile| tile.map(Seen::from)),
            hands: BySeat(self.hands.0.map(|hand| known(&mut hand.tiles()))),
            decks: BySeat(self.decks.0.map(|deck| known(&mut deck.tiles()))),
            scores: self.scores,
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sheet().fmt(f)
    }
}

impl FromStr for Position {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Position, NotationError> {
        let mut reader = Reader::new("position text", text);
        let sheet = reader.sheet("a letter of m z g e u")?;
        let mut position = Position::empty(&sheet.rules);
        position.scores = sheet.scores;
        position.filled = filled(&sheet);
        let placed = |tile: Seen| Some(Placed::new(tile.seat, tile.animal?, tile.face));
        position.board = sheet.board.map(|tile| tile.and_then(placed));
        for seat in sheet.rules.seats() {
            position.hands[seat] = read_hand(&sheet, seat).map_err(|e| NotationError::impossible(reader.what, e))?;
            position.decks[seat] = Deck::new(&sheet.decks[seat].iter().copied().flatten().collect::<Vec<_>>());
        }
        position.check().map_err(|error| NotationError::impossible(reader.what, error))?;
        reader.ends_as(&position.to_string())?;
        Ok(position)
    }
}

/// The known tiles of a hand.
pub(crate) fn read_hand(sheet: &Sheet, seat: Seat) -> Result<Hand, StateError> {
    let tiles = &sheet.hands[seat];
    let too_many = StateError::HandSize { seat, got: tiles.len(), expected: Hand::SIZE };
    tiles.iter().flatten().try_fold(Hand::default(), |hand, &tile| hand.with(tile)).ok_or(too_many)
}

/// The spaces of a sheet that have a tile.
pub(crate) fn filled(sheet: &Sheet) -> SpaceSet {
    Space::ALL.into_iter().filter(|space| sheet.board[space.index()].is_some()).collect()
}
