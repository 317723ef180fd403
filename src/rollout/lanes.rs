//! Many games side by side, one in each byte of a vector. From one start all playouts have the same plies and seats,
//! so lanes never diverge; this is `scalar.rs` again, step by step, over vectors instead of numbers.
//!
//! A placed tile is one byte, its *cell*: three bits that say which tile it is, and above them five bits that grow from
//! ply to ply and hold the seat in their lowest ones. The largest cell of a line thus names who placed its last tile.

use crate::rollout::draws::{LANES, Shuffle, Stream, Word};
use crate::rollout::lane_plan::{LanePlan, PLACES};
use crate::rollout::plan::SeatPlan;
use crate::rollout::room::Room;
use crate::rollout::soft_lanes::SoftRoom;
use crate::rollout::soft_plan::SoftPlan;
use crate::rollout::tally::LaneTally;
use crate::rollout::vector::Vector;
use crate::tile::{Animal, ByTeam, MAX_SEATS, Team};

/// Plans of games that are played side by side.
pub(super) struct Lanes {
    pub(super) plan: LanePlan,
    /// For the epsilon-greedy policies, if these rules allow them in lanes.
    pub(super) soft: Option<SoftPlan>,
}

impl Lanes {
    /// Plays this many games of a stream and counts them: games of this number of teams that are [plain](LanePlan::plain)
    /// or not.
    #[inline(always)]
    pub(super) fn play<V: Vector, const TEAMS: usize, const PLAIN: bool>(
        &self,
        stream: &Stream,
        games: u64,
        count: &mut LaneTally,
    ) {
        // A round of 64 lanes is played in parts as wide as the vector, each fed by its own generators.
        let states = stream.states();
        let per_part = V::LANES / 4;
        let mut parts: Vec<[V::Words; 4]> = (0..LANES / V::LANES)
            .map(|part| std::array::from_fn(|word| V::load(&states[word][part * per_part..][..per_part])))
            .collect();
        let mut room = Room::new();
        for (first, seat) in self.plan.queues() {
            let tiles = seat.known.iter().chain(&seat.unseen.items);
            for (tile, &animal) in room.unshuffled[first..].iter_mut().zip(tiles) {
                *tile = V::splat(self.plan.codes[animal.index()]);
            }
        }
        let mut soft = None;
        if let Some(plan) = &self.soft {
            soft = Some((plan, SoftRoom::new()));
        }
        let mut left = games;
        while left > 0 {
            for state in &mut parts {
                left -= self.plan.play_part::<V, TEAMS, PLAIN>(&mut room, &mut soft, state, left, count);
            }
        }
    }
}

impl LanePlan {
    /// Plays one game in each lane; those of the first lanes count, as many as are wanted. Gives how many counted.
    #[inline(always)]
    fn play_part<V: Vector, const TEAMS: usize, const PLAIN: bool>(
        &self,
        room: &mut Room<V>,
        soft: &mut Option<(&SoftPlan, SoftRoom<V, TEAMS>)>,
        state: &mut [V::Words; 4],
        wanted: u64,
        count: &mut LaneTally,
    ) -> u64 {
        let mut refused = V::load(&[0; LANES / 4]);
        for (first, seat) in self.queues() {
            let (known, all) = (first + seat.known.len(), first + seat.known.len() + seat.unseen.items.len());
            room.queues[first..all].copy_from_slice(&room.unshuffled[first..all]);
            shuffle(&mut room.queues[known..all], &seat.unseen.shuffle, state, &mut refused);
        }
        if let Some((soft, own)) = soft {
            self.play_softly::<V, TEAMS, PLAIN>(soft, own, room, state);
        } else {
            self.place(room, state);
            shuffle(&mut room.cells[..self.turns.len()], &self.plan.plies.shuffle, state, &mut refused);
        }

        let accepted = first_lanes(!V::noted(refused) & (u64::MAX >> (LANES - V::LANES)), wanted);
        if accepted != 0 {
            self.read_cells::<V, TEAMS, PLAIN>(room);
            let (scores, eights) = self.score::<V, TEAMS, PLAIN>(room, accepted, count);
            count.tally.add_games(accepted.count_ones().into());
            if !PLAIN && self.wide {
                self.count_wide(accepted, &scores, &eights, &room.lions, count);
            } else {
                self.count(accepted, &scores, &room.lions, count);
            }
        }
        u64::from(accepted.count_ones())
    }

