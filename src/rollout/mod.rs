//! Playouts: random games to the end, many times over, by one of three policies. [`rollout`](fn@rollout) counts how they
//! end, and [`playouts_watched`] shows each.
//!
//! Games come in numbered batches, each with a random stream of its own, so what a seed gives does not depend on threads
//! or backends. [`draws.rs`](../../src/savanna_core/rollout/draws.rs.html) says which random bits decide what.

mod backend;
mod draws;
mod lane_plan;
mod lanes;
mod parallel;
mod plan;
mod policy;
mod scalar;
mod soft;
mod soft_lanes;
mod soft_plan;
mod source;
mod swar;
mod tally;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::OnceLock;

pub use backend::Backend;
pub use policy::Policy;
pub use scalar::Playout;
pub use source::Source;
pub use tally::Tally;

use backend::Player;
pub(crate) use backend::{WideWork, on_wide_vectors};
use lanes::LaneTally;
pub(crate) use parallel::{Pace, Queue, start_threads};
use parallel::{Pulse, work_off};
use plan::Plan;

/// Games of one batch, and so of one random stream; the last batch of a call may be shorter. [`Options::first`] is counted
/// in whole ones.
pub const BATCH: u64 = 1 << 14;
/// The most threads that a call may ask for from Python or C. Whoever takes a number for [`Options::threads`] from
/// outside may hold it to the same bound; here it is not checked.
pub const MAX_THREADS: i64 = 1024;
/// The most games of a call from Python or C: so many stay exact as floating-point numbers, in which
/// [`Stats`](crate::stats::Stats) are. For [`Options::games`] it is not checked.
pub const MAX_GAMES: i64 = 1 << 53;

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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The number of games.
    pub games: u64,
    /// The number of the first game, a multiple of [`BATCH`]. A call may so play a part of the games of a longer one.
    pub first: u64,
    /// The seed: with the source, it decides every game.
    pub seed: u64,
    /// How many threads to use at most; more than there are batches are not started.
    pub threads: NonZeroUsize,
    /// What plays the games.
    pub backend: Backend,
    /// How moves are chosen.
    pub policy: Policy,
}

impl Options {
    /// This many uniform games of seed 0, on every core, by the best backend.
    pub fn new(games: u64) -> Options {
        // Asking the system takes longer than a small call, so it is asked once.
        static CORES: OnceLock<NonZeroUsize> = OnceLock::new();
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let (threads, backend) = (*CORES.get_or_init(cores), Backend::available()[0]);
        Options { games, first: 0, seed: 0, threads, backend, policy: Policy::default() }
    }

    /// The number and the size of every batch.
    fn batches(&self) -> impl Iterator<Item = (u64, u64)> + use<> {
        let (games, first) = (self.games, self.first / BATCH);
        (0..games.div_ceil(BATCH)).map(move |batch| (first + batch, BATCH.min(games - batch * BATCH)))
    }

    /// How many threads are used for so many sources: no more than there are batches.
    pub fn threads_used(&self, sources: usize) -> usize {
        let batches = usize::try_from(self.games.div_ceil(BATCH)).unwrap_or(usize::MAX).saturating_mul(sources);
        self.threads.get().min(batches).max(1)
    }
}

/// Plays games out and counts how they end.
///
/// ```
/// # use savanna_core::{Animal::*, Options, Position, Rules, Team, rollout};
/// // Only two moves are left: with its Monkey front up, team 1 gets 14 points, and 10 with it Lion up.
/// let position: Position = "2p 0Z0z1M0m/0m0m1Z0e/.0z0m1z/1Z1M1e1M/1g0g1G0G -/m -/- 9/9".parse()?;
/// let tally = rollout(&position.into(), &Options::new(1000));
/// let scores = tally.histogram(Team::ALL[1]);
/// assert_eq!((tally.games(), scores[14] + scores[10]), (1000, 1000));
/// assert!(scores[14].abs_diff(500) < 100);
/// # Ok::<(), savanna_core::NotationError>(())
/// ```
pub fn rollout(source: &Source, options: &Options) -> Tally {
    match rollout_many(std::slice::from_ref(source), options, &mut |_| ControlFlow::Continue(())).as_deref() {
        Some([tally]) => tally.clone(),
        _ => unreachable!("one source gives one tally, and nothing stops these playouts"),
    }
}

