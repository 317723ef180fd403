//! What several test programs need.

use std::fs;
use std::path::Path;

use savanna_core::{Position, Rules, RulesOptions, Xoshiro256PlusPlus};

/// The text of a file in `tests/data`.
pub(crate) fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Rules of every variant, and some with odd options.
pub(crate) fn variants() -> Vec<Rules> {
    let printed = |players, mice, team_game| RulesOptions { players, mice, team_game, ..RulesOptions::default() };
    let mut all = vec![
        RulesOptions { influence: [0, 15, 7, 0, 3, 15], target: 21, points: [100, 0, 7], ..printed(2, true, false) },
        RulesOptions { absent_can_be_least: true, last_seat_bonus: Some(9), ..printed(3, true, false) },
        RulesOptions { deck: Some([0, 0, 0, 0, 20]), points: [100, 100, 100], ..printed(4, true, true) },
        RulesOptions { deck: Some([20, 0, 0, 0, 0]), absent_can_be_least: true, target: 0, ..printed(4, false, false) },
    ];
    for mice in [false, true] {
        all.extend([2, 3, 4].map(|players| printed(players, mice, false)));
        all.push(printed(4, mice, true));
    }
    all.iter().map(|options| Rules::new(options).expect("valid rules")).collect()
}

/// Plays a random legal move.
pub(crate) fn random_move(position: &Position, rng: &mut Xoshiro256PlusPlus) -> savanna_core::Move {
    let moves: Vec<_> = position.legal_moves().iter().collect();
    moves[rng.below(moves.len() as u64) as usize]
}
