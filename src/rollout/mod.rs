//! Playouts: random games to the end, many times over, by one of three policies. [`rollout`](fn@rollout) counts how they
//! end, and [`playouts_watched`] shows each.
//!
//! Games come in numbered batches, each with a random stream of its own, so what a seed gives does not depend on threads
//! or backends. [`draws.rs`](../../src/savanna_core/rollout/draws.rs.html) says which random bits decide what.

mod policy;
mod options;
mod source;
mod draws;
mod plan;
mod scalar;
mod soft;
mod tally;
mod lane_plan;
mod soft_plan;
mod vector;
mod room;
mod soft_lanes;
mod lanes;
mod swar;
#[cfg(target_arch = "x86_64")]
mod x86;
mod runner;

use std::ops::ControlFlow;

pub use options::{BATCH, MAX_GAMES, MAX_THREADS, Options, OptionsError};
pub use policy::Policy;
pub use scalar::Playout;
pub use source::Source;
pub use tally::Tally;

use plan::Plan;
use runner::Runner;
use tally::LaneTally;

use crate::parallel::{Pulse, work_off};

/// Plays games out and counts how they end.
///
/// # Panics
/// If [`Options::check`] refuses the options.
///
/// # Example
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
/// # Panics
/// As [`rollout`].
///
/// # Example
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
    options.demand();
    let jobs = sources.iter().enumerate().flat_map(|job| options.batches().map(move |batch| (job, batch)));
    let work =
        |work: &mut Work, ((index, source), (batch, games)): ((usize, &Source), (u64, u64)), pulse: &mut Pulse<'_>| {
            let (runner, count) = work.on(index, source, options);
            runner.play(options.seed, batch, games, count, pulse);
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

/// What one thread has counted, source by source, and the runner of the source that it is at.
#[derive(Default)]
struct Work {
    runner: Option<Runner>,
    counts: Vec<(usize, LaneTally)>,
}

impl Work {
    fn on(&mut self, index: usize, source: &Source, options: &Options) -> (&Runner, &mut LaneTally) {
        if self.counts.last().is_none_or(|(last, _)| *last != index) {
            self.runner = None;
            self.counts.push((index, LaneTally::new(source.rules())));
        }
        let runner = self.runner.get_or_insert_with(|| Runner::new(source, options.policy, options.backend));
        let last = self.counts.len() - 1;
        (runner, &mut self.counts[last].1)
    }
}

/// Plays the games of [`rollout`] and shows each. `parts` has an item for every batch of up to [`BATCH`] games, in
/// order; `write` is told which game of its batch it is shown. Stops like [`rollout_many`]; true if all were played.
///
/// # Panics
/// As [`rollout`], and if there are fewer parts than batches.
///
/// # Example
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
#[must_use = "games that were stopped are not all played"]
pub fn playouts_watched<P: Send>(
    source: &Source,
    options: &Options,
    mut parts: impl Iterator<Item = P> + Send,
    write: impl Fn(&mut P, usize, &Playout<'_>) + Sync,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> bool {
    options.demand();
    let jobs = options.batches().map(move |batch| (batch, parts.next().expect("a part for every batch")));
    let plan = Plan::new(source, options.policy);
    let work = |_: &mut (), ((batch, games), mut part): ((u64, u64), P), pulse: &mut Pulse<'_>| {
        let mut game = 0;
        plan.play(options.seed, batch, games, pulse, |playout| {
            write(&mut part, game, playout);
            game += 1;
        });
        games
    };
    work_off(jobs, options.threads_used(1), || (), work, watch).is_some()
}
