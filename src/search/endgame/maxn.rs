//! Max-n for any number of teams (Luckhardt and Irani, "An algorithmic solution of n-person games", 1986): each team makes
//! the move whose result it likes most. Of moves whose results it likes equally it makes the first that the game lists,
//! which the others may well care about: so the value of a game is one of many that rational play can have, but always
//! the same one.

use crate::search::endgame::game::Melee;
use crate::search::endgame::nodes::{Nodes, Stopped};
use crate::search::endgame::transposition::Table;
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
        game.moves(|mv| self.moves.push(mv));
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

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::search::endgame::game::Game;
    use crate::tile::Team;

    /// A game of three teams given as a tree: who moves where, and what comes of each move.
    enum Tree {
        Choice(usize, &'static [Tree]),
        End([i32; 4]),
    }

    use Tree::{Choice, End};

    impl Game for &Tree {
        type Move = usize;

        fn teams(&self) -> usize {
            3
        }

        fn team(&self) -> Option<Team> {
            if let Choice(team, _) = self { Some(Team::ALL[*team]) } else { None }
        }

        fn moves(&self, see: impl FnMut(usize)) {
            if let Choice(_, branches) = self {
                (0..branches.len()).for_each(see);
            }
        }

        fn play(&mut self, mv: usize) {
            if let Choice(_, branches) = self {
                *self = &branches[mv];
            }
        }

        fn result(&self) -> ByTeam<i32> {
            ByTeam(if let End(result) = self { *result } else { [0; 4] })
        }
    }

    impl Melee for &Tree {
        fn most(&self, _: Team) -> i32 {
            6
        }
    }

    fn result(tree: &Tree) -> [i32; 4] {
        let mut watch = |_| ControlFlow::Continue(());
        let (mut table, mut nodes) = (Table::new(4), Nodes::new(&mut watch));
        MaxN::new(&mut table, &mut nodes).search(&tree).expect("nobody stops it").0
    }

    /// Team 1 likes both ends of the left branch equally and takes the first, which leaves team 0 with 1; on the right,
    /// team 2 takes 4, which leaves it with 2. So team 0 goes right, and would go left if team 1 took the second.
    #[test]
    fn equal_moves_are_made_in_their_order() {
        static FIRST: Tree = Choice(
            0,
            &[Choice(1, &[End([1, 2, 6, 0]), End([3, 2, 1, 0])]), Choice(2, &[End([2, 5, 3, 0]), End([2, 0, 4, 0])])],
        );
        static SECOND: Tree = Choice(
            0,
            &[Choice(1, &[End([3, 2, 1, 0]), End([1, 2, 6, 0])]), Choice(2, &[End([2, 5, 3, 0]), End([2, 0, 4, 0])])],
        );
        assert_eq!(result(&FIRST), [2, 0, 4, 0]);
        assert_eq!(result(&SECOND), [3, 2, 1, 0]);
    }

    /// Team 2 moves twice and can give team 0 its 6, but prefers 5 of its own; team 1 sees this and gives it no choice.
    #[test]
    fn each_team_looks_after_itself() {
        static TREE: Tree = Choice(
            1,
            &[
                Choice(2, &[Choice(2, &[End([6, 0, 0, 0]), End([0, 1, 5, 0])]), End([0, 4, 2, 0])]),
                Choice(0, &[End([1, 2, 0, 0]), End([0, 6, 0, 0])]),
            ],
        );
        assert_eq!(result(&TREE), [1, 2, 0, 0]);
    }
}
