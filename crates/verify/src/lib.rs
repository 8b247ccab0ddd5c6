//! Either an error with its run, or a regular model of a program's feasible decisions with a guarantee.
