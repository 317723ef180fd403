//! The 20 lines as they stand, as far as board and scores tell. Nothing here depends on a tile that is hidden.

use std::collections::HashSet;

use crate::board::{LINES, Line};
use crate::position::{Position, added, start_of_scores};
use crate::score::{LineTally, Outcome, score_line};
use crate::tile::{ByTeam, Team, TeamSet};

/// A line as it stands: see [`Position::lines`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LineState {
    /// Which line.
    pub line: Line,
    /// Its tiles, by team.
    pub tally: LineTally,
    /// How many of its spaces are empty.
    pub empty: usize,
    /// Its points by team; `None` until it is full, and zeros while they are `unclaimed`.
    pub points: Option<ByTeam<u16>>,
    /// The team that filled it, if it is exactly at the target and only one team can have; below and above the target,
    /// the only team that gets points.
    pub scorer: Option<Team>,
    /// The points of a line at the target whose scorer is not known, without those for Mice; else 0.
    pub unclaimed: u16,
}

impl Position {
    /// The 20 lines as they stand, in their order.
    ///
    /// A position does not keep who filled a line, which matters where the total is exactly the target. Often the scores
    /// tell: the scorer is known if all ways in which they can have come about have the same team fill the line.
    ///
    /// # Example
    /// ```
    /// # use savanna_core::{ByTeam, Position, Team};
    /// let position: Position = "2p 0z1m0m1z/..../..../..../.... mz/mg mmzgge/mmzgze 0/3".parse()?;
    /// let row = position.lines()[0]; // 3 + 2 + 2 + 3 is exactly 10, and seat 1 has the 3 points
    /// assert_eq!((row.tally.total(), row.empty, row.points), (10, 0, Some(ByTeam([0, 3, 0, 0]))));
    /// assert_eq!((row.scorer, row.unclaimed), (Some(Team::ALL[1]), 0));
    /// # Ok::<(), savanna_core::NotationError>(())
    /// ```
    pub fn lines(&self) -> [LineState; LINES] {
        let fillers = self.possible_fillers();
        Line::ALL.map(|line| {
            let (tally, empty) = (self.line_tally(line), line.spaces().minus(self.filled).len());
            let open = LineState { line, tally, empty, points: None, scorer: None, unclaimed: 0 };
            if empty > 0 { open } else { self.full_line(open, fillers[line.index()]) }
        })
    }

    /// A full line, with the teams that can have filled it.
    fn full_line(&self, line: LineState, fillers: TeamSet) -> LineState {
        let only = |teams: TeamSet| teams.teams().next().filter(|_| teams.len() == 1);
        let filler = only(fillers);
        let score = score_line(&self.rules, line.tally, filler.unwrap_or(Team::ALL[0]));
        match (score.outcome, filler) {
            (Outcome::Exact, None) => {
                let unclaimed = self.rules.points_exact().into();
                LineState { points: Some(ByTeam::default()), unclaimed, ..line }
            }
            (Outcome::Exact, scorer) => LineState { points: Some(score.points), scorer, ..line },
            _ => {
                let scorer = only(self.rules.team_list().filter(|&team| score.points[team] > 0).collect());
                LineState { points: Some(score.points), scorer, ..line }
            }
        }
    }

    /// For each full line, the teams that can have filled it if these are the scores; below and above the target, where
    /// it makes no difference, all that have a tile in it.
    fn possible_fillers(&self) -> [TeamSet; LINES] {
        let gains = Line::ALL.map(|line| self.gains_by_filler(line));
        // What the lines from each one on have to give, in every way in which the scores can come about.
        let mut needed = vec![HashSet::from([self.scores])];
        for gains in gains.iter().rev() {
            let after = &needed[needed.len() - 1];
            let before = |gain| after.iter().filter_map(move |&scores| minus(scores, gain));
            needed.push(if gains.is_empty() {
                after.clone()
            } else {
                gains.iter().flat_map(|(_, it)| before(it)).collect()
            });
        }
        needed.pop();
        let mut reached = HashSet::from([start_of_scores(self)]);
        gains.map(|gains| {
            let needed = needed.pop().unwrap_or_default();
            let fits = |gain| reached.iter().any(|&scores| needed.contains(&added(scores, gain)));
            let fillers = gains.iter().filter(|(_, gain)| fits(gain)).map(|(team, _)| *team).collect();
            if !gains.is_empty() {
                let next = |gain| reached.iter().map(move |&scores| added(scores, gain));
                reached = gains.iter().flat_map(|(_, gain)| next(gain)).filter(|it| needed.contains(it)).collect();
            }
            fillers
        })
    }
}

/// Scores before these points were added; `None` if there were fewer.
fn minus(mut scores: ByTeam<u16>, points: &ByTeam<u16>) -> Option<ByTeam<u16>> {
    for (score, &gain) in scores.0.iter_mut().zip(&points.0) {
        *score = score.checked_sub(gain)?;
    }
    Some(scores)
}
