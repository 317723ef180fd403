//! Wrong arguments: refused in release builds as in debug builds, with a text that says what is wrong, and nothing is
//! done that was not asked for.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::common::variants;
use savanna_core::envs::{Batch, BatchOptions, Episode, Layout, MAX_ENVS, Rows};
use savanna_core::rollout::{BATCH, MAX_GAMES, playouts_watched, rollout_many};
use savanna_core::search::Champion;
use savanna_core::search::knowledge::Knowledge;
use savanna_core::*;

const GO_ON: ControlFlow<()> = ControlFlow::Continue(());

fn rules(text: &str) -> Rules {
    text.parse().expect("rules")
}

/// The text with which this panics.
fn refusal<T>(work: impl FnOnce() -> T) -> String {
    let Err(payload) = catch_unwind(AssertUnwindSafe(work)) else { panic!("it was not refused") };
    let text = payload.downcast_ref::<String>().cloned();
    text.or(payload.downcast_ref::<&str>().map(|text| (*text).to_owned())).expect("a text")
}

#[test]
fn options_of_playouts_are_checked_before_any_game() {
    let source = Source::from(Rules::default());
    let start = Position::deal(&Rules::default(), 1);
    for (first, games, text) in [
        (0, 0, "games must be 1 to 9007199254740992, got 0"),
        (0, MAX_GAMES + 1, "games must be 1 to 9007199254740992, got 9007199254740993"),
        (u64::MAX, 1, "first must be 0 to 9007199254740992, got 18446744073709551615"),
        (BATCH - 1, 1, "first must be a multiple of 16384, got 16383"),
        (MAX_GAMES, 1, "first + games must be at most 9007199254740992, got 9007199254740993"),
    ] {
        let options = Options { first, ..Options::new(games) };
        assert_eq!(options.check().map_err(|error| error.to_string()), Err(text.to_owned()));
        assert_eq!(refusal(|| rollout(&source, &options)), text);
        assert_eq!(refusal(|| rollout_many(&[], &options, &mut |_| GO_ON)), text);
        let parts = std::iter::repeat(());
        assert_eq!(refusal(|| playouts_watched(&start.into(), &options, parts, |_, _, _| {}, &mut |_| GO_ON)), text);
    }
    for (first, games) in [(0, 1), (0, MAX_GAMES), (MAX_GAMES - BATCH, BATCH)] {
        assert_eq!(Options { first, ..Options::new(games) }.check(), Ok(()));
    }
}

#[test]
fn every_batch_of_playouts_needs_a_part() {
    let (source, options) = (Source::from(Rules::default()), Options::new(BATCH + 1));
    let play = |parts: usize| playouts_watched(&source, &options, 0..parts, |_, _, _| {}, &mut |_| GO_ON);
    assert!(play(2) && play(3));
    assert!(refusal(|| play(1)).contains("a part for every batch"));
}

#[test]
fn tallies_of_other_rules_or_of_too_many_games_are_not_added() {
    let tally = |rules: &Rules, games| rollout(&(*rules).into(), &Options::new(games));
    let (two, three) = (rules("2p"), rules("3p"));
    let mut sum = Tally::new(&two);
    let text = "tallies of 2p and of 3p cannot be added";
    assert_eq!(refusal(|| sum.clone().merge(&tally(&three, 10))), text);
    // The same number of counts, and still other rules.
    assert_eq!(
        refusal(|| sum.clone().merge(&tally(&rules("2p,target=11"), 10))),
        "tallies of 2p and of 2p,target=11 cannot be added"
    );
    sum.merge(&tally(&two, 10));
    sum.merge(&tally(&two, 20));
    assert_eq!(
        (sum.games(), Stats::from(sum).to_string().split(',').next().map(str::to_owned)),
        (30, Some("30 games".into()))
    );
    let width = two.max_score() + 1;
    let mut scores = vec![0; 2 * width];
    (scores[9], scores[width]) = (MAX_GAMES, MAX_GAMES);
    let wins = ByTeam([[MAX_GAMES, 0, 0, 0], [0; 4], [0; 4], [0; 4]]);
    let full = Tally::from_counts(&two, MAX_GAMES, wins, scores, [0; 3]).expect("counts that fit");
    assert_eq!(refusal(|| full.clone().merge(&tally(&two, 1))), "a tally has at most 9007199254740992 games");
}

