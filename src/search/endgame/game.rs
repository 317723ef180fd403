//! What a search asks of a game. The searches know nothing else, so that they can be tried on games whose values are
//! known.

use crate::tile::{ByTeam, Team};

/// A game of perfect information without chance, at one moment: a small value that is copied to look ahead.
pub(crate) trait Game: Copy {
    /// A move; what it means is the game's own affair.
    type Move: Copy + PartialEq;

    /// How many teams play; they are the first ones of [`Team::ALL`].
    fn teams(&self) -> usize;

    /// The team to move; `None` when the game is over.
    fn team(&self) -> Option<Team>;

    /// Shows the legal moves. Their order is that in which equal ones are preferred. A game that is not over has one.
    fn moves(&self, see: impl FnMut(Self::Move));

    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move);

    /// What each team has in the end; asked only when the game is over.
    fn result(&self) -> ByTeam<i32>;
}

/// A game of two teams in which one wins what the other loses, move by move: what alpha-beta needs to know.
pub(crate) trait Duel: Game {
    /// By how much a legal move betters the final difference for the team that moves. Summed up along a game, this is the
    /// difference between the results.
    fn gain(&self, mv: Self::Move) -> i32;

    /// The least and the most that can come of a legal move, its gain included.
    fn prospects(&self, mv: Self::Move) -> (i32, i32) {
        let _ = mv;
        (-UNKNOWN, UNKNOWN)
    }

    /// The least and the most that the team to move can still gain over the other. If they are equal, the search asks no
    /// more of this game, so a value that can be told at once belongs here; it may be a mere bound of the value if both are
    /// on the same side of `alpha` and `beta`, not between them. All are below [`UNKNOWN`] in size.
    fn bounds(&self, alpha: i32, beta: i32) -> (i32, i32) {
        let _ = (alpha, beta);
        (-UNKNOWN, UNKNOWN)
    }

    /// A number for all that decides what can still be gained, the same for games that are alike in this; `None` for a
    /// game that is not worth remembering. Different numbers must stand for different games: with 64 bits that are mixed
    /// well, this holds but for one pair in 10 to the 19th.
    fn key(&self) -> Option<u64> {
        None
    }
}

/// A bound on what can be gained in any game.
pub(crate) const UNKNOWN: i32 = 1 << 22;

/// A game of any number of teams, each of which looks after itself: what max-n needs to know.
pub(crate) trait Melee: Game {
    /// How much a team likes a result: it makes the move whose result it likes most.
    fn liking(&self, team: Team, result: &ByTeam<i32>) -> i32 {
        result[team]
    }

    /// A liking that no result of this game can exceed: when a move comes to it, no further one is looked at.
    fn most(&self, team: Team) -> i32 {
        let _ = team;
        i32::MAX
    }

    /// The result if nothing can change it any more.
    fn decided(&self) -> Option<ByTeam<i32>> {
        None
    }

    /// A part of the result that has come about already. Only the rest is remembered, so games that differ in nothing else
    /// may have one key; how a team likes a result must not depend on this part then.
    fn settled(&self) -> ByTeam<i32> {
        ByTeam::default()
    }

    /// A number for all that decides the rest of the result, as [`Duel::key`].
    fn key(&self) -> Option<u64> {
        None
    }
}
