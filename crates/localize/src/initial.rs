//! The numbers that static objects start with, as the source writes them: `int base = 1;`, `int days[] = {31, 28};`.
//!
//! The program has their bytes and not their places, so the text is read: what stands between braces and commas. A place
//! counts only if the number there is what the object starts with, so that nothing else is taken for one.

use crate::replaced::Site;
use crate::sites::{SiteKind, Suspect};
use idiolect_base::Span;
use idiolect_interp::{DrawnInput, InputOrigin, InputRequest, InputSource, ObjectKind};
use idiolect_ir::{BlockId, CType, Global, GlobalId, Location, Program, Ty};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Numbers of one object that are looked at, and of all of them.
const OF_ONE: usize = 1_000;
const OF_ALL: usize = 4_000;
/// An initial value further from the name than this is not looked for.
const FAR: usize = 20_000;

/// The initial numbers of a program, and how to find out which of them a run reads.
pub(crate) struct Initial {
    pub(crate) list: Vec<Suspect>,
    /// By object and offset: the number in the list.
    number: FxHashMap<(GlobalId, u64), usize>,
    /// The program in which nobody has written these objects: what is read of them is an input.
    pub(crate) program: Arc<Program>,
    original: Arc<Program>,
}

impl Initial {
    pub(crate) fn new(program: &Arc<Program>) -> Self {
        let list = initial_numbers(program);
        let mut number = FxHashMap::default();
        let mut copy = None;
        for (i, suspect) in list.iter().enumerate() {
            let Site::Initial(id, offset) = suspect.site else {
                continue;
            };
            number.insert((id, offset), i);
            let copy = copy.get_or_insert_with(|| Program::clone(program));
            copy.globals[id.index()].is_unwritten = true;
        }
        Self {
            list,
            number,
            program: copy.map_or_else(|| program.clone(), Arc::new),
            original: program.clone(),
        }
    }

    pub(crate) fn number(&self, site: Site) -> Option<usize> {
        match site {
            Site::Initial(id, offset) => self.number.get(&(id, offset)).copied(),
            _ => None,
        }
    }

    /// The numbers that a run with these inputs reads.
    pub(crate) fn read(&self, inputs: &[DrawnInput]) -> BTreeSet<usize> {
        let mut read = BTreeSet::new();
        if self.list.is_empty() {
            return read;
        }
        for input in inputs {
            let Some((id, offset, size)) = self.part(input.origin) else {
                continue;
            };
            // It may begin within a number.
            for at in offset.saturating_sub(7)..offset + size {
                let own = self.number.get(&(id, at)).copied();
                let own = own.filter(|&n| at + u64::from(width_of(&self.list[n])) > offset);
                read.extend(own);
            }
        }
        read
    }

    /// The part of one of these objects that an input stands for.
    fn part(&self, origin: InputOrigin) -> Option<(GlobalId, u64, u64)> {
        let InputOrigin::Unwritten(part) = origin else {
            return None;
        };
        let ObjectKind::Global(id) = part.object else {
            return None;
        };
        let is_ours = |id: GlobalId| {
            let is_open = |p: &Program| p.globals[id.index()].is_unwritten;
            id.index() < self.original.globals.len()
                && is_open(&self.program)
                && !is_open(&self.original)
        };
        is_ours(id).then(|| (id, u64::from(part.offset), u64::from(part.size)))
    }

    /// The same inputs, and what these objects start with.
    pub(crate) fn with<S>(&self, rest: S) -> WithInitial<'_, S> {
        WithInitial {
            initial: self,
            rest,
        }
    }
}

fn width_of(suspect: &Suspect) -> u8 {
    match suspect.ty {
        Ty::Int(width) => width / 8,
        _ => 0,
    }
}

pub(crate) struct WithInitial<'a, S> {
    initial: &'a Initial,
    rest: S,
}

impl<S: InputSource> InputSource for WithInitial<'_, S> {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        match self.initial.part(request.origin) {
            Some((id, offset, size)) => {
                let global = &self.initial.original.globals[id.index()];
                Some(bits_at(global, offset, size))
            }
            None => self.rest.next(request),
        }
    }
}

/// Whether the site is what a `const` object starts with.
pub(crate) fn is_constant(program: &Program, site: Site) -> bool {
    matches!(site, Site::Initial(id, _) if program.globals[id.index()].read_only)
}

