//! Tree search on toy games whose values are known by theory or by hand.

use std::sync::atomic::{AtomicU32, Ordering};

use savanna_core::search::Uct;
use savanna_core::search::tree::{Edge, Guide, HiddenGame, Tree};
use savanna_core::{ByTeam, Purpose, Team, Xoshiro256PlusPlus};

type Rng = Xoshiro256PlusPlus;

fn numbers(seed: u64) -> Rng {
    Rng::numbered(seed, Purpose::Choose, 0)
}

/// A win, or a share of it, for team 0; the rest is that of team 1.
fn shares(first: f32) -> ByTeam<f32> {
    let mut shares = ByTeam::default();
    (shares[Team::ALL[0]], shares[Team::ALL[1]]) = (first, 1.0 - first);
    shares
}

const UCT: Uct = Uct { exploration: 0.7 };

/// A guide that counts its first guess as a visit: all moves weigh the same, and are guessed to be even.
struct Even;

impl<G: HiddenGame> Guide<G> for Even {
    const GUESSES: u32 = 1;

    fn expand(&self, game: &G, world: &G::World, group: u8, _: &mut Rng, edges: &mut Vec<Edge>) {
        let mut labels = Vec::new();
        game.labels(world, group, &mut labels);
        edges.extend(labels.into_iter().map(|label| Edge::new(label, 1.0, 0.5)));
    }

    fn evaluate(&self, game: &G, world: &G::World, team: Team, rng: &mut Rng) -> ByTeam<f32> {
        UCT.evaluate(game, world, team, rng)
    }

    fn select_score(&self, edge: &Edge, available: u32, priors: f32) -> f32 {
        edge.mean + edge.prior / priors * (available as f32).sqrt() / (1 + edge.visits) as f32
    }
}

/// The moves of the root after so many iterations, most tried first: group, label, visits and mean.
fn searched<G: HiddenGame, P: Guide<G>>(game: &G, guide: &P, iterations: u32) -> Vec<(u8, u8, u32, f32)> {
    let mut tree = Tree::new(game, guide, numbers(1));
    (0..iterations).for_each(|_| tree.iterate());
    let mut moves: Vec<_> = tree.root().map(|(group, edge)| (group, edge.label, edge.visits, edge.mean)).collect();
    assert_eq!(moves.iter().map(|it| it.2).sum::<u32>(), iterations);
    moves.sort_by_key(|it| std::cmp::Reverse(it.2));
    moves
}

/// Both kinds of guides, one after the other.
fn by_both<G: HiddenGame>(game: &G, iterations: u32) -> [Vec<(u8, u8, u32, f32)>; 2] {
    [searched(game, &UCT, iterations), searched(game, &Even, iterations)]
}

// ---------------------------------------------------------------------------------------------------------------- Nim

/// Heaps from which two teams take by turns, as much as they like of one; who takes the last wins. A heap is a group.
struct Nim([u8; 3]);

impl HiddenGame for Nim {
    type World = ([u8; 3], usize);

    fn determinize(&self, _: &mut Rng) -> Self::World {
        (self.0, 0)
    }

    fn team(&self, (heaps, mover): &Self::World) -> Option<Team> {
        (*heaps != [0; 3]).then_some(Team::ALL[*mover])
    }

    fn groups(&self, (heaps, _): &Self::World, groups: &mut Vec<u8>) {
        groups.extend((0..3).filter(|&heap| heaps[usize::from(heap)] > 0));
    }

    fn labels(&self, (heaps, _): &Self::World, heap: u8, labels: &mut Vec<u8>) {
        labels.extend(1..=heaps[usize::from(heap)]);
    }

    fn play(&self, (heaps, mover): &mut Self::World, heap: u8, taken: u8, _: &mut Rng) {
        heaps[usize::from(heap)] -= taken;
        *mover = 1 - *mover;
    }

    fn play_any(&self, world: &mut Self::World, rng: &mut Rng) {
        let all = world.0.iter().map(|&heap| u64::from(heap)).sum();
        let (mut heap, mut choice) = (0, rng.below(all) as u8);
        while choice >= world.0[usize::from(heap)] {
            choice -= world.0[usize::from(heap)];
            heap += 1;
        }
        self.play(world, heap, choice + 1, rng);
    }

