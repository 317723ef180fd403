//! Playouts from rules, a position or a view.

use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::ptr;
use std::slice;

use super::border::{Place, Plain, SavannaWatch, enter, give_structs, held, read, sized_place, tell};
use super::position::SavannaPosition;
use super::rules::SavannaRules;
use super::state::SAVANNA_MAX_SEATS;
use super::status::{Failure, SavannaError, SavannaStatus};
use super::view::SavannaView;
use crate::backend::Backend;
use crate::rank::{RankedMove, rank_moves};
use crate::rollout::{BATCH, MAX_THREADS, Options, Policy, Source, rollout_many};
use crate::score::Outcome;
use crate::stats::{Mean, Stats};
use crate::tile::Team;

/// Games that share a random stream, and so what the number of a call's first game is a multiple of.
pub const SAVANNA_BATCH: u64 = 16384;

const _: () = assert!(SAVANNA_BATCH == BATCH);

/// How the moves of a playout are chosen.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SavannaPolicy {
    /// All legal moves are equally likely.
    Uniform = 0,
    /// So they are on a ply with probability 3/8; otherwise those with the greatest gain at once are, and no other is
    /// played. The gain is what the lines that a move fills give its team, times the number of other teams, less what
    /// they give those.
    SoftGreedy = 1,
    /// As SOFT_GREEDY, but with probability 1/8.
    KeenGreedy = 2,
}

impl From<Policy> for SavannaPolicy {
    fn from(policy: Policy) -> SavannaPolicy {
        match policy {
            Policy::Uniform => SavannaPolicy::Uniform,
            Policy::SoftGreedy => SavannaPolicy::SoftGreedy,
            Policy::KeenGreedy => SavannaPolicy::KeenGreedy,
        }
    }
}

/// Which games are played, and how. `savanna_rollout_default_options` fills it with a million uniform games of seed 0, on
/// every core, watched by nobody.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SavannaRolloutOptions {
    /// How many games, 1 to 2^53.
    pub games: u64,
    /// The number of the first game, a multiple of SAVANNA_BATCH; no number may reach 2^53. So the games of a long call
    /// can be played in parts, with the same seed and by as many machines as you like: the counts of the parts add up to
    /// those of the whole.
    pub first: u64,
    /// With source and policy, it decides every game; the number of threads does not.
    pub seed: u64,
    /// One of SavannaPolicy.
    pub policy: i32,
    /// How many threads, 1 to 1024; 0 for one for each core.
    pub threads: i32,
    /// Is told how many games have been played.
    pub watch: SavannaWatch,
    /// What the watcher is called with.
    pub context: *mut c_void,
}

impl Plain for SavannaRolloutOptions {}

impl Default for SavannaRolloutOptions {
    fn default() -> SavannaRolloutOptions {
        let (policy, context) = (SavannaPolicy::from(Policy::default()) as i32, ptr::null_mut());
        SavannaRolloutOptions { games: 1_000_000, first: 0, seed: 0, policy, threads: 0, watch: None, context }
    }
}

impl SavannaRolloutOptions {
    fn options(&self) -> Result<Options, Failure> {
        let mut options = Options { first: self.first, seed: self.seed, ..Options::new(self.games) };
        options.check()?;
        options.policy = read_policy(self.policy)?;
        options.threads = read_threads(self.threads)?;
        options.backend = Backend::usual()?;
        Ok(options)
    }
}

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
    /// Lines filled below, above and exactly at the target.
    pub lines: [u64; 3],
    /// The share of wins of each team; a win shared among k teams counts 1 / k.
    pub win_share: [f64; SAVANNA_MAX_SEATS],
    /// The standard error of that share, with two imaginary games, one won and one lost: never 0.
    pub win_share_stderr: [f64; SAVANNA_MAX_SEATS],
    /// The mean final score of each team.
    pub mean_score: [f64; SAVANNA_MAX_SEATS],
    /// The standard error of that mean, NaN if all games came to the same score, which do not tell it.
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
            lines: Outcome::ALL.map(|outcome| tally.lines(outcome)),
            win_share: shares.map(|share| share.value),
            win_share_stderr: shares.map(|share| share.stderr),
            mean_score: scores.map(|score| score.value),
            mean_score_stderr: scores.map(|score| score.stderr),
        }
    }
}

/// The policy of a number.
fn read_policy(number: i32) -> Result<Policy, Failure> {
    let number_of = |policy| SavannaPolicy::from(policy) as i32;
    let named = |policy: Policy| format!("{} ({})", number_of(policy), policy.name());
    let wrong = || format!("policy must be one of {}, got {number}", Policy::ALL.map(named).join(", "));
    let found = Policy::ALL.into_iter().find(|policy| number_of(*policy) == number);
    found.ok_or_else(|| Failure::out_of_range(wrong()))
}

