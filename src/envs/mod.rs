//! Games for agents that learn: what a seat sees as numbers, one game at a time and thousands of them.
//!
//! A [`Layout`] says what each number of an observation is. A [`Batch`] steps thousands of games by one call; an
//! [`Episode`] is one game whose seats may remember all that they have seen.

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

/// The version of observations, rewards and random numbers of environments; it changes whenever any of them does. Keep
/// it with what was learnt from them; [`Batch::restore`] refuses batches of another.
pub const ENV_VERSION: u32 = 1;
