//! Many games side by side, stepped by one call that writes what their agents see.

use std::fmt;
use std::num::NonZeroUsize;

use crate::backend::on_wide_vectors;
use crate::envs::episode::Episode;
use crate::envs::facts::Facts;
use crate::envs::game::{Dealer, Game, Rows, Sampling, Share, Step};
use crate::envs::layout::{Layout, LayoutError};
use crate::envs::observe::Number;
use crate::envs::options::{BatchOptions, Illegal, MAX_ENVS, Reset, WAIT};
use crate::moves::{ACTIONS, LegalMoves, Move};
use crate::parallel::{Queue, start_threads};
use crate::play::PlayError;
use crate::position::Position;
use crate::rng::{Purpose, Xoshiro256PlusPlus};
use crate::rules::Rules;
use crate::tile::Seat;

/// A thread is not worth starting for fewer games.
const GAMES_OF_A_THREAD: usize = 512;

/// Why a step was refused; no game has changed. See [`Batch::step`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum BatchError {
    /// Another number of actions than of games.
    Actions {
        /// Actions given.
        got: usize,
        /// Games.
        games: usize,
    },
    /// An action cannot be played.
    Play {
        /// In which game.
        game: usize,
        /// What was asked for.
        action: u8,
        /// Why; `None` if it is not an action id.
        error: Option<PlayError>,
    },
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Actions { got, games } => write!(f, "{games} games need {games} actions, got {got}"),
            BatchError::Play { game, action, error: None } => {
                write!(f, "action of game {game} must be 0 to {}, or {WAIT} to wait, got {action}", ACTIONS - 1)
            }
            BatchError::Play { game, action, error: Some(error) } => {
                write!(f, "action {action} of game {game}: {error}")
            }
        }
    }
}

impl std::error::Error for BatchError {}

/// Many games of the same rules. For a seed, game `i` is the same however many other games and threads there are.
///
/// ```
/// # use std::num::NonZeroUsize;
/// # use savanna_core::{ACTIONS, Rules, envs::{Batch, BatchOptions, Reset, Rows}};
/// let options = BatchOptions { reset: Reset::Disabled, ..BatchOptions::default() };
/// let mut batch = Batch::new(&Rules::default(), 3, 7, options)?;
/// let (mut observations, mut masks) = (vec![0u8; 3 * batch.layout().size()], vec![0; 3 * ACTIONS]);
/// let (mut rewards, mut ended, mut seats, mut actions) = ([0.0; 3 * 2], [false; 3], [0; 3], [0; 3]);
/// for _ in 0..20 {
///     let (observations, masks, rewards) = (&mut observations[..], &mut masks[..], &mut rewards[..]);
///     let rows = Rows { observations, masks, rewards, ended: &mut ended, seats: &mut seats };
///     batch.sample(&mut actions); // where an agent would choose by observations and masks
///     batch.step(&actions, rows, NonZeroUsize::MIN)?;
/// }
/// assert_eq!((ended, masks.iter().sum::<i8>()), ([true; 3], 0));
/// assert!(rewards.chunks(2).all(|paid| paid[0] + paid[1] == 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch {
    pub(super) dealer: Dealer,
    pub(super) games: Vec<Game>,
    /// What may be played in each game; nothing in one that is over.
    pub(super) legal: Vec<LegalMoves>,
    /// What draws each game's actions for those who want random ones.
    pub(super) rngs: Vec<Xoshiro256PlusPlus>,
    /// What each seat of each game saw in the end, if the next game has begun in the same step; else empty.
    pub(super) last: Vec<u8>,
}

impl Batch {
    /// A batch of n games of these rules, dealt by this seed.
    ///
    /// # Errors
    /// Rules that observations cannot hold.
    ///
    /// # Panics
    /// If there are no games, or more than [`MAX_ENVS`].
    pub fn new(rules: &Rules, games: usize, seed: u64, options: BatchOptions) -> Result<Batch, LayoutError> {
        assert!((1..=MAX_ENVS).contains(&games), "a batch has 1 to {MAX_ENVS} games, got {games}");
        let mut batch = Batch::undealt(Layout::new(rules, options.recall)?, games, seed, options);
        batch.reset(|_| true);
        Ok(batch)
    }

