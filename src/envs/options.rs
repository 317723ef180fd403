//! How a batch of games behaves, and the names by which that is asked for.

use std::str::FromStr;

use crate::notation::UnknownName;

/// Makes an enum whose values have names.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$value_doc:meta])* $value:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

        impl FromStr for $name {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<$name, UnknownName> {
                UnknownName::find($what, $name::ALL, $name::name, name)
            }
        }
    };
}

named!(
    /// What a seat is paid.
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
    /// What follows an action that is not legal.
    Illegal, "illegal" {
        /// An error, and nothing is changed.
        Raise = "raise",
        /// The game ends, and the mover's team has lost it.
        Loss = "loss",
    }
);

named!(
    /// When a game that is over is followed by the next.
    Reset, "autoreset" {
        /// In the step that ends it.
        SameStep = "same-step",
        /// In the step after, which plays nothing in it.
        NextStep = "next-step",
        /// Only when asked for.
        Disabled = "disabled",
    }
);

/// How a batch behaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
