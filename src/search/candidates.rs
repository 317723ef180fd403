//! Moves that are judged by playouts after each, all with the same random numbers.

use std::cmp::Ordering;

use crate::moves::Move;
use crate::rng::Xoshiro256PlusPlus;
use crate::rollout::{Options, Source, Tally, rollout_many};
use crate::search::budget::Spending;
use crate::search::{Analysis, Budget, Effort, MARGIN_WEIGHT, MoveAnalysis, SearchError, Watch, choices, numbers_for};
use crate::stats::Stats;
use crate::tile::Team;
use crate::view::View;

/// Playouts after each move between two looks at the clock.
const TIMED_GAMES: u64 = 128;

/// A move, where its playouts start, and what they came to.
struct Candidate {
    mv: Move,
    source: Source,
    stats: Stats,
}

impl Candidate {
    /// As [`MoveAnalysis::worth`].
    fn worth(&self, team: Team) -> f64 {
        self.stats.win_share(team).value + MARGIN_WEIGHT * self.stats.margin(team)
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
        let none = Stats {
            tally: Tally::new(view.rules()),
            time: spending.time(),
            backend: options.backend,
            threads: options.threads.get(),
        };
        let candidate = |mv| Candidate { mv, source: Source::After(*view, mv), stats: none.clone() };
        let list: Vec<Candidate> = choices(view)?.into_iter().map(candidate).collect();
        Ok(Candidates {
            in_race: list.len(),
            list,
            team: view.rules().team_of(view.seat()),
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

    /// Spends round `round` (from 1) of so many equal parts of the budget, then ranks the moves in the race.
    pub(super) fn spend(&mut self, round: u32, rounds: u32) -> Result<(), SearchError> {
        match self.budget {
            Budget::Iterations(all) => self.play((all / u64::from(rounds) / self.in_race as u64).max(1))?,
            Budget::Time(all) => {
                let end = all / rounds * round;
                self.play(TIMED_GAMES)?;
                while self.spending.time() < end {
                    self.play(TIMED_GAMES)?;
                }
            }
        }
        let team = self.team;
        let worth = |candidate: &Candidate| candidate.worth(team);
        // Equally good moves keep their order, at first that of action ids.
        self.list[..self.in_race].sort_by(|a, b| worth(b).partial_cmp(&worth(a)).unwrap_or(Ordering::Equal));
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
            candidate.stats.tally.merge(&tally);
        }
        self.spending.add(games * sources.len() as u64)
    }

    /// What is known of all moves, those that were longer in the race first.
    pub(super) fn analysis(self) -> Analysis {
        let of = |it: Candidate| MoveAnalysis::of(it.mv, self.team, &it.stats);
        Analysis {
            teams: self.list[0].source.rules().teams(),
            moves: self.list.into_iter().map(of).collect(),
            iterations: self.spending.iterations(),
            time: self.spending.time(),
            threads: self.options.threads.get(),
        }
    }
}
