//! Playouts: the same games for every number of threads, and games that replay move by move.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::{random_move, variants};
use savanna_core::rollout::{BATCH, playouts_watched, rollout_many};
use savanna_core::{
    Backend, Move, Options, Outcome, Placed, Policy, Position, Purpose, Rules, RulesOptions, Setting, Source, Space,
    Tally, TeamSet, View, World, Xoshiro256PlusPlus, rollout,
};

fn options(games: u64, seed: u64, threads: usize) -> Options {
    Options { seed, threads: NonZeroUsize::new(threads).expect("a thread"), ..Options::new(games) }
}

/// The same for each policy.
fn by_policy(options: Options) -> [Options; 3] {
    Policy::ALL.map(|policy| Options { policy, ..options })
}

/// Sources of every kind and ply, for every variant.
fn sources() -> Vec<Source> {
    let mut all = Vec::new();
    for (seed, rules) in (0..).zip(variants()) {
        all.push(rules.into());
        let mut rng = Xoshiro256PlusPlus::numbered(seed, Purpose::Sample, 2);
        let mut position = Position::deal(&rules, seed);
        for ply in 0..=20 {
            if ply % 5 == seed as usize % 5 || ply == 20 {
                all.push(position.into());
                all.extend(rules.seats().map(|seat| Source::from(position.view(seat))));
                if let Some(seat) = position.seat() {
                    let mv = random_move(&position, &mut rng);
                    all.push(Source::from(position.view(seat)).after(mv).expect("a legal move"));
                }
            }
            if ply < 20 {
                position = position.play(random_move(&position, &mut rng)).expect("a legal move");
            }
        }
    }
    all
}

struct Written {
    start: Position,
    moves: Vec<Move>,
    scores: [u16; 4],
    winners: TeamSet,
    lines: [u8; 3],
}

fn written(source: &Source, options: &Options) -> Vec<Written> {
    let games = Mutex::new(Vec::new());
    let batches = 0..options.games.div_ceil(BATCH);
    let done = playouts_watched(
        source,
        options,
        batches,
        |batch, game, playout| {
            let written = Written {
                start: playout.start(),
                moves: playout.moves().to_vec(),
                scores: playout.scores().0,
                winners: playout.winners(),
                lines: playout.lines(),
            };
            games.lock().expect("no panic").push((*batch * BATCH + game as u64, written));
        },
        &mut |_| ControlFlow::Continue(()),
    );
    assert!(done);
    let mut games = games.into_inner().expect("no panic");
    games.sort_by_key(|(number, _)| *number);
    assert!(games.iter().map(|(number, _)| *number).eq(0..options.games));
    games.into_iter().map(|(_, game)| game).collect()
}

#[test]
fn playouts_replay_by_the_rules_and_add_up_to_the_tally() {
    let cases = sources().into_iter().flat_map(|source| by_policy(options(70, 3, 2)).map(|options| (source, options)));
    for (source, options) in cases {
        let tally = rollout(&source, &options);
        let (mut lines, mut wins, mut scores) = ([0; 3], [[0; 4]; 4], 0);
        let (setting, mut ends) = (Setting::new(source.rules()), Tally::new(source.rules()));
        for game in written(&source, &options) {
            assert_eq!(game.start.check(), Ok(()));
            match source {
                Source::Rules(_) => assert_eq!(game.start.ply(), 0),
                Source::Position(position) => assert_eq!(game.start, position),
                Source::View(view) => assert_eq!(game.start.view(view.seat().unwrap()), view),
                Source::After { view, mv, .. } => check_after(&view, mv, &game.start),
                other => panic!("where does {other:?} start?"),
            }
            let mut end = game.start;
            for &mv in &game.moves {
                for filled in end.lines_filled(mv).expect("a legal move") {
                    lines[filled.score.outcome as usize] += 1;
                }
                end = end.play(mv).expect("a legal move");
            }
            assert!(end.is_over());
            ends.add_end(&World::new(&setting, &end), game.lines);
            assert_eq!((end.scores().0, end.winners()), (game.scores, game.winners));
            assert_eq!(usize::from(game.lines.iter().sum::<u8>()), open_lines(&game.start));
            for team in end.winners().teams() {
                wins[team.index()][end.winners().len() - 1] += 1;
            }
            scores += usize::from(end.scores().0[0]);
        }
        assert_eq!(Outcome::ALL.map(|outcome| tally.lines(outcome)), lines);
        let teams: Vec<_> = source.rules().team_list().collect();
        assert!(teams.iter().all(|&team| tally.wins(team) == wins[team.index()]));
        let total: usize = tally.histogram(teams[0]).iter().enumerate().map(|(score, &n)| score * n as usize).sum();
        assert_eq!(total, scores);
        assert_eq!(ends, tally);
    }
}

