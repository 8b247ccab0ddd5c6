//! Assumptions about inputs: `sorted(a, n)`, `sorted(head)`, `nonempty(head)`, `lo <= hi`.

use crate::inputs::{Input, InputValue};
use crate::signature::{Length, Parameter, ParameterKind};
use idiolect_quantified::formula::Orders;

/// What is assumed of every input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Assumption {
    /// Neighbours of a list or an array (by position of the parameter) are ordered so, by the data
    /// of this field.
    Neighbours {
        parameter: usize,
        field: usize,
        orders: Orders,
    },
    /// No two cells have the same data.
    Distinct {
        parameter: usize,
        field: usize,
    },
    NonEmpty {
        parameter: usize,
    },
    /// The last element is 0, and no other one.
    Text {
        parameter: usize,
    },
    Compare {
        left: Operand,
        orders: Orders,
        right: Operand,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    Parameter(usize),
    Constant(i64),
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AssumeError {
    #[error("`{text}` is no assumption that can be made")]
    Syntax { text: String },
    #[error("there is no parameter `{name}`")]
    Unknown { name: String },
    #[error("`{name}` is neither a list nor an array")]
    NoCells { name: String },
    #[error("`{name}` is no integer parameter")]
    NoNumber { name: String },
    #[error("the cells of `{name}` have no data `{field}`")]
    NoField { name: String, field: String },
}

impl Assumption {
    /// What may be written, for messages.
    pub const FORMS: &'static str = "sorted(a, n), sorted(a.member, n), sorted(head), \
        sorted(head, field), descending(…), strict(…), distinct(…), nonempty(head), lo <= hi";

    pub fn parse(text: &str, parameters: &[Parameter]) -> Result<Self, AssumeError> {
        let syntax = || AssumeError::Syntax {
            text: text.trim().to_owned(),
        };
        let find = |name: &str| {
            let found = parameters.iter().position(|p| p.name == name);
            found.ok_or_else(|| AssumeError::Unknown {
                name: name.to_owned(),
            })
        };
        if let Some((name, rest)) = text.trim().split_once('(') {
            let inside = rest.strip_suffix(')').ok_or_else(syntax)?;
            let mut names = inside.split(',').map(str::trim);
            // `sorted(a.key, n)` of an array of records; `sorted(*head)` where `head` points to a list.
            let first = names.next().unwrap_or_default().trim_start_matches('*');
            let (first, member) = match first.split_once('.') {
                Some((array, member)) => (array, Some(member)),
                None => (first, None),
            };
            let no_field = |field: &str| AssumeError::NoField {
                name: first.to_owned(),
                field: field.to_owned(),
            };
            let parameter = find(first)?;
            let field = match (&parameters[parameter].kind, names.next()) {
                (ParameterKind::Array { element, .. }, _) => match member {
                    None => 0,
                    Some(member) => (element.fields.iter())
                        .position(|f| f.member.as_deref() == Some(member))
                        .ok_or_else(|| no_field(member))?,
                },
                (ParameterKind::List(_) | ParameterKind::Head(_), None) => 0,
                (ParameterKind::List(shape) | ParameterKind::Head(shape), Some(field)) => {
                    (shape.fields.iter())
                        .position(|f| f.name == field)
                        .ok_or_else(|| no_field(field))?
                }
                _ => {
                    return Err(AssumeError::NoCells {
                        name: first.to_owned(),
                    });
                }
            };
            let neighbours = |orders| Assumption::Neighbours {
                parameter,
                field,
                orders,
            };
            return match name.trim() {
                "sorted" | "ascending" => Ok(neighbours(Orders::AT_MOST)),
                "strict" => Ok(neighbours(Orders::LESS)),
                "descending" => Ok(neighbours(Orders::AT_LEAST)),
                "distinct" => Ok(Assumption::Distinct { parameter, field }),
                "nonempty" => Ok(Assumption::NonEmpty { parameter }),
                _ => Err(syntax()),
            };
        }
        // Longer signs first: `<=` contains `<`.
        const SIGNS: [(&str, Orders); 6] = [
            ("<=", Orders::AT_MOST),
            (">=", Orders::AT_LEAST),
            ("!=", Orders::UNEQUAL),
            ("==", Orders::EQUAL),
            ("<", Orders::LESS),
            (">", Orders::GREATER),
        ];
        let (left, orders, right) = SIGNS
            .iter()
            .find_map(|&(sign, orders)| {
                let (left, right) = text.split_once(sign)?;
                Some((left.trim(), orders, right.trim()))
            })
            .ok_or_else(syntax)?;
        let operand = |name: &str| match name.parse() {
            Ok(value) => Ok(Operand::Constant(value)),
            Err(_) => {
                let parameter = find(name)?;
                match parameters[parameter].kind {
                    ParameterKind::Scalar { .. }
                    | ParameterKind::Length { .. }
                    | ParameterKind::Index { .. } => Ok(Operand::Parameter(parameter)),
                    _ => Err(AssumeError::NoNumber {
                        name: name.to_owned(),
                    }),
                }
            }
        };
        Ok(Assumption::Compare {
            left: operand(left)?,
            orders,
            right: operand(right)?,
        })
    }

    /// What these texts say, and what the shapes of parameters ask for.
    pub fn all(texts: &[String], parameters: &[Parameter]) -> Result<Vec<Self>, AssumeError> {
        let mut all = Vec::new();
        for text in texts {
            all.push(Self::parse(text, parameters)?);
        }
        for (parameter, p) in parameters.iter().enumerate() {
            if let ParameterKind::Array {
                length: Length::Parameter(n),
                ..
            } = p.kind
                && parameters[n].name == format!("size({})", p.name)
            {
                all.push(Assumption::Text { parameter });
            }
        }
        Ok(all)
    }

    pub fn holds(&self, input: &Input) -> bool {
        let cells = |parameter: usize| match &input.values[parameter] {
            InputValue::Cells(cells) => cells.as_slice(),
            InputValue::Number(_) => &[],
        };
        match *self {
            Assumption::Neighbours {
                parameter,
                field,
                orders,
            } => (cells(parameter).windows(2)).all(|w| orders.allows(w[0][field], w[1][field])),
            Assumption::Distinct { parameter, field } => {
                let cells = cells(parameter);
                (0..cells.len()).all(|i| (0..i).all(|j| cells[i][field] != cells[j][field]))
            }
            Assumption::Text { parameter } => match cells(parameter).split_last() {
                Some((last, rest)) => last == &[0] && rest.iter().all(|row| row != &[0]),
                None => false,
            },
            Assumption::NonEmpty { parameter } => match &input.values[parameter] {
                InputValue::Cells(cells) => !cells.is_empty(),
                InputValue::Number(n) => *n != 0,
            },
            Assumption::Compare {
                left,
                orders,
                right,
            } => match (number(left, input), number(right, input)) {
                (Some(left), Some(right)) => orders.allows(left, right),
                _ => false,
            },
        }
    }
}

fn number(operand: Operand, input: &Input) -> Option<i64> {
    match operand {
        Operand::Constant(value) => Some(value),
        Operand::Parameter(p) => match input.values[p] {
            InputValue::Number(n) => Some(n),
            InputValue::Cells(_) => None,
        },
    }
}
