//! Tiles and the people who own them: animals, faces, seats, teams, and small containers indexed by them.

use std::fmt;
use std::num::NonZeroU8;
use std::ops::{Index, IndexMut};

/// How many kinds of animal there are: the length of tables by [`Animal::index`].
pub const ANIMALS: usize = 5;
/// The greatest number of seats, and of teams, in a game: the length of [`BySeat`] and [`ByTeam`].
pub const MAX_SEATS: usize = 4;

/// The front of a tile. The index order is that of action ids.
///
/// ```
/// # use savanna_core::Animal;
/// assert_eq!(Animal::from_name("giraffe"), Some(Animal::Giraffe));
/// assert_eq!((Animal::Giraffe.index(), Animal::Giraffe.letter()), (2, 'g'));
/// assert_eq!(Animal::ALL.map(Animal::letter), ['m', 'z', 'g', 'e', 'u']);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[expect(clippy::exhaustive_enums, reason = "the game has no other")]
pub enum Animal {
    /// Printed influence 2.
    Monkey,
    /// Printed influence 3.
    Zebra,
    /// Printed influence 4.
    Giraffe,
    /// Printed influence 5.
    Elephant,
    /// Printed influence 1; only in the Mice variant.
    Mouse,
}

impl Animal {
    /// All animals in index order.
    pub const ALL: [Animal; ANIMALS] =
        [Animal::Monkey, Animal::Zebra, Animal::Giraffe, Animal::Elephant, Animal::Mouse];

    /// The index, 0..5.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The word of the rules, in lower case.
    pub const fn name(self) -> &'static str {
        ["monkey", "zebra", "giraffe", "elephant", "mouse"][self.index()]
    }

    /// The letter of the notation: `m z g e`, and `u` for the Mouse.
    pub const fn letter(self) -> char {
        ['m', 'z', 'g', 'e', 'u'][self.index()]
    }

    /// The animal of that name, if there is one.
    pub fn from_name(name: &str) -> Option<Animal> {
        Animal::ALL.into_iter().find(|animal| animal.name() == name)
    }
}

/// The side of a tile that lies up. A Lion hides the animal beneath from the other seats: [`View::tile`] shows how.
///
/// [`View::tile`]: crate::view::View::tile
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[expect(clippy::exhaustive_enums, reason = "a tile has two sides")]
pub enum Face {
    /// The animal shows.
    Front,
    /// The Lion shows.
    Lion,
}

impl Face {
    /// Both faces in index order.
    pub const ALL: [Face; 2] = [Face::Front, Face::Lion];

    /// The word of the rules, in lower case.
    pub const fn name(self) -> &'static str {
        ["front", "lion"][self as usize]
    }

    /// The face of that name, if there is one.
    pub fn from_name(name: &str) -> Option<Face> {
        Face::ALL.into_iter().find(|face| face.name() == name)
    }
}

/// A player's place in turn order, 0..4. Seats are taken from [`Seat::ALL`] or, if they are to play, from
/// [`Rules::seats`](crate::rules::Rules::seats), where an example is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u8);

impl Seat {
    /// All seats that a game can have.
    pub const ALL: [Seat; MAX_SEATS] = [Seat(0), Seat(1), Seat(2), Seat(3)];

    /// The index, 0..4.
    pub const fn index(self) -> usize {
        // It is below four anyway; said like this, no look-up in an array of four needs a check.
        self.0 as usize % MAX_SEATS
    }
}

/// Who scores: one seat, or two in the Team game. [`Rules::team_of`] tells whose team a seat plays for.
///
/// [`Rules::team_of`]: crate::rules::Rules::team_of
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Team(u8);

impl Team {
    /// All teams that a game can have.
    pub const ALL: [Team; MAX_SEATS] = [Team(0), Team(1), Team(2), Team(3)];

    /// The index, 0..4.
    pub const fn index(self) -> usize {
        // It is below four anyway; said like this, no look-up in an array of four needs a check.
        self.0 as usize % MAX_SEATS
    }
}

