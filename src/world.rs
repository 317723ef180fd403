//! A world: one way in which everything may lie, kept so that it is cheap to play on in. Search and greedy playouts go
//! through millions of these where a game goes through 20 positions.

use crate::board::{LINES, Line, SPACES, Space, SpaceSet};
use crate::moves::{LegalMoves, Move};
use crate::position::{Position, added};
use crate::rules::Rules;
use crate::score::{LinePoints, LineTally, add_last_seat_bonus, score_line, winners};
use crate::tile::{Animal, BySeat, ByTeam, Deck, Face, Hand, Seat, Team, TeamSet};

/// What all worlds of one game share: the rules, and what they say about each turn and tile.
#[derive(Clone, Debug)]
pub struct Setting {
    rules: Rules,
    turns: [(Seat, Team); SPACES],
    weights: BySeat<[[LineTally; Face::ALL.len()]; Animal::ALL.len()]>,
}

impl Setting {
    /// The setting that these rules make.
    pub fn new(rules: &Rules) -> Setting {
        let turn = |ply| (rules.seat_at(ply), rules.team_of(rules.seat_at(ply)));
        Setting {
            rules: *rules,
            turns: std::array::from_fn(turn),
            weights: BySeat(Seat::ALL.map(|seat| LineTally::of_all(rules, seat))),
        }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }
}

/// What a world holds beside its setting: a position without its board, since what lies in each line is enough to play on
/// and to score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Holdings {
    lines: [LineTally; LINES],
    filled: SpaceSet,
    hands: BySeat<Hand>,
    decks: BySeat<Deck>,
    scores: ByTeam<u16>,
    lions: ByTeam<u8>,
}

impl Holdings {
    /// What the world of a position holds.
    pub(crate) fn new(position: &Position) -> Holdings {
        // Nothing lies in the lines of a new deal, of which environments make very many.
        let tally = |line| if position.ply() == 0 { LineTally::default() } else { position.line_tally(line) };
        Holdings {
            lines: Line::ALL.map(tally),
            filled: position.filled,
            hands: position.hands,
            decks: position.decks,
            scores: position.scores,
            lions: position.lions(),
        }
    }

    /// How many tiles have been placed.
    #[inline]
    pub(crate) fn ply(&self) -> usize {
        self.filled.len()
    }

    /// The spaces without a tile.
    #[inline]
    pub(crate) fn empty_spaces(&self) -> SpaceSet {
        self.filled.complement()
    }

    /// The tiles in a seat's hand.
    #[inline]
    pub(crate) fn hand(&self, seat: Seat) -> Hand {
        self.hands[seat]
    }

    /// The score of every team.
    #[inline]
    pub(crate) fn scores(&self) -> ByTeam<u16> {
        self.scores
    }

    /// How many tiles of each team lie Lion face up.
    #[inline]
    pub(crate) fn lions(&self) -> ByTeam<u8> {
        self.lions
    }

    /// The lines that a tile on this empty space fills.
    #[inline]
    fn filled_by(&self, space: Space) -> impl Iterator<Item = Line> + use<> {
        let filled = self.filled.with(space);
        space.lines().filter(move |line| filled.contains_all(line.spaces()))
    }

    /// What a tile of the seat to move scores in a line that it fills.
    #[inline]
    fn points(&self, setting: &Setting, line: Line, animal: Animal, face: Face) -> LinePoints {
        let (seat, team) = setting.turns[self.ply()];
        let mut tally = self.lines[line.index()];
        tally.add(setting.weights[seat][animal.index()][face as usize]);
        score_line(&setting.rules, tally, team)
    }

