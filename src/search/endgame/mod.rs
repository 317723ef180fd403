//! The exact end of a game, when all hands and decks are known: what it is worth, and which moves are best.
//!
//! Two teams are solved by alpha-beta, more by max-n. Both search small games that stand for a position: each line is the
//! state of an automaton (`lines.rs`), and what is remembered depends only on what can still happen, not on what has.
//! With two teams, the last three spaces are not searched but worked out at once (`finish.rs`).

mod solution;
mod nodes;
mod game;
mod transposition;
mod alphabeta;
mod maxn;
mod hash;
mod lines;
mod root;
mod duel;
mod finish;
mod melee;
mod two_teams;

pub use solution::{Objective, Solution, SolveError, WIN, Worth};

use std::fmt;

use crate::moves::Move;
use crate::position::Position;
use crate::rules::Rules;
use crate::search::Watch;
use crate::search::endgame::alphabeta::Found;
use crate::search::endgame::duel::DuelLines;
use crate::search::endgame::game::Melee;
use crate::search::endgame::lines::{Kind, Lines};
use crate::search::endgame::maxn::{MaxN, Results};
use crate::search::endgame::melee::{Brawl, MeleeLines, SHARE};
use crate::search::endgame::nodes::{Nodes, Stopped};
use crate::search::endgame::root::kinds_left;
use crate::search::endgame::transposition::Table;
use crate::search::endgame::two_teams::{duel_values, solve_duel};
use crate::tile::{ByTeam, Team};
use crate::world::{Setting, World};

/// After this number of lines a solver begins anew: one position has fewer than as many again, and a state of a line
/// must be told by 16 bits.
const MANY_LINES: usize = 30_000;

/// The greatest number of empty spaces with which a position of n teams can be solved: [`solve`] refuses more, as it
/// would take too long.
pub const fn limit(teams: usize) -> usize {
    match teams {
        2 => 14,
        _ => 8,
    }
}

/// The value of a position when everybody plays as well as can be, and all best moves. Everybody knows all hands and decks.
/// `watch` is told the number of positions looked at ten times a second and more, and can stop the search.
///
/// # Errors
/// The game is over, more than [`limit`] spaces are empty, or the search was stopped.
///
/// # Example
/// ```
/// # use std::ops::ControlFlow;
/// # use savanna_core::{Objective, Position, Worth, solve};
/// // A Monkey on a3 fills lines of 10, 14, 14 and 7, for 3 + 1 + 1 points to 2, and so ends the game by 14 to 11.
/// let position: Position = "2p 0Z0z1M0m/0m0m1Z0e/.0z0m1z/1Z1M1e1M/1g0g1G0G -/m -/- 9/9".parse()?;
/// let solution = solve(&position, Objective::Margin, &mut |_| ControlFlow::Continue(()))?;
/// assert_eq!((solution.value, solution.moves), (Worth::Duel(3), vec!["monkey a3".parse()?]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(position: &Position, objective: Objective, watch: &mut Watch<'_>) -> Result<Solution, SolveError> {
    let setting = Setting::new(position.rules());
    Solver::new(position.rules()).solve(&World::new(&setting, position), objective, watch)
}

/// Solves one position after the other, of one game or of many of the same rules, and remembers what they have in common.
/// It makes no difference to values and moves in which order they come. One position is solved by [`solve`].
pub struct Solver {
    rules: Rules,
    tools: Tools,
}

/// What depends on the number of teams.
enum Tools {
    Duel { lines: DuelLines, table: Table<Found> },
    Melee { lines: MeleeLines, table: Table<Results> },
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("rules", &self.rules).finish_non_exhaustive()
    }
}

impl Solver {
    /// A solver for games of these rules.
    pub fn new(rules: &Rules) -> Solver {
        Solver { rules: *rules, tools: Tools::new(rules, Vec::new()) }
    }

    /// As [`solve`].
    ///
    /// # Errors
    /// As [`solve`].
    ///
    /// # Panics
    /// If the world is of other rules.
    pub fn solve(
        &mut self,
        world: &World,
        objective: Objective,
        watch: &mut Watch<'_>,
    ) -> Result<Solution, SolveError> {
        self.prepare(world)?;
        let mut nodes = Nodes::new(watch);
        let (value, moves) = match &mut self.tools {
            Tools::Duel { lines, table } => {
                let (value, moves) = solve_duel(world, lines, table, objective, &mut nodes)?;
                (Worth::Duel(value), moves)
            }
            Tools::Melee { lines, table } => {
                let plan = melee::Plan::new(world, lines, objective);
                let results = results(&plan.start(world), world, table, &mut nodes)?;
                best_of(&plan.start(world), objective, world.turn().1, &results)
            }
        };
        Ok(Solution { objective, teams: self.rules.teams(), value, moves, nodes: nodes.all() })
    }

