//! The trees of one search, grown on threads until the budget is spent.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::rng::{Purpose, Xoshiro256PlusPlus};
use crate::rollout::Pace;
use crate::search::tree::{Guide, Hidden, Tree};
use crate::search::{Budget, Effort, SearchError, Watch};

/// The iterations of one tree under a budget of iterations. More of them make more trees, for threads to share;
/// what they say is added up, so that threads change nothing.
const TREE: u64 = 1 << 16;
/// The most trees under a budget of iterations: each may take 100 MB. Beyond, all of them grow further.
const TREES: u64 = 16;
/// Iterations between two looks at the clock and at the order to stop.
const STRIDE: u64 = 32;

/// Trees that one thread grows, each with its number of iterations, if that is not left to the clock.
type Share<'t, 'g, G, P> = Vec<(&'t mut Tree<'g, G, P>, Option<u64>)>;

/// What all threads see.
struct Progress {
    done: AtomicU64,
    stop: AtomicBool,
}

/// Grows the trees of a search, at least one, and gives them with the number of iterations. `rng` names their random
/// numbers; a budget of time runs from `start`.
///
/// # Errors
/// The watcher has stopped it.
pub(super) fn grow<'g, G: Hidden, P: Guide<G>>(
    (game, guide): (&'g G, &'g P),
    effort: Effort,
    rng: &mut Xoshiro256PlusPlus,
    start: Instant,
    watch: &mut Watch<'_>,
) -> Result<(Vec<Tree<'g, G, P>>, u64), SearchError> {
    let (count, each, end) = match effort.budget {
        Budget::Iterations(all) => (all.div_ceil(TREE).clamp(1, TREES), Some(all), None),
        // An end that no clock comes to is none.
        Budget::Time(time) => (effort.threads.get() as u64, None, start.checked_add(time)),
    };
    let seed = rng.next_u64();
    let numbers = |number| Xoshiro256PlusPlus::numbered(seed, Purpose::Choose, number);
    let mut trees: Vec<_> = (0..count).map(|number| Tree::new(game, guide, numbers(number))).collect();
    let quota = |number: u64| each.map(|all| all / count + u64::from(number < all % count));
    let progress = Progress { done: AtomicU64::new(0), stop: AtomicBool::new(false) };

    let threads = effort.threads.get().min(trees.len());
    let mut shares: Vec<Share<'_, 'g, G, P>> = (0..threads).map(|_| Vec::new()).collect();
    for (number, tree) in trees.iter_mut().enumerate() {
        shares[number % threads].push((tree, quota(number as u64)));
    }
    std::thread::scope(|scope| {
        let mine = shares.swap_remove(0);
        let progress = &progress;
        let others: Vec<_> =
            shares.into_iter().map(|share| scope.spawn(move || grow_all(share, end, progress, &mut || {}))).collect();
        let mut pace = Pace::new();
        let mut look = || {
            let stopped = progress.stop.load(Ordering::Relaxed);
            if !stopped && pace.is_due() && watch(progress.done.load(Ordering::Relaxed)).is_break() {
                progress.stop.store(true, Ordering::Relaxed);
            }
        };
        grow_all(mine, end, progress, &mut look);
        while !others.iter().all(|other| other.is_finished()) {
            std::thread::sleep(Duration::from_millis(1));
            look();
        }
    });
    if progress.stop.into_inner() { Err(SearchError::Stopped) } else { Ok((trees, progress.done.into_inner())) }
}

/// Grows one tree after the other, each by its quota or until the end.
fn grow_all<G: Hidden, P: Guide<G>>(
    share: Share<'_, '_, G, P>,
    end: Option<Instant>,
    progress: &Progress,
    look: &mut dyn FnMut(),
) {
    for (tree, quota) in share {
        let mut left = quota.unwrap_or(u64::MAX);
        while left > 0 && !progress.stop.load(Ordering::Relaxed) {
            let stride = left.min(STRIDE);
            (0..stride).for_each(|_| tree.iterate());
            progress.done.fetch_add(stride, Ordering::Relaxed);
            left -= stride;
            if end.is_some_and(|end| Instant::now() >= end) {
                break;
            }
            look();
        }
    }
}
