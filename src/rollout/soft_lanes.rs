//! Many soft-greedy games side by side: `soft.rs` again, step by step, over vectors instead of numbers. All lanes share
//! the ply, the seat, the size of its hand and the number of empty spaces, but not which spaces these are.
//!
//! A team's *sum* in a line is one byte: 64 times the number of its tiles, and their influence. The four influences of
//! a line make at most 60, so that the two highest bits of what all teams have there tell how many tiles are missing.

use crate::rollout::draws::FREE_OF_EIGHT;
use crate::rollout::lane_plan::{LanePlan, NOWHERE, OpenLine, PLACES};
use crate::rollout::lanes::Room;
use crate::rollout::vector::Vector;
use crate::tile::{Animal, Face, MAX_SEATS, Team};

/// What a tile may be placed as: the front of the one held longer, a Lion, the front of the one that came last.
const WAYS: usize = 3;
/// What a tile adds to a sum beside its influence.
const TILE: u8 = 64;
/// A line that does not exist, of which every margin is 0.
const NO_LINE: usize = PLACES - 1;
/// Stands for the influence of teams that are absent from a line, where the least influence counts.
const ABSENT: u8 = 127;
/// Bytes of the words that declare plies free, two plies each.
const FREE_BYTES: usize = 10;

/// What lanes of soft-greedy games share beside a `LanePlan`.
pub(super) struct SoftPlan {
    /// The lines through each place, filled up to four with `NO_LINE`.
    crossings: Vec<[usize; 4]>,
    /// For each line, every team's sum at the start, and the highest bits of a total with one tile missing.
    starts: Vec<([u8; MAX_SEATS], u8)>,
    /// For each ply, how many lines can have one tile missing; they come first.
    nearly_full: Vec<usize>,
    /// The influence and the number of Mice for each three bits that stand for a tile.
    influence: [u8; 8],
    mice: [u8; 8],
    /// What a space is worth if nothing is gained there, when it is empty and when it is filled: so far apart that no
    /// gain makes a filled space as good as an empty one, and no sum leaves a byte.
    empty: u8,
    filled: u8,
}

impl SoftPlan {
    /// The plan for a start; `None` if its rules have tiles without influence, count absent teams or gain too much.
    pub(super) fn new(lanes: &LanePlan) -> Option<SoftPlan> {
        let (plan, rules) = (&lanes.plan, lanes.plan.known.rules());
        let [below, exact, above] = lanes.points.map(usize::from);
        let mice = if rules.mice() { 4 } else { 0 };
        let (others, four_lines) = (rules.teams() - 1, 4);
        let most_won = four_lines * others * (below.max(exact).max(above) + mice);
        let most_lost = four_lines * others * (below.max(above) + mice);
        let in_play = Animal::ALL.into_iter().filter(|&animal| rules.deck()[animal] > 0);
        let weak = in_play.clone().any(|animal| Face::ALL.iter().any(|&face| rules.influence(animal, face) == 0));
        if weak || rules.absent_can_be_least() || most_won + most_lost > 127 {
            return None;
        }
        let mut influence = [0; 8];
        for animal in in_play {
            influence[usize::from(lanes.codes[animal.index()])] = rules.influence(animal, Face::Front);
        }
        influence[usize::from(lanes.codes[Animal::ALL.len()])] = rules.influence(Animal::Monkey, Face::Lion);
        let mut crossings = vec![[NO_LINE; 4]; plan.plies.items.len()];
        let mut starts = Vec::new();
        for (number, line) in lanes.lines.iter().enumerate() {
            for &place in line.places.iter().filter(|&&place| place != NOWHERE) {
                let free = crossings[place].iter_mut().find(|line| **line == NO_LINE);
                *free? = number;
            }
            let tally = plan.lines[line.line.index()];
            let sums = Team::ALL.map(|team| tally.tiles(team).wrapping_mul(TILE).wrapping_add(tally.influence(team)));
            starts.push((sums, TILE * (line.line.spaces().len() as u8 - 1)));
        }
        let missing = |line: &OpenLine| line.places.iter().filter(|&&place| place != NOWHERE).count();
        let nearly_full = |ply| lanes.lines.iter().filter(|&line| missing(line) <= ply + 1).count();
        Some(SoftPlan {
            crossings,
            starts,
            nearly_full: (0..plan.plies.items.len()).map(nearly_full).collect(),
            influence,
            mice: lanes.mice,
            filled: most_lost as u8,
            empty: (2 * most_lost + most_won + 1) as u8,
        })
    }
}

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
pub(super) struct SoftRoom<V> {
    /// By team and line: sums, and Mice front up.
    sums: [[V; PLACES]; MAX_SEATS],
    mice: [[V; PLACES]; MAX_SEATS],
    /// What the last ply added to the sums and the Mice of the lines through each place.
    added: [V; PLACES],
    added_mice: [V; PLACES],
    /// For each way to place a tile: by line, the margin that it brings; by place, what that place is then worth.
    margins: [[V; PLACES]; WAYS],
    gains: [[V; PLACES]; WAYS],
    /// What each place is worth if nothing is gained there.
    worth: [V; PLACES],
    free: [V; FREE_BYTES],
}

