//! Information-set Monte Carlo tree search with a single observer (Cowling, Powley and Whitehouse, "Information set
//! Monte Carlo tree search", 2012), for any game with hidden information and any way of guiding it.
//!
//! Each iteration draws a world that is consistent with what the observer knows and walks down the one tree, through
//! moves as the observer sees them. Since hidden hands differ between worlds, a move's exploration counts how often it
//! was available, not how often its node was visited.

use std::fmt;

use crate::rng::Xoshiro256PlusPlus;
use crate::tile::{ByTeam, Team};

/// A game as one observer knows it. [`Knowledge`](crate::search::knowledge::Knowledge) is this game; implement it for
/// another, and [`Tree`] searches that:
///
/// ```
/// # use savanna_core::{ByTeam, Purpose, Team, Xoshiro256PlusPlus as Rng};
/// # use savanna_core::search::{Uct, tree::{HiddenGame, Tree}};
/// /// A coin that three times in four lies on side 0; the observer says on which.
/// struct Coin;
/// impl HiddenGame for Coin {
///     type World = (u8, Option<u8>); // how it lies, and what was said
///     fn determinize(&self, rng: &mut Rng) -> (u8, Option<u8>) {
///         (u8::from(rng.below(4) == 3), None)
///     }
///     fn team(&self, (_, said): &(u8, Option<u8>)) -> Option<Team> {
///         said.is_none().then_some(Team::ALL[0])
///     }
///     // Both things to say are always open: one group. It is labelled by the side.
///     fn groups(&self, _: &(u8, Option<u8>), groups: &mut Vec<u8>) {
///         groups.push(0);
///     }
///     fn labels(&self, _: &(u8, Option<u8>), _: u8, labels: &mut Vec<u8>) {
///         labels.extend([0, 1]);
///     }
///     fn play(&self, (_, said): &mut (u8, Option<u8>), _: u8, label: u8, _: &mut Rng) {
///         *said = Some(label);
///     }
///     fn play_any(&self, world: &mut (u8, Option<u8>), rng: &mut Rng) {
///         self.play(world, 0, rng.below(2) as u8, rng);
///     }
///     fn shares(&self, &(lies, said): &(u8, Option<u8>)) -> ByTeam<f32> {
///         if said == Some(lies) { ByTeam([1.0, 0.0, 0.0, 0.0]) } else { ByTeam([0.0, 1.0, 0.0, 0.0]) }
///     }
/// }
/// let mut tree = Tree::new(&Coin, &Uct { exploration: 0.7 }, Rng::numbered(0, Purpose::Choose, 0));
/// (0..2000).for_each(|_| tree.iterate());
/// let (_, best) = tree.root().max_by_key(|(_, edge)| edge.visits).expect("two things to say");
/// assert!(best.label == 0 && (best.mean - 0.75).abs() < 0.05);
/// ```
pub trait HiddenGame: Sync {
    /// One way in which everything may lie.
    type World: Copy;

    /// Draws a world that is consistent with what the observer knows, with the chances that it thinks they have.
    fn determinize(&self, rng: &mut Xoshiro256PlusPlus) -> Self::World;

    /// The team to move; `None` when the game is over.
    fn team(&self, world: &Self::World) -> Option<Team>;

    /// Appends the groups of moves that are open. A group is a set of moves that are always open together, such as all
    /// that put one kind of tile; its number says which, the same in all worlds that look the same.
    fn groups(&self, world: &Self::World, groups: &mut Vec<u8>);

    /// Appends what the observer sees of each move of an open group: its label.
    fn labels(&self, world: &Self::World, group: u8, labels: &mut Vec<u8>);

    /// Plays a move of an open group: what the observer sees of it is the label, and what he does not see is drawn.
    fn play(&self, world: &mut Self::World, group: u8, label: u8, rng: &mut Xoshiro256PlusPlus);

