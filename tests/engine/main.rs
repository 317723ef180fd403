//! Tests of the engine as a Rust user sees it, without Python.

mod common;
mod golden;
mod layout;
mod perft;
mod rollout;
mod search;
mod tree;
mod solve;
mod walk;
