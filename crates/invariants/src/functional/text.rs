//! Facts as mathematics, ACSL and C.

use super::{Fact, FactKind, Summand, Unless};
use crate::acsl;
use crate::c_check::identifier;
use crate::formula::Orders;
use crate::show;

impl Fact {
    /// A name for the place that is spoken of, which no variable has.
    fn bound(&self) -> &'static str {
        let mut used: Vec<&str> = Vec::new();
        match &self.kind {
            FactKind::Permutation { .. } => {}
            FactKind::Exists {
                array,
                size,
                value,
                unless,
            } => {
                used.extend([array.as_str(), size, value]);
                if let Some(Unless::Zero(v)) = unless {
                    used.push(v);
                }
            }
            FactKind::Total {
                array,
                to,
                value,
                summand,
                ..
            } => {
                used.extend([array.as_str(), to, value]);
                if let Summand::If { other, .. } = summand {
                    used.push(other);
                }
            }
        }
        let names = ["y", "z", "u", "w", "y_1", "y_2", "y_3"];
        let is_free = |name: &&str| !used.contains(name);
        names.into_iter().find(is_free).unwrap_or("y_4")
    }

    /// As mathematics.
    pub fn text(&self) -> String {
        let y = self.bound();
        let text = match &self.kind {
            FactKind::Permutation { array, size, .. } => {
                format!("{array}[0..{size}) is a permutation of old({array}[0..{size}))")
            }
            FactKind::Exists {
                array,
                size,
                value,
                unless,
            } => {
                let exists = format!("∃ {y}. 0 ≤ {y} < {size} ∧ {array}[{y}] = {value}");
                match unless {
                    None => exists,
                    Some(Unless::Empty) => format!("0 < {size} ⇒ {exists}"),
                    Some(Unless::Zero(v)) => format!("{v} ≠ 0 ⇒ {exists}"),
                }
            }
            FactKind::Total {
                array,
                to,
                value,
                summand,
                wraps,
                ..
            } => match summand {
                Summand::Element => {
                    let modulo = match wraps {
                        Some((bits, _)) => format!(" (mod 2^{bits})"),
                        None => String::new(),
                    };
                    format!("{value} = Σ {{ {array}[{y}] | 0 ≤ {y} < {to} }}{modulo}")
                }
                Summand::If { orders, other } => {
                    let sign = orders.symbol().unwrap_or("=");
                    format!("{value} = #{{ {y} | 0 ≤ {y} < {to} ∧ {array}[{y}] {sign} {other} }}")
                }
            },
        };
        show::readable(&text)
    }

    /// What it says, for a table.
    pub fn name(&self) -> &'static str {
        match &self.kind {
            FactKind::Permutation { .. } => "permutation",
            FactKind::Exists { .. } => "existence",
            FactKind::Total { summand, .. } => match summand {
                Summand::Element => "sum",
                Summand::If { .. } => "count",
            },
        }
    }

    /// As ACSL, which has no sum that wraps and no multisets of its own.
    pub fn acsl(&self) -> Option<String> {
        self.acsl_text().map(|text| acsl::words(&text))
    }

    fn acsl_text(&self) -> Option<String> {
        let y = self.bound();
        match &self.kind {
            FactKind::Permutation { .. } => None,
            FactKind::Exists {
                array,
                size,
                value,
                unless,
            } => {
                let exists =
                    format!("\\exists integer {y}; 0 <= {y} < {size} && {array}[{y}] == {value}");
                Some(match unless {
                    None => exists,
                    Some(Unless::Empty) => format!("0 < {size} ==> {exists}"),
                    Some(Unless::Zero(v)) => format!("{v} != 0 ==> {exists}"),
                })
            }
            FactKind::Total {
                array,
                to,
                value,
                summand,
                wraps,
                ..
            } => {
                let call = match summand {
                    Summand::Element => format!("{}({array}, {to})", self.logic_name()?),
                    Summand::If { other, .. } => {
                        format!("{}({array}, {to}, {other})", self.logic_name()?)
                    }
                };
                // Provers of integers do not get far with sums that wrap.
                wraps.is_none().then(|| format!("{value} == {call}"))
            }
        }
    }

    /// The name of the logic function that ACSL needs.
    fn logic_name(&self) -> Option<String> {
        let FactKind::Total {
            summand, element, ..
        } = &self.kind
        else {
            return None;
        };
        let tag: String = (element.chars())
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        Some(match summand {
            Summand::Element => format!("idiolect_sum_{tag}"),
            Summand::If { orders, .. } => {
                let what = match *orders {
                    Orders::EQUAL => "eq",
                    Orders::UNEQUAL => "ne",
                    Orders::LESS => "lt",
                    Orders::AT_MOST => "le",
                    Orders::GREATER => "gt",
                    Orders::AT_LEAST => "ge",
                    _ => return None,
                };
                format!("idiolect_count_{what}_{tag}")
            }
        })
    }

    /// The definition of that function.
    pub fn acsl_definition(&self) -> Option<String> {
        let FactKind::Total {
            summand, element, ..
        } = &self.kind
        else {
            return None;
        };
        let name = self.logic_name()?;
        Some(match summand {
            Summand::Element => format!(
                "/*@ logic integer {name}{{L}}({element} *a, integer n) =\n  \
                   @   n <= 0 ? 0 : {name}(a, n - 1) + a[n - 1];\n  @*/\n"
            ),
            Summand::If { orders, .. } => format!(
                "/*@ logic integer {name}{{L}}({element} *a, integer n, integer x) =\n  \
                   @   n <= 0 ? 0 : {name}(a, n - 1, x) + (a[n - 1] {} x ? 1 : 0);\n  @*/\n",
                orders.operator()?
            ),
        })
    }

    /// Statements of C that return 0 if it does not hold; permutations have a function of their own.
    pub fn c_check(&self) -> Option<String> {
        let c = |name: &str| c_name(name);
        match &self.kind {
            FactKind::Permutation { .. } => None,
            FactKind::Exists {
                array,
                size,
                value,
                unless,
            } => {
                let unless = match unless {
                    None => String::new(),
                    Some(Unless::Empty) => format!("{} > 0 && ", c(size)),
                    Some(Unless::Zero(v)) => format!("{} != 0 && ", c(v)),
                };
                Some(format!(
                    "    {{\n        long idiolect_y = 0;\n        \
                     while (idiolect_y < {size} && {array}[idiolect_y] != {value})\n            idiolect_y++;\n        \
                     if ({unless}idiolect_y >= {size})\n            return 0;\n    }}\n",
                    size = c(size),
                    array = c(array),
                    value = c(value)
                ))
            }
            FactKind::Total {
                array,
                to,
                value,
                summand,
                wraps,
                ..
            } => {
                let (array, to, value) = (c(array), c(to), c(value));
                let add = match summand {
                    Summand::Element => format!("{array}[idiolect_y]"),
                    Summand::If { orders, other } => {
                        format!("{array}[idiolect_y] {} {}", orders.operator()?, c(other))
                    }
                };
                let cast = wraps
                    .as_ref()
                    .map_or(String::new(), |(_, ty)| format!("({ty})"));
                Some(format!(
                    "    {{\n        unsigned long long idiolect_sum = 0;\n        \
                     for (long idiolect_y = 0; idiolect_y < {to}; idiolect_y++)\n            \
                     idiolect_sum += (unsigned long long)({add});\n        \
                     if ({value} != {cast}idiolect_sum)\n            return 0;\n    }}\n"
                ))
            }
        }
    }

    /// A C function that compares an array with what it was.
    pub fn c_function(&self, name: &str) -> Option<String> {
        let FactKind::Permutation {
            size: _, element, ..
        } = &self.kind
        else {
            return None;
        };
        Some(format!(
            "static int {name}_permutation(const {element} *now, const {element} *before, long n)\n{{\n    \
             for (long y = 0; y < n; y++) {{\n        long difference = 0;\n        \
             for (long z = 0; z < n; z++)\n            \
             difference += (now[z] == now[y]) - (before[z] == now[y]);\n        \
             if (difference != 0)\n            return 0;\n    }}\n    return 1;\n}}\n"
        ))
    }
}

/// The name of a variable as a parameter of a check.
fn c_name(name: &str) -> String {
    if name.starts_with("\\result") {
        "result".to_owned()
    } else {
        identifier(name)
    }
}
