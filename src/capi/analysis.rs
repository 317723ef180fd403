//! `SavannaAnalysis`: what the champion thinks.

use std::ffi::c_void;
use std::ptr;
use std::time::Duration;

use super::border::{Kind, Plain, SavannaWatch, enter, free, give, give_structs, held, place, read, sized_place, tell};
use super::rollout::read_threads;
use super::state::SAVANNA_MAX_SEATS;
use super::status::{Failure, SavannaError, SavannaStatus};
use super::view::SavannaView;
use crate::backend::Backend;
use crate::rollout::MAX_GAMES;
use crate::search::{Analysis, Analyst, Budget, Champion, Effort, MAX_SECONDS, MoveAnalysis};

/// A handle of what a search thinks of every move in a view. It never changes.
pub struct SavannaAnalysis(());

impl Kind for SavannaAnalysis {
    type Value = Analysis;
    const NAME: &'static str = "analysis";
    const MAGIC: u64 = 0x5341_5641_4E41_4C59;
}

/// How much the champion thinks. `savanna_default_effort` fills it with 40,000 iterations of seed 0, on every core, watched
/// by nobody.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SavannaEffort {
    /// How many iterations, 1 to 2^53, unless it goes by `seconds`. With view and seed they decide the
    /// result; the number of threads does not.
    pub iterations: u64,
    /// For how long, above 0 and at most 1,000,000, in place of `iterations`; 0 to go by those.
    pub seconds: f64,
    /// The seed of its random numbers.
    pub seed: u64,
    /// How many threads, 1 to 1024; 0 for one for each core. By `seconds`, each grows a tree, which may take 100 MB.
    pub threads: i32,
    /// Is told how many iterations have been made.
    pub watch: SavannaWatch,
    /// What the watcher is called with.
    pub context: *mut c_void,
}

impl Plain for SavannaEffort {}

impl Default for SavannaEffort {
    fn default() -> SavannaEffort {
        let context = ptr::null_mut();
        SavannaEffort { iterations: Champion::ITERATIONS, seconds: 0.0, seed: 0, threads: 0, watch: None, context }
    }
}

impl SavannaEffort {
    fn effort(&self) -> Result<Effort, Failure> {
        let effort = Effort { budget: self.budget()?, seed: self.seed, threads: read_threads(self.threads)? };
        Backend::usual()?;
        Ok(effort)
    }

    fn budget(&self) -> Result<Budget, Failure> {
        let seconds = self.seconds;
        if seconds == 0.0 {
            let (asked, most) = (self.iterations, MAX_GAMES);
            let wrong = || Failure::out_of_range(format!("iterations must be 1 to {most}, got {asked}"));
            return if (1..=most).contains(&asked) { Ok(Budget::Iterations(asked)) } else { Err(wrong()) };
        }
        let time = Duration::try_from_secs_f64(seconds).ok().filter(|_| seconds <= MAX_SECONDS);
        let wrong = || format!("seconds must be above 0 and at most {MAX_SECONDS}, or 0 for none, got {seconds:?}");
        time.map(Budget::Time).ok_or_else(|| Failure::out_of_range(wrong()))
    }
}

/// What a search thinks of one move; shares and scores are those of finished games.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SavannaMoveAnalysis {
    /// The action id of the move.
    pub action: i32,
    /// How many iterations began with it.
    pub visits: u64,
    /// The share of them that the mover's team won; a win shared among k teams counts 1 / k.
    pub win_share: f64,
    /// The standard error of the share; 0 only if all deals that the view leaves open were solved.
    pub share_stderr: f64,
    /// By how much the mean score of the mover's team exceeds the mean of the other teams' mean scores.
    pub margin: f64,
    /// The mean score of each team; 0 for those that do not play.
    pub scores: [f64; SAVANNA_MAX_SEATS],
}

impl From<&MoveAnalysis> for SavannaMoveAnalysis {
    fn from(it: &MoveAnalysis) -> SavannaMoveAnalysis {
        SavannaMoveAnalysis {
            action: it.mv.action() as i32,
            visits: it.visits,
            win_share: it.win_share,
            share_stderr: it.stderr,
            margin: it.margin,
            scores: it.scores.0,
        }
    }
}

/// Fills an effort with 40,000 iterations of seed 0, on every core, watched by nobody.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_default_effort(
    effort: *mut SavannaEffort,
    size: usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        sized_place(effort, size, "effort")?.put(SavannaEffort::default());
        Ok(())
    })
}

/// Lets the strongest player search in a view of the seat to move. Fails with GAME_OVER or NOT_TO_MOVE if there is nothing
/// to choose, with OUT_OF_RANGE if a part of the effort is, and with STOPPED if the watcher says so.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_view_analyse(
    view: *const SavannaView,
    effort: *const SavannaEffort,
    size: usize,
    analysis: *mut *mut SavannaAnalysis,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = place(analysis, "analysis")?;
        let view = held(&view)?;
        let asked = read(effort, size, "effort")?;
        let mut watch = |done| tell(asked.watch, asked.context, done);
        give(place, Champion(asked.effort()?).analyse_watched(view, &mut watch)?);
        Ok(())
    })
}

/// Writes the action id of the best move.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_analysis_best(
    analysis: *const SavannaAnalysis,
    action: *mut i32,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = place(action, "action")?;
        place.put(held(&analysis)?.best().action() as i32);
        Ok(())
    })
}

/// Writes how many iterations were made.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_analysis_iterations(
    analysis: *const SavannaAnalysis,
    iterations: *mut u64,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = place(iterations, "iterations")?;
        place.put(held(&analysis)?.iterations);
        Ok(())
    })
}

/// Writes what is thought of each move, best first. `size` is that of one struct, `capacity` how many there is room for;
/// there are at most SAVANNA_MAX_MOVES.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_analysis_moves(
    analysis: *const SavannaAnalysis,
    moves: *mut SavannaMoveAnalysis,
    capacity: usize,
    size: usize,
    count: *mut usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let all: Vec<SavannaMoveAnalysis> = held(&analysis)?.moves.iter().map(SavannaMoveAnalysis::from).collect();
        give_structs(&all, (moves, capacity, size, "moves"), count)
    })
}

/// Frees the handle in a variable, which becomes NULL.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_analysis_free(
    analysis: *mut *mut SavannaAnalysis,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || free(analysis))
}
