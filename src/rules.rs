//! Every option of the game, validated once. After that, [`Rules`] cannot be wrong.
//!
//! The published summary of the rules is silent about some things, which are our reading: influence, but for the
//! Mouse's; the deck for three; which of its two mirror images the board is; that only who has a tile in a line can have
//! the least in it; that partners sit alternately; that the animal under a Lion stays hidden. Each number is an option.

use std::fmt;

use crate::board::SPACES;
use crate::tile::{Animal, Face, Hand, Seat, Team, TileCounts};

/// The version of the rules as implemented; it rises when any game would be scored differently. Code that keeps games or
/// results keeps it with them, as he does with the text of their [`Rules`].
pub const RULES_VERSION: u32 = 1;
/// The most tiles that one deck may hold, so that a [`Position`](crate::position::Position) stays small.
pub const MAX_DECK: usize = 20;

/// The smallest and the largest number that may be given for an option. A form or a command line that offers options can
/// name them before [`Rules::new`] refuses others.
///
/// ```
/// # use savanna_core::{Rules, RulesOptions, rules::INFLUENCE};
/// let mut options = RulesOptions::default();
/// options.influence[0] = INFLUENCE.1;
/// assert!(Rules::new(&options).is_ok());
/// options.influence[0] += 1;
/// assert!(Rules::new(&options).is_err());
/// ```
pub type Range = (i64, i64);
/// Numbers of players: the [`Range`] of [`RulesOptions::players`].
pub const PLAYERS: Range = (2, 4);
/// Tiles of one animal in a deck: the [`Range`] of each of [`RulesOptions::deck`].
pub const DECK_COUNT: Range = (0, MAX_DECK as i64);
/// Influence of an animal or of the Lion: the [`Range`] of each of [`RulesOptions::influence`]. A line of four adds up
/// to at most 60.
pub const INFLUENCE: Range = (0, 15);
/// Totals that lines can be compared with: the [`Range`] of [`RulesOptions::target`].
pub const TARGET: Range = (0, 100);
/// Points for a line, and for the last seat: the [`Range`] of each of [`RulesOptions::points`] and of
/// [`RulesOptions::last_seat_bonus`]. A score is at most 2,180.
pub const POINTS: Range = (0, 100);

/// The printed influence: monkey, zebra, giraffe, elephant, mouse, Lion.
const PRINTED_INFLUENCE: [i64; 6] = [2, 3, 4, 5, 1, 6];

/// What a caller may ask for, not checked yet; [`Rules::new`] checks it. The default is the printed game for two.
///
/// ```
/// # use savanna_core::{Animal, Rules, RulesOptions};
/// let rules = Rules::new(&RulesOptions { players: 3, mice: true, target: 12, ..RulesOptions::default() })?;
/// assert_eq!((rules.deck().total(), rules.deck()[Animal::Mouse]), (8, 1));
/// assert_eq!(rules.last_seat_bonus(), 2); // for the last of three, who has one turn fewer
/// # Ok::<(), savanna_core::RulesError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RulesOptions {
    /// Number of seats, 2 to 4.
    pub players: i64,
    /// The Mice variant: one Mouse in each deck, and a point for each own Mouse in a line that scores.
    pub mice: bool,
    /// Seats 0 and 2 against 1 and 3; four players only.
    pub team_game: bool,
    /// Tiles of each animal in every seat's deck, in index order; `None` for the printed deck.
    pub deck: Option<[i64; 5]>,
    /// Influence of each animal in index order, then of the Lion; each 0 to 15.
    pub influence: [i64; 6],
    /// The total that is neither below nor above, 0 to 100.
    pub target: i64,
    /// Points for a line below, above and exactly at the target; each 0 to 100.
    pub points: [i64; 3],
    /// Points that the last seat's team gets at the end, 0 to 100; `None` for 2 with three players, else 0.
    pub last_seat_bonus: Option<i64>,
    /// Above the target, a team without a tile in the line counts as 0 and so is the least.
    pub absent_can_be_least: bool,
}

impl Default for RulesOptions {
    fn default() -> RulesOptions {
        RulesOptions {
            players: 2,
            mice: false,
            team_game: false,
            deck: None,
            influence: PRINTED_INFLUENCE,
            target: 10,
            points: [2, 1, 3],
            last_seat_bonus: None,
            absent_can_be_least: false,
        }
    }
}

/// The rules of one game: valid by construction, small, and compared by value. They are made of [`RulesOptions`], or read
/// from their text.
///
/// ```
/// # use savanna_core::{Rules, RulesOptions};
/// let rules: Rules = "4p,team,target=12".parse()?;
/// assert_eq!((rules.players(), rules.teams(), rules.target()), (4, 2, 12));
/// assert_eq!(Rules::new(&rules.options()), Ok(rules));
/// assert_eq!(rules.printed().to_string(), "4p,team");
/// # Ok::<(), savanna_core::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    players: u8,
    mice: bool,
    team_game: bool,
    absent_can_be_least: bool,
    deck: TileCounts,
    influence: [u8; 6],
    target: u8,
    points: [u8; 3],
    last_seat_bonus: u8,
}