/// As [`rollout`] for each of many sources, one tally after the other, on threads that share them all. Calls `watch` with
/// the number of games so far a few times a second; when it says `Break`, all threads stop, it is told nothing more, and
/// the result is `None`.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use savanna_core::{Options, Rules, Source, rollout, rollout::rollout_many};
/// let sources = ["2p", "3p,mice"].map(|text| Source::from(text.parse::<Rules>().expect("rules")));
/// let options = Options::new(1000);
/// let tallies = rollout_many(&sources, &options, &mut |_| ControlFlow::Continue(()));
/// assert_eq!(tallies, Some(sources.iter().map(|source| rollout(source, &options)).collect()));
/// ```
pub fn rollout_many(
    sources: &[Source],
    options: &Options,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Option<Vec<Tally>> {
    let jobs = sources.iter().enumerate().flat_map(|job| options.batches().map(move |batch| (job, batch)));
    let work =
        |work: &mut Work, ((index, source), (batch, games)): ((usize, &Source), (u64, u64)), pulse: &mut Pulse<'_>| {
            let (player, count) = work.on(index, source, options);
            player.play(options.seed, batch, games, count, pulse);
            games
        };
    let threads = options.threads_used(sources.len());
    let works = work_off(jobs, threads, Work::default, work, watch)?;
    let mut tallies: Vec<Tally> = sources.iter().map(|source| Tally::new(source.rules())).collect();
    for (index, count) in works.into_iter().flat_map(|work| work.counts) {
        tallies[index].merge(&count.finish());
    }
    Some(tallies)
}

/// What one thread has counted, source by source, and the player of the source that it is at.
#[derive(Default)]
struct Work {
    player: Option<Player>,
    counts: Vec<(usize, LaneTally)>,
}

impl Work {
    fn on(&mut self, index: usize, source: &Source, options: &Options) -> (&Player, &mut LaneTally) {
        if self.counts.last().is_none_or(|(last, _)| *last != index) {
            self.player = None;
            self.counts.push((index, LaneTally::new(source.rules())));
        }
        let player = self.player.get_or_insert_with(|| Player::new(source, options.policy, options.backend));
        let last = self.counts.len() - 1;
        (player, &mut self.counts[last].1)
    }
}

/// Plays the games of [`rollout`] and shows each. `parts` has an item for every batch of up to [`BATCH`] games, in
/// order; `write` is told which game of its batch it is shown. Stops like [`rollout_many`]; true if all were played.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use savanna_core::{Options, Rules, rollout::playouts_watched};
/// let mut winners = [Vec::new()]; // of one batch
/// let all = playouts_watched(&Rules::default().into(), &Options::new(50), winners.iter_mut(), |batch, _, playout| {
///     let end = playout.moves().iter().fold(playout.start(), |position, &mv| position.play_unchecked(mv));
///     assert_eq!((end.scores(), end.winners()), (playout.scores(), playout.winners()));
///     batch.push(playout.winners());
/// }, &mut |_| ControlFlow::Continue(()));
/// assert!(all && winners[0].len() == 50);
/// ```
pub fn playouts_watched<P: Send>(
    source: &Source,
    options: &Options,
    parts: impl Iterator<Item = P> + Send,
    write: impl Fn(&mut P, usize, &Playout<'_>) + Sync,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> bool {
    let plan = Plan::new(source, options.policy);
    let work = |_: &mut (), ((batch, games), mut part): ((u64, u64), P), pulse: &mut Pulse<'_>| {
        let mut game = 0;
        plan.play(options.seed, batch, games, pulse, |playout| {
            write(&mut part, game, playout);
            game += 1;
        });
        games
    };
    work_off(options.batches().zip(parts), options.threads_used(1), || (), work, watch).is_some()
}
