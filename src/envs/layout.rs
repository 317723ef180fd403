//! Where each number of an observation lies, and how far it goes.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::board::{LINES, Line, SPACES, Space, SpaceSet};
use crate::moves::{ACTIONS, Move};
use crate::rules::Rules;
use crate::tile::{ANIMALS, Animal, Face, Hand, MAX_SEATS, Seat};
use crate::world::Setting;

/// What the columns of a [`Section`] stand for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Over {
    /// The spaces in reading order.
    Spaces,
    /// The scoring lines in their order.
    Lines,
    /// The animals in index order.
    Animals,
    /// One number.
    One,
}

impl Over {
    const fn columns(self) -> usize {
        match self {
            Over::Spaces => SPACES,
            Over::Lines => LINES,
            Over::Animals => ANIMALS,
            Over::One => 1,
        }
    }
}

/// A part of an observation: a table of numbers, row after row. [`Layout::sections`] lists them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Section {
    /// Its name.
    pub name: &'static str,
    /// Where in the observation it begins.
    pub start: usize,
    /// How many rows it has: seats or teams, the observing one first, animals, or turns.
    pub rows: usize,
    /// What its columns are.
    pub over: Over,
    /// The greatest number that can stand in it; the least is 0.
    pub high: u8,
    /// What its numbers say.
    pub meaning: &'static str,
}

impl Section {
    /// How many columns it has.
    pub fn columns(&self) -> usize {
        self.over.columns()
    }

    /// How many numbers it has.
    pub fn size(&self) -> usize {
        self.rows * self.columns()
    }
}

/// Rules whose observations would need numbers beyond 255.
///
/// ```
/// # use savanna_core::envs::Layout;
/// let error = Layout::new(&"2p,points=50.1.3".parse()?, false).unwrap_err();
/// assert_eq!(error.max_score, 20 * 50);
/// # Ok::<(), savanna_core::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct LayoutError {
    /// The most points that a team can have.
    pub max_score: usize,
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LayoutError { max_score } = self;
        write!(f, "observations hold numbers up to 255, but by these rules a score can reach {max_score}")
    }
}

impl std::error::Error for LayoutError {}

/// What a seat sees at some ply in every game. Seats stand in turn order from the observing one on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    /// How many tiles the seats have in their hands, then how many they have still to draw.
    pub(super) sizes: [u8; 2 * MAX_SEATS],
    pub(super) to_move: [u8; MAX_SEATS],
    /// How many turns the observing seat has had.
    pub(super) turns: usize,
}

impl Standing {
    fn new(rules: &Rules, ply: usize, me: Seat) -> Standing {
        let seat = |row: usize| Seat::ALL[(me.index() + row) % rules.players()];
        let (mut sizes, players) = ([0; 2 * MAX_SEATS], rules.players());
        for row in 0..players {
            let (hand, deck) = rules.hand_and_deck(seat(row), ply);
            (sizes[row], sizes[players + row]) = (hand as u8, deck as u8);
        }
        Standing {
            sizes,
            to_move: std::array::from_fn(|row| u8::from(ply < SPACES && seat(row) == rules.seat_at(ply))),
            turns: rules.turns_before(me, ply),
        }
    }
}

/// How observations of a game are laid out. All numbers are counts or flags from 0 to 255, so that they are exact as
/// bytes and as floating-point numbers. Seats and teams stand in turn order from the observing one on.
///
/// ```
/// # use savanna_core::{Position, Rules, Seat, envs::Layout};
/// let layout = Layout::new(&Rules::default(), false)?;
/// let mut numbers = vec![0; layout.size()];
/// layout.observe(&Position::deal(layout.rules(), 7).view(Seat::ALL[0]), &mut numbers);
/// let missing = layout.sections().iter().find(|section| section.name == "missing").expect("a section");
/// let lengths = &numbers[missing.start..][..missing.size()]; // all spaces of all lines are empty
/// assert_eq!((lengths.len(), lengths[0], lengths.iter().sum::<u8>()), (20, 4, 12 * 4 + 8 * 3));
/// # Ok::<(), savanna_core::envs::LayoutError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Layout {
    setting: Setting,
    recall: bool,
    sections: Vec<Section>,
    size: usize,
    /// By ply and seat.
    standings: [[Standing; MAX_SEATS]; SPACES + 1],
}

/// All else follows from the rules and `recall`.
impl PartialEq for Layout {
    fn eq(&self, other: &Layout) -> bool {
        (self.rules(), self.recall) == (other.rules(), other.recall)
    }
}

impl Eq for Layout {}

impl Hash for Layout {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.rules(), self.recall).hash(state);
    }
}

