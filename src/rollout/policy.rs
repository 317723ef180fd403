//! How the moves of a playout are chosen.

use std::fmt;
use std::str::FromStr;

/// How the moves of a playout are chosen. `rollout/draws.rs` says which random bits decide what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Policy {
    /// Every legal move is equally likely.
    #[default]
    Uniform,
    /// On every ply, with probability 3/8 as in `Uniform`; otherwise every legal move with the greatest gain at once is
    /// equally likely, and no other is played. The gain is that of [`World::gain`](crate::world::World::gain): by how much the
    /// lines that the placement fills improve the margin of the team to move over the mean of the others.
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

/// No policy has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPolicy(pub String);

impl fmt::Display for UnknownPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Policy::ALL.map(Policy::name).join(", ");
        write!(f, "policy must be one of {names}, got {}", crate::notation::quoted(&self.0))
    }
}

impl std::error::Error for UnknownPolicy {}

impl FromStr for Policy {
    type Err = UnknownPolicy;

    fn from_str(name: &str) -> Result<Policy, UnknownPolicy> {
        let found = Policy::ALL.into_iter().find(|policy| policy.name() == name);
        found.ok_or_else(|| UnknownPolicy(name.to_owned()))
    }
}