#[test]
fn only_ends_by_the_same_rules_are_counted() {
    let (two, other) = (rules("2p"), rules("2p,target=11"));
    let end = |rules: &Rules| {
        let mut position = Position::deal(rules, 2);
        while let Some(mv) = position.legal_moves().iter().next() {
            position = position.play(mv).expect("a legal move");
        }
        position
    };
    let settings = [Setting::new(&two), Setting::new(&other)];
    let start = World::new(&settings[0], &Position::deal(&two, 2));
    let [over, foreign] = [(&settings[0], &two), (&settings[1], &other)].map(|(of, rules)| World::new(of, &end(rules)));
    let mut tally = Tally::new(&two);
    for world in [start, foreign] {
        assert_eq!(refusal(|| tally.add_end(&world, [0; 3])), "an end by the rules of this tally");
    }
    assert!(refusal(|| tally.add_end(&over, [20, 1, 0])).contains("at most 20 lines of a game"));
    assert_eq!(tally, Tally::new(&two));
    tally.add_end(&over, [20, 0, 0]);
    assert_eq!((tally.games(), tally.lines(Outcome::Below)), (1, 20));
}

/// The counts of a tally, all of its histogram in one list.
fn counts(tally: &Tally) -> (u64, ByTeam<[u64; 4]>, Vec<u64>, [u64; 3]) {
    let scores = tally.rules().team_list().flat_map(|team| tally.histogram(team)).copied().collect();
    let lines = Outcome::ALL.map(|outcome| tally.lines(outcome));
    (tally.games(), ByTeam(Team::ALL.map(|team| tally.wins(team))), scores, lines)
}

#[test]
fn counts_that_no_games_give_are_no_tally() {
    for rules in variants() {
        let tally = rollout(&rules.into(), &Options::new(3000));
        let (games, wins, scores, lines) = counts(&tally);
        let with = |games, wins, scores, lines| Tally::from_counts(&rules, games, wins, scores, lines);
        assert_eq!(with(games, wins, scores.clone(), lines), Some(tally));

        let mut wrong = Vec::new();
        for team in 0..4 {
            for sharers in 0..4 {
                let mut more = wins;
                more.0[team][sharers] += 1;
                wrong.push(with(games, more, scores.clone(), lines));
                more.0[team][sharers] = u64::MAX;
                wrong.push(with(games, more, scores.clone(), lines));
            }
        }
        // As many wins as games, but two of them in one game by the same team.
        let mut twice = ByTeam::default();
        twice.0[0] = [games - 1, 2, 0, 0];
        wrong.push(with(games, twice, scores.clone(), lines));
        for place in [0, scores.len() - 1] {
            for count in [scores[place] + 1, u64::MAX] {
                let mut other = scores.clone();
                other[place] = count;
                wrong.push(with(games, wins, other, lines));
            }
        }
        wrong.push(with(games, wins, scores[1..].to_vec(), lines));
        wrong.push(with(games, wins, scores.clone(), [lines[0], lines[1], lines[2] + 1]));
        wrong.push(with(games, wins, scores.clone(), [u64::MAX; 3]));
        wrong.push(with(games + 1, wins, scores, lines));
        assert_eq!(wrong.len(), 4 * 4 * 2 + 1 + 4 + 4);
        assert!(wrong.iter().all(Option::is_none), "{rules}");
    }
}

#[test]
fn a_seat_that_does_not_play_has_nothing() {
    for rules in variants() {
        let view = Position::deal(&rules, 3).view(Seat::ALL[0]);
        for seat in Seat::ALL.into_iter().skip(rules.players()) {
            let has = (view.hand_size(seat), view.deck_size(seat), view.unseen(seat).total());
            assert_eq!(has, (0, 0, 0), "{rules}");
        }
    }
}

#[test]
fn a_deck_drops_what_it_has_no_room_for() {
    let tiles = [Animal::Elephant; 40];
    for size in 0..=40 {
        let deck = Deck::new(&tiles[..size]);
        assert_eq!((deck.len(), deck.tiles().count()), (size.min(21), size.min(21)));
        assert_eq!(deck, Deck::new(&tiles[..size.min(21)]));
    }
}

