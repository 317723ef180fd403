//! Vectors of x86-64: 16, 32 and 64 bytes. With `backend.rs`, the only file that may say `unsafe`: each vector type is
//! used by one generic function alone, which is compiled for the instructions that it needs.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use crate::rollout::draws::{LANES, Stream};
use crate::rollout::lane_plan::LanePlan;
use crate::rollout::lanes::LaneTally;
use crate::rollout::vector::{Vector, look_up_by_comparing};

/// Makes the function that plays games by a vector, with the instructions of its processors.
macro_rules! player {
    ($play:ident by $vector:ident with $instructions:literal) => {
        #[target_feature(enable = $instructions)]
        pub(super) fn $play<const TEAMS: usize, const PLAIN: bool>(
            plan: &LanePlan,
            stream: &Stream,
            games: u64,
            count: &mut LaneTally,
        ) {
            plan.play::<$vector, TEAMS, PLAIN>(stream, games, count);
        }
    };
}

player!(play_sse2 by Sse2 with "sse2");
player!(play_avx2 by Avx2 with "avx2,popcnt,bmi1,lzcnt");
player!(play_avx512 by Avx512 with "avx512f,avx512bw,popcnt,bmi1,lzcnt");

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
            fn rotate<const LEFT: ShiftBy, const RIGHT: ShiftBy>(x: $register) -> $register {
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

/// Sixteen bytes.
#[derive(Clone, Copy)]
struct Sse2(__m128i);

type ShiftBy = i32;

impl Vector for Sse2 {
    const LANES: usize = 16;
    type Mask = __m128i;

    by_width!(
        __m128i,
        _mm_or_si128,
        _mm_and_si128,
        _mm_xor_si128,
        _mm_set1_epi8,
        _mm_set1_epi16,
        _mm_add_epi8,
        _mm_sub_epi8,
        _mm_min_epu8,
        _mm_max_epu8,
        _mm_add_epi64,
        _mm_slli_epi64,
        _mm_srli_epi64,
        _mm_srli_epi16,
        _mm_mulhi_epu16,
        _mm_mullo_epi16,
        _mm_packus_epi16,
        _mm_subs_epu16,
        _mm_unpacklo_epi8,
        _mm_unpackhi_epi8,
        _mm_setzero_si128
    );

    #[inline(always)]
    fn store(self, bytes: &mut [u8; LANES]) {
        // SAFETY: there is room for 16 bytes, and the instruction asks for no alignment.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn equal(self, other: Self) -> __m128i {
        instructions!(_mm_cmpeq_epi8(self.0, other.0))
    }
    #[inline(always)]
    fn at_least(self, other: Self) -> __m128i {
        self.max(other).equal(self)
    }
    #[inline(always)]
    fn greater(self, other: Self) -> __m128i {
        instructions!(_mm_cmpgt_epi8(self.0, other.0))
    }
    #[inline(always)]
    fn both(a: __m128i, b: __m128i) -> __m128i {
        instructions!(_mm_and_si128(a, b))
    }
    #[inline(always)]
    fn keep(self, mask: __m128i) -> Self {
        Self(instructions!(_mm_and_si128(self.0, mask)))
    }
    #[inline(always)]
    fn count(self, mask: __m128i) -> Self {
        Self(instructions!(_mm_sub_epi8(self.0, mask)))
    }
    #[inline(always)]
    fn signed_as(self, a: Self, b: Self) -> Self {
        self.keep(a.greater(b)).sub(self.keep(b.greater(a)))
    }
    #[inline(always)]
    fn select(mask: __m128i, yes: Self, no: Self) -> Self {
        Self(instructions!(_mm_or_si128(_mm_and_si128(mask, yes.0), _mm_andnot_si128(mask, no.0))))
    }
    #[inline(always)]
    fn has(self, bits: Self) -> __m128i {
        self.and(bits).equal(bits)
    }
    #[inline(always)]
    fn bytes(mask: __m128i) -> Self {
        Self(mask)
    }
    #[inline(always)]
    fn bits(mask: __m128i) -> u64 {
        instructions!(_mm_movemask_epi8(mask) as u32).into()
    }
    #[inline(always)]
    fn look_up(self, table: &[u8; 8]) -> Self {
        look_up_by_comparing(self, table)
    }
    #[inline(always)]
    fn load(p: &[u64]) -> [__m128i; 2] {
        let pair = |a: u64, b: u64| instructions!(_mm_set_epi64x(b as i64, a as i64));
        [pair(p[0], p[1]), pair(p[2], p[3])]
    }
}

/// 32 bytes.
#[derive(Clone, Copy)]
struct Avx2(__m256i);

impl Vector for Avx2 {
    const LANES: usize = 32;
    type Mask = __m256i;

    by_width!(
        __m256i,
        _mm256_or_si256,
        _mm256_and_si256,
        _mm256_xor_si256,
        _mm256_set1_epi8,
        _mm256_set1_epi16,
        _mm256_add_epi8,
        _mm256_sub_epi8,
        _mm256_min_epu8,
        _mm256_max_epu8,
        _mm256_add_epi64,
        _mm256_slli_epi64,
        _mm256_srli_epi64,
        _mm256_srli_epi16,
        _mm256_mulhi_epu16,
        _mm256_mullo_epi16,
        _mm256_packus_epi16,
        _mm256_subs_epu16,
        _mm256_unpacklo_epi8,
        _mm256_unpackhi_epi8,
        _mm256_setzero_si256
    );

    #[inline(always)]
    fn store(self, bytes: &mut [u8; LANES]) {
        // SAFETY: there is room for 32 bytes, and the instruction asks for no alignment.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn equal(self, other: Self) -> __m256i {
        instructions!(_mm256_cmpeq_epi8(self.0, other.0))
    }
    #[inline(always)]
    fn at_least(self, other: Self) -> __m256i {
        self.max(other).equal(self)
    }
    #[inline(always)]
    fn greater(self, other: Self) -> __m256i {
        instructions!(_mm256_cmpgt_epi8(self.0, other.0))
    }
    #[inline(always)]
    fn both(a: __m256i, b: __m256i) -> __m256i {
        instructions!(_mm256_and_si256(a, b))
    }
    #[inline(always)]
    fn keep(self, mask: __m256i) -> Self {
        Self(instructions!(_mm256_and_si256(self.0, mask)))
    }
    #[inline(always)]
    fn count(self, mask: __m256i) -> Self {
        Self(instructions!(_mm256_sub_epi8(self.0, mask)))
    }
    #[inline(always)]
    fn signed_as(self, a: Self, b: Self) -> Self {
        // The difference is taken to saturate, so that its sign is right.
        Self(instructions!(_mm256_sign_epi8(self.0, _mm256_subs_epi8(a.0, b.0))))
    }
    #[inline(always)]
    fn select(mask: __m256i, yes: Self, no: Self) -> Self {
        Self(instructions!(_mm256_blendv_epi8(no.0, yes.0, mask)))
    }
    #[inline(always)]
    fn has(self, bits: Self) -> __m256i {
        self.and(bits).equal(bits)
    }
    #[inline(always)]
    fn bytes(mask: __m256i) -> Self {
        Self(mask)
    }
    #[inline(always)]
    fn bits(mask: __m256i) -> u64 {
        instructions!(_mm256_movemask_epi8(mask) as u32).into()
    }
    #[inline(always)]
    fn look_up(self, table: &[u8; 8]) -> Self {
        let table = i64::from_le_bytes(*table);
        Self(instructions!(_mm256_shuffle_epi8(_mm256_set1_epi64x(table), self.0)))
    }
    #[inline(always)]
    fn load(p: &[u64]) -> [__m256i; 2] {
        // Packing works within halves of 128 bits, so each half of the pair holds words of neighbouring lanes.
        let four = |i: [usize; 4]| {
            let [a, b, c, d] = i.map(|i| p[i] as i64);
            instructions!(_mm256_set_epi64x(d, c, b, a))
        };
        [four([0, 1, 4, 5]), four([2, 3, 6, 7])]
    }
}

/// 64 bytes.
#[derive(Clone, Copy)]
struct Avx512(__m512i);

impl Vector for Avx512 {
    const LANES: usize = 64;
    type Mask = __mmask64;

    by_width!(
        __m512i,
        _mm512_or_si512,
        _mm512_and_si512,
        _mm512_xor_si512,
        _mm512_set1_epi8,
        _mm512_set1_epi16,
        _mm512_add_epi8,
        _mm512_sub_epi8,
        _mm512_min_epu8,
        _mm512_max_epu8,
        _mm512_add_epi64,
        shl64,
        shr64,
        shr16,
        _mm512_mulhi_epu16,
        _mm512_mullo_epi16,
        _mm512_packus_epi16,
        _mm512_subs_epu16,
        _mm512_unpacklo_epi8,
        _mm512_unpackhi_epi8,
        _mm512_setzero_si512
    );

    #[inline(always)]
    fn store(self, bytes: &mut [u8; LANES]) {
        // SAFETY: there is room for 64 bytes, and the instruction asks for no alignment.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn equal(self, other: Self) -> __mmask64 {
        instructions!(_mm512_cmpeq_epi8_mask(self.0, other.0))
    }
    #[inline(always)]
    fn at_least(self, other: Self) -> __mmask64 {
        instructions!(_mm512_cmpge_epu8_mask(self.0, other.0))
    }
    #[inline(always)]
    fn greater(self, other: Self) -> __mmask64 {
        instructions!(_mm512_cmpgt_epi8_mask(self.0, other.0))
    }
    #[inline(always)]
    fn both(a: __mmask64, b: __mmask64) -> __mmask64 {
        a & b
    }
    #[inline(always)]
    fn keep(self, mask: __mmask64) -> Self {
        Self(instructions!(_mm512_maskz_mov_epi8(mask, self.0)))
    }
    #[inline(always)]
    fn count(self, mask: __mmask64) -> Self {
        Self(instructions!(_mm512_mask_add_epi8(self.0, mask, self.0, _mm512_set1_epi8(1))))
    }
    #[inline(always)]
    fn signed_as(self, a: Self, b: Self) -> Self {
        let positive = self.keep(a.greater(b));
        Self(instructions!(_mm512_mask_sub_epi8(positive.0, b.greater(a), _mm512_setzero_si512(), self.0)))
    }
    #[inline(always)]
    fn select(mask: __mmask64, yes: Self, no: Self) -> Self {
        Self(instructions!(_mm512_mask_mov_epi8(no.0, mask, yes.0)))
    }
    #[inline(always)]
    fn has(self, bits: Self) -> __mmask64 {
        instructions!(_mm512_test_epi8_mask(self.0, bits.0))
    }
    #[inline(always)]
    fn bytes(mask: __mmask64) -> Self {
        Self(instructions!(_mm512_movm_epi8(mask)))
    }
    #[inline(always)]
    fn bits(mask: __mmask64) -> u64 {
        mask
    }
    #[inline(always)]
    fn look_up(self, table: &[u8; 8]) -> Self {
        let table = i64::from_le_bytes(*table);
        Self(instructions!(_mm512_shuffle_epi8(_mm512_set1_epi64(table), self.0)))
    }
    #[inline(always)]
    fn load(p: &[u64]) -> [__m512i; 2] {
        let eight = |i: [usize; 8]| {
            let [a, b, c, d, e, f, g, h] = i.map(|i| p[i] as i64);
            instructions!(_mm512_set_epi64(h, g, f, e, d, c, b, a))
        };
        [eight([0, 1, 4, 5, 8, 9, 12, 13]), eight([2, 3, 6, 7, 10, 11, 14, 15])]
    }
}

// The shifts of AVX-512 take their counts as another type.
#[inline(always)]
fn shl64<const BY: i32>(x: __m512i) -> __m512i {
    instructions!(_mm512_sll_epi64(x, _mm_cvtsi32_si128(BY)))
}
#[inline(always)]
fn shr64<const BY: i32>(x: __m512i) -> __m512i {
    instructions!(_mm512_srl_epi64(x, _mm_cvtsi32_si128(BY)))
}
#[inline(always)]
fn shr16<const BY: i32>(x: __m512i) -> __m512i {
    instructions!(_mm512_srl_epi16(x, _mm_cvtsi32_si128(BY)))
}