    fn shares(&self, (_, mover): &Self::World) -> ByTeam<f32> {
        shares(*mover as f32)
    }
}

/// Bouton's theorem (1901): who leaves heaps whose sizes add up to 0 without carrying wins.
#[test]
fn nim_is_won_whenever_it_can_be() {
    let (mut won, mut lost) = (0, 0);
    for number in 1..64_u8 {
        let heaps = [number % 4, number / 4 % 4, number / 16];
        for moves in by_both(&Nim(heaps), 4000) {
            let (heap, taken, _, mean) = moves[0];
            let mut left = heaps;
            left[usize::from(heap)] -= taken;
            if heaps[0] ^ heaps[1] ^ heaps[2] == 0 {
                assert!(mean < 0.1, "{heaps:?}: {moves:?}");
                lost += 1;
            } else {
                assert_eq!(left[0] ^ left[1] ^ left[2], 0, "{heaps:?}: {moves:?}");
                assert!(mean > 0.9, "{heaps:?}: {moves:?}");
                won += 1;
            }
        }
    }
    assert_eq!((won, lost), (2 * 48, 2 * 15));
}

// -------------------------------------------------------------------------------------------------------------- poker

const PASS: u8 = 0;
const BET: u8 = 1;

/// Kuhn's poker (1950): a Jack, a Queen and a King, of which each of two has one. Both have put in 1; a bet is 1 more. The
/// observer has this card and makes the first move; or he has passed, and his opponent has bet.
struct Poker {
    card: u8,
    facing_a_bet: bool,
}

/// The cards, and what was done.
#[derive(Clone, Copy)]
struct Hand {
    cards: [u8; 2],
    done: [u8; 3],
    len: usize,
}

impl HiddenGame for Poker {
    type World = Hand;

    fn determinize(&self, rng: &mut Rng) -> Hand {
        let other = (self.card + 1 + rng.below(2) as u8) % 3;
        let len = if self.facing_a_bet { 2 } else { 0 };
        Hand { cards: [self.card, other], done: [PASS, BET, PASS], len }
    }

    fn team(&self, hand: &Hand) -> Option<Team> {
        let over = matches!(hand.done[..hand.len], [PASS, PASS] | [BET, _] | [PASS, BET, _]);
        (!over).then_some(Team::ALL[hand.len % 2])
    }

    fn groups(&self, _: &Hand, groups: &mut Vec<u8>) {
        groups.push(0);
    }

    fn labels(&self, _: &Hand, _: u8, labels: &mut Vec<u8>) {
        labels.extend([PASS, BET]);
    }

    fn play(&self, hand: &mut Hand, _: u8, label: u8, _: &mut Rng) {
        hand.done[hand.len] = label;
        hand.len += 1;
    }

    fn play_any(&self, hand: &mut Hand, rng: &mut Rng) {
        let label = rng.below(2) as u8;
        self.play(hand, 0, label, rng);
    }

    /// From losing 2 to winning 2, on a scale from 0 to 1.
    fn shares(&self, hand: &Hand) -> ByTeam<f32> {
        let shown = if hand.cards[0] > hand.cards[1] { 1.0 } else { -1.0 };
        let won = match hand.done[..hand.len] {
            [BET, PASS] => 1.0,
            [PASS, BET, PASS] => -1.0,
            [PASS, PASS] => shown,
            _ => 2.0 * shown,
        };
        shares((won + 2.0) / 4.0)
    }
}

