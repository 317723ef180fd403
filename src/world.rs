//! A world: one way in which everything may lie, kept so that it is cheap to play on in. Search and greedy playouts go
//! through millions of these where a game goes through 20 positions.

use crate::board::{LINES, Line, SPACES, Space, SpaceSet};
use crate::moves::{LegalMoves, Move};
use crate::position::{Position, added};
use crate::rules::Rules;
use crate::score::{LinePoints, LineTally, add_last_seat_bonus, score_line, winners};
use crate::tile::{Animal, BySeat, ByTeam, Deck, Face, Hand, Placed, Seat, Team, TeamSet};

/// Whose turn it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub(crate) seat: Seat,
    pub(crate) team: Team,
    /// How many turns the seat has had before.
    pub(crate) round: u8,
}

/// What all worlds of one game share: the rules, and what they say about each turn and tile. It is made once and
/// borrowed by every [`World`], which so stays cheap to copy.
#[derive(Clone, Debug)]
pub struct Setting {
    rules: Rules,
    /// The last one would be next when the game is over.
    turns: [Turn; SPACES + 1],
    /// By the byte of a tile.
    weights: [LineTally; Placed::BYTES],
}

impl Setting {
    /// The setting that these rules make.
    pub fn new(rules: &Rules) -> Setting {
        let mut weights = [LineTally::default(); Placed::BYTES];
        for (seat, animal) in rules.seats().flat_map(|seat| Animal::ALL.map(|animal| (seat, animal))) {
            for tile in Face::ALL.map(|face| Placed::new(seat, animal, face)) {
                weights[usize::from(tile.byte())] = LineTally::of(rules, tile);
            }
        }
        let turn = |ply| {
            let seat = rules.seat_at(ply);
            Turn { seat, team: rules.team_of(seat), round: rules.turns_before(seat, ply) as u8 }
        };
        Setting { rules: *rules, turns: std::array::from_fn(turn), weights }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The seat to move after `ply` plies.
    #[inline]
    pub(crate) fn turn(&self, ply: usize) -> Turn {
        self.turns[ply]
    }

    /// What a tile adds to its lines, told by its byte; nothing where there is none.
    #[inline]
    pub(crate) fn weight(&self, byte: u8) -> LineTally {
        self.weights[usize::from(byte)]
    }
}

/// A position without its board: what lies in each line is enough to play on and to score. It is what to search in; games
/// that are shown or kept are [`Position`]s.
///
/// ```
/// # use savanna_core::{Position, Setting, World};
/// let position: Position = "2p 0z1m0m./..../..../..../.... mz/mz mmzgge/mmzzgge 0/0".parse()?;
/// let (setting, mv) = (Setting::new(position.rules()), "zebra e5".parse()?);
/// let mut world = World::new(&setting, &position);
/// assert_eq!(world.gain(mv), 3); // the row comes to exactly 10
/// world.play(mv);
/// assert_eq!(world.scores(), position.play(mv)?.scores());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct World<'s> {
    setting: &'s Setting,
    lines: [LineTally; LINES],
    filled: SpaceSet,
    hands: BySeat<Hand>,
    decks: BySeat<Deck>,
    scores: ByTeam<u16>,
    lions: ByTeam<u8>,
}

impl<'s> World<'s> {
    /// The world of a position of this setting.
    ///
    /// # Panics
    /// If the setting is of other rules.
    pub fn new(setting: &'s Setting, position: &Position) -> World<'s> {
        assert!(setting.rules == *position.rules(), "a position of the rules of this setting");
        World {
            setting,
            lines: Line::ALL.map(|line| position.line_tally(line)),
            filled: position.filled,
            hands: position.hands,
            decks: position.decks,
            scores: position.scores,
            lions: position.lions(),
        }
    }

    /// What all worlds of this game share.
    pub fn setting(&self) -> &'s Setting {
        self.setting
    }

    /// How many tiles have been placed.
    #[inline]
    pub fn ply(&self) -> usize {
        self.filled.len()
    }

