//! What inputs may have to be for a program to go elsewhere: the constants that it compares with, the
//! neighbours of those, and the texts that it has.

use idiolect_base::Rng;
use idiolect_interp::InputOrigin;
use idiolect_ir::{BinaryOp, ExprKind, FunctionOrigin, InputKind, Program, Ty};
use std::collections::BTreeSet;

/// Longer texts are seldom words of a language.
const MAX_TEXT: usize = 24;
/// More would make each of them rare.
const MAX_VALUES: usize = 2_000;

/// Constants and texts of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Dictionary {
    /// Numbers below 256, for bytes.
    bytes: Vec<u128>,
    /// All of them.
    values: Vec<u128>,
    /// Zero-terminated texts without their end.
    texts: Vec<Vec<u8>>,
    /// By input site.
    classes: Vec<Class>,
}

/// What values of an input are good for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    /// It is a byte, whatever its type.
    Byte,
    /// It is better left to chance.
    Other,
    Value,
}

fn class(kind: &InputKind) -> Class {
    match kind {
        InputKind::Stdin | InputKind::ArgumentByte { .. } | InputKind::VariableByte { .. } => {
            Class::Byte
        }
        InputKind::Effect(_) | InputKind::ArgumentCount | InputKind::Variable(_) => Class::Other,
        _ => Class::Value,
    }
}

impl Dictionary {
    pub(super) fn new(program: &Program) -> Self {
        let mut values = BTreeSet::new();
        for function in &program.functions {
            if function.origin == FunctionOrigin::Library {
                continue;
            }
            for expr in &function.exprs {
                let (sides, is_order) = match expr.kind {
                    ExprKind::Binary(op, a, b) => ([a, b], is_order(op)),
                    ExprKind::Select {
                        then, otherwise, ..
                    } => ([then, otherwise], false),
                    _ => continue,
                };
                for side in sides {
                    let side = function.expr(side);
                    let (ExprKind::Const(value), Ty::Int(_)) = (&side.kind, side.ty) else {
                        continue;
                    };
                    values.insert(*value);
                    if is_order {
                        values.insert(value.wrapping_add(1));
                        values.insert(value.wrapping_sub(1));
                    }
                }
            }
        }
        let mut texts = BTreeSet::new();
        for global in program.globals.iter().filter(|g| !g.is_library) {
            let end = global.bytes.iter().position(|&b| b == 0);
            let text = &global.bytes[..end.unwrap_or(global.bytes.len())];
            let is_text = (1..=MAX_TEXT).contains(&text.len())
                && text
                    .iter()
                    .all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace());
            if is_text && global.relocations.is_empty() {
                values.extend(text.iter().map(|&b| u128::from(b)));
                texts.insert(text.to_vec());
            }
        }
        let values: Vec<u128> = values.into_iter().take(MAX_VALUES).collect();
        Self {
            bytes: values.iter().filter_map(|&v| as_byte(v)).collect(),
            values,
            texts: texts.into_iter().filter(|t| t.len() > 1).collect(),
            classes: program.inputs.iter().map(|i| class(&i.kind)).collect(),
        }
    }

    /// A value for such an input, if there is one.
    pub(super) fn value(&self, origin: InputOrigin, ty: Ty, rng: &mut Rng) -> Option<u128> {
        let class = match origin {
            InputOrigin::Site(id) => self.classes[id.index()],
            InputOrigin::Unwritten(_) => Class::Value,
        };
        let from = match (ty, class) {
            (_, Class::Other) => return None,
            (Ty::Int(..=8), _) | (_, Class::Byte) => &self.bytes,
            (Ty::Int(_), _) => &self.values,
            _ => return None,
        };
        let n = from.len() as u64;
        (n > 0).then(|| from[rng.below(n) as usize])
    }

    /// A text, as values of consecutive inputs.
    pub(super) fn text(&self, rng: &mut Rng) -> Option<&[u8]> {
        let n = self.texts.len() as u64;
        (n > 0).then(|| self.texts[rng.below(n) as usize].as_slice())
    }
}

/// The byte that compares equal to a number, signed or not.
fn as_byte(value: u128) -> Option<u128> {
    let is_small = value < 256 || (0xffff_ff80..=0xffff_ffff).contains(&value);
    is_small.then_some(value & 255)
}

fn is_order(op: BinaryOp) -> bool {
    use BinaryOp::{SLe, SLt, ULe, ULt};
    matches!(op, SLe | SLt | ULe | ULt)
}
