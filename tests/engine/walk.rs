//! Random walks through games of every variant, with every promise checked at every position.

use crate::common::{random_move, variants};
use savanna_core::{ACTIONS, Move, Position, Purpose, Rules, View, Xoshiro256PlusPlus};

/// Walks one game and shows every position with the move that is played there.
fn walk(rules: &Rules, seed: u64, mut show: impl FnMut(&Position, Option<Move>, &mut Xoshiro256PlusPlus)) {
    let mut rng = Xoshiro256PlusPlus::numbered(seed, Purpose::Sample, 1);
    let mut position = Position::deal(rules, seed);
    while !position.is_over() {
        let mv = random_move(&position, &mut rng);
        show(&position, Some(mv), &mut rng);
        position = position.play(mv).expect("a legal move");
    }
    show(&position, None, &mut rng);
}

fn walk_all(games: u64, mut show: impl FnMut(&Position, Option<Move>, &mut Xoshiro256PlusPlus)) {
    let mut positions = 0;
    for rules in variants() {
        for seed in 0..games {
            walk(&rules, seed, |position, mv, rng| {
                positions += 1;
                show(position, mv, rng);
            });
        }
    }
    assert_eq!(positions, variants().len() as u64 * games * 21, "every game has 20 plies");
}

#[test]
fn every_position_checks_and_reads_back() {
    walk_all(20, |position, _, _| {
        assert_eq!(position.check(), Ok(()));
        assert_eq!(position.to_string().parse(), Ok(*position));
        assert_eq!(position.winners().is_empty(), !position.is_over());
    });
}

#[test]
fn the_mask_says_what_play_accepts() {
    walk_all(5, |position, _, _| {
        let mask = position.legal_moves().mask();
        let listed: Vec<usize> = position.legal_moves().iter().map(Move::action).collect();
        assert!(listed.is_sorted());
        assert_eq!(listed.len(), position.legal_moves().len());
        for (action, &legal) in mask.iter().enumerate() {
            let mv = Move::from_action(action).expect("an action id");
            assert_eq!((mv.action(), mv.to_string().parse()), (action, Ok(mv)));
            assert_eq!(position.play(mv).is_ok(), legal);
            assert_eq!(position.lines_filled(mv).is_ok(), legal);
            assert_eq!(listed.contains(&action), legal);
        }
        assert_eq!(Move::from_action(ACTIONS), None);
    });
}

#[test]
fn lines_filled_add_up_to_the_scores() {
    walk_all(20, |position, mv, _| {
        let Some(mv) = mv else { return };
        let next = position.play(mv).expect("a legal move");
        let mut scores = position.scores();
        for filled in position.lines_filled(mv).expect("a legal move") {
            for (score, points) in scores.0.iter_mut().zip(filled.score.points.0) {
                *score += points;
            }
        }
        if next.is_over() {
            let last = position.rules().seats().last().expect("a seat");
            scores[position.rules().team_of(last)] += u16::from(position.rules().last_seat_bonus());
        }
        assert_eq!(scores, next.scores());
    });
}

#[test]
fn samples_keep_the_view() {
    let mut others = 0;
    walk_all(10, |position, _, rng| {
        for seat in position.rules().seats() {
            let view = position.view(seat);
            assert_eq!(view.to_string().parse::<View>(), Ok(view));
            let sample = view.sample(rng.next_u64());
            assert_eq!(sample.check(), Ok(()));
            assert_eq!(sample.view(seat), view);
            others += usize::from(sample != *position);
        }
    });
    assert!(others > 1000, "samples differ from the truth");
}

#[test]
fn a_turned_board_scores_the_same() {
    walk_all(5, |position, mv, _| {
        let Some(mv) = mv else { return };
        let turned = |mv: Move| Move { space: mv.space.rotated(), ..mv };
        let sheet = |position: &Position, mv: Move| {
            let mut totals: Vec<_> = position
                .lines_filled(mv)
                .expect("legal")
                .iter()
                .map(|filled| filled.score)
                .map(|s| (s.total, s.points))
                .collect();
            totals.sort_unstable_by_key(|(total, points)| (*total, points.0));
            totals
        };
        let text = position.to_string();
        let fields: Vec<&str> = text.split(' ').collect();
        let image: Position = rotated_text(&fields).parse().expect("a turned position is one");
        assert_eq!(sheet(position, mv), sheet(&image, turned(mv)));
    });
}

/// The text of a position with the board turned a quarter clockwise.
fn rotated_text(fields: &[&str]) -> String {
    let mut tiles = Vec::new();
    let mut letters = fields[1].chars().filter(|&c| c != '/');
    while let Some(first) = letters.next() {
        tiles.push(if first == '.' { ".".to_owned() } else { format!("{first}{}", letters.next().expect("a letter")) });
    }
    let mut image = vec![String::new(); 20];
    for (space, tile) in savanna_core::Space::ALL.into_iter().zip(tiles) {
        image[space.rotated().index()] = tile;
    }
    let ranks: Vec<String> = image.chunks(4).map(|rank| rank.concat()).collect();
    [fields[0], &ranks.join("/"), fields[2], fields[3], fields[4]].join(" ")
}
