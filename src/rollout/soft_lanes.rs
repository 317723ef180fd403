//! Many soft-greedy games side by side: `soft.rs` again, step by step, over vectors instead of numbers. All lanes share
//! the ply, the seat, the size of its hand and the number of empty spaces, but not which spaces these are; so every ply
//! looks at all spaces that were empty at the start. `soft_plan.rs` says what a sum is.

use crate::board::{LINES, SPACES};
use crate::rollout::lane_plan::{LanePlan, PLACES};
use crate::rollout::room::Room;
use crate::rollout::soft_plan::{SoftPlan, TILE};
use crate::rollout::vector::Vector;
use crate::tile::{Animal, MAX_SEATS};

/// What a tile may be placed as: the front of the one held longer, a Lion, the front of the one that came last.
const WAYS: usize = 3;
/// Stands for the influence of teams that are absent from a line, where the least influence counts.
const ABSENT: u8 = 127;
/// Bytes of the words that declare plies free, two plies each.
const FREE_BYTES: usize = 10;

impl SoftPlan {
    /// The influence of the tiles that these codes stand for.
    #[inline(always)]
    fn influence_of<V: Vector, const PLAIN: bool>(&self, codes: V) -> V {
        if PLAIN { codes } else { codes.look_up(&self.influence) }
    }

    /// One for Mice front up.
    #[inline(always)]
    fn mice_of<V: Vector, const PLAIN: bool>(&self, codes: V) -> V {
        if PLAIN { V::splat(0) } else { codes.look_up(&self.mice) }
    }
}

/// Working memory for soft-greedy games.
pub(super) struct SoftRoom<V, const TEAMS: usize> {
    lines: [LineRoom<V, TEAMS>; LINES],
    places: [PlaceRoom<V>; SPACES],
    /// For each way to place a tile, the margin that each line brings.
    margins: [[V; PLACES]; WAYS],
    /// What the last ply added to the sums and the Mice of the lines through each place.
    added: [V; PLACES],
    added_mice: [V; PLACES],
    free: [V; FREE_BYTES],
}

/// What lies in a line, by team: sums, and Mice front up.
#[derive(Clone, Copy)]
struct LineRoom<V, const TEAMS: usize> {
    sums: [V; TEAMS],
    mice: [V; TEAMS],
}

/// What a place is worth: as long as nothing is gained there, and for each way to place a tile.
#[derive(Clone, Copy)]
struct PlaceRoom<V> {
    worth: V,
    gains: [V; WAYS],
}

impl<V: Vector, const TEAMS: usize> SoftRoom<V, TEAMS> {
    #[inline(always)]
    pub(super) fn new() -> SoftRoom<V, TEAMS> {
        let zero = V::splat(0);
        SoftRoom {
            lines: [LineRoom { sums: [zero; TEAMS], mice: [zero; TEAMS] }; LINES],
            places: [PlaceRoom { worth: zero, gains: [zero; WAYS] }; SPACES],
            margins: [[zero; PLACES]; WAYS],
            added: [zero; PLACES],
            added_mice: [zero; PLACES],
            free: [zero; FREE_BYTES],
        }
    }
}

/// The ways in which a tile can be placed, by influence and Mice front up.
struct Ways<V> {
    influence: [V; WAYS],
    mice: [V; WAYS],
}

/// Which way and which candidate of that way is taken.
struct Taken<V: Vector> {
    lion: V::Mask,
    last: V::Mask,
    nth: V,
}

