//! Moves ranked by what playouts after each of them come to.

use std::cmp::Ordering;
use std::fmt;
use std::ops::ControlFlow;

use crate::moves::Move;
use crate::play::PlayError;
use crate::rollout::{Options, Source, rollout_many};
use crate::stats::Stats;

/// A move, and what the playouts after it came to: [`rank_moves`] and [`rank_stats`] give them, best first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct RankedMove<S = Stats> {
    /// The move.
    pub mv: Move,
    /// What came of it.
    pub stats: S,
}

/// Why moves cannot be ranked: [`moves_to_rank`] and [`rank_stats`] say it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum RankError {
    /// The game is over.
    GameOver,
    /// The source is neither a position nor a view of the seat to move.
    NoMoves,
    /// There are more or fewer statistics than moves.
    Count {
        /// Legal moves.
        moves: usize,
        /// Statistics given.
        got: usize,
    },
    /// Statistics are of games by other rules.
    OtherRules,
}

impl fmt::Display for RankError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RankError::GameOver => PlayError::GameOver.fmt(f),
            RankError::NoMoves => f.write_str("source must be a Position, or a View of the seat to move"),
            RankError::Count { moves, got } => {
                write!(f, "there are {moves} legal moves, but {} stats", if got > moves { "more" } else { "fewer" })
            }
            RankError::OtherRules => f.write_str("stats are of other rules than the source"),
        }
    }
}

impl std::error::Error for RankError {}

/// The moves that can be ranked: the legal ones of a position, or of a view of the seat to move, in ascending order of
/// action id.
///
/// # Errors
/// The game is over, or the source knows no legal move.
///
/// # Example
/// ```
/// # use savanna_core::{Rules, rank::{RankError, moves_to_rank}};
/// assert_eq!(moves_to_rank(&Rules::default().into()), Err(RankError::NoMoves)); // nothing is dealt yet
/// ```
pub fn moves_to_rank(source: &Source) -> Result<Vec<Move>, RankError> {
    if source.plies_left() == 0 {
        return Err(RankError::GameOver);
    }
    source.moves().map(|(moves, _)| moves.iter().collect()).ok_or(RankError::NoMoves)
}

/// Plays games after each legal move, all with the same random numbers, and ranks the moves as [`rank_stats`] does. Calls
/// `watch` as [`rollout_many`] does; when it says `Break`, the result is `None`.
///
/// # Errors
/// As [`moves_to_rank`].
///
/// # Panics
/// As [`rollout`](fn@crate::rollout).
///
/// # Example
/// ```
/// # use std::ops::ControlFlow;
/// # use savanna_core::{Options, Position, rank_moves};
/// // With its Monkey front up, team 1 ends the game by 14 to 11, and with it Lion up it loses by 10 to 12.
/// let position: Position = "2p 0Z0z1M0m/0m0m1Z0e/.0z0m1z/1Z1M1e1M/1g0g1G0G -/m -/- 9/9".parse()?;
/// let ranked = rank_moves(&position.into(), &Options::new(10), &mut |_| ControlFlow::Continue(()))?;
/// let moves: Vec<String> = ranked.expect("nobody stops it").iter().map(|it| it.mv.to_string()).collect();
/// assert_eq!(moves, ["monkey a3", "monkey lion a3"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rank_moves(
    source: &Source,
    options: &Options,
    watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<Vec<RankedMove>>, RankError> {
    let sources: Vec<Source> = moves_to_rank(source)?.into_iter().filter_map(|mv| source.after(mv)).collect();
    let tallies = rollout_many(&sources, options, watch);
    tallies.map(|tallies| rank_stats(source, tallies.into_iter().map(Stats::from).collect())).transpose()
}

/// Ranks moves by statistics of games after each, one for each of [`moves_to_rank`] in that order, which may be sums of
/// several calls: by the win share of the team to move, then by its [lead](Stats::lead). Equally good moves keep their
/// order.
///
/// # Errors
/// As [`moves_to_rank`]; there is another number of statistics, or they are of games by other rules.
pub fn rank_stats<S: AsRef<Stats>>(source: &Source, stats: Vec<S>) -> Result<Vec<RankedMove<S>>, RankError> {
    let moves = moves_to_rank(source)?;
    if moves.len() != stats.len() {
        return Err(RankError::Count { moves: moves.len(), got: stats.len() });
    }
    if stats.iter().any(|stats| stats.as_ref().tally.rules() != source.rules()) {
        return Err(RankError::OtherRules);
    }
    let (_, team) = source.moves().ok_or(RankError::NoMoves)?;
    let worth = |it: &RankedMove<S>| {
        let stats = it.stats.as_ref();
        (stats.win_share(team).value, stats.lead(team))
    };
    let mut ranked: Vec<_> = moves.into_iter().zip(stats).map(|(mv, stats)| RankedMove { mv, stats }).collect();
    ranked.sort_by(|a, b| worth(b).partial_cmp(&worth(a)).unwrap_or(Ordering::Equal));
    Ok(ranked)
}
