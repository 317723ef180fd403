//! What lanes of soft-greedy games share, worked out once.
//!
//! A team's *sum* in a line is one byte: 64 times the number of its tiles, and their influence. Four tiles have at most
//! 60, so that the two highest bits of what all teams have there tell how many tiles are missing. The first team's sum
//! begins so far below 0 that these bits are 01 with one tile missing, and only then: read as -128 to 127, such a total
//! is greater than 63, and all others are not.

use crate::rollout::lane_plan::{LanePlan, NOWHERE, OpenLine, PLACES};
use crate::rules::Rules;
use crate::tile::{Animal, Face, MAX_SEATS, Team};

/// What a tile adds to a sum beside its influence.
pub(super) const TILE: u8 = 64;
/// A line that does not exist, of which every margin is 0.
const NO_LINE: usize = PLACES - 1;

/// What lanes of soft-greedy games share beside a `LanePlan`.
pub(super) struct SoftPlan {
    /// The lines through each place, filled up to four with `NO_LINE`.
    pub(super) crossings: Vec<[usize; 4]>,
    /// For each line, every team's sum at the start.
    pub(super) sums: Vec<[u8; MAX_SEATS]>,
    /// For each ply, how many lines can have one tile missing; they come first.
    pub(super) nearly_full: Vec<usize>,
    /// The influence and the number of Mice for each three bits that stand for a tile.
    pub(super) influence: [u8; 8],
    pub(super) mice: [u8; 8],
    /// What a space is worth if nothing is gained there, when it is empty and when it is filled.
    pub(super) worth: Worth,
}

/// What spaces are worth if nothing is gained there: so far apart that no gain makes a filled space as good as an empty
/// one, and no sum leaves a byte.
pub(super) struct Worth {
    pub(super) empty: u8,
    pub(super) filled: u8,
}

impl Worth {
    /// What fits the points of these rules; `None` if they do not fit into bytes.
    fn new(rules: &Rules) -> Option<Worth> {
        let [below, above, exact] = [rules.points_below(), rules.points_above(), rules.points_exact()].map(usize::from);
        let mice = usize::from(rules.deck()[Animal::Mouse]) * rules.players() / rules.teams();
        let mice = if rules.mice() { mice.min(4) } else { 0 };
        let (others, lines_through_a_space) = (rules.teams() - 1, 4);
        let most_won = lines_through_a_space * others * (below.max(exact).max(above) + mice);
        let most_lost = lines_through_a_space * others * (below.max(above) + mice);
        let fits = most_won + most_lost <= 127;
        fits.then_some(Worth { empty: (2 * most_lost + most_won + 1) as u8, filled: most_lost as u8 })
    }
}

impl SoftPlan {
    /// The plan for a start; `None` if its rules have tiles without influence, let absent teams be the least, or give
    /// more points than bytes hold.
    pub(super) fn new(lanes: &LanePlan) -> Option<SoftPlan> {
        let (plan, rules) = (&lanes.plan, lanes.plan.known.rules());
        let worth = Worth::new(rules)?;
        let in_play = || Animal::ALL.into_iter().filter(|&animal| rules.deck()[animal] > 0);
        let mut faces = in_play().flat_map(|animal| Face::ALL.map(|face| rules.influence(animal, face)));
        if rules.absent_can_be_least() || faces.any(|influence| influence == 0) {
            return None;
        }
        let mut influence = [0; 8];
        for animal in in_play() {
            influence[usize::from(lanes.codes[animal.index()])] = rules.influence(animal, Face::Front);
        }
        influence[usize::from(lanes.codes[Animal::ALL.len()])] = rules.influence(Animal::Monkey, Face::Lion);

        let mut crossings = vec![[NO_LINE; 4]; plan.plies.items.len()];
        for (number, line) in lanes.lines.iter().enumerate() {
            for place in line.places.into_iter().filter(|&place| place != NOWHERE) {
                if let Some(free) = crossings[place].iter_mut().find(|line| **line == NO_LINE) {
                    *free = number;
                }
            }
        }
        let missing = |line: &OpenLine| line.places.iter().filter(|&&place| place != NOWHERE).count();
        let nearly_full = |ply| lanes.lines.iter().filter(|&line| missing(line) <= ply + 1).count();
        Some(SoftPlan {
            crossings,
            sums: lanes.lines.iter().map(|line| start_of(lanes, line)).collect(),
            nearly_full: (0..plan.plies.items.len()).map(nearly_full).collect(),
            influence,
            mice: lanes.mice,
            worth,
        })
    }
}

