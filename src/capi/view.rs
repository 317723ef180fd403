//! `SavannaView`.

use std::ffi::c_char;

use super::border::{Kind, enter, free, give, give_text, held, place, sized_place, text};
use super::lines::{SavannaLineScore, SavannaLineState, give_filled, give_lines};
use super::moves::{give_actions, read_action_of};
use super::position::{SavannaPosition, read_seat};
use super::rules::SavannaRules;
use super::state::SavannaState;
use super::status::{SavannaError, SavannaStatus};
use crate::view::View;

/// A handle of all that one seat knows: the board, its own hand and Lions, the sizes of hands and decks, the scores. A
/// public view has no seat: it knows what everybody sees, neither hands nor animals under Lions. Positions that look
/// the same have equal views. It never changes.
pub struct SavannaView(());

impl Kind for SavannaView {
    type Value = View;
    const NAME: &'static str = "view";
    const MAGIC: u64 = 0x5341_5656_4945_5753;
}

/// Gives a new handle of what a seat knows.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_position_view(
    position: *const SavannaPosition,
    seat: i32,
    view: *mut *mut SavannaView,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = place(view, "view")?;
        let position = held(&position)?;
        give(place, position.view(read_seat(seat, position.rules())?));
        Ok(())
    })
}

/// Gives a new handle of what everybody knows, those without a seat too: a public view, for spectators.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_position_public(
    position: *const SavannaPosition,
    view: *mut *mut SavannaView,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = place(view, "view")?;
        give(place, held(&position)?.public());
        Ok(())
    })
}

/// Reads the text of a view. Fails with BAD_TEXT if it is malformed or no position looks like this.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_view_parse(
    view_text: *const c_char,
    length: usize,
    view: *mut *mut SavannaView,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = place(view, "view")?;
        give(place, text(view_text, length, "view text")?.parse()?);
        Ok(())
    })
}

/// Writes the text of a view, which reads back: "seat=", the seat or, in a public view, "-", a blank, and the text of a
/// position in which a question mark stands for the letter of each tile that the seat does not know. In a literal, write it
/// as "\?": two of them before a slash are a trigraph, which C before C23 and C++ before C++17 read as a backslash.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_view_text(
    view: *const SavannaView,
    buffer: *mut c_char,
    capacity: usize,
    count: *mut usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || give_text(&held(&view)?.to_string(), (buffer, capacity), count))
}

/// Gives a new handle of the rules of the game.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_view_rules(
    view: *const SavannaView,
    rules: *mut *mut SavannaRules,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = place(rules, "rules")?;
        give(place, *held(&view)?.rules());
        Ok(())
    })
}

/// Writes whose view it is, whose turn, the board and the hand as this seat knows them, the scores, and who has won.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_view_state(
    view: *const SavannaView,
    state: *mut SavannaState,
    size: usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = sized_place(state, size, "state")?;
        place.put(SavannaState::of_view(held(&view)?));
        Ok(())
    })
}

/// Writes the action ids of this seat's legal moves in ascending order; none unless it is to move, so none in a public view.
/// There are at most SAVANNA_MAX_MOVES.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_view_legal(
    view: *const SavannaView,
    actions: *mut u8,
    capacity: usize,
    count: *mut usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || give_actions(held(&view)?.legal_moves(), actions, capacity, count))
}

/// Writes the SAVANNA_LINES lines as they stand, which are those of the position, in their order. `size` is that of one
/// struct, `capacity` how many there is room for.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_view_lines(
    view: *const SavannaView,
    lines: *mut SavannaLineState,
    capacity: usize,
    size: usize,
    count: *mut usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || give_lines(&held(&view)?.lines(), (lines, capacity, size), count))
}

/// Writes the lines that a move of this seat would fill, in their order, and what each would give. `size` is that of one
/// struct, `capacity` how many there is room for; there are at most SAVANNA_MAX_FILLED. Fails with ILLEGAL_MOVE,
/// GAME_OVER, NOT_TO_MOVE or, for a number that is not an action id, OUT_OF_RANGE.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_view_preview(
    view: *const SavannaView,
    action: i32,
    lines: *mut SavannaLineScore,
    capacity: usize,
    size: usize,
    count: *mut usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let view = held(&view)?;
        let filled = view.preview(read_action_of(view.is_over(), action)?)?;
        give_filled(&filled, (lines, capacity, size), count)
    })
}

/// Draws a position that is consistent with all that the seat knows; all ways in which the unseen tiles can lie are
/// equally likely, and the seed decides which it is.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_view_sample(
    view: *const SavannaView,
    seed: u64,
    position: *mut *mut SavannaPosition,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = place(position, "position")?;
        give(place, held(&view)?.sample(seed));
        Ok(())
    })
}

/// Frees the handle in a variable, which becomes NULL.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_view_free(view: *mut *mut SavannaView, error: *mut SavannaError) -> SavannaStatus {
    enter(error, || free(view))
}
