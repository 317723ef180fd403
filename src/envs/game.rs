//! One game of a batch: dealt, played, paid and shown.

use crate::backend::WideWork;
use crate::envs::facts::Facts;
use crate::envs::layout::Layout;
use crate::envs::observe::{Number, write_mask};
use crate::envs::options::{BatchOptions, MAX_ENVS, Reset, Reward, WAIT};
use crate::moves::{ACTIONS, LegalMoves, Move};
use crate::position::Position;
use crate::rng::{Purpose, Xoshiro256PlusPlus};
use crate::rules::Rules;
use crate::score::winners;
use crate::tile::{Animal, ByTeam, Face, Team, TeamSet};

/// One game of a batch.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) facts: Facts,
    /// How many games have begun in this place.
    pub(super) begun: u64,
}

/// Draws a uniformly random legal action; `WAIT` if there is none.
#[inline(always)]
fn sample(legal: LegalMoves, rng: &mut Xoshiro256PlusPlus) -> u8 {
    if legal.is_empty() {
        return WAIT;
    }
    let (animals, mut spaces) = (legal.animals(), legal.spaces());
    let (first, last) = (animals.trailing_zeros() as usize, animals.ilog2() as usize);
    // Two bits or one say which tile and which face, and the rest says where.
    let bits = 1 + u32::from(first != last);
    let number = rng.below((spaces.len() as u64) << bits) as usize;
    let (animal, face) = (Animal::ALL[if number & 2 == 0 { first } else { last }], Face::ALL[number & 1]);
    spaces.nth(number >> bits).map_or(WAIT, |space| Move { animal, face, space }.action() as u8)
}

/// Draws a uniformly random legal action for each game by its own generator.
pub(super) struct Sampling<'s> {
    pub(super) legal: &'s [LegalMoves],
    pub(super) rngs: &'s mut [Xoshiro256PlusPlus],
    pub(super) actions: &'s mut [u8],
}

impl WideWork for Sampling<'_> {
    #[inline(always)]
    fn run(self) {
        for ((rng, &legal), action) in self.rngs.iter_mut().zip(self.legal).zip(self.actions) {
            *action = sample(legal, rng);
        }
    }
}

/// Where the games of a batch are written to, one row for each: memory of the caller, as [`Batch`](crate::envs::Batch)
/// shows.
#[derive(Debug)]
pub struct Rows<'r, N> {
    /// What the seat to move sees; when a game is over, the seat whose turn would be next.
    pub observations: &'r mut [N],
    /// A 1 for each legal action id; all 0 when a game is over.
    pub masks: &'r mut [i8],
    /// What each seat was paid in this step.
    pub rewards: &'r mut [f32],
    /// Whether the game ended in this step.
    pub ended: &'r mut [bool],
    /// The seat to move.
    pub seats: &'r mut [u8],
}

impl<'r, N> Rows<'r, N> {
    /// Whether these are the rows of n games.
    pub(super) fn are_of(&self, games: usize, size: usize, players: usize) -> bool {
        let all = [self.observations.len(), self.masks.len(), self.rewards.len(), self.ended.len(), self.seats.len()];
        all == [games * size, games * ACTIONS, games * players, games, games]
    }

    /// Splits off the rows of the first n games.
    pub(super) fn take(&mut self, games: usize, size: usize, players: usize) -> Rows<'r, N> {
        fn front<'a, T>(rows: &mut &'a mut [T], count: usize) -> &'a mut [T] {
            let (front, rest) = std::mem::take(rows).split_at_mut(count);
            *rows = rest;
            front
        }
        Rows {
            observations: front(&mut self.observations, games * size),
            masks: front(&mut self.masks, games * ACTIONS),
            rewards: front(&mut self.rewards, games * players),
            ended: front(&mut self.ended, games),
            seats: front(&mut self.seats, games),
        }
    }
}

/// What a thread works on: some games of a batch, and what is read and written for each.
pub(super) struct Share<'s, N> {
    /// Which place of the batch the first of them is in.
    pub(super) first: usize,
    pub(super) games: &'s mut [Game],
    /// What may be played in each; nothing when it is over.
    pub(super) legal: &'s mut [LegalMoves],
    /// What all seats saw in the end of the games before, if that is kept.
    pub(super) last: &'s mut [u8],
    /// What to play, or none to show the games as they are.
    pub(super) actions: Option<&'s [u8]>,
    pub(super) rows: Rows<'s, N>,
}

/// A share to be worked on.
pub(super) struct Step<'s, N> {
    pub(super) dealer: &'s Dealer,
    pub(super) share: Share<'s, N>,
}

impl<N: Number> WideWork for Step<'_, N> {
    #[inline(always)]
    fn run(self) {
        self.dealer.work(self.share);
    }
}

/// Deals and plays; the same for all games of a batch.
#[derive(Clone, Debug)]
pub(super) struct Dealer {
    pub(super) layout: Layout,
    pub(super) seed: u64,
    pub(super) options: BatchOptions,
}