/// Why options are refused.
///
/// ```
/// # use savanna_core::{Rules, RulesOptions};
/// let error = Rules::new(&RulesOptions { players: 5, ..RulesOptions::default() }).unwrap_err();
/// assert_eq!(error.to_string(), "players must be 2 to 4, got 5");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum RulesError {
    /// A number is outside its range.
    OutOfRange {
        /// Which number.
        what: &'static str,
        /// The smallest and the largest that is allowed.
        range: Range,
        /// What was given.
        got: i64,
    },
    /// The Team game needs four players; the number given.
    TeamGame(i64),
    /// A deck holds this many Mice although the Mice variant is off.
    MiceOff(i64),
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulesError::OutOfRange { what, range: (low, high), got } => {
                write!(f, "{what} must be {low} to {high}, got {got}")
            }
            RulesError::TeamGame(players) => write!(f, "team_game needs 4 players, got {players}"),
            RulesError::MiceOff(count) => write!(f, "deck has {count} mouse, but mice is off"),
        }
    }
}

impl std::error::Error for RulesError {}

fn in_range(what: &'static str, got: i64, (low, high): Range) -> Result<u8, RulesError> {
    let error = RulesError::OutOfRange { what, range: (low, high), got };
    if (low..=high).contains(&got) { u8::try_from(got).map_err(|_| error) } else { Err(error) }
}

impl Default for Rules {
    /// Two players and nothing else.
    fn default() -> Rules {
        Rules::new(&RulesOptions::default()).expect("the defaults are valid")
    }
}

impl Rules {
    /// Checks the options.
    ///
    /// # Errors
    /// The first option that is out of range or contradicts another.
    pub fn new(options: &RulesOptions) -> Result<Rules, RulesError> {
        let players = in_range("players", options.players, PLAYERS)?;
        if options.team_game && players != 4 {
            return Err(RulesError::TeamGame(options.players));
        }
        const NAMES: [&str; 6] = [
            "influence of monkey",
            "influence of zebra",
            "influence of giraffe",
            "influence of elephant",
            "influence of mouse",
            "influence of lion",
        ];
        let mut influence = [0; 6];
        for ((value, &got), what) in influence.iter_mut().zip(&options.influence).zip(NAMES) {
            *value = in_range(what, got, INFLUENCE)?;
        }
        let mut points = [0; 3];
        let names = ["points below", "points above", "points exact"];
        for ((value, &got), what) in points.iter_mut().zip(&options.points).zip(names) {
            *value = in_range(what, got, POINTS)?;
        }
        let bonus = options.last_seat_bonus.unwrap_or(if players == 3 { 2 } else { 0 });
        Ok(Rules {
            players,
            mice: options.mice,
            team_game: options.team_game,
            absent_can_be_least: options.absent_can_be_least,
            deck: checked_deck(options, players)?,
            influence,
            target: in_range("target", options.target, TARGET)?,
            points,
            last_seat_bonus: in_range("last_seat_bonus", bonus, POINTS)?,
        })
    }

    /// The options that give these rules, all of them spelled out.
    pub fn options(&self) -> RulesOptions {
        RulesOptions {
            players: self.players.into(),
            mice: self.mice,
            team_game: self.team_game,
            deck: Some(self.deck.0.map(i64::from)),
            influence: self.influence.map(i64::from),
            target: self.target.into(),
            points: self.points.map(i64::from),
            last_seat_bonus: Some(self.last_seat_bonus.into()),
            absent_can_be_least: self.absent_can_be_least,
        }
    }

    /// The printed options for this number of players and these variants: what the others are compared with.
    #[must_use]
    pub fn printed(&self) -> Rules {
        let options = RulesOptions {
            players: self.players.into(),
            mice: self.mice,
            team_game: self.team_game,
            ..RulesOptions::default()
        };
        Rules::new(&options).unwrap_or_else(|_| unreachable!("printed options are valid"))
    }

    /// Number of seats.
    pub fn players(&self) -> usize {
        self.players as usize
    }

