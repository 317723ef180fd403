//! Micro-benchmarks. Each asserts the answer that it times, so that it cannot be fast and wrong.

use std::num::NonZeroUsize;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use savanna_core::{Options, Policy, Position, Purpose, Rules, RulesOptions, Source, Xoshiro256PlusPlus, rollout};

fn main() {
    divan::main();
}

fn rules(players: i64, mice: bool, team_game: bool) -> Rules {
    Rules::new(&RulesOptions { players, mice, team_game, ..RulesOptions::default() }).expect("valid rules")
}

/// A game in progress: the first legal move is played n times.
fn position(ply: usize) -> Position {
    let mut position = Position::deal(&Rules::default(), 0);
    for _ in 0..ply {
        let mv = position.legal_moves().iter().next().expect("a legal move");
        position = position.play(mv).expect("a legal move");
    }
    position
}

/// Complete games a second on one thread, fresh deals.
#[divan::bench(args = [(2, false, false), (2, true, false), (3, false, false), (4, false, false), (4, true, true)])]
fn fresh_deals(bencher: Bencher, (players, mice, team_game): (i64, bool, bool)) {
    let source = Source::from(rules(players, mice, team_game));
    time_rollout(bencher, &source, Policy::Uniform);
}

/// The same by the soft-greedy policy.
#[divan::bench(args = [(2, false, false), (2, true, false), (3, false, false), (4, false, false), (4, true, true)])]
fn soft_greedy(bencher: Bencher, (players, mice, team_game): (i64, bool, bool)) {
    let source = Source::from(rules(players, mice, team_game));
    time_rollout(bencher, &source, Policy::SoftGreedy);
}

/// Games a second on one thread from the middle of a game, as one seat sees it.
#[divan::bench(args = [5, 10, 15])]
fn from_a_view(bencher: Bencher, ply: usize) {
    let position = position(ply);
    time_rollout(bencher, &position.view(position.seat().expect("a seat")).into(), Policy::Uniform);
}

/// The same by the soft-greedy policy.
#[divan::bench(args = [5, 10, 15])]
fn soft_greedy_from_a_view(bencher: Bencher, ply: usize) {
    let position = position(ply);
    time_rollout(bencher, &position.view(position.seat().expect("a seat")).into(), Policy::SoftGreedy);
}

/// One round of soft-greedy games from the middle of a game, as a search asks for it.
#[divan::bench]
fn soft_greedy_small_call(bencher: Bencher) {
    let position = position(10);
    let source = Source::from(position.view(position.seat().expect("a seat")));
    time_games(bencher, &source, Policy::SoftGreedy, 64);
}

fn time_rollout(bencher: Bencher, source: &Source, policy: Policy) {
    time_games(bencher, source, policy, 1 << 14);
}

fn time_games(bencher: Bencher, source: &Source, policy: Policy, games: u64) {
    let options = Options { threads: NonZeroUsize::MIN, policy, ..Options::new(games) };
    let expected = rollout(source, &options);
    bencher.counter(ItemsCount::new(games)).bench(|| {
        let tally = rollout(black_box(source), &options);
        assert!(tally == expected && tally.games() == games);
    });
}

/// Plies a second through `legal_moves` and `play`.
#[divan::bench]
fn step(bencher: Bencher) {
    let start = position(0);
    bencher.counter(ItemsCount::new(20_usize)).bench(|| {
        let mut rng = Xoshiro256PlusPlus::numbered(0, Purpose::Sample, 0);
        let mut position = black_box(start);
        while !position.is_over() {
            let moves = position.legal_moves();
            let nth = rng.below(moves.len() as u64) as usize;
            position = moves.iter().nth(nth).and_then(|mv| position.play(mv).ok()).expect("a legal move");
        }
        assert_eq!(position.check(), Ok(()));
    });
}

/// Views redrawn a second.
#[divan::bench]
fn sample(bencher: Bencher) {
    let position = position(10);
    let view = position.view(position.seat().expect("a seat"));
    bencher.bench(|| assert_eq!(black_box(view).sample(1).ply(), 10));
}

/// Texts read a second.
#[divan::bench]
fn parse(bencher: Bencher) {
    let position = position(15);
    let text = position.to_string();
    bencher.bench(|| assert_eq!(black_box(&text).parse(), Ok(position)));
}
