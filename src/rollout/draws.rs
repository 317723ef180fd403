//! The written order of draws: which random bits decide what in a playout. Every backend follows it to the bit.
//!
//! Playouts come in batches, and batch `k` of a seed owns stream `k`: generators `16k .. 16k + 16` of the purpose
//! `playout`. A batch is played in rounds of 64 lanes, one game a lane. The round's words are drawn one after the
//! other; a word is one 64-bit output of each of the 16 generators, and lane `l` takes the 16-bit piece `l % 4`
//! (lowest first) of generator `l / 4`. In a game, words are used in this order:
//!
//! 1. for each seat with unseen tiles, in seat order: the words that shuffle them (see [`Shuffle`]);
//! 2. uniform policy: one word for every eight plies: ply `i` from the start takes bit `2 (i % 8)` of word `i / 8` as
//!    the face (1 = Lion) and the bit above it as the choice of a tile (0 = the one that the seat has held longer, 1 =
//!    the one that came last; ignored when only one is left);
//!    then the words that shuffle the plies that are left, listed in order: the ply that comes to place `p` goes to
//!    the empty space number `p` in reading order;
//!    soft-greedy and keen-greedy policy: one word for every four plies: ply `i` from the start takes the three lowest bits of the
//!    nibble `i % 4` (lowest first) of word `i / 4`, and below 3 (keen-greedy: below 1) it is free; then one word for each ply, which chooses
//!    one of its candidates. Candidates are, in this order, the front of the tile held longer, its Lion, the front of
//!    the tile that came last, its Lion (only two if one tile is left), each of them on every empty space in reading
//!    order; if the ply is not free, only those with the greatest gain. Of `n` candidates, word `w` chooses number
//!    `w n / 65536`, rounded down.
//!
//! A lane in which any word is refused is dropped whole, so that what is shuffled is exactly uniform; the games of a
//! batch are the lanes that remain, in order. No word that chooses a candidate is refused: of at most 80 candidates,
//! each is chosen by one of two neighbouring numbers of the 65,536 words, so that no chance is off by more than 80 in
//! 65,536 of itself.

use crate::rng::{Purpose, Xoshiro256PlusPlus};
use crate::tile::Face;

/// Games side by side in a round.
pub(crate) const LANES: usize = 64;
/// Generators that feed the lanes of a stream, four lanes each.
const GENERATORS: usize = LANES / 4;
/// Plies whose face and choice of a tile come from one word.
const PLIES_PER_WORD: usize = 8;
/// Plies that one word declares free or not.
const PLIES_PER_FREE_WORD: usize = 4;
/// Bounds share one word as long as it is refused in at most this many of 65,536 cases.
const MOST_REFUSED: u32 = 256;

/// How many words decide faces and choices of a tile.
pub(crate) fn choice_words(plies: usize) -> usize {
    plies.div_ceil(PLIES_PER_WORD)
}

/// The face of ply `i`, and whether the tile that came last is placed, from a lane's choice words.
#[inline]
pub(crate) fn choice(words: &[u16], i: usize) -> (Face, bool) {
    let bits = words[i / PLIES_PER_WORD] >> (2 * (i % PLIES_PER_WORD));
    (if bits & 1 == 1 { Face::Lion } else { Face::Front }, bits & 2 == 2)
}

/// How many words decide which plies of a soft-greedy game are free.
pub(crate) fn free_words(plies: usize) -> usize {
    plies.div_ceil(PLIES_PER_FREE_WORD)
}

/// Whether ply `i` of an epsilon-greedy game is random, which has probability n/8, from a lane's words of that kind.
#[inline]
pub(crate) fn is_free(words: &[u16], i: usize, of_eight: u8) -> bool {
    u32::from(words[i / PLIES_PER_FREE_WORD] >> (4 * (i % PLIES_PER_FREE_WORD)) & 7) < of_eight.into()
}

/// The number below `count` that a word chooses.
#[inline]
pub(crate) fn chosen(word: u16, count: usize) -> usize {
    (usize::from(word) * count) >> 16
}

/// The generators of one stream.
pub(crate) struct Stream {
    generators: [Xoshiro256PlusPlus; GENERATORS],
}

impl Stream {
    pub(crate) fn new(seed: u64, number: u64) -> Stream {
        let first = number.wrapping_mul(GENERATORS as u64);
        Stream {
            generators: std::array::from_fn(|g| {
                Xoshiro256PlusPlus::numbered(seed, Purpose::Playout, first.wrapping_add(g as u64))
            }),
        }
    }

    /// The states of the generators: `states[i][g]` is word `i` of generator `g`.
    pub(super) fn states(&self) -> [[u64; GENERATORS]; 4] {
        std::array::from_fn(|word| std::array::from_fn(|g| self.generators[g].state()[word]))
    }

