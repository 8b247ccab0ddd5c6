//! What holds of every element of an array or a list at a point of a program: learned from runs, then proved.
