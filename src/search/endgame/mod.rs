//! The exact end of a game, when all hands and decks are known: what it is worth, and which moves are best.
//!
//! Two teams are solved by alpha-beta, more by max-n. Both search small games that stand for a position: each line is the
//! state of an automaton (`lines.rs`), and what is remembered depends only on what can still happen, not on what has.
//! With two teams, the last three spaces are not searched but worked out at once (`finish.rs`).

mod alphabeta;
mod duel;
mod finish;
mod game;
mod lines;
mod maxn;
mod melee;
mod mix;
mod nodes;
mod root;
mod solution;
mod table;

pub use solution::{Objective, Solution, SolveError, WIN, Worth};

use std::fmt;

use crate::moves::Move;
use crate::position::Position;
use crate::rules::Rules;
use crate::search::Watch;
use crate::search::endgame::alphabeta::{AlphaBeta, Found};
use crate::search::endgame::duel::{DuelLines, Endgame, Put};
use crate::search::endgame::game::{Melee, UNKNOWN};
use crate::search::endgame::lines::{Kind, Lines};
use crate::search::endgame::maxn::{MaxN, Results};
use crate::search::endgame::melee::{Brawl, MeleeLines, SHARE};
use crate::search::endgame::nodes::{Nodes, Stopped};
use crate::search::endgame::root::kinds_left;
use crate::search::endgame::table::Table;
use crate::tile::{ByTeam, Seat, Team};
use crate::world::{Setting, World};

/// What a point counts when Lions break ties: more than all Lions of both teams.
const POINT: i32 = 64;
/// Half of what can be gained in any game, so that sums and differences stay small: wider than any window that matters.
const WIDE: i32 = UNKNOWN / 2;

/// When a solver has seen so many lines, it begins anew: one position has fewer than as many again, and a state of a line
/// must be told by 16 bits.
const MANY_LINES: usize = 30_000;

/// The most empty spaces with which a position of so many teams can be solved: [`solve`] refuses more, as it would take
/// too long.
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

    /// Makes them fit for a position with these kinds of tiles and so many empty spaces. What has been found is kept unless
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

/// A search of two teams about to begin.
struct Duel<'s, 'w, 'p> {
    search: AlphaBeta<'s, 'w, Endgame<'p>>,
    start: Endgame<'p>,
    /// What the team to move is ahead by now.
    ahead: i32,
    /// The values beyond which nothing need be known.
    window: (i32, i32),
    /// The moves that do not come to the same.
    moves: Vec<(Put, Move)>,
}

impl Duel<'_, '_, '_> {
    /// The value after a move, seen by the team that makes it.
    fn value(&mut self, put: Put) -> Result<i32, Stopped> {
        let (alpha, beta) = self.window;
        Ok(self.search.after(&self.start, put, alpha, beta)?.clamp(alpha, beta) + self.ahead)
    }

    /// The best value, and the moves that give it.
    fn best(&mut self) -> Result<(i32, Vec<Put>), Stopped> {
        let (low, high) = self.window;
        let mut moves: Vec<Put> = Vec::new();
        let mut best = low;
        let mut order: Vec<Put> = Vec::new();
        for (put, _) in &self.moves {
            if !order.contains(put) {
                order.push(*put);
            }
        }
        order.sort_by_key(|put| std::cmp::Reverse(put.gain));
        for put in order {
            // Whatever is as good as the best must be told from whatever is not.
            let alpha = (best - 1).max(low);
            let beta = if moves.is_empty() { high } else { alpha + 1 };
            let mut value = self.search.after(&self.start, put, alpha, beta)?;
            if value >= beta && beta < high {
                value = self.search.after(&self.start, put, alpha, high)?;
            }
            let value = value.clamp(low, high);
            if value > best {
                best = value;
                moves.clear();
            }
            if value == best {
                moves.push(put);
            }
        }
        Ok((best + self.ahead, moves))
    }
}