impl Layout {
    /// The layout for a game of these rules. With `recall` an observation tells all that its seat has ever seen, in which
    /// order; else it tells what the seat's view does.
    ///
    /// # Errors
    /// Rules by which a score can exceed 255.
    pub fn new(rules: &Rules, recall: bool) -> Result<Layout, LayoutError> {
        let max_score = rules.max_score();
        let Ok(most_points) = u8::try_from(max_score) else { return Err(LayoutError { max_score }) };
        let (mut sections, mut size) = (Vec::new(), 0);
        let mut add = |name, rows, over: Over, high, meaning| {
            sections.push(Section { name, start: size, rows, over, high, meaning });
            size += rows * over.columns();
        };
        let (seats, teams, tiles) = (rules.players(), rules.teams(), rules.deck().total());
        let in_hand = Hand::SIZE as u8;
        let most_tiles = rules.deck().0.into_iter().max().unwrap_or(0);
        let strongest = Animal::ALL.into_iter().flat_map(|animal| Face::ALL.map(|face| rules.influence(animal, face)));
        let in_line = 4 * strongest.max().unwrap_or(0);
        use Over::{Animals, Lines, One, Spaces};
        add("owner", seats, Spaces, 1, "a tile of this seat lies here");
        add("animal", ANIMALS, Spaces, 1, "a tile with this animal, as far as it is known, lies here");
        add("lion", 1, Spaces, 1, "a tile lies here Lion face up");
        add("missing", 1, Lines, 4, "empty spaces of this line");
        add("influence", teams, Lines, in_line, "influence of this team in this line");
        if recall {
            add("order", 1, Spaces, SPACES as u8, "which tile of the game, from 1 on, was placed here");
        }
        add("hand", 1, Animals, in_hand, "tiles in the own hand");
        add("hand_size", seats, One, in_hand, "tiles in this seat's hand");
        add("deck_size", seats, One, tiles as u8 - in_hand, "tiles that this seat has still to draw");
        add("unseen", seats, Animals, most_tiles, "tiles of this seat whose place is not known");
        add("score", teams, One, most_points, "points of this team");
        add("lions", teams, One, SPACES as u8, "tiles of this team that lie Lion face up");
        add("to_move", seats, One, 1, "this seat is to move");
        if recall {
            let turns = rules.seats().map(|seat| rules.turns_before(seat, SPACES)).max().unwrap_or(0);
            let draws = turns.min(tiles - Hand::SIZE);
            add("first_hand", 1, Animals, in_hand, "tiles in the own hand at the start");
            add("draws", draws, Animals, 1, "the own tile drawn after this turn is this animal");
        }
        let standing = |ply| Seat::ALL.map(|me| Standing::new(rules, ply, me));
        Ok(Layout { setting: Setting::new(rules), recall, sections, size, standings: std::array::from_fn(standing) })
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        self.setting.rules()
    }

    /// What all games of these rules share.
    pub(super) fn setting(&self) -> &Setting {
        &self.setting
    }

    /// What a seat sees at that ply in every game.
    #[inline]
    pub(super) fn standing(&self, ply: u8, me: Seat) -> &Standing {
        &self.standings[usize::from(ply)][me.index()]
    }

    /// Whether observations tell all that a seat has ever seen.
    pub fn recall(&self) -> bool {
        self.recall
    }

    /// The parts of an observation, one after the other.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// How many numbers an observation has.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The greatest number that can stand in each place.
    pub fn high(&self) -> Vec<u8> {
        self.sections.iter().flat_map(|section| std::iter::repeat_n(section.high, section.size())).collect()
    }

    /// How observations turn with the board: item `i` of an observation of the board turned clockwise by n quarters is
    /// item `turned[i]` of the observation.
    pub fn turned(&self, quarters: usize) -> Vec<usize> {
        let (spaces, lines) = (origins(quarters), line_origins(quarters));
        let mut turned = Vec::with_capacity(self.size());
        for section in &self.sections {
            for row in 0..section.rows {
                let start = section.start + row * section.columns();
                turned.extend((0..section.columns()).map(|column| match section.over {
                    Over::Spaces => start + spaces[column],
                    Over::Lines => start + lines[column],
                    Over::Animals | Over::One => start + column,
                }));
            }
        }
        turned
    }
}

/// How action ids turn with the board: item `i` of a mask turned clockwise by n quarters is item `turned[i]` of the
/// mask. With [`Layout::turned`], one game so teaches as much as four.
///
/// ```
/// # use savanna_core::{Move, envs::turned_actions};
/// let [a5, e5] = ["monkey a5", "monkey e5"].map(|text| text.parse::<Move>().expect("a move").action());
/// assert_eq!(turned_actions(1)[e5], a5); // after a quarter turn, a5 lies where e5 was
/// assert!(turned_actions(4).into_iter().eq(0..200));
/// ```
pub fn turned_actions(quarters: usize) -> Vec<usize> {
    let spaces = origins(quarters);
    let turned = |mv: Move| Move { space: Space::ALL[spaces[mv.space.index()]], ..mv }.action();
    (0..ACTIONS).filter_map(Move::from_action).map(turned).collect()
}

/// Where a space comes to lie after n quarter turns clockwise.
fn turn(space: Space, quarters: usize) -> Space {
    (0..quarters % 4).fold(space, |space, _| space.rotated())
}

/// For each space, which space comes to lie there.
fn origins(quarters: usize) -> [usize; SPACES] {
    let mut origins = [0; SPACES];
    for space in Space::ALL {
        origins[turn(space, quarters).index()] = space.index();
    }
    origins
}

/// For each line, which line comes to lie there.
fn line_origins(quarters: usize) -> [usize; LINES] {
    let mut origins = [0; LINES];
    for line in Line::ALL {
        let image: SpaceSet = line.spaces().map(|space| turn(space, quarters)).collect();
        let there = Line::ALL.into_iter().position(|other| other.spaces() == image);
        origins[there.expect("a quarter turn maps lines to lines")] = line.index();
    }
    origins
}