/// Every team's sum in a line at the start.
fn start_of(lanes: &LanePlan, line: &OpenLine) -> [u8; MAX_SEATS] {
    let tally = lanes.plan.lines[line.line.index()];
    let mut sums = Team::ALL.map(|team| (TILE * tally.tiles(team)).wrapping_add(tally.influence(team)));
    // With one tile missing, all sums together come to 64 and the influence.
    let without_one = line.line.spaces().len() as u8 - 1;
    sums[0] = sums[0].wrapping_sub(TILE * (without_one - 1));
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Backend;
    use crate::rng::{Purpose, Xoshiro256PlusPlus};
    use crate::rollout::plan::Plan;
    use crate::rollout::policy::Policy;
    use crate::rollout::{Options, Source, rollout};
    use crate::rules::RulesOptions;

    fn in_lanes(options: &RulesOptions) -> bool {
        let source = Source::from(Rules::new(options).unwrap());
        SoftPlan::new(&LanePlan::new(Plan::new(&source, Policy::SoftGreedy))).is_some()
    }

    #[test]
    fn all_games_on_the_box_run_in_lanes() {
        for (players, team_game) in [(2, false), (3, false), (4, false), (4, true)] {
            for mice in [false, true] {
                assert!(in_lanes(&RulesOptions { players, mice, team_game, ..RulesOptions::default() }));
            }
        }
        let standard = RulesOptions::default();
        assert!(in_lanes(&RulesOptions { points: [15, 0, 15], ..standard.clone() }));
        assert!(!in_lanes(&RulesOptions { points: [16, 0, 15], ..standard.clone() }));
        assert!(!in_lanes(&RulesOptions { influence: [2, 3, 4, 5, 1, 0], ..standard.clone() }));
        assert!(in_lanes(&RulesOptions { influence: [2, 3, 4, 5, 0, 6], ..standard.clone() }));
        assert!(!in_lanes(&RulesOptions { absent_can_be_least: true, ..standard }));
    }

    /// Random rules that run in lanes, to the limits of what fits there.
    #[test]
    fn lanes_equal_one_game_at_a_time() {
        let (mut rng, mut compared) = (Xoshiro256PlusPlus::numbered(0, Purpose::Sample, 9), 0);
        for _ in 0..150 {
            let mut up_to = |most: u64| rng.below(most + 1) as i64;
            let (players, mice) = (2 + up_to(2), up_to(1) == 1);
            let [most, far, many] = [[6, 14], [20, 100], [3, 15]].map(|either| either[up_to(1) as usize]);
            let options = RulesOptions {
                players,
                mice,
                team_game: players == 4 && up_to(1) == 1,
                deck: Some([10, up_to(3), up_to(3), up_to(2), if mice { up_to(2) } else { 0 }]),
                influence: std::array::from_fn(|_| 1 + up_to(most)),
                target: up_to(far),
                points: std::array::from_fn(|_| up_to(many)),
                last_seat_bonus: Some(up_to(4)),
                absent_can_be_least: false,
            };
            if in_lanes(&options) {
                let source = Source::from(Rules::new(&options).unwrap());
                let play =
                    |backend| rollout(&source, &Options { backend, policy: Policy::SoftGreedy, ..Options::new(200) });
                let scalar = play(Backend::Scalar);
                assert!(Backend::available().iter().all(|&backend| play(backend) == scalar), "{options:?}");
                compared += 1;
            }
        }
        assert!(compared > 60, "only {compared}");
    }
}
