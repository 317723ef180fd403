//! What `lanes.rs` asks of a vector, so that it need not know processors.

use crate::rollout::draws::LANES;

/// Bytes and 16-bit words side by side, as a processor has them. No addition overflows unless it says so.
pub(super) trait Vector: Copy {
    /// Games side by side; it divides 64.
    const LANES: usize;
    /// Yes or no for each lane.
    type Mask: Copy;
    /// A 16-bit word for each lane, in the order that `to_bytes` undoes; four of them are 64 bits of one generator.
    type Words: Copy;

    fn splat(byte: u8) -> Self;
    fn store(self, bytes: &mut [u8; LANES]);
    fn add(self, other: Self) -> Self;
    fn wrapping_add(self, other: Self) -> Self;
    /// The difference, where it is not negative.
    fn sub(self, other: Self) -> Self;
    fn wrapping_sub(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn equal(self, other: Self) -> Self::Mask;
    /// Whether a lane is not less than the other's.
    fn at_least(self, other: Self) -> Self::Mask;
    /// Whether a lane is greater than the other's, both read as -128 to 127.
    fn greater(self, other: Self) -> Self::Mask;
    /// The lanes where both say yes.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// The lanes that have this bit, one in each byte.
    fn has(self, bits: Self) -> Self::Mask;
    /// The number itself where the mask says yes, else 0.
    fn keep(self, mask: Self::Mask) -> Self;
    /// One more where the mask says yes; 255 becomes 0.
    fn count(self, mask: Self::Mask) -> Self;
    /// The number with the sign of `a - b`, both read as -128 to 127, and 0 where they are equal.
    fn signed_as(self, a: Self, b: Self) -> Self;
    /// 255 where the mask says yes, else 0.
    fn bytes(mask: Self::Mask) -> Self;
    /// One bit for each lane, lane 0 lowest.
    fn bits(mask: Self::Mask) -> u64;
    /// The entry of the table that each lane names, 0 to 7.
    fn look_up(self, table: &[u8; 8]) -> Self;

    /// Words from 64-bit pieces, four lanes each.
    fn load(pieces: &[u64]) -> Self::Words;
    /// The next words of the generators with this state: xoshiro256++, as in `rng.rs`.
    fn next_words(state: &mut [Self::Words; 4]) -> Self::Words;
    /// The high and the low halves of the products with a number below 256, so that high halves are bytes.
    fn multiply(words: Self::Words, by: u16) -> (Self, Self::Words);
    /// The high halves of the products with each lane's number.
    fn multiply_high(words: Self::Words, by: Self) -> Self;
    /// Notes the lanes whose word is less than this; words of 0 note nothing yet.
    fn note_less(noted: &mut Self::Words, words: Self::Words, than: u16);
    /// The noted lanes, lane 0 lowest.
    fn noted(noted: Self::Words) -> u64;
    /// The low and the high bytes.
    fn split(words: Self::Words) -> [Self; 2];
}

/// A table look-up for processors without one; the tables have six entries.
#[inline(always)]
pub(super) fn look_up_by_comparing<V: Vector>(index: V, table: &[u8; 8]) -> V {
    let mut value = V::splat(table[0]);
    for (entry, &byte) in (1..6).zip(&table[1..]) {
        value = V::select(index.equal(V::splat(entry)), V::splat(byte), value);
    }
    value
}