    /// Plays a legal move and tells which tile was drawn after it.
    ///
    /// # Panics
    /// If the seat to move does not hold the tile.
    #[inline]
    pub(crate) fn play(&mut self, setting: &Setting, mv: Move) -> Option<Animal> {
        let (seat, team) = setting.turns[self.ply()];
        for line in self.filled_by(mv.space) {
            self.scores = added(self.scores, &self.points(setting, line, mv.animal, mv.face).points);
        }
        let weight = setting.weights[seat][mv.animal.index()][mv.face as usize];
        for line in mv.space.lines() {
            self.lines[line.index()].add(weight);
        }
        self.lions[team] += u8::from(mv.face == Face::Lion);
        self.filled = self.filled.with(mv.space);
        let deck = self.decks[seat];
        let drawn = self.hands[seat].drawn(mv.animal, deck);
        (self.hands[seat], self.decks[seat]) = drawn.expect("a legal move places a tile of the hand");
        if self.filled == SpaceSet::FULL {
            add_last_seat_bonus(&setting.rules, &mut self.scores);
        }
        deck.draw().map(|(tile, _)| tile)
    }
}

/// A position without its board: what lies in each line is enough to play on and to score.
#[derive(Clone, Copy, Debug)]
pub struct World<'s> {
    setting: &'s Setting,
    holdings: Holdings,
}

impl<'s> World<'s> {
    /// The world of a position of this setting.
    pub fn new(setting: &'s Setting, position: &Position) -> World<'s> {
        debug_assert_eq!(setting.rules, *position.rules());
        World { setting, holdings: Holdings::new(position) }
    }

    /// What all worlds of this game share.
    pub fn setting(&self) -> &'s Setting {
        self.setting
    }

    /// How many tiles have been placed.
    #[inline]
    pub fn ply(&self) -> usize {
        self.holdings.ply()
    }

    /// Whether every space is filled.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.holdings.filled == SpaceSet::FULL
    }

    /// The spaces without a tile.
    #[inline]
    pub fn empty_spaces(&self) -> SpaceSet {
        self.holdings.empty_spaces()
    }

    /// The seat to move and its team; the game must not be over.
    #[inline]
    pub fn turn(&self) -> (Seat, Team) {
        self.setting.turns[self.ply()]
    }

    /// The tiles in a seat's hand.
    #[inline]
    pub fn hand(&self, seat: Seat) -> Hand {
        self.holdings.hand(seat)
    }

    /// The tiles that a seat has still to draw, in draw order.
    #[inline]
    pub fn deck(&self, seat: Seat) -> Deck {
        self.holdings.decks[seat]
    }

    /// What lies in a line.
    #[inline]
    pub fn line(&self, line: Line) -> LineTally {
        self.holdings.lines[line.index()]
    }

    /// The score of every team; the last seat's bonus is in it once the game is over.
    #[inline]
    pub fn scores(&self) -> ByTeam<u16> {
        self.holdings.scores()
    }

    /// How many tiles of each team lie Lion face up.
    #[inline]
    pub fn lions(&self) -> ByTeam<u8> {
        self.holdings.lions()
    }

    /// Who has won, once the game is over.
    pub fn winners(&self) -> TeamSet {
        winners(&self.setting.rules, &self.scores(), &self.lions())
    }

    /// The moves of the seat to move; none when the game is over.
    pub fn legal_moves(&self) -> LegalMoves {
        let hand = if self.is_over() { Hand::default() } else { self.hand(self.turn().0) };
        LegalMoves::new(hand, self.empty_spaces())
    }

    /// How many spaces of a line are empty.
    #[inline]
    pub fn missing(&self, line: Line) -> usize {
        line.spaces().minus(self.holdings.filled).len()
    }

    /// Gives a seat another hand, of two tiles at the most.
    pub fn set_hand(&mut self, seat: Seat, tiles: &[Animal]) {
        self.holdings.hands[seat] = Hand::new(tiles);
    }

    /// Gives a seat another deck, in draw order.
    pub fn set_deck(&mut self, seat: Seat, tiles: &[Animal]) {
        self.holdings.decks[seat] = Deck::new(tiles);
    }

    /// The lines that a tile on this empty space fills.
    #[inline]
    pub fn filled_by(&self, space: Space) -> impl Iterator<Item = Line> + use<> {
        self.holdings.filled_by(space)
    }

    /// What a tile of the seat to move scores in a line that it fills.
    #[inline]
    pub fn points(&self, line: Line, animal: Animal, face: Face) -> LinePoints {
        self.holdings.points(self.setting, line, animal, face)
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
        self.holdings.play(self.setting, mv);
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
