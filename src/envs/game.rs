//! One game of a batch: dealt, played, paid and shown.

use crate::board::SPACES;
use crate::envs::batch::{MAX_ENVS, Rows, WAIT};
use crate::envs::facts::{Event, Facts};
use crate::envs::layout::Layout;
use crate::envs::observe::Number;
use crate::envs::options::{BatchOptions, Reward};
use crate::moves::{ACTIONS, LegalMoves, Move};
use crate::position::Position;
use crate::rng::{Purpose, Xoshiro256PlusPlus};
use crate::rules::Rules;
use crate::score::winners;
use crate::tile::{Face, Hand, Seat, Team, TeamSet};
use crate::world::{Holdings, Setting};

/// One game of a batch.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) holdings: Holdings,
    pub(super) facts: Facts,
    /// Draws actions for those who want random ones.
    pub(super) rng: Xoshiro256PlusPlus,
    /// How many games have begun in this place.
    pub(super) begun: u64,
    /// The action ids of the moves that were played.
    pub(super) actions: [u8; SPACES],
    pub(super) over: bool,
}

impl Game {
    /// No game yet, in this place.
    pub(super) fn new(rules: &Rules, seed: u64, place: u64) -> Game {
        let start = Position::empty(rules);
        Game {
            holdings: Holdings::new(&start),
            facts: Facts::begin(&start),
            rng: Xoshiro256PlusPlus::numbered(seed, Purpose::Act, place),
            begun: 0,
            actions: [0; SPACES],
            over: true,
        }
    }

    pub(super) fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.actions[..self.facts.ply.into()].iter().filter_map(|&action| Move::from_action(action.into()))
    }

    fn hand(&self, setting: &Setting) -> Hand {
        self.holdings.hand(setting.rules().seat_at(self.facts.ply.into()))
    }

    /// The move of an action, if it is legal.
    #[inline]
    pub(super) fn legal(&self, setting: &Setting, action: u8) -> Option<Move> {
        let legal = LegalMoves::new(self.hand(setting), self.holdings.empty_spaces());
        Move::from_action(action.into()).filter(|&mv| !self.over && legal.contains(mv))
    }

    #[inline]
    pub(super) fn sample(&mut self, setting: &Setting) -> u8 {
        if self.over {
            return WAIT;
        }
        let (hand, mut spaces) = (self.hand(setting), self.holdings.empty_spaces());
        let mut animals = hand.tiles();
        let (Some(first), second) = (animals.next(), animals.next()) else { return WAIT };
        let second = second.filter(|&second| second != first);
        // Two bits or one say which tile and which face, and the rest says where.
        let bits = 1 + u32::from(second.is_some());
        let number = self.rng.below((spaces.len() as u64) << bits) as usize;
        let animal = second.filter(|_| number & 2 != 0).unwrap_or(first);
        spaces
            .nth(number >> bits)
            .map_or(WAIT, |space| Move { animal, face: Face::ALL[number & 1], space }.action() as u8)
    }

    #[inline]
    fn write_mask(&self, seat: Seat, mask: &mut [i8]) {
        mask.fill(0);
        if self.over {
            return;
        }
        let mut row = [0; SPACES];
        for (flag, &tile) in row.iter_mut().zip(&self.facts.tiles) {
            *flag = i8::from(tile == 0);
        }
        for animal in self.holdings.hand(seat).tiles() {
            for face in Face::ALL {
                let start = (animal.index() * Face::ALL.len() + face as usize) * SPACES;
                mask[start..start + SPACES].copy_from_slice(&row);
            }
        }
    }
}

/// A game, what its seats saw in the end of the one before, and what they are paid.
pub(super) struct Table<'t> {
    pub(super) game: &'t mut Game,
    pub(super) last: &'t mut [u8],
    pub(super) rewards: &'t mut [f32],
    pub(super) ended: bool,
}

/// Deals and plays; the same for all games of a batch.
#[derive(Clone, Debug)]
pub(super) struct Dealer {
    pub(super) setting: Setting,
    pub(super) layout: Layout,
    pub(super) seed: u64,
}

impl Dealer {
    /// The start of the game of that number in a place.
    pub(super) fn deal(&self, place: usize, begun: u64) -> Position {
        let number = (place as u64).wrapping_add(begun.wrapping_mul(MAX_ENVS as u64));
        let seed = Xoshiro256PlusPlus::numbered(self.seed, Purpose::Episode, number).next_u64();
        Position::deal(self.setting.rules(), seed)
    }

