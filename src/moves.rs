//! Moves, their 200 action ids, and the set of legal ones.

use crate::board::{SPACES, Space, SpaceSet};
use crate::position::Position;
use crate::tile::{ANIMALS, Animal, Face, Hand};

/// How many action ids there are: the length of [`LegalMoves::mask`], and of tables by [`Move::action`].
pub const ACTIONS: usize = ANIMALS * Face::ALL.len() * SPACES;

/// A placement: which animal, which face up, where. It names no hand slot, so equal tiles make one move.
///
/// ```
/// # use savanna_core::{Animal, Face, Move};
/// let mv: Move = "zebra lion c4".parse()?;
/// assert_eq!((mv.animal, mv.face, mv.space.name()), (Animal::Zebra, Face::Lion, "c4"));
/// assert_eq!(mv.action(), (1 * 2 + 1) * 20 + 6); // what a network or a table has for it
/// assert_eq!(Move::from_action(66), Some(mv));
/// # Ok::<(), savanna_core::NotationError>(())
/// ```
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
    /// The moves of all action ids.
    const ALL: [Move; ACTIONS] = {
        let mut all = [Move { animal: Animal::ALL[0], face: Face::Front, space: Space::ALL[0] }; ACTIONS];
        let mut action = 0;
        while action < ACTIONS {
            let kind = action / SPACES;
            all[action] = Move {
                animal: Animal::ALL[kind / Face::ALL.len()],
                face: Face::ALL[kind % Face::ALL.len()],
                space: Space::ALL[action % SPACES],
            };
            action += 1;
        }
        all
    };

    /// The action id: `(animal * 2 + face) * 20 + space`, 0..200.
    pub fn action(self) -> usize {
        (self.animal.index() * Face::ALL.len() + self.face as usize) * SPACES + self.space.index()
    }

    /// The move of an action id; `None` from 200 on.
    pub fn from_action(action: usize) -> Option<Move> {
        Move::ALL.get(action).copied()
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

/// The legal moves of one hand: every animal in it, either face, any empty space. In one word: a bit for each space, and
/// above them one for each animal.
///
/// ```
/// # use savanna_core::{Animal::*, Hand, LegalMoves, SpaceSet};
/// let moves = LegalMoves::new(Hand::new(&[Mouse, Zebra]), SpaceSet::FULL);
/// assert_eq!((moves.len(), moves.iter().count()), (80, 80)); // two animals, two faces, 20 spaces
/// assert_eq!(moves.iter().next().map(|mv| mv.to_string()), Some("zebra a5".to_owned()));
/// assert!(moves.iter().all(|mv| moves.contains(mv) && moves.mask()[mv.action()]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
pub struct LegalMoves(u32);

impl LegalMoves {
    /// The moves of a hand onto these spaces.
    pub fn new(hand: Hand, spaces: SpaceSet) -> LegalMoves {
        LegalMoves::of(hand.tiles().fold(0, |animals, animal| animals | 1 << animal.index()), spaces)
    }

    /// The moves of these animals, one bit each, onto these spaces.
    #[inline]
    pub(crate) fn of(animals: u32, spaces: SpaceSet) -> LegalMoves {
        LegalMoves(if animals == 0 || spaces.is_empty() { 0 } else { animals << SPACES | spaces.bits() })
    }

    /// The animals that may be placed, one bit each.
    #[inline]
    pub(crate) fn animals(self) -> u32 {
        self.0 >> SPACES
    }

    /// The spaces onto which they may be.
    #[inline]
    pub(crate) fn spaces(self) -> SpaceSet {
        SpaceSet::from_bits(self.0)
    }

    /// By action id: the bits of its animal and its space, or of more than there are.
    const NEEDS: [u32; 256] = {
        let mut needs = [u32::MAX; 256];
        let mut action = 0;
        while action < ACTIONS {
            let Move { animal, space, .. } = Move::ALL[action];
            needs[action] = 1 << (SPACES + animal.index()) | 1 << space.index();
            action += 1;
        }
        needs
    };

    /// Whether the move is legal.
    pub fn contains(self, mv: Move) -> bool {
        self.allows(mv.action() as u8)
    }

    /// These moves as a place in a table of 2 to the power of `bits` places.
    #[cfg(feature = "python")]
    pub(crate) fn hash_bits(self, bits: u32) -> usize {
        (self.0.wrapping_mul(0x9e37_79b1) >> (u32::BITS - bits)) as usize
    }

    /// Whether this is the action id of a legal move.
    #[inline]
    pub(crate) fn allows(self, action: u8) -> bool {
        LegalMoves::NEEDS[usize::from(action)] & !self.0 == 0
    }

    /// The moves in ascending order of action id.
    pub fn iter(self) -> impl ExactSizeIterator<Item = Move> + use<> {
        self.actions().map(|action| Move::ALL[action])
    }

    /// The action ids in ascending order.
    #[inline]
    pub(crate) fn actions(self) -> impl ExactSizeIterator<Item = usize> + use<> {
        let (mut ids, mut count) = ([0; ACTIONS], 0);
        let mut first = 0;
        for animal in 0..ANIMALS {
            for _ in Face::ALL {
                let mut spaces = if self.0 >> (SPACES + animal) & 1 == 1 { self.0 & SpaceSet::FULL.bits() } else { 0 };
                while spaces != 0 {
                    ids[count] = first + spaces.trailing_zeros() as u8;
                    count += 1;
                    spaces &= spaces - 1;
                }
                first += SPACES as u8;
            }
        }
        ids.into_iter().take(count).map(usize::from)
    }

    /// How many moves there are.
    pub fn len(self) -> usize {
        self.animals().count_ones() as usize * Face::ALL.len() * self.spaces().len()
    }

    /// Whether it has no moves.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// One flag for each action id.
    pub fn mask(self) -> [bool; ACTIONS] {
        let mut spaces = [false; SPACES];
        for (flags, bits) in spaces.chunks_exact_mut(4).zip(0..) {
            flags.copy_from_slice(&LegalMoves::FLAGS[(self.0 >> (4 * bits) & 15) as usize]);
        }
        let mut mask = [false; ACTIONS];
        for (rows, animal) in mask.chunks_exact_mut(Face::ALL.len() * SPACES).zip(Animal::ALL) {
            if self.animals() >> animal.index() & 1 == 1 {
                rows.chunks_exact_mut(SPACES).for_each(|row| row.copy_from_slice(&spaces));
            }
        }
        mask
    }

    /// Four bits as flags.
    const FLAGS: [[bool; 4]; 16] = {
        let mut flags = [[false; 4]; 16];
        let mut bits = 0;
        while bits < 16 {
            flags[bits] = [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0, bits & 8 != 0];
            bits += 1;
        }
        flags
    };
}

impl Position {
    /// The legal moves of the seat to move; none when the game is over. What can be done with them stands at
    /// [`LegalMoves`].
    pub fn legal_moves(&self) -> LegalMoves {
        // A finished game has no empty space, so whose hand is taken does not matter then.
        LegalMoves::new(self.hands[self.rules.seat_at(self.ply())], self.empty_spaces())
    }
}
