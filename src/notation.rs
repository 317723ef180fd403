//! Text forms that read back. Reading is strict: a text is accepted only if writing what was read gives it again.
//!
//! ```text
//! move      zebra c4                      front up;  `zebra lion c4` with the Lion up
//! rules     2p,mice,target=11             players, then every option that is not the printed one
//! position  RULES BOARD HANDS DECKS SCORES
//!           2p ..../0z1M../..../..../.... mz/mz mzemmgg/mzzegmg 0/0
//! view      seat=SEAT and a position in which `?` stands for each tile that the seat does not know
//!           seat=0 2p ..../0z1?../..../..../.... mz/?? ???????/??????? 0/0
//! ```
//!
//! The board lists the five ranks from the top. A tile is its seat and its animal's [letter](Animal::letter), in upper
//! case when it lies Lion face up. Hands are in index order and decks in draw order, `-` where there is no tile.

use std::fmt;
use std::str::FromStr;

use crate::board::{SPACES, Space, SpaceSet};
use crate::moves::Move;
use crate::position::{Position, StateError};
use crate::rules::{MAX_DECK, Rules, RulesOptions};
use crate::tile::{Animal, BySeat, ByTeam, Deck, Face, Hand, Placed, Seat};

/// Why a text cannot be read.
///
/// ```
/// # use savanna_core::{Move, Rules};
/// let error = "2p,mice,tarte=9".parse::<Rules>().unwrap_err();
/// assert_eq!(error.to_string(), "rules text, character 8: expected an option, found 't'");
/// let error = "zebra c3".parse::<Move>().unwrap_err();
/// assert_eq!(error.to_string(), "move text: 'c3' is no space");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
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
        let animal = Animal::from_name(animal).ok_or_else(|| move_error(animal, "is no animal"))?;
        let space = Space::from_name(space).ok_or_else(|| move_error(space, "is no space"))?;
        Ok(Move { animal, face, space })
    }
}

fn move_error(found: &str, problem: &str) -> NotationError {
    NotationError { what: "move text", at: None, problem: format!("{} {problem}", quoted(found)) }
}

/// Nothing of a kind has this name; its text lists those that there are.
///
/// ```
/// # use savanna_core::Policy;
/// let error = "greedy".parse::<Policy>().unwrap_err();
/// assert_eq!(error.to_string(), "policy must be one of uniform, soft-greedy, keen-greedy, got 'greedy'");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
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

