//! Uniform playouts: every legal move equally likely, to the end of the game, many times over.
//!
//! Games come in numbered batches, each with a random stream of its own (`rollout/draws.rs` says how it is used), so what a
//! seed gives does not depend on threads or backends.

mod backend;
mod draws;
mod lane_plan;
mod lanes;
mod parallel;
mod plan;
mod scalar;
mod source;
mod swar;
mod tally;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

pub use backend::{Backend, UnknownBackend};
pub use scalar::Playout;
pub use source::Source;
pub use tally::Tally;

use backend::Player;
use lanes::LaneTally;
use parallel::work_off;
use plan::Plan;

/// Games of one batch, and so of one random stream; the last batch of a call may be shorter.
pub const BATCH: u64 = 1 << 14;
/// The most threads that a call may ask for.
pub const MAX_THREADS: i64 = 1024;
/// The most games of a call: counts stay exact as floating-point numbers.
pub const MAX_GAMES: i64 = 1 << 53;

/// How many games, from which seed, and by what means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The number of games.
    pub games: u64,
    /// The seed: with the source, it decides every game.
    pub seed: u64,
    /// How many threads to use; more than there are batches are not started.
    pub threads: NonZeroUsize,
    /// What plays the games.
    pub backend: Backend,
}

impl Options {
    /// This many games of seed 0, on every core, by the best backend.
    pub fn new(games: u64) -> Options {
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Options { games, seed: 0, threads, backend: Backend::available()[0] }
    }

    /// The number and the size of every batch.
    fn batches(&self) -> impl Iterator<Item = (u64, u64)> + use<> {
        let games = self.games;
        (0..games.div_ceil(BATCH)).map(move |batch| (batch, BATCH.min(games - batch * BATCH)))
    }

    /// How many threads are used: no more than there are batches.
    pub fn threads_used(&self) -> usize {
        self.threads.get().min(usize::try_from(self.games.div_ceil(BATCH)).unwrap_or(usize::MAX)).max(1)
    }
}

/// Plays games out and counts how they end.
///
/// ```
/// use savanna_core::{Options, Rules, rollout};
///
/// let tally = rollout(&Rules::default().into(), &Options::new(1000));
/// assert_eq!(tally.games(), 1000);
/// ```
pub fn rollout(source: &Source, options: &Options) -> Tally {
    match rollout_watched(source, options, &mut |_| ControlFlow::Continue(())) {
        Some(tally) => tally,
        None => unreachable!("nothing stops these playouts"),
    }
}

/// As [`rollout`], but calls `watch` with the number of games so far a few times a second; when it says `Break`, all
/// threads stop and the result is `None`.
pub fn rollout_watched(
    source: &Source,
    options: &Options,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Option<Tally> {
    let plan = Plan::new(source);
    let player = Player::new(&plan, options.backend);
    let work = |count: &mut LaneTally, (batch, games): (u64, u64)| {
        player.play(options.seed, batch, games, count);
        games
    };
    let state = || LaneTally::new(source.rules());
    let counts = work_off(options.batches(), options.threads_used(), state, work, watch)?;
    counts.into_iter().map(LaneTally::finish).reduce(|mut sum, tally| {
        sum.merge(&tally);
        sum
    })
}

/// Plays the games of [`rollout`] and shows each. `parts` has an item for every batch of up to [`BATCH`] games, in
/// order; `write` is told which game of its batch it is shown. Stops like [`rollout_watched`]; true if all were played.
pub fn playouts_watched<P: Send>(
    source: &Source,
    options: &Options,
    parts: impl Iterator<Item = P> + Send,
    write: impl Fn(&mut P, usize, &Playout<'_>) + Sync,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> bool {
    let plan = Plan::new(source);
    let work = |_: &mut (), ((batch, games), mut part): ((u64, u64), P)| {
        let mut game = 0;
        plan.play(options.seed, batch, games, |playout| {
            write(&mut part, game, playout);
            game += 1;
        });
        games
    };
    work_off(options.batches().zip(parts), options.threads_used(), || (), work, watch).is_some()
}
