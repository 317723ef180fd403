//! The plain information-set tree search: upper confidence bounds and random playouts.

use std::time::Instant;

use crate::moves::Move;
use crate::rng::Xoshiro256PlusPlus;
use crate::rollout::{Options, Policy};
use crate::search::candidates::Candidates;
use crate::search::forest::grow;
use crate::search::knowledge::Knowledge;
use crate::search::math::ln;
use crate::search::tree::{Edge, Guide, HiddenGame, Tree};
use crate::search::{Analysis, Analyst, Effort, MoveAnalysis, SearchError, Watch, choices, numbers_for};
use crate::stats::share_error;
use crate::tile::{ByTeam, Team};
use crate::view::View;
use crate::world::Setting;

/// Upper confidence bounds for trees (Kocsis and Szepesvari, "Bandit based Monte-Carlo planning", 2006), and uniformly
/// random playouts: the [`Guide`] of [`Ismcts`], for any game. [`Tree`] shows it at work.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Uct {
    /// By how much more is tried what was tried less.
    pub exploration: f32,
}

/// More urgent than any move that was tried.
const UNTRIED: f32 = 1e6;

impl<G: HiddenGame> Guide<G> for Uct {
    const GUESSES: u32 = 0;

    fn expand(&self, game: &G, world: &G::World, group: u8, rng: &mut Xoshiro256PlusPlus, edges: &mut Vec<Edge>) {
        let mut labels = Vec::new();
        game.labels(world, group, &mut labels);
        // What is not tried yet comes in random order, by its prior.
        edges.extend(labels.into_iter().map(|label| Edge::new(label, (rng.next_u64() >> 40) as f32, 0.0)));
    }

    fn evaluate(&self, game: &G, world: &G::World, _: Team, rng: &mut Xoshiro256PlusPlus) -> ByTeam<f32> {
        let mut world = *world;
        while game.team(&world).is_some() {
            game.play_any(&mut world, rng);
        }
        game.shares(&world)
    }

    fn select_score(&self, edge: &Edge, available: u32, _: f32) -> f32 {
        if edge.visits == 0 {
            return UNTRIED + edge.prior;
        }
        edge.mean + self.exploration * (ln(available as f32) / edge.visits as f32).sqrt()
    }
}

/// Information-set Monte Carlo tree search with random playouts and nothing that is special to this game.
///
/// ```
/// # use savanna_core::{Analyst, Effort, View, search::Ismcts};
/// let view: View = "seat=1 2p ..../..0?./..../..../.... ??/mz ???????/???????? 0/0".parse()?;
/// let analysis = Ismcts(Effort::iterations(500)).analyse(&view)?;
/// assert_eq!(analysis.moves.iter().map(|it| it.visits).sum::<u64>(), 500);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ismcts(pub Effort);

impl Ismcts {
    /// How many iterations it makes unless it is told otherwise.
    pub const ITERATIONS: u64 = 10_000;

    /// The exploration of the search's authors.
    pub const EXPLORATION: f32 = 0.7;
}

impl Default for Ismcts {
    fn default() -> Ismcts {
        Ismcts(Effort::iterations(Ismcts::ITERATIONS))
    }
}

impl Analyst for Ismcts {
    fn analyse_watched(&self, view: &View, watch: &mut Watch<'_>) -> Result<Analysis, SearchError> {
        search(view, self.0, &Uct { exploration: Ismcts::EXPLORATION }, true, watch)
    }

    fn best_watched(&self, view: &View, watch: &mut Watch<'_>) -> Result<Move, SearchError> {
        search(view, self.0, &Uct { exploration: Ismcts::EXPLORATION }, false, watch).map(|analysis| analysis.best())
    }
}

/// Playouts after each move that tell the scores to expect.
const SCORED: u64 = 256;

/// All moves; if the scores are asked for, with those of soft-greedy playouts, which do not count as iterations:
/// `watch` is told of none.
pub(super) fn first_look(view: &View, seed: u64, scored: bool, watch: &mut Watch<'_>) -> Result<Analysis, SearchError> {
    let playouts = if scored { SCORED * choices(view)?.len() as u64 } else { 0 };
    let options = Options { policy: Policy::SoftGreedy, ..Options::new(0) };
    let mut none_yet = |_| watch(0);
    let effort = Effort { seed, ..Effort::iterations(playouts) };
    let mut candidates = Candidates::new(view, effort, options, &mut none_yet)?;
    if scored {
        candidates.spend(1, 1)?;
    }
    Ok(candidates.analysis())
}

/// Searches trees with a guide. The moves that were tried most are the best.
pub(super) fn search<P: for<'a> Guide<Knowledge<'a>>>(
    view: &View,
    effort: Effort,
    guide: &P,
    scored: bool,
    watch: &mut Watch<'_>,
) -> Result<Analysis, SearchError> {
    let start = Instant::now();
    let mut rng = numbers_for(view, effort.seed);
    let mut analysis = first_look(view, rng.next_u64(), scored, watch)?;

    let setting = Setting::new(view.rules());
    let knowledge = Knowledge::new(&setting, view);
    let (trees, iterations) = grow((&knowledge, guide), effort, &mut rng, start, watch)?;
    for it in &mut analysis.moves {
        let tried = trees.iter().filter_map(|tree| tried(tree, &knowledge, view, it.mv).map(|edge| (tree, edge)));
        let tried: Vec<(&Tree<'_, _, _>, &Edge)> = tried.collect();
        it.visits = tried.iter().map(|(_, edge)| u64::from(edge.visits)).sum();
        let weight = |edge: &Edge| f64::from(edge.visits) + f64::from(<P as Guide<Knowledge<'_>>>::GUESSES);
        let sum: f64 = tried.iter().map(|(_, edge)| weight(edge) * f64::from(edge.mean)).sum();
        it.win_share = sum / tried.iter().map(|(_, edge)| weight(edge)).sum::<f64>().max(1.0);
        // An upper bound: as if each iteration had ended in a win or a loss.
        let won = it.win_share * it.visits as f64;
        it.stderr = share_error(won, won, it.visits);
        it.line = tried.iter().max_by_key(|(_, edge)| edge.visits).map_or(Vec::new(), |(tree, edge)| {
            let next = view.ply() + 1;
            let named = |(ply, (group, label))| knowledge.named(view.rules().seat_at(ply), group, label);
            (next..).zip(tree.continuation(edge)).map(named).collect()
        });
    }
    // Of equals the first by action id, whether or not the first look has scored them.
    let rank = |it: &MoveAnalysis| (it.visits, it.win_share);
    analysis
        .moves
        .sort_by(|a, b| rank(b).partial_cmp(&rank(a)).expect("no NaN").then(a.mv.action().cmp(&b.mv.action())));
    Ok(Analysis { iterations, time: start.elapsed(), threads: effort.threads.get(), ..analysis })
}

/// A move of the root, if the tree has it.
fn tried<'t, P: for<'a> Guide<Knowledge<'a>>>(
    tree: &'t Tree<'_, Knowledge<'_>, P>,
    knowledge: &Knowledge<'_>,
    view: &View,
    mv: Move,
) -> Option<&'t Edge> {
    tree.root()
        .find(|(group, edge)| knowledge.named(view.rules().seat_at(view.ply()), *group, edge.label) == mv)
        .map(|(_, edge)| edge)
}