    /// The seats that play, in turn order.
    ///
    /// ```
    /// # use savanna_core::{Rules, Seat};
    /// let rules: Rules = "3p".parse()?;
    /// assert_eq!(rules.seats().collect::<Vec<_>>(), Seat::ALL[..3]);
    /// assert_eq!(rules.seat_at(4), Seat::ALL[1]); // the fifth turn is the second of seat 1
    /// # Ok::<(), savanna_core::NotationError>(())
    /// ```
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        Seat::ALL.into_iter().take(self.players())
    }

    /// Number of teams.
    pub fn teams(&self) -> usize {
        if self.team_game { 2 } else { self.players() }
    }

    /// The teams that score.
    pub fn team_list(&self) -> impl Iterator<Item = Team> + use<> {
        Team::ALL.into_iter().take(self.teams())
    }

    /// The team that a seat plays for.
    ///
    /// ```
    /// # use savanna_core::{Rules, Team};
    /// let rules: Rules = "4p,team".parse()?;
    /// let teams = rules.seats().map(|seat| rules.team_of(seat));
    /// assert_eq!(teams.map(Team::index).collect::<Vec<_>>(), [0, 1, 0, 1]);
    /// # Ok::<(), savanna_core::NotationError>(())
    /// ```
    pub fn team_of(&self, seat: Seat) -> Team {
        Team::ALL[if self.team_game { seat.index() % 2 } else { seat.index() }]
    }

    /// The seat to move after `ply` plies.
    pub fn seat_at(&self, ply: usize) -> Seat {
        Seat::ALL[ply % self.players()]
    }

    /// How many of the first `plies` turns belong to the seat.
    pub(crate) fn turns_before(&self, seat: Seat, plies: usize) -> usize {
        (seat.index()..plies).step_by(self.players()).len()
    }

    /// The number of tiles in a seat's hand and in its deck after `ply` plies; 0 if it does not play.
    pub(crate) fn hand_and_deck(&self, seat: Seat, plies: usize) -> (usize, usize) {
        if seat.index() >= self.players() {
            return (0, 0);
        }
        let not_placed = self.deck().total() - self.turns_before(seat, plies);
        let hand = Hand::SIZE.min(not_placed);
        (hand, not_placed - hand)
    }

    /// Whether the Mice variant is on.
    pub fn mice(&self) -> bool {
        self.mice
    }

    /// Whether seats 0 and 2 play against seats 1 and 3.
    pub fn team_game(&self) -> bool {
        self.team_game
    }

    /// What every seat's deck is made of.
    ///
    /// ```
    /// # use savanna_core::{Rules, TileCounts};
    /// // Monkeys, Zebras, Giraffes, Elephants, Mice.
    /// for (text, deck) in [("2p", [4, 3, 2, 1, 0]), ("3p", [3, 2, 1, 1, 0]), ("4p,mice", [2, 2, 1, 1, 1])] {
    ///     assert_eq!(text.parse::<Rules>()?.deck(), TileCounts(deck));
    /// }
    /// # Ok::<(), savanna_core::NotationError>(())
    /// ```
    pub fn deck(&self) -> TileCounts {
        self.deck
    }

    /// The influence of a tile that lies with this face up.
    ///
    /// ```
    /// # use savanna_core::{Animal, Face, Rules};
    /// let of = |animal, face| Rules::default().influence(animal, face);
    /// assert_eq!(Animal::ALL.map(|animal| of(animal, Face::Front)), [2, 3, 4, 5, 1]);
    /// assert_eq!(of(Animal::Mouse, Face::Lion), 6); // for every animal beneath
    /// ```
    pub fn influence(&self, animal: Animal, face: Face) -> u8 {
        self.influence[if face == Face::Lion { 5 } else { animal.index() }]
    }

    /// The total that a line is compared with.
    pub fn target(&self) -> u8 {
        self.target
    }

    /// Points for a line below the target.
    pub fn points_below(&self) -> u8 {
        self.points[0]
    }

    /// Points for a line above the target.
    pub fn points_above(&self) -> u8 {
        self.points[1]
    }

    /// Points for a line exactly at the target.
    pub fn points_exact(&self) -> u8 {
        self.points[2]
    }

    /// What the last seat's team gets when the game ends.
    pub fn last_seat_bonus(&self) -> u8 {
        self.last_seat_bonus
    }

    /// Whether absent teams count as 0 above the target.
    pub fn absent_can_be_least(&self) -> bool {
        self.absent_can_be_least
    }

    /// A bound on the final score of a team: every line at the best rate, every one of its Mice in four lines, and
    /// the bonus. It cannot exceed 20 * 100 + 20 * 4 + 100 = 2180.
    pub fn max_score(&self) -> usize {
        let best = self.points.iter().max().copied().unwrap_or(0) as usize;
        let seats_of_a_team = self.players().div_ceil(self.teams());
        let mice = if self.mice { self.deck[Animal::Mouse] as usize * seats_of_a_team } else { 0 };
        SPACES * best + 4 * mice.min(SPACES) + self.last_seat_bonus as usize
    }
}

fn checked_deck(options: &RulesOptions, players: u8) -> Result<TileCounts, RulesError> {
    let mouse = i64::from(options.mice);
    let deck = options.deck.unwrap_or(match players {
        2 => [4, 3, 2, 1, mouse],
        3 => [3, 2, 1, 1, mouse],
        _ => [2, 2, 1, 1, mouse],
    });
    let names = ["deck's monkey", "deck's zebra", "deck's giraffe", "deck's elephant", "deck's mouse"];
    let mut counts = TileCounts::default();
    for ((count, &got), what) in counts.0.iter_mut().zip(&deck).zip(names) {
        *count = in_range(what, got, DECK_COUNT)?;
    }
    if !options.mice && deck[Animal::Mouse.index()] != 0 {
        return Err(RulesError::MiceOff(deck[Animal::Mouse.index()]));
    }
    let turns = SPACES.div_ceil(players as usize);
    in_range("tiles in the deck", counts.total() as i64, (turns as i64, MAX_DECK as i64))?;
    Ok(counts)
}
