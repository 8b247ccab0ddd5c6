//! How expressions and operators are written in C.

use idiolect_cfront::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

pub fn has_effects(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Ident(_) | ExprKind::Int { .. } | ExprKind::Char { .. } => false,
        ExprKind::Unary(op, a) => {
            matches!(
                op,
                UnaryOp::PreIncrement
                    | UnaryOp::PreDecrement
                    | UnaryOp::PostIncrement
                    | UnaryOp::PostDecrement
            ) || has_effects(a)
        }
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => has_effects(a) || has_effects(b),
        ExprKind::Member { base, .. } => has_effects(base),
        ExprKind::Cast(_, a) => has_effects(a),
        _ => true,
    }
}

/// The text as an operand of any operator.
pub fn grouped(e: &Expr, text: &str) -> String {
    let is_plain = matches!(
        e.kind,
        ExprKind::Ident(_) | ExprKind::Call(..) | ExprKind::Index(..) | ExprKind::Member { .. }
    );
    if is_plain || text.starts_with('(') && text.ends_with(')') && is_one_group(text) {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

/// Whether the first parenthesis closes at the end.
pub fn is_one_group(text: &str) -> bool {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i + 1 == text.len();
        }
    }
    false
}

pub fn c_number(value: i128, is_int: bool) -> String {
    match u8::try_from(value) {
        Ok(c) if !is_int && (c.is_ascii_graphic() || c == b' ') && c != b'\'' && c != b'\\' => {
            format!("'{}'", char::from(c))
        }
        _ => value.to_string(),
    }
}

pub fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(
        op,
        Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual
    )
}

pub fn op_text(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Add => "+",
        Sub => "-",
        Mul => "*",
        Div => "/",
        Rem => "%",
        Shl => "<<",
        Shr => ">>",
        BitAnd => "&",
        BitOr => "|",
        BitXor => "^",
        Less => "<",
        LessEqual => "<=",
        Greater => ">",
        GreaterEqual => ">=",
        Equal => "==",
        NotEqual => "!=",
        And => "&&",
        Or => "||",
    }
}

/// Other operators, the likeliest first.
pub fn other_ops(op: BinaryOp) -> &'static [(&'static str, u32)] {
    use BinaryOp::*;
    match op {
        Less => &[("<=", 1), (">", 2), (">=", 2), ("!=", 2), ("==", 3)],
        LessEqual => &[("<", 1), (">=", 2), (">", 2), ("!=", 3), ("==", 3)],
        Greater => &[(">=", 1), ("<", 2), ("<=", 2), ("!=", 2), ("==", 3)],
        GreaterEqual => &[(">", 1), ("<=", 2), ("<", 2), ("!=", 3), ("==", 3)],
        Equal => &[("!=", 1), ("<=", 2), (">=", 2), ("<", 3), (">", 3)],
        NotEqual => &[("==", 1), ("<", 2), (">", 2), ("<=", 3), (">=", 3)],
        And => &[("||", 1)],
        Or => &[("&&", 1)],
        Add => &[("-", 1), ("*", 2)],
        Sub => &[("+", 1)],
        Mul => &[("+", 2), ("/", 2)],
        Div => &[("%", 2), ("*", 2), (">>", 3)],
        Rem => &[("/", 2), ("*", 3)],
        Shl => &[(">>", 1), ("*", 3)],
        Shr => &[("<<", 1)],
        BitAnd => &[("|", 1), ("^", 2)],
        BitOr => &[("&", 1), ("^", 2)],
        BitXor => &[("&", 1), ("|", 1)],
    }
}
