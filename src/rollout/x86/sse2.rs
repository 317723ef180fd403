//! Vectors of 16 bytes, which any x86-64 has.

use std::arch::x86_64::*;

use crate::rollout::draws::LANES;
use crate::rollout::vector::{Vector, look_up_by_comparing};

/// Sixteen bytes.
#[derive(Clone, Copy)]
pub(super) struct Sse2(__m128i);

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
