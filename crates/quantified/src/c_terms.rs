//! What ACSL and C write alike: terms, relations between cells, comparisons of data.

use crate::formula::{Arrangement, Comparison, Conclusion, Constraint, DataTerm, Relation, Term};
use crate::point::{ArraySize, ListShape, Point, Role, Structure, Variable};
use crate::show;

/// The words in which the two differ.
pub struct Dialect {
    pub truth: &'static str,
    pub falsity: &'static str,
    pub null: &'static str,
    pub name: fn(&Variable) -> String,
    /// What tells whether a cell of this list is reached from another one.
    pub reaches: fn(&ListShape) -> String,
    /// That two lists have no cell in common.
    pub apart: fn(&ListShape, &str, &str) -> String,
}

/// A part of names for a record type: `node` for `struct node`.
pub fn tag(type_name: &str) -> String {
    let tag = type_name.rsplit(' ').next().unwrap_or("cell");
    let is_part = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
    tag.chars().filter(is_part).collect()
}

impl Dialect {
    pub fn all_of(&self, parts: Vec<String>) -> String {
        if parts.is_empty() {
            self.truth.to_owned()
        } else {
            parts.join(" && ")
        }
    }

    pub fn arrangement(&self, point: &Point, arrangement: &Arrangement) -> String {
        let constraints = arrangement.constraints.iter();
        let constraints = constraints.map(|&c| self.constraint(point, &[], c));
        let comparisons = arrangement.comparisons.iter();
        let comparisons = comparisons.map(|c| self.comparison(point, c));
        self.all_of(constraints.chain(comparisons).collect())
    }

    pub fn conclusion(&self, point: &Point, conclusion: &Conclusion) -> String {
        match conclusion {
            Conclusion::False => self.falsity.to_owned(),
            Conclusion::All(list) => {
                self.all_of(list.iter().map(|c| self.comparison(point, c)).collect())
            }
        }
    }

    /// `over` has the structures of quantified variables.
    pub fn constraint(&self, point: &Point, over: &[usize], c: Constraint) -> String {
        let structure = |t: Term| match t {
            Term::Quantified(y) => over.get(y).copied(),
            Term::Variable(v) => point.structure_of(v),
            Term::Size(s) => Some(s),
            Term::Nil | Term::Zero | Term::Linear(_) => None,
        };
        let (left, right) = (self.term(point, c.left), self.term(point, c.right));
        let structure = structure(c.left).or_else(|| structure(c.right));
        let list = match structure.map(|s| &point.structures[s]) {
            Some(Structure::List(list)) => list,
            _ => {
                return match c.relation {
                    Relation::Same => format!("{left} == {right}"),
                    Relation::Next => format!("{left} + 1 == {right}"),
                    Relation::AtMost => format!("{left} <= {right}"),
                    Relation::Parent => format!("(0 < {right} && {left} == ({right} - 1) / 2)"),
                    _ => format!("{left} < {right}"),
                };
            }
        };
        let (reaches, next, null) = ((self.reaches)(list), &list.next, self.null);
        match c.relation {
            Relation::Next => format!("({left} != {null} && {left}->{next} == {right})"),
            Relation::Reaches => format!("{reaches}({left}, {right})"),
            Relation::ReachesStrictly if c.right == Term::Nil => format!("{left} != {null}"),
            Relation::ReachesStrictly => {
                format!("({left} != {null} && {reaches}({left}->{next}, {right}))")
            }
            Relation::Apart => (self.apart)(list, &left, &right),
            // Cells have no other order.
            Relation::Same | Relation::Less | Relation::AtMost | Relation::Parent => {
                format!("{left} == {right}")
            }
        }
    }

    pub fn term(&self, point: &Point, term: Term) -> String {
        match term {
            Term::Nil => self.null.to_owned(),
            Term::Variable(v) => (self.name)(&point.variables[v]),
            Term::Size(structure) => match &point.structures[structure] {
                Structure::Array(array) => match array.size {
                    ArraySize::Variable(v) => (self.name)(&point.variables[v]),
                    ArraySize::Constant(n) => n.to_string(),
                },
                Structure::List(_) => "0".to_owned(),
            },
            Term::Quantified(_) | Term::Zero => show::term(point, term),
            Term::Linear(linear) => linear.text(|t| self.term(point, t)),
        }
    }

    fn data(&self, point: &Point, data: DataTerm) -> String {
        let (structure, cell, field) = match data {
            DataTerm::Constant(value) => return value.to_string(),
            DataTerm::Variable(v) => return (self.name)(&point.variables[v]),
            DataTerm::Sum(sum) => return sum.text(|v| (self.name)(&point.variables[v])),
            DataTerm::Linear(linear) => {
                let text = linear.text(|t| self.term(point, t));
                return if linear.wraps {
                    format!("(int)({text})")
                } else {
                    text
                };
            }
            DataTerm::At {
                structure,
                cell,
                field,
            } => (structure, cell, field),
        };
        let cell = self.term(point, cell);
        match &point.structures[structure] {
            Structure::List(list) => format!("{cell}->{}", list.fields[field].name),
            Structure::Array(array) => {
                let is_base = |v: &&Variable| match v.role {
                    Role::Base {
                        structure: s,
                        field: first,
                    } => s == structure && array.fields_of(first).contains(&field),
                    _ => false,
                };
                let base = point.variables.iter().find(is_base);
                let base = base.map_or_else(|| array.fields[field].name.clone(), self.name);
                array.fields[field].element(&base, &cell)
            }
        }
    }

    fn comparison(&self, point: &Point, c: &Comparison) -> String {
        let c = c.upright();
        let (left, right) = (self.data(point, c.left), self.data(point, c.right));
        match c.orders.operator() {
            Some(operator) => format!("{left} {operator} {right}"),
            None if c.orders.0 == 0 => self.falsity.to_owned(),
            None => self.truth.to_owned(),
        }
    }
}
