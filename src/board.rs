//! The board: 20 spaces and 20 scoring lines, as tables that are built and checked at compile time.
//!
//! ```text
//!     a b c d e
//!   5 . # . . .      '#' is one of the five inaccessible spaces: b5 e4 c3 a2 d1.
//!   4 . . . . #      Reading order numbers the others 0 (a5) to 19 (e1).
//!   3 . . # . .      A line runs straight across inaccessible spaces.
//!   2 # . . . .
//!   1 . . . # .
//! ```
//!
//! A [`Space`] and a [`Line`] are places in these two orders, and sets of them are words of bits: [`SpaceSet`],
//! [`LineSet`].

/// How many spaces a tile can lie on, and so how many plies a game has: the length of tables by [`Space::index`].
pub const SPACES: usize = 20;
/// How many lines score: the length of tables by [`Line::index`].
pub const LINES: usize = 20;
/// Squares along one side of the board.
const SIDE: usize = 5;
/// The column of the one inaccessible square in each row, from the top row down.
const HOLES: [usize; SIDE] = [1, 4, 2, 0, 3];
/// Marks an inaccessible square in `SQUARES`.
const HOLE: u8 = u8::MAX;

/// A space of the board, by its place in reading order (`a5` = 0, `e1` = 19).
///
/// ```
/// # use savanna_core::Space;
/// let c4 = Space::from_name("c4").expect("a space");
/// assert_eq!((c4.index(), c4.lines().len()), (6, 4));
/// assert_eq!(c4.rotated().name(), "d3");
/// assert_eq!(Space::from_name("c3"), None); // inaccessible
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Space(u8);

impl Space {
    /// All spaces in reading order.
    pub const ALL: [Space; SPACES] = {
        let mut all = [Space(0); SPACES];
        let mut i = 0;
        while i < SPACES {
            all[i] = Space(i as u8);
            i += 1;
        }
        all
    };

    /// The space with this index, if it is below 20.
    pub const fn new(index: usize) -> Option<Space> {
        if index < SPACES { Some(Space(index as u8)) } else { None }
    }

    /// The place in reading order, 0..20.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The name as in chess: column letter, then rank (`"a5"`).
    pub const fn name(self) -> &'static str {
        // Always valid: the table holds ASCII letters and digits only.
        match std::str::from_utf8(&NAMES[self.index()]) {
            Ok(name) => name,
            Err(_) => unreachable!(),
        }
    }

    /// The space of that name, if there is one.
    pub fn from_name(name: &str) -> Option<Space> {
        Space::ALL.into_iter().find(|space| space.name() == name)
    }

    /// The lines that run through this space: three or four.
    pub const fn lines(self) -> LineSet {
        LINES_THROUGH[self.index()]
    }

    /// Where this space comes to lie when the board makes a quarter turn clockwise.
    #[must_use]
    pub const fn rotated(self) -> Space {
        ROTATED[self.index()]
    }
}

/// A scoring line: 0 to 4 are the rows from the top, 5 to 9 the columns from the left, 10 to 14 the falling and 15 to
/// 19 the rising diagonals.
///
/// ```
/// # use savanna_core::{Line, Space};
/// let main_diagonal = Line::ALL[12].spaces().map(Space::name);
/// assert_eq!(main_diagonal.collect::<Vec<_>>(), ["a5", "b4", "d2", "e1"]); // across c3
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Line(u8);

impl Line {
    /// All lines in order.
    pub const ALL: [Line; LINES] = {
        let mut all = [Line(0); LINES];
        let mut i = 0;
        while i < LINES {
            all[i] = Line(i as u8);
            i += 1;
        }
        all
    };

    /// The place in the order of lines, 0..20.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The three or four spaces of the line.
    pub const fn spaces(self) -> SpaceSet {
        LINE_SPACES[self.index()]
    }
}