#[test]
fn what_belongs_to_other_rules_is_refused() {
    let (two, other) = (Rules::default(), rules("2p,target=11"));
    let position = Position::deal(&two, 5);
    let (setting, seat) = (Setting::new(&other), Seat::ALL[0]);
    assert_eq!(refusal(|| World::new(&setting, &position)), "a position of the rules of this setting");
    assert_eq!(refusal(|| Knowledge::new(&setting, &position.view(seat))), "a position of the rules of this setting");
    let own = Setting::new(&two);
    let world = World::new(&own, &position);
    let solve = || Solver::new(&other).solve(&world, Objective::Win, &mut |_| GO_ON).is_ok();
    assert_eq!(refusal(solve), "a world of the rules of this solver");
}

#[test]
fn rows_of_another_size_change_no_game() {
    let (size, rules) = (Layout::new(&Rules::default(), false).expect("a layout").size(), Rules::default());
    let mut batch = Batch::new(&rules, 2, 7, BatchOptions::default()).expect("a batch");
    let before = batch.save();
    let right = [2 * size, 2 * ACTIONS, 2 * 2, 2, 2];
    for (place, more) in (0..5).flat_map(|place| [(place, true), (place, false)]) {
        let mut sizes = right;
        sizes[place] = if more { sizes[place] + 1 } else { sizes[place] - 1 };
        let [observations, masks, rewards, ended, seats] = sizes;
        let (mut numbers, mut mask) = (vec![0u8; observations], vec![0; masks]);
        let (mut paid, mut over, mut moving) = (vec![0.0; rewards], vec![false; ended], vec![0; seats]);
        let rows = Rows {
            observations: &mut numbers,
            masks: &mut mask,
            rewards: &mut paid,
            ended: &mut over,
            seats: &mut moving,
        };
        let mut actions = [0; 2];
        batch.clone().sample(&mut actions);
        let step = || batch.step(&actions, rows, std::num::NonZeroUsize::MIN);
        assert!(refusal(step).contains("a row for each game"), "{sizes:?}");
        assert_eq!(batch.save(), before);
    }
}

#[test]
fn batches_are_neither_empty_nor_too_large_and_show_only_seats_that_play() {
    let (rules, options, outsider) = (Rules::default(), BatchOptions::default(), Seat::ALL[2]);
    for games in [0, MAX_ENVS + 1] {
        let text = format!("a batch has 1 to 1048576 games, got {games}");
        assert_eq!(refusal(|| Batch::new(&rules, games, 0, options)), text);
    }
    let batch = Batch::new(&rules, 2, 0, options).expect("a batch");
    let mut numbers = vec![0u8; 2 * batch.layout().size()];
    for in_the_end in [false, true] {
        let text = refusal(|| batch.observe(outsider, in_the_end, &mut numbers));
        assert_eq!(text, "only a seat that plays observes");
    }
    let layout = Layout::new(&rules, true).expect("a layout");
    let start = Position::deal(&rules, 0);
    let episode = Episode::new(&start).expect("a start");
    let mut numbers = vec![0; layout.size()];
    assert_eq!(refusal(|| episode.observe(&layout, outsider, &mut numbers)), "only a seat that plays observes");
    let one = episode.play(start.legal_moves().iter().next().expect("a move")).expect("a legal move");
    assert!(refusal(|| one.turns(&layout, &mut numbers, &mut [])).contains("a row for each move"));
    assert!(refusal(|| one.turns(&layout, &mut [], &mut [[0; ACTIONS]])).contains("a row for each move"));
}

/// More iterations than any program makes are no reason to refuse a search that will be stopped.
#[test]
fn endless_budgets_can_be_stopped() {
    let view = Position::deal(&rules("3p"), 1).view(Seat::ALL[0]);
    for budget in [Budget::Iterations(u64::MAX), Budget::Time(std::time::Duration::MAX)] {
        let stopped = Champion(Effort::new(budget)).analyse_watched(&view, &mut |_| ControlFlow::Break(()));
        assert_eq!(stopped, Err(SearchError::Stopped));
    }
}
