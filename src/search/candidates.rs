//! Moves that are judged by playouts after each, all with the same random numbers.

use std::cmp::Reverse;

use crate::moves::Move;
use crate::rng::Xoshiro256PlusPlus;
use crate::rollout::{MAX_GAMES, Options, Source, Tally, rollout_many};
use crate::search::budget::Spending;
use crate::search::{Analysis, Budget, Effort, MoveAnalysis, POINTS_PER_WIN, SearchError, Watch, choices, numbers_for};
use crate::stats::Stats;
use crate::tile::Team;
use crate::view::View;

/// Playouts after each move between two looks at the clock.
const TIMED_GAMES: u64 = 128;

/// A move, where its playouts start, and what they came to.
struct Candidate {
    mv: Move,
    source: Source,
    tally: Tally,
}

impl Candidate {
    /// What [`MoveAnalysis::worth`] is, as an exact integer: times the number of games, which all moves in the race
    /// share, and more. Equally good moves are equal in any order of addition.
    fn worth(&self, team: Team) -> i128 {
        let (rules, wins) = (self.tally.rules(), self.tally.wins(team));
        // A win that up to four teams share is a whole number of twelfths.
        let twelfths: i128 = (1..).zip(wins).map(|(sharers, games)| 12 / sharers * i128::from(games)).sum();
        let points = |team| -> i128 {
            let histogram = self.tally.histogram(team).iter();
            (0..).zip(histogram).map(|(score, &games): (i128, _)| score * i128::from(games)).sum()
        };
        let (all, teams): (i128, _) = (rules.team_list().map(points).sum(), rules.teams() as i128);
        twelfths * i128::from(POINTS_PER_WIN) * (teams - 1) + 12 * (teams * points(team) - all)
    }
}

/// The moves in a view. Those still in the race come first.
pub(super) struct Candidates<'a, 'w> {
    list: Vec<Candidate>,
    in_race: usize,
    team: Team,
    budget: Budget,
    options: Options,
    /// Each playing of all moves in the race takes the next number as its seed.
    seeds: Xoshiro256PlusPlus,
    spending: Spending<'a, 'w>,
}

impl<'a, 'w> Candidates<'a, 'w> {
    /// All moves in the view, without a playout; `options` says how to play them, but for games, seed and threads.
    pub(super) fn new(
        view: &View,
        effort: Effort,
        options: Options,
        watch: &'a mut Watch<'w>,
    ) -> Result<Candidates<'a, 'w>, SearchError> {
        let spending = Spending::new(watch);
        let options = Options { threads: effort.threads, ..options };
        let none = Tally::new(view.rules());
        let candidate = |mv| Candidate { mv, source: Source::After { view: *view, mv }, tally: none.clone() };
        let list: Vec<Candidate> = choices(view)?.into_iter().map(candidate).collect();
        Ok(Candidates {
            in_race: list.len(),
            list,
            team: view.rules().team_of(view.rules().seat_at(view.ply())),
            budget: effort.budget,
            options,
            seeds: numbers_for(view, effort.seed),
            spending,
        })
    }

    /// How many moves are in the race.
    pub(super) fn len(&self) -> usize {
        self.in_race
    }

    /// Spends round `round` (from 1) of n equal parts of the budget, then ranks the moves in the race.
    pub(super) fn spend(&mut self, round: u32, rounds: u32) -> Result<(), SearchError> {
        match self.budget {
            Budget::Iterations(all) => {
                self.play((all / u64::from(rounds) / self.in_race as u64).clamp(1, MAX_GAMES))?
            }
            Budget::Time(all) => {
                let end = all / rounds * round;
                self.play(TIMED_GAMES)?;
                while self.spending.time() < end {
                    self.play(TIMED_GAMES)?;
                }
            }
        }
        let team = self.team;
        // Equally good moves keep their order, at first that of action ids.
        self.list[..self.in_race].sort_by_cached_key(|candidate| Reverse(candidate.worth(team)));
        Ok(())
    }

    /// Leaves the better half in the race, rounded up.
    pub(super) fn halve(&mut self) {
        self.in_race = self.in_race.div_ceil(2);
    }

    /// Plays this many games after each move in the race.
    fn play(&mut self, games: u64) -> Result<(), SearchError> {
        let race = &mut self.list[..self.in_race];
        let sources: Vec<Source> = race.iter().map(|candidate| candidate.source).collect();
        let options = Options { games, seed: self.seeds.next_u64(), ..self.options };
        let tallies = rollout_many(&sources, &options, &mut |games| self.spending.tell(games));
        for (candidate, tally) in race.iter_mut().zip(tallies.ok_or(SearchError::Stopped)?) {
            candidate.tally.merge(&tally);
        }
        self.spending.add(games * sources.len() as u64)
    }

    /// What is known of all moves, those that were longer in the race first.
    pub(super) fn analysis(self) -> Analysis {
        let (time, threads) = (self.spending.time(), self.options.threads.get());
        let of = |it: Candidate| MoveAnalysis::of(it.mv, self.team, &Stats::from(it.tally));
        Analysis {
            teams: self.list[0].source.rules().teams(),
            moves: self.list.into_iter().map(of).collect(),
            iterations: self.spending.iterations(),
            time,
            threads,
        }
    }
}