    /// What every legal move is worth to the team that makes it, in ascending order of action id: for two teams the value
    /// after it; for more, how much the team likes the result: its share of the win in twelfths, by how much its score
    /// exceeds the mean of the others, times their number, or a number that ranks by the first, then by the second.
    ///
    /// # Errors
    /// As [`solve`].
    ///
    /// # Panics
    /// If the world is of other rules.
    ///
    /// # Example
    /// ```
    /// # use std::ops::ControlFlow;
    /// # use savanna_core::{Objective, Position, Setting, Solver, World, search::endgame::WIN};
    /// let position: Position = "2p 0Z0z1M0m/0m0m1Z0e/.0z0m1z/1Z1M1e1M/1g0g1G0G -/m -/- 9/9".parse()?;
    /// let (setting, mut solver) = (Setting::new(position.rules()), Solver::new(position.rules()));
    /// let world = World::new(&setting, &position);
    /// let values = solver.values(&world, Objective::WinThenMargin, &mut |_| ControlFlow::Continue(()))?;
    /// // 14 to 11, or 10 to 12 if the Monkey lies Lion up.
    /// assert_eq!(values, [("monkey a3".parse()?, WIN + 3), ("monkey lion a3".parse()?, -WIN - 2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn values(
        &mut self,
        world: &World,
        objective: Objective,
        watch: &mut Watch<'_>,
    ) -> Result<Vec<(Move, i32)>, SolveError> {
        self.prepare(world)?;
        let mut nodes = Nodes::new(watch);
        match &mut self.tools {
            Tools::Duel { lines, table } => Ok(duel_values(world, lines, table, objective, &mut nodes)?),
            Tools::Melee { lines, table } => {
                let plan = melee::Plan::new(world, lines, objective);
                let (start, team) = (plan.start(world), world.turn().1);
                let results = results(&start, world, table, &mut nodes)?;
                Ok(results.iter().map(|(mv, result)| (*mv, start.liking(team, result))).collect())
            }
        }
    }

    /// Refuses what cannot be solved, and makes room for the rest.
    fn prepare(&mut self, world: &World) -> Result<(), SolveError> {
        assert!(self.rules == *world.setting().rules(), "a world of the rules of this solver");
        let (empty, teams) = (world.empty_spaces().len(), self.rules.teams());
        if empty == 0 {
            return Err(SolveError::GameOver);
        }
        if empty > limit(teams) {
            return Err(SolveError::TooManyEmpty { empty, limit: limit(teams), teams });
        }
        self.tools.prepare(&self.rules, kinds_left(world), empty as u32);
        Ok(())
    }
}

impl Tools {
    /// Tools for games in which these kinds of tiles are left. Tables grow when they are needed.
    fn new(rules: &Rules, kinds: Vec<Kind>) -> Tools {
        if rules.teams() == 2 {
            let difference = |points: ByTeam<u16>| [points.0[0] as i16 - points.0[1] as i16];
            Tools::Duel { lines: Lines::new(rules, kinds, difference), table: Table::new(0) }
        } else {
            let by_team = |points: ByTeam<u16>| points.0.map(|points| points as i16);
            Tools::Melee { lines: Lines::new(rules, kinds, by_team), table: Table::new(0) }
        }
    }

    /// Makes them fit for a position with these kinds of tiles and n empty spaces. What has been found is kept unless
    /// there is a new kind of tile: then the states of lines, by which it is known, are others.
    fn prepare(&mut self, rules: &Rules, mut kinds: Vec<Kind>, empty: u32) {
        let (known, seen) = match self {
            Tools::Duel { lines, .. } => (lines.kinds(), lines.seen()),
            Tools::Melee { lines, .. } => (lines.kinds(), lines.seen()),
        };
        if seen > MANY_LINES {
            *self = Tools::new(rules, kinds);
        } else if !kinds.iter().all(|kind| known.contains(kind)) {
            kinds.extend(known.iter().filter(|kind| !kinds.contains(kind)).copied().collect::<Vec<_>>());
            *self = Tools::new(rules, kinds);
        }
        // About as many slots as there are positions to be remembered: as far as they fit into 64 MB.
        match self {
            Tools::Duel { table, .. } => table.grow((2 * empty).saturating_sub(3).min(22)),
            Tools::Melee { table, .. } => table.grow((2 * empty + 4).min(21)),
        }
    }
}

/// The result of every legal move of three or four teams.
fn results<'p>(
    start: &Brawl<'p>,
    world: &World,
    table: &mut Table<Results>,
    nodes: &mut Nodes<'_>,
) -> Result<Vec<(Move, Results)>, Stopped> {
    let mut search = MaxN::new(table, nodes);
    world.legal_moves().iter().map(|mv| Ok((mv, search.after(start, mv)?))).collect()
}

/// The moves with the results that a team likes most, and the first of these results.
fn best_of(start: &Brawl, objective: Objective, team: Team, results: &[(Move, Results)]) -> (Worth, Vec<Move>) {
    let liking = |result: &Results| start.liking(team, result);
    let most = results.iter().map(|(_, result)| liking(result)).max();
    let best = results.iter().filter(|(_, result)| Some(liking(result)) == most);
    let value = best.clone().next().map_or(Results::default(), |&(_, result)| result);
    let (shares, scores) = match objective {
        Objective::Win => (value, Results::default()),
        Objective::Margin => (Results::default(), value),
        Objective::WinThenMargin => {
            (ByTeam(value.0.map(|result| result / SHARE)), ByTeam(value.0.map(|result| result % SHARE)))
        }
    };
    let (shares, scores) = (ByTeam(shares.0.map(|share| share as u8)), ByTeam(scores.0.map(|score| score as u16)));
    (Worth::Teams { shares, scores }, best.map(|&(mv, _)| mv).collect())
}

impl From<Stopped> for SolveError {
    fn from(_: Stopped) -> SolveError {
        SolveError::Stopped
    }
}
