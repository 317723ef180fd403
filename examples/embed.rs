//! A program that embeds the engine: it deals a game, each seat chooses its moves by its view, and it prints the end.
//!
//! Run it with `cargo run --release --example embed`. No Python is involved.

use savanna_core::{Move, Options, Position, Rules, RulesOptions, View, rollout};

/// Chooses the first of the legal moves after which this seat's team wins most random games. The player gets a view, so it
/// cannot use hidden tiles.
fn choose(view: &View, playouts: u64) -> Option<Move> {
    let seat = view.seat()?;
    let team = view.rules().team_of(seat);
    let promise = |mv: Move| {
        let after = view.sample(0).play(mv).expect("a legal move").view(seat);
        let tally = rollout(&after.into(), &Options::new(playouts));
        tally.wins(team)[0]
    };
    let mut best: Option<(u64, Move)> = None;
    for mv in view.legal_moves().iter() {
        let wins = promise(mv);
        if best.is_none_or(|(most, _)| wins > most) {
            best = Some((wins, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::new(&RulesOptions { players: 3, mice: true, ..RulesOptions::default() })?;
    let mut position = Position::deal(&rules, 7);
    while let Some(seat) = position.seat() {
        let mv = choose(&position.view(seat), 20).ok_or("a seat to move has a move")?;
        println!("seat {} plays {mv}", seat.index());
        position = position.play(mv)?;
    }
    println!("{position}");
    println!("won by team {:?}", position.winners().teams().map(|team| team.index()).collect::<Vec<_>>());
    Ok(())
}
