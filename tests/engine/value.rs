//! The learnt value that comes with the crate: its file, and what must be true of anything that is learnt.

use std::path::Path;

use crate::common::random_move;
use savanna_core::search::value::{Value, features};
use savanna_core::{Position, Purpose, Rules, Setting, World, Xoshiro256PlusPlus};

/// The numbers of the file, by kind of game.
fn numbers() -> Vec<Vec<i16>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/search/value.bin");
    let bytes = std::fs::read(path).expect("the file of values");
    assert_eq!(bytes.len(), Value::LEN * 2 * Value::kinds().count());
    let numbers: Vec<i16> = bytes.chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]])).collect();
    numbers.chunks(Value::LEN).map(<[i16]>::to_vec).collect()
}

/// The worlds of a random game from the first move to before the last.
fn worlds<'s>(setting: &'s Setting, seed: u64) -> Vec<World<'s>> {
    let mut rng = Xoshiro256PlusPlus::numbered(seed, Purpose::Sample, 6);
    let mut position = Position::deal(setting.rules(), seed);
    let plies = (1..20).map(|_| {
        position = position.play(random_move(&position, &mut rng)).expect("a legal move");
        World::new(setting, &position)
    });
    plies.collect()
}

#[test]
fn the_file_holds_what_each_kind_of_game_is_judged_by() {
    for (rules, numbers) in Value::kinds().zip(numbers()) {
        let (setting, learnt) = (Setting::new(&rules), Value::learnt(&rules).expect("a learnt value"));
        for world in worlds(&setting, 1) {
            let mut sum = 0;
            features(&world, |index, times| sum += i32::from(numbers[index]) * times);
            assert_eq!(learnt.logit(&world), sum);
        }
    }
    let odd = Rules::new(&savanna_core::RulesOptions { target: 11, ..Default::default() }).expect("valid rules");
    assert!(Value::learnt(&odd).is_none());
}

/// More points make a win likelier, from the third ply on, before which no line can be full; and the more, the fewer plies
/// are left to change it.
#[test]
fn the_lead_in_points_is_good() {
    for (rules, numbers) in Value::kinds().zip(numbers()) {
        let setting = Setting::new(&rules);
        let weights = worlds(&setting, 2).into_iter().map(|world| {
            let mut noted = Vec::new();
            features(&world, |index, times| noted.push((index, times)));
            // The last three are the constant, the lead in points and that in Lions.
            let [.., (constant, 1), (lead, points), _] = noted[..] else { panic!("{noted:?}") };
            let (seats, scores) = (world.setting().rules(), world.scores());
            let team = seats.team_of(seats.seat_at(world.ply() - 1));
            let other = seats.team_list().find(|other| *other != team).expect("two teams");
            assert_eq!((lead, points), (constant + 1, i32::from(scores[team]) - i32::from(scores[other])));
            numbers[lead]
        });
        let weights: Vec<i16> = weights.collect();
        assert_eq!(weights[..2], [0, 0], "{rules}");
        assert!(weights[2..].iter().all(|&weight| weight > 0), "{rules}: {weights:?}");
        assert!(weights[18] > 2 * weights[2], "{rules}: {weights:?}");
    }
}

/// Fewer Lions win a tie: that is worth something as soon as there can be any, and less than a point.
#[test]
fn few_lions_are_good() {
    for (rules, numbers) in Value::kinds().zip(numbers()) {
        let setting = Setting::new(&rules);
        let weights = worlds(&setting, 3).into_iter().map(|world| {
            let mut noted = Vec::new();
            features(&world, |index, times| noted.push((index, times)));
            let [.., (lead, _), (few, times)] = noted[..] else { panic!("{noted:?}") };
            let (seats, lions) = (world.setting().rules(), world.lions());
            let team = seats.team_of(seats.seat_at(world.ply() - 1));
            let other = seats.team_list().find(|other| *other != team).expect("two teams");
            assert_eq!((few, times), (lead + 1, i32::from(lions[other]) - i32::from(lions[team])));
            (numbers[few], numbers[lead])
        });
        for (ply, (few, lead)) in (1..).zip(weights) {
            assert!(few > 0 && (ply < 3 || few < lead), "{rules}, ply {ply}: {few} of {lead}");
        }
    }
}