    /// Whether every space is filled.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.filled == SpaceSet::FULL
    }

    /// The spaces without a tile.
    #[inline]
    pub fn empty_spaces(&self) -> SpaceSet {
        self.filled.complement()
    }

    /// The seat to move and its team; the game must not be over.
    #[inline]
    pub fn turn(&self) -> (Seat, Team) {
        let Turn { seat, team, .. } = self.setting.turn(self.ply());
        (seat, team)
    }

    /// The tiles in a seat's hand.
    #[inline]
    pub fn hand(&self, seat: Seat) -> Hand {
        self.hands[seat]
    }

    /// The tiles that a seat has still to draw, in draw order.
    #[inline]
    pub fn deck(&self, seat: Seat) -> Deck {
        self.decks[seat]
    }

    /// What lies in a line.
    #[inline]
    pub fn line(&self, line: Line) -> LineTally {
        self.lines[line.index()]
    }

    /// The score of every team; the last seat's bonus is in it once the game is over.
    #[inline]
    pub fn scores(&self) -> ByTeam<u16> {
        self.scores
    }

    /// How many tiles of each team lie Lion face up.
    #[inline]
    pub fn lions(&self) -> ByTeam<u8> {
        self.lions
    }

    /// Who has won, once the game is over.
    pub fn winners(&self) -> TeamSet {
        winners(&self.setting.rules, &self.scores, &self.lions)
    }

    /// The moves of the seat to move; none when the game is over.
    pub fn legal_moves(&self) -> LegalMoves {
        let hand = if self.is_over() { Hand::default() } else { self.hands[self.turn().0] };
        LegalMoves::new(hand, self.empty_spaces())
    }

    /// How many spaces of a line are empty.
    #[inline]
    pub fn missing(&self, line: Line) -> usize {
        line.spaces().minus(self.filled).len()
    }

    /// Gives a seat another hand, of at most two tiles. A search tries out in this way what others may hold, as
    /// [`Knowledge`](crate::search::knowledge::Knowledge) does.
    pub fn set_hand(&mut self, seat: Seat, tiles: &[Animal]) {
        self.hands[seat] = Hand::new(tiles);
    }

    /// Gives a seat another deck, in draw order.
    pub fn set_deck(&mut self, seat: Seat, tiles: &[Animal]) {
        self.decks[seat] = Deck::new(tiles);
    }

    /// The lines that a tile on this empty space fills.
    #[inline]
    pub fn filled_by(&self, space: Space) -> impl Iterator<Item = Line> + use<> {
        let filled = self.filled.with(space);
        space.lines().filter(move |line| filled.contains_all(line.spaces()))
    }

    /// What a tile of the seat to move scores in a line that it fills.
    #[inline]
    pub fn points(&self, line: Line, animal: Animal, face: Face) -> LinePoints {
        let (seat, team) = self.turn();
        let mut tally = self.lines[line.index()];
        tally.add(self.setting.weight(Placed::new(seat, animal, face).byte()));
        score_line(&self.setting.rules, tally, team)
    }

    /// How much better a move makes the margin of the team to move at once. The margin is by how much its score exceeds
    /// the mean of the others, here times the number of others, so that it is an integer.
    pub fn gain(&self, mv: Move) -> i32 {
        let (rules, team) = (&self.setting.rules, self.turn().1);
        self.filled_by(mv.space).map(|line| self.points(line, mv.animal, mv.face).margin(rules, team)).sum()
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// If the seat to move does not hold the tile.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        let (seat, team) = self.turn();
        for line in self.filled_by(mv.space) {
            self.scores = added(self.scores, &self.points(line, mv.animal, mv.face).points);
        }
        let weight = self.setting.weight(Placed::new(seat, mv.animal, mv.face).byte());
        for line in mv.space.lines() {
            self.lines[line.index()].add(weight);
        }
        self.lions[team] += u8::from(mv.face == Face::Lion);
        self.filled = self.filled.with(mv.space);
        let drawn = self.hands[seat].drawn(mv.animal, self.decks[seat]);
        (self.hands[seat], self.decks[seat]) = drawn.expect("a legal move places a tile of the hand");
        if self.is_over() {
            add_last_seat_bonus(&self.setting.rules, &mut self.scores);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, Xoshiro256PlusPlus};
    use crate::rules::RulesOptions;

    /// A world and a position go side by side through random games, and gains are what scores then show.
    #[test]
    fn worlds_follow_positions() {
        for (players, mice, team_game) in [
            (2, false, false),
            (2, true, false),
            (3, false, false),
            (3, true, false),
            (4, false, false),
            (4, true, true),
        ] {
            let rules = Rules::new(&RulesOptions { players, mice, team_game, ..RulesOptions::default() }).unwrap();
            let setting = Setting::new(&rules);
            for seed in 0..50 {
                let mut rng = Xoshiro256PlusPlus::numbered(seed, Purpose::Sample, 1);
                let mut position = Position::deal(&rules, seed);
                let mut world = World::new(&setting, &position);
                while !position.is_over() {
                    let moves: Vec<Move> = position.legal_moves().iter().collect();
                    assert_eq!(moves, world.legal_moves().iter().collect::<Vec<_>>());
                    let mv = moves[rng.below(moves.len() as u64) as usize];
                    let (gain, team) = (world.gain(mv), world.turn().1);
                    let margin = |scores: ByTeam<u16>| {
                        let all: i32 = scores.0.iter().map(|&score| i32::from(score)).sum();
                        rules.teams() as i32 * i32::from(scores[team]) - all
                    };
                    position = position.play(mv).unwrap();
                    if !position.is_over() {
                        assert_eq!(margin(position.scores()) - margin(world.scores()), gain);
                    }
                    world.play(mv);
                    assert_eq!(world.scores(), position.scores());
                    assert_eq!(world.lions(), position.lions());
                    assert!(Line::ALL.into_iter().all(|line| world.line(line) == position.line_tally(line)));
                }
                assert_eq!(world.winners(), position.winners());
            }
        }
    }
}