    /// Plays one of the legal moves, all equally likely.
    fn play_any(&self, world: &mut Self::World, rng: &mut Xoshiro256PlusPlus);

    /// The share of the win that each team has in the end.
    fn shares(&self, world: &Self::World) -> ByTeam<f32>;
}

/// What a search thinks of moves before it has tried them, and which it tries next. [`Uct`](crate::search::Uct) serves
/// any game, [`Learnt`](crate::search::champion::Learnt) this one.
pub trait Guide<G: HiddenGame>: Sync {
    /// How many visits the first guess of a move's worth counts for, 0 or 1.
    const GUESSES: u32;

    /// Appends the moves of an open group, each with its label, its prior weight and a first guess of the share of the
    /// team that makes it.
    fn expand(&self, game: &G, world: &G::World, group: u8, rng: &mut Xoshiro256PlusPlus, edges: &mut Vec<Edge>);

    /// The shares to expect in a world that a move of this team has just led to, and which is not over.
    fn evaluate(&self, game: &G, world: &G::World, team: Team, rng: &mut Xoshiro256PlusPlus) -> ByTeam<f32>;

    /// How much a move should be tried, which was available so often; `priors` is the sum of all open moves' weights.
    fn select_score(&self, edge: &Edge, available: u32, priors: f32) -> f32;
}

/// A move in the tree. [`Tree::root`] shows those that the observer has, and a [`Guide`] makes them.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// What the observer sees of it, within its group.
    pub label: u8,
    /// Its prior weight.
    pub prior: f32,
    /// The mean share of the team that makes it, the first guess included.
    pub mean: f32,
    /// How often it was tried.
    pub visits: u32,
    /// The node that it leads to; 0 if there is none yet, as the root is never led to.
    node: u32,
}

impl Edge {
    /// A move that was not tried yet.
    pub fn new(label: u8, prior: f32, guess: f32) -> Edge {
        Edge { label, prior, mean: guess, visits: 0, node: 0 }
    }
}

/// The moves of one group in one node.
struct Group {
    id: u8,
    /// The next group of the node; 0 for none.
    next: u32,
    first: u32,
    len: u32,
    available: u32,
    priors: f32,
}

/// A tree stops growing at this number of moves (100 MB), and is still searched.
const MOST_EDGES: usize = 1 << 22;

/// The tree of one search.
///
/// ```
/// # use savanna_core::{Position, Purpose, Setting, View, Xoshiro256PlusPlus};
/// # use savanna_core::search::{Uct, knowledge::Knowledge, tree::Tree};
/// let view: View = "seat=0 2p 0Z0M0m0z/1m1m1z0G/0m1e0M1?/1?0Z.1z/1?.1m0E g/? -/- 11/11".parse()?;
/// let setting = Setting::new(view.rules());
/// let (game, guide) = (Knowledge::new(&setting, &view), Uct { exploration: 0.7 });
/// let mut tree = Tree::new(&game, &guide, Xoshiro256PlusPlus::numbered(0, Purpose::Choose, 0));
/// (0..100).for_each(|_| tree.iterate());
/// let visits: Vec<u32> = tree.root().map(|(_, edge)| edge.visits).collect();
/// assert_eq!((visits.len(), visits.iter().sum()), (4, 100)); // the Giraffe, either face up, on d2 or b1
/// # Ok::<(), savanna_core::NotationError>(())
/// ```
pub struct Tree<'g, G: HiddenGame, P: Guide<G>> {
    game: &'g G,
    guide: &'g P,
    rng: Xoshiro256PlusPlus,
    /// The first group of each node, 0 for none yet; the root's node is the first.
    nodes: Vec<u32>,
    groups: Vec<Group>,
    edges: Vec<Edge>,
    /// At this number of edges the tree stops growing.
    most: usize,
    /// The groups that are open in the current world, and where they lie.
    open: Vec<u8>,
    places: Vec<usize>,
    /// The moves of the current iteration, and who made them.
    path: Vec<(u32, Team)>,
}