    /// Where every seat's queue begins, and what is in it.
    fn queues(&self) -> impl Iterator<Item = (usize, &SeatPlan)> {
        self.plan.seats.0.iter().enumerate().take(self.plan.known.rules().players()).map(|(i, seat)| (i * PLACES, seat))
    }

    /// Makes the cell of every ply from the queues and the choice words, and counts Lions.
    #[inline(always)]
    fn place<V: Vector>(&self, room: &mut Room<V>, state: &mut [V::Words; 4]) {
        let lion = V::splat(self.codes[Animal::ALL.len()]);
        let mut choices = [V::splat(0); CHOICES];
        for pair in choices.chunks_exact_mut(2).take(self.plan.shared_words) {
            pair.copy_from_slice(&V::split(V::next_words(state)));
        }
        for (lions, &start) in room.lions.iter_mut().zip(&self.plan.lions.0) {
            *lions = V::splat(start);
        }
        let bits = [1, 2, 4, 8, 16, 32, 64, 128].map(V::splat);
        let parts = self.turns.chunks(4).zip(room.cells.chunks_mut(4)).zip(&choices);
        for ((turns, cells), choices) in parts {
            for ((turn, cell), bits) in turns.iter().zip(cells).zip(bits.chunks_exact(2)) {
                let queue = &mut room.queues[turn.tile..][..2];
                let mut tile = queue[0];
                if turn.two {
                    let last = choices.has(bits[1]);
                    (tile, queue[1]) = (V::select(last, queue[1], tile), V::select(last, tile, queue[1]));
                }
                let is_lion = choices.has(bits[0]);
                *cell = V::select(is_lion, lion, tile).or(V::splat(turn.order));
                // Taking 255 away adds one.
                let lions = &mut room.lions[turn.team % MAX_SEATS];
                *lions = lions.wrapping_sub(V::bytes(is_lion));
            }
        }
    }

    /// Reads influence, teams and Mice out of the cells.
    #[inline(always)]
    fn read_cells<V: Vector, const TEAMS: usize, const PLAIN: bool>(&self, room: &mut Room<V>) {
        let zero = V::splat(0);
        for place in 0..self.turns.len() {
            let cell = room.cells[place];
            let tile = cell.and(V::splat(7));
            let value = if PLAIN { tile } else { tile.look_up(&self.influence) };
            room.influence[place] = value;
            let team = cell.and(V::splat(self.team_bits));
            for t in 0..TEAMS - 1 {
                room.by_team[t][place] = V::select(team.equal(V::splat(self.team_codes[t])), value, zero);
            }
            if !PLAIN && self.plan.known.rules().mice() {
                let mouse = tile.look_up(&self.mice);
                for t in 0..TEAMS {
                    room.mice[t][place] = V::select(team.equal(V::splat(self.team_codes[t])), mouse, zero);
                }
            }
        }
    }

