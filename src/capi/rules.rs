//! `SavannaRules`.

use std::ffi::c_char;

use super::border::{Kind, Plain, enter, free, give, give_text, held, place, read, sized_place, text};
use super::status::{Failure, SavannaError, SavannaStatus};
use crate::rules::{Rules, RulesOptions};

/// A handle of the rules of a game.
pub struct SavannaRules(());

impl Kind for SavannaRules {
    type Value = Rules;
    const NAME: &'static str = "rules";
    const MAGIC: u64 = 0x5341_5652_554C_4553;
}

/// In place of a number: what is printed on the box.
pub const SAVANNA_PRINTED: i32 = -1;

/// What a caller may ask of the rules. `savanna_rules_default_options` fills it with the printed game for two.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SavannaRulesOptions {
    /// Number of seats, 2 to 4.
    pub players: i32,
    /// 1 for the Mice variant, else 0.
    pub mice: i32,
    /// 1 for the Team game, seats 0 and 2 against 1 and 3, else 0.
    pub team_game: i32,
    /// 1 if, above the target, a team without a tile in the line counts as 0 there and so is the least, else 0.
    pub absent_can_be_least: i32,
    /// Tiles of monkey, zebra, giraffe, elephant, mouse in every seat's deck; all five may be SAVANNA_PRINTED.
    pub deck: [i32; 5],
    /// Influence of monkey, zebra, giraffe, elephant, mouse, lion; each 0 to 15.
    pub influence: [i32; 6],
    /// The total that is neither below nor above, 0 to 100.
    pub target: i32,
    /// Points for a line below, above and exactly at the target; each 0 to 100.
    pub points: [i32; 3],
    /// Points that the last seat's team gets at the end, 0 to 100, or SAVANNA_PRINTED.
    pub last_seat_bonus: i32,
}

impl Plain for SavannaRulesOptions {}

impl From<&RulesOptions> for SavannaRulesOptions {
    fn from(options: &RulesOptions) -> SavannaRulesOptions {
        // Every option of rules is below 2^15, so nothing is cut.
        let number = |option: i64| option as i32;
        SavannaRulesOptions {
            players: number(options.players),
            mice: options.mice.into(),
            team_game: options.team_game.into(),
            absent_can_be_least: options.absent_can_be_least.into(),
            deck: options.deck.map_or([SAVANNA_PRINTED; 5], |deck| deck.map(number)),
            influence: options.influence.map(number),
            target: number(options.target),
            points: options.points.map(number),
            last_seat_bonus: options.last_seat_bonus.map_or(SAVANNA_PRINTED, number),
        }
    }
}

impl SavannaRulesOptions {
    fn options(&self) -> Result<RulesOptions, Failure> {
        let flag = |what, value| match value {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Failure::new(SavannaStatus::BadRules, format!("{what} must be 0 to 1, got {value}"))),
        };
        Ok(RulesOptions {
            players: self.players.into(),
            mice: flag("mice", self.mice)?,
            team_game: flag("team_game", self.team_game)?,
            absent_can_be_least: flag("absent_can_be_least", self.absent_can_be_least)?,
            deck: (self.deck != [SAVANNA_PRINTED; 5]).then(|| self.deck.map(i64::from)),
            influence: self.influence.map(i64::from),
            target: self.target.into(),
            points: self.points.map(i64::from),
            last_seat_bonus: (self.last_seat_bonus != SAVANNA_PRINTED).then(|| self.last_seat_bonus.into()),
        })
    }
}

/// Fills options with the printed game for two.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_rules_default_options(
    options: *mut SavannaRulesOptions,
    size: usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        sized_place(options, size, "options")?.put((&RulesOptions::default()).into());
        Ok(())
    })
}

/// Makes rules of options. Fails with BAD_RULES if one is out of range or contradicts another.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_rules_new(
    options: *const SavannaRulesOptions,
    size: usize,
    rules: *mut *mut SavannaRules,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = place(rules, "rules")?;
        give(place, Rules::new(&read(options, size, "options")?.options()?)?);
        Ok(())
    })
}

/// Writes the options of rules, with what is printed spelled out.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_rules_options(
    rules: *const SavannaRules,
    options: *mut SavannaRulesOptions,
    size: usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = sized_place(options, size, "options")?;
        place.put((&held(&rules)?.options()).into());
        Ok(())
    })
}

/// Reads the text of rules, such as "2p" or "4p,mice,team".
#[unsafe(no_mangle)]
pub extern "C" fn savanna_rules_parse(
    rules_text: *const c_char,
    length: usize,
    rules: *mut *mut SavannaRules,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || {
        let place = place(rules, "rules")?;
        give(place, text(rules_text, length, "rules text")?.parse()?);
        Ok(())
    })
}

/// Writes the text of rules, which reads back: the number of players and "p", and by commas those of "mice", "team",
/// "deck=4.3.2.1.0", "influence=2.3.4.5.1.6", "target=10", "points=2.1.3", "bonus=0", "absent" that are not as printed.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_rules_text(
    rules: *const SavannaRules,
    buffer: *mut c_char,
    capacity: usize,
    count: *mut usize,
    error: *mut SavannaError,
) -> SavannaStatus {
    enter(error, || give_text(&held(&rules)?.to_string(), (buffer, capacity), count))
}

/// Frees the handle in a variable, which becomes NULL.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_rules_free(rules: *mut *mut SavannaRules, error: *mut SavannaError) -> SavannaStatus {
    enter(error, || free(rules))
}
