//! Working memory of lanes.

use crate::rollout::lane_plan::PLACES;
use crate::rollout::vector::Vector;
use crate::tile::MAX_SEATS;

/// Working memory for the games of one part.
pub(super) struct Room<V> {
    /// Every seat's tiles in the order in which they come to its hand, `PLACES` for each seat.
    pub(super) queues: [V; MAX_SEATS * PLACES],
    /// The same before they are shuffled.
    pub(super) unshuffled: [V; MAX_SEATS * PLACES],
    /// Lions face up, by team.
    pub(super) lions: [V; MAX_SEATS],
    pub(super) cells: [V; PLACES],
    pub(super) influence: [V; PLACES],
    /// Influence of all teams but the last, whose sum is what the others leave of the total.
    pub(super) by_team: [[V; PLACES]; MAX_SEATS],
    pub(super) mice: [[V; PLACES]; MAX_SEATS],
}

impl<V: Vector> Room<V> {
    #[inline(always)]
    pub(super) fn new() -> Room<V> {
        let zeros = [V::splat(0); PLACES];
        let by_team = [zeros; MAX_SEATS];
        Room {
            queues: [V::splat(0); MAX_SEATS * PLACES],
            unshuffled: [V::splat(0); MAX_SEATS * PLACES],
            lions: [V::splat(0); MAX_SEATS],
            cells: zeros,
            influence: zeros,
            by_team,
            mice: by_team,
        }
    }
}
