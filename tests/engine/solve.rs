//! The solver against a search of its own kind in which nothing is clever: every game is played to its end.

use std::ops::ControlFlow;

use crate::common::{random_move, variants};
use savanna_core::search::endgame::{WIN, limit};
use savanna_core::{
    ByTeam, Move, Objective, Position, Purpose, Rules, RulesOptions, Setting, Solution, SolveError, Solver, Team,
    World, Worth, Xoshiro256PlusPlus, solve,
};

const OBJECTIVES: [Objective; 3] = [Objective::Win, Objective::Margin, Objective::WinThenMargin];

/// What each team has at the end of a game: its share of the win in twelfths, and its score.
type End = ByTeam<(i32, i32)>;

fn end(position: &Position) -> End {
    let (winners, scores) = (position.winners(), position.scores());
    ByTeam(Team::ALL.map(|team| {
        let share = if winners.contains(team) { 12 / winners.len() as i32 } else { 0 };
        (share, i32::from(scores[team]))
    }))
}

/// How much a team likes an end.
fn liking(rules: &Rules, objective: Objective, team: Team, end: &End) -> i32 {
    let others = || rules.team_list().filter(|&other| other != team);
    let margin: i32 = others().map(|other| end[team].1 - end[other].1).sum();
    if rules.teams() == 2 {
        let win = others().map(|other| (end[team].0 - end[other].0).signum()).sum::<i32>();
        return match objective {
            Objective::Win => win,
            Objective::Margin => margin,
            Objective::WinThenMargin => win * WIN + margin,
            other => panic!("who likes {other}?"),
        };
    }
    match objective {
        Objective::Win => end[team].0,
        Objective::Margin => margin,
        // A share of a twelfth counts more than any margin, and nothing else is asked of the number.
        Objective::WinThenMargin => end[team].0 * 100_000 + margin,
        other => panic!("who likes {other}?"),
    }
}

/// What comes of every move, if everybody likes what is best and of that the first.
fn ends(position: &Position, objective: Objective) -> Vec<(Move, End)> {
    position.legal_moves().iter().map(|mv| (mv, end_of(&position.play(mv).expect("a legal move"), objective))).collect()
}

fn end_of(position: &Position, objective: Objective) -> End {
    let Some(seat) = position.seat() else { return end(position) };
    let (rules, team) = (position.rules(), position.rules().team_of(seat));
    let mut best: Option<(i32, End)> = None;
    for (_, end) in ends(position, objective) {
        let liked = liking(rules, objective, team, &end);
        if best.as_ref().is_none_or(|&(most, _)| liked > most) {
            best = Some((liked, end));
        }
    }
    best.expect("a move").1
}

/// A position with so many empty spaces, after random moves.
fn position(rules: &Rules, seed: u64, empty: usize) -> Position {
    let mut rng = Xoshiro256PlusPlus::numbered(seed, Purpose::Sample, 9);
    let mut position = Position::deal(rules, seed);
    while position.empty_spaces().len() > empty {
        position = position.play(random_move(&position, &mut rng)).expect("a legal move");
    }
    position
}

