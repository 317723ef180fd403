//! The interface for C, by the feature `capi`: checks of arguments, and results copied out; nothing is computed.
//!
//! `include/savanna.h` is made from these files by `header.rs`, and what stands in its head is what C promises.
//! `border.rs` alone reads and writes what pointers hold. The other files declare the functions, in the order of the walk;
//! their only `unsafe` is the name under which a function is exported. The functions are safe to Rust because Rust cannot
//! call them: this module is private.

#![expect(unsafe_code, reason = "C has no other way in")]

mod status;
mod border;
mod version;
mod moves;
mod state;
mod lines;
mod rules;
mod position;
mod view;
mod rollout;
mod analysis;

#[cfg(test)]
mod header;
#[cfg(test)]
mod tests;