/// The start after a move in a view is what that move makes of some position that looks like the view: all that the
/// seat could see then it still sees, but for the tile that it drew.
fn check_after(view: &View, mv: Move, start: &Position) {
    let seat = view.seat().unwrap();
    let seen = start.view(seat);
    assert_eq!((seen.ply(), start.tile(mv.space).map(Placed::seat)), (view.ply() + 1, Some(seat)));
    let kept = |space: &Space| *space == mv.space || seen.tile(*space) == view.tile(*space);
    assert!(Space::ALL.iter().all(kept));
    let left = view.hand().without(mv.animal).expect("a tile of the hand");
    assert!(left.tiles().all(|tile| seen.hand().contains(tile)));
    assert_eq!(seen.hand().len(), seen.hand_size(seat));
    let sample = view.sample(0).play(mv).expect("a legal move");
    assert_eq!((seen.scores(), seen.lions()), (sample.scores(), sample.lions()));
}

/// How many lines have an empty space.
fn open_lines(position: &Position) -> usize {
    savanna_core::Line::ALL.iter().filter(|line| line.spaces().any(|space| position.tile(space).is_none())).count()
}

#[test]
fn threads_and_batches_do_not_matter() {
    let source = Source::from(variants()[4]);
    for games in [1, 63, 64, 65, 1000, BATCH, BATCH + 1, 3 * BATCH + 5] {
        for options in by_policy(options(games, 9, 1)) {
            let one = rollout(&source, &options);
            assert_eq!(one.games(), games);
            for threads in [2, 3, 8] {
                let threads = NonZeroUsize::new(threads).expect("a thread");
                let tally = rollout(&source, &Options { threads, ..options });
                assert_eq!(tally, one, "{games} games on {threads} threads");
            }
        }
    }
}

/// Parts of a call that begin with the games that others leave off with add up to it, and none is the same as another.
#[test]
fn a_call_can_be_played_in_parts() {
    for source in [Source::from(variants()[4]), Position::deal(&variants()[1], 3).into()] {
        for options in by_policy(options(3 * BATCH + 5, 12, 2)) {
            let mut sum = rollout(&source, &Options { games: BATCH, ..options });
            let middle = rollout(&source, &Options { games: 2 * BATCH, first: BATCH, ..options });
            let last = rollout(&source, &Options { games: 5, first: 3 * BATCH, ..options });
            assert_ne!(rollout(&source, &Options { games: BATCH, first: BATCH, ..options }), sum);
            sum.merge(&middle);
            sum.merge(&last);
            assert_eq!(sum, rollout(&source, &options));
        }
    }
}

/// Whatever the rules, the source and the ply: the same tally, for whole rounds and for parts of one.
#[test]
fn every_backend_equals_the_scalar_one() {
    for missing in Backend::ALL.iter().filter(|backend| !Backend::available().contains(backend)) {
        println!("skipped: this processor cannot run {}", missing.name());
    }
    let mut compared = 0;
    for source in sources() {
        for options in [1, 64, 300].map(|games| by_policy(options(games, 11, 1))).concat() {
            let play = |backend| rollout(&source, &Options { backend, ..options });
            let scalar = play(Backend::Scalar);
            for &backend in Backend::available() {
                assert_eq!(play(backend), scalar, "{}, {options:?} from {source:?}", backend.name());
                compared += 1;
            }
        }
    }
    assert!(compared > 1000, "only {compared} comparisons");
}

