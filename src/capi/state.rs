//! What anybody can see of a game: turn, scores and end.

use crate::position::Position;
use crate::rules::Rules;
use crate::tile::{ByTeam, MAX_SEATS, Seat, Team, TeamSet};
use crate::view::View;

/// The most seats, and so the most teams, that a game can have.
pub const SAVANNA_MAX_SEATS: usize = 4;

const _: () = assert!(SAVANNA_MAX_SEATS == MAX_SEATS);

/// Turn, scores and end of a game. Seats and teams are numbered from 0; what lies beyond those that play is -1 in
/// `team_of_seat` and 0 elsewhere.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SavannaState {
    /// How many seats play.
    pub players: i32,
    /// How many teams score.
    pub teams: i32,
    /// How many tiles have been placed, 0 to 20.
    pub ply: i32,
    /// 1 when all spaces are filled, else 0.
    pub is_over: i32,
    /// The seat to move; -1 when the game is over.
    pub to_move: i32,
    /// The seat that sees this; -1 for a position.
    pub viewer: i32,
    /// The team that each seat plays for.
    pub team_of_seat: [i32; SAVANNA_MAX_SEATS],
    /// The score of each team; when the game is over, the last seat's bonus is in it.
    pub scores: [i32; SAVANNA_MAX_SEATS],
    /// How many tiles of each team lie Lion face up.
    pub lions: [i32; SAVANNA_MAX_SEATS],
    /// 1 for each team that has won, else 0; all 0 before the end.
    pub won: [i32; SAVANNA_MAX_SEATS],
}

/// What both positions and views have.
struct Shown {
    ply: usize,
    to_move: Option<Seat>,
    scores: ByTeam<u16>,
    lions: ByTeam<u8>,
    winners: TeamSet,
}

fn seat_number(seat: Option<Seat>) -> i32 {
    seat.map_or(-1, |seat| seat.index() as i32)
}

impl SavannaState {
    fn new(rules: &Rules, viewer: Option<Seat>, shown: &Shown) -> SavannaState {
        let mut team_of_seat = [-1; SAVANNA_MAX_SEATS];
        for seat in rules.seats() {
            team_of_seat[seat.index()] = rules.team_of(seat).index() as i32;
        }
        SavannaState {
            players: rules.players() as i32,
            teams: rules.teams() as i32,
            ply: shown.ply as i32,
            is_over: i32::from(shown.to_move.is_none()),
            to_move: seat_number(shown.to_move),
            viewer: seat_number(viewer),
            team_of_seat,
            scores: shown.scores.0.map(i32::from),
            lions: shown.lions.0.map(i32::from),
            won: Team::ALL.map(|team| i32::from(shown.winners.contains(team))),
        }
    }

    pub(super) fn of_position(it: &Position) -> SavannaState {
        let (scores, lions, winners) = (it.scores(), it.lions(), it.winners());
        SavannaState::new(it.rules(), None, &Shown { ply: it.ply(), to_move: it.seat(), scores, lions, winners })
    }

    pub(super) fn of_view(it: &View) -> SavannaState {
        let (scores, lions, winners) = (it.scores(), it.lions(), it.winners());
        let shown = Shown { ply: it.ply(), to_move: it.to_move(), scores, lions, winners };
        SavannaState::new(it.rules(), Some(it.seat()), &shown)
    }
}