impl LanePlan {
    /// Plays all plies.
    #[inline(always)]
    pub(super) fn play_softly<V: Vector, const TEAMS: usize, const PLAIN: bool>(
        &self,
        soft: &SoftPlan,
        own: &mut SoftRoom<V, TEAMS>,
        room: &mut Room<V>,
        state: &mut [V::Words; 4],
    ) {
        self.set_out(soft, own, room, state);
        let lion = V::splat(self.codes[Animal::ALL.len()]);
        let of_eight = self.plan.policy.free_of_eight();
        for (i, turn) in self.turns.iter().enumerate() {
            let queue = &mut room.queues[turn.tile..][..2];
            let [first, second] = [queue[0], queue[usize::from(turn.two)]];
            let ways = Ways {
                influence: [
                    soft.influence_of::<V, PLAIN>(first),
                    soft.influence_of::<V, PLAIN>(lion),
                    soft.influence_of::<V, PLAIN>(second),
                ],
                mice: [soft.mice_of::<V, PLAIN>(first), V::splat(0), soft.mice_of::<V, PLAIN>(second)],
            };
            let bits = own.free[i / 2 % FREE_BYTES];
            let (three, below) = if i % 2 == 0 { (7, of_eight) } else { (7 << 4, of_eight << 4) };
            let free = V::splat(below).greater(bits.and(V::splat(three)));
            let best = if soft.nearly_full[i] == 0 {
                gain_nothing(soft, own)
            } else {
                self.weigh_lines::<V, TEAMS, PLAIN>(own, &ways, free, soft.nearly_full[i], turn.team);
                gather(soft, own)
            };
            let taken = take(&own.places[..self.turns.len()], best, V::next_words(state), turn.two);

            let code = V::select(taken.lion, lion, V::select(taken.last, second, first));
            if turn.two {
                queue[1] = V::select(taken.last, first, second);
            }
            let lions = &mut room.lions[turn.team % MAX_SEATS];
            *lions = lions.count(taken.lion);
            let sum = soft.influence_of::<V, PLAIN>(code).add(V::splat(TILE));
            let tile = [code.or(V::splat(turn.order)), sum, soft.mice_of::<V, PLAIN>(code)];
            put::<V, TEAMS, PLAIN>(soft, own, &mut room.cells[..self.turns.len()], best, &taken, tile);
            self.add_up::<V, TEAMS, PLAIN>(own, turn.team);
        }
    }

    /// Puts the start on the table, and draws the words that declare plies free.
    #[inline(always)]
    fn set_out<V: Vector, const TEAMS: usize>(
        &self,
        soft: &SoftPlan,
        own: &mut SoftRoom<V, TEAMS>,
        room: &mut Room<V>,
        state: &mut [V::Words; 4],
    ) {
        for pair in own.free.chunks_exact_mut(2).take(self.plan.shared_words) {
            pair.copy_from_slice(&V::split(V::next_words(state)));
        }
        for (lions, &start) in room.lions.iter_mut().zip(&self.plan.lions.0) {
            *lions = V::splat(start);
        }
        for (to, (line, sums)) in own.lines.iter_mut().zip(self.lines.iter().zip(&soft.sums)) {
            for (to, &sum) in to.sums.iter_mut().zip(sums) {
                *to = V::splat(sum);
            }
            for (to, &mice) in to.mice.iter_mut().zip(&line.mice) {
                *to = V::splat(mice);
            }
        }
        for place in &mut own.places {
            place.worth = V::splat(soft.worth.empty);
        }
        own.margins = [[V::splat(0); PLACES]; WAYS];
    }

    /// Works out what each of the first lines brings the team to move; in lanes where the ply is free, nothing.
    #[inline(always)]
    fn weigh_lines<V: Vector, const TEAMS: usize, const PLAIN: bool>(
        &self,
        own: &mut SoftRoom<V, TEAMS>,
        ways: &Ways<V>,
        free: V::Mask,
        lines: usize,
        team: usize,
    ) {
        let not_full = V::select(free, V::splat(2 * TILE - 1), V::splat(TILE - 1));
        let [first, second, third] = &mut own.margins;
        let margins = first.iter_mut().zip(second).zip(third);
        for (line, ((first, second), third)) in own.lines[..lines].iter().zip(margins) {
            let (mut sums, mut mice) = ([V::splat(0); TEAMS], [V::splat(0); TEAMS]);
            for t in 0..TEAMS {
                sums[t] = line.sums[(team + t) % TEAMS];
                mice[t] = line.mice[(team + t) % TEAMS];
            }
            [*first, *second, *third] = self.margins::<V, TEAMS, PLAIN>(ways, sums, mice, not_full);
        }
    }