/// A number of threads; 0 is one for each core.
pub(super) fn read_threads(threads: i32) -> Result<NonZeroUsize, Failure> {
    let wrong = || Failure::out_of_range(format!("threads must be 0 to {MAX_THREADS}, got {threads}"));
    let threads = usize::try_from(threads).ok().filter(|threads| *threads <= MAX_THREADS).ok_or_else(wrong)?;
    Ok(NonZeroUsize::new(threads).unwrap_or(Options::new(0).threads))
}

fn stopped() -> Failure {
    Failure::new(SavannaStatus::Stopped, "the playouts were stopped")
}

/// Plays the games of options of this size, and writes what they came to.
fn play(
    source: &Source,
    (options, size): (*const SavannaRolloutOptions, usize),
    place: Place<'_, SavannaTally>,
) -> Result<(), Failure> {
    let asked = read(options, size, "options")?;
    let options = asked.options()?;
    let mut watch = |done| tell(asked.watch, asked.context, done);
    let tallies = rollout_many(slice::from_ref(source), &options, &mut watch);
    let tally = tallies.and_then(|mut tallies| tallies.pop()).ok_or_else(stopped)?;
    place.put(SavannaTally::new(&Stats::from(tally)));
    Ok(())
}

/// Fills options with a million uniform games of seed 0, on every core, watched by nobody.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_rollout_default_options(
    options: *mut SavannaRolloutOptions,
    size: usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        sized_place(options, size, "options")?.put(SavannaRolloutOptions::default());
        Ok(())
    })
}

/// Plays games from fresh deals to the end, and writes what they came to. Fails with OUT_OF_RANGE if an option is, or the
/// environment variable SAVANNA_BACKEND does not name a way of playing them that this processor has (best leave it unset:
/// all play the same games), and with STOPPED if the watcher says so.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_rules_rollout(
    rules: *const SavannaRules,
    options: *const SavannaRolloutOptions,
    options_size: usize,
    tally: *mut SavannaTally,
    tally_size: usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = sized_place(tally, tally_size, "tally")?;
        play(&Source::Rules(*held(&rules)?), (options, options_size), place)
    })
}

/// As savanna_rules_rollout, from a position with its true hidden tiles.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_position_rollout(
    position: *const SavannaPosition,
    options: *const SavannaRolloutOptions,
    options_size: usize,
    tally: *mut SavannaTally,
    tally_size: usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = sized_place(tally, tally_size, "tally")?;
        play(&Source::Position(*held(&position)?), (options, options_size), place)
    })
}

/// As savanna_rules_rollout, from a view, with what it hides redrawn for every game.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_view_rollout(
    view: *const SavannaView,
    options: *const SavannaRolloutOptions,
    options_size: usize,
    tally: *mut SavannaTally,
    tally_size: usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = sized_place(tally, tally_size, "tally")?;
        play(&Source::View(*held(&view)?), (options, options_size), place)
    })
}

/// A move, and what the playouts after it came to.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SavannaRankedMove {
    /// The action id of the move.
    pub action: i32,
    /// What they came to.
    pub tally: SavannaTally,
}

impl From<&RankedMove> for SavannaRankedMove {
    fn from(it: &RankedMove) -> SavannaRankedMove {
        SavannaRankedMove { action: it.mv.action() as i32, tally: SavannaTally::new(&it.stats) }
    }
}

/// Plays the games of options of this size after each legal move, and writes the moves, best first.
fn rank(
    source: &Source,
    (options, size): (*const SavannaRolloutOptions, usize),
    place: (*mut SavannaRankedMove, usize, usize, &str),
    count: *mut usize,
) -> Result<(), Failure> {
    let asked = read(options, size, "options")?;
    let mut watch = |done| tell(asked.watch, asked.context, done);
    let ranked = rank_moves(source, &asked.options()?, &mut watch)?.ok_or_else(stopped)?;
    let all: Vec<SavannaRankedMove> = ranked.iter().map(SavannaRankedMove::from).collect();
    give_structs(&all, place, count)
}

/// Plays games after each legal move of a position, all with the same random numbers, and writes the moves, best first: by
/// the win share of the team to move, then by how far its mean score exceeds the best other. `size` is that of one struct,
/// `capacity` how many there is room for; there are at most SAVANNA_MAX_MOVES. Fails as savanna_rules_rollout does, and with
/// GAME_OVER.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_position_rank_moves(
    position: *const SavannaPosition,
    options: *const SavannaRolloutOptions,
    options_size: usize,
    moves: *mut SavannaRankedMove,
    capacity: usize,
    size: usize,
    count: *mut usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let source = Source::Position(*held(&position)?);
        rank(&source, (options, options_size), (moves, capacity, size, "moves"), count)
    })
}

/// As savanna_position_rank_moves, in a view of the seat to move, with what it hides redrawn for every game, and so the
/// tile that the seat draws after the move. Fails with NOT_TO_MOVE in another view.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_view_rank_moves(
    view: *const SavannaView,
    options: *const SavannaRolloutOptions,
    options_size: usize,
    moves: *mut SavannaRankedMove,
    capacity: usize,
    size: usize,
    count: *mut usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let source = Source::View(*held(&view)?);
        rank(&source, (options, options_size), (moves, capacity, size, "moves"), count)
    })
}
