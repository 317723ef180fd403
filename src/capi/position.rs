//! `SavannaPosition`.

use std::ffi::c_char;

use super::border::{Kind, enter, free, give, give_text, held, place, sized_place, text};
use super::lines::{SavannaLineScore, SavannaLineState, give_filled, give_lines};
use super::moves::{give_actions, read_action_of};
use super::rules::SavannaRules;
use super::state::SavannaState;
use super::status::{Failure, SavannaError, SavannaStatus};
use crate::position::Position;
use crate::rules::Rules;
use crate::tile::Seat;

/// A handle of everything there is to know about a game at one moment, hidden tiles included. It never changes: a move
/// makes another. Give players a view, never the position.
pub struct SavannaPosition(());

impl Kind for SavannaPosition {
    type Value = Position;
    const NAME: &'static str = "position";
    const MAGIC: u64 = 0x5341_5650_4F53_4954;
}

/// A seat that plays.
pub(super) fn read_seat(seat: i32, rules: &Rules) -> Result<Seat, Failure> {
    let found = usize::try_from(seat).ok().and_then(|index| rules.seats().nth(index));
    let wrong = || format!("seat must be 0 to {}, got {seat}", rules.players() - 1);
    found.ok_or_else(|| Failure::out_of_range(wrong()))
}

/// Starts a game; the seed decides how the decks are shuffled.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_position_deal(
    rules: *const SavannaRules,
    seed: u64,
    position: *mut *mut SavannaPosition,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = place(position, "position")?;
        give(place, Position::deal(held(&rules)?, seed));
        Ok(())
    })
}

/// Reads the text of a position. Fails with BAD_TEXT if it is malformed or no game can come to this.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_position_parse(
    position_text: *const c_char,
    length: usize,
    position: *mut *mut SavannaPosition,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = place(position, "position")?;
        give(place, text(position_text, length, "position text")?.parse()?);
        Ok(())
    })
}

/// Writes the text of a position, which reads back, such as "2p ..../0z1M../..../..../.... mz/mz mzemmgg/mzzegmg 0/0":
/// the text of the rules; the spaces, rank by rank; each seat's hand in ascending order; each seat's deck, what is drawn
/// next first; each team's score. A tile is the letter of its animal: m for monkey, z zebra, g giraffe, e elephant, u
/// mouse. On the board, its seat stands before it, the letter is a capital if it lies Lion face up, and a dot is an empty
/// space. A hand or deck without tiles is "-".
#[unsafe(no_mangle)]
pub extern "C" fn savanna_position_text(
    position: *const SavannaPosition,
    buffer: *mut c_char,
    capacity: usize,
    count: *mut usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || give_text(&held(&position)?.to_string(), (buffer, capacity), count))
}

/// Gives a new handle of the rules of the game.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_position_rules(
    position: *const SavannaPosition,
    rules: *mut *mut SavannaRules,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = place(rules, "rules")?;
        give(place, *held(&position)?.rules());
        Ok(())
    })
}

/// Writes whose turn it is, the board, all hands, the scores, and who has won.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_position_state(
    position: *const SavannaPosition,
    state: *mut SavannaState,
    size: usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = sized_place(state, size, "state")?;
        place.put(SavannaState::of_position(held(&position)?));
        Ok(())
    })
}

/// Writes the action ids of the legal moves in ascending order; none when the game is over. There are at most
/// SAVANNA_MAX_MOVES.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_position_legal(
    position: *const SavannaPosition,
    actions: *mut u8,
    capacity: usize,
    count: *mut usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || give_actions(held(&position)?.legal_moves(), actions, capacity, count))
}

/// Writes the SAVANNA_LINES lines as they stand, in their order. `size` is that of one struct, `capacity` how many there
/// is room for.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_position_lines(
    position: *const SavannaPosition,
    lines: *mut SavannaLineState,
    capacity: usize,
    size: usize,
    count: *mut usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || give_lines(&held(&position)?.lines(), (lines, capacity, size), count))
}

/// Writes the lines that a move would fill, in their order, and what each would give. `size` is that of one struct,
/// `capacity` how many there is room for; there are at most SAVANNA_MAX_FILLED. Fails as `savanna_position_play` does.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_position_preview(
    position: *const SavannaPosition,
    action: i32,
    lines: *mut SavannaLineScore,
    capacity: usize,
    size: usize,
    count: *mut usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let position = held(&position)?;
        let filled = position.preview(read_action_of(position.is_over(), action)?)?;
        give_filled(&filled, (lines, capacity, size), count)
    })
}

/// Gives a new handle of the position after a move; the old one stays as it is, and is still to be freed. Fails with
/// ILLEGAL_MOVE, GAME_OVER or, for a number that is not an action id, OUT_OF_RANGE.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_position_play(
    position: *const SavannaPosition,
    action: i32,
    next: *mut *mut SavannaPosition,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = place(next, "next")?;
        let position = held(&position)?;
        give(place, position.play(read_action_of(position.is_over(), action)?)?);
        Ok(())
    })
}

/// Frees the handle in a variable, which becomes NULL.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_position_free(
    position: *mut *mut SavannaPosition,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || free(position))
}
