//! Where the search of an endgame begins: what of a world decides how it goes on.

use crate::board::{LINES, Line, LineSet, SPACES};
use crate::rules::Rules;
use crate::score::LineTally;
use crate::search::endgame::hash::Key;
use crate::search::endgame::lines::{Kind, Lines, Points, SETTLED, plus};
use crate::tile::{ANIMALS, Animal, BySeat, ByTeam, Deck, Face, Placed, Seat, Team};
use crate::world::World;

/// Stands for no kind of tile.
pub(crate) const NONE: u8 = u8::MAX;

/// Which kind a tile of each team is, by animal and face.
pub(crate) type KindTable = ByTeam<[[u8; 2]; ANIMALS]>;

/// What is known of a turn before the search begins, for all moves alike.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    pub(crate) team: Team,
    pub(crate) seat: Seat,
    /// The tile drawn after it.
    pub(crate) drawn: Option<Animal>,
    /// Whether the seat has another turn after it, so that its hand still matters.
    pub(crate) again: bool,
    /// A key of all tiles in decks, and of the number of empty spaces.
    pub(crate) decks: u64,
}

/// Where a search begins.
pub(crate) struct Root<const C: usize> {
    pub(crate) kinds: KindTable,
    /// The turns to come, by the number of empty spaces.
    pub(crate) turns: [Turn; SPACES + 1],
    /// The state of each line, and the lines that are not settled.
    pub(crate) states: [u16; LINES],
    pub(crate) open: LineSet,
    /// What the lines give for sure, and the least and the most that they can give beyond this.
    pub(crate) sure: Points<C>,
    pub(crate) range: [Points<C>; 2],
}

impl<const C: usize> Root<C> {
    pub(crate) fn new<const K: usize>(world: &World, lines: &mut Lines<C, K>) -> Root<C> {
        let kinds = kind_table(world.setting().rules(), lines.kinds());
        let mut root = Root {
            kinds,
            turns: turns(world),
            states: [SETTLED; LINES],
            open: LineSet::EMPTY,
            sure: [0; C],
            range: [[0; C]; 2],
        };
        for line in Line::ALL {
            let (state, sure) = lines.state(world.missing(line), world.line(line));
            root.states[line.index()] = state;
            root.sure = plus(root.sure, sure);
            let [low, high] = lines.range(state);
            root.range = [plus(root.range[0], low), plus(root.range[1], high)];
            if state != SETTLED {
                root.open = root.open.with(line);
            }
        }
        root
    }
}

/// The kinds of the tiles in hands and decks.
pub(crate) fn kinds_left(world: &World) -> Vec<Kind> {
    let rules = world.setting().rules();
    let mut kinds = Vec::new();
    for seat in rules.seats() {
        for animal in world.hand(seat).tiles().chain(world.deck(seat).tiles()) {
            for face in Face::ALL {
                let kind = Kind::of(rules, seat, animal, face);
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
        }
    }
    kinds
}

impl Kind {
    /// The kind of a tile.
    fn of(rules: &Rules, seat: Seat, animal: Animal, face: Face) -> Kind {
        Kind { team: rules.team_of(seat), weight: LineTally::of(rules, Placed::new(seat, animal, face)) }
    }
}

/// Which kind each tile is; `NONE` for tiles that are not left.
fn kind_table(rules: &Rules, kinds: &[Kind]) -> KindTable {
    let mut table = KindTable::default();
    for seat in rules.seats() {
        let index = |animal, face| {
            let kind = Kind::of(rules, seat, animal, face);
            kinds.iter().position(|&known| known == kind).map_or(NONE, |index| index as u8)
        };
        table[rules.team_of(seat)] = Animal::ALL.map(|animal| Face::ALL.map(|face| index(animal, face)));
    }
    table
}

fn turns(world: &World) -> [Turn; SPACES + 1] {
    let rules = world.setting().rules();
    let mut decks: BySeat<Deck> = BySeat(Seat::ALL.map(|seat| world.deck(seat)));
    let over = Turn { team: Team::ALL[0], seat: Seat::ALL[0], drawn: None, again: false, decks: 0 };
    let mut turns = [over; SPACES + 1];
    for ply in world.ply()..SPACES {
        let (empty, seat) = (SPACES - ply, rules.seat_at(ply));
        let team = rules.team_of(seat);
        let (drawn, rest) = decks[seat].draw().map_or((None, decks[seat]), |(tile, rest)| (Some(tile), rest));
        turns[empty] =
            Turn { team, seat, drawn, again: ply + rules.players() < SPACES, decks: decks_key(rules, &decks, empty) };
        decks[seat] = rest;
    }
    turns
}

/// A key of all tiles in decks and the number of empty spaces.
fn decks_key(rules: &Rules, decks: &BySeat<Deck>, empty: usize) -> u64 {
    let mut key = Key::new(empty as u64);
    for seat in rules.seats() {
        // At most 18 tiles of three bits.
        key.add(decks[seat].tiles().fold(0, |word, tile| word << 3 | (tile.index() as u64 + 1)));
    }
    key.finish()
}