    /// What a line brings, by way to fill it; the first sums are those of the team to move.
    #[inline(always)]
    fn margins<V: Vector, const TEAMS: usize, const PLAIN: bool>(
        &self,
        ways: &Ways<V>,
        sums: [V; TEAMS],
        mice: [V; TEAMS],
        not_full: V,
    ) -> [V; WAYS] {
        let (zero, low) = (V::splat(0), V::splat(TILE - 1));
        let [below, above, exact] = self.points;
        let mut total = sums[0];
        for sum in &sums[1..] {
            total = total.wrapping_add(*sum);
        }
        let counts = total.greater(not_full);
        // Influence that makes the line reach the target, and that makes the team's own the most or the least.
        let reach = V::splat(TILE + self.plan.known.rules().target()).wrapping_sub(total);
        let own = sums[0].and(low);
        let mut margins = [zero; WAYS];
        if TEAMS == 2 && PLAIN {
            let other = sums[1].and(low);
            let to_most = other.wrapping_sub(own);
            // Where the other is absent, this is -1 or less and becomes 127 or less.
            let to_least = to_most.xor(V::splat(128).keep(other.equal(zero)));
            for (margin, &placed) in margins.iter_mut().zip(&ways.influence) {
                let is_above = placed.greater(reach);
                let other = V::select(is_above, to_least, to_most);
                let value = V::select(is_above, V::splat(above.wrapping_neg()), V::splat(below));
                let unless_exact = value.signed_as(placed, other);
                *margin = V::select(placed.equal(reach), V::splat(exact), unless_exact).keep(counts);
            }
            return margins;
        }
        let (mut others, mut present) = ([zero; TEAMS], [V::splat(ABSENT); TEAMS]);
        let (mut most, mut least) = (zero, V::splat(ABSENT));
        for t in 1..TEAMS {
            others[t] = sums[t].and(low);
            present[t] = V::select(others[t].equal(zero), V::splat(ABSENT), others[t]);
            most = most.max(others[t]);
            least = least.min(present[t]);
        }
        // What the other teams score as long as this one does not push them out.
        let (mut lost_below, mut lost_above) = (zero, zero);
        for t in 1..TEAMS {
            let (mut if_below, mut if_above) = (V::splat(below), V::splat(above));
            if !PLAIN {
                (if_below, if_above) = (if_below.add(mice[t]), if_above.add(mice[t]));
            }
            lost_below = lost_below.add(if_below.keep(others[t].equal(most)));
            lost_above = lost_above.add(if_above.keep(present[t].equal(least)));
        }
        let (to_most, from_least) = (most.wrapping_sub(own), own.wrapping_sub(least));
        let times = (TEAMS - 1) as u8;
        for (margin, (&placed, &mouse)) in margins.iter_mut().zip(ways.influence.iter().zip(&ways.mice)) {
            let is_above = placed.greater(reach);
            // Above the target the least counts: the same comparison of negative numbers.
            let mine = V::select(is_above, zero.wrapping_sub(placed), placed);
            let other = V::select(is_above, from_least, to_most);
            let mut won = V::select(is_above, V::splat(above * times), V::splat(below * times));
            let mut exactly = V::splat(exact * times);
            if !PLAIN {
                for _ in 1..TEAMS {
                    won = won.add(mice[0]).add(mouse);
                    exactly = exactly.add(mice[0]).add(mouse);
                }
            }
            let lost = V::select(is_above, lost_above, lost_below);
            let unless_exact =
                V::select(other.greater(mine), zero, won).wrapping_sub(V::select(mine.greater(other), zero, lost));
            *margin = V::select(placed.equal(reach), exactly, unless_exact).keep(counts);
        }
        margins
    }

