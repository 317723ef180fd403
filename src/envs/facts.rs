//! What has happened in a game, kept as rows of bytes from which any seat's observation is put together quickly.

use crate::board::{Line, SPACES, Space};
use crate::moves::Move;
use crate::position::Position;
use crate::rules::{MAX_DECK, Rules};
use crate::tile::{ANIMALS, Animal, ByTeam, Face, Hand, MAX_SEATS, Placed, Seat, Team, TileCounts};
use crate::view::View;

/// How wide a row of spaces or lines is kept and moved: wider than it is, since processors move 32 bytes at once.
pub(super) const WIDE: usize = 32;
/// A number for each space or line.
pub(super) type Wide = [u8; WIDE];
/// How wide a row of animals is kept and moved.
pub(super) const COUNTS: usize = 8;
/// A number for each animal.
pub(super) type Counts = [u8; COUNTS];

const _: () = assert!(SPACES <= WIDE && ANIMALS <= COUNTS);

/// A move, and what came of it.
#[derive(Clone, Copy)]
pub(super) struct Event {
    pub(super) mover: Seat,
    pub(super) mv: Move,
    /// The tile that the mover drew.
    pub(super) drawn: Option<Animal>,
    pub(super) scores: ByTeam<u16>,
    pub(super) lions: ByTeam<u8>,
}

/// All that seats have seen so far, each its own part. From a view, it is what that seat knows, without the order of play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// How many tiles were placed.
    pub(super) ply: u8,
    /// By space: the byte of the tile on it, or 0, and which tile of the game it was, from 1 on.
    pub(super) tiles: Wide,
    pub(super) order: Wide,
    /// By line: empty spaces, and the influence of each team.
    pub(super) missing: Wide,
    pub(super) influence: [Wide; MAX_SEATS],
    /// By seat: its hand, now and at the start; its tiles that nobody else has seen, and those in its deck.
    pub(super) hands: [Counts; MAX_SEATS],
    pub(super) first_hands: [Counts; MAX_SEATS],
    pub(super) hidden: [Counts; MAX_SEATS],
    pub(super) decks: [Counts; MAX_SEATS],
    /// By seat and by turn: the animal drawn after it, from 1 on, or 0.
    pub(super) draws: [[u8; MAX_DECK]; MAX_SEATS],
    pub(super) hand_sizes: [u8; MAX_SEATS],
    pub(super) deck_sizes: [u8; MAX_SEATS],
    /// By team.
    pub(super) scores: [u8; MAX_SEATS],
    pub(super) lions: [u8; MAX_SEATS],
}

impl Facts {
    /// An empty board, and all tiles still to be dealt.
    fn new(rules: &Rules) -> Facts {
        let deck = counts(&rules.deck());
        let mut facts = Facts {
            ply: 0,
            tiles: [0; WIDE],
            order: [0; WIDE],
            missing: [0; WIDE],
            influence: [[0; WIDE]; MAX_SEATS],
            hands: [[0; COUNTS]; MAX_SEATS],
            first_hands: [[0; COUNTS]; MAX_SEATS],
            hidden: [deck; MAX_SEATS],
            decks: [deck; MAX_SEATS],
            draws: [[0; MAX_DECK]; MAX_SEATS],
            hand_sizes: [0; MAX_SEATS],
            deck_sizes: [rules.deck().total() as u8; MAX_SEATS],
            scores: [0; MAX_SEATS],
            lions: [0; MAX_SEATS],
        };
        for line in Line::ALL {
            facts.missing[line.index()] = line.spaces().len() as u8;
        }
        facts
    }

    /// The start of a game.
    pub(super) fn begin(start: &Position) -> Facts {
        let mut facts = Facts::new(start.rules());
        for seat in start.rules().seats() {
            for tile in start.hand(seat).tiles() {
                facts.draw(seat, tile);
            }
            facts.hand_sizes[seat.index()] = Hand::SIZE as u8;
        }
        facts.first_hands = facts.hands;
        facts
    }

    /// What a seat knows. Of other seats' tiles it is told only what that seat sees of them.
    pub(super) fn of(view: &View) -> Facts {
        let rules = view.rules();
        let mut facts = Facts::new(rules);
        for space in Space::ALL {
            let Some(tile) = view.tile(space) else { continue };
            // A Lion is as strong whatever is beneath it, and what is beneath another's is not shown.
            let animal = tile.animal.unwrap_or(Animal::Monkey);
            facts.put(rules, tile.seat, Move { animal, face: tile.face, space });
        }
        for seat in rules.seats() {
            facts.hidden[seat.index()] = counts(&view.unseen(seat));
            facts.decks[seat.index()] = counts(&view.unseen(seat));
            facts.hand_sizes[seat.index()] = view.hand_size(seat) as u8;
            facts.deck_sizes[seat.index()] = view.deck_size(seat) as u8;
        }
        for tile in view.hand().tiles() {
            facts.hands[view.seat().index()][tile.index()] += 1;
        }
        facts.stand(&view.scores(), &view.lions());
        facts
    }

    /// Adds a move.
    #[inline]
    pub(super) fn follow(&mut self, rules: &Rules, event: &Event) {
        let Event { mover, mv, drawn, .. } = *event;
        let (seat, animal) = (mover.index(), mv.animal.index());
        let turn = usize::from(self.ply) / rules.players();
        self.order[mv.space.index()] = self.ply + 1;
        self.put(rules, mover, mv);
        self.hands[seat][animal] -= 1;
        self.hidden[seat][animal] -= u8::from(mv.face == Face::Front);
        match drawn {
            Some(tile) => {
                self.draw(mover, tile);
                self.draws[seat][turn % MAX_DECK] = tile.index() as u8 + 1;
            }
            None => self.hand_sizes[seat] -= 1,
        }
        self.stand(&event.scores, &event.lions);
    }

    #[inline]
    fn draw(&mut self, seat: Seat, tile: Animal) {
        self.hands[seat.index()][tile.index()] += 1;
        self.decks[seat.index()][tile.index()] -= 1;
        self.deck_sizes[seat.index()] -= 1;
    }

    #[inline]
    fn put(&mut self, rules: &Rules, seat: Seat, mv: Move) {
        self.ply += 1;
        self.tiles[mv.space.index()] = Placed::new(seat, mv.animal, mv.face).byte();
        let influence = rules.influence(mv.animal, mv.face);
        let team = &mut self.influence[rules.team_of(seat).index()];
        for line in mv.space.lines() {
            self.missing[line.index() % WIDE] -= 1;
            team[line.index() % WIDE] += influence;
        }
    }

    #[inline]
    fn stand(&mut self, scores: &ByTeam<u16>, lions: &ByTeam<u8>) {
        self.scores = Team::ALL.map(|team| scores[team] as u8);
        self.lions = lions.0;
    }
}

fn counts(tiles: &TileCounts) -> Counts {
    std::array::from_fn(|animal| tiles.0.get(animal).copied().unwrap_or(0))
}
