//! Lines as small automata. What a line will still give depends on what is put into it next, and next, and on nothing
//! else; so lines that answer alike to everything that can still be put into them share one state.
//! A line whose points are settled is in the state [`SETTLED`], full or not.
//!
//! This is the minimisation of a weighted automaton, with what is sure already pushed to the front (Mohri, "Minimization
//! algorithms for sequential transducers", 2000): the points that a line gives in any case are counted when the
//! line is first looked at or a tile comes into it, and states differ only by what is still open.

use std::collections::HashMap;

use crate::rules::Rules;
use crate::score::{LineTally, score_line};
use crate::tile::{ByTeam, Team};

/// The state of a line to which nothing more can happen.
pub(crate) const SETTLED: u16 = 0;

/// Points in some form, `C` numbers: the difference between two teams, or those of each team.
pub(crate) type Points<const C: usize> = [i16; C];

/// A tile as a line sees it: whose it is and what it adds. Tiles that a line cannot tell apart are one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kind {
    pub(crate) team: Team,
    pub(crate) weight: LineTally,
}

/// How a line of one state answers to a tile of each of `K` kinds. Kinds lie side by side, so that the answers of several
/// lines are added up for all kinds at once, in the processor's vectors.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Answers<const C: usize, const K: usize> {
    /// The state that the line is in then.
    pub(crate) next: [u16; K],
    /// What is sure then and was not before.
    pub(crate) gain: [[i16; K]; C],
    /// By how much this betters the least that the line gives in the end, the gain included.
    pub(crate) low: [[i16; K]; C],
    /// By how much this lessens the most that the line gives in the end, the gain included: none is above 0.
    pub(crate) high: [[i16; K]; C],
}

impl<const C: usize, const K: usize> Answers<C, K> {
    /// Those of a line to which nothing more can happen.
    const SETTLED: Answers<C, K> =
        Answers { next: [SETTLED; K], gain: [[0; K]; C], low: [[0; K]; C], high: [[0; K]; C] };
}

/// All states that lines can come to when there are at most `K` kinds of tiles, found as they are asked for.
pub(crate) struct Lines<const C: usize, const K: usize> {
    rules: Rules,
    count: fn(ByTeam<u16>) -> Points<C>,
    kinds: Vec<Kind>,
    /// By state.
    answers: Vec<Answers<C, K>>,
    /// The least and the most that each state can still give.
    ranges: Vec<[Points<C>; 2]>,
    states: HashMap<Answers<C, K>, u16>,
    known: HashMap<(usize, LineTally), (u16, Points<C>)>,
}

impl<const C: usize, const K: usize> Lines<C, K> {
    /// The lines of a game in which tiles of these kinds are left, and points are counted in this form.
    pub(crate) fn new(rules: &Rules, kinds: Vec<Kind>, count: fn(ByTeam<u16>) -> Points<C>) -> Lines<C, K> {
        assert!(kinds.len() <= K, "at most {K} kinds");
        Lines {
            rules: *rules,
            count,
            kinds,
            answers: vec![Answers::SETTLED],
            ranges: vec![[[0; C]; 2]],
            states: HashMap::from([(Answers::SETTLED, SETTLED)]),
            known: HashMap::new(),
        }
    }

    /// The kinds of tiles that are left.
    pub(crate) fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// How many lines have been looked at; there are no more states than that.
    pub(crate) fn seen(&self) -> usize {
        self.known.len()
    }

    /// How a line of this state answers to each kind of tile.
    #[inline]
    pub(crate) fn answers(&self, state: u16) -> &Answers<C, K> {
        &self.answers[usize::from(state)]
    }

    /// The least and the most that a line of this state can still give.
    #[inline]
    pub(crate) fn range(&self, state: u16) -> [Points<C>; 2] {
        self.ranges[usize::from(state)]
    }

    /// The state of a line with these tiles and n empty spaces, and the points that it gives for sure.
    ///
    /// What is sure is taken to be halfway between the least and the most, so that a gain is a fair guess.
    pub(crate) fn state(&mut self, empty: usize, tally: LineTally) -> (u16, Points<C>) {
        if empty == 0 {
            return (SETTLED, [0; C]);
        }
        if let Some(&known) = self.known.get(&(empty, tally)) {
            return known;
        }
        let fills: Vec<_> = (0..self.kinds.len()).map(|kind| self.filled(empty, tally, kind)).collect();
        let ends = fills.iter().map(|&(next, gain)| self.range(next).map(|end| plus(gain, end)));
        let [low, high] =
            ends.reduce(|[a, b], [c, d]| [each(a, c, i16::min), each(b, d, i16::max)]).unwrap_or([[0; C]; 2]);
        let sure = each(low, high, |low, high| (low + high).div_euclid(2));
        let mut answers = Answers::SETTLED;
        for (kind, (next, gain)) in fills.into_iter().enumerate() {
            let [least, most] = self.range(next).map(|end| plus(gain, end));
            answers.next[kind] = next;
            for i in 0..C {
                answers.gain[i][kind] = gain[i] - sure[i];
                answers.low[i][kind] = least[i] - low[i];
                answers.high[i][kind] = most[i] - high[i];
            }
        }
        let new = self.answers.len() as u16;
        let state = *self.states.entry(answers).or_insert_with(|| {
            self.answers.push(answers);
            self.ranges.push([minus(low, sure), minus(high, sure)]);
            new
        });
        self.known.insert((empty, tally), (state, sure));
        (state, sure)
    }

    /// What comes of a line when one of its empty spaces is filled.
    fn filled(&mut self, empty: usize, mut tally: LineTally, kind: usize) -> (u16, Points<C>) {
        let Kind { team, weight } = self.kinds[kind];
        tally.add(weight);
        match empty {
            1 => (SETTLED, (self.count)(score_line(&self.rules, tally, team).points)),
            _ => self.state(empty - 1, tally),
        }
    }
}

fn each<const C: usize>(a: Points<C>, b: Points<C>, pick: impl Fn(i16, i16) -> i16) -> Points<C> {
    std::array::from_fn(|i| pick(a[i], b[i]))
}

pub(crate) fn plus<const C: usize>(a: Points<C>, b: Points<C>) -> Points<C> {
    std::array::from_fn(|i| a[i] + b[i])
}

fn minus<const C: usize>(a: Points<C>, b: Points<C>) -> Points<C> {
    std::array::from_fn(|i| a[i] - b[i])
}