    /// A batch of n places in which no game has begun yet.
    pub(super) fn undealt(layout: Layout, games: usize, seed: u64, options: BatchOptions) -> Batch {
        let last = if options.reset == Reset::SameStep { games * layout.rules().players() * layout.size() } else { 0 };
        let none = Game { facts: Facts::begin(&Position::empty(layout.rules())), begun: 0 };
        let rng = |place| Xoshiro256PlusPlus::numbered(seed, Purpose::Act, place);
        Batch {
            dealer: Dealer { layout, seed, options },
            games: vec![none; games],
            legal: vec![LegalMoves::default(); games],
            rngs: (0..games as u64).map(rng).collect(),
            last: vec![0; last],
        }
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether it has no games: always false.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The seed that deals the games.
    pub fn seed(&self) -> u64 {
        self.dealer.seed
    }

    /// How the batch behaves.
    pub fn options(&self) -> BatchOptions {
        self.dealer.options
    }

    /// Makes all games begin again as those of this seed; they do when they are reset.
    pub fn reseed(&mut self, seed: u64) {
        *self = Batch::undealt(self.dealer.layout.clone(), self.games.len(), seed, self.dealer.options);
    }

    /// How observations are laid out.
    pub fn layout(&self) -> &Layout {
        &self.dealer.layout
    }

    /// Begins the next game in each of these places.
    pub fn reset(&mut self, places: impl Fn(usize) -> bool) {
        let games = self.games.iter_mut().zip(&mut self.legal).enumerate();
        for (place, (game, legal)) in games.filter(|(place, _)| places(*place)) {
            self.dealer.begin(place, game, legal);
        }
    }

    /// A uniformly random legal action for each game; `WAIT` where it is over. Each game draws its own random numbers.
    ///
    /// # Panics
    /// If there are other than one action for each game.
    pub fn sample(&mut self, actions: &mut [u8]) {
        assert_eq!(actions.len(), self.games.len(), "an action for each game");
        on_wide_vectors(Sampling { legal: &self.legal, rngs: &mut self.rngs, actions });
    }

    /// Plays one action in each game, on n threads, and writes the results.
    ///
    /// # Errors
    /// A number of actions other than of games, or, unless illegal actions lose, the first that is not legal. Nothing is
    /// changed then.
    ///
    /// # Panics
    /// If a row has not the size that the layout and the rules give.
    pub fn step<N: Number>(
        &mut self,
        actions: &[u8],
        rows: Rows<'_, N>,
        threads: NonZeroUsize,
    ) -> Result<(), BatchError> {
        self.check(actions)?;
        self.on_threads(Some(actions), rows, threads);
        Ok(())
    }

    /// Writes the games as they are; nobody is paid.
    ///
    /// # Panics
    /// As [`step`](Batch::step).
    pub fn show<N: Number>(&mut self, rows: Rows<'_, N>) {
        self.on_threads(None, rows, NonZeroUsize::MIN);
    }

    /// Writes what a seat sees in each game, or saw in the end of the game before.
    ///
    /// # Panics
    /// If the seat does not play, if `numbers` has another size, or if the end is asked for of games that do not begin anew
    /// in the same step.
    pub fn observe<N: Number>(&self, seat: Seat, in_the_end: bool, numbers: &mut [N]) {
        let (size, players) = (self.dealer.layout.size(), self.dealer.layout.rules().players());
        assert!(seat.index() < players, "only a seat that plays observes");
        assert_eq!(numbers.len(), self.games.len() * size, "an observation for each game");
        assert!(!in_the_end || self.last.len() == numbers.len() * players, "ends are kept");
        for (place, numbers) in numbers.chunks_exact_mut(size).enumerate() {
            if in_the_end {
                let last = &self.last[(place * players + seat.index()) * size..];
                numbers.iter_mut().zip(last).for_each(|(number, &count)| *number = N::from(count));
            } else {
                self.dealer.layout.write(&self.games[place].facts, seat, numbers);
            }
        }
    }

    /// The game in a place, from its deal on. An action that was not legal is not in it.
    ///
    /// # Panics
    /// If the place does not exist.
    pub fn episode(&self, place: usize) -> Episode {
        let game = &self.games[place];
        let start = Episode::new(&self.dealer.deal(place, game.begun)).expect("a deal is a start");
        game.facts.moves().fold(start, |episode, mv| episode.play(mv).expect("only legal moves are kept"))
    }

    /// Whether the game in a place is over.
    ///
    /// # Panics
    /// If the place does not exist.
    pub fn is_over(&self, place: usize) -> bool {
        self.legal[place].is_empty()
    }

    /// Why a move cannot be played in the game in a place.
    pub(super) fn refusal(&self, place: usize, mv: Move) -> Option<PlayError> {
        self.episode(place).position().play(mv).err()
    }

    /// Looks whether a step of these actions is refused.
    fn check(&self, actions: &[u8]) -> Result<(), BatchError> {
        let games = self.games.len();
        if actions.len() != games {
            return Err(BatchError::Actions { got: actions.len(), games });
        }
        for (game, (&legal, &action)) in self.legal.iter().zip(actions).enumerate() {
            if action == WAIT || legal.allows(action) {
                continue;
            }
            let over = legal.is_empty();
            let BatchOptions { illegal, reset, .. } = self.dealer.options;
            let taken = if over { reset == Reset::NextStep } else { illegal == Illegal::Loss };
            if taken {
                continue;
            }
            let refused = |mv| if over { Some(PlayError::GameOver) } else { self.refusal(game, mv) };
            return Err(BatchError::Play { game, action, error: Move::from_action(action.into()).and_then(refused) });
        }
        Ok(())
    }

    /// Plays these actions, if there are any, and writes the rows, on n threads.
    fn on_threads<N: Number>(&mut self, actions: Option<&[u8]>, mut rows: Rows<'_, N>, threads: NonZeroUsize) {
        let (size, players) = (self.dealer.layout.size(), self.dealer.layout.rules().players());
        let (count, row) = (self.games.len(), size * players);
        assert!(rows.are_of(count, size, players), "a row for each game in each of the arrays");
        let threads = threads.get().min(count.div_ceil(GAMES_OF_A_THREAD)).max(1);
        let share = count.div_ceil(threads).max(1);
        let dealer = &self.dealer;
        let mut last = self.last.as_mut_slice();
        let mut work = Vec::new();
        for (part, (games, legal)) in self.games.chunks_mut(share).zip(self.legal.chunks_mut(share)).enumerate() {
            let first = part * share;
            let actions = actions.map(|actions| &actions[first..][..games.len()]);
            let rows = rows.take(games.len(), size, players);
            let (mine, rest) = std::mem::take(&mut last).split_at_mut_checked(games.len() * row).unwrap_or_default();
            last = rest;
            let share = Share { first, games, legal, last: mine, actions, rows };
            work.push(Step { dealer, share });
        }
        let (others, queue) = (work.len().saturating_sub(1), Queue::new(work));
        let run = || {
            while let Some(step) = queue.take() {
                on_wide_vectors(step);
            }
        };
        std::thread::scope(|scope| {
            start_threads(scope, others, &run);
            run();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::envs::options::Reward;
    use crate::rules::RulesOptions;

    /// The rows of a batch, made to be written.
    #[derive(Clone, PartialEq, Debug)]
    struct Written<N>(Vec<N>, Vec<i8>, Vec<f32>, Vec<bool>, Vec<u8>);

    impl<N: Number> Written<N> {
        fn room(batch: &Batch) -> Written<N> {
            let (games, layout) = (batch.len(), batch.layout());
            let (numbers, paid) = (vec![N::default(); games * layout.size()], games * layout.rules().players());
            Written(numbers, vec![0; games * ACTIONS], vec![0.0; paid], vec![false; games], vec![0; games])
        }

        fn rows(&mut self) -> Rows<'_, N> {
            let Written(observations, masks, rewards, ended, seats) = self;
            Rows { observations, masks, rewards, ended, seats }
        }
    }

    /// Plays two games in each place, by the instructions that every processor of this kind has and by those of this one.
    fn is_the_same_by_wide_vectors<N: Number + PartialEq + fmt::Debug>(players: i64, recall: bool) {
        let rules = Rules::new(&RulesOptions { players, mice: recall, ..RulesOptions::default() }).unwrap();
        let options =
            BatchOptions { recall, reward: Reward::MarginChange, illegal: Illegal::Raise, reset: Reset::SameStep };
        let mut batch = Batch::new(&rules, 40, 7, options).unwrap();
        let mut plain = batch.clone();
        let (mut written, mut expected) = (Written::<N>::room(&batch), Written::<N>::room(&batch));
        let mut actions = vec![0; batch.len()];
        for _ in 0..40 {
            batch.sample(&mut actions);
            batch.step(&actions, written.rows(), NonZeroUsize::MIN).unwrap();
            let Batch { dealer, games, legal, last, .. } = &mut plain;
            dealer.work(Share { first: 0, games, legal, last, actions: Some(&actions), rows: expected.rows() });
            assert_eq!(written, expected);
            assert_eq!(batch.last, plain.last);
        }
        assert!(written.3.iter().all(|&ended| ended));
    }

    #[test]
    fn wide_vectors_change_nothing() {
        for (players, recall) in [(2, false), (2, true), (3, true), (4, false)] {
            is_the_same_by_wide_vectors::<u8>(players, recall);
            is_the_same_by_wide_vectors::<f32>(players, recall);
        }
    }
}
