//! `SavannaAnalysis`: what the champion thinks.

use std::time::Duration;

use super::border::{Kind, enter, free, give, give_structs, held, place};
use super::rollout::{read_count, read_threads};
use super::state::SAVANNA_MAX_SEATS;
use super::status::{Failure, SavannaError, SavannaStatus};
use super::view::SavannaView;
use crate::search::{Analysis, Analyst, Budget, Champion, Effort, MAX_SECONDS, MoveAnalysis};

/// A handle of what a search thinks of every move in a view. It never changes.
pub struct SavannaAnalysis(());

impl Kind for SavannaAnalysis {
    type Value = Analysis;
    const NAME: &'static str = "analysis";
    const MAGIC: u64 = 0x5341_5641_4E41_4C59;
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
    /// The standard error of the share.
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

fn read_budget(iterations: u64, seconds: f64) -> Result<Budget, Failure> {
    let out_of_range = |message: String| Failure::new(SavannaStatus::OutOfRange, message);
    match (iterations, seconds) {
        (1.., 0.0) => read_count(iterations, "iterations").map(Budget::Iterations),
        (1.., _) => Err(out_of_range("give iterations or seconds, not both".to_owned())),
        (0, 0.0) => Err(out_of_range("give iterations or seconds: both are 0".to_owned())),
        (0, _) => {
            let time = Duration::try_from_secs_f64(seconds).ok().filter(|_| seconds <= MAX_SECONDS);
            let wrong = || out_of_range(format!("seconds must be above 0 and at most {MAX_SECONDS}, got {seconds:?}"));
            time.map(Budget::Time).ok_or_else(wrong)
        }
    }
}

/// Lets the strongest player search in a view of the seat to move, for so many iterations (1 to 2^53) or for so many
/// seconds; the other of the two is 0. With iterations, view and seed decide the result, whatever the number of threads
/// (1 to 1024, 0 for one for each core). Fails with GAME_OVER or NOT_TO_MOVE if there is nothing to choose.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_view_analyse(
    view: *const SavannaView,
    iterations: u64,
    seconds: f64,
    seed: u64,
    threads: i32,
    analysis: *mut *mut SavannaAnalysis,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = place(analysis, "analysis")?;
        let view = held(&view)?;
        let effort = Effort { budget: read_budget(iterations, seconds)?, seed, threads: read_threads(threads)? };
        give(place, Champion(effort).analyse(view)?);
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
/// there are at most 80.
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
