//! Players that do not look ahead: they choose at once.

use crate::moves::Move;
use crate::search::{Player, SearchError, Watch, choices, numbers_for};
use crate::view::View;
use crate::world::{Setting, World};

/// Chooses among the legal moves, all equally likely.
///
/// ```
/// # use savanna_core::{Player, View, search::Random};
/// let view: View = "seat=1 2p ..../..0?./..../..../.... ??/mz ???????/???????? 0/0".parse()?;
/// let mut moves: Vec<_> = (0..2000).map(|seed| Random { seed }.choose(&view).unwrap()).collect();
/// moves.sort();
/// moves.dedup();
/// assert!(moves.into_iter().eq(view.legal_moves().iter())); // each of 76 comes up
/// # Ok::<(), savanna_core::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Random {
    /// The seed of its random numbers.
    pub seed: u64,
}

impl Player for Random {
    fn choose_watched(&self, view: &View, _: &mut Watch<'_>) -> Result<Move, SearchError> {
        Ok(one_of(&choices(view)?, view, self.seed))
    }
}

/// Chooses a move after which the margin of its team has grown most, among equally good ones with equal chances. What
/// comes later does not concern it.
///
/// ```
/// # use savanna_core::{Player, View, search::Greedy};
/// // A Zebra on e5 makes the row exactly 10.
/// let view: View = "seat=1 2p 0z1m0m./..../..../..../.... ??/mz ??????/??????? 0/0".parse()?;
/// assert_eq!(Greedy { seed: 0 }.choose(&view)?.to_string(), "zebra e5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Greedy {
    /// The seed of its random numbers.
    pub seed: u64,
}

impl Player for Greedy {
    fn choose_watched(&self, view: &View, _: &mut Watch<'_>) -> Result<Move, SearchError> {
        let mut moves = choices(view)?;
        let setting = Setting::new(view.rules());
        let world = World::new(&setting, &view.known());
        let best = moves.iter().map(|&mv| world.gain(mv)).max();
        moves.retain(|&mv| Some(world.gain(mv)) == best);
        Ok(one_of(&moves, view, self.seed))
    }
}

/// One of these moves, all equally likely.
fn one_of(moves: &[Move], view: &View, seed: u64) -> Move {
    moves[numbers_for(view, seed).below(moves.len() as u64) as usize]
}
