//! Counts of move paths, listed with their positions in `tests/data/perft.txt`.

use savanna_core::Position;

use crate::common::data;

/// How many sequences of this many legal moves there are.
fn perft(position: &Position, depth: usize) -> u64 {
    let moves = position.legal_moves();
    match depth {
        0 => 1,
        1 => moves.len() as u64,
        _ => moves.iter().map(|mv| perft(&position.play_unchecked(mv), depth - 1)).sum(),
    }
}

#[test]
fn counts_are_as_listed() {
    let mut listed = 0;
    for line in data("perft.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [depth, count, text] = fields[..] else { panic!("three fields in {line}") };
        let position: Position = text.parse().expect("a position");
        let (depth, count): (usize, u64) = (depth.parse().expect("a depth"), count.parse().expect("a count"));
        assert_eq!(perft(&position, depth), count, "{line}");
        listed += 1;
    }
    assert!(listed >= 10, "only {listed} counts are listed");
}