/// The program in which a static object starts with this number there.
pub(crate) fn started_with(program: &Program, suspect: &Suspect, value: u128) -> Program {
    let mut copy = program.clone();
    if let Site::Initial(id, offset) = suspect.site {
        let size = usize::from(width_of(suspect));
        let (from, bytes) = (offset as usize, &mut copy.globals[id.index()].bytes);
        bytes.resize(bytes.len().max(from + size), 0);
        bytes[from..from + size].copy_from_slice(&value.to_le_bytes()[..size]);
    }
    copy
}

/// Initial numbers of the user's own objects, in order. What a string literal has is none of them.
fn initial_numbers(program: &Program) -> Vec<Suspect> {
    let mut list = Vec::new();
    for (number, global) in program.globals.iter().enumerate() {
        if global.is_library || global.name.starts_with('.') || global.span.is_nowhere() {
            continue;
        }
        let id = GlobalId::new(number);
        let own = numbers_of(program, id, global);
        list.extend(own.into_iter().take(OF_ONE));
    }
    list.truncate(OF_ALL);
    list
}

fn numbers_of(program: &Program, id: GlobalId, global: &Global) -> Vec<Suspect> {
    let types = &program.types;
    // An array of arrays is written as one list, or as several.
    let mut element = global.ty;
    while let CType::Array { element: inner, .. } = types.get(element) {
        element = *inner;
    }
    let Some(Ty::Int(width @ (8 | 16 | 32 | 64))) = types.scalar(element) else {
        return Vec::new();
    };
    let is_single = element == global.ty;
    let size = u64::from(width) / 8;
    let at = Location {
        function: program.start,
        block: BlockId::new(0),
        index: 0,
    };
    let is_signed = types.is_signed(element);
    let mut list = Vec::new();
    for (n, (span, number)) in written(program, global, is_single).into_iter().enumerate() {
        let offset = n as u64 * size;
        let bits = number as u128 & (u128::MAX >> (128 - u32::from(width)));
        if bits_at(global, offset, size) != bits {
            return Vec::new();
        }
        list.push(Suspect {
            site: Site::Initial(id, offset),
            at,
            kind: SiteKind::Constant,
            span,
            ty: Ty::Int(width),
            own: Some(bits),
            is_signed,
        });
    }
    list
}

fn bits_at(global: &Global, offset: u64, size: u64) -> u128 {
    let byte = |i: u64| {
        u128::from(
            global
                .bytes
                .get((offset + i) as usize)
                .copied()
                .unwrap_or(0),
        )
    };
    (0..size).fold(0, |bits, i| bits | byte(i) << (8 * i))
}

/// The numbers of an initializer with their places; none if it is made of anything else.
fn written(program: &Program, global: &Global, is_single: bool) -> Vec<(Span, i128)> {
    let Span { source, end, .. } = global.span;
    let text = program.sources.source(source).text();
    let from = end as usize;
    let until = (from + FAR).min(text.len());
    let Some(rest) = text.get(from..until) else {
        return Vec::new();
    };
    // Sizes of the array come first.
    let Some(equals) = rest
        .find(['=', ';', ',', '('])
        .filter(|&i| rest[i..].starts_with('='))
    else {
        return Vec::new();
    };
    let mut list = Vec::new();
    let mut depth = 0;
    let mut start = equals + 1;
    for (i, c) in rest.char_indices().skip_while(|(i, _)| *i <= equals) {
        if !matches!(c, '{' | '}' | ',' | ';') {
            continue;
        }
        let piece = &rest[start..i];
        let word = piece.trim();
        if !word.is_empty() {
            let Some(number) = number(word) else {
                return Vec::new();
            };
            let first = from + start + (piece.len() - piece.trim_start().len());
            list.push((Span::new(source, first, first + word.len()), number));
        }
        start = i + 1;
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if is_single && list.len() != 1 {
                Vec::new()
            } else {
                list
            };
        }
    }
    Vec::new()
}

/// A number as C writes it, without a type.
fn number(word: &str) -> Option<i128> {
    let (sign, digits) = match word.strip_prefix('-') {
        Some(rest) => (-1, rest.trim_start()),
        None => (1, word),
    };
    let value = if let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        i128::from_str_radix(hex, 16).ok()?
    } else if digits.len() > 1 && digits.starts_with('0') {
        i128::from_str_radix(digits, 8).ok()?
    } else {
        digits.parse().ok()?
    };
    Some(sign * value)
}