/// Plans a search of two teams and runs it.
fn with_duel<R>(
    world: &World,
    lines: &mut DuelLines,
    table: &mut Table<Found>,
    win: bool,
    nodes: &mut Nodes<'_>,
    run: impl FnOnce(&mut Duel) -> Result<R, Stopped>,
) -> Result<R, Stopped> {
    let (point, lion) = if win { (POINT, 1) } else { (1, 0) };
    let plan = duel::Plan::new(world, lines, point, lion);
    let start = plan.start(world);
    let ahead = plan.sure(world) + ahead(world, point, lion);
    let window = if win { (-ahead - 1, -ahead + 1) } else { (-WIDE, WIDE) };
    let moves = world.legal_moves().iter().map(|mv| (start.put(mv), mv)).collect();
    run(&mut Duel { search: AlphaBeta::new(table, nodes), start, ahead, window, moves })
}

/// What the team to move is ahead by on the board, the last seat's bonus included.
fn ahead(world: &World, point: i32, lion: i32) -> i32 {
    let rules = world.setting().rules();
    let team = world.turn().1;
    let has = |team: Team| {
        let last = rules.team_of(Seat::ALL[rules.players() - 1]) == team;
        let score = i32::from(world.scores()[team]) + if last { i32::from(rules.last_seat_bonus()) } else { 0 };
        score * point - i32::from(world.lions()[team]) * lion
    };
    has(team) - rules.team_list().filter(|&other| other != team).map(has).sum::<i32>()
}

fn solve_duel(
    world: &World,
    lines: &mut DuelLines,
    table: &mut Table<Found>,
    objective: Objective,
    nodes: &mut Nodes<'_>,
) -> Result<(i32, Vec<Move>), Stopped> {
    let mut one = |win: bool| {
        with_duel(world, lines, table, win, nodes, |duel| {
            let (value, best) = duel.best()?;
            let moves = duel.moves.iter().filter(|(put, _)| best.contains(put)).map(|&(_, mv)| mv).collect();
            Ok((value, moves))
        })
    };
    match objective {
        Objective::Win => one(true),
        Objective::Margin => one(false),
        Objective::WinThenMargin => {
            let (margin, moves): (i32, Vec<Move>) = one(false)?;
            if margin != 0 {
                return Ok((margin.signum() * WIN + margin, moves));
            }
            // The scores will be equal, so Lions decide.
            let (win, winning) = one(true)?;
            Ok((win * WIN, moves.into_iter().filter(|mv| winning.contains(mv)).collect()))
        }
    }
}

fn duel_values(
    world: &World,
    lines: &mut DuelLines,
    table: &mut Table<Found>,
    objective: Objective,
    nodes: &mut Nodes<'_>,
) -> Result<Vec<(Move, i32)>, Stopped> {
    let mut all = |win: bool, asked: &dyn Fn(Move) -> bool| {
        with_duel(world, lines, table, win, nodes, |duel| {
            let mut known: Vec<(Put, i32)> = Vec::new();
            let mut values = Vec::new();
            for (put, mv) in std::mem::take(&mut duel.moves).into_iter().filter(|&(_, mv)| asked(mv)) {
                let value = match known.iter().find(|(known, _)| *known == put) {
                    Some(&(_, value)) => value,
                    None => duel.value(put)?,
                };
                known.push((put, value));
                values.push((mv, value));
            }
            Ok(values)
        })
    };
    match objective {
        Objective::Win => all(true, &|_| true),
        Objective::Margin => all(false, &|_| true),
        Objective::WinThenMargin => {
            let margins: Vec<(Move, i32)> = all(false, &|_| true)?;
            // Where the scores will be equal, Lions decide.
            let level = |mv| margins.contains(&(mv, 0));
            let wins: Vec<(Move, i32)> = all(true, &level)?;
            let win =
                |mv, margin: i32| wins.iter().find(|(known, _)| *known == mv).map_or(margin.signum(), |&(_, win)| win);
            Ok(margins.iter().map(|&(mv, margin)| (mv, win(mv, margin) * WIN + margin)).collect())
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