/// Generates an array with one entry for each of four seats or teams; entries beyond the game's are unused.
macro_rules! indexed_by {
    ($(#[$doc:meta])* $array:ident, $key:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
        pub struct $array<T>(pub [T; MAX_SEATS]);

        impl<T> Index<$key> for $array<T> {
            type Output = T;

            fn index(&self, key: $key) -> &T {
                &self.0[key.index()]
            }
        }

        impl<T> IndexMut<$key> for $array<T> {
            fn index_mut(&mut self, key: $key) -> &mut T {
                &mut self.0[key.index()]
            }
        }
    };
}

indexed_by!(
    /// One value for each seat; those of seats that do not play are unused and default. As [`ByTeam`], so that seats and
    /// teams are not mistaken for each other.
    BySeat, Seat
);
indexed_by!(
    /// One value for each team; those of teams that do not play are unused and default.
    ///
    /// ```
    /// # use savanna_core::{ByTeam, Team};
    /// let mut scores = ByTeam([3, 1, 0, 0]);
    /// scores[Team::ALL[1]] += 2;
    /// assert_eq!(scores, ByTeam([3, 3, 0, 0]));
    /// ```
    ByTeam, Team
);

/// A tile on the board, in one byte: a 1 bit, then seat, face and animal. It is the truth; what others see of it is a
/// [`Seen`](crate::notation::Seen).
///
/// ```
/// # use savanna_core::{Animal, Face, Placed, Seat};
/// let tile = Placed::new(Seat::ALL[1], Animal::Zebra, Face::Lion);
/// assert_eq!((tile.seat(), tile.animal(), tile.face()), (Seat::ALL[1], Animal::Zebra, Face::Lion));
/// assert_eq!(size_of::<Option<Placed>>(), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placed(NonZeroU8);

impl Placed {
    /// A tile of this seat with this face up.
    pub const fn new(seat: Seat, animal: Animal, face: Face) -> Placed {
        let bits = 1 | (seat.index() as u8) << 1 | (face as u8) << 3 | (animal as u8) << 4;
        match NonZeroU8::new(bits) {
            Some(bits) => Placed(bits),
            None => unreachable!(),
        }
    }

    /// The parts of its byte: a bit that is set, its seat, its face, its animal.
    pub(crate) const TAKEN: u8 = 1;
    pub(crate) const SEAT: u8 = 3 << 1;
    pub(crate) const FACE: u8 = 1 << 3;
    pub(crate) const ANIMAL: u8 = 7 << 4;

    /// How many bytes there are, those of tiles and others.
    pub(crate) const BYTES: usize = 1 << u8::BITS;

    /// The byte.
    pub(crate) const fn byte(self) -> u8 {
        self.0.get()
    }

    /// The tile of a byte; `None` of 0.
    pub(crate) const fn from_byte(byte: u8) -> Option<Placed> {
        match NonZeroU8::new(byte) {
            Some(bits) => Some(Placed(bits)),
            None => None,
        }
    }

    /// The owner.
    pub const fn seat(self) -> Seat {
        Seat::ALL[(self.0.get() >> 1 & 3) as usize]
    }

    /// The animal, which a Lion hides from other seats.
    pub const fn animal(self) -> Animal {
        Animal::ALL[(self.0.get() >> 4) as usize]
    }

    /// The side that lies up.
    pub const fn face(self) -> Face {
        Face::ALL[(self.0.get() >> 3 & 1) as usize]
    }
}

impl fmt::Debug for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Placed({}, {}, {})", self.seat().index(), self.animal().name(), self.face().name())
    }
}

/// How many tiles of each animal: a multiset of tiles.
///
/// ```
/// # use savanna_core::{Animal::*, TileCounts};
/// let counts: TileCounts = [Zebra, Monkey, Zebra].into_iter().collect();
/// assert_eq!((counts[Zebra], counts.total()), (2, 3));
/// assert_eq!(counts.tiles().collect::<Vec<_>>(), [Monkey, Zebra, Zebra]);
/// assert_eq!(counts.without(Mouse), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct TileCounts(pub [u8; ANIMALS]);

impl TileCounts {
    /// The number of tiles.
    pub fn total(&self) -> usize {
        self.0.iter().map(|&count| count as usize).sum()
    }

    /// Takes one tile away; `None` if there is none of this animal.
    pub fn without(mut self, animal: Animal) -> Option<TileCounts> {
        self[animal] = self[animal].checked_sub(1)?;
        Some(self)
    }

    /// The tiles in index order.
    pub fn tiles(&self) -> impl Iterator<Item = Animal> + '_ {
        Animal::ALL.into_iter().flat_map(|animal| std::iter::repeat_n(animal, self[animal] as usize))
    }
}

impl Index<Animal> for TileCounts {
    type Output = u8;

    fn index(&self, animal: Animal) -> &u8 {
        &self.0[animal.index()]
    }
}

impl IndexMut<Animal> for TileCounts {
    fn index_mut(&mut self, animal: Animal) -> &mut u8 {
        &mut self.0[animal.index()]
    }
}

impl FromIterator<Animal> for TileCounts {
    fn from_iter<I: IntoIterator<Item = Animal>>(tiles: I) -> TileCounts {
        let mut counts = TileCounts::default();
        for animal in tiles {
            counts[animal] = counts[animal].saturating_add(1);
        }
        counts
    }
}

/// The tiles in a hand, at most two, kept in index order so that equal hands are equal values.
///
/// ```
/// # use savanna_core::{Animal::*, Hand};
/// let hand = Hand::new(&[Zebra, Monkey]);
/// assert_eq!(hand, Hand::new(&[Monkey, Zebra]));
/// assert_eq!(hand.without(Monkey), Some(Hand::new(&[Zebra])));
/// assert_eq!(hand.with(Giraffe), None); // full
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Hand([Option<Animal>; 2]);

