//! What has been found, by keys of games.

/// Values by 64-bit keys, one for each slot; a new one takes the place of the old.
pub(crate) struct Table<V> {
    slots: Vec<(u64, V)>,
}

impl<V: Copy + Default> Table<V> {
    /// A table with two to the power of `bits` slots.
    pub(crate) fn new(bits: u32) -> Table<V> {
        Table { slots: vec![(0, V::default()); 1 << bits] }
    }

    /// Makes room for at least 2 to the power of `bits` slots; the contents of a smaller table are dropped.
    pub(crate) fn grow(&mut self, bits: u32) {
        if self.slots.len() < 1 << bits {
            *self = Table::new(bits);
        }
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }

    /// What was put under this key, unless it had to make room.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<V> {
        let (known, value) = self.slots[self.slot(key)];
        (known == key).then_some(value)
    }

    /// Puts a value under a key.
    #[inline]
    pub(crate) fn put(&mut self, key: u64, value: V) {
        let slot = self.slot(key);
        self.slots[slot] = (key, value);
    }
}