impl<V: Vector> SoftRoom<V> {
    #[inline(always)]
    pub(super) fn new() -> SoftRoom<V> {
        let zeros = [V::splat(0); PLACES];
        SoftRoom {
            sums: [zeros; MAX_SEATS],
            mice: [zeros; MAX_SEATS],
            added: zeros,
            added_mice: zeros,
            margins: [zeros; WAYS],
            gains: [zeros; WAYS],
            worth: zeros,
            free: [V::splat(0); FREE_BYTES],
        }
    }
}

/// The ways in which a tile can be placed, by influence and Mice front up, and what all lines have in common.
struct Ways<V: Vector> {
    influence: [V; WAYS],
    mice: [V; WAYS],
    /// Whether the ply is free.
    free: V::Mask,
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
        own: &mut SoftRoom<V>,
        room: &mut Room<V>,
        state: &mut [V::Words; 4],
    ) {
        self.set_out::<V, TEAMS>(soft, own, room, state);
        let lion = V::splat(self.codes[Animal::ALL.len()]);
        let mut last_team = 0;
        for (i, turn) in self.turns.iter().enumerate() {
            let queue = &mut room.queues[turn.tile..][..2];
            let [first, second] = [queue[0], queue[usize::from(turn.two)]];
            let bits = own.free[i / 2 % FREE_BYTES];
            let (three, below) = if i % 2 == 0 { (7, FREE_OF_EIGHT) } else { (7 << 4, FREE_OF_EIGHT << 4) };
            let ways = Ways {
                influence: [
                    soft.influence_of::<V, PLAIN>(first),
                    soft.influence_of::<V, PLAIN>(lion),
                    soft.influence_of::<V, PLAIN>(second),
                ],
                mice: [soft.mice_of::<V, PLAIN>(first), V::splat(0), soft.mice_of::<V, PLAIN>(second)],
                free: V::splat(below).greater(bits.and(V::splat(three))),
            };
            self.weigh_lines::<V, TEAMS, PLAIN>(soft, own, &ways, i, last_team, turn.team);
            let best = gather(soft, own);
            let taken = take(own, best, V::next_words(state), soft.crossings.len(), turn.two);

            let code = V::select(taken.lion, lion, V::select(taken.last, second, first));
            if turn.two {
                queue[1] = V::select(taken.last, first, second);
            }
            let lions = &mut room.lions[turn.team % MAX_SEATS];
            *lions = lions.count(taken.lion);
            let sum = soft.influence_of::<V, PLAIN>(code).add(V::splat(TILE));
            let tile = [code.or(V::splat(turn.order)), sum, soft.mice_of::<V, PLAIN>(code)];
            put::<V, PLAIN>(soft, own, &mut room.cells, best, &taken, tile);
            last_team = turn.team;
        }
    }

    /// Puts the start on the table, and draws the words that declare plies free.
    #[inline(always)]
    fn set_out<V: Vector, const TEAMS: usize>(
        &self,
        soft: &SoftPlan,
        own: &mut SoftRoom<V>,
        room: &mut Room<V>,
        state: &mut [V::Words; 4],
    ) {
        for pair in own.free.chunks_exact_mut(2).take(self.plan.shared_words) {
            pair.copy_from_slice(&V::split(V::next_words(state)));
        }
        for (lions, &start) in room.lions.iter_mut().zip(&self.plan.lions.0) {
            *lions = V::splat(start);
        }
        for (number, (line, (sums, _))) in self.lines.iter().zip(&soft.starts).enumerate() {
            for (team, (&sum, &mice)) in sums.iter().zip(&line.mice).take(TEAMS).enumerate() {
                own.sums[team][number % PLACES] = V::splat(sum);
                own.mice[team][number % PLACES] = V::splat(mice);
            }
        }
        own.margins = [[V::splat(0); PLACES]; WAYS];
        own.added = [V::splat(0); PLACES];
        own.added_mice = [V::splat(0); PLACES];
        own.worth = [V::splat(soft.empty); PLACES];
    }

    /// Adds to every line what the last ply placed there, and works out what it brings the team to move.
    #[inline(always)]
    fn weigh_lines<V: Vector, const TEAMS: usize, const PLAIN: bool>(
        &self,
        soft: &SoftPlan,
        own: &mut SoftRoom<V>,
        ways: &Ways<V>,
        ply: usize,
        last_team: usize,
        team: usize,
    ) {
        let zero = V::splat(0);
        // In a free lane no line has what these ask for.
        let nearly_full = [
            V::select(ways.free, V::splat(1), V::splat(2 * TILE)),
            V::select(ways.free, V::splat(1), V::splat(3 * TILE)),
        ];
        for number in 0..self.lines.len() {
            let [a, b, c, d] = self.lines[number].places;
            let [a, b, c, d] = [a % PLACES, b % PLACES, c % PLACES, d % PLACES];
            let sum = &mut own.sums[last_team % MAX_SEATS][number % PLACES];
            *sum = sum.wrapping_add(own.added[a].or(own.added[b]).or(own.added[c].or(own.added[d])));
            if !PLAIN {
                let mice = &mut own.mice[last_team % MAX_SEATS][number % PLACES];
                let added = &own.added_mice;
                *mice = mice.wrapping_add(added[a].or(added[b]).or(added[c].or(added[d])));
            }
            if number >= soft.nearly_full[ply] {
                continue;
            }
            let (mut sums, mut mice) = ([zero; TEAMS], [zero; TEAMS]);
            for t in 0..TEAMS {
                sums[t] = own.sums[(team + t) % TEAMS][number % PLACES];
                if !PLAIN {
                    mice[t] = own.mice[(team + t) % TEAMS][number % PLACES];
                }
            }
            let nearly_full = nearly_full[usize::from(soft.starts[number].1 == 3 * TILE)];
            let margins = self.margins::<V, TEAMS, PLAIN>(ways, sums, mice, nearly_full);
            for (all, margin) in own.margins.iter_mut().zip(margins) {
                all[number % PLACES] = margin;
            }
        }
    }

    /// What a line brings, by way to fill it; the first sums are those of the team to move.
    #[inline(always)]
    fn margins<V: Vector, const TEAMS: usize, const PLAIN: bool>(
        &self,
        ways: &Ways<V>,
        sums: [V; TEAMS],
        mice: [V; TEAMS],
        nearly_full: V,
    ) -> [V; WAYS] {
        let (zero, low) = (V::splat(0), V::splat(TILE - 1));
        let [below, exact, above] = self.points;
        let mut total = sums[0];
        for sum in &sums[1..] {
            total = total.wrapping_add(*sum);
        }
        let counts = total.and(V::splat(!(TILE - 1))).equal(nearly_full);
        // Influence that makes the line reach the target, and that makes the team's own the most or the least.
        let reach = V::splat(self.plan.known.rules().target()).wrapping_sub(total.and(low));
        let own = sums[0].and(low);
        let mut others = [zero; TEAMS];
        let (mut most, mut least) = (zero, V::splat(ABSENT));
        for t in 1..TEAMS {
            others[t] = sums[t].and(low);
            most = most.max(others[t]);
            least = least.min(V::select(others[t].equal(zero), V::splat(ABSENT), others[t]));
        }
        let mut margins = [zero; WAYS];
        if TEAMS == 2 && PLAIN {
            let (to_most, to_least) = (most.wrapping_sub(own), least.wrapping_sub(own));
            for (margin, &placed) in margins.iter_mut().zip(&ways.influence) {
                let is_above = placed.greater(reach);
                let other = V::select(is_above, to_least, to_most);
                let value = V::select(is_above, V::splat(above.wrapping_neg()), V::splat(below));
                let unless_exact = value.signed_as(placed, other);
                *margin = V::select(placed.equal(reach), V::splat(exact), unless_exact).keep(counts);
            }
            return margins;
        }
        // What the other teams score as long as this one does not push them out.
        let (mut lost_below, mut lost_above) = (zero, zero);
        for t in 1..TEAMS {
            let (mut if_below, mut if_above) = (V::splat(below), V::splat(above));
            if !PLAIN {
                (if_below, if_above) = (if_below.add(mice[t]), if_above.add(mice[t]));
            }
            let present = V::select(others[t].equal(zero), V::splat(ABSENT), others[t]);
            lost_below = lost_below.add(if_below.keep(others[t].equal(most)));
            lost_above = lost_above.add(if_above.keep(present.equal(least)));
        }
        let (to_most, from_least) = (most.wrapping_sub(own), own.wrapping_sub(least));
        let times = (TEAMS - 1) as u8;
        for (margin, (&placed, &mouse)) in margins.iter_mut().zip(ways.influence.iter().zip(&ways.mice)) {
            let is_above = placed.greater(reach);
            // Above the target the least counts: the same comparison of negative numbers.
            let mine = V::select(is_above, zero.wrapping_sub(placed), placed);
            let other = V::select(is_above, from_least, to_most);
            let won = V::select(is_above, V::splat(above * times), V::splat(below * times));
            let lost = V::select(is_above, lost_above, lost_below);
            let won = V::select(other.greater(mine), zero, won);
            let lost = V::select(mine.greater(other), zero, lost);
            let mut exactly = V::splat(exact * times);
            let mut unless_exact = won.wrapping_sub(lost);
            if !PLAIN {
                let mut bonus = zero;
                for _ in 1..TEAMS {
                    bonus = bonus.add(mice[0]).add(mouse);
                }
                unless_exact = unless_exact.wrapping_add(V::select(other.greater(mine), zero, bonus));
                exactly = exactly.add(bonus);
            }
            *margin = V::select(placed.equal(reach), exactly, unless_exact).keep(counts);
        }
        margins
    }
}

