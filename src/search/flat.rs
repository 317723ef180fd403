//! Players that judge each move by playouts after it: all moves alike, or the better ones more and more.

use crate::rollout::{Options, Policy};
use crate::search::candidates::Candidates;
use crate::search::{Analysis, Analyst, Effort, SearchError, Watch};
use crate::view::View;

/// Chooses the move after which random playouts are [worth](crate::search::MoveAnalysis::worth) most.
///
/// The playouts, which are its iterations, are spread evenly over the moves, what does not divide is left out, and each
/// move gets at least one. All moves are played with the same random numbers. With a budget of time, all moves get
/// 128 playouts more until it has passed.
///
/// ```
/// # use savanna_core::{Analyst, Effort, View, search::FlatMonteCarlo};
/// let view: View = "seat=1 2p ..../..0?./..../..../.... ??/mz ???????/???????? 0/0".parse()?;
/// let analysis = FlatMonteCarlo(Effort::iterations(1000)).analyse(&view)?;
/// assert!(analysis.moves.len() == 76 && analysis.moves.iter().all(|it| it.visits == 13)); // 1000 / 76
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FlatMonteCarlo(pub Effort);

impl FlatMonteCarlo {
    /// How many playouts it makes unless it is told otherwise.
    pub const ITERATIONS: u64 = 20_000;
}

impl Default for FlatMonteCarlo {
    fn default() -> FlatMonteCarlo {
        FlatMonteCarlo(Effort::iterations(FlatMonteCarlo::ITERATIONS))
    }
}

impl Analyst for FlatMonteCarlo {
    fn analyse_watched(&self, view: &View, watch: &mut Watch<'_>) -> Result<Analysis, SearchError> {
        let mut candidates = Candidates::new(view, self.0, Options::new(0), watch)?;
        candidates.spend(1, 1)?;
        Ok(candidates.analysis())
    }
}

/// Sequential halving on epsilon-greedy playouts with epsilon 3/8, [`Policy::SoftGreedy`](crate::Policy) (Karnin,
/// Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013).
///
/// There are as many rounds as halvings lead from all moves to one, and each has an equal part of the budget. A round
/// spreads its playouts, which are the iterations, evenly over the moves in the race, as [`FlatMonteCarlo`] does with
/// all of them; then the half that is [worth](crate::search::MoveAnalysis::worth) less, by all playouts so far, leaves
/// the race. The moves that were longest in the race are the best.
///
/// ```
/// # use savanna_core::{Analyst, Effort, View, search::SoftGreedy};
/// let view: View = "seat=1 2p ..../..0?./..../..../.... ??/mz ???????/???????? 0/0".parse()?;
/// let moves = SoftGreedy(Effort::iterations(5000)).analyse(&view)?.moves;
/// assert!(moves.is_sorted_by(|one, next| one.visits >= next.visits) && moves[0].visits > moves[75].visits);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SoftGreedy(pub Effort);

impl SoftGreedy {
    /// How many playouts it makes unless it is told otherwise.
    pub const ITERATIONS: u64 = 20_000;
}

impl Default for SoftGreedy {
    fn default() -> SoftGreedy {
        SoftGreedy(Effort::iterations(SoftGreedy::ITERATIONS))
    }
}

impl Analyst for SoftGreedy {
    fn analyse_watched(&self, view: &View, watch: &mut Watch<'_>) -> Result<Analysis, SearchError> {
        halve(view, self.0, Policy::SoftGreedy, watch)
    }
}

/// What [`SoftGreedy`] does, by playouts of any policy.
pub(super) fn halve(
    view: &View,
    effort: Effort,
    policy: Policy,
    watch: &mut Watch<'_>,
) -> Result<Analysis, SearchError> {
    let options = Options { policy, ..Options::new(0) };
    let mut candidates = Candidates::new(view, effort, options, watch)?;
    let rounds = candidates.len().next_power_of_two().ilog2().max(1);
    for round in 1..=rounds {
        candidates.spend(round, rounds)?;
        candidates.halve();
    }
    Ok(candidates.analysis())
}