    /// Begins the next game in a place.
    pub(super) fn begin(&self, place: usize, game: &mut Game) {
        game.begun += 1;
        (game.actions, game.over) = ([0; SPACES], false);
        let start = self.deal(place, game.begun);
        (game.holdings, game.facts) = (Holdings::new(&start), Facts::begin(&start));
    }

    /// Keeps what every seat saw in the end.
    pub(super) fn keep(&self, table: &mut Table<'_>) {
        for (seat, out) in self.setting.rules().seats().zip(table.last.chunks_exact_mut(self.layout.size())) {
            self.layout.write(&table.game.facts, seat, out);
        }
    }

    /// Plays an action, or loses the game by it.
    #[inline]
    pub(super) fn play(&self, action: u8, options: BatchOptions, table: &mut Table<'_>) {
        let Table { game, rewards, ended, .. } = table;
        let (rules, ply) = (self.setting.rules(), usize::from(game.facts.ply));
        let now =
            |team| if options.reward == Reward::MarginChange { margin(rules, &game.holdings, team, None) } else { 0.0 };
        let before = Team::ALL.map(now);
        let legal = game.legal(&self.setting, action);
        if let Some(mv) = legal {
            let mover = rules.seat_at(ply);
            let drawn = game.holdings.play(&self.setting, mv);
            game.actions[ply] = action;
            game.over = ply + 1 == SPACES;
            let (scores, lions) = (game.holdings.scores(), game.holdings.lions());
            game.facts.follow(rules, &Event { mover, mv, drawn, scores, lions });
        } else {
            game.over = true;
        }
        *ended = game.over;
        let loser = legal.is_none().then(|| rules.team_of(rules.seat_at(ply)));
        let paid = |team: Team| match options.reward {
            Reward::Win if game.over => share(rules, &game.holdings, team, loser),
            Reward::Margin if game.over => margin(rules, &game.holdings, team, loser),
            Reward::MarginChange => margin(rules, &game.holdings, team, loser) - before[team.index()],
            _ => 0.0,
        };
        for (seat, reward) in rules.seats().zip(rewards.iter_mut()) {
            *reward = paid(rules.team_of(seat));
        }
    }

    /// Does something with some games of a batch, from `first` on, and writes their rows.
    pub(super) fn work<N: Number>(
        &self,
        first: usize,
        games: &mut [Game],
        mut last: &mut [u8],
        rows: Rows<'_, N>,
        act: &impl Fn(&Dealer, usize, &mut Table<'_>),
    ) {
        let (size, players) = (self.layout.size(), self.setting.rules().players());
        let row = size * players;
        let Rows { observations, masks, rewards, ended, seats } = rows;
        assert!(
            observations.len() == games.len() * size && rewards.len() == games.len() * players,
            "rows for all games"
        );
        let mut room = vec![0; size];
        for (place, game) in games.iter_mut().enumerate() {
            let rewards = &mut rewards[place * players..][..players];
            rewards.fill(0.0);
            let (mine, rest) = last.split_at_mut(last.len().min(row));
            last = rest;
            let mut table = Table { game, last: mine, rewards, ended: false };
            act(self, first + place, &mut table);
            ended[place] = table.ended;
            let seat = self.setting.rules().seat_at(table.game.facts.ply.into());
            seats[place] = seat.index() as u8;
            let facts = &table.game.facts;
            let write = |out: &mut [u8]| self.layout.write(facts, seat, out);
            N::fill(&mut observations[place * size..][..size], &mut room, write);
            game.write_mask(seat, &mut masks[place * ACTIONS..][..ACTIONS]);
        }
    }
}

/// Which share of the win a team has; if one has lost by an illegal action, the others share it.
fn share(rules: &Rules, end: &Holdings, team: Team, loser: Option<Team>) -> f32 {
    let all: TeamSet = match loser {
        None => winners(rules, &end.scores(), &end.lions()),
        Some(loser) => rules.team_list().filter(|&team| team != loser).collect(),
    };
    if all.contains(team) { 1.0 / all.len() as f32 } else { 0.0 }
}

/// By how much the score of a team exceeds the mean of the others'. If one has lost by an illegal action, all points that
/// the rules can give count against it.
fn margin(rules: &Rules, holdings: &Holdings, team: Team, loser: Option<Team>) -> f32 {
    let others = rules.teams() as f32 - 1.0;
    match loser {
        Some(loser) if loser == team => -(rules.max_score() as f32),
        Some(_) => rules.max_score() as f32 / others,
        None => {
            let scores = holdings.scores();
            let all: u16 = rules.team_list().map(|team| scores[team]).sum();
            f32::from(scores[team]) - f32::from(all - scores[team]) / others
        }
    }
}