/// Adds up what every place is worth for each way to place a tile there. Gives the most.
#[inline(always)]
fn gather<V: Vector>(soft: &SoftPlan, own: &mut SoftRoom<V>) -> V {
    let mut best = V::splat(0);
    for (place, &[a, b, c, d]) in soft.crossings.iter().enumerate() {
        let (place, [a, b, c, d]) = (place % PLACES, [a % PLACES, b % PLACES, c % PLACES, d % PLACES]);
        for (of, gains) in own.margins.iter().zip(&mut own.gains) {
            let pairs = [of[a].wrapping_add(of[b]), of[c].wrapping_add(of[d])];
            let gain = own.worth[place].wrapping_add(pairs[0]).wrapping_add(pairs[1]);
            gains[place] = gain;
            best = best.max(gain);
        }
    }
    best
}

/// Takes one of the best candidates of each lane.
#[inline(always)]
fn take<V: Vector>(own: &SoftRoom<V>, best: V, words: V::Words, places: usize, two: bool) -> Taken<V> {
    let mut counts = [V::splat(0); WAYS];
    for place in 0..places {
        for (count, gains) in counts.iter_mut().zip(&own.gains) {
            *count = count.count(gains[place % PLACES].equal(best));
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
fn put<V: Vector, const PLAIN: bool>(
    soft: &SoftPlan,
    own: &mut SoftRoom<V>,
    cells: &mut [V; PLACES],
    best: V,
    taken: &Taken<V>,
    [cell, sum, mouse]: [V; 3],
) {
    let (zero, filled) = (V::splat(0), V::splat(soft.filled));
    // Counts up to 0.
    let mut left = zero.wrapping_sub(taken.nth);
    for place in 0..soft.crossings.len() {
        let place = place % PLACES;
        let front = V::select(taken.last, own.gains[2][place], own.gains[0][place]);
        let is_best = V::select(taken.lion, own.gains[1][place], front).equal(best);
        let here = V::both(is_best, left.equal(zero));
        left = left.count(is_best);
        cells[place] = V::select(here, cell, cells[place]);
        own.worth[place] = V::select(here, filled, own.worth[place]);
        own.added[place] = sum.keep(here);
        if !PLAIN {
            own.added_mice[place] = mouse.keep(here);
        }
    }
}
