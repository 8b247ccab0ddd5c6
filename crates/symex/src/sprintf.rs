//! `printf` to memory: the text as terms.
//!
//! Texts, characters and integers are exact. Of a floating-point number only the length is bounded: its
//! characters are left open, and a model that depends on them may fail to be a run.

use crate::encoder::Encoder;
use crate::format::{Amount, Piece, Spec, pieces};
use crate::print::Arguments;
use crate::state::State;
use crate::walker::WalkDomain;
use idiolect_base::StopReason;
use idiolect_ir::Ty;
use idiolect_smt::{TermId, Terms};

type Step<T> = Result<T, StopReason>;

/// Widths, precisions and texts beyond this are not modelled.
const MAX_TEXT: u64 = 512;
/// Choices that joining two texts may take.
const MAX_CHOICES: u64 = 150_000;

const FORMAT: &str = "`%n` or an unknown format of printf";
const LONG: &str = "a long text in formatted output to memory";
const OTHER: &str = "a conversion in formatted output to memory";

/// A text of symbolic length: what lies behind its end has no meaning.
#[derive(Clone, Debug)]
struct Text {
    bytes: Vec<TermId>,
    /// Of 32 bits.
    length: TermId,
    /// It is never shorter, nor longer than `bytes`.
    least: usize,
}

impl Text {
    fn of(t: &mut Terms, bytes: Vec<TermId>) -> Self {
        let least = bytes.len();
        let length = t.bv(least as u128, 32);
        Self {
            bytes,
            length,
            least,
        }
    }

    fn literal(t: &mut Terms, text: &[u8]) -> Self {
        let bytes = text.iter().map(|&b| t.bv(u128::from(b), 8)).collect();
        Self::of(t, bytes)
    }

    /// The literal where the condition holds, else nothing.
    fn literal_if(t: &mut Terms, condition: TermId, text: &[u8]) -> Self {
        let mut own = Self::literal(t, text);
        let zero = t.bv(0, 32);
        own.length = t.ite(condition, own.length, zero);
        own.least = t.facts(own.length).min as usize;
        own
    }

    /// So many of one character.
    fn repeated(t: &mut Terms, byte: u8, length: TermId) -> Self {
        let facts = *t.facts(length);
        let byte = t.bv(u128::from(byte), 8);
        Self {
            bytes: vec![byte; facts.max.min(1 << 16) as usize],
            length,
            least: facts.min.min(1 << 16) as usize,
        }
    }

    /// The choices of joining this text with one of so many bytes.
    fn choices(&self, others: usize) -> u64 {
        let lengths = (self.bytes.len() - self.least) as u64;
        lengths * (self.bytes.len() + others) as u64
    }

    fn then(mut self, t: &mut Terms, other: &Self) -> Self {
        let length = t.add(self.length, other.length);
        let least = self.least + other.least;
        let most = self.bytes.len();
        if self.least == most {
            self.bytes.extend_from_slice(&other.bytes);
            return Self {
                length,
                least,
                ..self
            };
        }
        let ends: Vec<(usize, TermId)> = (self.least..=most)
            .map(|k| {
                let own = t.bv(k as u128, 32);
                (k, t.eq(self.length, own))
            })
            .collect();
        let mut bytes = Vec::with_capacity(most + other.bytes.len());
        for j in 0..most + other.bytes.len() {
            let mut byte = None;
            // Longer ones first, so that the shortest is the outermost choice.
            for &(k, is_end) in ends.iter().rev() {
                let own = if j < k {
                    self.bytes.get(j)
                } else {
                    other.bytes.get(j - k)
                };
                byte = match (own, byte) {
                    (Some(&own), Some(rest)) => Some(t.ite(is_end, own, rest)),
                    (Some(&own), None) => Some(own),
                    (None, rest) => rest,
                };
            }
            bytes.extend(byte);
        }
        Self {
            bytes,
            length,
            least,
        }
    }
}

