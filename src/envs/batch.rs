//! Many games side by side, stepped by one call that writes what their agents see.

use std::fmt;
use std::num::NonZeroUsize;

use crate::envs::episode::Episode;
use crate::envs::game::{Dealer, Game, Table};
use crate::envs::layout::{Layout, LayoutError};
use crate::envs::observe::Number;
use crate::envs::options::{BatchOptions, Illegal, Reset};
use crate::moves::{ACTIONS, Move};
use crate::play::PlayError;
use crate::rules::Rules;
use crate::tile::Seat;
use crate::world::Setting;

/// The most games of a batch.
pub const MAX_ENVS: usize = 1 << 20;
/// In place of an action id: this game is left as it is.
pub const WAIT: u8 = u8::MAX;
/// A thread is not worth starting for fewer games.
const GAMES_OF_A_THREAD: usize = 512;

/// Why a step was refused; no game has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
        /// Why; `None` if it is no action id.
        error: Option<PlayError>,
    },
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Actions { got, games } => write!(f, "{games} games need {games} actions, got {got}"),
            BatchError::Play { game, action, error: None } => {
                write!(f, "action of game {game} must be 0..{}, or {WAIT} to wait, got {action}", ACTIONS - 1)
            }
            BatchError::Play { game, action, error: Some(error) } => {
                write!(f, "action {action} of game {game}: {error}")
            }
        }
    }
}

impl std::error::Error for BatchError {}

/// Where the games of a batch are written to, one row for each.
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
    /// Takes the rows of the first so many games off.
    fn take(&mut self, games: usize, size: usize, players: usize) -> Rows<'r, N> {
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

/// Many games of the same rules. Game `i` is the same for a seed whatever the other games and threads do.
#[derive(Clone, Debug)]
pub struct Batch {
    pub(super) dealer: Dealer,
    pub(super) options: BatchOptions,
    pub(super) games: Vec<Game>,
    /// What each seat of each game saw in the end, if the next game has begun in the same step; else empty.
    pub(super) last: Vec<u8>,
}

impl Batch {
    /// So many games of these rules, dealt by this seed.
    ///
    /// # Errors
    /// Rules that observations cannot hold.
    pub fn new(rules: &Rules, games: usize, seed: u64, options: BatchOptions) -> Result<Batch, LayoutError> {
        let layout = Layout::new(rules, options.recall)?;
        let (row, setting) = (rules.players() * layout.size(), Setting::new(rules));
        let last = if options.reset == Reset::SameStep { games * row } else { 0 };
        let dealer = Dealer { setting, layout, seed };
        let mut batch = Batch { dealer, options, games: Vec::new(), last: vec![0; last] };
        batch.games = (0..games as u64).map(|place| Game::new(rules, seed, place)).collect();
        batch.reset(|_| true);
        Ok(batch)
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The seed that deals the games.
    pub fn seed(&self) -> u64 {
        self.dealer.seed
    }

    /// How the batch behaves.
    pub fn options(&self) -> BatchOptions {
        self.options
    }

    /// Makes all games begin again as those of this seed; they do when they are reset.
    pub fn reseed(&mut self, seed: u64) {
        self.dealer.seed = seed;
        self.last.fill(0);
        for (place, game) in (0..).zip(&mut self.games) {
            *game = Game::new(self.dealer.setting.rules(), seed, place);
        }
    }

    /// How observations are laid out.
    pub fn layout(&self) -> &Layout {
        &self.dealer.layout
    }

    /// Begins the next game in each of these places.
    pub fn reset(&mut self, places: impl Fn(usize) -> bool) {
        for (place, game) in self.games.iter_mut().enumerate().filter(|(place, _)| places(*place)) {
            self.dealer.begin(place, game);
        }
    }

    /// A uniformly random legal action for each game; `WAIT` where it is over. Each game draws its own random numbers.
    ///
    /// # Panics
    /// If there are other than one action for each game.
    pub fn sample(&mut self, actions: &mut [u8]) {
        assert_eq!(actions.len(), self.games.len(), "an action for each game");
        for (game, action) in self.games.iter_mut().zip(actions) {
            *action = game.sample(&self.dealer.setting);
        }
    }

    /// Plays one action in each game, on so many threads, and writes what comes of it.
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
        let step = self.options;
        self.on_threads(rows, threads, |dealer, place, table| {
            let action = actions[place];
            if !table.game.over {
                if action != WAIT {
                    dealer.play(action, step, table);
                    if table.game.over && step.reset == Reset::SameStep {
                        dealer.keep(table);
                        dealer.begin(place, table.game);
                    }
                }
            } else if step.reset == Reset::NextStep {
                dealer.begin(place, table.game);
            }
        });
        Ok(())
    }

