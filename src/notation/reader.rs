//! Reading from the left.

use crate::board::SPACES;
use crate::notation::{NotationError, Seen, Sheet};
use crate::rules::{MAX_DECK, Rules, RulesOptions};
use crate::tile::{Animal, BySeat, ByTeam, Face, Seat};

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

    /// The seat of a view, or the dash of a public one.
    pub(crate) fn viewer(&mut self, players: usize) -> Result<Option<Seat>, NotationError> {
        if self.take("-") { Ok(None) } else { self.seat(players).map(Some) }
    }

    fn seat(&mut self, players: usize) -> Result<Seat, NotationError> {
        let seat = self.peek().and_then(|c| c.to_digit(10)).and_then(|digit| Seat::ALL.get(digit as usize).copied());
        let seat = seat.filter(|seat| seat.index() < players).ok_or_else(|| self.fail("a seat that plays"))?;
        self.at += 1;
        Ok(seat)
    }

    pub(super) fn rules(&mut self) -> Result<Rules, NotationError> {
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