/// Generates a set of small indices kept as the bits of a `u32`, iterated in ascending order.
macro_rules! bit_set {
    ($(#[$doc:meta])* $set:ident of $item:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
        pub struct $set(u32);

        impl $set {
            /// The set with nothing in it.
            pub const EMPTY: $set = $set(0);
            /// The set with everything in it.
            pub const FULL: $set = $set((1 << 20) - 1);

            /// Whether the item is in the set.
            pub const fn contains(self, item: $item) -> bool {
                self.0 >> item.0 & 1 == 1
            }

            /// Whether every item of `other` is in this set too.
            pub const fn contains_all(self, other: $set) -> bool {
                self.0 & other.0 == other.0
            }

            /// The set with the item added.
            #[must_use]
            pub const fn with(self, item: $item) -> $set {
                $set(self.0 | 1 << item.0)
            }

            /// What is in both sets.
            #[must_use]
            pub const fn and(self, other: $set) -> $set {
                $set(self.0 & other.0)
            }

            /// What is in either set.
            #[must_use]
            pub const fn or(self, other: $set) -> $set {
                $set(self.0 | other.0)
            }

            /// The set with an item taken out.
            #[must_use]
            pub const fn without(self, item: $item) -> $set {
                $set(self.0 & !(1 << item.0))
            }

            /// Everything that is not in this set.
            #[must_use]
            pub const fn complement(self) -> $set {
                $set(!self.0 & $set::FULL.0)
            }

            /// The items that are not in `other`.
            #[must_use]
            pub const fn minus(self, other: $set) -> $set {
                $set(self.0 & !other.0)
            }

            /// How many items there are.
            pub const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Whether it has no items.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The bits, item 0 lowest, for those who keep sets in other forms.
            pub const fn bits(self) -> u32 {
                self.0
            }
        }

        impl Iterator for $set {
            type Item = $item;

            fn next(&mut self) -> Option<$item> {
                if self.0 == 0 {
                    return None;
                }
                let lowest = self.0.trailing_zeros() as u8;
                self.0 &= self.0 - 1;
                Some($item(lowest))
            }

            #[inline]
            fn nth(&mut self, n: usize) -> Option<$item> {
                let place = nth_bit(self.0, n)?;
                self.0 &= !1 << place;
                Some($item(place))
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                let items = $set::len(*self);
                (items, Some(items))
            }
        }

        impl FromIterator<$item> for $set {
            fn from_iter<I: IntoIterator<Item = $item>>(items: I) -> $set {
                items.into_iter().fold($set::EMPTY, $set::with)
            }
        }
    };
}

bit_set!(
    /// A set of spaces.
    ///
    /// ```text
    ///   0  #  1  2  3       bit 0 is a5, bit 19 is e1
    ///   4  5  6  7  #
    ///   8  9  # 10 11
    ///   # 12 13 14 15
    ///  16 17 18  # 19
    /// ```
    ///
    /// A set is small enough to be copied, and is its own iterator, in ascending order:
    ///
    /// ```
    /// # use savanna_core::{Line, Space, SpaceSet};
    /// let (row, column) = (Line::ALL[0].spaces(), Line::ALL[5].spaces());
    /// assert_eq!(row.and(column).map(Space::name).collect::<Vec<_>>(), ["a5"]);
    /// assert_eq!((row.or(column).len(), row.minus(column).len()), (7, 3));
    /// assert_eq!(row.complement().with(Space::ALL[0]).len(), 17);
    /// assert!(SpaceSet::FULL.contains_all(row));
    /// ```
    SpaceSet of Space
);
bit_set!(
    /// A set of lines, in the order of [`Line`], for which [`SpaceSet`] shows what can be done.
    LineSet of Line
);

/// By ten bits: the places of those that are 1 in ascending order, four bits each, and in the highest four bits how many
/// there are.
static PLACES: [u64; 1 << 10] = {
    let mut places = [0; 1 << 10];
    let mut ten = 0;
    while ten < 1 << 10 {
        let (mut place, mut ones) = (0, 0);
        while place < 10 {
            if ten >> place & 1 == 1 {
                places[ten] |= place << (4 * ones);
                ones += 1;
            }
            place += 1;
        }
        places[ten] |= ones << 60;
        ten += 1;
    }
    places
};

/// The place of the n-th set bit of 20 bits, from 0. It asks nothing that a processor would have
/// to guess.
#[inline]
fn nth_bit(bits: u32, n: usize) -> Option<u8> {
    let (low, high) = (PLACES[(bits & 1023) as usize], PLACES[(bits >> 10 & 1023) as usize]);
    let (n, ones) = (n as u64, low >> 60);
    if n >= ones + (high >> 60) {
        return None;
    }
    let upper = u64::from(n >= ones);
    let (places, nth) = (low ^ (low ^ high) & upper.wrapping_neg(), n - ones * upper);
    Some((10 * upper + (places >> (4 * nth) & 15)) as u8)
}

impl SpaceSet {
    /// The set of these bits; those past the last space are left out.
    pub(crate) const fn from_bits(bits: u32) -> SpaceSet {
        SpaceSet(bits & SpaceSet::FULL.0)
    }
}

/// The space on each square, `HOLE` where none is.
const SQUARES: [[u8; SIDE]; SIDE] = {
    let mut squares = [[HOLE; SIDE]; SIDE];
    let (mut row, mut next) = (0, 0);
    while row < SIDE {
        let mut column = 0;
        while column < SIDE {
            if column != HOLES[row] {
                squares[row][column] = next;
                next += 1;
            }
            column += 1;
        }
        row += 1;
    }
    squares
};

/// Whether the square lies on the line, hole or not. Diagonals shorter than three squares are not lines.
const fn on_line(line: usize, row: usize, column: usize) -> bool {
    let nth = line % SIDE;
    match line / SIDE {
        0 => row == nth,
        1 => column == nth,
        2 => column + 2 == row + nth,
        _ => column + row == nth + 2,
    }
}

const LINE_SPACES: [SpaceSet; LINES] = {
    let mut table = [SpaceSet::EMPTY; LINES];
    let mut line = 0;
    while line < LINES {
        let mut square = 0;
        while square < SIDE * SIDE {
            let (row, column) = (square / SIDE, square % SIDE);
            if SQUARES[row][column] != HOLE && on_line(line, row, column) {
                table[line] = table[line].with(Space(SQUARES[row][column]));
            }
            square += 1;
        }
        line += 1;
    }
    table
};

const LINES_THROUGH: [LineSet; SPACES] = {
    let mut table = [LineSet::EMPTY; SPACES];
    let mut space = 0;
    while space < SPACES {
        let mut line = 0;
        while line < LINES {
            if LINE_SPACES[line].contains(Space(space as u8)) {
                table[space] = table[space].with(Line(line as u8));
            }
            line += 1;
        }
        space += 1;
    }
    table
};

const NAMES: [[u8; 2]; SPACES] = {
    let mut table = [[0; 2]; SPACES];
    let mut square = 0;
    while square < SIDE * SIDE {
        let (row, column) = (square / SIDE, square % SIDE);
        if SQUARES[row][column] != HOLE {
            table[SQUARES[row][column] as usize] = [b'a' + column as u8, b'5' - row as u8];
        }
        square += 1;
    }
    table
};

const ROTATED: [Space; SPACES] = {
    let mut table = [Space(0); SPACES];
    let mut square = 0;
    while square < SIDE * SIDE {
        let (row, column) = (square / SIDE, square % SIDE);
        if SQUARES[row][column] != HOLE {
            let image = SQUARES[column][SIDE - 1 - row];
            assert!(image != HOLE, "a quarter turn maps spaces to spaces");
            table[SQUARES[row][column] as usize] = Space(image);
        }
        square += 1;
    }
    table
};

// The published shape of the board: 12 lines of four and 8 of three, 12 spaces on four lines and 8 on three (so 72
// incidences), and a quarter turn that maps every line onto a line.
const _: () = {
    let (mut fours, mut incidences, mut busy, mut i) = (0, 0, 0, 0);
    while i < 20 {
        let (length, crossings) = (LINE_SPACES[i].len(), LINES_THROUGH[i].len());
        assert!((length == 3 || length == 4) && (crossings == 3 || crossings == 4));
        fours += (length == 4) as usize;
        busy += (crossings == 4) as usize;
        incidences += length;
        assert!(is_line(rotated_set(LINE_SPACES[i])));
        i += 1;
    }
    assert!(fours == 12 && busy == 12 && incidences == 72);
    assert!(SQUARES[SIDE - 1][SIDE - 1] as usize == SPACES - 1);
};

const fn rotated_set(set: SpaceSet) -> SpaceSet {
    let (mut image, mut i) = (SpaceSet::EMPTY, 0);
    while i < SPACES {
        if set.contains(Space(i as u8)) {
            image = image.with(ROTATED[i]);
        }
        i += 1;
    }
    image
}

const fn is_line(set: SpaceSet) -> bool {
    let mut i = 0;
    while i < LINES {
        if LINE_SPACES[i].0 == set.0 {
            return true;
        }
        i += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every hundredth set, after every number of items and more than there are.
    #[test]
    fn the_nth_item_is_found_without_a_loop() {
        for bits in (0..=SpaceSet::FULL.0).step_by(101).chain([SpaceSet::FULL.0]) {
            let set = SpaceSet(bits);
            for n in 0..=SPACES {
                let (mut skipped, mut rest) = (set, set);
                let expected = (0..=n).map(|_| skipped.next()).last().flatten();
                assert_eq!(rest.nth(n), expected, "{set:?} after {n}");
                assert!(expected.is_none() || rest == skipped);
            }
        }
    }
}
