//! Vectors of x86-64: 16, 32 and 64 bytes. The files here may say `unsafe`: each vector type is used by one generic function
//! alone, which is compiled for the instructions that it needs.
#![allow(unsafe_code)]

use crate::rollout::draws::Stream;
use crate::rollout::lanes::Lanes;
use crate::rollout::tally::LaneTally;

/// Writes the body of a method that is nothing but instructions.
macro_rules! instructions {
    ($body:expr) => {
        // SAFETY: the type is used only inside the one function of this module that is compiled for its
        // instructions, and that is called only where the processor has them.
        unsafe { $body }
    };
}

/// Methods that differ between register widths by the names of the instructions only.
macro_rules! by_width {
    ($register:ident, $or:ident, $and:ident, $xor:ident, $splat8:ident, $splat16:ident, $add8:ident, $sub8:ident,
     $min8:ident, $max8:ident, $add64:ident, $shl64:ident, $shr64:ident, $shr16:ident, $mulhi:ident, $mullo:ident,
     $pack:ident, $subs16:ident, $low8:ident, $high8:ident, $zero:ident) => {
        type Words = [$register; 2];

        #[inline(always)]
        fn splat(byte: u8) -> Self {
            Self(instructions!($splat8(byte as i8)))
        }
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            Self(instructions!($add8(self.0, other.0)))
        }
        #[inline(always)]
        fn wrapping_add(self, other: Self) -> Self {
            self.add(other)
        }
        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            Self(instructions!($sub8(self.0, other.0)))
        }
        #[inline(always)]
        fn wrapping_sub(self, other: Self) -> Self {
            self.sub(other)
        }
        #[inline(always)]
        fn and(self, other: Self) -> Self {
            Self(instructions!($and(self.0, other.0)))
        }
        #[inline(always)]
        fn or(self, other: Self) -> Self {
            Self(instructions!($or(self.0, other.0)))
        }
        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            Self(instructions!($xor(self.0, other.0)))
        }
        #[inline(always)]
        fn min(self, other: Self) -> Self {
            Self(instructions!($min8(self.0, other.0)))
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            Self(instructions!($max8(self.0, other.0)))
        }
        #[inline(always)]
        fn next_words(state: &mut [Self::Words; 4]) -> Self::Words {
            let mut next = state[0];
            for i in 0..2 {
                let [a, b, c, d] = [state[0][i], state[1][i], state[2][i], state[3][i]];
                instructions!({
                    next[i] = $add64(rotate::<23, 41>($add64(a, d)), a);
                    let (e, f) = ($xor(c, a), $xor(d, b));
                    state[0][i] = $xor(a, f);
                    state[1][i] = $xor(b, e);
                    state[2][i] = $xor(e, $shl64::<17>(b));
                    state[3][i] = rotate::<45, 19>(f);
                });
            }
            return next;

            #[inline(always)]
            fn rotate<const LEFT: i32, const RIGHT: i32>(x: $register) -> $register {
                instructions!($or($shl64::<LEFT>(x), $shr64::<RIGHT>(x)))
            }
        }
        #[inline(always)]
        fn multiply(words: Self::Words, by: u16) -> (Self, Self::Words) {
            instructions!({
                let by = $splat16(by as i16);
                let high = Self($pack($mulhi(words[0], by), $mulhi(words[1], by)));
                (high, [$mullo(words[0], by), $mullo(words[1], by)])
            })
        }
        #[inline(always)]
        fn multiply_high(words: Self::Words, by: Self) -> Self {
            instructions!({
                let (low, high) = ($low8(by.0, $zero()), $high8(by.0, $zero()));
                Self($pack($mulhi(words[0], low), $mulhi(words[1], high)))
            })
        }
        #[inline(always)]
        fn note_less(noted: &mut Self::Words, words: Self::Words, than: u16) {
            for i in 0..2 {
                // What is left after taking the word away, stopping at 0, is not 0 only if the word is less.
                noted[i] = instructions!($or(noted[i], $subs16($splat16(than as i16), words[i])));
            }
        }
        #[inline(always)]
        fn split(words: Self::Words) -> [Self; 2] {
            instructions!({
                let low = $splat16(255);
                [
                    Self($pack($and(words[0], low), $and(words[1], low))),
                    Self($pack($shr16::<8>(words[0]), $shr16::<8>(words[1]))),
                ]
            })
        }
        #[inline(always)]
        fn noted(noted: Self::Words) -> u64 {
            // At most 256 was noted for a lane, so packing keeps what is not 0 from becoming 0.
            let packed = Self(instructions!($pack(noted[0], noted[1])));
            !Self::bits(packed.equal(Self::splat(0))) & (u64::MAX >> (64 - Self::LANES))
        }
    };
}

// They use the macros above.
mod sse2;
mod avx2;
mod avx512;

use avx2::Avx2;
use avx512::Avx512;
use sse2::Sse2;

/// Makes the function that plays games by a vector, with the instructions of its processors.
macro_rules! player {
    ($play:ident by $vector:ident with $instructions:literal) => {
        #[target_feature(enable = $instructions)]
        pub(super) fn $play<const TEAMS: usize, const PLAIN: bool>(
            lanes: &Lanes,
            stream: &Stream,
            games: u64,
            count: &mut LaneTally,
        ) {
            lanes.play::<$vector, TEAMS, PLAIN>(stream, games, count);
        }
    };
}

player!(play_sse2 by Sse2 with "sse2");
player!(play_avx2 by Avx2 with "avx2,popcnt,bmi1,lzcnt");
player!(play_avx512 by Avx512 with "avx512f,avx512bw,popcnt,bmi1,lzcnt");