impl Dealer {
    /// The start of the game of that number in a place.
    pub(super) fn deal(&self, place: usize, begun: u64) -> Position {
        let number = (place as u64).wrapping_add(begun.wrapping_mul(MAX_ENVS as u64));
        let seed = Xoshiro256PlusPlus::numbered(self.seed, Purpose::Episode, number).next_u64();
        Position::deal(self.layout.rules(), seed)
    }

    /// Begins the next game in a place.
    pub(super) fn begin(&self, place: usize, game: &mut Game, legal: &mut LegalMoves) {
        game.begun += 1;
        game.facts = Facts::begin(&self.deal(place, game.begun));
        *legal = game.facts.legal_moves(self.layout.setting());
    }

    /// Plays an action, or loses the game by it, and tells whether that has ended the game.
    // Beside a call, the loop around it would keep nothing in registers.
    #[inline(always)]
    fn play(&self, action: u8, game: &mut Game, legal: &mut LegalMoves, rewards: &mut [f32]) -> bool {
        let (setting, facts, reward) = (self.layout.setting(), &mut game.facts, self.options.reward);
        let (before, turn) = (facts.scores, setting.turn(facts.ply.into()));
        let mv = Move::from_action(action.into()).filter(|_| legal.allows(action));
        if let Some(mv) = mv {
            facts.play(setting, mv);
            *legal = facts.legal_moves(setting);
        } else {
            *legal = LegalMoves::default();
        }
        if legal.is_empty() || reward == Reward::MarginChange {
            self.pay(facts, &before, if mv.is_some() { None } else { Some(turn.team) }, rewards);
        }
        legal.is_empty()
    }

    /// Pays what is due after a move, or to the others if a team has lost by an illegal action.
    #[inline(never)]
    fn pay(&self, facts: &Facts, before: &ByTeam<u16>, loser: Option<Team>, rewards: &mut [f32]) {
        let rules = self.layout.rules();
        let winners =
            if self.options.reward == Reward::Win { winning(rules, facts, loser) } else { TeamSet::default() };
        for (seat, paid) in rules.seats().zip(rewards) {
            let team = rules.team_of(seat);
            *paid = match self.options.reward {
                Reward::Win if winners.contains(team) => 1.0 / winners.len() as f32,
                Reward::Win => 0.0,
                Reward::Margin => margin(rules, &facts.scores, team, loser),
                Reward::MarginChange => margin(rules, &facts.scores, team, loser) - margin(rules, before, team, None),
            };
        }
    }

    /// Keeps what every seat saw in the end, and begins the next game.
    #[inline(always)]
    fn renew(&self, place: usize, game: &mut Game, legal: &mut LegalMoves, last: &mut [u8]) {
        for (seat, out) in self.layout.rules().seats().zip(last.chunks_exact_mut(self.layout.size())) {
            self.layout.write(&game.facts, seat, out);
        }
        self.begin(place, game, legal);
    }

    /// Plays, and writes the rows.
    #[inline(always)]
    pub(super) fn work<N: Number>(&self, share: Share<'_, N>) {
        let (size, players) = (self.layout.size(), self.layout.rules().players());
        let Share { first, games, legal, last, actions, rows } = share;
        rows.rewards.fill(0.0);
        rows.ended.fill(false);
        let numbers = rows.observations.chunks_exact_mut(size).zip(rows.masks.as_chunks_mut().0);
        let rest = rows.rewards.chunks_exact_mut(players).zip(rows.ended).zip(rows.seats);
        let games = games.iter_mut().zip(legal).zip(numbers.zip(rest)).enumerate();
        for (i, ((game, legal), ((numbers, mask), ((rewards, ended), seat)))) in games {
            match actions.map(|actions| actions[i]) {
                Some(_) if legal.is_empty() && self.options.reset == Reset::NextStep => {
                    self.begin(first + i, game, legal);
                }
                Some(action) if action != WAIT && !legal.is_empty() => {
                    *ended = self.play(action, game, legal, rewards);
                    if *ended && self.options.reset == Reset::SameStep {
                        self.renew(first + i, game, legal, &mut last[i * players * size..][..players * size]);
                    }
                }
                _ => {}
            }
            let mover = self.layout.setting().turn(game.facts.ply.into()).seat;
            *seat = mover.index() as u8;
            self.layout.write(&game.facts, mover, numbers);
            write_mask(*legal, &game.facts, mask);
        }
    }
}

/// Who has won; if a team has lost by an illegal action, all others have.
fn winning(rules: &Rules, end: &Facts, loser: Option<Team>) -> TeamSet {
    match loser {
        None => winners(rules, &end.scores, &end.lions),
        Some(loser) => rules.team_list().filter(|&team| team != loser).collect(),
    }
}

/// By how much the score of a team exceeds the mean of the others'. If one has lost by an illegal action, all points that
/// the rules can give count against it.
fn margin(rules: &Rules, scores: &ByTeam<u16>, team: Team, loser: Option<Team>) -> f32 {
    let others = rules.teams() as f32 - 1.0;
    match loser {
        Some(loser) if loser == team => -(rules.max_score() as f32),
        Some(_) => rules.max_score() as f32 / others,
        None => {
            let all: u16 = rules.team_list().map(|team| scores[team]).sum();
            f32::from(scores[team]) - f32::from(all - scores[team]) / others
        }
    }
}
