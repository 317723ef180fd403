//! The lines as they stand, and what a move makes of them.

use super::border::give_structs;
use super::state::SAVANNA_MAX_SEATS;
use super::status::Failure;
use crate::board::{LINES, Line, SPACES, Space};
use crate::lines::LineState;
use crate::play::LineScore;
use crate::tile::Team;

/// How many lines there are. They are numbered from 0 on: the rows from the top, the columns from the left, the falling
/// diagonals and the rising ones, five of each.
pub const SAVANNA_LINES: usize = 20;

/// The most spaces in a line; some have one less.
pub const SAVANNA_LINE_SPACES: usize = 4;

/// The most lines that a move can fill.
pub const SAVANNA_MAX_FILLED: usize = 4;

const _: () = assert!(SAVANNA_LINES == LINES);
const _: () = {
    let mut i = 0;
    while i < LINES {
        assert!(Line::ALL[i].spaces().len() <= SAVANNA_LINE_SPACES);
        i += 1;
    }
    let mut i = 0;
    while i < SPACES {
        assert!(Space::ALL[i].lines().len() <= SAVANNA_MAX_FILLED);
        i += 1;
    }
};

/// A line as it stands. It depends on board and scores alone, so it is the same in a position and in every view of it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SavannaLineState {
    /// Its spaces in ascending order, numbered as in SAVANNA_SPACES; -1 beyond the last one.
    pub spaces: [i32; SAVANNA_LINE_SPACES],
    /// How many of its tiles are of each team.
    pub tiles: [i32; SAVANNA_MAX_SEATS],
    /// The influence of each team.
    pub influence: [i32; SAVANNA_MAX_SEATS],
    /// The influence of all teams.
    pub total: i32,
    /// How many of its spaces are empty; the line is full if this is 0.
    pub empty: i32,
    /// The points of each team; 0 until the line is full, and while its points are `unclaimed`.
    pub points: [i32; SAVANNA_MAX_SEATS],
    /// The team that gets the points of a full line: below and above the target, the only team with points; exactly at the
    /// target, the team that filled the line, if all ways in which the scores can have come about agree on it. Else -1.
    pub scorer: i32,
    /// What a line exactly at the target gave if its scorer is not known, without points for Mice; else 0.
    pub unclaimed: i32,
}

/// A line that a move fills, and what it gives; the last seat's bonus is not in it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SavannaLineScore {
    /// Which line, as numbered at SAVANNA_LINES.
    pub line: i32,
    /// Its total influence.
    pub total: i32,
    /// The points of each team.
    pub points: [i32; SAVANNA_MAX_SEATS],
}

impl From<&LineState> for SavannaLineState {
    fn from(it: &LineState) -> SavannaLineState {
        let mut spaces = [-1; SAVANNA_LINE_SPACES];
        for (number, space) in spaces.iter_mut().zip(it.line.spaces()) {
            *number = space.index() as i32;
        }
        SavannaLineState {
            spaces,
            tiles: Team::ALL.map(|team| it.tally.tiles(team).into()),
            influence: Team::ALL.map(|team| it.tally.influence(team).into()),
            total: it.tally.total().into(),
            empty: it.empty as i32,
            points: it.points.unwrap_or_default().0.map(i32::from),
            scorer: it.scorer.map_or(-1, |team| team.index() as i32),
            unclaimed: it.unclaimed.into(),
        }
    }
}

impl From<&LineScore> for SavannaLineScore {
    fn from(it: &LineScore) -> SavannaLineScore {
        SavannaLineScore {
            line: it.line.index() as i32,
            total: it.score.total.into(),
            points: it.score.points.0.map(i32::from),
        }
    }
}

/// Writes the lines as they stand, in their order.
pub(super) fn give_lines(
    lines: &[LineState],
    (buffer, capacity, size): (*mut SavannaLineState, usize, usize),
    count: *mut usize,
) -> Result<(), Failure> {
    let lines: Vec<SavannaLineState> = lines.iter().map(SavannaLineState::from).collect();
    give_structs(&lines, (buffer, capacity, size, "lines"), count)
}

/// Writes the lines that a move fills.
pub(super) fn give_filled(
    lines: &[LineScore],
    (buffer, capacity, size): (*mut SavannaLineScore, usize, usize),
    count: *mut usize,
) -> Result<(), Failure> {
    let lines: Vec<SavannaLineScore> = lines.iter().map(SavannaLineScore::from).collect();
    give_structs(&lines, (buffer, capacity, size, "lines"), count)
}
