//! Players: budgets spent as written, watchers heeded, and one protocol for all.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::thread::sleep;
use std::time::Duration;

use crate::common::{random_move, variants};
use savanna_core::search::{Champion, FlatMonteCarlo, Greedy, Ismcts, Random, SoftGreedy, Watch, choices, numbers_for};
use savanna_core::{
    Analyst, Budget, Effort, Move, MoveAnalysis, Player, Position, Purpose, Rules, SearchError, Seat, View,
    Xoshiro256PlusPlus,
};

/// The view of the seat to move at every ply of a random game.
fn views(rules: &Rules, seed: u64) -> Vec<View> {
    let mut rng = Xoshiro256PlusPlus::numbered(seed, Purpose::Sample, 3);
    let mut position = Position::deal(rules, seed);
    let mut views = Vec::new();
    while let Some(seat) = position.seat() {
        views.push(position.view(seat));
        position = position.play(random_move(&position, &mut rng)).expect("a legal move");
    }
    views
}

/// A player of a user: always the last move.
struct Last;

impl Player for Last {
    fn choose_watched(&self, view: &View, _: &mut Watch<'_>) -> Result<Move, SearchError> {
        Ok(choices(view)?[view.legal_moves().len() - 1])
    }
}

fn players(threads: usize) -> Vec<Box<dyn Player>> {
    let threads = NonZeroUsize::new(threads).expect("a thread");
    let effort = |playouts| Effort { seed: 5, threads, ..Effort::iterations(playouts) };
    vec![
        Box::new(Random { seed: 5 }),
        Box::new(Greedy { seed: 5 }),
        Box::new(FlatMonteCarlo(effort(300))),
        Box::new(SoftGreedy(effort(300))),
        Box::new(Ismcts(effort(300))),
        Box::new(Champion(effort(300))),
        Box::new(Last),
    ]
}

#[test]
fn players_choose_legal_moves_by_the_view_alone() {
    for rules in variants() {
        for view in views(&rules, 3).into_iter().step_by(4) {
            let twin = view.sample(1).view(view.seat().unwrap());
            for (player, on_two) in players(1).iter().zip(players(2)) {
                let mv = player.choose(&view).expect("a move");
                assert!(view.legal_moves().contains(mv));
                assert_eq!(on_two.choose(&twin), Ok(mv));
            }
        }
    }
}

#[test]
fn there_is_nothing_to_choose_after_the_end_or_out_of_turn() {
    let rules = Rules::default();
    let start = Position::deal(&rules, 1);
    let mut rng = Xoshiro256PlusPlus::numbered(1, Purpose::Sample, 4);
    let mut end = start;
    while !end.is_over() {
        end = end.play(random_move(&end, &mut rng)).expect("a legal move");
    }
    let (seat, to_move) = (Seat::ALL[1], Seat::ALL[0]);
    for player in players(1) {
        assert_eq!(player.choose(&end.view(seat)), Err(SearchError::GameOver));
        assert_eq!(player.choose(&start.view(seat)), Err(SearchError::NotToMove { viewer: Some(seat), to_move }));
    }
}

#[test]
fn other_views_have_other_numbers() {
    let mut firsts = Vec::new();
    for rules in variants() {
        for view in views(&rules, 4) {
            assert_eq!(view.fingerprint(), view.sample(7).view(view.seat().unwrap()).fingerprint());
            firsts.extend([0, 1].map(|seed| numbers_for(&view, seed).next_u64()));
        }
    }
    let count = firsts.len();
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!((firsts.len(), count), (2 * 20 * variants().len(), 2 * 20 * variants().len()));
}

/// What halving should do, by hand. Six moves take three rounds, of 6, 3 and 2 moves: 100 / 3 / 6 = 5 playouts of each,
/// then 11, then 16.
const SCHEDULES: [(u64, &[u64]); 6] = [
    (100, &[100 / 2, 100 / 2]),
    (100, &[37, 37, 12, 12]),
    (100, &[32, 32, 16, 5, 5, 5]),
    (1000, &[269, 269, 144, 61, 61, 61, 20, 20, 20, 20, 20, 20]),
    (1, &[2, 2, 1, 1]),
    (1, &[3, 3, 2, 1, 1, 1]),
];

#[test]
fn halving_spends_an_equal_part_on_every_round() {
    let views: Vec<View> = (0..20).flat_map(|seed| views(&Rules::default(), seed)).collect();
    for (playouts, expected) in SCHEDULES {
        let view = views.iter().find(|view| view.legal_moves().len() == expected.len()).expect("a view like this");
        let analysis = SoftGreedy(Effort::iterations(playouts)).analyse(view).expect("an analysis");
        let visits: Vec<u64> = analysis.moves.iter().map(|it| it.visits).collect();
        assert_eq!(visits, expected);
        assert_eq!(analysis.iterations, visits.iter().sum::<u64>());
        // Those that left the race together, and the last two, are ordered by their worth.
        let ordered = |pair: &[MoveAnalysis]| pair[0].visits > pair[1].visits || pair[0].worth() >= pair[1].worth();
        assert!(analysis.moves.windows(2).all(ordered));
        assert_eq!(SoftGreedy(Effort::iterations(playouts)).choose(view), Ok(analysis.best()));
    }
}

#[test]
fn a_watcher_sees_progress_and_stops_a_search() {
    let view = Position::deal(&Rules::default(), 2).view(Seat::ALL[0]);
    let budgets = [Budget::Iterations(u64::MAX), Budget::Iterations(1 << 50), Budget::Time(Duration::MAX)];
    for budget in budgets {
        for threads in [1, 2] {
            let threads = NonZeroUsize::new(threads).expect("a thread");
            let effort = Effort { threads, ..Effort::new(budget) };
            let all: [&dyn Player; 4] =
                [&FlatMonteCarlo(effort), &SoftGreedy(effort), &Ismcts(effort), &Champion(effort)];
            for player in all {
                let mut told = Vec::new();
                let result = player.choose_watched(&view, &mut |iterations| {
                    told.push(iterations);
                    if told.len() < 3 || iterations == told[0] {
                        return ControlFlow::Continue(());
                    }
                    // Long enough to be told again, if stopping it did not forbid that.
                    sleep(Duration::from_millis(100));
                    ControlFlow::Break(())
                });
                assert_eq!(result, Err(SearchError::Stopped));
                let begun = told.iter().filter(|&&iterations| iterations == told[0]).count();
                assert!(told.is_sorted() && told.len() == 3.max(begun + 1), "{told:?}");
            }
        }
    }
}

#[test]
fn a_budget_of_time_is_spent() {
    let view = Position::deal(&Rules::default(), 2).view(Seat::ALL[0]);
    let time = Duration::from_millis(40);
    let effort = Effort::new(Budget::Time(time));
    for analysis in [FlatMonteCarlo(effort).analyse(&view), SoftGreedy(effort).analyse(&view)] {
        let analysis = analysis.expect("an analysis");
        assert!(analysis.time >= time);
        assert!(analysis.moves.iter().all(|it| it.visits > 0 && it.visits % 128 == 0));
        assert_eq!(analysis.iterations, analysis.moves.iter().map(|it| it.visits).sum::<u64>());
        // A search that has no time plays every move once.
        let hurried = FlatMonteCarlo(Effort::new(Budget::Time(Duration::ZERO))).analyse(&view).expect("an analysis");
        assert_eq!(hurried.iterations, 128 * view.legal_moves().len() as u64);
    }
}