impl Encoder<'_> {
    /// Formats into memory: `to` has room for `room` bytes, if that is known. The number of characters that
    /// there would be with enough room.
    pub(crate) fn print_to_memory(
        &mut self,
        s: &mut State,
        to: TermId,
        room: Option<TermId>,
        format: TermId,
        arguments: Arguments<'_>,
    ) -> Step<TermId> {
        let n = self.infos.len();
        let targets = self.addresses.targets(&mut self.terms, format, n).clone();
        let mut result = self.terms.bv(0, 32);
        if self.is_recording() {
            // Conditions there are carried over single statements, and this one would be very large.
            let _: Option<()> = self.unmodelled(s, OTHER)?;
            return Ok(result);
        }
        for &t in targets.iter() {
            if self.is_excluded(s, t.condition) {
                continue;
            }
            let info = &self.infos[t.object as usize];
            let bytes = match (&info.initial, self.terms.as_const(t.offset)) {
                (Some(bytes), Some(offset)) if info.is_read_only => bytes.get(offset as usize..),
                _ => None,
            };
            let Some(list) = bytes.and_then(|b| pieces(b, self.program.types.model)) else {
                self.trap(s, FORMAT, t.condition);
                continue;
            };
            self.lazies.push(t.condition);
            let text = self.text_of(s, &list, arguments);
            self.lazies.pop();
            let Some(text) = text? else {
                continue;
            };
            self.write_text(s, to, room, t.condition, &text)?;
            result = self.terms.ite(t.condition, text.length, result);
        }
        Ok(result)
    }

    /// The text that a format makes, or `None` if no run goes on.
    fn text_of(
        &mut self,
        s: &mut State,
        list: &[Piece],
        arguments: Arguments<'_>,
    ) -> Step<Option<Text>> {
        let mut text = Text::of(&mut self.terms, Vec::new());
        let mut n_taken = 0;
        for piece in list {
            let own = match piece {
                Piece::Literal(bytes) => Text::literal(&mut self.terms, bytes),
                Piece::Conversion(spec) => {
                    let Some(own) = self.converted(s, spec, &mut n_taken, arguments)? else {
                        return Ok(None);
                    };
                    own
                }
            };
            let Some(joined) = self.joined(s, text, &own)? else {
                return Ok(None);
            };
            text = joined;
        }
        Ok(Some(text))
    }

    fn joined(&mut self, s: &mut State, text: Text, other: &Text) -> Step<Option<Text>> {
        let choices = text.choices(other.bytes.len());
        if choices > MAX_CHOICES {
            return self.unmodelled(s, LONG);
        }
        self.charge(choices / 4)?;
        Ok(Some(text.then(&mut self.terms, other)))
    }

    fn unmodelled<T>(&mut self, s: &mut State, construct: &str) -> Step<Option<T>> {
        let truth = self.terms.tt();
        self.trap(s, construct, truth);
        Ok(None)
    }

    fn converted(
        &mut self,
        s: &mut State,
        spec: &Spec,
        n_taken: &mut usize,
        arguments: Arguments<'_>,
    ) -> Step<Option<Text>> {
        let (mut spec, mut precision) = (*spec, None);
        for is_width in [true, false] {
            let amount = if is_width { spec.width } else { spec.precision };
            if amount != Some(Amount::Argument) {
                continue;
            }
            let Some(value) = self.take(s, n_taken, Ty::Int(32), arguments)? else {
                return Ok(None);
            };
            let value = self.fit(value, 32);
            match self.terms.as_const(value).map(|v| v as u32 as i32) {
                Some(n) if is_width => {
                    spec.left |= n < 0;
                    spec.width = Some(Amount::Constant(u64::from(n.unsigned_abs())));
                }
                Some(n) => spec.precision = u64::try_from(n).ok().map(Amount::Constant),
                None if !is_width && spec.letter == b's' => precision = Some(value),
                None => return self.unmodelled(s, OTHER),
            }
        }
        let is_far = |amount| matches!(amount, Some(Amount::Constant(n)) if n > MAX_TEXT);
        if is_far(spec.width) || (is_far(spec.precision) && spec.letter != b's') {
            return self.unmodelled(s, LONG);
        }
        let Some(value) = self.take(s, n_taken, spec.ty(), arguments)? else {
            return Ok(None);
        };
        match spec.letter {
            b'd' | b'i' | b'u' | b'x' | b'X' => self.integer(s, &spec, value),
            b'o' if !spec.alternate => self.integer(s, &spec, value),
            b'c' | b'C' => {
                let byte = self.fit(value, 8);
                let text = Text::of(&mut self.terms, vec![byte]);
                self.padded(s, &spec, None, text)
            }
            b's' => {
                let Some(text) = self.string(s, &spec, value, precision)? else {
                    return Ok(None);
                };
                self.padded(s, &spec, None, text)
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' if spec.ty() == Ty::F64 => {
                self.number(s, &spec)
            }
            _ => self.unmodelled(s, OTHER),
        }
    }

    /// A prefix and what comes after it, blanks or zeros up to the width.
    fn padded(
        &mut self,
        s: &mut State,
        spec: &Spec,
        prefix: Option<Text>,
        text: Text,
    ) -> Step<Option<Text>> {
        let prefix = match prefix {
            Some(prefix) => prefix,
            None => Text::of(&mut self.terms, Vec::new()),
        };
        let Some(Amount::Constant(width)) = spec.width else {
            return self.joined(s, prefix, &text);
        };
        let is_number = !matches!(spec.letter, b's' | b'c' | b'C');
        let zeros = spec.zero && spec.precision.is_none() && is_number && !spec.left;
        let t = &mut self.terms;
        let used = t.add(prefix.length, text.length);
        let least = (prefix.least + text.least) as u64;
        let (wanted, none) = (t.bv(u128::from(width), 32), t.bv(0, 32));
        let missing = t.sub(wanted, used);
        let is_short = t.ult(used, wanted);
        let length = t.ite(is_short, missing, none);
        let mut pad = Text::repeated(t, if zeros { b'0' } else { b' ' }, length);
        let most = usize::try_from(width.saturating_sub(least)).unwrap_or(0);
        pad.bytes.truncate(most);
        pad.least = pad.least.min(pad.bytes.len());
        let parts = if spec.left {
            [prefix, text, pad]
        } else if zeros {
            [prefix, pad, text]
        } else {
            [pad, prefix, text]
        };
        let [mut whole, second, third] = parts;
        for next in [second, third] {
            let Some(joined) = self.joined(s, whole, &next)? else {
                return Ok(None);
            };
            whole = joined;
        }
        Ok(Some(whole))
    }

    fn integer(&mut self, s: &mut State, spec: &Spec, value: TermId) -> Step<Option<Text>> {
        let bits = u32::from(spec.bits);
        let value = self.fit(value, bits);
        let t = &mut self.terms;
        let is_signed = matches!(spec.letter, b'd' | b'i');
        let (negative, magnitude) = if is_signed {
            let sign = t.extract(bits - 1, bits - 1, value);
            let negative = t.is_nonzero(sign);
            let opposite = t.neg(value);
            (negative, t.ite(negative, opposite, value))
        } else {
            (t.ff(), value)
        };
        let prefix = match spec.letter {
            b'd' | b'i' if spec.plus || spec.space => {
                let (minus, other) = (
                    t.bv(u128::from(b'-'), 8),
                    if spec.plus { b'+' } else { b' ' },
                );
                let other = t.bv(u128::from(other), 8);
                let sign = t.ite(negative, minus, other);
                Text::of(t, vec![sign])
            }
            b'd' | b'i' => Text::literal_if(t, negative, b"-"),
            b'x' | b'X' if spec.alternate => {
                let nonzero = t.is_nonzero(magnitude);
                Text::literal_if(t, nonzero, &[b'0', spec.letter])
            }
            _ => Text::of(t, Vec::new()),
        };
        let precision = match spec.precision {
            Some(Amount::Constant(n)) => Some(n as usize),
            _ => None,
        };
        let digits = digits(t, magnitude, spec.letter, precision);
        self.charge(digits.choices(0))?;
        self.padded(s, spec, Some(prefix), digits)
    }

    /// The text that a pointer names, at most as long as a precision says.
    fn string(
        &mut self,
        s: &mut State,
        spec: &Spec,
        pointer: TermId,
        precision: Option<TermId>,
    ) -> Step<Option<Text>> {
        let width = self.addresses.width();
        let pointer = self.fit(pointer, width);
        let null = self.terms.bv(0, width);
        let is_null = self.terms.eq(pointer, null);
        let most = match (precision, spec.precision) {
            (Some(value), _) => {
                self.trap(s, OTHER, is_null);
                // A negative precision counts as none, and so does a huge one.
                Some(self.terms.sext(value, 64))
            }
            (None, Some(Amount::Constant(n))) => Some(self.terms.bv(u128::from(n), 64)),
            _ => None,
        };
        let bytes = self.print_text(s, pointer, most)?;
        if s.is_dead() {
            return Ok(None);
        }
        let t = &mut self.terms;
        let mut length = t.bv(0, 32);
        let mut least = 0;
        let mut is_certain = true;
        let mut list = Vec::with_capacity(bytes.len());
        for (i, &(byte, goes_on)) in bytes.iter().enumerate() {
            let longer = t.bv(i as u128 + 1, 32);
            length = t.ite(goes_on, longer, length);
            is_certain &= t.known_true(goes_on);
            least += usize::from(is_certain);
            if !t.known_false(goes_on) {
                list.push(byte);
            }
        }
        let mut text = Text {
            bytes: list,
            length,
            least,
        };
        if !self.is_excluded(s, is_null) {
            let room = match spec.precision {
                Some(Amount::Constant(..6)) => &b""[..],
                _ => b"(null)",
            };
            text = self.or_literal(is_null, room, text);
        }
        Ok(Some(text))
    }

    fn or_literal(&mut self, condition: TermId, literal: &[u8], text: Text) -> Text {
        let t = &mut self.terms;
        let own = Text::literal(t, literal);
        let mut bytes = Vec::new();
        for i in 0..own.bytes.len().max(text.bytes.len()) {
            let byte = match (own.bytes.get(i), text.bytes.get(i)) {
                (Some(&a), Some(&b)) => Some(t.ite(condition, a, b)),
                (a, b) => a.or(b).copied(),
            };
            bytes.extend(byte);
        }
        Text {
            bytes,
            length: t.ite(condition, own.length, text.length),
            least: own.least.min(text.least),
        }
    }

    /// A floating-point number: any characters, as many as there can be.
    fn number(&mut self, s: &mut State, spec: &Spec) -> Step<Option<Text>> {
        if self.is_rerun() {
            return self.unmodelled(s, OTHER);
        }
        let precision = match spec.precision {
            Some(Amount::Constant(n)) => n,
            _ => 6,
        };
        // A sign, the point and an exponent of three digits; `%f` has up to 309 digits before the point.
        let most = match spec.letter {
            b'f' | b'F' => precision + 311,
            _ => precision.max(1) + 8,
        };
        let width = match spec.width {
            Some(Amount::Constant(n)) => n,
            _ => 0,
        };
        let (least, most) = (width.max(1), most.max(width));
        let guard = self.guards.term(&mut self.terms, s.guard);
        let mut bytes = Vec::new();
        for _ in 0..most {
            let byte = self.fresh("digit", 8);
            self.approximations.push((guard, byte));
            // No character of a number is the end of a text.
            let (zero, blank) = (self.terms.bv(0, 8), self.terms.bv(u128::from(b' '), 8));
            let is_end = self.terms.eq(byte, zero);
            bytes.push(self.terms.ite(is_end, blank, byte));
        }
        let own = self.fresh("length", 32);
        self.approximations.push((guard, own));
        let t = &mut self.terms;
        let (low, high) = (t.bv(u128::from(least), 32), t.bv(u128::from(most), 32));
        let is_low = t.ult(own, low);
        let is_high = t.ult(high, own);
        let length = t.ite(is_low, low, own);
        let length = t.ite(is_high, high, length);
        Ok(Some(Text {
            bytes,
            length,
            least: least as usize,
        }))
    }

    /// Writes the text and its end, as far as there is room.
    fn write_text(
        &mut self,
        s: &mut State,
        to: TermId,
        room: Option<TermId>,
        condition: TermId,
        text: &Text,
    ) -> Step<()> {
        let width = self.addresses.width();
        let to = self.fit(to, width);
        let t = &mut self.terms;
        let (zero, one) = (t.bv(0, width), t.bv(1, width));
        let length = t.zext(text.length, width.max(32));
        let mut n = length;
        let mut size = t.add(n, one);
        if let Some(room) = room {
            let last = t.sub(room, one);
            let fits = t.ult(length, room);
            n = t.ite(fits, length, last);
            size = t.add(n, one);
            let is_empty = t.eq(room, zero);
            size = t.ite(is_empty, zero, size);
        }
        let size = t.ite(condition, size, zero);
        let end = t.bv(0, 8);
        let mut bytes = Vec::with_capacity(text.bytes.len() + 1);
        for (j, &byte) in text.bytes.iter().enumerate() {
            let own = t.bv(j as u128, width);
            let inside = t.ult(own, n);
            bytes.push(t.ite(inside, byte, end));
        }
        bytes.push(end);
        self.write_bytes(s, to, size, &bytes)
    }
}

