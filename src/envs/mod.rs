//! Games for agents that learn: what a seat sees as numbers, one game at a time and thousands of them.
//!
//! The layout of an observation is said once, in `layout.rs`, and written by `observe.rs`: from a view, or move by move.

mod batch;
mod episode;
mod facts;
mod game;
mod layout;
mod observe;
mod options;
mod saved;

pub use batch::{Batch, BatchError, MAX_ENVS, Rows, WAIT};
pub use episode::Episode;
pub use layout::{Layout, LayoutError, Over, Section, turned_actions};
pub use observe::Number;
pub use options::{BatchOptions, Illegal, Reset, Reward};
pub use saved::SavedError;

/// The version of observations, rewards and random numbers of environments; it changes whenever any of them does.
pub const ENV_VERSION: u32 = 1;
