//! Playouts from rules, a position or a view.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::border::{Place, enter, held, sized_place};
use super::position::SavannaPosition;
use super::rules::SavannaRules;
use super::state::SAVANNA_MAX_SEATS;
use super::status::{Failure, SavannaError, SavannaStatus};
use super::view::SavannaView;
use crate::rollout::{Backend, MAX_GAMES, MAX_THREADS, Options, Source, Tally, rollout};
use crate::score::Outcome;
use crate::stats::{Mean, Stats};
use crate::tile::Team;

/// What many playouts came to. Counts are exact; the shares and means follow from them. Teams that do not play have 0.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SavannaTally {
    /// How many games were played.
    pub games: u64,
    /// For each team, how many games it won together with 0, 1, 2, 3 others.
    pub wins: [[u64; SAVANNA_MAX_SEATS]; SAVANNA_MAX_SEATS],
    /// The sum of each team's final scores.
    pub scores: [u64; SAVANNA_MAX_SEATS],
    /// Lines filled below, exactly at and above the target.
    pub lines: [u64; 3],
    /// The share of wins of each team; a win shared among k teams counts 1 / k.
    pub win_share: [f64; SAVANNA_MAX_SEATS],
    /// The standard error of that share.
    pub win_share_stderr: [f64; SAVANNA_MAX_SEATS],
    /// The mean final score of each team.
    pub mean_score: [f64; SAVANNA_MAX_SEATS],
    /// The standard error of that mean.
    pub mean_score_stderr: [f64; SAVANNA_MAX_SEATS],
}

impl SavannaTally {
    fn new(stats: &Stats) -> SavannaTally {
        let tally = &stats.tally;
        let plays = |team: Team| team.index() < tally.rules().teams();
        let mean = |team, mean: &dyn Fn(Team) -> Mean| {
            if plays(team) { mean(team) } else { Mean { value: 0.0, sd: 0.0, stderr: 0.0 } }
        };
        let shares = Team::ALL.map(|team| mean(team, &|team| stats.win_share(team)));
        let scores = Team::ALL.map(|team| mean(team, &|team| stats.score(team)));
        let sum = |team| (0..).zip(tally.histogram(team)).map(|(score, count): (u64, _)| score * count).sum();
        SavannaTally {
            games: tally.games(),
            wins: Team::ALL.map(|team| tally.wins(team)),
            scores: Team::ALL.map(|team| if plays(team) { sum(team) } else { 0 }),
            lines: [Outcome::Below, Outcome::Exact, Outcome::Above].map(|outcome| tally.lines(outcome)),
            win_share: shares.map(|share| share.value),
            win_share_stderr: shares.map(|share| share.stderr),
            mean_score: scores.map(|score| score.value),
            mean_score_stderr: scores.map(|score| score.stderr),
        }
    }
}

/// A number of games or of iterations.
pub(super) fn read_count(count: u64, what: &str) -> Result<u64, Failure> {
    let most = MAX_GAMES.unsigned_abs();
    let wrong = || Failure::new(SavannaStatus::OutOfRange, format!("{what} must be 1..{most}, got {count}"));
    if (1..=most).contains(&count) { Ok(count) } else { Err(wrong()) }
}

/// A number of threads; 0 is one for each core.
pub(super) fn read_threads(threads: i32) -> Result<NonZeroUsize, Failure> {
    let wrong = || Failure::new(SavannaStatus::OutOfRange, format!("threads must be 0..{MAX_THREADS}, got {threads}"));
    if !(0..=MAX_THREADS).contains(&i64::from(threads)) {
        return Err(wrong());
    }
    Ok(usize::try_from(threads).ok().and_then(NonZeroUsize::new).unwrap_or(Options::new(0).threads))
}

/// Plays games and writes what they came to.
fn play(source: &Source, games: u64, seed: u64, threads: i32, place: Place<'_, SavannaTally>) -> Result<(), Failure> {
    let mut options = Options { seed, threads: read_threads(threads)?, ..Options::new(read_count(games, "games")?) };
    if let Some(backend) = Backend::from_environment()? {
        options.backend = backend;
    }
    let tally: Tally = rollout(source, &options);
    let (backend, threads) = (options.backend, options.threads.get());
    place.put(SavannaTally::new(&Stats { tally, time: Duration::ZERO, backend, threads }));
    Ok(())
}

/// Plays uniformly random games from fresh deals, 1 to 2^53 of them on 1 to 1024 threads, 0 for one for each core. The seed
/// decides the result, whatever the number of threads.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_rules_rollout(
    rules: *const SavannaRules,
    games: u64,
    seed: u64,
    threads: i32,
    tally: *mut SavannaTally,
    size: usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = sized_place(tally, size, "tally")?;
        play(&Source::Rules(*held(&rules)?), games, seed, threads, place)
    })
}

/// As savanna_rules_rollout, from a position with its true hidden tiles.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_position_rollout(
    position: *const SavannaPosition,
    games: u64,
    seed: u64,
    threads: i32,
    tally: *mut SavannaTally,
    size: usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = sized_place(tally, size, "tally")?;
        play(&Source::Position(*held(&position)?), games, seed, threads, place)
    })
}

/// As savanna_rules_rollout, from a view, with what it hides redrawn for every game.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_view_rollout(
    view: *const SavannaView,
    games: u64,
    seed: u64,
    threads: i32,
    tally: *mut SavannaTally,
    size: usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = sized_place(tally, size, "tally")?;
        play(&Source::View(*held(&view)?), games, seed, threads, place)
    })
}
