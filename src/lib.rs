//! The engine of the tile game Savanna Ten: exact rules, hidden information kept hidden, and very many playouts.
//!
//! The modules stand in the order in which data flows, and each uses only those above it: the [`board`] and its
//! [`tile`]s; the [`rules`] that options make; random numbers ([`rng`]); how a line scores ([`score`]); a
//! [`position`], the [`moves`] it allows, and how one is [`play`]ed; text that reads back ([`notation`]); what one
//! seat knows ([`view`]); a [`world`] that is cheap to play on in; playouts ([`mod@rollout`]) and what they come to
//! ([`stats`]); players and [`search`]; games for agents that learn ([`envs`]).
//!
//! ```
//! use savanna_core::{Position, Rules};
//!
//! let mut position = Position::deal(&Rules::default(), 7);
//! while let Some(mv) = position.legal_moves().iter().next() {
//!     position = position.play(mv)?;
//! }
//! assert!(!position.winners().is_empty());
//! # Ok::<(), savanna_core::PlayError>(())
//! ```

pub mod board;
pub mod tile;
pub mod rules;
pub mod rng;
pub mod score;
pub mod position;
pub mod moves;
pub mod play;
pub mod notation;
pub mod view;
pub mod world;
pub mod rollout;
pub mod stats;
pub mod search;
pub mod envs;
#[cfg(feature = "capi")]
#[expect(unreachable_pub, reason = "public to C, not to Rust")]
mod capi;
#[cfg(feature = "python")]
mod python;

pub use board::{Line, LineSet, Space, SpaceSet};
pub use moves::{ACTIONS, LegalMoves, Move};
pub use notation::{NotationError, Seen, UnknownName};
pub use play::{LineScore, PlayError};
pub use position::{DeckError, Position, StateError};
pub use rng::{Purpose, Xoshiro256PlusPlus};
pub use rollout::{Backend, Options, Playout, Policy, Source, Tally, rollout};
pub use rules::{RULES_VERSION, Rules, RulesError, RulesOptions};
pub use score::Outcome;
pub use search::endgame::{Objective, Solution, SolveError, Solver, Worth, solve};
pub use search::{Analysis, Analyst, Budget, Effort, MoveAnalysis, Player, SearchError};
pub use stats::{Mean, Stats};
pub use tile::{Animal, BySeat, ByTeam, Deck, Face, Hand, Placed, Seat, Team, TeamSet, TileCounts};
pub use view::View;
pub use world::{Setting, World};
