//! Vectors of 32 bytes.

use std::arch::x86_64::*;

use crate::rollout::draws::LANES;
use crate::rollout::vector::Vector;

/// 32 bytes.
#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256i);

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