/// The digits of a number, as many as it has and at least as many as the precision says.
fn digits(t: &mut Terms, value: TermId, letter: u8, precision: Option<usize>) -> Text {
    let base: u128 = match letter {
        b'x' | b'X' => 16,
        b'o' => 8,
        _ => 10,
    };
    let facts = *t.facts(value);
    let count = |mut n: u128| {
        let mut digits = 1;
        while n >= base {
            n /= base;
            digits += 1;
        }
        digits
    };
    let (fewest, most): (usize, usize) = (count(facts.min), count(facts.max));
    let list = digit_values(t, value, base, most, facts.max);
    // How many there are.
    let width = t.width(value);
    let mut length = t.bv(fewest as u128, 32);
    for n in fewest..most {
        let power = t.bv(base.pow(n as u32), width);
        let is_longer = t.ule(power, value);
        let longer = t.bv(n as u128 + 1, 32);
        length = t.ite(is_longer, longer, length);
    }
    let (mut fewest, mut wanted) = (fewest, most);
    if let Some(precision) = precision {
        let least = t.bv(precision as u128, 32);
        let is_short = t.ult(length, least);
        length = t.ite(is_short, least, length);
        fewest = fewest.max(precision);
        wanted = most.max(precision);
        if precision == 0 {
            let (nonzero, none) = (t.is_nonzero(value), t.bv(0, 32));
            length = t.ite(nonzero, length, none);
            fewest = usize::from(facts.min > 0);
        }
    }
    let zero = t.bv(u128::from(b'0'), 8);
    let characters: Vec<TermId> = list
        .iter()
        .map(|&d| character(t, d, letter))
        .chain(std::iter::repeat_n(zero, wanted - most))
        .collect();
    // The first character is the highest digit that there is.
    let mut bytes = Vec::new();
    for j in 0..wanted {
        let mut byte = characters[wanted - 1 - j];
        for n in (fewest.max(j + 1)..wanted).rev() {
            let own = t.bv(n as u128, 32);
            let is_length = t.eq(length, own);
            byte = t.ite(is_length, characters[n - 1 - j], byte);
        }
        bytes.push(byte);
    }
    Text {
        bytes,
        length,
        least: fewest,
    }
}

