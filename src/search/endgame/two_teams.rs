//! The search of two teams from a position on: by score, by win, or by both.

use crate::moves::Move;
use crate::search::endgame::alphabeta::{AlphaBeta, Found};
use crate::search::endgame::duel::{self, DuelLines, Endgame, Put};
use crate::search::endgame::game::UNKNOWN;
use crate::search::endgame::nodes::{Nodes, Stopped};
use crate::search::endgame::solution::{Objective, WIN};
use crate::search::endgame::transposition::Table;
use crate::tile::{Seat, Team};
use crate::world::World;

/// What a point counts when Lions break ties: more than all Lions of both teams.
const POINT: i32 = 64;
/// Half of what can be gained in any game, so that sums and differences stay small: wider than any window that matters.
const WIDE: i32 = UNKNOWN / 2;

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
            // Moves as good as the best must be told from all others.
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

/// The value of a position of two teams, seen by the team to move, and all moves that give it.
pub(super) fn solve_duel(
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

/// What every legal move is worth to the team that makes it.
pub(super) fn duel_values(
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
