//! Lines as small automata. What a line will still give depends on what is put into it next, and next, and on nothing
//! else; so lines that answer alike to everything that can still be put into them are one state, whatever lies in them.
//! A line whose points are settled is in the state [`SETTLED`], full or not.
//!
//! This is the minimisation of a weighted automaton, with what is sure already pushed to the front (Mohri, "Minimization
//! algorithms for sequential transducers", 2000): the points that a line gives whatever happens are counted when the
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

/// What comes of putting a tile into a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Step<const C: usize> {
    /// The state that the line is in then.
    pub(crate) next: u16,
    /// What is sure then and was not before.
    pub(crate) gain: Points<C>,
    /// By how much this betters the least that the line gives in the end, the gain included.
    pub(crate) low: Points<C>,
    /// By how much this lessens the most that the line gives in the end, the gain included: none is above 0.
    pub(crate) high: Points<C>,
}

/// All states that lines can come to, found as they are asked for.
pub(crate) struct Lines<const C: usize> {
    rules: Rules,
    count: fn(ByTeam<u8>) -> Points<C>,
    kinds: Vec<Kind>,
    /// A step for each state and kind.
    steps: Vec<Step<C>>,
    /// The least and the most that each state can still give.
    ranges: Vec<[Points<C>; 2]>,
    states: HashMap<Vec<Step<C>>, u16>,
    known: HashMap<(usize, LineTally), (u16, Points<C>)>,
}

impl<const C: usize> Lines<C> {
    /// The lines of a game in which tiles of these kinds are left, and points are counted in this form.
    pub(crate) fn new(rules: &Rules, kinds: Vec<Kind>, count: fn(ByTeam<u8>) -> Points<C>) -> Lines<C> {
        let settled = vec![Step { next: SETTLED, gain: [0; C], low: [0; C], high: [0; C] }; kinds.len()];
        Lines {
            rules: *rules,
            count,
            kinds,
            steps: settled.clone(),
            ranges: vec![[[0; C]; 2]],
            states: HashMap::from([(settled, SETTLED)]),
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

    /// What putting a tile of this kind into a line of this state comes to.
    #[inline]
    pub(crate) fn step(&self, state: u16, kind: u8) -> Step<C> {
        self.steps[usize::from(state) * self.kinds.len() + usize::from(kind)]
    }

    /// The least and the most that a line of this state can still give.
    #[inline]
    pub(crate) fn range(&self, state: u16) -> [Points<C>; 2] {
        self.ranges[usize::from(state)]
    }

    /// The state of a line in which this lies and so many spaces are empty, and what it gives for sure.
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
        let step = |(next, gain): (u16, Points<C>)| {
            let [least, most] = self.range(next).map(|end| plus(gain, end));
            Step { next, gain: minus(gain, sure), low: minus(least, low), high: minus(most, high) }
        };
        let steps: Vec<Step<C>> = fills.into_iter().map(step).collect();
        let new = self.ranges.len() as u16;
        let state = *self.states.entry(steps).or_insert_with_key(|steps| {
            self.steps.extend(steps);
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
