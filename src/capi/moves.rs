//! Moves, which C knows by their action ids.

use std::ffi::c_char;

use super::border::{enter, give_list, give_text, place, text};
use super::status::{Failure, SavannaError, SavannaStatus};
use crate::board::SPACES;
use crate::moves::{ACTIONS, LegalMoves, Move};
use crate::play::PlayError;
use crate::tile::{Face, Hand};

/// How many action ids there are: 0 to 199. An id is (animal * 2 + face) * 20 + space; the animals are monkey, zebra,
/// giraffe, elephant, mouse, the faces front, lion, all from 0 on, and the spaces are those of SAVANNA_SPACES.
pub const SAVANNA_ACTIONS: usize = 200;

/// The most legal moves that there can be.
pub const SAVANNA_MAX_MOVES: usize = 80;

const _: () = assert!(SAVANNA_ACTIONS == ACTIONS && ACTIONS <= 1 << u8::BITS);
const _: () = assert!(SAVANNA_MAX_MOVES == Hand::SIZE * Face::ALL.len() * SPACES);

/// The move of an action id.
pub(super) fn read_action(action: i32) -> Result<Move, Failure> {
    let mv = usize::try_from(action).ok().and_then(Move::from_action);
    let wrong = || format!("action must be 0 to {}, got {action}", ACTIONS - 1);
    mv.ok_or_else(|| Failure::out_of_range(wrong()))
}

/// The move of an action id in a game that may be over, which is said before anything that may be wrong with the move.
pub(super) fn read_action_of(is_over: bool, action: i32) -> Result<Move, Failure> {
    if is_over { Err(PlayError::GameOver.into()) } else { read_action(action) }
}

/// Writes the action ids of legal moves, in ascending order.
pub(super) fn give_actions(
    moves: LegalMoves,
    actions: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> Result<(), Failure> {
    let ids: Vec<u8> = moves.iter().map(|mv| mv.action() as u8).collect();
    give_list(&ids, (actions, capacity, "actions"), count)
}

/// Writes the text of a move, such as "zebra c4" or, with the Lion up, "zebra lion c4".
#[unsafe(no_mangle)]
pub extern "C" fn savanna_move_text(
    action: i32,
    buffer: *mut c_char,
    capacity: usize,
    count: *mut usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || give_text(&read_action(action)?.to_string(), (buffer, capacity), count))
}

/// Reads the text of a move.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_move_parse(
    move_text: *const c_char,
    length: usize,
    action: *mut i32,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = place(action, "action")?;
        let mv: Move = text(move_text, length, "move text")?.parse()?;
        place.put(mv.action() as i32);
        Ok(())
    })
}
