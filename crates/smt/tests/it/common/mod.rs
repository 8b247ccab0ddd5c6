//! A reader for terms, so that tests can be read: `(add x (neg y))`.
//!
//! `x y z` have the width `w` of the test, `p q r` are Bools, `b` has one bit, a number is a constant
//! of width `w`, and `5:3` is one of width 3. Widths and bit numbers may be `w`, `w+1`, `w-1` or `2w`.
//! Arrays, with indices and elements of width `w`: `(const e)`, `(store a i e)`, `(arrays c a b)`.

#![allow(dead_code)]

use idiolect_smt::{ArrayId, BinaryOp, TermId, Terms};

/// The variables of a test, made in the same order in every pool.
#[derive(Clone, Copy)]
pub struct Vars {
    pub width: u32,
    pub words: [TermId; 3],
    pub bools: [TermId; 3],
    pub bit: TermId,
}

impl Vars {
    pub fn new(t: &mut Terms, width: u32) -> Self {
        Self {
            width,
            words: ["x", "y", "z"].map(|n| t.bv_var(n, width)),
            bools: ["p", "q", "r"].map(|n| t.bool_var(n)),
            bit: t.bv_var("b", 1),
        }
    }

    pub fn all(&self) -> Vec<TermId> {
        let bit = [self.bit];
        [&self.words[..], &self.bools[..], &bit[..]].concat()
    }
}

/// The term that `text` describes, or `None` if it has no meaning at this width.
pub fn read(t: &mut Terms, v: &Vars, text: &str) -> Option<TermId> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = Reader {
        t,
        v,
        words: &words,
    };
    reader.term()
}

struct Reader<'a> {
    t: &'a mut Terms,
    v: &'a Vars,
    words: &'a [&'a str],
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> &'a str {
        let (first, rest) = self.words.split_first().expect("the term is complete");
        self.words = rest;
        first
    }

    fn number(&mut self) -> Option<u32> {
        let word = self.next();
        let w = self.v.width;
        if let Some(rest) = word.strip_prefix("w+") {
            return Some(w + rest.parse::<u32>().expect("a number"));
        }
        if let Some(rest) = word.strip_prefix("w-") {
            return w.checked_sub(rest.parse().expect("a number"));
        }
        Some(match word {
            "w" => w,
            "2w" => 2 * w,
            _ => word.parse().expect("a number"),
        })
    }

    fn atom(&mut self, word: &str) -> TermId {
        let v = self.v;
        match word {
            "x" => v.words[0],
            "y" => v.words[1],
            "z" => v.words[2],
            "p" => v.bools[0],
            "q" => v.bools[1],
            "r" => v.bools[2],
            "b" => v.bit,
            "true" => self.t.tt(),
            "false" => self.t.ff(),
            "min" => self.t.bv(1 << (v.width - 1), v.width),
            "max" => self.t.bv((1 << (v.width - 1)) - 1, v.width),
            _ => {
                let (value, width) = word.split_once(':').map_or((word, v.width), |(k, w)| {
                    (
                        k,
                        w.strip_prefix("w+").map_or_else(
                            || w.parse().expect("a width"),
                            |more| v.width + more.parse::<u32>().expect("a width"),
                        ),
                    )
                });
                let value: i128 = value.parse().expect("a number");
                self.t.bv(value as u128, width)
            }
        }
    }

    fn term(&mut self) -> Option<TermId> {
        let word = self.next();
        if word != "(" {
            return Some(self.atom(word));
        }
        let op = self.next();
        let result = match op {
            "not" | "neg" => {
                let a = self.term()?;
                if op == "not" {
                    self.t.not(a)
                } else {
                    self.t.neg(a)
                }
            }
            "zext" | "sext" => {
                let (width, a) = (self.number()?, self.term()?);
                if width < self.t.width(a) {
                    return None;
                }
                if op == "zext" {
                    self.t.zext(a, width)
                } else {
                    self.t.sext(a, width)
                }
            }
            "extract" => {
                let (hi, lo, a) = (self.number()?, self.number()?, self.term()?);
                if lo > hi || hi >= self.t.width(a) {
                    return None;
                }
                self.t.extract(hi, lo, a)
            }
            "ite" => {
                let (c, a, b) = (self.term()?, self.term()?, self.term()?);
                self.t.ite(c, a, b)
            }
            "select" => {
                let (a, i) = (self.array()?, self.term()?);
                self.t.select(a, i)
            }
            _ => {
                let found = BinaryOp::ALL
                    .into_iter()
                    .find(|o| format!("{o:?}").to_lowercase() == op);
                let op = found.unwrap_or_else(|| panic!("no operator {op}"));
                let (a, b) = (self.term()?, self.term()?);
                self.t.binary(op, a, b)
            }
        };
        assert_eq!(self.next(), ")", "after {op}");
        Some(result)
    }

    fn array(&mut self) -> Option<ArrayId> {
        assert_eq!(self.next(), "(");
        let array = match self.next() {
            "const" => {
                let element = self.term()?;
                self.t.array_const(element, self.v.width)
            }
            "store" => {
                let (a, i, e) = (self.array()?, self.term()?, self.term()?);
                self.t.store(a, i, e)
            }
            "arrays" => {
                let (c, a, b) = (self.term()?, self.array()?, self.array()?);
                self.t.array_ite(c, a, b)
            }
            other => panic!("no array {other}"),
        };
        assert_eq!(self.next(), ")");
        Some(array)
    }
}
