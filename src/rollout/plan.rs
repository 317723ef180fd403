//! What all games of one call share, worked out once.

use crate::board::{LINES, Line, LineSet, SPACES};
use crate::position::Position;
use crate::rollout::draws::{Shuffle, choice_words, free_words};
use crate::rollout::policy::Policy;
use crate::rollout::source::Source;
use crate::score::{LineTally, add_last_seat_bonus};
use crate::tile::{Animal, BySeat, ByTeam, Face, Seat, Team};

/// Items that every game takes in an order of its own, and how to shuffle them.
pub(super) struct Pool<T> {
    pub(super) items: Vec<T>,
    pub(super) shuffle: Shuffle,
}

impl<T: Copy> Pool<T> {
    fn new(items: impl Iterator<Item = T>) -> Pool<T> {
        let items: Vec<T> = items.collect();
        Pool { shuffle: Shuffle::new(items.len()), items }
    }

    /// Writes the items into the front of `room` in the order that the words decide; `None` if a word is refused.
    #[inline]
    pub(super) fn draw<'r>(&self, room: &'r mut [T], words: &[u16]) -> Option<&'r [T]> {
        let order = &mut room[..self.items.len()];
        order.copy_from_slice(&self.items);
        self.shuffle.apply(order, words).then_some(order)
    }
}

/// What a seat's tiles are at the start.
pub(super) struct SeatPlan {
    /// Tiles that come first, in a known order.
    pub(super) known: Vec<Animal>,
    /// Tiles that follow in random order, in index order.
    pub(super) unseen: Pool<Animal>,
    /// How many of all these can be placed; the others lie under Lions.
    pub(super) placeable: usize,
    /// What each tile adds to a line, by animal and face.
    pub(super) weights: [[LineTally; Face::ALL.len()]; Animal::ALL.len()],
}

/// What all games of one call share: the source, and how its draws are used.
pub(crate) struct Plan {
    pub(super) source: Source,
    pub(super) policy: Policy,
    /// The start as far as it is known.
    pub(super) known: Position,
    pub(super) seats: BySeat<SeatPlan>,
    /// The plies that are left.
    pub(super) plies: Pool<usize>,
    /// Who is to move at each ply from the start, and for which team.
    pub(super) turns: [(Seat, Team); SPACES],
    /// What lies in each line at the start, and a place for what lies in none.
    pub(super) lines: [LineTally; LINES + 1],
    /// The lines that are not full at the start.
    pub(super) open_lines: LineSet,
    /// What a playout adds to: the scores at the start, and the last seat's bonus if there is anything to play.
    pub(super) scores: ByTeam<u16>,
    /// Lions on the board at the start.
    pub(super) lions: ByTeam<u8>,
    /// Words of a game that shuffle tiles, the next ones, which every few plies share, and all of them.
    pub(super) tile_words: usize,
    pub(super) shared_words: usize,
    pub(super) words: usize,
}

impl Plan {
    pub(crate) fn new(source: &Source, policy: Policy) -> Plan {
        let known = source.known();
        let rules = *known.rules();
        let seats = BySeat(Seat::ALL.map(|seat| {
            let (queue, unseen) = (source.known_queue(seat), source.unseen(seat));
            SeatPlan {
                placeable: rules.deck().total() - rules.turns_before(seat, known.ply()),
                known: queue,
                unseen: Pool::new(unseen.tiles()),
                weights: LineTally::of_all(&rules, seat),
            }
        }));
        let plies = Pool::new(0..known.empty_spaces().len());
        let tile_words = seats.0.iter().map(|seat| seat.unseen.shuffle.len()).sum();
        let (shared_words, other_words) = match policy {
            Policy::Uniform => (choice_words(plies.items.len()), plies.shuffle.len()),
            Policy::SoftGreedy | Policy::KeenGreedy => (free_words(plies.items.len()), plies.items.len()),
        };
        let mut lines = [LineTally::default(); LINES + 1];
        for line in Line::ALL {
            lines[line.index()] = known.line_tally(line);
        }
        let mut scores = known.scores();
        if !known.is_over() {
            add_last_seat_bonus(&rules, &mut scores);
        }
        Plan {
            source: *source,
            policy,
            words: tile_words + shared_words + other_words,
            turns: std::array::from_fn(|i| {
                let seat = rules.seat_at(known.ply() + i);
                (seat, rules.team_of(seat))
            }),
            lines,
            open_lines: Line::ALL.into_iter().filter(|line| !known.filled.contains_all(line.spaces())).collect(),
            scores,
            lions: known.lions(),
            known,
            seats,
            plies,
            tile_words,
            shared_words,
        }
    }
}
