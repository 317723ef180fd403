//! Players that judge each move by playouts after it: all moves alike, or the better ones more and more.

use crate::rollout::{Options, Policy};
use crate::search::candidates::Candidates;
use crate::search::{Analysis, Analyst, Effort, SearchError, Watch};
use crate::view::View;

/// Chooses the move after which random playouts are [worth](crate::search::MoveAnalysis::worth) most.
///
/// The playouts, which are its iterations, are spread evenly over the moves, what does not divide is left out, and each
/// move gets one at the least. All moves are played with the same random numbers. With a budget of time, all moves get
/// 128 playouts more until it has passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FlatMonteCarlo(pub Effort);

impl Analyst for FlatMonteCarlo {
    fn analyse_watched(&self, view: &View, watch: &mut Watch<'_>) -> Result<Analysis, SearchError> {
        let mut candidates = Candidates::new(view, self.0, Options::new(0), watch)?;
        candidates.spend(1, 1)?;
        Ok(candidates.analysis())
    }
}

/// Chooses by soft-greedy playouts, which it spends more and more on the better moves: sequential halving (Karnin,
/// Koren and Somekh, "Almost optimal exploration in multi-armed bandits", 2013).
///
/// There are as many rounds as halvings lead from all moves to one, and each has an equal part of the budget. A round
/// spreads its playouts, which are the iterations, evenly over the moves in the race, as [`FlatMonteCarlo`] does with
/// all of them; then the half that is [worth](crate::search::MoveAnalysis::worth) less, by all playouts so far, leaves
/// the race. The moves that were longest in the race are the best.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SoftGreedy(pub Effort);

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