/// Reads a text from the left and says where it stopped.
#[derive(Clone)]
pub(crate) struct Reader<'t> {
    pub(crate) what: &'static str,
    text: &'t str,
    /// Bytes read so far.
    at: usize,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(what: &'static str, text: &'t str) -> Reader<'t> {
        Reader { what, text, at: 0 }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn fail(&self, expected: &str) -> NotationError {
        let found = self.peek().map_or("the end".to_owned(), |found| format!("'{}'", found.escape_debug()));
        let at = Some(self.text[..self.at].chars().count());
        NotationError { what: self.what, at, problem: format!("expected {expected}, found {found}") }
    }

    /// Whether the text goes on with this; if so, it is read.
    fn take(&mut self, part: &str) -> bool {
        let found = self.text[self.at..].starts_with(part);
        self.at += if found { part.len() } else { 0 };
        found
    }

    pub(crate) fn expect(&mut self, part: &str) -> Result<(), NotationError> {
        if self.take(part) { Ok(()) } else { Err(self.fail(&format!("'{part}'"))) }
    }

    /// Checks that the whole text is what would be written for what was read.
    pub(crate) fn ends_as(&mut self, written: &str) -> Result<(), NotationError> {
        if self.text == written {
            return Ok(());
        }
        let same = self.text.char_indices().zip(written.chars()).find(|((_, a), b)| a != b);
        self.at = same.map_or(self.text.len().min(written.len()), |((at, _), _)| at);
        let expected = written.get(self.at..).and_then(|rest| rest.chars().next());
        Err(self.fail(&expected.map_or("the end".to_owned(), |c| format!("'{c}'"))))
    }

    /// A number of at most four digits.
    fn number(&mut self) -> Result<u16, NotationError> {
        let digits = self.text[self.at..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || digits > 4 {
            return Err(self.fail("a number of at most 4 digits"));
        }
        let value = self.text[self.at..self.at + digits].parse().map_err(|_| self.fail("a number"))?;
        self.at += digits;
        Ok(value)
    }

    fn numbers<const N: usize>(&mut self) -> Result<[i64; N], NotationError> {
        let mut numbers = [0; N];
        for (i, number) in numbers.iter_mut().enumerate() {
            if i > 0 {
                self.expect(".")?;
            }
            *number = self.number()?.into();
        }
        Ok(numbers)
    }

    /// The seat of a view.
    pub(crate) fn seat(&mut self, players: usize) -> Result<Seat, NotationError> {
        let seat = self.peek().and_then(|c| c.to_digit(10)).and_then(|digit| Seat::ALL.get(digit as usize).copied());
        let seat = seat.filter(|seat| seat.index() < players).ok_or_else(|| self.fail("a seat that plays"))?;
        self.at += 1;
        Ok(seat)
    }

    fn rules(&mut self) -> Result<Rules, NotationError> {
        let mut options = RulesOptions { players: self.number()?.into(), ..RulesOptions::default() };
        self.expect("p")?;
        while self.take(",") {
            if self.take("mice") {
                options.mice = true;
            } else if self.take("team") {
                options.team_game = true;
            } else if self.take("deck=") {
                options.deck = Some(self.numbers()?);
            } else if self.take("influence=") {
                options.influence = self.numbers()?;
            } else if self.take("target=") {
                options.target = self.number()?.into();
            } else if self.take("points=") {
                options.points = self.numbers()?;
            } else if self.take("bonus=") {
                options.last_seat_bonus = Some(self.number()?.into());
            } else if self.take("absent") {
                options.absent_can_be_least = true;
            } else {
                return Err(self.fail("an option"));
            }
        }
        Rules::new(&options).map_err(|e| NotationError { what: self.what, at: None, problem: e.to_string() })
    }

    /// The five fields; `letters` says which tiles may stand there, with `?` among them if they may be unknown.
    pub(crate) fn sheet(&mut self, letters: &str) -> Result<Sheet, NotationError> {
        let rules = self.rules()?;
        self.expect(" ")?;
        let mut board = [None; SPACES];
        for (i, square) in board.iter_mut().enumerate() {
            if i > 0 && i % 4 == 0 {
                self.expect("/")?;
            }
            if !self.take(".") {
                *square = Some(self.tile(&rules, letters)?);
            }
        }
        self.expect(" ")?;
        let hands = self.by_seat(&rules, letters)?;
        self.expect(" ")?;
        let decks = self.by_seat(&rules, letters)?;
        self.expect(" ")?;
        let mut scores = ByTeam::default();
        for team in rules.team_list() {
            if team.index() > 0 {
                self.expect("/")?;
            }
            scores[team] = self.number()?;
        }
        Ok(Sheet { rules, board, hands, decks, scores })
    }

    fn tile(&mut self, rules: &Rules, letters: &str) -> Result<Seen, NotationError> {
        let seat = self.seat(rules.players()).map_err(|_| self.fail("'.' or a seat that plays"))?;
        let face = if self.peek().is_some_and(|c| c.is_ascii_lowercase()) { Face::Front } else { Face::Lion };
        Ok(Seen { seat, animal: self.animal(letters)?, face })
    }

    fn animal(&mut self, letters: &str) -> Result<Option<Animal>, NotationError> {
        let letter = self.peek().map(|c| c.to_ascii_lowercase());
        let animal = Animal::ALL.into_iter().find(|animal| Some(animal.letter()) == letter);
        if animal.is_none() && !(letter == Some('?') && letters.contains('?')) {
            return Err(self.fail(letters));
        }
        self.at += 1;
        Ok(animal)
    }

    fn by_seat(&mut self, rules: &Rules, letters: &str) -> Result<BySeat<Vec<Option<Animal>>>, NotationError> {
        let mut lists = BySeat::default();
        for seat in rules.seats() {
            if seat.index() > 0 {
                self.expect("/")?;
            }
            if self.take("-") {
                continue;
            }
            let list: &mut Vec<_> = &mut lists[seat];
            while list.is_empty() || !matches!(self.peek(), None | Some(' ' | '/')) {
                list.push(self.animal(letters)?);
                if list.len() > MAX_DECK {
                    return Err(self.fail("at most 20 tiles"));
                }
            }
        }
        Ok(lists)
    }
}