    /// Draws the words of a round: `round[lane * words + w]` is word `w` of a lane.
    pub(crate) fn draw_round(&mut self, round: &mut [u16]) {
        let words = round.len() / LANES;
        for w in 0..words {
            for (g, generator) in self.generators.iter_mut().enumerate() {
                let mut bits = generator.next_u64();
                for lane in 4 * g..4 * g + 4 {
                    round[lane * words + w] = bits as u16;
                    bits >>= 16;
                }
            }
        }
    }
}

/// How to shuffle n items with as few words as possible: fix one place after the other from the front (Fisher
/// and Yates), and take several bounded numbers from one word (Brackett-Rozinsky and Lemire, "Batched ranged random
/// integer generation", 2024).
#[derive(Default)]
pub(crate) struct Shuffle {
    pub(super) words: Vec<Word>,
}

/// One word's share of a shuffle.
pub(super) struct Word {
    /// The place that is fixed first.
    pub(super) first: usize,
    /// How many items are left to choose from, for each place that is fixed: each one less than the one before.
    pub(super) bounds: Vec<u16>,
    /// 65,536 modulo the product of the bounds: a word whose last remainder is below is refused.
    pub(super) refused: u16,
}

impl Shuffle {
    /// The plan for n items. Bounds share a word as long as at most `MOST_REFUSED` cases are refused.
    pub(crate) fn new(items: usize) -> Shuffle {
        let refused = |product: u32| (1 << 16) % product;
        let mut words: Vec<Word> = Vec::new();
        let mut product = u32::MAX;
        for (place, bound) in (2..=items as u32).rev().enumerate() {
            let wider = product.saturating_mul(bound);
            if wider <= 1 << 16 && refused(wider) <= MOST_REFUSED {
                product = wider;
            } else {
                product = bound;
                words.push(Word { first: place, bounds: Vec::new(), refused: 0 });
            }
            if let Some(word) = words.last_mut() {
                word.bounds.push(bound as u16);
                word.refused = refused(product) as u16;
            }
        }
        Shuffle { words }
    }

    /// How many words a shuffle takes.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// Shuffles the items; false if a word is refused, and then the order means nothing.
    #[inline]
    pub(crate) fn apply<T>(&self, items: &mut [T], words: &[u16]) -> bool {
        for (plan, &word) in self.words.iter().zip(words) {
            let mut rest = word;
            let mut unfixed = &mut items[plan.first..];
            for &bound in &plan.bounds {
                let product = u32::from(rest) * u32::from(bound);
                rest = product as u16;
                unfixed.swap(0, (product >> 16) as usize);
                unfixed = &mut unfixed[1..];
            }
            if rest < plan.refused {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Every word in turn, for shuffles of one word: each order comes equally often.
    #[test]
    fn one_word_shuffles_are_exactly_uniform() {
        for items in 2..=6 {
            let shuffle = Shuffle::new(items);
            assert_eq!(shuffle.len(), 1);
            let mut counts: HashMap<Vec<usize>, u32> = HashMap::new();
            for word in 0..=u16::MAX {
                let mut order: Vec<usize> = (0..items).collect();
                if shuffle.apply(&mut order, &[word]) {
                    *counts.entry(order).or_default() += 1;
                }
            }
            let orders = (1..=items as u32).product::<u32>();
            assert_eq!(counts.len(), orders as usize);
            assert!(counts.values().all(|&count| count == (1 << 16) / orders), "{items} items");
        }
    }

    /// Every word of every plan, over all its values: each combination of its numbers comes equally often.
    #[test]
    fn every_word_is_exactly_uniform() {
        for items in 2..=20 {
            for word in Shuffle::new(items).words {
                let mut counts: HashMap<Vec<u32>, u32> = HashMap::new();
                for value in 0..=u16::MAX {
                    let mut rest = value;
                    let numbers = word.bounds.iter().map(|&bound| {
                        let product = u32::from(rest) * u32::from(bound);
                        rest = product as u16;
                        product >> 16
                    });
                    let numbers: Vec<u32> = numbers.collect();
                    if rest >= word.refused {
                        *counts.entry(numbers).or_default() += 1;
                    }
                }
                let product: u32 = word.bounds.iter().map(|&bound| u32::from(bound)).product();
                assert_eq!(counts.len(), product as usize);
                assert!(counts.values().all(|&count| count == (1 << 16) / product));
                assert!(u32::from(word.refused) <= MOST_REFUSED);
            }
        }
    }

    #[test]
    fn plans_fix_every_place_but_the_last() {
        for items in 0..=20_usize {
            let fixed: usize = Shuffle::new(items).words.iter().map(|word| word.bounds.len()).sum();
            assert_eq!(fixed, items.saturating_sub(1));
        }
        assert_eq!(Shuffle::new(10).len(), 2);
        assert_eq!(Shuffle::new(20).len(), 7);
    }
}
