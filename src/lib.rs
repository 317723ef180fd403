//! The engine of the tile game Savanna Ten: exact rules, hidden information kept hidden, and very many playouts.
//!
//! # The game
//!
//! Two to four players fill a [`board`] of 20 spaces, which 20 lines of three or four cross. Each shuffles tiles of one
//! colour into a deck and holds two of them. In turn one places a tile for good, with its animal up (influence 2 to 5)
//! or with the Lion on its back (6), under which nobody else knows the animal, and draws the next. A line that has
//! become full scores at once. If its influence adds up to less than ten, the player with the most in it gets 2 points;
//! if to more, the player with the least of those who have a tile in it gets 1; and at exactly ten, the player who
//! placed the last tile gets 3. When the board is full, most points win, and fewer Lions break ties. [`RulesOptions`]
//! has the variants, and every number.
//!
//! # First steps
//!
//! A [`Position`] is the whole truth about a game, a small value; playing makes the next one. Everything has a text that
//! reads back:
//!
//! ```
//! use savanna_core::{Position, Rules};
//!
//! let mut position = Position::deal(&Rules::default(), 7); // for two, shuffled by seed 7
//! position = position.play("monkey lion c4".parse()?)?; // a Monkey with its Lion up
//! while let Some(mv) = position.legal_moves().iter().next() {
//!     position = position.play(mv)?;
//! }
//! assert!(position.is_over() && !position.winners().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Random games to the end, millions a second and counted exactly: from [`Rules`], where each is a new deal, from a
//! position, or from a view:
//!
//! ```
//! use savanna_core::{Options, Rules, Stats, Team, rollout};
//!
//! let rules: Rules = "3p,mice".parse()?;
//! let options = Options { seed: 1, ..Options::new(10_000) };
//! let tally = rollout(&rules.into(), &options); // whole numbers, and those of other calls can be added
//! let stats = Stats::from(tally);
//! let share = stats.win_share(Team::ALL[2]); // who gets 2 points for being last
//! assert!(share.value > 0.4 && share.stderr < 0.005);
//! # Ok::<(), savanna_core::NotationError>(())
//! ```
//!
//! Players are given a [`View`]: all that one seat knows, and nothing that reveals more.
//!
//! ```
//! use savanna_core::search::Champion;
//! use savanna_core::{Analyst, Effort, View};
//!
//! // Seat 1 sees a Lion on c4, but neither what is beneath nor any deck.
//! let text = "seat=1 2p ..../..0?./..../..../.... ??/mz ???????/???????? 0/0";
//! let view: View = text.parse()?;
//! let analysis = Champion(Effort::iterations(500)).analyse(&view)?;
//! assert!(view.legal_moves().contains(analysis.best()));
//! println!("{analysis}"); // the best moves, how often they win, and by how much
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The map
//!
//! The modules stand in the order in which data flows, and each uses only those above it: the [`board`] and its
//! [`tile`]s; the [`rules`] that options make; random numbers ([`rng`]); how a line scores ([`score`]); a [`position`],
//! its [`lines`] as they stand, the [`moves`] it allows, and how one is [`play`]ed; text that reads back
//! ([`notation`]); what one seat knows ([`view`]); a [`world`] that is cheap to play on in; playouts ([`mod@rollout`]),
//! what they come to ([`stats`]), and moves ranked by it ([`rank`]); players, [`search`], and positions solved exactly
//! ([`search::endgame`]); games for agents that learn ([`envs`]).
//!
//! # What to know before you depend on it
//!
//! - **Features.** None is on by default, and without any the crate depends on no other. `python` makes the extension
//!   module of the Python package and pulls in `pyo3`, `numpy` (arrays without copying) and `getrandom` (seeds for those
//!   who give none). `capi` exports the functions of `include/savanna.h` to C, and pulls in nothing. Neither adds anything
//!   to what is documented here.
//! - **Debug builds** play out 200 times more slowly, unless your `Cargo.toml` has this crate optimised in them, too: by
//!   `opt-level = 3` under `[profile.dev.package.savanna-core]`.
//! - **Rust** 1.89 or later; on any processor, with AVX-512, AVX2 or SSE2 where it has them ([`Backend`]).
//! - **The same numbers everywhere.** A seed decides a deal, a sample, each game of a rollout and a choice, to the last
//!   bit, on every platform and with any backend and number of threads; only a budget of time ([`Budget::Time`]) asks the
//!   clock. What changes results is said in the change log under a heading of its own, and never comes in a patch release.
//! - **`unsafe`** stands in `backend.rs`, `rollout/runner.rs` and `rollout/x86`, for vector instructions, and with
//!   `capi` in
//!   the files that meet C. A lint denies it everywhere else.
//! - **Panics** are for what the caller could have known, and are documented. Everything that comes from outside, such
//!   as text,
//!   options, decks and moves, is checked and gives an error that says what is wrong and where.

pub mod board;
pub mod tile;
pub mod rules;
pub mod rng;
pub mod score;
pub mod position;
pub mod lines;
pub mod moves;
pub mod play;
pub mod notation;
pub mod view;
pub mod world;
mod parallel;
mod backend;
pub mod rollout;
pub mod stats;
pub mod rank;
pub mod search;
pub mod envs;
#[cfg(feature = "capi")]
#[expect(unreachable_pub, reason = "public to C, not to Rust")]
mod capi;
#[cfg(feature = "python")]
mod python;

pub use backend::Backend;
pub use board::{Line, LineSet, Space, SpaceSet};
pub use lines::LineState;
pub use moves::{ACTIONS, LegalMoves, Move};
pub use notation::{NotationError, Seen, UnknownName};
pub use play::{LineScore, PlayError};
pub use position::{DeckError, Position, StateError};
pub use rank::{RankedMove, rank_moves};
pub use rng::{Purpose, Xoshiro256PlusPlus};
pub use rollout::{Options, OptionsError, Playout, Policy, Source, Tally, rollout};
pub use rules::{RULES_VERSION, Rules, RulesError, RulesOptions};
pub use score::Outcome;
pub use search::endgame::{Objective, Solution, SolveError, Solver, Worth, solve};
pub use search::{Analysis, Analyst, Budget, Effort, MoveAnalysis, Player, SearchError};
pub use stats::{Mean, Stats};
pub use tile::{Animal, BySeat, ByTeam, Deck, Face, Hand, Placed, Seat, Team, TeamSet, TileCounts};
pub use view::View;
pub use world::{Setting, World};
