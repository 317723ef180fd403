//! Keys of games: 64 bits, mixed well.

/// The folded product of two words, which spreads all bits of both over the result.
#[inline]
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// A word with its bits spread.
#[inline]
pub(crate) fn mixed(word: u64) -> u64 {
    folded(word ^ 0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93)
}

/// A key in the making: word by word.
pub(crate) struct Key(u64);

impl Key {
    /// The key of a first word.
    #[inline]
    pub(crate) fn new(word: u64) -> Key {
        Key(mixed(word))
    }

    /// Adds a word; the order matters.
    #[inline]
    pub(crate) fn add(&mut self, word: u64) {
        self.0 = folded(self.0 ^ word ^ 0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB).rotate_left(23) ^ word;
    }

    /// The key of all words.
    #[inline]
    pub(crate) fn finish(self) -> u64 {
        mixed(self.0)
    }
}