impl Hand {
    /// The most tiles that a hand holds.
    pub const SIZE: usize = 2;

    /// A hand of these tiles; those for which it has no room are left out.
    pub fn new(tiles: &[Animal]) -> Hand {
        tiles.iter().fold(Hand::default(), |hand, &tile| hand.with(tile).unwrap_or(hand))
    }

    /// The hand after a tile was placed and the next drawn, if there is one, and the deck; `None` if the hand does not
    /// hold the tile.
    #[inline]
    pub(crate) fn drawn(self, placed: Animal, deck: Deck) -> Option<(Hand, Deck)> {
        let hand = self.without(placed)?;
        Some(deck.draw().map_or((hand, deck), |(tile, deck)| (hand.with(tile).unwrap_or(hand), deck)))
    }

    /// The tiles in index order.
    pub fn tiles(self) -> impl Iterator<Item = Animal> {
        self.0.into_iter().flatten()
    }

    /// The number of tiles.
    pub fn len(self) -> usize {
        self.tiles().count()
    }

    /// Whether it has no tiles.
    pub fn is_empty(self) -> bool {
        self.0[0].is_none()
    }

    /// Whether the hand holds a tile of this animal.
    pub fn contains(self, animal: Animal) -> bool {
        self.0.contains(&Some(animal))
    }

    /// The hand without one tile of this animal; `None` if it holds none.
    pub fn without(self, animal: Animal) -> Option<Hand> {
        match self.0 {
            [Some(first), rest] if first == animal => Some(Hand([rest, None])),
            [first, Some(second)] if second == animal => Some(Hand([first, None])),
            _ => None,
        }
    }

    /// The hand with one more tile; `None` if it is full.
    pub fn with(self, animal: Animal) -> Option<Hand> {
        match self.0 {
            [None, _] => Some(Hand([Some(animal), None])),
            [Some(other), None] => Some(Hand([Some(other.min(animal)), Some(other.max(animal))])),
            _ => None,
        }
    }
}

/// Face-down tiles in draw order, at most 21: three bits a tile, the next one lowest, 0 past the last.
///
/// ```
/// # use savanna_core::{Animal::*, Deck};
/// let deck = Deck::new(&[Giraffe, Monkey]);
/// assert_eq!(deck.draw(), Some((Giraffe, Deck::new(&[Monkey]))));
/// assert_eq!((deck.len(), Deck::default().draw()), (2, None));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Deck(u64);

impl Deck {
    /// The tiles in draw order. Tiles past the 21st are dropped; no deck of valid rules has that many.
    pub fn new(tiles: &[Animal]) -> Deck {
        Deck(tiles[..tiles.len().min(21)].iter().rev().fold(0, |bits, &animal| bits << 3 | (animal.index() as u64 + 1)))
    }

    /// The next tile, and the deck without it; `None` when the deck is empty.
    pub fn draw(self) -> Option<(Animal, Deck)> {
        let next = (self.0 & 7).checked_sub(1)?;
        Some((Animal::ALL[next as usize], Deck(self.0 >> 3)))
    }

    /// The tiles in draw order.
    pub fn tiles(self) -> impl Iterator<Item = Animal> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let (animal, deck) = rest.draw()?;
            rest = deck;
            Some(animal)
        })
    }

    /// The tile drawn after `index` others, if there is one.
    #[inline]
    pub(crate) fn nth(self, n: usize) -> Option<Animal> {
        debug_assert!(n <= 21, "a deck has at most 21 tiles");
        Deck(self.0 >> (3 * n)).draw().map(|(tile, _)| tile)
    }

    /// The number of tiles.
    pub fn len(self) -> usize {
        (64 - self.0.leading_zeros() as usize).div_ceil(3)
    }

    /// Whether it has no tiles.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// A set of teams, one bit each, team 0 lowest: winners, since a win can be shared.
///
/// ```
/// # use savanna_core::{Team, TeamSet};
/// let winners: TeamSet = [Team::ALL[2], Team::ALL[0]].into_iter().collect();
/// assert_eq!(winners.teams().map(Team::index).collect::<Vec<_>>(), [0, 2]);
/// assert_eq!((winners.len(), winners.bits(), winners.contains(Team::ALL[1])), (2, 0b101, false));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct TeamSet(u8);

impl TeamSet {
    /// Whether the team is in the set.
    pub fn contains(self, team: Team) -> bool {
        self.0 >> team.0 & 1 == 1
    }

    /// How many teams there are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it has no teams.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The bits, team 0 lowest.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// The teams in ascending order.
    pub fn teams(self) -> impl Iterator<Item = Team> {
        Team::ALL.into_iter().filter(move |&team| self.contains(team))
    }
}

impl FromIterator<Team> for TeamSet {
    fn from_iter<I: IntoIterator<Item = Team>>(teams: I) -> TeamSet {
        TeamSet(teams.into_iter().fold(0, |bits, team| bits | 1 << team.0))
    }
}
