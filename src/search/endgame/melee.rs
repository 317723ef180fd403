//! The end of a game of three or four teams as a [`Melee`].

use crate::board::{LINES, LineSet, SpaceSet};
use crate::moves::{LegalMoves, Move};
use crate::score::winners;
use crate::search::endgame::game::{Game, Melee};
use crate::search::endgame::hash::Key;
use crate::search::endgame::lines::{Lines, Points, SETTLED, plus};
use crate::search::endgame::root::{Root, Turn};
use crate::search::endgame::solution::Objective;
use crate::tile::{BySeat, ByTeam, Face, Hand, MAX_SEATS, Team};
use crate::world::World;

/// A won game in shares: as many as can be divided among two, three and four teams.
pub(crate) const WHOLE: i32 = 12;
/// More than any score: a result of shares and scores is the share times this, plus the score.
pub(crate) const SHARE: i32 = 1 << 12;
/// More than the sum of what all teams can be apart, so that a share counts more.
const SHARE_LIKED: i32 = 1 << 14;

/// Lines that count points by team: six kinds of tiles each.
pub(crate) type MeleeLines = Lines<MAX_SEATS, { 6 * MAX_SEATS }>;
/// Numbers by team, as the lines count them.
type Scores = Points<MAX_SEATS>;

/// What all games of one search share.
pub(crate) struct Plan<'l> {
    lines: &'l MeleeLines,
    root: Root<MAX_SEATS>,
    objective: Objective,
}

impl<'l> Plan<'l> {
    pub(crate) fn new(world: &World, lines: &'l mut MeleeLines, objective: Objective) -> Plan<'l> {
        let root = Root::new(world, lines);
        Plan { lines, root, objective }
    }

    /// The game that the search begins with.
    pub(crate) fn start<'p>(&'p self, world: &'p World<'p>) -> Brawl<'p> {
        let rules = world.setting().rules();
        let mut scores = plus(world.scores().0.map(|score| score as i16), self.root.sure);
        let last = rules.seats().last().map_or(Team::ALL[0], |seat| rules.team_of(seat));
        scores[last.index()] += i16::from(rules.last_seat_bonus());
        Brawl {
            plan: self,
            world,
            states: self.root.states,
            open: self.root.open,
            empty: world.empty_spaces(),
            hands: BySeat(crate::tile::Seat::ALL.map(|seat| world.hand(seat))),
            scores,
            range: self.root.range,
            lions: world.lions(),
        }
    }
}

/// A position of three or four teams.
#[derive(Clone, Copy)]
pub(crate) struct Brawl<'p> {
    plan: &'p Plan<'p>,
    /// Where the search began, for its rules.
    world: &'p World<'p>,
    /// The state of every line, and the lines that are not settled.
    states: [u16; LINES],
    open: LineSet,
    empty: SpaceSet,
    hands: BySeat<Hand>,
    /// What each team has for sure, and the least and the most that it can get beyond this.
    scores: Scores,
    range: [Scores; 2],
    lions: ByTeam<u8>,
}

impl<'p> Brawl<'p> {
    fn turn(&self) -> &'p Turn {
        &self.plan.root.turns[self.empty.len()]
    }

    /// The result when these are the final scores.
    fn result_of(&self, scores: Scores) -> ByTeam<i32> {
        let rules = self.world.setting().rules();
        let winners = winners(rules, &ByTeam(scores.map(|score| score as u16)), &self.lions);
        let share = WHOLE / winners.len().max(1) as i32;
        let mut result = ByTeam::default();
        for team in rules.team_list() {
            let (score, share) = (i32::from(scores[team.index()]), if winners.contains(team) { share } else { 0 });
            result[team] = match self.plan.objective {
                Objective::Win => share,
                Objective::Margin => score,
                Objective::WinThenMargin => share * SHARE + score,
            };
        }
        result
    }

    /// How much a team likes scores: by how much its own exceeds the mean of the others, times their number.
    fn margin(&self, team: Team, score: impl Fn(Team) -> i32) -> i32 {
        let all: i32 = self.world.setting().rules().team_list().map(&score).sum();
        self.teams() as i32 * score(team) - all
    }
}

