//! Randomness that is the same everywhere and for ever: one named generator, numbered, with unbiased small ranges.
//!
//! A seed and a purpose name a sequence of 64-bit words, made by SplitMix64 (Steele, Lea and Flood, "Fast splittable
//! pseudorandom number generators", 2014). Generator `j` of that sequence is xoshiro256++ (Blackman and Vigna,
//! "Scrambled linear pseudorandom number generators", 2019) started from words `4j .. 4j + 4`. A change to anything
//! here changes the games of every seed.

/// What numbers are drawn for. Each purpose has a sequence of its own, so that a deal and the playouts of the same
/// seed have nothing in common; [`Xoshiro256PlusPlus::numbered`] shows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Purpose {
    /// Shuffling decks at the start of a game.
    Deal,
    /// Redrawing what a view hides.
    Sample,
    /// Playouts.
    Playout,
    /// Choosing a move.
    Choose,
    /// Dealing the games of an environment one after the other.
    Episode,
    /// Random actions in an environment.
    Act,
}

impl Purpose {
    /// The purpose's name, read as a big-endian integer.
    const fn tag(self) -> u64 {
        let name: &[u8] = match self {
            Purpose::Deal => b"deal",
            Purpose::Sample => b"sample",
            Purpose::Playout => b"playout",
            Purpose::Choose => b"choose",
            Purpose::Episode => b"episode",
            Purpose::Act => b"act",
        };
        let (mut tag, mut i) = (0, 0);
        while i < name.len() {
            tag = tag << 8 | name[i] as u64;
            i += 1;
        }
        tag
    }
}

/// The finaliser of SplitMix64: a bijection that spreads every bit over the word.
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The generator xoshiro256++. It is public because authors of players or another source of games needs random
/// numbers that are the same on every platform.
///
/// ```
/// # use savanna_core::Xoshiro256PlusPlus;
/// // The first outputs of the authors' program from this state.
/// let mut rng = Xoshiro256PlusPlus::from_state([1, 2, 3, 4]).expect("not all are 0");
/// assert_eq!([rng.next_u64(), rng.next_u64()], [41943041, 58720359]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Xoshiro256PlusPlus {
    state: [u64; 4],
}

impl Xoshiro256PlusPlus {
    /// Generator `number` of a seed and a purpose.
    ///
    /// ```
    /// # use savanna_core::{Purpose, Xoshiro256PlusPlus};
    /// let first = |purpose, number| Xoshiro256PlusPlus::numbered(7, purpose, number).next_u64();
    /// assert_eq!(first(Purpose::Choose, 0), first(Purpose::Choose, 0));
    /// assert_ne!(first(Purpose::Choose, 0), first(Purpose::Choose, 1));
    /// assert_ne!(first(Purpose::Choose, 0), first(Purpose::Sample, 0));
    /// ```
    pub fn numbered(seed: u64, purpose: Purpose, number: u64) -> Xoshiro256PlusPlus {
        let start = mix(mix(seed) ^ purpose.tag());
        let word = |i: u64| {
            let step = number.wrapping_mul(4).wrapping_add(i + 1);
            mix(start.wrapping_add(step.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
        };
        Xoshiro256PlusPlus { state: [word(0), word(1), word(2), word(3)] }
    }

    /// The generator whose further numbers follow from these 256 bits; `None` if all are 0, which no generator comes to.
    pub fn from_state(state: [u64; 4]) -> Option<Xoshiro256PlusPlus> {
        (state != [0; 4]).then_some(Xoshiro256PlusPlus { state })
    }

    /// The 256 bits from which all further numbers follow: what to keep to go on later, by
    /// [`from_state`](Xoshiro256PlusPlus::from_state).
    pub fn state(&self) -> [u64; 4] {
        self.state
    }

    /// The next 64 bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// A number uniform over `0..n`, without bias (Lemire, "Fast random integer generation in an interval", 2019). There
    /// is none for an `n` of 0: it gives 0, or with debug assertions panics.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        debug_assert!(n > 0, "an empty range has no number");
        loop {
            let product = u128::from(self.next_u64()) * u128::from(n);
            // The remainder is below `n`, so its division is hardly ever needed.
            if product as u64 >= n || product as u64 >= n.wrapping_neg() % n {
                return (product >> 64) as u64;
            }
        }
    }

    /// Puts the items in uniformly random order, fixing one place after the other from the front (Fisher and Yates).
    ///
    /// ```
    /// # use savanna_core::{Purpose, Xoshiro256PlusPlus};
    /// let mut rng = Xoshiro256PlusPlus::numbered(0, Purpose::Choose, 0);
    /// let mut orders = std::collections::BTreeSet::new();
    /// for _ in 0..100 {
    ///     let mut items = [1, 2, 3];
    ///     rng.shuffle(&mut items);
    ///     orders.insert(items);
    /// }
    /// assert_eq!(orders.len(), 6); // all that there are
    /// ```
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in 0..items.len().saturating_sub(1) {
            let rest = (items.len() - i) as u64;
            items.swap(i, i + self.below(rest) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_published_generator() {
        // First outputs of the authors' C program from the state 1, 2, 3, 4.
        let mut rng = Xoshiro256PlusPlus { state: [1, 2, 3, 4] };
        let expected = [41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205];
        assert_eq!(expected.map(|_| rng.next_u64()), expected);
    }

    #[test]
    fn splitmix_follows_the_published_generator() {
        // SplitMix64 from the state 1234567 begins like this; `mix` is its finaliser.
        let word = |i: u64| mix(1234567_u64.wrapping_add((i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        assert_eq!([word(0), word(1), word(2)], [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn purposes_and_numbers_differ() {
        use Purpose::{Act, Choose, Deal, Episode, Playout, Sample};
        let purposes = [Deal, Sample, Playout, Choose, Episode, Act];
        let first = |(purpose, number)| Xoshiro256PlusPlus::numbered(0, purpose, number).next_u64();
        let firsts: Vec<u64> =
            purposes.map(|purpose| (purpose, 0)).into_iter().chain([(Purpose::Deal, 1)]).map(first).collect();
        let mut distinct = firsts.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), firsts.len());
    }
}
