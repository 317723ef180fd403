//! A batch as bytes, and back.

use std::fmt;

use crate::board::SPACES;
use crate::envs::ENV_VERSION;
use crate::envs::batch::{Batch, MAX_ENVS};
use crate::envs::options::BatchOptions;
use crate::moves::Move;
use crate::rng::Xoshiro256PlusPlus;

/// What the text at the front of a saved batch begins with.
const MAGIC: &str = "savanna-envs";
/// The bytes of one game: four words of its random numbers, how many games have begun, how many moves were played, whether
/// it is over, its moves.
const GAME: usize = 4 * 8 + 8 + 1 + 1 + SPACES;

/// Why bytes are no saved batch.
#[derive(Clone, PartialEq, Eq, Debug)]
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
        let BatchOptions { recall, reward, illegal, reset } = self.options;
        let (games, seed, rules) = (self.games.len(), self.seed, self.layout.rules());
        let (reward, illegal, reset) = (reward.name(), illegal.name(), reset.name());
        let head = format!("{MAGIC} {ENV_VERSION} {rules} {games} {seed} {recall} {reward} {illegal} {reset}\n");
        let mut bytes = head.into_bytes();
        for game in &self.games {
            bytes.extend(game.rng.state().into_iter().flat_map(u64::to_le_bytes));
            bytes.extend(game.begun.to_le_bytes());
            bytes.extend([game.plies, u8::from(game.over)]);
            bytes.extend(game.actions);
        }
        bytes.extend(&self.last);
        bytes
    }

    /// The batch that was saved. Every game is dealt and played again, so bytes from a stranger give a batch that can be, or
    /// an error.
    ///
    /// # Errors
    /// Bytes that are no batch saved by this version.
    pub fn restore(bytes: &[u8]) -> Result<Batch, SavedError> {
        let end =
            bytes.iter().take(1000).position(|&byte| byte == b'\n').ok_or_else(|| error("it has no first line"))?;
        let head = std::str::from_utf8(&bytes[..end]).map_err(|_| error("its first line is no text"))?;
        let fields: Vec<&str> = head.split(' ').collect();
        let [magic, version, rules, games, seed, recall, reward, illegal, reset] = fields[..] else {
            return Err(error("its first line has other than nine fields"));
        };
        if magic != MAGIC || version != ENV_VERSION.to_string() {
            return Err(error(format_args!("it is not of version {ENV_VERSION}")));
        }
        let options = BatchOptions {
            recall: recall.parse().map_err(error)?,
            reward: reward.parse().map_err(error)?,
            illegal: illegal.parse().map_err(error)?,
            reset: reset.parse().map_err(error)?,
        };
        let (games, seed): (usize, u64) = (games.parse().map_err(error)?, seed.parse().map_err(error)?);
        let rest = &bytes[end + 1..];
        if games > MAX_ENVS || rest.len() < games * GAME {
            return Err(error(format_args!("{games} games need more than {} bytes", rest.len())));
        }
        let mut batch = Batch::new(&rules.parse().map_err(error)?, games, seed, options).map_err(error)?;
        let (records, last) = rest.split_at(games * GAME);
        if last.len() != batch.last.len() {
            return Err(error(format_args!("{} bytes follow the games, not {}", last.len(), batch.last.len())));
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
        if word(4) == 0 {
            return Err("it has never begun".to_owned());
        }
        self.games[place].begun = word(4) - 1;
        self.reset(|it| it == place);
        if usize::from(plies) > SPACES || over > 1 {
            return Err(format!("{plies} moves, {over}"));
        }
        for &action in &actions[..plies.into()] {
            let position = *self.episode(place).position();
            let mv = Move::from_action(action.into()).ok_or_else(|| format!("{action} is no action"))?;
            position.play(mv).map_err(|error| error.to_string())?;
            self.play_in(place, action);
        }
        let game = &mut self.games[place];
        let ended = usize::from(plies) == SPACES;
        if ended && over == 0 || actions[plies.into()..].iter().any(|&action| action != 0) {
            return Err("what it says contradicts itself".to_owned());
        }
        (game.over, game.rng) = (over == 1, rng);
        Ok(())
    }
}
