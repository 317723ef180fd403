//! How a call went, and what is said about it.

use std::ffi::{CStr, c_char};
use std::fmt::Display;

use crate::notation::{NotationError, UnknownName};
use crate::play::PlayError;
use crate::rank::RankError;
use crate::rollout::OptionsError;
use crate::rules::RulesError;
use crate::search::SearchError;

/// The bytes of a message, the NUL at its end included.
pub const SAVANNA_MESSAGE_SIZE: usize = 252;

/// How a call went. New kinds of failure get new numbers; those that exist keep theirs.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SavannaStatus {
    /// It did what was asked.
    Ok = 0,
    /// A pointer is NULL that must not be.
    NullPointer = 1,
    /// A pointer is not aligned for what it should point to.
    MisalignedPointer = 2,
    /// A handle is not of this kind, or has been freed.
    BadHandle = 3,
    /// A size is not that of the struct: the program was compiled for another version.
    BadSize = 4,
    /// A buffer is too small; the size that is needed has been given.
    TooSmall = 5,
    /// A text is not what it should be.
    BadText = 6,
    /// Options are out of range or contradict each other.
    BadRules = 7,
    /// A number is out of range.
    OutOfRange = 8,
    /// A move is not legal.
    IllegalMove = 9,
    /// The game is over.
    GameOver = 10,
    /// The view is public, or that of a seat that is not to move.
    NotToMove = 11,
    /// A fault of the engine, which was stopped at the border. Please report it.
    Internal = 12,
    /// The watcher has stopped the call.
    Stopped = 13,
}

impl SavannaStatus {
    pub(super) const ALL: [SavannaStatus; 14] = [
        SavannaStatus::Ok,
        SavannaStatus::NullPointer,
        SavannaStatus::MisalignedPointer,
        SavannaStatus::BadHandle,
        SavannaStatus::BadSize,
        SavannaStatus::TooSmall,
        SavannaStatus::BadText,
        SavannaStatus::BadRules,
        SavannaStatus::OutOfRange,
        SavannaStatus::IllegalMove,
        SavannaStatus::GameOver,
        SavannaStatus::NotToMove,
        SavannaStatus::Internal,
        SavannaStatus::Stopped,
    ];

    pub(super) fn words(self) -> &'static CStr {
        match self {
            SavannaStatus::Ok => c"ok",
            SavannaStatus::NullPointer => c"null pointer",
            SavannaStatus::MisalignedPointer => c"misaligned pointer",
            SavannaStatus::BadHandle => c"bad handle",
            SavannaStatus::BadSize => c"bad size",
            SavannaStatus::TooSmall => c"too small",
            SavannaStatus::BadText => c"bad text",
            SavannaStatus::BadRules => c"bad rules",
            SavannaStatus::OutOfRange => c"out of range",
            SavannaStatus::IllegalMove => c"illegal move",
            SavannaStatus::GameOver => c"game over",
            SavannaStatus::NotToMove => c"not to move",
            SavannaStatus::Internal => c"internal fault",
            SavannaStatus::Stopped => c"stopped",
        }
    }
}

/// What a call says about its failure: what is wrong, where, and with which value. A call that succeeds leaves `OK`
/// and an empty message. This struct never changes.
#[repr(C)]
pub struct SavannaError {
    /// What the call also returns.
    pub status: SavannaStatus,
    /// One line of UTF-8 with a NUL at its end, cut if it is long.
    pub message: [c_char; SAVANNA_MESSAGE_SIZE],
}

/// A few words for a status, with static lifetime; never NULL, also for a number that is not a status.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_status_text(status: i32) -> *const c_char {
    let known = SavannaStatus::ALL.into_iter().find(|known| *known as i32 == status);
    known.map_or(c"unknown status", SavannaStatus::words).as_ptr()
}

/// Why a call fails.
pub(super) struct Failure {
    pub(super) status: SavannaStatus,
    pub(super) message: String,
}

impl Failure {
    pub(super) fn new(status: SavannaStatus, message: impl Display) -> Failure {
        Failure { status, message: message.to_string() }
    }

    /// A number, or what stands for a choice, is none of those that there are.
    pub(super) fn out_of_range(message: impl Display) -> Failure {
        Failure::new(SavannaStatus::OutOfRange, message)
    }
}

impl From<RulesError> for Failure {
    fn from(error: RulesError) -> Failure {
        Failure::new(SavannaStatus::BadRules, error)
    }
}

impl From<NotationError> for Failure {
    fn from(error: NotationError) -> Failure {
        Failure::new(SavannaStatus::BadText, error)
    }
}

impl From<UnknownName> for Failure {
    fn from(error: UnknownName) -> Failure {
        Failure::out_of_range(error)
    }
}

impl From<OptionsError> for Failure {
    fn from(error: OptionsError) -> Failure {
        Failure::out_of_range(error)
    }
}

impl From<PlayError> for Failure {
    fn from(error: PlayError) -> Failure {
        let status = match error {
            PlayError::GameOver => SavannaStatus::GameOver,
            PlayError::NotToMove { .. } => SavannaStatus::NotToMove,
            PlayError::Taken(_) | PlayError::NotInHand { .. } => SavannaStatus::IllegalMove,
        };
        Failure::new(status, error)
    }
}

impl From<RankError> for Failure {
    fn from(error: RankError) -> Failure {
        let over = error == RankError::GameOver;
        Failure::new(if over { SavannaStatus::GameOver } else { SavannaStatus::NotToMove }, error)
    }
}

impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Failure {
        let status = match error {
            SearchError::GameOver => SavannaStatus::GameOver,
            SearchError::NotToMove { .. } => SavannaStatus::NotToMove,
            SearchError::Stopped => SavannaStatus::Stopped,
        };
        Failure::new(status, error)
    }
}
