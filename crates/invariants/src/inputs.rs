//! All small inputs of a function: every list and array up to a length, over a few values.
//!
//! Inputs are numbered, so that many threads can take theirs without anybody holding a list.

use crate::assume::Assumption;
use crate::signature::{Length, Parameter, ParameterKind};
use std::ops::RangeInclusive;

/// An input.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Input {
    /// For each parameter.
    pub values: Vec<InputValue>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum InputValue {
    Number(i64),
    /// The cells of a list or an array, each with its data.
    Cells(Vec<Vec<i64>>),
}

impl Input {
    fn remove_cell(&mut self, parameter: usize, cell: usize) {
        if let InputValue::Cells(cells) = &mut self.values[parameter]
            && cell < cells.len()
        {
            cells.remove(cell);
        }
    }

    /// As a person writes it, with the names of the parameters: `a = [2, 1], n = 2`.
    pub fn describe(&self, parameters: &[Parameter]) -> String {
        let one = |(p, v): (&Parameter, &InputValue)| match v {
            InputValue::Number(n) => format!("{} = {n}", p.name),
            InputValue::Cells(cells) => {
                let cell = |row: &Vec<i64>| match &row[..] {
                    [only] => only.to_string(),
                    _ => format!("{row:?}"),
                };
                let cells: Vec<String> = cells.iter().map(cell).collect();
                format!("{} = [{}]", p.name, cells.join(", "))
            }
        };
        let all: Vec<String> = parameters.iter().zip(&self.values).map(one).collect();
        all.join(", ")
    }

    /// The cells of all lists and arrays.
    pub fn n_cells(&self) -> usize {
        let cells = |v: &InputValue| match v {
            InputValue::Cells(cells) => cells.len(),
            InputValue::Number(_) => 0,
        };
        self.values.iter().map(cells).sum()
    }
}

/// How many parts an input has, for given lengths.
#[derive(Clone, Debug)]
struct Shape {
    /// The length of each list and the value of each length parameter; 0 elsewhere.
    lengths: Vec<u64>,
    /// The number of the first input of this shape.
    first: u128,
}

/// All inputs up to a size.
#[derive(Clone, Debug)]
pub struct InputSpace {
    parameters: Vec<Parameter>,
    values: Vec<i64>,
    shapes: Vec<Shape>,
    /// So many elements of an array of known length take all values; the others repeat the last one,
    /// so that arrays may be sorted.
    n_free: u64,
    count: u128,
}

impl InputSpace {
    /// Lists and arrays of these lengths, data and scalars from these values.
    pub fn new(parameters: &[Parameter], lengths: RangeInclusive<u64>, values: Vec<i64>) -> Self {
        let mut space = InputSpace {
            parameters: parameters.to_vec(),
            values,
            shapes: Vec::new(),
            n_free: *lengths.end(),
            count: 0,
        };
        let mut all = vec![Vec::new()];
        for parameter in parameters {
            let choices: Vec<u64> = match parameter.kind {
                ParameterKind::List(_) | ParameterKind::Head(_) | ParameterKind::Length { .. } => {
                    lengths.clone().collect()
                }
                _ => vec![0],
            };
            // Short structures come first, so that the first inputs are the simplest.
            all = (all.into_iter())
                .flat_map(|shape: Vec<u64>| {
                    choices.iter().map(move |&n| {
                        let mut longer = shape.clone();
                        longer.push(n);
                        longer
                    })
                })
                .collect();
        }
        for shape in &mut all {
            for (i, parameter) in parameters.iter().enumerate() {
                if let ParameterKind::Total { parts: (n, m), .. } = parameter.kind {
                    shape[i] = shape[n] + shape[m];
                }
            }
        }
        all.sort_by_key(|shape| (shape.iter().sum::<u64>(), shape.clone()));
        for lengths in all {
            let first = space.count;
            let size = (space.radices(&lengths).iter())
                .fold(1u128, |product, &r| product.saturating_mul(r as u128));
            space.count = space.count.saturating_add(size);
            space.shapes.push(Shape { lengths, first });
        }
        space
    }

    /// How many inputs there are; assumptions are not considered.
    pub fn count(&self) -> u128 {
        self.count
    }

    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// For each number of an input of this shape the number of choices.
    fn radices(&self, lengths: &[u64]) -> Vec<usize> {
        let n_values = self.values.len();
        let mut radices = Vec::new();
        for (i, parameter) in self.parameters.iter().enumerate() {
            let n = match &parameter.kind {
                ParameterKind::Length { .. } | ParameterKind::Total { .. } => 0,
                ParameterKind::Scalar { .. } | ParameterKind::Cell { .. } => 1,
                ParameterKind::Index { length, .. } => {
                    radices.push(n_elements(lengths, *length) as usize + 1);
                    0
                }
                ParameterKind::Array { element, length } => {
                    self.n_drawn(lengths, *length) as usize * element.fields.len()
                }
                ParameterKind::List(shape) | ParameterKind::Head(shape) => {
                    lengths[i] as usize * shape.fields.len()
                }
            };
            radices.extend(std::iter::repeat_n(n_values, n));
        }
        radices
    }