/// Folding loses 1, which is 0.25. A King that calls wins 2 from either other card, a Jack loses 2 to either; a Queen
/// does so half of the time, as the world is drawn without regard to how the opponent bets, so calling is worth 0.5.
#[test]
fn poker_facing_a_bet() {
    for (card, best, call) in [(2, BET, 1.0), (0, PASS, 0.0), (1, BET, 0.5)] {
        for (moves, guesses) in by_both(&Poker { card, facing_a_bet: true }, 4000).into_iter().zip([0.0, 1.0]) {
            assert_eq!(moves[0].1, best, "card {card}: {moves:?}");
            for &(_, label, visits, mean) in &moves {
                // The first guess is 0.5 and counts for one visit.
                let of = |value: f32| (value * visits as f32 + 0.5 * guesses) / (visits as f32 + guesses);
                let (value, slack) = if label == PASS { (0.25, 1e-3) } else { (call, f32::from(card % 2) * 0.05) };
                assert!((mean - of(value)).abs() < slack + 1e-3, "card {card}: {moves:?}");
            }
        }
    }
}

/// In a tree of one observer, the opponent's moves are not told apart by a card that the observer does not see, so the
/// opponent comes to play against the observer's card. Against a King he folds or passes, and loses 1: 0.75. A Jack that
/// bets is called and loses 2; if it passes it can lose no more than 1: 0.25.
#[test]
fn poker_from_the_start() {
    for moves in by_both(&Poker { card: 2, facing_a_bet: false }, 20_000) {
        assert!(moves.iter().all(|it| (it.3 - 0.75).abs() < 0.03), "{moves:?}");
    }
    for moves in by_both(&Poker { card: 0, facing_a_bet: false }, 20_000) {
        assert!(moves[0].1 == PASS && (moves[0].3 - 0.25).abs() < 0.03, "{moves:?}");
        assert!(moves[1].3 < 0.15, "{moves:?}");
    }
}

// ------------------------------------------------------------------------------------------------------- availability

/// One move, and in a tenth of the worlds another one.
#[derive(Default)]
struct Seldom {
    rare: f32,
    worlds: AtomicU32,
    open: AtomicU32,
}

const USUAL: u8 = 3;
const RARE: u8 = 5;

impl HiddenGame for Seldom {
    /// Whether the other move is open, and what came of the move that was made.
    type World = (bool, Option<f32>);

    fn determinize(&self, rng: &mut Rng) -> Self::World {
        let open = rng.below(10) == 0;
        self.worlds.fetch_add(1, Ordering::Relaxed);
        self.open.fetch_add(u32::from(open), Ordering::Relaxed);
        (open, None)
    }

    fn team(&self, world: &Self::World) -> Option<Team> {
        world.1.is_none().then_some(Team::ALL[0])
    }

    fn groups(&self, world: &Self::World, groups: &mut Vec<u8>) {
        groups.push(USUAL);
        groups.extend(world.0.then_some(RARE));
    }

    fn labels(&self, _: &Self::World, group: u8, labels: &mut Vec<u8>) {
        labels.push(group);
    }

    fn play(&self, world: &mut Self::World, group: u8, _: u8, _: &mut Rng) {
        assert!(group == USUAL || world.0, "played where it is not open");
        world.1 = Some(if group == RARE { self.rare } else { 0.5 });
    }

    fn play_any(&self, world: &mut Self::World, rng: &mut Rng) {
        self.play(world, USUAL, USUAL, rng);
    }

    fn shares(&self, world: &Self::World) -> ByTeam<f32> {
        shares(world.1.unwrap_or(0.5))
    }
}

/// `Even`, with a note of how often either move was said to be available, and checks of what all priors add up to.
#[derive(Default)]
struct Noting {
    usual: AtomicU32,
    rare: AtomicU32,
}

impl Guide<Seldom> for Noting {
    const GUESSES: u32 = 1;

    fn expand(&self, _: &Seldom, _: &(bool, Option<f32>), group: u8, _: &mut Rng, edges: &mut Vec<Edge>) {
        edges.push(Edge::new(group, f32::from(group), 0.5));
    }

    fn evaluate(&self, _: &Seldom, _: &(bool, Option<f32>), _: Team, _: &mut Rng) -> ByTeam<f32> {
        unreachable!("the game is over after one move")
    }

