//! A vector for any processor: eight bytes in a 64-bit integer ("SIMD within a register").

use crate::rollout::draws::LANES;
use crate::rollout::vector::{Vector, look_up_by_comparing};

/// Eight bytes in a 64-bit integer. Byte `i` holds lane `LANE_OF[i]`, the order in which products come apart.
#[derive(Clone, Copy)]
pub(super) struct Swar(u64);

const LANE_OF: [usize; 8] = [0, 1, 4, 5, 2, 3, 6, 7];
/// The highest bit of every byte.
const HIGH: u64 = 0x8080_8080_8080_8080;
/// Every other 16-bit word.
const EVEN: u64 = 0x0000_ffff_0000_ffff;

impl Vector for Swar {
    const LANES: usize = 8;
    type Mask = u64;
    type Words = [u64; 2];

    #[inline(always)]
    fn splat(byte: u8) -> Swar {
        Swar(u64::from(byte) * 0x0101_0101_0101_0101)
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8; LANES]) {
        for (byte, lane) in self.0.to_le_bytes().into_iter().zip(LANE_OF) {
            bytes[lane] = byte;
        }
    }
    #[inline(always)]
    fn add(self, other: Swar) -> Swar {
        Swar(self.0.wrapping_add(other.0))
    }
    #[inline(always)]
    fn wrapping_add(self, other: Swar) -> Swar {
        Swar(((self.0 & !HIGH) + (other.0 & !HIGH)) ^ ((self.0 ^ other.0) & HIGH))
    }
    #[inline(always)]
    fn sub(self, other: Swar) -> Swar {
        Swar(self.0.wrapping_sub(other.0))
    }
    #[inline(always)]
    fn wrapping_sub(self, other: Swar) -> Swar {
        Swar(((self.0 | HIGH) - (other.0 & !HIGH)) ^ ((self.0 ^ !other.0) & HIGH))
    }
    #[inline(always)]
    fn and(self, other: Swar) -> Swar {
        Swar(self.0 & other.0)
    }
    #[inline(always)]
    fn or(self, other: Swar) -> Swar {
        Swar(self.0 | other.0)
    }
    #[inline(always)]
    fn xor(self, other: Swar) -> Swar {
        Swar(self.0 ^ other.0)
    }
    #[inline(always)]
    fn min(self, other: Swar) -> Swar {
        Swar::select(self.at_least(other), other, self)
    }
    #[inline(always)]
    fn max(self, other: Swar) -> Swar {
        Swar::select(self.at_least(other), self, other)
    }
    #[inline(always)]
    fn equal(self, other: Swar) -> u64 {
        let different = self.0 ^ other.0;
        fill(!(((different & !HIGH) + !HIGH) | different) & HIGH)
    }
    #[inline(always)]
    fn at_least(self, other: Swar) -> u64 {
        // The high bit of a difference of the low seven bits says whether those are at least the other's; where the high
        // bits differ, they decide.
        let low = (self.0 | HIGH) - (other.0 & !HIGH);
        fill(((self.0 & !other.0) | (!(self.0 ^ other.0) & low)) & HIGH)
    }
    #[inline(always)]
    fn greater(self, other: Swar) -> u64 {
        !Swar(other.0 ^ HIGH).at_least(Swar(self.0 ^ HIGH))
    }
    #[inline(always)]
    fn both(a: u64, b: u64) -> u64 {
        a & b
    }
    #[inline(always)]
    fn select(mask: u64, yes: Swar, no: Swar) -> Swar {
        Swar(no.0 ^ ((yes.0 ^ no.0) & mask))
    }
    #[inline(always)]
    fn has(self, bits: Swar) -> u64 {
        !self.and(bits).equal(Swar(0))
    }
    #[inline(always)]
    fn keep(self, mask: u64) -> Swar {
        Swar(self.0 & mask)
    }
    #[inline(always)]
    fn count(self, mask: u64) -> Swar {
        self.wrapping_sub(Swar(mask))
    }
    #[inline(always)]
    fn signed_as(self, a: Swar, b: Swar) -> Swar {
        self.keep(a.greater(b)).wrapping_sub(self.keep(b.greater(a)))
    }
    #[inline(always)]
    fn bytes(mask: u64) -> Swar {
        Swar(mask)
    }
    #[inline(always)]
    fn bits(mask: u64) -> u64 {
        // Gathers the low bits of the bytes, then puts lanes 2 and 3 before lanes 4 and 5.
        let bits = (mask & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        (bits & 0b1100_0011) | (bits & 0b0000_1100) << 2 | (bits & 0b0011_0000) >> 2
    }
    #[inline(always)]
    fn look_up(self, table: &[u8; 8]) -> Swar {
        look_up_by_comparing(self, table)
    }

    #[inline(always)]
    fn load(pieces: &[u64]) -> [u64; 2] {
        [pieces[0], pieces[1]]
    }
    #[inline(always)]
    fn next_words(state: &mut [[u64; 2]; 4]) -> [u64; 2] {
        std::array::from_fn(|i| {
            let [a, b, c, d] = [state[0][i], state[1][i], state[2][i], state[3][i]];
            let (e, f) = (c ^ a, d ^ b);
            [state[0][i], state[1][i], state[2][i], state[3][i]] = [a ^ f, b ^ e, e ^ (b << 17), f.rotate_left(45)];
            a.wrapping_add(d).rotate_left(23).wrapping_add(a)
        })
    }
    #[inline(always)]
    fn multiply(words: [u64; 2], by: u16) -> (Swar, [u64; 2]) {
        let by = u64::from(by);
        let products = words.map(|words| ((words & EVEN) * by, (words >> 16 & EVEN) * by));
        let high = products.map(|(even, odd)| (even >> 16 & EVEN) | (odd >> 16 & EVEN) << 8);
        (Swar(high[0] | high[1] << 16), products.map(|(even, odd)| (even & EVEN) | (odd & EVEN) << 16))
    }
    #[inline(always)]
    fn multiply_high(words: [u64; 2], by: Swar) -> Swar {
        // The bytes of `by` lie as `multiply` puts them: those of the first register's words, then the second's, each in
        // the order of words 0, 1, 2, 3, as bytes 0, 1, 4, 5 and 2, 3, 6, 7 of the lanes.
        let high = |words: u64, by: u64| {
            let product = |word: u32, byte: u32| ((words >> word & 0xffff) * (by >> byte & 0xff)) >> 16;
            product(0, 0) | product(16, 8) << 8 | product(32, 32) << 32 | product(48, 40) << 40
        };
        Swar(high(words[0], by.0) | high(words[1], by.0 >> 16) << 16)
    }
    #[inline(always)]
    fn note_less(noted: &mut [u64; 2], words: [u64; 2], than: u16) {
        // A word is less if subtracting from it, with a bit set above, takes that bit away.
        let (than, above) = (u64::from(than) * 0x0000_0001_0000_0001, 0x0001_0000_0001_0000);
        for (noted, words) in noted.iter_mut().zip(words) {
            let even = ((words & EVEN) | above) - than;
            let odd = ((words >> 16 & EVEN) | above) - than;
            *noted |= (!even & above) >> 16 | (!odd & above);
        }
    }
    #[inline(always)]
    fn noted(noted: [u64; 2]) -> u64 {
        let gather = |noted: u64| (noted | noted >> 15 | noted >> 30 | noted >> 45) & 15;
        gather(noted[0]) | gather(noted[1]) << 4
    }
    #[inline(always)]
    fn split(words: [u64; 2]) -> [Swar; 2] {
        let bytes = |shift: u32| {
            let piece = |words: u64| {
                let even = words >> shift & 0x0000_00ff_0000_00ff;
                even | (words >> shift >> 16 & 0x0000_00ff_0000_00ff) << 8
            };
            Swar(piece(words[0]) | piece(words[1]) << 16)
        };
        [bytes(0), bytes(8)]
    }
}

/// Spreads the highest bit of every byte over the byte.
#[inline(always)]
fn fill(high: u64) -> u64 {
    high | (high - (high >> 7))
}
