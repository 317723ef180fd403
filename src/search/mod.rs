//! Players and search: who sees a [`View`] and chooses a move, and nothing else.
//!
//! A player keeps nothing from one move to the next: what it chooses depends on the view, its budget and its seed
//! alone. Under a budget of iterations it depends neither on the clock nor on threads.
//!
//! [`Champion`] is the strongest; [`SoftGreedy`], [`FlatMonteCarlo`] and [`Ismcts`] are simpler, [`Greedy`] and
//! [`Random`] do not look ahead. Every type that implements [`Player`] can play with them. [`endgame`] solves positions
//! in which nothing is hidden; [`tree`], [`knowledge`] and [`value`] are what the champion is made of.

mod analysis;
mod budget;
mod greedy;
mod candidates;
mod flat;
pub mod tree;
mod forest;
pub mod knowledge;
mod math;
mod ismcts;
pub mod endgame;
mod deals;
pub mod value;
pub mod champion;

use std::fmt;
use std::ops::ControlFlow;

pub use analysis::{Analysis, MoveAnalysis, POINTS_PER_WIN};
pub use budget::{Budget, Effort, MAX_SECONDS};
pub use champion::Champion;
pub use flat::{FlatMonteCarlo, SoftGreedy};
pub use greedy::{Greedy, Random};
pub use ismcts::{Ismcts, Uct};

use crate::moves::Move;
use crate::play::PlayError;
use crate::rng::{Purpose, Xoshiro256PlusPlus};
use crate::tile::Seat;
use crate::view::View;

/// Is told a few times a second how many iterations have been made; when it says `Break`, the work stops, and it is
/// told nothing more.
///
/// ```
/// # use std::{ops::ControlFlow, time::Duration};
/// # use savanna_core::{Analyst, Budget, Effort, Position, Rules, SearchError, search::Champion};
/// # let start = Position::deal(&Rules::default(), 7);
/// let champion = Champion(Effort::new(Budget::Time(Duration::from_secs(3600))));
/// let result = champion.analyse_watched(&start.view(start.seat().unwrap()), &mut |_| ControlFlow::Break(()));
/// assert_eq!(result, Err(SearchError::Stopped)); // at once
/// ```
pub type Watch<'w> = dyn FnMut(u64) -> ControlFlow<()> + 'w;

/// Chooses moves. Your own players can take part wherever those of this crate do.
///
/// ```
/// # use savanna_core::{Move, Player, SearchError, View, search::{Watch, choices}};
/// struct First;
/// impl Player for First {
///     fn choose_watched(&self, view: &View, _: &mut Watch<'_>) -> Result<Move, SearchError> {
///         Ok(choices(view)?[0])
///     }
/// }
/// let view: View = "seat=1 2p ..../..0?./..../..../.... ??/mz ???????/???????? 0/0".parse()?;
/// assert_eq!(First.choose(&view)?.to_string(), "monkey a5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Player: Send + Sync {
    /// The move that this player makes in a view of the seat to move. It tells `watch` about its progress, if it takes
    /// long.
    ///
    /// # Errors
    /// There is nothing to choose, or `watch` has stopped it.
    fn choose_watched(&self, view: &View, watch: &mut Watch<'_>) -> Result<Move, SearchError>;

    /// As [`choose_watched`](Player::choose_watched), watched by nobody.
    ///
    /// # Errors
    /// There is nothing to choose.
    fn choose(&self, view: &View) -> Result<Move, SearchError> {
        self.choose_watched(view, &mut |_| ControlFlow::Continue(()))
    }
}

/// A player that can say what it thinks of every move; it chooses the best one, as [`Player`]. [`Analysis`] shows what it
/// says.
pub trait Analyst: Send + Sync {
    /// What this player thinks of the moves in a view of the seat to move. It tells `watch` about its progress.
    ///
    /// # Errors
    /// There is nothing to choose, or `watch` has stopped it.
    fn analyse_watched(&self, view: &View, watch: &mut Watch<'_>) -> Result<Analysis, SearchError>;

    /// As [`analyse_watched`](Analyst::analyse_watched), watched by nobody.
    ///
    /// # Errors
    /// There is nothing to choose.
    fn analyse(&self, view: &View) -> Result<Analysis, SearchError> {
        self.analyse_watched(view, &mut |_| ControlFlow::Continue(()))
    }

    /// The best move of that analysis, when the rest of it is not asked for.
    ///
    /// # Errors
    /// There is nothing to choose, or `watch` has stopped it.
    fn best_watched(&self, view: &View, watch: &mut Watch<'_>) -> Result<Move, SearchError> {
        self.analyse_watched(view, watch).map(|analysis| analysis.best())
    }
}

impl<A: Analyst> Player for A {
    fn choose_watched(&self, view: &View, watch: &mut Watch<'_>) -> Result<Move, SearchError> {
        self.best_watched(view, watch)
    }
}

/// Why no move was chosen.
///
/// ```
/// # use savanna_core::{Player, Position, Rules, Seat, search::Random};
/// let start = Position::deal(&Rules::default(), 7);
/// let error = Random { seed: 0 }.choose(&start.view(Seat::ALL[1])).unwrap_err();
/// assert_eq!(error.to_string(), "view is that of seat 1, but seat 0 is to move");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SearchError {
    /// The game is over.
    GameOver,
    /// The view is public, or that of another seat than the one to move.
    NotToMove {
        /// Whose view it is; `None` if it is public.
        viewer: Option<Seat>,
        /// Who is to move.
        to_move: Seat,
    },
    /// The watcher has stopped the search.
    Stopped,
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SearchError::GameOver => PlayError::GameOver.fmt(f),
            SearchError::NotToMove { viewer, to_move } => PlayError::NotToMove { viewer, to_move }.fmt(f),
            SearchError::Stopped => f.write_str("the search was stopped"),
        }
    }
}

impl std::error::Error for SearchError {}

/// The moves between which a player has to choose: all legal ones, in ascending order of action id, never none. A
/// [`Player`] that begins with it has refused what it must.
///
/// # Errors
/// The game is over, another seat is to move, or the view is public.
pub fn choices(view: &View) -> Result<Vec<Move>, SearchError> {
    match view.to_move() {
        None => Err(SearchError::GameOver),
        Some(to_move) if view.seat() != Some(to_move) => Err(SearchError::NotToMove { viewer: view.seat(), to_move }),
        Some(_) => Ok(view.legal_moves().iter().collect()),
    }
}

/// The random numbers with which a seed chooses in a view: those of the purpose `choose`, numbered by the view's
/// fingerprint. Other views of the same game have others. They make a [`Player`] with chance in it repeatable, though it
/// keeps nothing.
pub fn numbers_for(view: &View, seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::numbered(seed, Purpose::Choose, view.fingerprint())
}
