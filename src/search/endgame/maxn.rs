//! Max-n for any number of teams (Luckhardt and Irani, "An algorithmic solution of n-person games", 1986): each team makes
//! the move whose result it likes most. Of moves whose results it likes equally it makes the first that the game lists,
//! which the others may well care about: so the value of a game is one of many that rational play can have, but always
//! the same one.

use crate::search::endgame::game::Melee;
use crate::search::endgame::nodes::{Nodes, Stopped};
use crate::search::endgame::table::Table;
use crate::tile::{ByTeam, MAX_SEATS};

/// What each team has in the end.
pub(crate) type Results = ByTeam<i32>;

/// One search after the other, with the table and the room that they share.
pub(crate) struct MaxN<'t, 'w, G: Melee> {
    table: &'t mut Table<Results>,
    nodes: &'t mut Nodes<'w>,
    /// The moves of all games on the way from the root, one game's after the other's.
    moves: Vec<G::Move>,
}

impl<'t, 'w, G: Melee> MaxN<'t, 'w, G> {
    pub(crate) fn new(table: &'t mut Table<Results>, nodes: &'t mut Nodes<'w>) -> Self {
        MaxN { table, nodes, moves: Vec::new() }
    }

    /// The result of a game.
    pub(crate) fn search(&mut self, game: &G) -> Result<Results, Stopped> {
        self.nodes.one_more()?;
        let Some(team) = game.team() else { return Ok(game.result()) };
        if let Some(result) = game.decided() {
            return Ok(result);
        }
        let key = game.key();
        let settled = game.settled();
        if let Some(rest) = key.and_then(|key| self.table.get(key)) {
            return Ok(each(&settled, &rest, |settled, rest| settled + rest));
        }
        let start = self.moves.len();
        game.moves(&mut self.moves);
        let most = game.most(team);
        let mut best: Option<(i32, Results)> = None;
        for turn in start..self.moves.len() {
            let result = self.after(game, self.moves[turn])?;
            let liking = game.liking(team, &result);
            if best.is_none_or(|(best, _)| liking > best) {
                best = Some((liking, result));
                if liking >= most {
                    break;
                }
            }
        }
        self.moves.truncate(start);
        let result = best.map_or_else(|| game.result(), |(_, result)| result);
        if let Some(key) = key {
            self.table.put(key, each(&result, &settled, |result, settled| result - settled));
        }
        Ok(result)
    }

    /// The result of a game if this move is made.
    pub(crate) fn after(&mut self, game: &G, mv: G::Move) -> Result<Results, Stopped> {
        let mut next = *game;
        next.play(mv);
        self.search(&next)
    }
}

fn each(a: &Results, b: &Results, with: impl Fn(i32, i32) -> i32) -> Results {
    ByTeam(std::array::from_fn::<_, MAX_SEATS, _>(|team| with(a.0[team], b.0[team])))
}
