//! Answers for other programs. It reads one view per line from standard input, and writes for each: the ids of its legal
//! actions; from n random games the sum of each team's scores, and the numbers of lines that ended below, at and above the
//! target; each line's total, empty spaces and scorer (-1 if there is none); and the id of the champion's move (-1 if the
//! view is not that of the seat to move). The number of the line is the seed.
//!
//! `cargo run --release --example answers -- 300 60 < views.txt`

use std::env::args;
use std::io::stdin;

use savanna_core::search::Champion;
use savanna_core::{Effort, Options, Outcome, Player, View, rollout};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let number = |place| -> Result<u64, Box<dyn std::error::Error>> {
        Ok(args().nth(place).ok_or("say how many games, and how many iterations")?.parse()?)
    };
    let (games, iterations) = (number(1)?, number(2)?);
    for (seed, line) in (0..).zip(stdin().lines()) {
        let view: View = line?.parse()?;
        let tally = rollout(&view.into(), &Options { seed, ..Options::new(games) });
        let lines = Outcome::ALL.map(|outcome| tally.lines(outcome));
        let total = |team| (0..).zip(tally.histogram(team)).map(|(score, games): (u64, _)| score * games).sum::<u64>();
        let scores: Vec<_> = view.rules().team_list().map(total).collect();
        let legal: Vec<_> = view.legal_moves().iter().map(|mv| mv.action()).collect();
        let stand = view.lines().map(|it| {
            let scorer = it.scorer.map_or(-1, |team| team.index() as i32);
            [it.tally.total().into(), it.empty as i32, scorer]
        });
        let champion = Champion(Effort { seed, ..Effort::iterations(iterations) });
        let best = if legal.is_empty() { -1 } else { champion.choose(&view)?.action() as i32 };
        println!("[{legal:?}, {scores:?}, {lines:?}, {stand:?}, {best}]");
    }
    Ok(())
}