    fn select_score(&self, edge: &Edge, available: u32, priors: f32) -> f32 {
        let [usual, rare] = [USUAL, RARE].map(f32::from);
        assert!(priors == usual + rare || edge.label == USUAL && priors == usual);
        let noted = if edge.label == USUAL { &self.usual } else { &self.rare };
        assert!(available - noted.swap(available, Ordering::Relaxed) == 1);
        Guide::<Seldom>::select_score(&Even, edge, available, priors)
    }
}

#[test]
fn a_move_counts_how_often_it_was_available() {
    let (game, guide) = (Seldom { rare: 1.0, ..Seldom::default() }, Noting::default());
    searched(&game, &guide, 3000);
    assert_eq!(guide.usual.into_inner(), 3000);
    assert_eq!(guide.rare.into_inner(), game.open.into_inner());
}

#[test]
fn a_move_that_is_seldom_open_is_made_if_it_is_best_and_left_if_not() {
    for (rare, least, most) in [(1.0, 0.95, 1.0), (0.0, 0.0, 0.1)] {
        for even in [false, true] {
            let game = Seldom { rare, ..Seldom::default() };
            let moves = if even { searched(&game, &Even, 10_000) } else { searched(&game, &UCT, 10_000) };
            let open = f64::from(game.open.into_inner());
            assert!((900.0..1100.0).contains(&open));
            let made = f64::from(moves.iter().find(|it| it.0 == RARE).expect("the rare move").2) / open;
            assert!((least..=most).contains(&made), "{made} of {open}");
        }
    }
}

// ------------------------------------------------------------------------------------------------------------- growth

/// Moves without a choice, five of them; team 0 makes all and wins.
struct Corridor;

impl HiddenGame for Corridor {
    type World = u8;

    fn determinize(&self, _: &mut Rng) -> u8 {
        0
    }

    fn team(&self, world: &u8) -> Option<Team> {
        (*world < 5).then_some(Team::ALL[0])
    }

    fn groups(&self, world: &u8, groups: &mut Vec<u8>) {
        groups.push(10 + world);
    }

    fn labels(&self, world: &u8, _: u8, labels: &mut Vec<u8>) {
        labels.push(20 + world);
    }

    fn play(&self, world: &mut u8, group: u8, label: u8, _: &mut Rng) {
        assert_eq!((group, label), (10 + *world, 20 + *world));
        *world += 1;
    }

    fn play_any(&self, world: &mut u8, _: &mut Rng) {
        *world += 1;
    }

    fn shares(&self, _: &u8) -> ByTeam<f32> {
        shares(1.0)
    }
}

#[test]
fn a_tree_grows_by_one_move_an_iteration_and_tells_how_it_goes_on() {
    let mut tree = Tree::new(&Corridor, &UCT, numbers(1));
    assert_eq!(tree.root().count(), 0);
    for iteration in 1..=9 {
        tree.iterate();
        let moves: Vec<_> = tree.root().collect();
        let [(10, edge)] = moves[..] else { panic!("not one move: {moves:?}") };
        assert_eq!((edge.label, edge.visits, edge.mean), (20, iteration, 1.0));
        let expected: Vec<(u8, u8)> = (1..iteration.min(5) as u8).map(|ply| (10 + ply, 20 + ply)).collect();
        assert_eq!(tree.continuation(edge), expected);
    }
}

/// With heaps of 1, 2 and 0 the winning move takes 1 of the 2; then both take what is left.
#[test]
fn the_continuation_is_what_was_tried_most() {
    let game = Nim([1, 2, 0]);
    let mut tree = Tree::new(&game, &UCT, numbers(1));
    (0..2000).for_each(|_| tree.iterate());
    let (group, best) = tree.root().max_by_key(|(_, edge)| edge.visits).expect("a move");
    assert_eq!((group, best.label), (1, 1));
    let line = tree.continuation(best);
    assert!(line == [(0, 1), (1, 1)] || line == [(1, 1), (0, 1)], "{line:?}");
    // Were the 1 taken, the other team would win at once by taking both of the 2.
    let (_, worse) = tree.root().find(|(group, _)| *group == 0).expect("a move");
    assert_eq!(tree.continuation(worse), [(1, 2)]);
}
