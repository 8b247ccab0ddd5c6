//! What API files say about numbers: when a call has succeeded, and which objects stay.

/// When a call has succeeded: `return >= 0`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Success(NumberComparison);

/// Which numbers are meant: `>= 0`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberComparison {
    relation: Relation,
    number: i64,
}

/// Which of the objects that a call makes nobody need end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stay {
    All,
    /// Those with such numbers: `to <= 2`.
    Some(NumberComparison),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    Less,
    AtMost,
    Equal,
    Not,
    AtLeast,
    More,
}

const RELATIONS: [(&str, Relation); 6] = [
    ("<=", Relation::AtMost),
    (">=", Relation::AtLeast),
    ("==", Relation::Equal),
    ("!=", Relation::Not),
    ("<", Relation::Less),
    (">", Relation::More),
];

impl NumberComparison {
    /// Reads `>= 0`.
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (sign, relation) = RELATIONS.iter().find(|(sign, _)| text.starts_with(sign))?;
        let number = text[sign.len()..].trim().parse().ok()?;
        Some(Self {
            relation: *relation,
            number,
        })
    }

    fn holds(self, number: i64) -> bool {
        match self.relation {
            Relation::Less => number < self.number,
            Relation::AtMost => number <= self.number,
            Relation::Equal => number == self.number,
            Relation::Not => number != self.number,
            Relation::AtLeast => number >= self.number,
            Relation::More => number > self.number,
        }
    }
}

impl std::fmt::Display for NumberComparison {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = RELATIONS.iter().find(|(_, r)| *r == self.relation);
        write!(f, "{} {}", sign.map_or("==", |s| s.0), self.number)
    }
}

impl Success {
    /// Reads `return >= 0`.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.trim().strip_prefix("return")?;
        NumberComparison::parse(rest).map(Self)
    }

    /// Whether a call that returned this has succeeded.
    pub fn holds(self, returned: i64) -> bool {
        self.0.holds(returned)
    }
}

impl std::fmt::Display for Success {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "return {}", self.0)
    }
}

impl Stay {
    /// Reads `to`, or `to <= 2`: the name, and which ones.
    pub(crate) fn parse(text: &str) -> Option<(&str, Self)> {
        let text = text.trim();
        match text.split_once(|c: char| c.is_whitespace() || "<>=!".contains(c)) {
            None => Some((text, Self::All)),
            Some((name, _)) => {
                let which = NumberComparison::parse(&text[name.len()..])?;
                Some((name, Self::Some(which)))
            }
        }
    }

    /// Whether the object of this number stays; one that is no number does not.
    pub(crate) fn holds(self, number: Option<i64>) -> bool {
        match self {
            Self::All => true,
            Self::Some(which) => number.is_some_and(|number| which.holds(number)),
        }
    }

    /// As a condition of C on an expression.
    pub(crate) fn condition(self, expression: &str) -> String {
        match self {
            Self::All => "1".to_owned(),
            Self::Some(which) => format!("(long)({expression}) {which}"),
        }
    }
}
