//! How many games are played, and by what means.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::OnceLock;

use crate::backend::Backend;
use crate::rollout::policy::Policy;

/// Games of one batch, and so of one random stream; the last batch of a call may be shorter. [`Options::first`] is counted
/// in whole ones.
pub const BATCH: u64 = 1 << 14;
/// The greatest number of threads that a call from Python or C may ask for. Code that takes a number for
/// [`Options::threads`] from outside may hold it to the same bound; here it is not checked.
pub const MAX_THREADS: usize = 1024;
/// The greatest number of games of a call, and of a [`Tally`](crate::rollout::Tally): up to it, counts stay exact as
/// floating-point numbers, in which [`Stats`](crate::stats::Stats) are. It is the bound of [`Options::games`].
pub const MAX_GAMES: u64 = 1 << 53;

/// How many games, from which seed, and by what means. [`Options::new`] has what most calls want. Parts of a long call
/// add up to it, wherever they are played:
///
/// ```
/// # use savanna_core::{Options, Rules, Source, rollout, rollout::BATCH};
/// let source = Source::from(Rules::default());
/// let part = |first, games| rollout(&source, &Options { first, seed: 7, ..Options::new(games) });
/// let mut sum = part(0, BATCH);
/// sum.merge(&part(BATCH, 100));
/// assert_eq!(sum, part(0, BATCH + 100));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// The number of games, 1 to [`MAX_GAMES`].
    pub games: u64,
    /// The number of the first game, a multiple of [`BATCH`]. A call may so play a part of the games of a longer one. With
    /// `games` it is at most [`MAX_GAMES`].
    pub first: u64,
    /// The seed: with the source, it decides every game.
    pub seed: u64,
    /// How many threads to use at most; more than there are batches are not started.
    pub threads: NonZeroUsize,
    /// What plays the games; in place of one that cannot run here, the best that can.
    pub backend: Backend,
    /// How moves are chosen.
    pub policy: Policy,
}

/// Why games are not played: what [`Options::check`] says, where an example is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum OptionsError {
    /// There are no games, or more than [`MAX_GAMES`].
    Games(u64),
    /// The number of the first game is greater than [`MAX_GAMES`].
    First(u64),
    /// The first game does not begin a batch.
    WithinBatch(u64),
    /// `first` and `games` together exceed [`MAX_GAMES`].
    Last(u64),
}

impl fmt::Display for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionsError::Games(games) => write!(f, "games must be 1 to {MAX_GAMES}, got {games}"),
            OptionsError::First(first) => write!(f, "first must be 0 to {MAX_GAMES}, got {first}"),
            OptionsError::WithinBatch(first) => write!(f, "first must be a multiple of {BATCH}, got {first}"),
            OptionsError::Last(last) => write!(f, "first + games must be at most {MAX_GAMES}, got {last}"),
        }
    }
}

impl std::error::Error for OptionsError {}

impl Options {
    /// This many uniform games of seed 0, on every core, by the backend that is [usual](Backend::usual) here; by the
    /// best if another is asked for that cannot run.
    pub fn new(games: u64) -> Options {
        // Asking the system takes longer than a small call, so it is asked once.
        static CORES: OnceLock<NonZeroUsize> = OnceLock::new();
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let (threads, backend) = (*CORES.get_or_init(cores), Backend::usual_or_best());
        Options { games, first: 0, seed: 0, threads, backend, policy: Policy::default() }
    }

    /// Whether these games can be played. Check numbers from outside with it before calling [`rollout`](fn@crate::rollout).
    ///
    /// # Errors
    /// The first number that cannot be.
    ///
    /// # Example
    /// ```
    /// # use savanna_core::Options;
    /// assert_eq!(Options::new(1000).check(), Ok(()));
    /// let error = Options { first: 1000, ..Options::new(1000) }.check().unwrap_err();
    /// assert_eq!(error.to_string(), "first must be a multiple of 16384, got 1000");
    /// ```
    pub fn check(&self) -> Result<(), OptionsError> {
        let Options { games, first, .. } = *self;
        match games {
            0 => Err(OptionsError::Games(games)),
            _ if games > MAX_GAMES => Err(OptionsError::Games(games)),
            _ if first > MAX_GAMES => Err(OptionsError::First(first)),
            _ if !first.is_multiple_of(BATCH) => Err(OptionsError::WithinBatch(first)),
            _ if first + games > MAX_GAMES => Err(OptionsError::Last(first + games)),
            _ => Ok(()),
        }
    }

    /// Panics if games cannot be played.
    pub(super) fn demand(&self) {
        if let Err(error) = self.check() {
            panic!("{error}");
        }
    }

    /// The number and the size of every batch.
    pub(super) fn batches(&self) -> impl Iterator<Item = (u64, u64)> + use<> {
        let (games, first) = (self.games, self.first / BATCH);
        (0..games.div_ceil(BATCH)).map(move |batch| (first + batch, BATCH.min(games - batch * BATCH)))
    }

    /// The number of threads used for this number of sources: at most one for each batch.
    pub fn threads_used(&self, sources: usize) -> usize {
        let batches = usize::try_from(self.games.div_ceil(BATCH)).unwrap_or(usize::MAX).saturating_mul(sources);
        self.threads.get().min(batches).max(1)
    }
}
