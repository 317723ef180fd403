//! The game as one seat knows it, for tree search.

use crate::board::Space;
use crate::moves::Move;
use crate::rng::Xoshiro256PlusPlus;
use crate::rules::{MAX_DECK, Rules};
use crate::search::tree::HiddenGame;
use crate::tile::{Animal, BySeat, ByTeam, Face, Seat, Team, TeamSet};
use crate::view::View;
use crate::world::{Setting, World};

/// The group of moves that put another seat's Lion over an animal that the observer does not see.
const HIDDEN_LION: u8 = (Animal::ALL.len() * Face::ALL.len()) as u8;

/// The group of moves that put this tile somewhere with this face up.
fn group_of(animal: Animal, face: Face) -> u8 {
    (animal.index() * Face::ALL.len() + face as usize) as u8
}

/// The tile that the moves of a group put, if the observer sees it.
pub(super) fn tile_of(group: u8) -> Option<(Animal, Face)> {
    let faces = Face::ALL.len();
    Animal::ALL.get(usize::from(group) / faces).map(|&animal| (animal, Face::ALL[usize::from(group) % faces]))
}

/// The share of the win that each team has when these have won.
pub(super) fn shares_of(winners: TeamSet) -> ByTeam<f32> {
    let share = 1.0 / winners.len().max(1) as f32;
    ByTeam(Team::ALL.map(|team| if winners.contains(team) { share } else { 0.0 }))
}

/// What a seat knows, or everybody: a world without the tiles that it does not see, and those tiles. It is this game
/// for a [`Tree`].
///
/// ```
/// # use savanna_core::{Setting, View, search::knowledge::Knowledge};
/// // A Monkey, a Zebra and two Giraffes of seat 1 are not seen: three lie under its Lions, and one is in its hand.
/// let view: View = "seat=0 2p 0Z0M0m0z/1m1m1z0G/0m1e0M1?/1?0Z.1z/1?.1m0E g/? -/- 11/11".parse()?;
/// let setting = Setting::new(view.rules());
/// let deals = Knowledge::new(&setting, &view).deals(10).expect("three hands");
/// assert_eq!(deals.iter().map(|(_, chance)| *chance).collect::<Vec<_>>(), [0.25, 0.25, 0.5]);
/// # Ok::<(), savanna_core::NotationError>(())
/// ```
///
/// [`Tree`]: crate::search::tree::Tree
#[derive(Clone, Debug)]
pub struct Knowledge<'s> {
    seat: Option<Seat>,
    known: World<'s>,
    /// The unseen tiles of each seat, in index order: those of hands and decks, and of places under Lions.
    unseen: BySeat<Vec<Animal>>,
    /// How many of them are in its hand, and how many in its deck.
    held: BySeat<usize>,
    to_draw: BySeat<usize>,
}

impl<'s> Knowledge<'s> {
    /// What this view knows.
    ///
    /// # Panics
    /// If the setting is of other rules.
    pub fn new(setting: &'s Setting, view: &View) -> Knowledge<'s> {
        let held = |seat| if view.seat() == Some(seat) { 0 } else { view.hand_size(seat) };
        Knowledge {
            seat: view.seat(),
            known: World::new(setting, &view.known()),
            unseen: BySeat(Seat::ALL.map(|seat| view.unseen(seat).tiles().collect())),
            held: BySeat(Seat::ALL.map(held)),
            to_draw: BySeat(Seat::ALL.map(|seat| view.deck_size(seat))),
        }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &'s Rules {
        self.known.setting().rules()
    }

    /// The move that a group and a label stand for. The animal under a Lion of another seat is a guess: one of those
    /// that it has most of.
    pub fn named(&self, seat: Seat, group: u8, label: u8) -> Move {
        let count = |animal: &Animal| self.unseen[seat].iter().filter(|tile| *tile == animal).count();
        let guess = || Animal::ALL.into_iter().rev().max_by_key(count).unwrap_or(Animal::Monkey);
        let (animal, face) = tile_of(group).unwrap_or_else(|| (guess(), Face::Lion));
        Move { animal, face, space: Space::ALL[usize::from(label)] }
    }

    /// All worlds that are consistent with what the seat knows, each with its chance; `None` if there are more than this.
    pub fn deals(&self, most: usize) -> Option<Vec<(World<'s>, f64)>> {
        let mut deals = vec![(self.known, 1.0)];
        for seat in self.rules().seats() {
            let held = self.held[seat];
            let orders = orders(&self.unseen[seat], held, held + self.to_draw[seat], most / deals.len())?;
            let dealt = |(world, chance): &(World<'s>, f64)| {
                let (world, chance) = (*world, *chance);
                let orders = orders.iter().map(move |(tiles, share)| {
                    let mut world = world;
                    if self.seat != Some(seat) {
                        world.set_hand(seat, &tiles[..held]);
                    }
                    world.set_deck(seat, &tiles[held..]);
                    (world, chance * share)
                });
                orders.collect::<Vec<_>>()
            };
            deals = deals.iter().flat_map(dealt).collect();
        }
        Some(deals)
    }
}

/// All ways to take n of these tiles, a hand and then a deck in order, each with its chance; `None` if there are
/// more than this. The tiles of the hand are in index order.
fn orders(tiles: &[Animal], held: usize, taken: usize, most: usize) -> Option<Vec<(Vec<Animal>, f64)>> {
    let mut orders = vec![(Vec::new(), 1.0)];
    for place in 0..taken {
        let mut longer = Vec::new();
        for (order, chance) in orders {
            for animal in Animal::ALL {
                let count = |of: &[Animal]| of.iter().filter(|&&tile| tile == animal).count();
                let left = count(tiles) - count(&order);
                if left == 0 || place < held && order.last().is_some_and(|&last| last > animal) {
                    continue;
                }
                // Two different tiles of a hand can have come in either order.
                let ways = if place == 1 && held == 2 && order[0] != animal { 2.0 } else { 1.0 };
                let mut order = order.clone();
                order.push(animal);
                longer.push((order, chance * ways * left as f64 / (tiles.len() - place) as f64));
            }
        }
        // Once the hand is complete, orders only become more; those of a long deck are too many to be made before they are
        // counted.
        if place + 1 >= held && longer.len() > most {
            return None;
        }
        orders = longer;
    }
    Some(orders)
}

impl<'s> HiddenGame for Knowledge<'s> {
    type World = World<'s>;

