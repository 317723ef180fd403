//! Tests of the engine as a Rust user sees it, without Python.

mod api;
mod common;
mod envs;
mod golden;
mod knowledge;
mod layout;
mod misuse;
mod perft;
mod rollout;
mod search;
mod solve;
mod tree;
mod value;
mod walk;