    /// Scores all open lines: by team, what the start had and what was added; in ones, and in eights if scores are wide.
    #[inline(always)]
    fn score<V: Vector, const TEAMS: usize, const PLAIN: bool>(
        &self,
        room: &Room<V>,
        accepted: u64,
        count: &mut LaneTally,
    ) -> ([V; TEAMS], [V; TEAMS]) {
        let (zero, rules) = (V::splat(0), self.plan.known.rules());
        let team_bits = V::splat(self.team_bits);
        let mut codes = [zero; TEAMS];
        for (code, &byte) in codes.iter_mut().zip(&self.team_codes) {
            *code = V::splat(byte);
        }
        let ones_of = if self.wide { self.points.map(|points| points & 7) } else { self.points };
        let [below, above, exact] = ones_of.map(V::splat);
        let eights_of = self.points.map(|points| points / 8);
        // No byte overflows. Unless scores are wide, a team's final score fits into a byte. If they are, a line adds at
        // most 7 and four Mice to the ones, 20 * 11 = 220 in all, and at most 100 / 8 to the eights, 20 * 12 = 240.
        let (mut scores, mut eights) = ([zero; TEAMS], [zero; TEAMS]);
        count.lines += u64::from(accepted.count_ones()) * self.lines.len() as u64;
        for line in &self.lines {
            let [a, b, c, d] = line.places;
            let [a, b, c, d] = [a % PLACES, b % PLACES, c % PLACES, d % PLACES];
            let total = sum(&room.influence, [a, b, c, d], line.total);
            let cells = &room.cells;
            let placer = cells[a].max(cells[b]).max(cells[c].max(cells[d])).and(team_bits);
            let target = V::splat(line.target);
            let is_exact = total.equal(target);
            let reaches = total.at_least(target);
            count.exact += u64::from((V::bits(is_exact) & accepted).count_ones());
            count.reached += u64::from((V::bits(reaches) & accepted).count_ones());

            let mut sums = [zero; TEAMS];
            sums[TEAMS - 1] = total;
            for t in 0..TEAMS - 1 {
                sums[t] = sum(&room.by_team[t], [a, b, c, d], line.influence[t]);
                sums[TEAMS - 1] = sums[TEAMS - 1].sub(sums[t]);
            }

            // The distance of `score_line`: one less than the influence above the target, where absence wraps around to
            // 255; its complement below the target; and 0 for the placer alone at the target.
            let reached = V::bytes(reaches);
            let flip = reached.xor(V::splat(255));
            let mut distance = [zero; TEAMS];
            for t in 0..TEAMS {
                let mut present = sums[t];
                if !PLAIN {
                    // The number of tiles is taken out of the code again: 0 for none, else influence and one, times four.
                    present = present.wrapping_add(V::splat(255)).or(V::splat(3)).wrapping_add(V::splat(1));
                    if rules.absent_can_be_least() {
                        present = V::select(reaches, present.max(V::splat(4)), present);
                    }
                }
                let by_influence = present.xor(flip).wrapping_add(reached);
                distance[t] = V::select(is_exact, placer.xor(codes[t]), by_influence);
            }
            let mut nearest = distance[0];
            for distance in &distance[1..] {
                nearest = nearest.min(*distance);
            }
            let value = V::select(is_exact, exact, V::select(reaches, above, below));
            for t in 0..TEAMS {
                let hit = distance[t].equal(nearest);
                let mut gain = value;
                if !PLAIN && rules.mice() {
                    gain = gain.add(sum(&room.mice[t], [a, b, c, d], line.mice[t]));
                }
                scores[t] = scores[t].add(V::select(hit, gain, zero));
                if !PLAIN && self.wide {
                    let [below, above, exact] = eights_of;
                    let value = V::select(reaches, V::splat(above), V::splat(below));
                    let value = V::select(is_exact, V::splat(exact), value);
                    eights[t] = eights[t].add(V::select(hit, value, zero));
                }
            }
        }
        (scores, eights)
    }

    /// Counts the scores and the winners of the accepted lanes.
    #[inline(always)]
    fn count<V: Vector, const TEAMS: usize>(
        &self,
        accepted: u64,
        scores: &[V; TEAMS],
        lions: &[V; MAX_SEATS],
        count: &mut LaneTally,
    ) {
        let (mut totals, mut best) = ([V::splat(0); TEAMS], V::splat(0));
        for t in 0..TEAMS {
            totals[t] = scores[t].add(V::splat(self.plan.scores.0[t] as u8));
            best = best.max(totals[t]);
            let mut bytes = [0; LANES];
            totals[t].store(&mut bytes);
            let histogram = count.tally.histogram_mut(Team::ALL[t]);
            if accepted == u64::MAX >> (LANES - V::LANES) {
                bytes[..V::LANES].iter().for_each(|&score| histogram[usize::from(score)] += 1);
            } else {
                LanesOf(accepted).for_each(|lane| histogram[usize::from(bytes[lane])] += 1);
            }
        }
        // Among the teams with the best score, those with the fewest Lions win.
        let (mut rank, mut fewest) = ([V::splat(0); TEAMS], V::splat(255));
        for t in 0..TEAMS {
            rank[t] = V::select(totals[t].equal(best), lions[t], V::splat(255));
            fewest = fewest.min(rank[t]);
        }
        let (mut wins, mut won, mut shared) = ([0; TEAMS], 0, 0);
        for t in 0..TEAMS {
            wins[t] = V::bits(rank[t].equal(fewest)) & accepted;
            shared |= won & wins[t];
            won |= wins[t];
        }
        for (team, wins) in Team::ALL.into_iter().zip(wins) {
            count.tally.add_lone_wins(team, (wins & !shared).count_ones().into());
        }
        for lane in LanesOf(shared) {
            let winners = Team::ALL.into_iter().zip(wins).filter(|(_, wins)| wins >> lane & 1 == 1);
            count.tally.add_winners(winners.map(|(team, _)| team).collect());
        }
    }