    /// Adds to every line what the ply placed there.
    #[inline(always)]
    fn add_up<V: Vector, const TEAMS: usize, const PLAIN: bool>(&self, own: &mut SoftRoom<V, TEAMS>, team: usize) {
        for (to, line) in own.lines.iter_mut().zip(&self.lines) {
            let [a, b, c, d] = line.places;
            let [a, b, c, d] = [a % PLACES, b % PLACES, c % PLACES, d % PLACES];
            let of = &own.added;
            let sum = &mut to.sums[team % TEAMS];
            *sum = sum.wrapping_add(of[a].or(of[b]).or(of[c].or(of[d])));
            if !PLAIN {
                let (of, mice) = (&own.added_mice, &mut to.mice[team % TEAMS]);
                *mice = mice.wrapping_add(of[a].or(of[b]).or(of[c].or(of[d])));
            }
        }
    }
}

/// What places are worth before any line can be filled.
#[inline(always)]
fn gain_nothing<V: Vector, const TEAMS: usize>(soft: &SoftPlan, own: &mut SoftRoom<V, TEAMS>) -> V {
    for place in &mut own.places {
        place.gains = [place.worth; WAYS];
    }
    V::splat(soft.worth.empty)
}

/// Adds up what every place is worth for each way to place a tile there. Gives the most.
#[inline(always)]
fn gather<V: Vector, const TEAMS: usize>(soft: &SoftPlan, own: &mut SoftRoom<V, TEAMS>) -> V {
    let mut best = V::splat(0);
    for (place, &[a, b, c, d]) in own.places.iter_mut().zip(&soft.crossings) {
        let [a, b, c, d] = [a % PLACES, b % PLACES, c % PLACES, d % PLACES];
        for (of, gain) in own.margins.iter().zip(&mut place.gains) {
            let pairs = [of[a].wrapping_add(of[b]), of[c].wrapping_add(of[d])];
            *gain = place.worth.wrapping_add(pairs[0]).wrapping_add(pairs[1]);
            best = best.max(*gain);
        }
    }
    best
}

/// Takes one of the best candidates of each lane.
#[inline(always)]
fn take<V: Vector>(places: &[PlaceRoom<V>], best: V, words: V::Words, two: bool) -> Taken<V> {
    let mut counts = [V::splat(0); WAYS];
    for place in places {
        for (count, gain) in counts.iter_mut().zip(&place.gains) {
            *count = count.count(gain.equal(best));
        }
    }
    let [first, lions, second] = counts;
    let held = first.add(lions);
    let all = if two { held.add(second.add(lions)) } else { held };
    let nth = V::multiply_high(words, all);
    let last = nth.at_least(held);
    let nth = V::select(last, nth.wrapping_sub(held), nth);
    let fronts = V::select(last, second, first);
    let lion = nth.at_least(fronts);
    Taken { lion, last, nth: V::select(lion, nth.wrapping_sub(fronts), nth) }
}

/// Puts a tile, as its cell, what it adds to sums, and whether it is a Mouse, on the place that was taken.
#[inline(always)]
fn put<V: Vector, const TEAMS: usize, const PLAIN: bool>(
    soft: &SoftPlan,
    own: &mut SoftRoom<V, TEAMS>,
    cells: &mut [V],
    best: V,
    taken: &Taken<V>,
    [tile, sum, mouse]: [V; 3],
) {
    let (zero, filled) = (V::splat(0), V::splat(soft.worth.filled));
    // Counts up to 0.
    let mut left = zero.wrapping_sub(taken.nth);
    let added = own.added.iter_mut().zip(&mut own.added_mice);
    for ((cell, place), (added, added_mice)) in cells.iter_mut().zip(&mut own.places).zip(added) {
        let [first, lion, second] = place.gains;
        let gain = V::select(taken.lion, lion, V::select(taken.last, second, first));
        let is_best = gain.equal(best);
        let here = V::both(is_best, left.equal(zero));
        left = left.count(is_best);
        *cell = V::select(here, tile, *cell);
        place.worth = V::select(here, filled, place.worth);
        *added = sum.keep(here);
        if !PLAIN {
            *added_mice = mouse.keep(here);
        }
    }
}
