//! Hash-consed terms: equal terms have equal ids, and an operand is always older than the term
//! that uses it, so that ids are a topological order.
//!
//! [`Terms`] is the pool. Its constructors rewrite as they build (see [`crate::rewrite`]), unless the
//! pool was made by [`Terms::unsimplified`], which tests use to prove each rewrite rule.
//!
//! Bool is treated as one bit wherever that is meaningful: `not`, `and`, `or`, `xor`, `eq` and `ite`
//! take Bool and bit vectors alike, and a Bool's value is 0 or 1.

use idiolect_base::index_type;
use rustc_hash::FxHashMap;

use crate::array::ArrayNode;
use crate::facts::{BitFacts, FactsTable};
use crate::float::Definition;
use crate::rewrite::{self, Rule};

index_type!(
    /// A term of one [`Terms`] pool.
    TermId
);
index_type!(
    /// A variable of one [`Terms`] pool.
    VarId
);
index_type!(
    /// An array of one [`Terms`] pool.
    ArrayId
);

/// The widest bit vector; values are kept in `u128`.
pub const MAX_WIDTH: u32 = 128;

/// Rules that push an operator into its operands recur; below this depth they stop, so that no
/// input can exhaust the call stack. Terms are then built as they are, which is only less simple.
const MAX_DEPTH: u32 = 64;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    Bool,
    /// A bit vector of 1 to 128 bits.
    BitVec(u32),
}

