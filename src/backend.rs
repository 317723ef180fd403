//! The instructions that this processor has, and work that the compiler does with them. `unsafe` stands here, where a
//! function that needs certain instructions is called, in `rollout/runner.rs` for the same reason, and in `rollout/x86`,
//! which has such functions.
#![allow(unsafe_code)]

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use crate::notation::UnknownName;

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
    pub(crate) fn best() -> Backend {
        Backend::available()[0]
    }

    /// The usual backend, or the best if the usual one cannot run here.
    pub(crate) fn usual_or_best() -> Backend {
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
    pub(crate) fn runs_here(self) -> bool {
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
    pub(crate) fn runs_here(self) -> bool {
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
