//! Games for agents that learn: what a seat sees as numbers, one game at a time and thousands of them.
//!
//! A [`Layout`] says what each number of an observation is. A [`Batch`] steps thousands of games by one call; an
//! [`Episode`] is one game whose seats may remember all that they have seen.

mod options;
mod layout;
mod facts;
mod observe;
mod episode;
mod game;
mod batch;
mod saved;

pub use batch::{Batch, BatchError};
pub use episode::Episode;
pub use game::Rows;
pub use layout::{Layout, LayoutError, Over, Section, turned_actions};
pub use observe::Number;
pub use options::{BatchOptions, Illegal, MAX_ENVS, Reset, Reward, WAIT};
pub use saved::SavedError;

/// The version of observations, rewards and random numbers of environments; it changes whenever any of them does. Keep
/// it with what was learnt from them; [`Batch::restore`] refuses batches of another.
pub const ENV_VERSION: u32 = 1;