impl Sort {
    /// The number of bits; 1 for Bool.
    #[inline]
    pub fn width(self) -> u32 {
        match self {
            Sort::Bool => 1,
            Sort::BitVec(width) => width,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum UnaryOp {
    Not,
    Neg,
    /// To the width of the term's own sort.
    ZeroExtend,
    /// To the width of the term's own sort.
    SignExtend,
}

/// All with the meaning SMT-LIB gives them: arithmetic wraps, `x udiv 0` is all ones, `x urem 0` is
/// `x`, the signed versions are defined by them, and shifts by the width or more give 0 or the sign.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BinaryOp {
    And,
    Or,
    Xor,
    Eq,
    Add,
    Sub,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Shl,
    Lshr,
    Ashr,
    Concat,
    Ult,
    Ule,
    Slt,
    Sle,
}

impl BinaryOp {
    /// Every operator, for tests that have to meet all of them.
    pub const ALL: [BinaryOp; 19] = [
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
        BinaryOp::Eq,
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Udiv,
        BinaryOp::Urem,
        BinaryOp::Sdiv,
        BinaryOp::Srem,
        BinaryOp::Shl,
        BinaryOp::Lshr,
        BinaryOp::Ashr,
        BinaryOp::Concat,
        BinaryOp::Ult,
        BinaryOp::Ule,
        BinaryOp::Slt,
        BinaryOp::Sle,
    ];

    #[inline]
    pub fn is_commutative(self) -> bool {
        use BinaryOp::*;
        matches!(self, And | Or | Xor | Eq | Add | Mul)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    Const(u128),
    Var(VarId),
    Unary(UnaryOp, TermId),
    Binary(BinaryOp, TermId, TermId),
    Ite(TermId, TermId, TermId),
    /// Bits `lo` to `hi` inclusive.
    Extract {
        hi: u32,
        lo: u32,
        arg: TermId,
    },
    /// A read that rewriting could not resolve.
    Select(ArrayId, TermId),
}

/// The pool of terms, variables and arrays.
#[derive(Clone, Debug)]
pub struct Terms {
    simplify: bool,
    nodes: Vec<(Node, Sort)>,
    facts_of: Vec<u32>,
    facts: FactsTable,
    interned: FxHashMap<(Node, Sort), TermId>,
    variables: Vec<Variable>,
    pub(crate) arrays: Vec<ArrayNode>,
    pub(crate) array_sorts: Vec<(u32, u32)>,
    pub(crate) interned_arrays: FxHashMap<ArrayNode, ArrayId>,
    pub(crate) array_names: Vec<String>,
    fired: [u64; Rule::COUNT],
    /// How many rewrite rules are at work inside each other.
    depth: u32,
    /// Terms that are operations of floats.
    floats: FxHashMap<TermId, Definition>,
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    term: TermId,
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

/// The low `width` bits set.
#[inline]
pub fn mask(width: u32) -> u128 {
    debug_assert!((1..=MAX_WIDTH).contains(&width));
    u128::MAX >> (MAX_WIDTH - width)
}

impl Terms {
    pub fn new() -> Self {
        Self::with_rewriting(true)
    }

    /// A pool whose constructors build exactly what they are asked for.
    pub fn unsimplified() -> Self {
        Self::with_rewriting(false)
    }

    fn with_rewriting(simplify: bool) -> Self {
        Self {
            simplify,
            nodes: Vec::new(),
            facts_of: Vec::new(),
            facts: FactsTable::default(),
            interned: FxHashMap::default(),
            variables: Vec::new(),
            arrays: Vec::new(),
            array_sorts: Vec::new(),
            interned_arrays: FxHashMap::default(),
            array_names: Vec::new(),
            fired: [0; Rule::COUNT],
            depth: 0,
            floats: FxHashMap::default(),
        }
    }

    /// The operation of floats that a term was made as.
    pub fn float_definition(&self, term: TermId) -> Option<&Definition> {
        self.floats.get(&term)
    }

    pub(crate) fn has_floats(&self) -> bool {
        !self.floats.is_empty()
    }

    pub(crate) fn define_float(&mut self, term: TermId, definition: Definition) {
        self.floats.entry(term).or_insert(definition);
    }

    /// The number of terms built so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn simplifies(&self) -> bool {
        self.simplify
    }

    #[inline]
    pub fn node(&self, term: TermId) -> Node {
        self.nodes[term.index()].0
    }

    #[inline]
    pub fn sort(&self, term: TermId) -> Sort {
        self.nodes[term.index()].1
    }

    #[inline]
    pub fn width(&self, term: TermId) -> u32 {
        self.sort(term).width()
    }

    /// What is known of the value of `term` in every model.
    #[inline]
    pub fn facts(&self, term: TermId) -> &BitFacts {
        self.facts.get(self.facts_of[term.index()])
    }

    /// True in every model, as far as cheap reasoning can tell.
    pub fn known_true(&self, term: TermId) -> bool {
        self.facts(term).as_constant() == Some(1) && self.sort(term) == Sort::Bool
    }

    /// False in every model, as far as cheap reasoning can tell.
    pub fn known_false(&self, term: TermId) -> bool {
        self.facts(term).as_constant() == Some(0) && self.sort(term) == Sort::Bool
    }

    /// The value of a constant term.
    #[inline]
    pub fn as_const(&self, term: TermId) -> Option<u128> {
        match self.node(term) {
            Node::Const(value) => Some(value),
            _ => None,
        }
    }

    /// How often each rewrite rule was applied.
    pub fn rule_count(&self, rule: Rule) -> u64 {
        self.fired[rule as usize]
    }

    #[inline]
    pub(crate) fn fire(&mut self, rule: Rule) {
        self.fired[rule as usize] += 1;
    }

    /// The operands of `term`, in order; for a read, the index only.
    pub fn children(&self, term: TermId) -> impl Iterator<Item = TermId> + use<> {
        let (n, array) = match self.node(term) {
            Node::Const(_) | Node::Var(_) => (0, [term; 3]),
            Node::Unary(_, a) | Node::Extract { arg: a, .. } | Node::Select(_, a) => (1, [a; 3]),
            Node::Binary(_, a, b) => (2, [a, b, b]),
            Node::Ite(c, a, b) => (3, [c, a, b]),
        };
        array.into_iter().take(n)
    }

    // ---- variables -----------------------------------------------------------------------------

    /// A new variable, distinct from all others even if they share its name.
    pub fn var(&mut self, name: &str, sort: Sort) -> TermId {
        assert!((1..=MAX_WIDTH).contains(&sort.width()), "width 1 to 128");
        let id = VarId::new(self.variables.len());
        let term = self.intern(Node::Var(id), sort);
        self.variables.push(Variable {
            name: name.to_owned(),
            term,
        });
        term
    }

    pub fn bool_var(&mut self, name: &str) -> TermId {
        self.var(name, Sort::Bool)
    }

    pub fn bv_var(&mut self, name: &str, width: u32) -> TermId {
        self.var(name, Sort::BitVec(width))
    }

    pub fn n_variables(&self) -> usize {
        self.variables.len()
    }

    pub fn variable_name(&self, variable: VarId) -> &str {
        &self.variables[variable.index()].name
    }

    pub fn variable_term(&self, variable: VarId) -> TermId {
        self.variables[variable.index()].term
    }

    // ---- constants -----------------------------------------------------------------------------

    /// The constant `value`, cut to `width` bits.
    pub fn bv(&mut self, value: u128, width: u32) -> TermId {
        assert!((1..=MAX_WIDTH).contains(&width), "width 1 to 128");
        self.intern(Node::Const(value & mask(width)), Sort::BitVec(width))
    }

    pub fn bool(&mut self, value: bool) -> TermId {
        self.intern(Node::Const(u128::from(value)), Sort::Bool)
    }

    pub fn tt(&mut self) -> TermId {
        self.bool(true)
    }

    pub fn ff(&mut self) -> TermId {
        self.bool(false)
    }

    /// The constant `value` of the sort `sort`.
    pub fn constant(&mut self, value: u128, sort: Sort) -> TermId {
        self.intern(Node::Const(value & mask(sort.width())), sort)
    }

    // ---- generic constructors ------------------------------------------------------------------

    /// `op` applied to `arg`; `width` is the width of the result.
    pub(crate) fn unary(&mut self, op: UnaryOp, arg: TermId, width: u32) -> TermId {
        let sort = match self.sort(arg) {
            Sort::Bool => {
                assert!(op == UnaryOp::Not, "{op:?} of a Bool");
                Sort::Bool
            }
            Sort::BitVec(from) => {
                match op {
                    UnaryOp::Not | UnaryOp::Neg => assert_eq!(from, width),
                    UnaryOp::ZeroExtend | UnaryOp::SignExtend => {
                        assert!(
                            from <= width && width <= MAX_WIDTH,
                            "extend {from} to {width}"
                        );
                    }
                }
                Sort::BitVec(width)
            }
        };
        let node = Node::Unary(op, arg);
        self.rewrite_or_build(node, sort, |terms| rewrite::unary(terms, op, arg, sort))
    }

    /// `op` applied to `a` and `b`, whose sorts have to fit.
    pub fn binary(&mut self, op: BinaryOp, mut a: TermId, mut b: TermId) -> TermId {
        use BinaryOp::*;
        let (sa, sb) = (self.sort(a), self.sort(b));
        let sort = match op {
            And | Or | Xor | Eq => {
                assert_eq!(sa, sb, "operands of {op:?}");
                if op == Eq { Sort::Bool } else { sa }
            }
            Concat => {
                let (Sort::BitVec(wa), Sort::BitVec(wb)) = (sa, sb) else {
                    panic!("operands of Concat have to be bit vectors");
                };
                assert!(wa + wb <= MAX_WIDTH, "concatenation of {wa} and {wb} bits");
                Sort::BitVec(wa + wb)
            }
            _ => {
                assert_eq!(sa, sb, "operands of {op:?}");
                assert!(sa != Sort::Bool, "{op:?} of Bools");
                if matches!(op, Ult | Ule | Slt | Sle) {
                    Sort::Bool
                } else {
                    sa
                }
            }
        };
        if self.simplify && op.is_commutative() && self.order(a) > self.order(b) {
            std::mem::swap(&mut a, &mut b);
        }
        let node = Node::Binary(op, a, b);
        self.rewrite_or_build(node, sort, |terms| rewrite::binary(terms, op, a, b, sort))
    }

    /// Commutative operands are sorted by this key: constants last, then by age.
    #[inline]
    fn order(&self, term: TermId) -> (bool, TermId) {
        (matches!(self.node(term), Node::Const(_)), term)
    }

    pub fn ite(&mut self, cond: TermId, then: TermId, otherwise: TermId) -> TermId {
        assert_eq!(self.sort(cond), Sort::Bool, "condition of ite");
        let sort = self.sort(then);
        assert_eq!(sort, self.sort(otherwise), "arms of ite");
        let node = Node::Ite(cond, then, otherwise);
        self.rewrite_or_build(node, sort, |terms| {
            rewrite::ite(terms, cond, then, otherwise, sort)
        })
    }

    /// Bits `lo` to `hi` of `arg`, both inclusive.
    pub fn extract(&mut self, hi: u32, lo: u32, arg: TermId) -> TermId {
        let Sort::BitVec(width) = self.sort(arg) else {
            panic!("extract of a Bool");
        };
        assert!(lo <= hi && hi < width, "bits {lo} to {hi} of {width}");
        let sort = Sort::BitVec(hi - lo + 1);
        let node = Node::Extract { hi, lo, arg };
        self.rewrite_or_build(node, sort, |terms| rewrite::extract(terms, hi, lo, arg))
    }

    /// What `rewrite` makes of `node`, or the node itself. The answer is remembered under `node`, so
    /// that a rule which descends into a shared operand pays for it once: without this, truncating
    /// `t(n+1) = t(n) + t(n-1)` would take exponential time.
    pub(crate) fn rewrite_or_build(
        &mut self,
        node: Node,
        sort: Sort,
        rewrite: impl FnOnce(&mut Self) -> Option<TermId>,
    ) -> TermId {
        if let Some(&term) = self.interned.get(&(node, sort)) {
            return term;
        }
        if self.simplify && self.depth < MAX_DEPTH {
            self.depth += 1;
            let better = rewrite(self);
            self.depth -= 1;
            if let Some(better) = better {
                debug_assert_eq!(self.sort(better), sort, "rewriting keeps the sort");
                self.interned.insert((node, sort), better);
                return better;
            }
        }
        self.build(node, sort)
    }

    /// The term with exactly this node, unless its facts already say that it is a constant.
    pub(crate) fn build(&mut self, node: Node, sort: Sort) -> TermId {
        if let Some(&term) = self.interned.get(&(node, sort)) {
            return term;
        }
        let facts = BitFacts::of(self, node, sort);
        if self.simplify
            && let Some(value) = facts.as_constant()
            && !matches!(node, Node::Const(_))
        {
            self.fire(Rule::KnownBits);
            return self.intern(Node::Const(value), sort);
        }
        self.insert(node, sort, facts)
    }

    fn intern(&mut self, node: Node, sort: Sort) -> TermId {
        if let Some(&term) = self.interned.get(&(node, sort)) {
            return term;
        }
        let facts = BitFacts::of(self, node, sort);
        self.insert(node, sort, facts)
    }

    fn insert(&mut self, node: Node, sort: Sort, facts: BitFacts) -> TermId {
        let term = TermId::new(self.nodes.len());
        self.nodes.push((node, sort));
        let facts = self.facts.intern(facts);
        self.facts_of.push(facts);
        self.interned.insert((node, sort), term);
        term
    }

    // ---- named constructors --------------------------------------------------------------------

    pub fn not(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        self.unary(UnaryOp::Not, a, width)
    }

    pub fn neg(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        self.unary(UnaryOp::Neg, a, width)
    }

    /// `a` with zeros above, `width` bits in all.
    pub fn zext(&mut self, a: TermId, width: u32) -> TermId {
        self.unary(UnaryOp::ZeroExtend, a, width)
    }

    /// `a` with copies of its sign above, `width` bits in all.
    pub fn sext(&mut self, a: TermId, width: u32) -> TermId {
        self.unary(UnaryOp::SignExtend, a, width)
    }

    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let a = self.not(a);
        self.or(a, b)
    }

    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    pub fn and_all(&mut self, terms: &[TermId]) -> TermId {
        let start = self.tt();
        terms.iter().fold(start, |all, &t| self.and(all, t))
    }

    pub fn or_all(&mut self, terms: &[TermId]) -> TermId {
        let start = self.ff();
        terms.iter().fold(start, |any, &t| self.or(any, t))
    }

    /// The Bool `a` as a bit vector of `width` bits, 0 or 1.
    pub fn bool_to_bv(&mut self, a: TermId, width: u32) -> TermId {
        let (one, zero) = (self.bv(1, width), self.bv(0, width));
        self.ite(a, one, zero)
    }

    /// True when the bit vector `a` is not 0.
    pub fn is_nonzero(&mut self, a: TermId) -> TermId {
        let zero = self.constant(0, self.sort(a));
        self.ne(a, zero)
    }

    /// The same term of another pool, rebuilt by this pool's constructors. `known` maps what was
    /// already carried over, variables above all; variables that are missing are made anew.
    pub fn import(
        &mut self,
        from: &Terms,
        term: TermId,
        known: &mut FxHashMap<TermId, TermId>,
    ) -> TermId {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(from.children(top).filter(|c| !known.contains_key(c)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let sort = from.sort(top);
            let copy = match from.node(top) {
                Node::Const(value) => self.constant(value, sort),
                Node::Var(v) => self.var(from.variable_name(v), sort),
                Node::Unary(op, a) => self.unary(op, known[&a], sort.width()),
                Node::Binary(op, a, b) => self.binary(op, known[&a], known[&b]),
                Node::Ite(c, a, b) => self.ite(known[&c], known[&a], known[&b]),
                Node::Extract { hi, lo, arg } => self.extract(hi, lo, known[&arg]),
                Node::Select(..) => panic!("arrays are not carried from pool to pool"),
            };
            known.insert(top, copy);
        }
        known[&term]
    }
}

macro_rules! binary_constructors {
    ($($name:ident $op:ident;)*) => {
        impl Terms {
            $(pub fn $name(&mut self, a: TermId, b: TermId) -> TermId {
                self.binary(BinaryOp::$op, a, b)
            })*
        }
    };
}

binary_constructors! {
    and And; or Or; xor Xor; eq Eq;
    add Add; sub Sub; mul Mul; udiv Udiv; urem Urem; sdiv Sdiv; srem Srem;
    shl Shl; lshr Lshr; ashr Ashr;
    concat Concat;
    ult Ult; ule Ule; slt Slt; sle Sle;
}
