//! The ways of playing games, and which of them this processor can run. The only `unsafe` is here, where a function that
//! needs certain instructions is called, and in `x86.rs`, which has those functions.
#![allow(unsafe_code)]

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use crate::notation::UnknownName;
use crate::rollout::draws::Stream;
use crate::rollout::lane_plan::LanePlan;
use crate::rollout::lanes::LaneTally;
use crate::rollout::parallel::Pulse;
use crate::rollout::plan::Plan;
use crate::rollout::policy::Policy;
use crate::rollout::source::Source;
use crate::rollout::swar::Swar;
#[cfg(target_arch = "x86_64")]
use crate::rollout::x86;

/// A way of playing games. All give the same games for a seed, so it matters for tests and for time alone.
///
/// ```
/// # use savanna_core::{Backend, Options, Rules, rollout};
/// let tally = |backend| rollout(&Rules::default().into(), &Options { backend, ..Options::new(500) });
/// assert!(Backend::available().iter().all(|&backend| tally(backend) == tally(Backend::Scalar)));
/// assert_eq!("scalar".parse(), Ok(Backend::Scalar));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Backend {
    /// 64 games side by side (x86-64 with AVX-512 F, BW).
    Avx512,
    /// 32 games side by side (x86-64 with AVX2).
    Avx2,
    /// 16 games side by side (any x86-64).
    Sse2,
    /// Eight games side by side in plain 64-bit integers (any processor).
    Portable,
    /// One game at a time (any processor): what all others must equal.
    Scalar,
}

impl Backend {
    /// All backends, best first.
    pub const ALL: [Backend; 5] = [Backend::Avx512, Backend::Avx2, Backend::Sse2, Backend::Portable, Backend::Scalar];

    /// The backends that this machine can run, best first; never empty.
    pub fn available() -> &'static [Backend] {
        static AVAILABLE: OnceLock<Vec<Backend>> = OnceLock::new();
        AVAILABLE.get_or_init(|| Backend::ALL.into_iter().filter(|backend| backend.runs_here()).collect())
    }

    /// The backend that works where none is named, in playouts, players and batches of games: the one that the
    /// environment variable `SAVANNA_BACKEND` asks for, else the best. The variable is read once.
    ///
    /// # Errors
    /// The variable names no backend that can run here.
    ///
    /// # Example
    /// ```
    /// # use savanna_core::{Backend, Options};
    /// assert_eq!(Backend::usual(), Ok(Options::new(1).backend)); // as long as the variable is right
    /// ```
    pub fn usual() -> Result<Backend, UnknownName> {
        const VARIABLE: &str = "SAVANNA_BACKEND";
        static USUAL: OnceLock<Result<Backend, UnknownName>> = OnceLock::new();
        let read = || match std::env::var_os(VARIABLE) {
            Some(name) if !name.is_empty() => Backend::find(VARIABLE, &name.to_string_lossy()),
            _ => Ok(Backend::best()),
        };
        USUAL.get_or_init(read).clone()
    }

    /// The best backend that this machine can run.
    fn best() -> Backend {
        Backend::available()[0]
    }

    /// The usual backend, or the best if the usual one cannot run here.
    pub(super) fn usual_or_best() -> Backend {
        Backend::usual().unwrap_or(Backend::best())
    }

    /// The backend of that name that this machine can run; `what` says in an error where the name stands.
    fn find(what: &'static str, name: &str) -> Result<Backend, UnknownName> {
        UnknownName::find(what, Backend::available(), Backend::name, name)
    }

    /// The name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Avx512 => "avx512",
            Backend::Avx2 => "avx2",
            Backend::Sse2 => "sse2",
            Backend::Portable => "portable",
            Backend::Scalar => "scalar",
        }
    }

    #[cfg(target_arch = "x86_64")]
    fn runs_here(self) -> bool {
        let counts_bits =
            is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("lzcnt");
        match self {
            Backend::Avx512 => {
                counts_bits && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
            }
            Backend::Avx2 => counts_bits && is_x86_feature_detected!("avx2"),
            Backend::Sse2 | Backend::Portable | Backend::Scalar => true,
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn runs_here(self) -> bool {
        matches!(self, Backend::Portable | Backend::Scalar)
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Backend {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Backend, UnknownName> {
        Backend::find("backend", name)
    }
}

/// Plays the games of batches and counts them.
pub(super) struct Player {
    backend: Backend,
    lanes: LanePlan,
}

impl Player {
    /// A player for a backend; one that cannot run here is replaced by the best that can.
    pub(super) fn new(source: &Source, policy: Policy, backend: Backend) -> Player {
        let backend = if backend.runs_here() { backend } else { Backend::best() };
        let lanes = LanePlan::new(Plan::new(source, policy));
        let in_lanes = policy == Policy::Uniform || lanes.soft.is_some();
        Player { backend: if in_lanes { backend } else { Backend::Scalar }, lanes }
    }

    /// Plays this many games of a stream, or fewer if the pulse says so. Lanes are so fast that they do not ask.
    pub(super) fn play(&self, seed: u64, stream: u64, games: u64, count: &mut LaneTally, pulse: &mut Pulse<'_>) {
        let plan = &self.lanes.plan;
        if self.backend == Backend::Scalar {
            return plan.play(seed, stream, games, pulse, |playout| count.add(playout));
        }
        let stream = &Stream::new(seed, stream);
        match (plan.known.rules().teams(), self.lanes.plain) {
            (2, true) => self.play_lanes::<2, true>(stream, games, count),
            (3, true) => self.play_lanes::<3, true>(stream, games, count),
            (4, true) => self.play_lanes::<4, true>(stream, games, count),
            (2, false) => self.play_lanes::<2, false>(stream, games, count),
            (3, false) => self.play_lanes::<3, false>(stream, games, count),
            _ => self.play_lanes::<4, false>(stream, games, count),
        }
    }

    /// Plays side by side. Each kind of games has functions of its own: without optimisation, whatever is inlined into a
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

/// Work that the compiler can do with vectors of any width. `run` and what it calls have to be inlined always.
pub(crate) trait WideWork {
    fn run(self);
}

/// Does the work by the instructions of the AVX2 backend if this or a better one is usual here. What comes out does not
/// depend on it.
pub(crate) fn on_wide_vectors(work: impl WideWork) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,popcnt,bmi1,lzcnt")]
        fn by_avx2(work: impl WideWork) {
            work.run();
        }
        static WIDE: OnceLock<bool> = OnceLock::new();
        let usual = || matches!(Backend::usual_or_best(), Backend::Avx512 | Backend::Avx2);
        if *WIDE.get_or_init(|| usual() && Backend::Avx2.runs_here()) {
            // SAFETY: the processor has these instructions.
            return unsafe { by_avx2(work) };
        }
    }
    work.run();
}
