//! Prints the champion's analysis of the moves of the seat to move, by that seat's view. A text that begins with `seat=` is a
//! view, any other text a position.
//!
//! `cargo run --release --example analyse -- 'seat=1 2p ..../..0?./..../..../.... ??/mz ???????/???????? 0/0' 20000`

use std::env::args;
use std::num::NonZeroUsize;

use savanna_core::search::Champion;
use savanna_core::{Analyst, Budget, Effort, Position, Rules, View};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let view: View = match args().nth(1) {
        Some(text) if text.starts_with("seat=") => text.parse()?,
        Some(text) => {
            let position: Position = text.parse()?;
            position.view(position.seat().ok_or("the game is over")?)
        }
        None => Position::deal(&Rules::default(), 7).view(savanna_core::Seat::ALL[0]),
    };
    let iterations = args().nth(2).map_or(Ok(2000), |text| text.parse())?;
    // With a budget of iterations, the number of threads affects only the time.
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let champion = Champion(Effort { budget: Budget::Iterations(iterations), seed: 0, threads });
    let analysis = champion.analyse(&view)?;
    println!("{view}\n{:<17}{:>8}{:>11}{:>9}", "move", "visits", "win share", "margin");
    for it in analysis.moves.iter().take(10) {
        println!("{:<17}{:>8}{:>10.1}%{:>+9.2}", it.mv.to_string(), it.visits, 100.0 * it.win_share, it.margin);
    }
    println!("{} iterations in {:.2?}", analysis.iterations, analysis.time);
    Ok(())
}
