//! Vectors of 64 bytes.

use std::arch::x86_64::*;

use crate::rollout::draws::LANES;
use crate::rollout::vector::Vector;

/// 64 bytes.
#[derive(Clone, Copy)]
pub(super) struct Avx512(__m512i);

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
