//! How a batch of games behaves, and the names by which that is asked for.

use std::fmt;
use std::str::FromStr;

use crate::notation::UnknownName;

/// The most games of a [`Batch`](crate::envs::Batch). The deals of more would not all differ.
pub const MAX_ENVS: usize = 1 << 20;
/// In place of an action id, in [`Batch::step`](crate::envs::Batch::step): this game is left as it is.
pub const WAIT: u8 = u8::MAX;
/// Makes an enum whose values have names.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$value_doc:meta])* $value:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$value_doc])* $value,)+
        }

        impl $name {
            /// All values.
            pub const ALL: &[$name] = &[$($name::$value),+];

            /// The name, in lower case.
            pub fn name(self) -> &'static str {
                match self {
                    $($name::$value => $text,)+
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $name {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<$name, UnknownName> {
                UnknownName::find($what, $name::ALL, $name::name, name)
            }
        }
    };
}

named!(
    /// What a seat is paid: one of the [`BatchOptions`].
    Reward, "reward" {
        /// At the end, 1 to the winners, shared when they are several.
        Win = "win",
        /// At the end, by how much the score of its team exceeds the mean of the others'.
        Margin = "margin",
        /// After every move, by how much that has changed.
        MarginChange = "margin-change",
    }
);

named!(
    /// What follows an action that is not legal: one of the [`BatchOptions`].
    Illegal, "illegal" {
        /// An error, and nothing is changed.
        Raise = "raise",
        /// The game ends, and the mover's team has lost it.
        Loss = "loss",
    }
);

named!(
    /// When a game that is over is followed by the next: one of the [`BatchOptions`].
    Reset, "autoreset" {
        /// In the step that ends it.
        SameStep = "same-step",
        /// In the step after, which plays nothing in it.
        NextStep = "next-step",
        /// Only when asked for.
        Disabled = "disabled",
    }
);

/// How a batch behaves. Each choice has a name, as it is asked for from Python.
///
/// ```
/// # use savanna_core::envs::{BatchOptions, Illegal, Reward};
/// let options = BatchOptions { reward: "margin".parse()?, ..BatchOptions::default() };
/// assert_eq!((options.reward, options.illegal), (Reward::Margin, Illegal::Raise));
/// assert_eq!(options.reset.to_string(), "same-step");
/// # Ok::<(), savanna_core::UnknownName>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BatchOptions {
    /// Whether observations tell all that a seat has ever seen.
    pub recall: bool,
    /// What seats are paid.
    pub reward: Reward,
    /// What follows an action that is not legal.
    pub illegal: Illegal,
    /// When the next game begins.
    pub reset: Reset,
}

impl Default for BatchOptions {
    /// Without recall, wins paid at the end, illegal actions refused, and the next game begun in the same step.
    fn default() -> BatchOptions {
        BatchOptions { recall: false, reward: Reward::Win, illegal: Illegal::Raise, reset: Reset::SameStep }
    }
}
