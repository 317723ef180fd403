//! Players and search: who sees a [`View`](crate::view::View) and chooses a move, and nothing else.
