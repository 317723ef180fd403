//! What all lanes of one call share, worked out once.

use crate::board::{Line, Space};
use crate::rollout::plan::Plan;
use crate::tile::{Animal, Face, MAX_SEATS, Team};

/// Numbers for each empty space, and `NOWHERE`, have so much room that no index of five bits needs a check.
pub(super) const PLACES: usize = 32;
/// A place that is always empty.
pub(super) const NOWHERE: usize = PLACES - 1;

/// How to count a line that is not full at the start.
pub(super) struct OpenLine {
    pub(super) line: Line,
    /// Its empty spaces, as places among all empty spaces, filled up to four with `NOWHERE`.
    pub(super) places: [usize; 4],
    /// What lies in it already: the total as coded and, by team, influence as coded and Mice front up.
    pub(super) total: u8,
    pub(super) influence: [u8; MAX_SEATS],
    pub(super) mice: [u8; MAX_SEATS],
    /// The total that is exactly the target, as coded; 255 for one that no line reaches.
    pub(super) target: u8,
}

/// Whose turn a ply is.
pub(super) struct Turn {
    /// The bits of a cell that stand for the place in the order of play and for the seat.
    pub(super) order: u8,
    pub(super) team: usize,
    /// The place of the seat's next tile among all queues.
    pub(super) tile: usize,
    /// Whether it has two tiles to choose from.
    pub(super) two: bool,
}

/// What all lanes of one call share.
pub(super) struct LanePlan {
    pub(super) plan: Plan,
    /// The three bits that stand for each animal front up, and for the Lion.
    pub(super) codes: [u8; Animal::ALL.len() + 1],
    /// The influence, as coded, of each three bits; their number of front-up Mice.
    pub(super) influence: [u8; 8],
    pub(super) mice: [u8; 8],
    /// The three bits are themselves the influence, every tile has some, and nothing unusual is counted.
    pub(super) plain: bool,
    /// For each ply: whose turn it is.
    pub(super) turns: Vec<Turn>,
    /// The bits of a cell that name the team that placed it, and what they are for each team.
    pub(super) team_bits: u8,
    pub(super) team_codes: [u8; MAX_SEATS],
    pub(super) lines: Vec<OpenLine>,
    /// Points below, above and exactly at the target.
    pub(super) points: [u8; 3],
    /// Scores can exceed a byte: points are counted in two parts, eights and ones.
    pub(super) wide: bool,
}

impl LanePlan {
    pub(super) fn new(plan: Plan) -> LanePlan {
        let rules = *plan.known.rules();
        let lion = rules.influence(Animal::Monkey, Face::Lion);
        let in_play = Animal::ALL.into_iter().filter(|&animal| rules.deck()[animal] > 0);
        let influences: Vec<u8> = in_play.map(|animal| rules.influence(animal, Face::Front)).chain([lion]).collect();
        let wide = rules.max_score() > usize::from(u8::MAX);
        let plain = influences.iter().all(|influence| (1..8).contains(influence))
            && !(wide || rules.mice() || rules.absent_can_be_least());
        let code_of = |animal: Animal, face: Face| match (plain, face) {
            (true, _) => rules.influence(animal, face),
            (false, Face::Front) => animal.index() as u8,
            (false, Face::Lion) => Animal::ALL.len() as u8,
        };
        let mut lane_plan = LanePlan {
            plan,
            codes: std::array::from_fn(|i| match Animal::ALL.get(i) {
                Some(&animal) => code_of(animal, Face::Front) & 7,
                None => code_of(Animal::Monkey, Face::Lion),
            }),
            influence: [0; 8],
            mice: [0; 8],
            plain,
            turns: Vec::new(),
            team_bits: 0,
            team_codes: [0; MAX_SEATS],
            lines: Vec::new(),
            points: [rules.points_below(), rules.points_above(), rules.points_exact()],
            wide,
        };
        for animal in Animal::ALL {
            let code = usize::from(lane_plan.codes[animal.index()]);
            lane_plan.influence[code] = lane_plan.coded(rules.influence(animal, Face::Front), 1);
            lane_plan.mice[code] = u8::from(!plain && animal == Animal::Mouse);
        }
        let lion_code = usize::from(lane_plan.codes[Animal::ALL.len()]);
        lane_plan.influence[lion_code] = lane_plan.coded(lion, 1);
        lane_plan.plan_plies();
        lane_plan.plan_lines();
        lane_plan
    }

    /// Influence as it is added up. Unless all is plain, it is four times the influence and the number of tiles, so
    /// that a sum tells a team without a tile from one without influence; at most 4 * 60 + 4 = 244.
    fn coded(&self, influence: u8, tiles: u8) -> u8 {
        if self.plain { influence } else { 4 * influence + tiles }
    }

    fn plan_plies(&mut self) {
        let rules = self.plan.known.rules();
        let seat_bits = if rules.players() == 2 { 1 } else { 2 };
        let first_round = self.plan.known.ply() / rules.players();
        let mut placed = [0; MAX_SEATS];
        for i in self.plan.plies.items.iter().copied() {
            let seat = self.plan.turns[i].0.index();
            let round = (self.plan.known.ply() + i) / rules.players() - first_round;
            let order = ((round << seat_bits | seat) << 3) as u8;
            let two = placed[seat] + 1 < self.plan.seats.0[seat].placeable;
            self.turns.push(Turn {
                order,
                team: self.plan.turns[i].1.index(),
                tile: seat * PLACES + placed[seat],
                two,
            });
            placed[seat] += 1;
        }
        // In the Team game partners differ in the higher seat bit only.
        self.team_bits = if rules.teams() == 2 { 1 << 3 } else { 3 << 3 };
        self.team_codes = std::array::from_fn(|team| (team << 3) as u8);
    }

    fn plan_lines(&mut self) {
        let (plan, rules) = (&self.plan, self.plan.known.rules());
        let empty: Vec<Space> = plan.known.empty_spaces().collect();
        let mut open: Vec<Line> = plan.open_lines.collect();
        // Those that may be filled first come first.
        open.sort_by_key(|line| line.spaces().minus(plan.known.filled).len());
        for line in open {
            let tally = plan.lines[line.index()];
            let mut in_line = (0..empty.len()).filter(|&place| line.spaces().contains(empty[place]));
            let places = std::array::from_fn(|_| in_line.next().unwrap_or(NOWHERE));
            let influence = Team::ALL.map(|team| self.coded(tally.influence(team), tally.tiles(team)));
            let target = usize::from(self.coded(0, line.spaces().len() as u8))
                + usize::from(rules.target()) * if self.plain { 1 } else { 4 };
            self.lines.push(OpenLine {
                line,
                places,
                total: influence.iter().sum(),
                influence,
                mice: Team::ALL.map(|team| tally.mice(team)),
                target: target.min(usize::from(u8::MAX)) as u8,
            });
        }
    }
}
