//! Facts as mathematics, ACSL and C.

use super::{FunctionalFact, FunctionalFactKind, Summand, Unless};
use crate::c_check::identifier;
use idiolect_quantified::acsl;
use idiolect_quantified::formula::Orders;
use idiolect_quantified::show;

impl FunctionalFact {
    /// A name for the place that is spoken of, which no variable has.
    fn bound(&self) -> &'static str {
        let mut used: Vec<&str> = Vec::new();
        match &self.kind {
            FunctionalFactKind::Permutation { .. }
            | FunctionalFactKind::Opposite { .. }
            | FunctionalFactKind::Computed { .. }
            | FunctionalFactKind::LeadsBack { .. } => {}
            FunctionalFactKind::Moved {
                array,
                size,
                guards,
                to,
                ..
            } => {
                let words = guards.iter().chain([array, size, to]);
                let names = words
                    .flat_map(|w| w.split(|c: char| !c.is_alphanumeric() && !"_%".contains(c)));
                used.extend(names.filter(|n| *n != "%y"));
            }
            FunctionalFactKind::Exists {
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
            FunctionalFactKind::Total {
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

    /// Whether the other one need not be said beside this, where both are about moved elements: its guards are
    /// stronger.
    pub(super) fn says_more_than(&self, other: &FunctionalFact) -> bool {
        let (
            FunctionalFactKind::Moved { guards, to, .. },
            FunctionalFactKind::Moved {
                guards: stronger,
                to: there,
                ..
            },
        ) = (&self.kind, &other.kind)
        else {
            return self == other;
        };
        let is_there = |g: &String| {
            stronger
                .iter()
                .any(|s| s == g || *s == g.replace("<=", "<"))
        };
        to == there && guards.iter().all(is_there)
    }

    /// As mathematics.
    pub fn text(&self) -> String {
        let y = self.bound();
        let text = match &self.kind {
            FunctionalFactKind::Permutation { array, size, .. } => {
                format!("{array}[0..{size}) is a permutation of old({array}[0..{size}))")
            }
            FunctionalFactKind::Moved {
                array, guards, to, ..
            } => {
                let guard = guards.join(" ∧ ").replace("<=", "≤").replace("!=", "≠");
                format!("∀ %y. {guard} ⇒ {array}[{to}] = old({array}[%y])").replace("%y", y)
            }
            FunctionalFactKind::Opposite { one, other, size } => {
                format!("{one} + {other} = {size} - 1")
            }
            FunctionalFactKind::LeadsBack { next, back } => format!(
                "∀ {y}. {y}→{next} ≠ nil ⇒ {y}→{next}→{back} = {y}, and the first cell's {back} is nil"
            ),
            FunctionalFactKind::Computed {
                guard, left, right, ..
            } => {
                let guard = guard.as_ref().map(|g| format!("{} ⇒ ", g.math()));
                let guard = guard.unwrap_or_default();
                format!("{guard}{} = {}", left.math(), right.math())
            }
            FunctionalFactKind::Exists {
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
            FunctionalFactKind::Total {
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
            FunctionalFactKind::Permutation { .. } => "permutation",
            FunctionalFactKind::Moved { .. } => "moved elements",
            FunctionalFactKind::Opposite { .. } => "opposite indices",
            FunctionalFactKind::Computed { .. } => "computed value",
            FunctionalFactKind::LeadsBack { .. } => "links back",
            FunctionalFactKind::Exists { .. } => "existence",
            FunctionalFactKind::Total { summand, .. } => match summand {
                Summand::Element => "sum",
                Summand::If { .. } => "count",
            },
        }
    }

    /// At loops a permutation is told only where it helps the others.
    pub(super) fn is_told(&self) -> bool {
        !matches!(
            self.kind,
            FunctionalFactKind::Permutation {
                is_exit: false,
                by_rounds: false,
                ..
            }
        )
    }

    /// The type of elements as a part of a name.
    pub(super) fn tag(&self) -> String {
        let element = match &self.kind {
            FunctionalFactKind::Total { element, .. }
            | FunctionalFactKind::Permutation { element, .. } => element,
            _ => return String::new(),
        };
        (element.chars())
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect()
    }

    /// As ACSL, which has no sum that wraps, and permutations only of elements that are exchanged.
    pub fn acsl(&self) -> Option<String> {
        self.acsl_text().map(|text| acsl::words(&text))
    }

    fn acsl_text(&self) -> Option<String> {
        let y = self.bound();
        match &self.kind {
            FunctionalFactKind::Permutation {
                array,
                size,
                is_exit,
                by_rounds,
                ..
            } => {
                let labels = if *is_exit { "Old, Here" } else { "Pre, Here" };
                by_rounds.then(|| {
                    format!(
                        "idiolect_permuted_{}{{{labels}}}({array}, {size})",
                        self.tag()
                    )
                })
            }
            FunctionalFactKind::Moved {
                array,
                guards,
                to,
                is_exit,
                ..
            } => {
                let was = if *is_exit {
                    format!("\\old({array}[%y])")
                } else {
                    format!("\\at({array}[%y], Pre)")
                };
                let guard = guards.join(" && ");
                let text = format!("\\forall integer %y; {guard} ==> {array}[{to}] == {was}");
                Some(text.replace("%y", y))
            }
            FunctionalFactKind::Opposite { one, other, size } => {
                Some(format!("{one} + {other} == {size} - 1"))
            }
            // A cell that is reached has no short name there.
            FunctionalFactKind::LeadsBack { .. } => None,
            FunctionalFactKind::Computed {
                guard, left, right, ..
            } => {
                let guard = guard.as_ref().map(|g| format!("{} ==> ", g.acsl));
                let guard = guard.unwrap_or_default();
                Some(format!("{guard}{} == {}", left.acsl, right.acsl))
            }
            FunctionalFactKind::Exists {
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
            FunctionalFactKind::Total {
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
        let FunctionalFactKind::Total { summand, .. } = &self.kind else {
            return None;
        };
        let tag = self.tag();
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
        if let FunctionalFactKind::Permutation { element, .. } = &self.kind {
            return Some(permuted(element, &self.tag()));
        }
        let FunctionalFactKind::Total {
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
            FunctionalFactKind::Permutation { .. }
            | FunctionalFactKind::Moved { .. }
            | FunctionalFactKind::Opposite { .. }
            | FunctionalFactKind::Computed { .. }
            | FunctionalFactKind::LeadsBack { .. } => None,
            FunctionalFactKind::Exists {
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
            FunctionalFactKind::Total {
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
        let FunctionalFactKind::Permutation {
            element,
            is_exit: true,
            ..
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

/// What is permuted by exchanging elements, in ACSL.
fn permuted(element: &str, tag: &str) -> String {
    let unchanged = "\\at(a[k], L) == \\at(a[k], M)";
    format!(
        "/*@ predicate idiolect_exchanged_{tag}{{L, M}}({element} *a, integer n, integer i, integer j) =\n  \
           @   0 <= i < n && 0 <= j < n && \\at(a[i], L) == \\at(a[j], M) && \\at(a[j], L) == \\at(a[i], M) &&\n  \
           @   (\\forall integer k; 0 <= k < n && k != i && k != j ==> {unchanged});\n  \
           @ inductive idiolect_permuted_{tag}{{L, M}}({element} *a, integer n) {{\n  \
           @   case same{{L, M}}: \\forall {element} *a, integer n;\n  \
           @     (\\forall integer k; 0 <= k < n ==> {unchanged}) ==> idiolect_permuted_{tag}{{L, M}}(a, n);\n  \
           @   case exchange{{K, L, M}}: \\forall {element} *a, integer n, i, j;\n  \
           @     idiolect_permuted_{tag}{{K, L}}(a, n) && idiolect_exchanged_{tag}{{L, M}}(a, n, i, j) ==>\n  \
           @     idiolect_permuted_{tag}{{K, M}}(a, n);\n  \
           @ }}\n  @*/\n"
    )
}

impl FunctionalFact {
    /// The arrays and their sizes of which this says what they were.
    pub fn compared_arrays(&self) -> Vec<(&str, &str)> {
        match &self.kind {
            FunctionalFactKind::Permutation { array, size, .. }
            | FunctionalFactKind::Moved { array, size, .. } => vec![(array, size)],
            FunctionalFactKind::Computed { arrays, .. } => (arrays.iter())
                .map(|(a, n)| (a.as_str(), n.as_str()))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The pointers to single values of which this says what they were.
    pub fn compared_cells(&self) -> &[String] {
        match &self.kind {
            FunctionalFactKind::Computed { cells, .. } => cells,
            _ => &[],
        }
    }

    /// Whether it compares something with what it was.
    pub fn is_about_old(&self) -> bool {
        matches!(
            self.kind,
            FunctionalFactKind::Permutation { .. }
                | FunctionalFactKind::Moved { .. }
                | FunctionalFactKind::Computed { .. }
        )
    }

    /// Statements of C that assign 0 to `is_kept` if an array is not what was said of it, where `old` is what it was.
    /// `name` is that of the check, `size` its length.
    pub fn old_check(&self, name: &str, size: &str) -> Option<String> {
        match &self.kind {
            FunctionalFactKind::Computed {
                guard, left, right, ..
            } => {
                let guard = guard.as_ref().map_or("1", |g| g.c.as_str());
                Some(format!(
                    "is_kept = !({guard}) || {} == {};",
                    left.c, right.c
                ))
            }
            FunctionalFactKind::Permutation { array, .. } => {
                let array = identifier(array);
                Some(format!(
                    "is_kept = {name}_permutation({array}, old_{array}, {size});"
                ))
            }
            FunctionalFactKind::Moved {
                array,
                guards,
                to,
                size: length,
                ..
            } => {
                let y = "idiolect_y";
                let range = |g: &String| match g.split_once(" %y ") {
                    Some((low, high)) if !low.is_empty() && !high.is_empty() => {
                        format!("{low} %y && %y {high}")
                    }
                    _ => g.clone(),
                };
                let guards: Vec<String> = guards.iter().map(range).collect();
                let array = identifier(array);
                let text = format!(
                    "for (long %y = 0; %y < {size}; %y++)\n                \
                     if ({} && {array}[{to}] != old_{array}[%y])\n                    \
                     is_kept = 0;",
                    guards.join(" && ")
                );
                let text = if length.starts_with('\\') {
                    text.replace(length, size)
                } else {
                    text
                };
                Some(text.replace("%y", y))
            }
            _ => None,
        }
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
