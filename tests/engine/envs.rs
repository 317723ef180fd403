//! Games for agents: what is kept up move by move is what views and whole games tell, however many are stepped at once.

use std::num::NonZeroUsize;

use crate::common::variants;
use savanna_core::envs::{Batch, BatchError, BatchOptions, Illegal, Layout, Number, Reset, Reward, Rows, WAIT};
use savanna_core::{ACTIONS, Purpose, Rules, RulesOptions, Seat, Xoshiro256PlusPlus};

const ONE: NonZeroUsize = NonZeroUsize::MIN;

/// What a step writes.
#[derive(Clone, PartialEq, Debug)]
struct Written<N> {
    observations: Vec<N>,
    masks: Vec<i8>,
    rewards: Vec<f32>,
    ended: Vec<bool>,
    seats: Vec<u8>,
}

impl<N: Number> Written<N> {
    fn room(batch: &Batch) -> Written<N> {
        let (games, layout) = (batch.len(), batch.layout());
        Written {
            observations: vec![N::default(); games * layout.size()],
            masks: vec![7; games * ACTIONS],
            rewards: vec![7.0; games * layout.rules().players()],
            ended: vec![true; games],
            seats: vec![7; games],
        }
    }

    fn rows(&mut self) -> Rows<'_, N> {
        Rows {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            ended: &mut self.ended,
            seats: &mut self.seats,
        }
    }

    /// Plays random actions, and waits here and there.
    fn of_step(batch: &mut Batch, threads: usize) -> Written<N> {
        let mut actions = vec![0; batch.len()];
        batch.sample(&mut actions);
        for (place, action) in actions.iter_mut().enumerate() {
            if (*action as usize + place).is_multiple_of(11) {
                *action = WAIT;
            }
        }
        let mut written = Written::room(batch);
        let threads = NonZeroUsize::new(threads).expect("threads");
        batch.step(&actions, written.rows(), threads).expect("legal actions");
        written
    }
}

/// All rules that observations can hold, the odd ones too.
fn rules() -> Vec<Rules> {
    let odd = [
        RulesOptions { mice: true, influence: [0, 15, 7, 0, 3, 15], points: [8, 0, 7], ..RulesOptions::default() },
        RulesOptions { players: 3, mice: true, last_seat_bonus: Some(90), ..RulesOptions::default() },
        RulesOptions {
            players: 4,
            mice: true,
            team_game: true,
            deck: Some([0, 0, 0, 0, 20]),
            ..RulesOptions::default()
        },
        RulesOptions { players: 4, deck: Some([5, 0, 0, 0, 0]), target: 0, ..RulesOptions::default() },
    ];
    let mut all: Vec<Rules> = variants().into_iter().filter(|rules| Layout::new(rules, true).is_ok()).collect();
    assert_eq!(all.len(), variants().len() - 2, "two of them score too much");
    all.extend(odd.iter().map(|options| Rules::new(options).expect("valid rules")));
    all
}

/// Options of every kind, told by a number.
fn options(number: usize) -> BatchOptions {
    BatchOptions {
        recall: number.is_multiple_of(2),
        reward: Reward::ALL[number % 3],
        illegal: Illegal::ALL[number / 2 % 2],
        reset: Reset::ALL[number / 3 % 3],
    }
}

fn for_all(mut show: impl FnMut(&Rules, BatchOptions, u64)) {
    for (seed, rules) in (0..).zip(rules()) {
        for number in 0..6 {
            show(&rules, options(seed as usize + number * 5), seed);
        }
    }
}

/// What a seat sees in all games.
fn seen<N: Number>(batch: &Batch, seat: Seat) -> Vec<N> {
    let mut numbers = vec![N::default(); batch.len() * batch.layout().size()];
    batch.observe(seat, false, &mut numbers);
    numbers
}