    fn determinize(&self, rng: &mut Xoshiro256PlusPlus) -> World<'s> {
        let mut world = self.known;
        for seat in self.rules().seats() {
            let unseen = &self.unseen[seat];
            let mut tiles = [Animal::Monkey; MAX_DECK];
            let tiles = &mut tiles[..unseen.len()];
            tiles.copy_from_slice(unseen);
            rng.shuffle(tiles);
            // What is in neither hand nor deck lies under Lions, where it counts for nothing.
            let (hand, rest) = tiles.split_at(self.held[seat]);
            if self.seat != Some(seat) {
                world.set_hand(seat, hand);
            }
            world.set_deck(seat, &rest[..self.to_draw[seat]]);
        }
        world
    }

    fn team(&self, world: &World<'s>) -> Option<Team> {
        (!world.is_over()).then(|| world.turn().1)
    }

    fn groups(&self, world: &World<'s>, groups: &mut Vec<u8>) {
        let seat = world.turn().0;
        let hand = world.hand(seat);
        let mut last = None;
        for animal in hand.tiles().filter(|&animal| last.replace(animal) != Some(animal)) {
            groups.push(group_of(animal, Face::Front));
            if self.seat == Some(seat) {
                groups.push(group_of(animal, Face::Lion));
            }
        }
        if self.seat != Some(seat) {
            groups.push(HIDDEN_LION);
        }
    }

    fn labels(&self, world: &World<'s>, _: u8, labels: &mut Vec<u8>) {
        labels.extend(world.empty_spaces().map(|space| space.index() as u8));
    }

    fn play(&self, world: &mut World<'s>, group: u8, label: u8, rng: &mut Xoshiro256PlusPlus) {
        let (animal, face) = tile_of(group).unwrap_or_else(|| {
            let hand = world.hand(world.turn().0);
            let any = rng.below(hand.len() as u64) as usize;
            (hand.tiles().nth(any).unwrap_or(Animal::Monkey), Face::Lion)
        });
        world.play(Move { animal, face, space: Space::ALL[usize::from(label)] });
    }

    fn play_any(&self, world: &mut World<'s>, rng: &mut Xoshiro256PlusPlus) {
        // A tile of the hand, a face and a space at random are a legal move at random, as equal tiles make equal moves.
        let (hand, empty) = (world.hand(world.turn().0), world.empty_spaces());
        let choice = rng.below((hand.len() * 2 * empty.len()) as u64) as usize;
        let (slot, face, place) = (choice % hand.len(), choice / hand.len() % 2, choice / hand.len() / 2);
        let (animal, space) = (hand.tiles().nth(slot), empty.into_iter().nth(place));
        if let (Some(animal), Some(space)) = (animal, space) {
            world.play(Move { animal, face: Face::ALL[face], space });
        }
    }

    fn shares(&self, world: &World<'s>) -> ByTeam<f32> {
        shares_of(world.winners())
    }
}
