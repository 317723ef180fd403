//! How the moves of a playout are chosen.

use std::str::FromStr;

use crate::notation::UnknownName;

/// How the moves of a playout are chosen. `rollout/draws.rs` says which random bits decide what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Policy {
    /// Every legal move is equally likely.
    #[default]
    Uniform,
    /// On every ply, with probability 3/8 as in `Uniform`; otherwise every legal move with the greatest gain at once is
    /// equally likely, and no other is played. The gain is that of [`World::gain`](crate::world::World::gain): by how
    /// much the lines that the placement fills improve the margin of the team to move over the mean of the others.
    SoftGreedy,
}

impl Policy {
    /// All policies.
    pub const ALL: [Policy; 2] = [Policy::Uniform, Policy::SoftGreedy];

    /// The name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Policy::Uniform => "uniform",
            Policy::SoftGreedy => "soft-greedy",
        }
    }
}

impl FromStr for Policy {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Policy, UnknownName> {
        UnknownName::find("policy", &Policy::ALL, Policy::name, name)
    }
}
