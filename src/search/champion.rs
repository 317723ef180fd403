//! The strongest player, [`Champion`], and what guides its search.

use std::time::Instant;

use crate::board::SPACES;
use crate::moves::Move;
use crate::rng::Xoshiro256PlusPlus;
use crate::rollout::Policy;
use crate::search::deals::{deals, solve_deals};
use crate::search::flat::halve;
use crate::search::ismcts::{first_look, search};
use crate::search::knowledge::{Knowledge, shares_of, tile_of};
use crate::search::math::{exp, ln, logistic};
use crate::search::tree::{Edge, Guide};
use crate::search::value::{UNIT, Value};
use crate::search::{Analysis, Analyst, Effort, SearchError, Watch};
use crate::tile::{ByTeam, Face, Team};
use crate::view::View;
use crate::world::{Setting, World};

/// How much of the share is explored for: PUCT (Silver and others, "Mastering the game of Go without human knowledge",
/// 2017) with availability counts.
const EXPLORATION: f32 = 1.0;
/// Prior weights are the odds to the power of one over this.
const TEMPERATURE: f32 = 0.5;

/// What was learnt guides the search: priors and first guesses from the value of what a move leads to, and the value in
/// place of playouts. It is the [`Guide`] with which self-play goes on learning; [`Value`] has what was learnt.
#[derive(Clone, Copy, Debug)]
pub struct Learnt<'v>(pub &'v Value);

impl<'s> Guide<Knowledge<'s>> for Learnt<'_> {
    const GUESSES: u32 = 1;

    fn expand(
        &self,
        _: &Knowledge<'s>,
        world: &World<'s>,
        group: u8,
        _: &mut Xoshiro256PlusPlus,
        edges: &mut Vec<Edge>,
    ) {
        let hand = world.hand(world.turn().0);
        let (animal, face) =
            tile_of(group).unwrap_or_else(|| (hand.tiles().next().expect("a turn has a tile"), Face::Lion));
        if world.ply() == SPACES - 1 {
            edges.extend(world.empty_spaces().map(|space| {
                let mut end = *world;
                end.play(Move { animal, face, space });
                let share = shares_of(end.winners())[world.turn().1];
                Edge::new(space.index() as u8, exp(8.0 * share), share)
            }));
            return;
        }
        self.0.appraise(world, animal, face, |space, logit| {
            let logit = logit as f32 / UNIT;
            edges.push(Edge::new(space.index() as u8, exp(logit / TEMPERATURE), logistic(logit)));
        });
    }

    fn evaluate(&self, _: &Knowledge<'s>, world: &World<'s>, team: Team, _: &mut Xoshiro256PlusPlus) -> ByTeam<f32> {
        let share = logistic(self.0.logit(world) as f32 / UNIT);
        ByTeam(Team::ALL.map(|other| if other == team { share } else { 1.0 - share }))
    }

    fn select_score(&self, edge: &Edge, available: u32, priors: f32) -> f32 {
        edge.mean + EXPLORATION * edge.prior / priors * (available as f32).sqrt() / (1 + edge.visits) as f32
    }
}

/// The line that the logits of a search's shares lie on, as slope and shift. The team that places the last tile of the game
/// does better than its view lets it expect, and the other worse.
fn line_of_search(view: &View) -> (f32, f32) {
    let rules = view.rules();
    let left = 1.0 - view.ply() as f32 / SPACES as f32;
    let is_last = rules.team_of(rules.seat_at(view.ply())) == rules.team_of(rules.seat_at(SPACES - 1));
    (1.73, if is_last { 0.78 * left - 0.26 } else { -0.58 })
}

/// The line for shares over solved deals, in which the mover is taken to know more than it does.
const LINE_OF_SOLVED: (f32, f32) = (0.75, -0.6);

/// Shares nearer to 0 or 1 than this are taken for them.
const SURE: f64 = 1e-9;

/// Shares as the champion's own games bear them out: their logits on a line (Platt, "Probabilistic outputs for support
/// vector machines", 1999). `benchmarks/calibration.py` shows how well it holds. Which move is better than which stays the
/// same, and so does what is sure.
fn calibrated(mut analysis: Analysis, (slope, shift): (f32, f32)) -> Analysis {
    let moved = |share: f64| {
        if !(SURE..=1.0 - SURE).contains(&share) {
            return share;
        }
        let share = share.clamp(1e-4, 1.0 - 1e-4);
        f64::from(logistic(slope * ln((share / (1.0 - share)) as f32) + shift))
    };
    for it in &mut analysis.moves {
        // The error reaches as far as what it reached before is moved; the line is too bent near 0 and 1 for its slope.
        let (low, high) = (moved((it.win_share - it.stderr).max(0.0)), moved((it.win_share + it.stderr).min(1.0)));
        it.win_share = moved(it.win_share);
        it.stderr = (it.win_share - low).max(high - it.win_share);
    }
    analysis
}

/// The strongest player of this crate. It searches a tree by what self-play has learnt, and solves the last six plies over
/// all deals that its view leaves open; where nothing was learnt (three or four teams, or other rules than the printed
/// ones), it spends its iterations on playouts as [`SoftGreedy`](crate::search::SoftGreedy) does. The win shares of its
/// analyses are those that its own games have borne out.
///
/// ```
/// # use savanna_core::{Effort, Player, View, search::Champion};
/// // Front up, the Monkey gives 3, 1 and 1 points and takes 2; Lion up it loses.
/// let view: View = "seat=1 2p 0?0z1M0m/0m0m1Z0e/.0z0m1z/1Z1M1e1M/1g0g1G0? -/m -/- 9/9".parse()?;
/// assert_eq!(Champion(Effort::iterations(1)).choose(&view)?.to_string(), "monkey a3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Champion(pub Effort);

impl Champion {
    /// How many iterations it makes unless it is told otherwise.
    pub const ITERATIONS: u64 = 40_000;

    fn search(&self, view: &View, scored: bool, watch: &mut Watch<'_>) -> Result<Analysis, SearchError> {
        let setting = Setting::new(view.rules());
        if let Some(deals) = deals(&setting, view) {
            let start = Instant::now();
            let analysis = first_look(view, self.0.seed, scored, watch)?;
            let solved = calibrated(solve_deals(analysis, &deals, watch)?, LINE_OF_SOLVED);
            return Ok(Analysis { time: start.elapsed(), ..solved });
        }
        match Value::learnt(view.rules()) {
            Some(value) => {
                search(view, self.0, &Learnt(value), scored, watch).map(|it| calibrated(it, line_of_search(view)))
            }
            None => {
                // Three others who look after themselves are better foretold by keener playouts.
                let policy = if view.rules().teams() > 3 { Policy::KeenGreedy } else { Policy::SoftGreedy };
                halve(view, self.0, policy, watch)
            }
        }
    }
}

impl Default for Champion {
    fn default() -> Champion {
        Champion(Effort::iterations(Champion::ITERATIONS))
    }
}

impl Analyst for Champion {
    fn analyse_watched(&self, view: &View, watch: &mut Watch<'_>) -> Result<Analysis, SearchError> {
        self.search(view, true, watch)
    }

    fn best_watched(&self, view: &View, watch: &mut Watch<'_>) -> Result<Move, SearchError> {
        self.search(view, false, watch).map(|analysis| analysis.best())
    }
}
