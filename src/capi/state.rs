//! What there is to see of a game: turn, board, hands, scores and end.

use crate::board::{SPACES, Space};
use crate::notation::Seen;
use crate::position::Position;
use crate::rules::Rules;
use crate::tile::{BySeat, ByTeam, Hand, MAX_SEATS, Seat, Team, TeamSet};
use crate::view::View;

/// The most seats, and so the most teams, that a game can have.
pub const SAVANNA_MAX_SEATS: usize = 4;

/// In place of a seat: nobody.
pub const SAVANNA_NO_SEAT: i32 = -1;

/// How many spaces there are. The other five squares are holes. Spaces are numbered from 0 on in reading order:
/// a5 c5 d5 e5, a4 b4 c4 d4, a3 b3 d3 e3, b2 c2 d2 e2, a1 b1 c1 e1.
pub const SAVANNA_SPACES: usize = 20;

/// The most tiles in a hand.
pub const SAVANNA_HAND: usize = 2;

const _: () = assert!(SAVANNA_MAX_SEATS == MAX_SEATS && SAVANNA_SPACES == SPACES && SAVANNA_HAND == Hand::SIZE);

/// What lies on a space.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SavannaTile {
    /// The seat that placed it; SAVANNA_NO_SEAT if the space is empty.
    pub seat: i32,
    /// Its animal, numbered as in action ids; -1 if the space is empty, or it is a Lion of which the viewer cannot know.
    pub animal: i32,
    /// 1 if it lies Lion face up, else 0.
    pub lion: i32,
}

/// Turn, board, hands, scores and end of a game. Seats and teams are numbered from 0; what lies beyond those that play is
/// -1 in `team_of_seat` and `hands`, and 0 elsewhere.
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
    /// The seat to move; SAVANNA_NO_SEAT when the game is over.
    pub to_move: i32,
    /// The seat that sees this; SAVANNA_NO_SEAT for a position, which shows everything, and for a public view.
    pub viewer: i32,
    /// The team that each seat plays for.
    pub team_of_seat: [i32; SAVANNA_MAX_SEATS],
    /// The score of each team; when the game is over, the last seat's bonus is in it.
    pub scores: [i32; SAVANNA_MAX_SEATS],
    /// How many tiles of each team lie Lion face up.
    pub lions: [i32; SAVANNA_MAX_SEATS],
    /// 1 for each team that has won, else 0; all 0 before the end.
    pub won: [i32; SAVANNA_MAX_SEATS],
    /// What lies on each space.
    pub board: [SavannaTile; SAVANNA_SPACES],
    /// How many tiles each seat holds.
    pub hand_sizes: [i32; SAVANNA_MAX_SEATS],
    /// How many tiles each seat has still to draw.
    pub deck_sizes: [i32; SAVANNA_MAX_SEATS],
    /// The animals in each seat's hand, numbered as in action ids, in ascending order; -1 where no tile is, and for all
    /// that the viewer cannot know.
    pub hands: [[i32; SAVANNA_HAND]; SAVANNA_MAX_SEATS],
}

/// What both positions and views have.
struct Shown {
    ply: usize,
    to_move: Option<Seat>,
    scores: ByTeam<u16>,
    lions: ByTeam<u8>,
    winners: TeamSet,
    board: [Option<Seen>; SPACES],
    hands: BySeat<Hand>,
}

fn seat_number(seat: Option<Seat>) -> i32 {
    seat.map_or(SAVANNA_NO_SEAT, |seat| seat.index() as i32)
}

impl From<Option<Seen>> for SavannaTile {
    fn from(tile: Option<Seen>) -> SavannaTile {
        let animal = tile.and_then(|tile| tile.animal).map_or(-1, |animal| animal.index() as i32);
        SavannaTile {
            seat: seat_number(tile.map(|tile| tile.seat)),
            animal,
            lion: tile.map_or(0, |tile| tile.face as i32),
        }
    }
}

fn hand_numbers(hand: Hand) -> [i32; SAVANNA_HAND] {
    let mut numbers = [-1; SAVANNA_HAND];
    for (number, animal) in numbers.iter_mut().zip(hand.tiles()) {
        *number = animal.index() as i32;
    }
    numbers
}

impl SavannaState {
    fn new(rules: &Rules, viewer: Option<Seat>, shown: &Shown) -> SavannaState {
        let mut team_of_seat = [-1; SAVANNA_MAX_SEATS];
        let (mut hand_sizes, mut deck_sizes) = ([0; SAVANNA_MAX_SEATS], [0; SAVANNA_MAX_SEATS]);
        for seat in rules.seats() {
            let (hand, deck) = rules.hand_and_deck(seat, shown.ply);
            team_of_seat[seat.index()] = rules.team_of(seat).index() as i32;
            (hand_sizes[seat.index()], deck_sizes[seat.index()]) = (hand as i32, deck as i32);
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
            board: shown.board.map(SavannaTile::from),
            hand_sizes,
            deck_sizes,
            hands: shown.hands.0.map(hand_numbers),
        }
    }

    pub(super) fn of_position(it: &Position) -> SavannaState {
        let (ply, to_move, scores, lions, winners) = (it.ply(), it.seat(), it.scores(), it.lions(), it.winners());
        let board = Space::ALL.map(|space| it.tile(space).map(Seen::from));
        let hands = BySeat(Seat::ALL.map(|seat| it.hand(seat)));
        SavannaState::new(it.rules(), None, &Shown { ply, to_move, scores, lions, winners, board, hands })
    }

    pub(super) fn of_view(it: &View) -> SavannaState {
        let (ply, to_move, scores, lions, winners) = (it.ply(), it.to_move(), it.scores(), it.lions(), it.winners());
        let board = Space::ALL.map(|space| it.tile(space));
        let mut hands = BySeat::default();
        if let Some(seat) = it.seat() {
            hands[seat] = it.hand();
        }
        let shown = Shown { ply, to_move, scores, lions, winners, board, hands };
        SavannaState::new(it.rules(), it.seat(), &shown)
    }
}
