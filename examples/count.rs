//! Counts the ways in which a game can continue: sequences of n legal moves, listed by their first move ("perft" in chess
//! programming).
//!
//! `cargo run --release --example count -- 3 '2p ..../..../..../..../.... mg/mz ezzmgzmm/mgzmzgme 0/0'`

use std::env::args;

use savanna_core::{Position, Rules};

fn count(position: &Position, plies: u32) -> Result<u64, Box<dyn std::error::Error>> {
    let moves = position.legal_moves();
    match plies {
        0 => Ok(1),
        1 => Ok(moves.len() as u64),
        _ => moves.iter().map(|mv| count(&position.play(mv)?, plies - 1)).sum(),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plies: u32 = args().nth(1).map_or(Ok(2), |text| text.parse())?;
    let position = match args().nth(2) {
        Some(text) => text.parse()?,
        None => Position::deal(&Rules::default(), 0),
    };
    println!("{position}");
    let mut all = 0;
    for mv in position.legal_moves().iter().take_while(|_| plies > 0) {
        let ways = count(&position.play(mv)?, plies - 1)?;
        println!("{:<17}{ways:>15}", mv.to_string());
        all += ways;
    }
    println!("{all} sequences of {plies} moves");
    Ok(())
}