/// Digits from the lowest on, as terms of 8 bits.
fn digit_values(t: &mut Terms, value: TermId, base: u128, n: usize, largest: u128) -> Vec<TermId> {
    let mut list = Vec::with_capacity(n);
    let (mut rest, mut largest) = (value, largest);
    for _ in 0..n {
        // What is left needs fewer bits each time.
        let bits = (128 - largest.leading_zeros()).max(5).min(t.width(rest));
        rest = t.extract(bits - 1, 0, rest);
        let divisor = t.bv(base, bits);
        let digit = t.urem(rest, divisor);
        rest = t.udiv(rest, divisor);
        largest /= base;
        let digit = if bits > 8 {
            t.extract(7, 0, digit)
        } else {
            t.zext(digit, 8)
        };
        list.push(digit);
    }
    list
}

fn character(t: &mut Terms, digit: TermId, letter: u8) -> TermId {
    let first = t.bv(u128::from(b'0'), 8);
    let low = t.add(digit, first);
    if !matches!(letter, b'x' | b'X') {
        return low;
    }
    let letter = if letter == b'x' { b'a' } else { b'A' };
    let (ten, first) = (t.bv(10, 8), t.bv(u128::from(letter - 10), 8));
    let is_digit = t.ult(digit, ten);
    let high = t.add(digit, first);
    t.ite(is_digit, low, high)
}
