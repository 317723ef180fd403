//! Playouts by your own policy on your own threads, turned into statistics. With this policy a seat keeps its Lions for moves
//! that gain something at once.
//!
//! `cargo run --release --example own_policy -- 20000 2p,mice`

use std::env::args;
use std::thread;

use savanna_core::{Face, Move, Position, Purpose, Rules, Setting, Stats, Tally, World, Xoshiro256PlusPlus};

/// Chooses a random move that the policy allows; if it allows none, any random move.
fn choose(world: &World<'_>, rng: &mut Xoshiro256PlusPlus) -> Move {
    let all: Vec<Move> = world.legal_moves().iter().collect();
    let sensible: Vec<Move> = all.iter().copied().filter(|&mv| mv.face == Face::Front || world.gain(mv) > 0).collect();
    let moves = if sensible.is_empty() { all } else { sensible };
    moves[rng.below(moves.len() as u64) as usize]
}

/// Plays the games with these numbers. Each has its own deal and random stream, so any thread may play it.
fn play(rules: &Rules, games: impl Iterator<Item = u64>) -> Tally {
    let (setting, mut tally) = (Setting::new(rules), Tally::new(rules));
    for game in games {
        let mut rng = Xoshiro256PlusPlus::numbered(0, Purpose::Playout, game);
        let mut world = World::new(&setting, &Position::deal(rules, game));
        let mut lines = [0; 3];
        while !world.is_over() {
            let mv = choose(&world, &mut rng);
            for line in world.filled_by(mv.space) {
                lines[world.points(line, mv.animal, mv.face).outcome as usize] += 1;
            }
            world.play(mv);
        }
        tally.add_end(&world, lines);
    }
    tally
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let games: u64 = args().nth(1).map_or(Ok(1000), |text| text.parse())?;
    let rules: Rules = args().nth(2).map_or(Ok(Rules::default()), |text| text.parse())?;
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    let mut sum = Tally::new(&rules);
    thread::scope(|scope| {
        let part = |first| (first..games).step_by(threads as usize);
        let work: Vec<_> = (0..threads).map(|first| scope.spawn(move || play(&rules, part(first)))).collect();
        for thread in work {
            sum.merge(&thread.join().expect("no game panics"));
        }
    });
    let stats = Stats::from(sum);
    println!("{rules}: {stats}");
    for team in rules.team_list() {
        let (share, score) = (stats.win_share(team), stats.score(team));
        println!(
            "team {team} wins {:.1} % +- {:.1} %, with {:.2} points",
            100.0 * share.value,
            196.0 * share.stderr,
            score.value
        );
    }
    Ok(())
}