    /// Counts the scores and the winners of the accepted lanes when scores need more than a byte.
    #[inline(always)]
    fn count_wide<V: Vector, const TEAMS: usize>(
        &self,
        accepted: u64,
        scores: &[V; TEAMS],
        eights: &[V; TEAMS],
        lions: &[V; MAX_SEATS],
        count: &mut LaneTally,
    ) {
        let [mut ones, mut by_eight, mut by_lion] = [[[0; LANES]; TEAMS]; 3];
        for t in 0..TEAMS {
            scores[t].store(&mut ones[t]);
            eights[t].store(&mut by_eight[t]);
            lions[t].store(&mut by_lion[t]);
        }
        for lane in LanesOf(accepted) {
            let (mut score, mut lions) = (self.plan.scores, ByTeam::default());
            for t in 0..TEAMS {
                score.0[t] += u16::from(ones[t][lane]) + 8 * u16::from(by_eight[t][lane]);
                lions.0[t] = by_lion[t][lane];
            }
            count.tally.add_scores(&score, &lions);
        }
    }
}

/// What lies in the empty spaces of a line, and what lay in the line at the start.
#[inline(always)]
fn sum<V: Vector>(of: &[V; PLACES], [a, b, c, d]: [usize; 4], start: u8) -> V {
    let new = of[a].add(of[b]).add(of[c].add(of[d]));
    if start == 0 { new } else { new.add(V::splat(start)) }
}

/// Bytes of choice words, four plies each.
const CHOICES: usize = 6;

/// The set bits of a mask, from the lowest.
struct LanesOf(u64);

impl Iterator for LanesOf {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let lane = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    }
}

/// At most the first n set bits.
fn first_lanes(mut lanes: u64, wanted: u64) -> u64 {
    while u64::from(lanes.count_ones()) > wanted {
        lanes &= !(1 << lanes.ilog2());
    }
    lanes
}

/// Puts the items of each lane in random order, as `Shuffle::apply` does; adds the lanes in which a word is refused.
#[inline(always)]
fn shuffle<V: Vector>(items: &mut [V], plan: &Shuffle, state: &mut [V::Words; 4], refused: &mut V::Words) {
    for word in &plan.words {
        match word.bounds.len() {
            1 => fix_places::<V, 1>(items, word, state, refused),
            2 => fix_places::<V, 2>(items, word, state, refused),
            3 => fix_places::<V, 3>(items, word, state, refused),
            4 => fix_places::<V, 4>(items, word, state, refused),
            5 => fix_places::<V, 5>(items, word, state, refused),
            6 => fix_places::<V, 6>(items, word, state, refused),
            bounds => unreachable!("no word of a deck or a board has {bounds} bounds"),
        }
    }
}

/// Fixes the places that one word decides, all in one pass over the items behind them.
#[inline(always)]
fn fix_places<V: Vector, const FIXED: usize>(
    items: &mut [V],
    word: &Word,
    state: &mut [V::Words; 4],
    refused: &mut V::Words,
) {
    let (fixed, rest) = items[word.first..].split_at_mut(FIXED);
    let mut words = V::next_words(state);
    // Which of the items in `fixed` and `rest` comes to each place, counted from the first place of this word.
    let mut wanted = [V::splat(0); FIXED];
    for (i, (wanted, &bound)) in wanted.iter_mut().zip(&word.bounds).enumerate() {
        let (high, low) = V::multiply(words, bound);
        (*wanted, words) = (high.add(V::splat(i as u8)), low);
    }
    if word.refused > 0 {
        V::note_less(refused, words, word.refused);
    }
    // What lies at each place before its turn, and what comes there.
    let mut before = [V::splat(0); FIXED];
    before.copy_from_slice(fixed);
    let mut after = before;
    for i in 0..FIXED {
        after[i] = before[i];
        for k in i + 1..FIXED {
            let here = wanted[i].equal(V::splat(k as u8));
            after[i] = V::select(here, before[k], after[i]);
            before[k] = V::select(here, before[i], before[k]);
        }
    }
    let mut index = V::splat(FIXED as u8);
    for item in rest {
        let mut current = *item;
        for i in 0..FIXED {
            let here = wanted[i].equal(index);
            after[i] = V::select(here, current, after[i]);
            current = V::select(here, before[i], current);
        }
        *item = current;
        index = index.add(V::splat(1));
    }
    fixed.copy_from_slice(&after);
}