impl<G: HiddenGame, P: Guide<G>> fmt::Debug for Tree<'_, G, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tree").field("edges", &self.edges.len()).finish_non_exhaustive()
    }
}

impl<'g, G: HiddenGame, P: Guide<G>> Tree<'g, G, P> {
    /// A tree of nothing but its root.
    pub fn new(game: &'g G, guide: &'g P, rng: Xoshiro256PlusPlus) -> Tree<'g, G, P> {
        // Group 0 stands for none.
        let none = Group { id: 0, next: 0, first: 0, len: 0, available: 0, priors: 0.0 };
        let (edges, open, places, path) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (nodes, groups, most) = (vec![0], vec![none], MOST_EDGES);
        Tree { game, guide, rng, nodes, groups, edges, most, open, places, path }
    }

    /// Makes one iteration.
    pub fn iterate(&mut self) {
        let mut world = self.game.determinize(&mut self.rng);
        let mut node = 0;
        self.path.clear();
        let shares = loop {
            let Some(team) = self.game.team(&world) else {
                break self.game.shares(&world);
            };
            let (group, index) = self.select(node, &world);
            self.path.push((index, team));
            let edge = self.edges[index as usize];
            self.game.play(&mut world, group, edge.label, &mut self.rng);
            if edge.node != 0 {
                node = edge.node;
            } else if edge.visits > 0 && self.edges.len() < self.most {
                node = self.nodes.len() as u32;
                self.nodes.push(0);
                self.edges[index as usize].node = node;
            } else if self.game.team(&world).is_some() {
                break self.guide.evaluate(self.game, &world, team, &mut self.rng);
            }
        };
        for &(index, team) in &self.path {
            let edge = &mut self.edges[index as usize];
            edge.visits += 1;
            edge.mean += (shares[team] - edge.mean) / (edge.visits + P::GUESSES) as f32;
        }
    }

    /// The most urgent of the moves that are open in this world: its group and its place among all edges.
    fn select(&mut self, node: u32, world: &G::World) -> (u8, u32) {
        self.open.clear();
        self.places.clear();
        self.game.groups(world, &mut self.open);
        let mut priors = 0.0;
        for i in 0..self.open.len() {
            let place = self.group(node, self.open[i], world);
            let group = &mut self.groups[place];
            group.available += 1;
            priors += group.priors;
            self.places.push(place);
        }
        let (mut best, mut choice) = (f32::NEG_INFINITY, (0, 0));
        for &place in &self.places {
            let group = &self.groups[place];
            let edges = &self.edges[group.first as usize..][..group.len as usize];
            for (index, edge) in (group.first..).zip(edges) {
                let score = self.guide.select_score(edge, group.available, priors);
                if score > best {
                    (best, choice) = (score, (group.id, index));
                }
            }
        }
        choice
    }

    /// Where a group of a node lies; it is made if it is new.
    fn group(&mut self, node: u32, id: u8, world: &G::World) -> usize {
        let mut place = self.nodes[node as usize];
        while place != 0 {
            let group = &self.groups[place as usize];
            if group.id == id {
                return place as usize;
            }
            place = group.next;
        }
        let first = self.edges.len();
        self.guide.expand(self.game, world, id, &mut self.rng, &mut self.edges);
        let edges = &self.edges[first..];
        let priors = edges.iter().map(|edge| edge.prior).sum();
        let next = std::mem::replace(&mut self.nodes[node as usize], self.groups.len() as u32);
        self.groups.push(Group { id, next, first: first as u32, len: edges.len() as u32, available: 0, priors });
        self.groups.len() - 1
    }

    /// The moves of the observer and how they fared: group and move.
    pub fn root(&self) -> impl Iterator<Item = (u8, &Edge)> {
        self.moves_of(0)
    }

    fn moves_of(&self, node: u32) -> impl Iterator<Item = (u8, &Edge)> {
        let list =
            std::iter::successors(Some(self.nodes[node as usize]), |&place| Some(self.groups[place as usize].next));
        list.take_while(|&place| place != 0).flat_map(|place| {
            let group = &self.groups[place as usize];
            self.edges[group.first as usize..][..group.len as usize].iter().map(|edge| (group.id, edge))
        })
    }

    /// The moves after this one that were tried most, as far as the tree has grown: group and label.
    pub fn continuation(&self, edge: &Edge) -> Vec<(u8, u8)> {
        let mut line = Vec::new();
        let mut node = edge.node;
        while node != 0 {
            let Some((group, edge)) = self.moves_of(node).max_by_key(|(_, edge)| edge.visits) else { break };
            if edge.visits == 0 {
                break;
            }
            line.push((group, edge.label));
            node = edge.node;
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Purpose;

    /// Three moves, each of which may be any of five numbers; who chooses wins in proportion to what they add up to.
    struct Sum;

    impl HiddenGame for Sum {
        type World = (u8, u8);

        fn determinize(&self, _: &mut Xoshiro256PlusPlus) -> (u8, u8) {
            (0, 0)
        }

        fn team(&self, &(made, _): &(u8, u8)) -> Option<Team> {
            (made < 3).then_some(Team::ALL[0])
        }

        fn groups(&self, _: &(u8, u8), groups: &mut Vec<u8>) {
            groups.push(0);
        }

        fn labels(&self, _: &(u8, u8), _: u8, labels: &mut Vec<u8>) {
            labels.extend(0..5);
        }

        fn play(&self, (made, sum): &mut (u8, u8), _: u8, label: u8, _: &mut Xoshiro256PlusPlus) {
            *made += 1;
            *sum += label;
        }

        fn play_any(&self, world: &mut (u8, u8), rng: &mut Xoshiro256PlusPlus) {
            let label = rng.below(5) as u8;
            self.play(world, 0, label, rng);
        }

        fn shares(&self, &(_, sum): &(u8, u8)) -> ByTeam<f32> {
            ByTeam(Team::ALL.map(|team| if team == Team::ALL[0] { f32::from(sum) / 12.0 } else { 0.0 }))
        }
    }

    /// Tries the moves of a node in turn, and plays on at random.
    struct InTurn;

    impl Guide<Sum> for InTurn {
        const GUESSES: u32 = 0;

        fn expand(&self, _: &Sum, _: &(u8, u8), _: u8, _: &mut Xoshiro256PlusPlus, edges: &mut Vec<Edge>) {
            edges.extend((0..5).map(|label| Edge::new(label, 1.0, 0.0)));
        }

        fn evaluate(&self, game: &Sum, world: &(u8, u8), _: Team, rng: &mut Xoshiro256PlusPlus) -> ByTeam<f32> {
            let mut world = *world;
            while game.team(&world).is_some() {
                game.play_any(&mut world, rng);
            }
            game.shares(&world)
        }

        fn select_score(&self, edge: &Edge, _: u32, _: f32) -> f32 {
            -(edge.visits as f32)
        }
    }

    /// A node of five moves is made as long as there are fewer edges than the most; after that visits and means go on.
    #[test]
    fn a_full_tree_is_still_searched() {
        for (most, grown) in [(0, 5), (5, 5), (6, 10), (10, 10), (11, 15), (MOST_EDGES, 5 + 25 + 125)] {
            let mut tree = Tree::new(&Sum, &InTurn, Xoshiro256PlusPlus::numbered(1, Purpose::Choose, 0));
            tree.most = most;
            (0..4000).for_each(|_| tree.iterate());
            assert_eq!(tree.edges.len(), grown, "{most}");
            for (_, edge) in tree.root() {
                // All that comes after is as likely, so it adds 4 of 12 on average.
                assert_eq!(edge.visits, 800);
                assert!((edge.mean - (f32::from(edge.label) + 4.0) / 12.0).abs() < 0.03, "{most}: {edge:?}");
            }
        }
    }
}
