//! Complete games that a separate program produced, replayed move by move.

use savanna_core::{Animal, Face, Move, Position, Rules, RulesOptions, Space};
use serde_json::Value;

use crate::common::data;

fn word(value: &Value) -> &str {
    value.as_str().expect("a word")
}

fn number(value: &Value) -> i64 {
    value.as_i64().expect("a number")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn flag(value: &Value) -> bool {
    value.as_bool().expect("a flag")
}

fn animal(value: &Value) -> Animal {
    Animal::from_name(word(value)).expect("an animal")
}

fn rules(golden: &Value) -> Rules {
    let influence = ["monkey", "zebra", "giraffe", "elephant", "mouse", "lion"];
    let options = RulesOptions {
        players: number(&golden["players"]),
        mice: flag(&golden["mice"]),
        team_game: flag(&golden["team_game"]),
        absent_can_be_least: flag(&golden["absent_can_be_least"]),
        influence: influence.map(|name| number(&golden["influence"][name])),
        ..RulesOptions::default()
    };
    Rules::new(&options).expect("valid rules")
}

fn start(golden: &Value) -> Position {
    let decks: Vec<Vec<Animal>> =
        list(&golden["decks"]).iter().map(|deck| list(deck).iter().map(animal).collect()).collect();
    Position::from_decks(&rules(&golden["rules"]), &decks).expect("decks that fit")
}

/// The lines that a move fills as sorted space names, total and points by team, in order of the names.
fn lines_filled(position: &Position, mv: Move) -> Vec<(Vec<&'static str>, i64, Vec<i64>)> {
    let teams = position.rules().teams();
    let lines = position.lines_filled(mv).expect("a legal move");
    let mut lines: Vec<_> = lines
        .iter()
        .map(|filled| {
            let mut spaces: Vec<_> = filled.line.spaces().map(Space::name).collect();
            spaces.sort_unstable();
            let points = filled.score.points.0[..teams].iter().map(|&points| points.into()).collect();
            (spaces, filled.score.total.into(), points)
        })
        .collect();
    lines.sort();
    lines
}

fn expected_lines(ply: &Value, teams: usize) -> Vec<(Vec<&str>, i64, Vec<i64>)> {
    let points = |line: &Value| (0..teams).map(|team| line["points"][team.to_string()].as_i64().unwrap_or(0)).collect();
    let spaces = |line: &'_ Value| list(&line["spaces"]).iter().map(|space| word(space).to_owned()).collect::<Vec<_>>();
    let mut lines: Vec<(Vec<&str>, i64, Vec<i64>)> = list(&ply["lines"])
        .iter()
        .map(|line| {
            assert!(spaces(line).is_sorted());
            (list(&line["spaces"]).iter().map(word).collect(), number(&line["total"]), points(line))
        })
        .collect();
    lines.sort();
    lines
}

fn numbers(value: &Value) -> Vec<i64> {
    list(value).iter().map(number).collect()
}

fn replay(golden: &Value) {
    let mut position = start(golden);
    let (rules, teams) = (*position.rules(), position.rules().teams());
    for ply in list(&golden["plies"]) {
        assert_eq!(position.seat().map(|seat| seat.index() as i64), ply["seat"].as_i64());
        let mv = Move {
            animal: animal(&ply["animal"]),
            face: Face::from_name(word(&ply["face"])).expect("a face"),
            space: Space::from_name(word(&ply["space"])).expect("a space"),
        };
        assert_eq!(lines_filled(&position, mv), expected_lines(ply, teams));
        position = position.play(mv).expect("a legal move");
        let mut scores: Vec<i64> = position.scores().0[..teams].iter().map(|&score| score.into()).collect();
        if position.is_over() {
            // The games note scores before the bonus, and once more after it.
            assert_eq!(scores, numbers(&golden["final_score"]));
            let last = savanna_core::Seat::ALL[rules.players() - 1];
            scores[rules.team_of(last).index()] -= i64::from(rules.last_seat_bonus());
        }
        assert_eq!(scores, numbers(&ply["score"]));
    }
    assert!(position.is_over());
    let lions: Vec<i64> = position.lions().0[..teams].iter().map(|&lions| lions.into()).collect();
    assert_eq!(lions, numbers(&golden["lions"]));
    let winners: Vec<i64> = position.winners().teams().map(|team| team.index() as i64).collect();
    assert_eq!(winners, numbers(&golden["winners"]));
    for (seat, left) in rules.seats().zip(list(&golden["hands_left"])) {
        let mut left: Vec<Animal> = list(left).iter().map(animal).collect();
        left.sort_unstable();
        assert_eq!(position.hand(seat).tiles().collect::<Vec<_>>(), left);
    }
}

#[test]
fn golden_games_replay() {
    let text = data("golden_games.jsonl");
    let games: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(games.len(), 120);
    games.iter().for_each(replay);
}
