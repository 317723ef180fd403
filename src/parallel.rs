//! Scoped threads that share a queue of jobs. There is no thread pool, so nothing outlives a call and forking is safe.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

/// Jobs for threads to take, one by one.
pub(crate) struct Queue<I>(Mutex<I>);

impl<I: Iterator> Queue<I> {
    pub(crate) fn new(jobs: impl IntoIterator<IntoIter = I>) -> Queue<I> {
        Queue(Mutex::new(jobs.into_iter()))
    }

    /// The next job, for nobody else.
    pub(crate) fn take(&self) -> Option<I::Item> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next()
    }
}

/// Starts up to this many threads beside the calling one, as many as the system grants; all run the same function,
/// which takes jobs until there are none, so that fewer threads get the same done.
pub(crate) fn start_threads<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    threads: usize,
    run: &'scope (impl Fn() -> T + Sync),
) -> Vec<ScopedJoinHandle<'scope, T>> {
    (0..threads).map_while(|_| Builder::new().spawn_scoped(scope, run).ok()).collect()
}

/// How often a watcher is called, as long as work comes in short pieces.
const WATCH_EVERY: Duration = Duration::from_millis(50);

/// When a watcher was last called, and so whether it is time to call it again.
pub(crate) struct Pace(Instant);

impl Pace {
    /// The watcher has just been called, or the work just begun.
    pub(crate) fn new() -> Pace {
        Pace(Instant::now())
    }

    /// Calls the watcher with how much is done. Time is counted from its return, so that a slow one leaves some for work.
    pub(crate) fn tell(&mut self, watch: &mut dyn FnMut(u64) -> ControlFlow<()>, done: u64) -> ControlFlow<()> {
        let said = watch(done);
        *self = Pace::new();
        said
    }

    /// Calls the watcher if it is time.
    pub(crate) fn tell_if_due(&mut self, watch: &mut dyn FnMut(u64) -> ControlFlow<()>, done: u64) -> ControlFlow<()> {
        if self.0.elapsed() < WATCH_EVERY { ControlFlow::Continue(()) } else { self.tell(watch, done) }
    }
}

/// Asks whether a job is to be given up. Long jobs ask now and then.
pub(crate) type Pulse<'p> = dyn FnMut() -> ControlFlow<()> + 'p;

/// Works all jobs off on this many threads, the calling one among them. Every thread works on a state of its own, made
/// by `state`; `work` returns how much a job counts for. At every pulse and between jobs, the calling thread tells
/// `watch` the sum so far; when that says `Break`, all jobs are given up, it is told nothing more, and the result is
/// `None`.
pub(crate) fn work_off<J: Send, S: Send>(
    jobs: impl Iterator<Item = J> + Send,
    threads: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, J, &mut Pulse<'_>) -> u64 + Sync,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Option<Vec<S>> {
    let (jobs, done, stop) = (Queue::new(jobs), AtomicU64::new(0), AtomicBool::new(false));
    let goes_on = || if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let run = |pulse: &mut Pulse<'_>| {
        let mut state = state();
        while pulse().is_continue() {
            let Some(job) = jobs.take() else { break };
            done.fetch_add(work(&mut state, job, pulse), Ordering::Relaxed);
        }
        state
    };
    let other = || run(&mut || goes_on());
    let states = std::thread::scope(|scope| {
        let others = start_threads(scope, threads.saturating_sub(1), &other);
        let mut pace = Pace::new();
        let mut states = vec![run(&mut || {
            if goes_on().is_continue() && pace.tell_if_due(watch, done.load(Ordering::Relaxed)).is_break() {
                stop.store(true, Ordering::Relaxed);
            }
            goes_on()
        })];
        states.extend(
            others.into_iter().map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
        );
        states
    });
    if stop.into_inner() { None } else { Some(states) }
}