impl Game for Brawl<'_> {
    type Move = Move;

    fn teams(&self) -> usize {
        self.world.setting().rules().teams()
    }

    fn team(&self) -> Option<Team> {
        if self.empty.is_empty() { None } else { Some(self.turn().team) }
    }

    /// All legal moves in ascending order of action id. Spaces that come to the same are not taken as one here: which one
    /// is left can decide which of two equally good moves is the first.
    fn moves(&self, see: impl FnMut(Move)) {
        LegalMoves::new(self.hands[self.turn().seat], self.empty).iter().for_each(see);
    }

    fn play(&mut self, mv: Move) {
        let turn = self.turn();
        let kind = usize::from(self.plan.root.kinds[turn.team][mv.animal.index()][mv.face as usize]);
        for line in mv.space.lines().and(self.open) {
            let state = &mut self.states[line.index()];
            let answers = self.plan.lines.answers(*state);
            *state = answers.next[kind];
            for team in 0..MAX_SEATS {
                let gain = answers.gain[team][kind];
                self.scores[team] += gain;
                self.range[0][team] += answers.low[team][kind] - gain;
                self.range[1][team] += answers.high[team][kind] - gain;
            }
            if *state == SETTLED {
                self.open = self.open.without(line);
            }
        }
        self.lions[turn.team] += u8::from(mv.face == Face::Lion);
        self.empty = self.empty.without(mv.space);
        let rest = self.hands[turn.seat].without(mv.animal).unwrap_or_default();
        self.hands[turn.seat] = turn.drawn.and_then(|tile| rest.with(tile)).unwrap_or(rest);
    }

    fn result(&self) -> ByTeam<i32> {
        self.result_of(self.scores)
    }
}

impl Melee for Brawl<'_> {
    fn liking(&self, team: Team, result: &ByTeam<i32>) -> i32 {
        match self.plan.objective {
            Objective::Win => result[team],
            Objective::Margin => self.margin(team, |team| result[team]),
            Objective::WinThenMargin => {
                result[team] / SHARE * SHARE_LIKED + self.margin(team, |team| result[team] % SHARE)
            }
        }
    }

    fn most(&self, team: Team) -> i32 {
        match self.plan.objective {
            Objective::Win => WHOLE,
            Objective::Margin => {
                let end =
                    |of: Team| i32::from(self.scores[of.index()] + self.range[usize::from(of == team)][of.index()]);
                self.margin(team, end)
            }
            Objective::WinThenMargin => i32::MAX,
        }
    }

    /// A result that is decided early is one in which one team is ahead of the best that all others can come to.
    fn decided(&self) -> Option<ByTeam<i32>> {
        if self.open.is_empty() && self.plan.objective == Objective::Margin {
            return Some(self.result());
        }
        if self.plan.objective != Objective::Win {
            return None;
        }
        let [low, high] = self.range.map(|end| plus(self.scores, end));
        let teams = 0..self.teams();
        let ahead = |team: &usize| teams.clone().all(|other| other == *team || low[*team] > high[other]);
        let winner = teams.clone().find(ahead)?;
        let mut result = ByTeam::default();
        result.0[winner] = WHOLE;
        Some(result)
    }

    /// Only margins do not depend on the scores so far.
    fn settled(&self) -> ByTeam<i32> {
        match self.plan.objective {
            Objective::Margin => ByTeam(self.scores.map(i32::from)),
            _ => ByTeam::default(),
        }
    }

    fn key(&self) -> Option<u64> {
        let mut key = Key::new(self.turn().decks ^ self.plan.objective as u64);
        key.add(self.empty.bits().into());
        for states in self.states.as_chunks::<4>().0 {
            key.add(states.iter().fold(0, |word, &state| word << 16 | u64::from(state)));
        }
        let tiles = |hand: Hand| hand.tiles().fold(1, |word, tile| word << 3 | tile.index() as u64);
        key.add(self.hands.0.iter().fold(0, |word, &hand| word << 16 | tiles(hand)));
        if self.plan.objective != Objective::Margin {
            key.add(self.scores.iter().fold(0, |word, &score| word << 16 | score as u16 as u64));
            key.add(u32::from_le_bytes(self.lions.0).into());
        }
        Some(key.finish())
    }
}
