//! Plays the games of a batch by a backend. The function that needs its instructions is called here, which is `unsafe`.
#![allow(unsafe_code)]

use crate::backend::Backend;
use crate::parallel::Pulse;
use crate::rollout::draws::Stream;
use crate::rollout::lane_plan::LanePlan;
use crate::rollout::lanes::Lanes;
use crate::rollout::plan::Plan;
use crate::rollout::policy::Policy;
use crate::rollout::soft_plan::SoftPlan;
use crate::rollout::source::Source;
use crate::rollout::swar::Swar;
use crate::rollout::tally::LaneTally;
#[cfg(target_arch = "x86_64")]
use crate::rollout::x86;

/// Plays the games of batches and counts them.
pub(super) struct Runner {
    backend: Backend,
    lanes: Lanes,
}

impl Runner {
    /// A runner for a backend; one that cannot run here is replaced by the best that can.
    pub(super) fn new(source: &Source, policy: Policy, backend: Backend) -> Runner {
        let backend = if backend.runs_here() { backend } else { Backend::best() };
        let plan = LanePlan::new(Plan::new(source, policy));
        let soft = if policy == Policy::Uniform { None } else { SoftPlan::new(&plan) };
        let in_lanes = policy == Policy::Uniform || soft.is_some();
        Runner { backend: if in_lanes { backend } else { Backend::Scalar }, lanes: Lanes { plan, soft } }
    }

    /// Plays this many games of a stream, or fewer if the pulse says so. Lanes are so fast that they do not ask.
    pub(super) fn play(&self, seed: u64, stream: u64, games: u64, count: &mut LaneTally, pulse: &mut Pulse<'_>) {
        let plan = &self.lanes.plan.plan;
        if self.backend == Backend::Scalar {
            return plan.play(seed, stream, games, pulse, |playout| count.add(playout));
        }
        let stream = &Stream::new(seed, stream);
        match (plan.known.rules().teams(), self.lanes.plan.plain) {
            (2, true) => self.play_lanes::<2, true>(stream, games, count),
            (3, true) => self.play_lanes::<3, true>(stream, games, count),
            (4, true) => self.play_lanes::<4, true>(stream, games, count),
            (2, false) => self.play_lanes::<2, false>(stream, games, count),
            (3, false) => self.play_lanes::<3, false>(stream, games, count),
            _ => self.play_lanes::<4, false>(stream, games, count),
        }
    }

    /// Plays side by side. Each kind of games has functions of its own: without optimisation, everything inlined into a
    /// function has a place of its own on the stack, and all kinds together would need more of it than a thread has.
    fn play_lanes<const TEAMS: usize, const PLAIN: bool>(&self, stream: &Stream, games: u64, count: &mut LaneTally) {
        let lanes = &self.lanes;
        match self.backend {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `new` has made sure that the processor has the instructions of the backend.
            Backend::Sse2 | Backend::Avx2 | Backend::Avx512 => unsafe {
                match self.backend {
                    Backend::Avx512 => x86::play_avx512::<TEAMS, PLAIN>(lanes, stream, games, count),
                    Backend::Avx2 => x86::play_avx2::<TEAMS, PLAIN>(lanes, stream, games, count),
                    _ => x86::play_sse2::<TEAMS, PLAIN>(lanes, stream, games, count),
                }
            },
            _ => lanes.play::<Swar, TEAMS, PLAIN>(stream, games, count),
        }
    }
}
