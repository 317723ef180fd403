//! The last plies: every way in which the hidden tiles can lie is solved exactly.

use std::collections::BTreeMap;

use crate::board::SPACES;
use crate::moves::Move;
use crate::search::endgame::{Objective, Solver, WIN};
use crate::search::knowledge::Knowledge;
use crate::search::{Analysis, POINTS_PER_WIN, SearchError, Watch};
use crate::view::View;
use crate::world::{Setting, World};

/// With how many empty spaces, at the most, all deals are solved, and how many deals there may be.
const EMPTY: usize = 6;
const DEALS: usize = 300;

/// The deals that are consistent with what a seat knows, with their chances, if there are two teams, the end is near and
/// the deals are few.
pub(super) fn deals<'s>(setting: &'s Setting, view: &View) -> Option<Vec<(World<'s>, f64)>> {
    let near = view.rules().teams() == 2 && SPACES - view.ply() <= EMPTY;
    if near { Knowledge::new(setting, view).deals(DEALS) } else { None }
}

/// Judges the moves of an analysis by the mean over all deals of what comes out when both teams know everything and play
/// as well as can be: by wins, then by points. That others' tiles are not known to the mover is thus forgotten after the
/// move (Long, Sturtevant, Buro and Furtak, "Understanding the success of perfect information Monte Carlo sampling in
/// game tree search", 2010).
pub(super) fn solve_deals(
    mut analysis: Analysis,
    deals: &[(World<'_>, f64)],
    watch: &mut Watch<'_>,
) -> Result<Analysis, SearchError> {
    let mut solver = Solver::new(deals[0].0.setting().rules());
    let (mut shares, mut points) = (BTreeMap::<Move, f64>::new(), BTreeMap::<Move, f64>::new());
    for (world, chance) in deals {
        for (mv, value) in solver.values(world, Objective::WinThenMargin, watch).map_err(|_| SearchError::Stopped)? {
            let result = (f64::from(value) / f64::from(WIN)).round();
            *shares.entry(mv).or_default() += chance * (result + 1.0) / 2.0;
            *points.entry(mv).or_default() += chance * (f64::from(value) - result * f64::from(WIN));
        }
    }
    for it in &mut analysis.moves {
        (it.win_share, it.stderr, it.visits) = (shares[&it.mv], 0.0, deals.len() as u64);
    }
    let worth = |mv: &Move| shares[mv] + points[mv] / f64::from(POINTS_PER_WIN);
    analysis.moves.sort_by(|a, b| worth(&b.mv).total_cmp(&worth(&a.mv)));
    analysis.iterations = (deals.len() * analysis.moves.len()) as u64;
    Ok(analysis)
}
