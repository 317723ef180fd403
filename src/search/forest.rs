//! The trees of one search, grown on threads until the budget is spent.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::parallel::{Pace, Queue, start_threads};
use crate::rng::{Purpose, Xoshiro256PlusPlus};
use crate::search::tree::{Guide, HiddenGame, Tree};
use crate::search::{Budget, Effort, SearchError, Watch};

/// The iterations of one tree under a budget of iterations. More of them make more trees, for threads to share;
/// what they say is added up, so that threads change nothing.
const TREE: u64 = 1 << 16;
/// The most trees under a budget of iterations: each may take 100 MB. Beyond, all of them grow further.
const TREES: u64 = 16;
/// Iterations between two looks at the clock and at the order to stop.
const STRIDE: u64 = 32;

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
pub(super) fn grow<'g, G: HiddenGame, P: Guide<G>>(
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
    let queue = Queue::new(trees.iter_mut().zip(0..).map(|(tree, number)| (tree, quota(number))));
    let run = |look: &mut dyn FnMut()| {
        while let Some((tree, quota)) = queue.take() {
            grow_one(tree, quota, end, &progress, look);
        }
    };
    let other = || run(&mut || {});
    std::thread::scope(|scope| {
        let others = start_threads(scope, threads - 1, &other);
        let mut pace = Pace::new();
        let mut look = || {
            let stopped = progress.stop.load(Ordering::Relaxed);
            if !stopped && pace.tell_if_due(watch, progress.done.load(Ordering::Relaxed)).is_break() {
                progress.stop.store(true, Ordering::Relaxed);
            }
        };
        run(&mut look);
        while !others.iter().all(|other| other.is_finished()) {
            std::thread::sleep(Duration::from_millis(1));
            look();
        }
    });
    if progress.stop.into_inner() { Err(SearchError::Stopped) } else { Ok((trees, progress.done.into_inner())) }
}

/// Grows a tree by n iterations, or until the end.
fn grow_one<G: HiddenGame, P: Guide<G>>(
    tree: &mut Tree<'_, G, P>,
    quota: Option<u64>,
    end: Option<Instant>,
    progress: &Progress,
    look: &mut dyn FnMut(),
) {
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
