//! How the moves of a playout are chosen.

use std::fmt;
use std::str::FromStr;

use crate::notation::UnknownName;

/// How the moves of a playout are chosen. [`draws.rs`](../../src/savanna_core/rollout/draws.rs.html) says which random bits
/// decide what.
///
/// ```
/// # use savanna_core::{Options, Policy, Position, Team, rollout};
/// // Seat 1 can gain at once by no move but this: a Zebra on e5 makes its row exactly 10.
/// let position: Position = "2p 0z1m0m./..../..../..../.... mz/mz mmzgge/mmzzgge 0/0".parse()?;
/// let lead = |policy| {
///     let stats = rollout(&position.into(), &Options { policy, ..Options::new(2000) });
///     stats.wins(Team::ALL[1])[0]
/// };
/// assert!(lead("uniform".parse()?) < lead(Policy::SoftGreedy));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[non_exhaustive]
pub enum Policy {
    /// Every legal move is equally likely.
    #[default]
    Uniform,
    /// Epsilon-greedy with epsilon 3/8: plays a random move with probability 3/8, else one with the greatest immediate
    /// gain; moves that gain the same are equally likely. The gain is that of
    /// [`World::gain`](crate::world::World::gain): by how much the lines that the placement fills improve the margin of
    /// the team to move over the mean of the others.
    SoftGreedy,
    /// Epsilon-greedy with epsilon 1/8.
    KeenGreedy,
}

impl Policy {
    /// All policies.
    pub const ALL: [Policy; 3] = [Policy::Uniform, Policy::SoftGreedy, Policy::KeenGreedy];

    /// The name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Policy::Uniform => "uniform",
            Policy::SoftGreedy => "soft-greedy",
            Policy::KeenGreedy => "keen-greedy",
        }
    }

    /// How often in eight a ply is free, so that any move may be played.
    pub(super) fn free_of_eight(self) -> u8 {
        match self {
            Policy::Uniform => 8,
            Policy::SoftGreedy => 3,
            Policy::KeenGreedy => 1,
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Policy {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Policy, UnknownName> {
        UnknownName::find("policy", &Policy::ALL, Policy::name, name)
    }
}