fn unwatched(_: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Compares the solver with `ends`, and says how many positions it was tried on.
fn compare(rules: &Rules, seed: u64, empty: usize, solver: &mut Solver) {
    let (position, setting) = (position(rules, seed, empty), Setting::new(rules));
    let team = rules.team_of(position.seat().expect("a seat"));
    for objective in OBJECTIVES {
        let ends = ends(&position, objective);
        let likes: Vec<(Move, i32)> = ends.iter().map(|(mv, end)| (*mv, liking(rules, objective, team, end))).collect();
        let most = likes.iter().map(|&(_, liked)| liked).max().expect("a move");
        let best: Vec<Move> = likes.iter().filter(|&&(_, liked)| liked == most).map(|&(mv, _)| mv).collect();
        let Solution { value, moves, nodes, .. } = solve(&position, objective, &mut unwatched).expect("a solution");
        assert_eq!(moves, best, "{position} {objective:?}");
        assert!(nodes > 0);
        let (_, end) = ends.iter().find(|(mv, _)| *mv == best[0]).expect("the best");
        match value {
            Worth::Duel(value) => assert_eq!((value, rules.teams()), (most, 2), "{position} {objective:?}"),
            Worth::Teams { shares, scores } => {
                for team in rules.team_list() {
                    let (share, score) = (i32::from(shares[team]), i32::from(scores[team]));
                    let wanted = match objective {
                        Objective::Win => (end[team].0, 0),
                        Objective::Margin => (0, end[team].1),
                        Objective::WinThenMargin => end[team],
                        other => panic!("what is {other} worth?"),
                    };
                    assert_eq!((share, score), wanted, "{position} {objective:?}");
                }
            }
        }
        // Every move of the root, and by a solver that has seen other positions: the order is that of `likes`.
        let values = solver.values(&World::new(&setting, &position), objective, &mut unwatched).expect("values");
        assert_eq!(values.len(), likes.len());
        if rules.teams() == 2 || objective != Objective::WinThenMargin {
            assert_eq!(values, likes, "{position} {objective:?}");
        } else {
            for (&(a, value), &(b, liked)) in values.iter().zip(&likes) {
                assert_eq!(a, b);
                for (other, others) in values.iter().zip(&likes) {
                    assert_eq!(value.cmp(&other.1), liked.cmp(&others.1), "{position}");
                }
            }
        }
        let again = solver.solve(&World::new(&setting, &position), objective, &mut unwatched).expect("a solution");
        assert_eq!((again.value, again.moves), (value, moves));
    }
}

/// Rules of every variant, odd ones, and influences and points that make lines close and scores equal.
fn rules() -> Vec<Rules> {
    let odd = [
        RulesOptions { points: [0, 0, 0], ..RulesOptions::default() },
        RulesOptions { influence: [0; 6], last_seat_bonus: Some(0), ..RulesOptions::default() },
        RulesOptions {
            points: [1, 0, 1],
            target: 4,
            last_seat_bonus: Some(0),
            absent_can_be_least: true,
            ..RulesOptions::default()
        },
        RulesOptions {
            players: 3,
            influence: [0, 1, 0, 1, 2, 0],
            points: [1, 1, 1],
            target: 3,
            ..RulesOptions::default()
        },
    ];
    variants().into_iter().chain(odd.map(|options| Rules::new(&options).expect("valid rules"))).collect()
}

#[test]
fn solutions_are_those_of_playing_everything_out() {
    let mut tried = 0;
    for rules in rules() {
        let mut solver = Solver::new(&rules);
        for seed in 0..40 {
            compare(&rules, seed, 1 + seed as usize % 3, &mut solver);
            tried += 1;
        }
        for seed in 40..if cfg!(debug_assertions) { 42 } else { 70 } {
            compare(&rules, seed, 4, &mut solver);
            tried += 1;
        }
    }
    assert!(tried > 500);
}

/// Five empty spaces take long to play out: few positions of the printed rules, and a search that stops early.
#[test]
fn solutions_with_five_empty_spaces() {
    for (players, mice, team_game) in [(2, false, false), (2, true, false), (4, true, true), (3, false, false)] {
        let rules =
            Rules::new(&RulesOptions { players, mice, team_game, ..RulesOptions::default() }).expect("valid rules");
        let mut solver = Solver::new(&rules);
        for seed in 0..if cfg!(debug_assertions) { 1 } else { 6 } {
            compare(&rules, 100 + seed, 5, &mut solver);
        }
    }
}

/// What the value says comes about when the best moves are played, whichever they are.
#[test]
fn values_come_about() {
    let rules = Rules::default();
    let mut rng = Xoshiro256PlusPlus::numbered(1, Purpose::Sample, 10);
    for seed in 0..20 {
        let mut position = position(&rules, seed, 9);
        let Worth::Duel(value) = solve(&position, Objective::Margin, &mut unwatched).expect("a solution").value else {
            panic!("two teams");
        };
        let team = rules.team_of(position.seat().expect("a seat"));
        while !position.is_over() {
            let moves = solve(&position, Objective::Margin, &mut unwatched).expect("a solution").moves;
            position = position.play(moves[rng.below(moves.len() as u64) as usize]).expect("a legal move");
        }
        assert_eq!(liking(&rules, Objective::Margin, team, &end(&position)), value);
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    for rules in variants() {
        let position = position(&rules, 3, 5);
        for objective in OBJECTIVES {
            let ask = || solve(&position, objective, &mut unwatched).expect("a solution");
            assert_eq!(ask(), ask());
        }
    }
}

#[test]
fn what_cannot_be_solved_is_refused() {
    for rules in variants() {
        let (teams, limit) = (rules.teams(), limit(rules.teams()));
        let ask = |empty| solve(&position(&rules, 5, empty), Objective::Margin, &mut unwatched);
        assert_eq!(ask(0), Err(SolveError::GameOver));
        let error = ask(limit + 1).expect_err("too many");
        assert_eq!(error, SolveError::TooManyEmpty { empty: limit + 1, limit, teams });
        let text = error.to_string();
        assert!(text.contains(&(limit + 1).to_string()) && text.contains(&format!("at most {limit} ")), "{text}");
    }
}

#[test]
fn a_watcher_can_stop_the_search() {
    for (players, empty) in [(2, 14), (3, 8)] {
        let rules = Rules::new(&RulesOptions { players, ..RulesOptions::default() }).expect("valid rules");
        let mut told = Vec::new();
        let mut watch = |nodes| {
            told.push(nodes);
            if told.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        assert_eq!(solve(&position(&rules, 1, empty), Objective::Margin, &mut watch), Err(SolveError::Stopped));
        assert_eq!(told.len(), 3);
        assert!(told.is_sorted() && told[0] > 0);
    }
}
