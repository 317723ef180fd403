//! How much a search may do, and how much it has done.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::parallel::Pace;
use crate::search::{SearchError, Watch};

/// The longest time that may be asked for from Python or C, in seconds. [`Budget::Time`] takes any that the clock does.
pub const MAX_SECONDS: f64 = 1e6;

/// When a search ends. Half of an [`Effort`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Budget {
    /// After this many iterations. What is found then depends neither on the clock nor on threads.
    Iterations(u64),
    /// When this much time has passed.
    Time(Duration),
}

/// How much a player thinks about one move, and from which seed.
///
/// ```
/// # use std::num::NonZeroUsize;
/// # use savanna_core::{Analyst, Effort, Position, Rules, search::Ismcts};
/// # let start = Position::deal(&Rules::default(), 7);
/// # let view = start.view(start.seat().unwrap());
/// let one = Effort { seed: 5, ..Effort::iterations(300) };
/// let two = Effort { threads: NonZeroUsize::new(2).unwrap(), ..one };
/// assert_eq!(Ismcts(one).analyse(&view), Ismcts(two).analyse(&view)); // threads save time, and nothing else
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Effort {
    /// When it ends.
    pub budget: Budget,
    /// The seed of its random numbers.
    pub seed: u64,
    /// On how many threads it works.
    pub threads: NonZeroUsize,
}

impl Effort {
    /// This budget with seed 0, on one thread.
    pub fn new(budget: Budget) -> Effort {
        Effort { budget, seed: 0, threads: NonZeroUsize::MIN }
    }

    /// A budget of n iterations with seed 0, on one thread.
    pub fn iterations(iterations: u64) -> Effort {
        Effort::new(Budget::Iterations(iterations))
    }
}

/// What a search has spent so far, and who is told about it.
pub(super) struct Spending<'a, 'w> {
    watch: &'a mut Watch<'w>,
    start: Instant,
    pace: Pace,
    done: u64,
}

impl<'a, 'w> Spending<'a, 'w> {
    /// Nothing yet; the clock begins to run.
    pub(super) fn new(watch: &'a mut Watch<'w>) -> Spending<'a, 'w> {
        Spending { watch, start: Instant::now(), pace: Pace::new(), done: 0 }
    }

    /// The time since the search began.
    pub(super) fn time(&self) -> Duration {
        self.start.elapsed()
    }

    /// The iterations so far.
    pub(super) fn iterations(&self) -> u64 {
        self.done
    }

    /// Adds finished iterations, and tells the watcher if he has not been told for a while.
    pub(super) fn add(&mut self, iterations: u64) -> Result<(), SearchError> {
        self.done += iterations;
        if self.pace.tell_if_due(self.watch, self.done).is_break() { Err(SearchError::Stopped) } else { Ok(()) }
    }

    /// Tells the watcher now of n more iterations, which are still to be added.
    pub(super) fn tell(&mut self, more: u64) -> ControlFlow<()> {
        self.pace.tell(self.watch, self.done + more)
    }
}
