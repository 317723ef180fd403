//! Moves, their 200 action ids, and the set of legal ones.

use crate::board::{SPACES, Space, SpaceSet};
use crate::position::Position;
use crate::tile::{ANIMALS, Animal, Face, Hand};

/// How many action ids there are.
pub const ACTIONS: usize = ANIMALS * Face::ALL.len() * SPACES;

/// A placement: which animal, which face up, where. It names no hand slot, so equal tiles make one move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The animal on the tile's front, whichever face lies up.
    pub animal: Animal,
    /// The side that lies up.
    pub face: Face,
    /// Where.
    pub space: Space,
}

impl Move {
    /// The action id: `(animal * 2 + face) * 20 + space`, 0..200.
    pub fn action(self) -> usize {
        (self.animal.index() * Face::ALL.len() + self.face as usize) * SPACES + self.space.index()
    }

    /// The move of an action id; `None` from 200 on.
    pub fn from_action(action: usize) -> Option<Move> {
        let kind = action / SPACES;
        let animal = *Animal::ALL.get(kind / Face::ALL.len())?;
        let (face, space) = (Face::ALL[kind % Face::ALL.len()], Space::ALL[action % SPACES]);
        Some(Move { animal, face, space })
    }
}

impl PartialOrd for Move {
    fn partial_cmp(&self, other: &Move) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Move {
    fn cmp(&self, other: &Move) -> std::cmp::Ordering {
        self.action().cmp(&other.action())
    }
}

/// The legal moves of one hand: every animal in it, either face, any empty space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LegalMoves {
    hand: Hand,
    spaces: SpaceSet,
}

impl LegalMoves {
    /// The moves of a hand onto these spaces.
    pub fn new(hand: Hand, spaces: SpaceSet) -> LegalMoves {
        LegalMoves { hand, spaces }
    }

    /// Whether the move is legal.
    pub fn contains(&self, mv: Move) -> bool {
        self.hand.contains(mv.animal) && self.spaces.contains(mv.space)
    }

    /// The moves in ascending order of action id.
    pub fn iter(&self) -> impl Iterator<Item = Move> + use<> {
        let LegalMoves { hand, spaces } = *self;
        let animals = Animal::ALL.into_iter().filter(move |&animal| hand.contains(animal));
        animals.flat_map(move |animal| {
            Face::ALL.into_iter().flat_map(move |face| spaces.map(move |space| Move { animal, face, space }))
        })
    }

    /// How many moves there are.
    pub fn len(&self) -> usize {
        Animal::ALL.into_iter().filter(|&animal| self.hand.contains(animal)).count()
            * Face::ALL.len()
            * self.spaces.len()
    }

    /// Whether there is no move.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One flag for each action id.
    pub fn mask(&self) -> [bool; ACTIONS] {
        let mut mask = [false; ACTIONS];
        for mv in self.iter() {
            mask[mv.action()] = true;
        }
        mask
    }
}

impl Position {
    /// The legal moves of the seat to move; none when the game is over.
    pub fn legal_moves(&self) -> LegalMoves {
        // A finished game has no empty space, so whose hand is taken does not matter then.
        LegalMoves::new(self.hands[self.rules.seat_at(self.ply())], self.empty_spaces())
    }
}
