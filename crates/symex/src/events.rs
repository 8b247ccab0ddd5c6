//! Words of events as literals: what the letter at a position is, and how long the word is.