/// Random options, so that every code of tiles, sums of influence and sizes of scores occur.
#[test]
fn every_backend_equals_the_scalar_one_for_odd_rules() {
    let mut rng = Xoshiro256PlusPlus::numbered(0, Purpose::Sample, 3);
    let (mut wide, mut plain) = (0, 0);
    for _ in 0..150 {
        let mut up_to = |most: u64| rng.below(most + 1) as i64;
        let players = 2 + up_to(2);
        let (mice, most_target) = (up_to(1) == 1, [20, 100][up_to(1) as usize]);
        let (most, many) = ([6, 15][up_to(1) as usize], [4, 12, 100][up_to(2) as usize]);
        let options_drawn = RulesOptions {
            players,
            mice,
            team_game: players == 4 && up_to(1) == 1,
            deck: Some([10, up_to(3), up_to(3), up_to(3), if mice { up_to(1) } else { 0 }]),
            influence: std::array::from_fn(|_| up_to(most)),
            target: up_to(most_target),
            points: std::array::from_fn(|_| up_to(many)),
            last_seat_bonus: Some(up_to(many)),
            absent_can_be_least: up_to(1) == 1,
        };
        let rules = Rules::new(&options_drawn).expect("valid rules");
        wide += usize::from(rules.max_score() > 255);
        plain += usize::from(!mice && !rules.absent_can_be_least());
        let source = Source::from(rules);
        for options in by_policy(options(500, 1, 1)) {
            let play = |backend| rollout(&source, &Options { backend, ..options });
            let scalar = play(Backend::Scalar);
            for &backend in Backend::available() {
                assert_eq!(play(backend), scalar, "{}, {:?}: {rules}", backend.name(), options.policy);
            }
        }
    }
    assert!(wide > 20 && plain > 20, "{wide} wide, {plain} plain");
}

#[test]
fn a_longer_call_begins_with_the_games_of_a_shorter_one() {
    let source = Source::from(variants()[5]);
    let (short, long) = (written(&source, &options(65, 1, 1)), written(&source, &options(300, 1, 1)));
    assert!(short.iter().zip(&long).all(|(a, b)| a.moves == b.moves && a.start == b.start));
    let other = written(&source, &options(65, 2, 1));
    assert!(short.iter().zip(&other).any(|(a, b)| a.moves != b.moves));
}

#[test]
fn many_sources_give_what_each_gives_alone() {
    let sources: Vec<Source> = sources().into_iter().step_by(5).collect();
    for (games, threads) in [(100, 1), (100, 2), (BATCH + 7, 3)] {
        let options = options(games, 4, threads);
        let together = rollout_many(&sources, &options, &mut |_| ControlFlow::Continue(())).expect("not stopped");
        assert_eq!(together.len(), sources.len());
        assert!(sources.iter().zip(&together).all(|(source, tally)| rollout(source, &options) == *tally));
    }
    assert_eq!(rollout_many(&[], &options(10, 0, 2), &mut |_| ControlFlow::Continue(())), Some(Vec::new()));
}

#[test]
fn a_watcher_can_stop_it() {
    let source = Source::from(variants()[4]);
    let mut told = Vec::new();
    let stopped = rollout_many(&[source], &options(1 << 40, 0, 2), &mut |done| {
        told.push(done);
        if told.len() >= 3 && done > told[0] { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(stopped, None);
    let begun = told.iter().filter(|&&done| done == told[0]).count();
    assert!(told.is_sorted() && told.len() == 3.max(begun + 1), "{told:?}");
}

/// It takes so long in the middle of a batch that the next look would be due at once.
#[test]
fn a_watcher_that_has_stopped_it_is_told_nothing_more() {
    let backend = "scalar".parse().expect("a backend");
    let slow = Options { backend, policy: Policy::KeenGreedy, ..options(1 << 40, 0, 2) };
    let mut calls = 0;
    let stopped = rollout_many(&[Source::from(variants()[4])], &slow, &mut |_| {
        calls += 1;
        sleep(Duration::from_millis(100));
        ControlFlow::Break(())
    });
    assert_eq!((stopped, calls), (None, 1));
}

/// Between two calls there are 50 milliseconds of work, however long a call takes.
#[test]
fn a_slow_watcher_leaves_time_for_work() {
    let took = Duration::from_millis(60);
    let mut times = Vec::new();
    let options = Options { threads: NonZeroUsize::MIN, ..Options::new(1 << 50) };
    let stopped = rollout_many(&[Source::from(Rules::default())], &options, &mut |_| {
        times.push(Instant::now());
        sleep(took);
        if times.len() < 8 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!((stopped, times.len()), (None, 8));
    assert!(times.is_sorted_by(|earlier, later| *later - *earlier >= took + Duration::from_millis(50)));
}

/// Threads have two megabytes of stack. `.ci/run` asks once more without any optimisation, as it is in the debug builds of
/// other crates.
#[test]
fn playouts_fit_into_the_stack_of_a_thread() {
    for &backend in Backend::available() {
        for (rules, policy) in variants().into_iter().flat_map(|rules| Policy::ALL.map(|policy| (rules, policy))) {
            let options = Options { backend, policy, ..options(70, 1, 1) };
            let thread = std::thread::Builder::new().stack_size(2 << 20);
            let played = thread.spawn(move || rollout(&rules.into(), &options).games()).expect("a thread").join();
            assert_eq!(played.ok(), Some(70));
        }
    }
}
