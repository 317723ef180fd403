//! Runs a match between the champion and a greedy player, in both seats of every deal, and prints the champion's share of
//! wins.
//!
//! `cargo run --release --example self_play -- 50`

use std::env::args;

use savanna_core::search::{Champion, Greedy};
use savanna_core::{Effort, Player, Position, Rules, Seat};

/// Plays a deal to its end. Players get views, and each game has its own seed.
fn play(mut position: Position, players: [&dyn Player; 2]) -> Result<Position, Box<dyn std::error::Error>> {
    while let Some(seat) = position.seat() {
        let mv = players[seat.index()].choose(&position.view(seat))?;
        position = position.play(mv)?;
    }
    Ok(position)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let deals: u64 = args().nth(1).map_or(Ok(5), |text| text.parse())?;
    let rules = Rules::default();
    let mut points = 0.0;
    for deal in 0..deals {
        let champion = Champion(Effort { seed: deal, ..Effort::iterations(500) });
        let greedy = Greedy { seed: deal };
        let players: [&dyn Player; 2] = [&champion, &greedy];
        for place in 0..2 {
            let end = play(Position::deal(&rules, deal), [players[place], players[1 - place]])?;
            let winners = end.winners();
            // A shared win counts one half.
            if winners.contains(rules.team_of(Seat::ALL[place])) {
                points += 1.0 / winners.len() as f64;
            }
            println!("deal {deal}, champion in seat {place}: {end}");
        }
    }
    println!("the champion wins {points} of {} games", 2 * deals);
    Ok(())
}