    /// How many elements of an array take values of their own.
    fn n_drawn(&self, lengths: &[u64], length: Length) -> u64 {
        match length {
            // What is filled from others is mostly not read before.
            Length::Parameter(p)
                if matches!(self.parameters[p].kind, ParameterKind::Total { .. }) =>
            {
                n_elements(lengths, length).min(1)
            }
            Length::Parameter(_) => n_elements(lengths, length),
            Length::Known(n) => n.min(self.n_free),
        }
    }

    /// The input of this number, which is below [`count`](Self::count).
    pub fn nth(&self, number: u128) -> Input {
        let shape = self.shapes.partition_point(|s| s.first <= number) - 1;
        let Shape { lengths, first } = &self.shapes[shape];
        let mut rest = number - first;
        let mut digits: Vec<usize> = (self.radices(lengths).iter().rev())
            .map(|&radix| {
                let digit = (rest % radix.max(1) as u128) as usize;
                rest /= radix.max(1) as u128;
                digit
            })
            .collect();
        // The first number of an input is its most significant digit, the last one that was made.
        let mut next = || digits.pop().unwrap_or(0);
        let values = (self.parameters.iter().zip(lengths))
            .map(|(parameter, &own)| match &parameter.kind {
                ParameterKind::Length { .. } | ParameterKind::Total { .. } => {
                    InputValue::Number(own as i64)
                }
                ParameterKind::Scalar { .. } => InputValue::Number(self.values[next()]),
                ParameterKind::Cell { .. } => InputValue::Cells(vec![vec![self.values[next()]]]),
                ParameterKind::Index { .. } => InputValue::Number(next() as i64),
                ParameterKind::Array { element, length } => {
                    let mut row = || element.fields.iter().map(|_| self.values[next()]).collect();
                    let drawn = 0..self.n_drawn(lengths, *length);
                    let mut cells: Vec<Vec<i64>> = drawn.map(|_| row()).collect();
                    let first = || vec![self.values.first().copied().unwrap_or(0)];
                    let last = cells.last().cloned();
                    let last = last.unwrap_or_else(|| first().repeat(element.fields.len()));
                    cells.resize(n_elements(lengths, *length) as usize, last);
                    InputValue::Cells(cells)
                }
                ParameterKind::List(shape) | ParameterKind::Head(shape) => InputValue::Cells(
                    (0..own)
                        .map(|_| shape.fields.iter().map(|_| self.values[next()]).collect())
                        .collect(),
                ),
            })
            .collect();
        Input { values }
    }

    /// What the builder's function draws, in its order.
    pub fn draws(&self, input: &Input) -> Vec<u128> {
        let mut draws = Vec::new();
        let bits = |value: i64| value as i128 as u128;
        for (parameter, value) in self.parameters.iter().zip(&input.values) {
            if let (ParameterKind::Length { .. }, InputValue::Number(n)) = (&parameter.kind, value)
            {
                draws.push(bits(*n));
            }
        }
        for (parameter, value) in self.parameters.iter().zip(&input.values) {
            match (&parameter.kind, value) {
                (ParameterKind::Length { .. } | ParameterKind::Total { .. }, _) => {}
                (_, InputValue::Number(n)) => draws.push(bits(*n)),
                (ParameterKind::List(_) | ParameterKind::Head(_), InputValue::Cells(cells)) => {
                    draws.push(cells.len() as u128);
                    draws.extend(cells.iter().rev().flatten().map(|&v| bits(v)));
                }
                (_, InputValue::Cells(cells)) => {
                    draws.extend(cells.iter().flatten().map(|&v| bits(v)));
                }
            }
        }
        draws
    }

