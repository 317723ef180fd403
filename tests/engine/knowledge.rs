//! What a seat knows, as tree search sees it, and the trees that are grown from it.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

use crate::common::{random_move, variants};
use savanna_core::board::{Line, Space};
use savanna_core::search::knowledge::Knowledge;
use savanna_core::search::tree::HiddenGame;
use savanna_core::search::{Champion, Ismcts};
use savanna_core::{
    Analyst, Animal, Budget, Effort, Face, Position, Purpose, Rules, RulesOptions, SearchError, Seat, Setting, View,
    World, Xoshiro256PlusPlus,
};

/// All positions of a random game but the last.
fn game(rules: &Rules, seed: u64) -> Vec<Position> {
    let mut rng = Xoshiro256PlusPlus::numbered(seed, Purpose::Sample, 5);
    let mut positions = vec![Position::deal(rules, seed)];
    while positions.len() < 20 {
        let last = positions[positions.len() - 1];
        positions.push(last.play(random_move(&last, &mut rng)).expect("a legal move"));
    }
    positions
}

/// The view of the seat to move.
fn mine(position: &Position) -> View {
    position.view(position.seat().expect("not over"))
}

/// Hands in index order and decks in draw order, of every seat.
type Tiles = Vec<(Vec<Animal>, Vec<Animal>)>;

fn tiles(world: &World<'_>) -> Tiles {
    let seats = world.setting().rules().seats();
    seats.map(|seat| (world.hand(seat).tiles().collect(), world.deck(seat).tiles().collect())).collect()
}

/// All orders of these tiles, equal ones as often as they come.
fn orders(tiles: &[Animal]) -> Vec<Vec<Animal>> {
    if tiles.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for first in 0..tiles.len() {
        let mut rest = tiles.to_vec();
        let tile = rest.remove(first);
        all.extend(orders(&rest).into_iter().map(|mut order| {
            order.insert(0, tile);
            order
        }));
    }
    all
}

