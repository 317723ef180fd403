//! A search counts the positions that it looks at, and asks its watcher at least ten times a second whether to stop.

use crate::parallel::Pace;
use crate::search::Watch;

/// How many games are looked at between two looks at the clock; that takes less than a millisecond.
const LOOK_EVERY: u64 = 1 << 12;

/// The watcher said `Break`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

/// Counts the games that a search looks at, and tells a watcher from time to time.
pub(crate) struct Nodes<'w> {
    count: u64,
    pace: Pace,
    tell: &'w mut Watch<'w>,
}

impl<'w> Nodes<'w> {
    pub(crate) fn new(tell: &'w mut Watch<'w>) -> Nodes<'w> {
        Nodes { count: 0, pace: Pace::new(), tell }
    }

    /// How many games have been looked at.
    pub(crate) fn all(&self) -> u64 {
        self.count
    }

    /// Counts one more.
    #[inline]
    pub(crate) fn one_more(&mut self) -> Result<(), Stopped> {
        self.count += 1;
        if self.count.is_multiple_of(LOOK_EVERY) { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stopped> {
        if self.pace.tell_if_due(self.tell, self.count).is_break() { Err(Stopped) } else { Ok(()) }
    }
}