    /// The inputs with one cell less: of a list, or of all arrays of one length.
    pub fn smaller(&self, input: &Input) -> Vec<Input> {
        let mut all = Vec::new();
        for (i, parameter) in self.parameters.iter().enumerate() {
            match (&parameter.kind, &input.values[i]) {
                (ParameterKind::List(_) | ParameterKind::Head(_), InputValue::Cells(cells)) => {
                    for cell in 0..cells.len() {
                        let mut less = input.clone();
                        less.remove_cell(i, cell);
                        all.push(less);
                    }
                }
                (ParameterKind::Length { .. }, &InputValue::Number(n)) => {
                    for cell in 0..usize::try_from(n).unwrap_or(0) {
                        let mut less = input.clone();
                        less.values[i] = InputValue::Number(n - 1);
                        for (j, other) in self.parameters.iter().enumerate() {
                            match (&other.kind, &mut less.values[j]) {
                                (ParameterKind::Array { length, .. }, _)
                                    if *length == Length::Parameter(i) =>
                                {
                                    less.remove_cell(j, cell);
                                }
                                (
                                    ParameterKind::Array {
                                        length: Length::Parameter(p),
                                        ..
                                    },
                                    InputValue::Cells(cells),
                                ) if self.is_part(i, *p) => {
                                    cells.pop();
                                }
                                (ParameterKind::Total { .. }, InputValue::Number(total))
                                    if self.is_part(i, j) =>
                                {
                                    *total -= 1;
                                }
                                (
                                    ParameterKind::Index { length, .. },
                                    InputValue::Number(index),
                                ) if *length == Length::Parameter(i) => {
                                    // The index of the same element, or of the one behind it.
                                    *index -= i64::from(*index > cell as i64);
                                }
                                _ => {}
                            }
                        }
                        all.push(less);
                    }
                }
                _ => {}
            }
        }
        all
    }

    /// Whether one parameter is a part of the sum that another one is.
    fn is_part(&self, part: usize, total: usize) -> bool {
        match self.parameters[total].kind {
            ParameterKind::Total { parts: (n, m), .. } => n == part || m == part,
            _ => false,
        }
    }

    /// Whether an input satisfies all assumptions.
    pub fn is_assumed(&self, input: &Input, assumptions: &[Assumption]) -> bool {
        assumptions.iter().all(|a| a.holds(input))
    }
}

/// How many inputs there are up to a size, without making any; `u128::MAX` for more than that.
///
/// Lists and scalars are independent of each other, and so are groups of arrays with one length.
pub fn count(parameters: &[Parameter], lengths: RangeInclusive<u64>, n_values: usize) -> u128 {
    let power = |n: u64| {
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        (n_values as u128).saturating_pow(n)
    };
    let sum =
        |f: &dyn Fn(u64) -> u128| (lengths.clone()).fold(0u128, |s, n| s.saturating_add(f(n)));
    // What an array or a position contributes, if its length is this one.
    let depends = |parameter: &Parameter, wanted: Length, n: u64, free: u64| match &parameter.kind {
        ParameterKind::Array { element, length } if *length == wanted => {
            power(free.saturating_mul(element.fields.len() as u64))
        }
        ParameterKind::Index { length, .. } if *length == wanted => u128::from(n) + 1,
        _ => 1,
    };
    let mut total = 1u128;
    for (i, parameter) in parameters.iter().enumerate() {
        let choices = match &parameter.kind {
            ParameterKind::Scalar { .. } | ParameterKind::Cell { .. } => n_values as u128,
            ParameterKind::List(shape) | ParameterKind::Head(shape) => {
                let n_fields = shape.fields.len() as u64;
                sum(&|n| power(n.saturating_mul(n_fields)))
            }
            ParameterKind::Length { .. } => sum(&|n| {
                let of = |p| depends(p, Length::Parameter(i), n, n);
                parameters.iter().map(of).fold(1, u128::saturating_mul)
            }),
            ParameterKind::Total { .. } => 1,
            ParameterKind::Array { length, .. } | ParameterKind::Index { length, .. } => {
                match *length {
                    Length::Known(n) => depends(parameter, *length, n, n.min(*lengths.end())),
                    Length::Parameter(p) => match parameters[p].kind {
                        ParameterKind::Total { .. } => n_values as u128,
                        _ => 1,
                    },
                }
            }
        };
        total = total.saturating_mul(choices);
    }
    total
}

/// A number of inputs to be read: the exact one, as long as anybody would read it.
pub fn estimate_text(count: u128) -> String {
    const MOST: u128 = 1_000_000_000_000_000_000;
    if count <= MOST {
        count.to_string()
    } else {
        "more than 10^18".to_owned()
    }
}