#[test]
fn kept_up_observations_are_those_of_views_and_of_whole_games() {
    let mut observations = 0;
    for_all(|rules, options, seed| {
        let mut batch = Batch::new(rules, 5, seed, options).expect("rules that can be laid out");
        let (layout, size) = (batch.layout().clone(), batch.layout().size());
        assert_eq!(layout.high().len(), size);
        for _ in 0..48 {
            let written = Written::<u8>::of_step(&mut batch, 1);
            for seat in rules.seats() {
                let (bytes, floats) = (seen::<u8>(&batch, seat), seen::<f32>(&batch, seat));
                assert!(bytes.iter().map(|&byte| f32::from(byte)).eq(floats.iter().copied()));
                for (place, kept) in bytes.chunks_exact(size).enumerate() {
                    let (episode, mut fresh) = (batch.episode(place), vec![9; size]);
                    episode.observe(&layout, seat, &mut fresh);
                    assert_eq!(kept, fresh, "{rules}, seat {seat:?} of {episode:?}");
                    if !layout.recall() {
                        fresh.fill(9);
                        layout.observe(&episode.view(seat), &mut fresh);
                        assert_eq!(kept, fresh, "{rules}, seat {seat:?} of {episode:?}");
                    }
                    assert!(kept.iter().zip(layout.high()).all(|(&number, high)| number <= high));
                    if written.seats[place] == seat.index() as u8 {
                        assert_eq!(kept, &written.observations[place * size..][..size]);
                        let legal = episode.view(seat).legal_moves().mask().map(|legal| legal && !batch.is_over(place));
                        assert!(legal.map(i8::from)[..] == written.masks[place * ACTIONS..][..ACTIONS]);
                    }
                    observations += 1;
                }
            }
        }
    });
    assert!(observations > 40_000, "only {observations} observations were compared");
}

#[test]
fn a_restored_batch_goes_on_alike() {
    for_all(|rules, options, seed| {
        let mut batch = Batch::new(rules, 4, seed, options).expect("rules that can be laid out");
        for _ in 0..27 {
            let mut twin = Batch::restore(&batch.save()).expect("it was saved");
            assert_eq!(twin.save(), batch.save());
            for _ in 0..3 {
                assert_eq!(Written::<u8>::of_step(&mut twin, 1), Written::of_step(&mut batch.clone(), 1));
                Written::<f32>::of_step(&mut batch, 1);
                assert_eq!(twin.save(), batch.save());
            }
            for seat in rules.seats() {
                assert_eq!(seen::<u8>(&twin, seat), seen::<u8>(&batch, seat));
            }
        }
    });
}

#[test]
fn threads_change_nothing() {
    for (seed, rules) in (0..).zip(rules()) {
        let one = Batch::new(&rules, 1700, seed, options(seed as usize)).expect("rules that can be laid out");
        let mut batches = [one.clone(), one.clone(), one];
        for _ in 0..23 {
            let [first, others @ ..] = &mut batches;
            let written = Written::<u8>::of_step(first, 1);
            for (threads, other) in [3, 7].into_iter().zip(others) {
                assert_eq!(Written::of_step(other, threads), written);
            }
        }
        assert!(batches.iter().all(|batch| batch.save() == batches[0].save()));
    }
}

#[test]
fn an_action_that_is_refused_changes_nothing() {
    let mut batch = Batch::new(&Rules::default(), 3, 1, options(0)).expect("rules that can be laid out");
    assert_eq!(batch.options().illegal, Illegal::Raise);
    let mut written = Written::<u8>::room(&batch);
    let (room, saved) = (written.clone(), batch.save());
    for (actions, game) in [(vec![WAIT, WAIT, 199], Some(2)), (vec![200, 199, 0], Some(0)), (vec![0; 4], None)] {
        let error = batch.step(&actions, written.rows(), ONE).expect_err("nothing that can be played");
        let named = if let BatchError::Play { game, .. } = error { Some(game) } else { None };
        assert_eq!(named, game, "{error}");
        assert_eq!((&written, batch.save()), (&room, saved.clone()));
    }
}

#[test]
fn mangled_bytes_are_an_error_or_a_batch_that_can_be() {
    let mut rng = Xoshiro256PlusPlus::numbered(1, Purpose::Sample, 0);
    let (mut refused, mut restored) = (0, 0);
    for_all(|rules, options, seed| {
        let mut batch = Batch::new(rules, 3, seed, options).expect("rules that can be laid out");
        for _ in 0..14 {
            Written::<u8>::of_step(&mut batch, 1);
        }
        let saved = batch.save();
        for _ in 0..40 {
            let mut bytes = saved.clone();
            let place = rng.below(bytes.len().min(300) as u64) as usize;
            match rng.below(3) {
                0 => bytes[place] ^= 1 << rng.below(8),
                1 => bytes[place] = [0, 1, 20, 200, 255][rng.below(5) as usize],
                _ => bytes.truncate(place),
            }
            let Ok(mut batch) = Batch::restore(&bytes) else {
                refused += 1;
                continue;
            };
            restored += 1;
            for _ in 0..25 {
                Written::<u8>::of_step(&mut batch, 1);
            }
        }
    });
    assert!(refused > 500 && restored > 100, "{refused} were refused, {restored} restored");
}