    /// Writes the games as they are; nobody is paid.
    ///
    /// # Panics
    /// As [`step`](Batch::step).
    pub fn show<N: Number>(&mut self, rows: Rows<'_, N>) {
        self.on_threads(rows, NonZeroUsize::MIN, |_, _, _| {});
    }

    /// Writes what a seat sees in each game, or saw in the end of the game before.
    ///
    /// # Panics
    /// If `numbers` has another size, or if the end is asked for of games that do not begin anew in the same step.
    pub fn observe<N: Number>(&self, seat: Seat, in_the_end: bool, numbers: &mut [N]) {
        let (size, players) = (self.dealer.layout.size(), self.dealer.setting.rules().players());
        assert_eq!(numbers.len(), self.games.len() * size, "an observation for each game");
        assert!(!in_the_end || self.last.len() == numbers.len() * players, "ends are kept");
        let mut room = vec![0; size];
        for (place, numbers) in numbers.chunks_exact_mut(size).enumerate() {
            if in_the_end {
                N::write(&self.last[(place * players + seat.index()) * size..][..size], numbers);
            } else {
                N::fill(numbers, &mut room, |out| self.dealer.layout.write(&self.games[place].facts, seat, out));
            }
        }
    }

    /// The game in a place, from its deal on. An action that was not legal is not in it.
    pub fn episode(&self, place: usize) -> Episode {
        let game = &self.games[place];
        let start = Episode::new(&self.dealer.deal(place, game.begun)).expect("a deal is a start");
        game.moves().fold(start, |episode, mv| episode.play(mv).expect("only legal moves are kept"))
    }

    /// Whether the game in a place is over.
    pub fn is_over(&self, place: usize) -> bool {
        self.games[place].over
    }

    fn check(&self, actions: &[u8]) -> Result<(), BatchError> {
        let games = self.games.len();
        if actions.len() != games {
            return Err(BatchError::Actions { got: actions.len(), games });
        }
        for (game, (it, &action)) in self.games.iter().zip(actions).enumerate() {
            let waits = action == WAIT || (it.over && self.options.reset == Reset::NextStep);
            if waits
                || (self.options.illegal == Illegal::Loss && !it.over)
                || it.legal(&self.dealer.setting, action).is_some()
            {
                continue;
            }
            let position = *self.episode(game).position();
            let refused = |mv| if it.over { Some(PlayError::GameOver) } else { position.play(mv).err() };
            return Err(BatchError::Play { game, action, error: Move::from_action(action.into()).and_then(refused) });
        }
        Ok(())
    }

    /// Does something with every game on so many threads, then writes its row.
    fn on_threads<N: Number>(
        &mut self,
        mut rows: Rows<'_, N>,
        threads: NonZeroUsize,
        act: impl Fn(&Dealer, usize, &mut Table<'_>) + Sync,
    ) {
        let (size, players) = (self.dealer.layout.size(), self.dealer.setting.rules().players());
        let row = size * players;
        let threads = threads.get().min(self.games.len().div_ceil(GAMES_OF_A_THREAD)).max(1);
        let share = self.games.len().div_ceil(threads).max(1);
        let dealer = &self.dealer;
        let act = &act;
        let mut last = self.last.as_mut_slice();
        let mut work = Vec::new();
        for (part, games) in self.games.chunks_mut(share).enumerate() {
            let rows = rows.take(games.len(), size, players);
            let ends = last.len().min(games.len() * row);
            let (mine, rest) = last.split_at_mut(ends);
            last = rest;
            work.push(move || dealer.work(part * share, games, mine, rows, act));
        }
        std::thread::scope(|scope| {
            let first = work.pop();
            for other in work {
                scope.spawn(other);
            }
            if let Some(work) = first {
                work();
            }
        });
    }
}