/// The number of elements of an array in an input of this shape.
fn n_elements(lengths: &[u64], length: Length) -> u64 {
    match length {
        Length::Parameter(p) => lengths[p],
        Length::Known(n) => n,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::Site;
    use idiolect_ir::{LocalId, Ty, TypeId};
    use idiolect_quantified::linear::Element;
    use idiolect_quantified::point::DataField;

    fn parameter(name: &str, kind: ParameterKind) -> Parameter {
        Parameter {
            site: Site::Local(LocalId::new(0)),
            name: name.to_owned(),
            ty: TypeId::new(0),
            kind,
        }
    }

    fn array(members: &[&str], length: Length) -> ParameterKind {
        let field = |(i, member): (usize, &&str)| DataField {
            name: String::new(),
            offset: 4 * i as u64,
            ty: Ty::Int(32),
            signed: true,
            stride: 4 * members.len() as u64,
            member: Some((*member).to_owned()),
        };
        ParameterKind::Array {
            element: Element {
                size: 4 * members.len() as u64,
                fields: members.iter().enumerate().map(field).collect(),
            },
            length,
        }
    }

    fn array_and_key() -> InputSpace {
        let ty = Ty::Int(32);
        let array = array(&["value"], Length::Parameter(1));
        InputSpace::new(
            &[
                parameter("a", array),
                parameter("n", ParameterKind::Length { ty }),
                parameter("k", ParameterKind::Scalar { ty, signed: true }),
            ],
            0..=3,
            vec![0, 1, 2],
        )
    }

    #[test]
    fn smaller_inputs_have_one_element_less_and_say_so() {
        let space = array_and_key();
        let input = |data: &[i64]| Input {
            values: vec![
                InputValue::Cells(data.iter().map(|&d| vec![d]).collect()),
                InputValue::Number(data.len() as i64),
                InputValue::Number(7),
            ],
        };
        let expected = [input(&[2, 3]), input(&[1, 3]), input(&[1, 2])];
        assert_eq!(space.smaller(&input(&[1, 2, 3])), expected);
        assert_eq!(space.smaller(&input(&[])), []);
    }

    #[test]
    fn arrays_of_known_length_vary_where_there_is_room_for_it() {
        let parameters = [
            parameter("a", array(&["x", "y"], Length::Known(4))),
            parameter(
                "i",
                ParameterKind::Index {
                    ty: Ty::Int(32),
                    length: Length::Known(4),
                },
            ),
        ];
        let space = InputSpace::new(&parameters, 0..=1, vec![0, 1]);
        assert_eq!(space.count(), 4 * 5);
        // The one drawn element, repeated, and the last position.
        let draws = space.draws(&space.nth(14));
        assert_eq!(draws, [1, 0, 1, 0, 1, 0, 1, 0, 4]);
        let none = InputSpace::new(&parameters, 0..=0, vec![7]);
        assert_eq!(none.draws(&none.nth(1)), [7, 7, 7, 7, 7, 7, 7, 7, 1]);
    }

    /// Counted without making them, and by making them.
    #[test]
    fn the_estimate_is_exact() {
        let ty = Ty::Int(32);
        let list = idiolect_quantified::point::ListShape {
            record: idiolect_ir::ctype::RecordId::new(0),
            type_name: "struct node".to_owned(),
            next: "next".to_owned(),
            next_offset: 8,
            back: None,
            fields: match array(&["key", "value"], Length::Known(0)) {
                ParameterKind::Array { element, .. } => element.fields,
                _ => Vec::new(),
            },
        };
        let index = |length| ParameterKind::Index { ty, length };
        let kinds = [
            array(&["a"], Length::Parameter(2)),
            array(&["b"], Length::Parameter(2)),
            ParameterKind::Length { ty },
            index(Length::Parameter(2)),
            ParameterKind::List(list.clone()),
            ParameterKind::Head(list),
            ParameterKind::Scalar { ty, signed: true },
            array(&["c"], Length::Known(3)),
            index(Length::Known(3)),
        ];
        for n in 0..=kinds.len() {
            // Arrays come before what is their length.
            if (1..3).contains(&n) {
                continue;
            }
            let parameters: Vec<Parameter> = kinds[..n]
                .iter()
                .map(|k| parameter("p", k.clone()))
                .collect();
            let space = InputSpace::new(&parameters, 0..=2, vec![0, 1]);
            assert_eq!(count(&parameters, 0..=2, 2), space.count(), "{n}");
        }
        let lists: Vec<Parameter> = vec![parameter("l", kinds[4].clone()); 9];
        assert_eq!(count(&lists, 0..=64, 64), u128::MAX);
        assert_eq!(estimate_text(u128::MAX), "more than 10^18");
        assert_eq!(estimate_text(435_848_050), "435848050");
    }

    #[test]
    fn every_input_comes_once() {
        let space = array_and_key();
        assert_eq!(space.count(), (1 + 3 + 9 + 27) * 3);
        let mut all: Vec<Vec<u128>> = (0..space.count())
            .map(|i| space.draws(&space.nth(i)))
            .collect();
        assert_eq!(all[0], [0, 0]);
        assert_eq!(all.last().map(Vec::as_slice), Some(&[3, 2, 2, 2, 2][..]));
        all.sort();
        all.dedup();
        assert_eq!(all.len() as u128, space.count());
    }
}
