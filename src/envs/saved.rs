//! A batch as bytes, and back.

use std::fmt;

use crate::board::SPACES;
use crate::envs::ENV_VERSION;
use crate::envs::batch::Batch;
use crate::envs::layout::Layout;
use crate::envs::options::{BatchOptions, Illegal, MAX_ENVS, Reset};
use crate::moves::{LegalMoves, Move};
use crate::rng::Xoshiro256PlusPlus;

/// What the text at the front of a saved batch begins with.
const MAGIC: &str = "savanna-envs";
/// The bytes of one game: four words of its random numbers, how many games have begun, how many moves were played, whether
/// it is over, its moves.
const GAME: usize = 4 * 8 + 8 + 1 + 1 + SPACES;

/// More games than any place will see.
const MOST_BEGUN: u64 = 1 << 40;

/// Why bytes are not a saved batch. See [`Batch::restore`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SavedError(String);

impl fmt::Display for SavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "saved batch: {}", self.0)
    }
}

impl std::error::Error for SavedError {}

fn error(text: impl fmt::Display) -> SavedError {
    SavedError(text.to_string())
}

impl Batch {
    /// The whole batch as bytes: a line of text that says what it is, then a record for each game.
    pub fn save(&self) -> Vec<u8> {
        let BatchOptions { recall, reward, illegal, reset } = self.dealer.options;
        let (games, seed, rules) = (self.games.len(), self.dealer.seed, self.dealer.layout.rules());
        let (reward, illegal, reset) = (reward.name(), illegal.name(), reset.name());
        let head = format!("{MAGIC} {ENV_VERSION} {rules} {games} {seed} {recall} {reward} {illegal} {reset}\n");
        let mut bytes = head.into_bytes();
        for ((game, legal), rng) in self.games.iter().zip(&self.legal).zip(&self.rngs) {
            bytes.extend(rng.state().into_iter().flat_map(u64::to_le_bytes));
            bytes.extend(game.begun.to_le_bytes());
            bytes.extend([game.facts.ply, u8::from(legal.is_empty())]);
            let mut actions = [0; SPACES];
            actions.iter_mut().zip(game.facts.moves()).for_each(|(action, mv)| *action = mv.action() as u8);
            bytes.extend(actions);
        }
        bytes.extend(&self.last);
        bytes
    }

    /// The batch that was saved. Every game is dealt and played again, so bytes from a stranger give a batch that can
    /// be, or an error.
    ///
    /// # Errors
    /// Bytes that are not a batch saved by this version.
    ///
    /// # Example
    /// ```
    /// # use savanna_core::{Rules, envs::{Batch, BatchOptions}};
    /// let batch = Batch::new(&Rules::default(), 3, 7, BatchOptions::default())?;
    /// assert_eq!(Batch::restore(&batch.save())?.episode(2), batch.episode(2));
    /// assert_eq!(Batch::restore(b"3").unwrap_err().to_string(), "saved batch: it has no first line");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restore(bytes: &[u8]) -> Result<Batch, SavedError> {
        let end =
            bytes.iter().take(1000).position(|&byte| byte == b'\n').ok_or_else(|| error("it has no first line"))?;
        let head = std::str::from_utf8(&bytes[..end]).map_err(|_| error("its first line is not text"))?;
        let fields: Vec<&str> = head.split(' ').collect();
        let [magic, version, rules, games, seed, recall, reward, illegal, reset] = fields[..] else {
            return Err(error("its first line has other than nine fields"));
        };
        if magic != MAGIC || version != ENV_VERSION.to_string() {
            return Err(error(format_args!("it is not of version {ENV_VERSION}")));
        }
        let recall = recall.parse().map_err(error)?;
        let options = BatchOptions {
            recall,
            reward: reward.parse().map_err(error)?,
            illegal: illegal.parse().map_err(error)?,
            reset: reset.parse().map_err(error)?,
        };
        let (games, seed): (usize, u64) = (games.parse().map_err(error)?, seed.parse().map_err(error)?);
        let rest = &bytes[end + 1..];
        if !(1..=MAX_ENVS).contains(&games) || rest.len() < games * GAME {
            return Err(error(format_args!("{games} games do not come from {} bytes", rest.len())));
        }
        let layout = Layout::new(&rules.parse().map_err(error)?, recall).map_err(error)?;
        let mut batch = Batch::undealt(layout, games, seed, options);
        let (records, last) = rest.split_at(games * GAME);
        if last.len() != batch.last.len() {
            return Err(error(format_args!("{} bytes follow the games, not {}", last.len(), batch.last.len())));
        }
        if last.iter().zip(batch.dealer.layout.high().iter().cycle()).any(|(number, high)| number > high) {
            return Err(error("a final observation holds a number that is too large"));
        }
        batch.last.copy_from_slice(last);
        for (place, record) in records.chunks_exact(GAME).enumerate() {
            batch.restore_game(place, record).map_err(|text| error(format_args!("game {place}: {text}")))?;
        }
        Ok(batch)
    }

    /// Brings a game to where its record says.
    fn restore_game(&mut self, place: usize, record: &[u8]) -> Result<(), String> {
        let word = |i: usize| record[8 * i..8 * i + 8].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        let [plies, over] = [record[40], record[41]];
        let actions = &record[42..][..SPACES];
        let state = [0, 1, 2, 3].map(word);
        let rng = Xoshiro256PlusPlus::from_state(state).ok_or("its random numbers are all 0")?;
        match word(4) {
            0 => return Err("it has never begun".to_owned()),
            1..=MOST_BEGUN => {}
            begun => return Err(format!("{begun} games have begun")),
        }
        if usize::from(plies) > SPACES || over > 1 {
            return Err(format!("{plies} moves, {over}"));
        }
        let options = self.dealer.options;
        let lost_early = options.illegal == Illegal::Loss && options.reset != Reset::SameStep;
        let possible = match usize::from(plies) {
            SPACES => over == 1 && options.reset != Reset::SameStep,
            _ => over == 0 || lost_early,
        };
        if !possible || actions[plies.into()..].iter().any(|&action| action != 0) {
            return Err("what it says contradicts itself".to_owned());
        }
        let (game, legal) = (&mut self.games[place], &mut self.legal[place]);
        game.begun = word(4) - 1;
        self.dealer.begin(place, game, legal);
        for &action in &actions[..plies.into()] {
            let mv = Move::from_action(action.into()).ok_or_else(|| format!("{action} is not an action id"))?;
            if !legal.allows(action) {
                return Err(self.refusal(place, mv).map_or_else(String::new, |error| error.to_string()));
            }
            game.facts.play(self.dealer.layout.setting(), mv);
            *legal = game.facts.legal_moves(self.dealer.layout.setting());
        }
        if over == 1 {
            *legal = LegalMoves::default();
        }
        self.rngs[place] = rng;
        Ok(())
    }
}