/// How likely each way is in which the hidden tiles may lie: by all orders of the tiles that a seat does not see of each,
/// which are told from the truth; the first are a hand, the next a deck, the others lie under Lions.
fn chances(truth: &Position, observer: Seat) -> HashMap<Tiles, f64> {
    let mut all = HashMap::from([(Vec::new(), 1.0)]);
    for seat in truth.rules().seats() {
        let (hand, deck) = (truth.hand(seat), truth.deck(seat));
        let mut hidden: Vec<Animal> = deck.tiles().collect();
        if seat != observer {
            hidden.extend(hand.tiles());
            let placed = Space::ALL.into_iter().filter_map(|space| truth.tile(space)).filter(|it| it.seat() == seat);
            hidden.extend(placed.filter(|it| it.face() == Face::Lion).map(|it| it.animal()));
        }
        let held = if seat == observer { 0 } else { hand.len() };
        let orders = orders(&hidden);
        let mut more = HashMap::new();
        for order in &orders {
            let mut drawn: Vec<Animal> = if seat == observer { hand.tiles().collect() } else { order[..held].to_vec() };
            drawn.sort_unstable();
            *more.entry((drawn, order[held..held + deck.len()].to_vec())).or_insert(0.0) += 1.0 / orders.len() as f64;
        }
        let with = |(others, chance): (&Tiles, &f64)| {
            let (others, chance) = (others.clone(), *chance);
            more.iter()
                .map(move |(mine, its)| ([&others[..], std::slice::from_ref(mine)].concat(), chance * its))
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

#[test]
fn worlds_are_as_likely_as_they_are() {
    let printed = |players, mice, team_game| RulesOptions { players, mice, team_game, ..RulesOptions::default() };
    for (options, ply) in [
        (printed(2, false, false), 15),
        (printed(2, true, false), 16),
        (printed(3, false, false), 17),
        (printed(4, false, false), 17),
        (printed(4, true, true), 19),
    ] {
        let rules = Rules::new(&options).expect("valid rules");
        let setting = Setting::new(&rules);
        let mut checked = 0;
        for truth in (0..40).map(|seed| game(&rules, seed)[ply]) {
            let view = mine(&truth);
            let hidden: Vec<usize> = rules.seats().map(|seat| view.unseen(seat).total()).collect();
            if hidden.iter().any(|&tiles| tiles > 6) || hidden.iter().sum::<usize>() > 12 || checked == 3 {
                continue;
            }
            let expected = chances(&truth, view.seat().unwrap());
            if expected.len() < 5 || expected.len() > 400 {
                continue;
            }
            checked += 1;
            let knowledge = Knowledge::new(&setting, &view);
            let mut rng = Xoshiro256PlusPlus::numbered(7, Purpose::Choose, 0);
            let (draws, mut counts) = (20_000, HashMap::<Tiles, u32>::new());
            (0..draws).for_each(|_| *counts.entry(tiles(&knowledge.determinize(&mut rng))).or_default() += 1);
            assert!(counts.keys().all(|key| expected.contains_key(key)), "{view}: an impossible world");
            let square = |(key, chance): (&Tiles, &f64)| {
                let mean = chance * f64::from(draws);
                (f64::from(counts.get(key).copied().unwrap_or(0)) - mean).powi(2) / mean
            };
            // Its mean is the number of degrees of freedom, its variance twice that.
            let (chi_square, free) = (expected.iter().map(square).sum::<f64>(), (expected.len() - 1) as f64);
            assert!((chi_square - free).abs() < 5.0 * (2.0 * free).sqrt(), "{view}: {chi_square} of {free}");
        }
        assert_eq!(checked, 3, "{rules}");
    }
}

#[test]
fn worlds_keep_what_the_seat_knows_and_depend_on_nothing_else() {
    for rules in variants() {
        let setting = Setting::new(&rules);
        for truth in game(&rules, 3) {
            let (view, known) = (mine(&truth), World::new(&setting, &truth));
            let twin = mine(&view.sample(9));
            let [one, two] = [&view, &twin].map(|view| Knowledge::new(&setting, view));
            let [mut first, mut second] = [0; 2].map(|_| Xoshiro256PlusPlus::numbered(4, Purpose::Choose, 0));
            for _ in 0..5 {
                let world = one.determinize(&mut first);
                assert_eq!(tiles(&world), tiles(&two.determinize(&mut second)));
                assert_eq!(world.hand(view.seat().unwrap()), view.hand());
                for seat in rules.seats() {
                    assert_eq!(world.hand(seat).len(), view.hand_size(seat));
                    assert_eq!(world.deck(seat).len(), view.deck_size(seat));
                }
                assert_eq!((world.ply(), world.scores(), world.lions()), (known.ply(), known.scores(), known.lions()));
                assert_eq!(world.empty_spaces(), known.empty_spaces());
                assert!(Line::ALL.iter().all(|&line| world.line(line) == known.line(line)));
            }
        }
    }
}

/// Makes a player of an effort.
type Search = fn(Effort) -> Box<dyn Analyst>;

/// Every number of iterations is made exactly, in one tree, in several, and in more than can have one each; threads and
/// what the seat does not see change nothing.
#[test]
fn iterations_are_exact_whatever_the_threads() {
    // Late for the plain search, as its playouts take long; earlier for the champion, who solves what is late.
    let plies: [(usize, Search, &[u64]); 2] = [
        (17, |it| Box::new(Ismcts(it)), &[1, 31, 32, 33, 65_536, 65_537, 140_001]),
        (12, |it| Box::new(Champion(it)), &[1, 33, 65_537]),
    ];
    for (ply, search, numbers) in plies {
        let truth = game(&Rules::default(), 2)[ply];
        let (view, twin) = (mine(&truth), mine(&mine(&truth).sample(5)));
        for &iterations in numbers {
            let on = |threads| {
                let threads = NonZeroUsize::new(threads).expect("a thread");
                search(Effort { threads, ..Effort::iterations(iterations) })
            };
            let expected = on(1).analyse(&view).expect("an analysis");
            assert_eq!(expected.iterations, iterations);
            assert_eq!(expected.moves.iter().map(|it| it.visits).sum::<u64>(), iterations);
            assert!(expected.moves.windows(2).all(|pair| pair[0].visits >= pair[1].visits));
            for (threads, view) in [(2, &twin), (3, &view)] {
                assert_eq!(on(threads).analyse(view), Ok(expected.clone()));
            }
        }
    }
}

/// The watcher is told ascending numbers of iterations, and stops the search.
#[test]
fn a_watcher_of_an_analysis_is_told_iterations() {
    let view = mine(&Position::deal(&Rules::default(), 2));
    let mut told = Vec::new();
    let result = Champion(Effort::iterations(u64::MAX)).analyse_watched(&view, &mut |iterations| {
        told.push(iterations);
        if told.len() < 6 || iterations == 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!(result, Err(SearchError::Stopped));
    assert!(told.is_sorted() && told.len() >= 6, "{told:?}");
}

/// All deals are those that can be, each with its chance; they are given if they are no more than the most.
#[test]
fn deals_are_all_and_as_likely_as_they_are() {
    let mut several = 0;
    for rules in variants() {
        let setting = Setting::new(&rules);
        for seed in 0..6 {
            let truth = game(&rules, seed)[17 - seed as usize % 2];
            let view = mine(&truth);
            let knowledge = Knowledge::new(&setting, &view);
            if rules.seats().any(|seat| view.unseen(seat).total() > 8) {
                continue;
            }
            let expected = chances(&truth, view.seat().unwrap());
            let deals = knowledge.deals(expected.len()).expect("no more than that");
            assert_eq!(deals.len(), expected.len());
            let deals: HashMap<Tiles, f64> = deals.iter().map(|(world, chance)| (tiles(world), *chance)).collect();
            assert_eq!(deals.len(), expected.len());
            for (key, chance) in &expected {
                assert!((deals[key] - chance).abs() < 1e-12, "{view}: {key:?}");
            }
            assert!(knowledge.deals(expected.len() - 1).is_none());
            several += usize::from(expected.len() > 50);
        }
    }
    assert!(several >= 10);
}

/// A long deck, of which most will never be drawn, has more orders than memory holds. They are not made to be counted.
#[test]
fn too_many_deals_are_seen_at_once() {
    let options =
        RulesOptions { players: 4, mice: true, team_game: true, deck: Some([4; 5]), ..RulesOptions::default() };
    let rules = Rules::new(&options).expect("valid rules");
    let (setting, view) = (Setting::new(&rules), mine(&game(&rules, 1)[17]));
    assert!(Knowledge::new(&setting, &view).deals(300).is_none());
}

/// `View::sample` deals by the same chances.
#[test]
fn samples_are_as_likely_as_worlds() {
    let (rules, draws) = (Rules::default(), 20_000);
    let setting = Setting::new(&rules);
    let views = (0..40).map(|seed| mine(&game(&rules, seed)[14]));
    let few = |view: &View| {
        let deals = Knowledge::new(&setting, view).deals(300)?.len();
        (deals > 20).then_some(deals)
    };
    let (view, deals) = views.filter_map(|view| Some((view, few(&view)?))).next().expect("a view");
    let (knowledge, mut rng) = (Knowledge::new(&setting, &view), Xoshiro256PlusPlus::numbered(3, Purpose::Choose, 0));
    let mut counts = HashMap::<Tiles, [f64; 2]>::new();
    for seed in 0..draws {
        counts.entry(tiles(&knowledge.determinize(&mut rng))).or_default()[0] += 1.0;
        counts.entry(tiles(&World::new(&setting, &view.sample(seed)))).or_default()[1] += 1.0;
    }
    assert_eq!(counts.len(), deals);
    // For two samples of the same size; its mean is the number of degrees of freedom.
    let chi_square: f64 = counts.values().map(|[one, two]| (one - two).powi(2) / (one + two)).sum();
    let free = (deals - 1) as f64;
    assert!((chi_square - free).abs() < 5.0 * (2.0 * free).sqrt(), "{chi_square} of {free}");
}

/// Time is not measured here, but it ends; there is a tree for each thread, and none is without iterations.
#[test]
fn a_budget_of_time_ends() {
    let view = mine(&game(&Rules::default(), 2)[8]);
    for (threads, time) in [(1, 0), (3, 0), (1, 20), (3, 20)] {
        let (threads, budget) =
            (NonZeroUsize::new(threads).expect("a thread"), Budget::Time(Duration::from_millis(time)));
        let analysis = Ismcts(Effort { threads, ..Effort::new(budget) }).analyse(&view).expect("an analysis");
        assert!(analysis.iterations >= threads.get() as u64);
        assert_eq!(analysis.moves.iter().map(|it| it.visits).sum::<u64>(), analysis.iterations);
        assert_eq!(analysis.threads, threads.get());
    }
}
