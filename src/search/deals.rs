//! The last plies: every way in which the hidden tiles can lie is solved exactly.

use std::collections::BTreeMap;

use crate::board::SPACES;
use crate::moves::Move;
use crate::search::budget::Spending;
use crate::search::endgame::{Objective, Solver, WIN};
use crate::search::knowledge::Knowledge;
use crate::search::{Analysis, POINTS_PER_WIN, SearchError, Watch};
use crate::view::View;
use crate::world::{Setting, World};

/// The greatest number of empty spaces with which all deals are solved, and the greatest number of deals.
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
    let mut spending = Spending::new(watch);
    for (world, chance) in deals {
        // An iteration is a move of a deal. Most deals are solved sooner than the solver would tell anybody.
        let values = solver.values(world, Objective::WinThenMargin, &mut |_| spending.tell(0));
        for (mv, value) in values.map_err(|_| SearchError::Stopped)? {
            let result = (f64::from(value) / f64::from(WIN)).round();
            *shares.entry(mv).or_default() += chance * (result + 1.0) / 2.0;
            *points.entry(mv).or_default() += chance * (f64::from(value) - result * f64::from(WIN));
        }
        spending.add(analysis.moves.len() as u64)?;
    }
    for it in &mut analysis.moves {
        // Chances are rounded, so their sum may be a little more than 1.
        (it.win_share, it.stderr, it.visits) = (shares[&it.mv].min(1.0), 0.0, deals.len() as u64);
    }
    let worth = |mv: &Move| shares[mv] + points[mv] / f64::from(POINTS_PER_WIN);
    // Of equals the first by action id, so that it does not matter how they were looked at before.
    analysis.moves.sort_by(|a, b| worth(&b.mv).total_cmp(&worth(&a.mv)).then(a.mv.action().cmp(&b.mv.action())));
    analysis.iterations = spending.iterations();
    Ok(analysis)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::position::Position;
    use crate::rules::Rules;
    use crate::world::Setting;

    /// Many deals take long; a watcher is told of iterations while they are solved, though each takes no time, and
    /// stops it.
    #[test]
    fn a_watcher_is_told_iterations() {
        let rules = Rules::default();
        let mut position = Position::deal(&rules, 3);
        while position.empty_spaces().len() > EMPTY {
            position = position.play_unchecked(position.legal_moves().iter().next().expect("a move"));
        }
        let (setting, view) = (Setting::new(&rules), position.view(position.seat().expect("a seat")));
        let deals = deals(&setting, &view).expect("few deals");
        let many: Vec<_> = deals.iter().copied().cycle().take(50_000).collect();
        let first = crate::search::ismcts::first_look(&view, 1, false, &mut |_| ControlFlow::Continue(()));
        let first = first.expect("an analysis");
        let (moves, mut told) = (first.moves.len() as u64, Vec::new());
        let result = solve_deals(first, &many, &mut |iterations| {
            told.push(iterations);
            if told.len() < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert_eq!(result, Err(SearchError::Stopped));
        assert!(told.is_sorted() && told[0] > 0, "{told:?}");
        assert!(told.iter().all(|iterations| iterations.is_multiple_of(moves)), "{told:?} by {moves}");
    }
}
