//! The gate layer between words and clauses: an and-inverter graph with four more kinds of gate,
//! shared by structure and simplified as it grows, and its lazy translation to clauses.
//!
//! Translation is Plaisted & Greenbaum, *A structure-preserving clause form translation* (1986): a
//! gate that is only ever required to be true needs only the clauses "gate implies definition", one
//! that is only required to be false only the other half. Here a gate's halves are emitted one by one,
//! when an assertion, assumption or clause first needs them, and never twice; so an encoding grows
//! with the questions. The values of inner gates in a SAT model are therefore not meaningful, only
//! those of inputs are.
//!
//! Full adders are two gates, [`Gate::Xor3`] and [`Gate::Majority`], with 14 clauses instead of the
//! 17 with three more variables that two half adders take.

use idiolect_base::{Budget, StopReason};
use rustc_hash::FxHashMap;

use crate::sat::{Lit, SatSolver};

/// A gate or its complement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Wire(u32);

impl Wire {
    pub const FALSE: Wire = Wire(0);
    pub const TRUE: Wire = Wire(1);

    #[inline]
    pub fn constant(value: bool) -> Self {
        Wire(u32::from(value))
    }

    #[inline]
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    #[inline]
    fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    #[inline]
    fn inverted_if(self, condition: bool) -> Self {
        Wire(self.0 ^ u32::from(condition))
    }

    #[inline]
    fn upright(self) -> Self {
        Wire(self.0 & !1)
    }
}

impl std::ops::Not for Wire {
    type Output = Wire;
    #[inline]
    fn not(self) -> Wire {
        Wire(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Gate {
    False,
    Input,
    And(Wire, Wire),
    Xor(Wire, Wire),
    /// The second wire if the first is true, else the third.
    Mux(Wire, Wire, Wire),
    Xor3(Wire, Wire, Wire),
    Majority(Wire, Wire, Wire),
}

/// Which clauses of a gate the SAT solver has.
#[derive(Clone, Copy, Default, Debug)]
struct Emitted {
    variable: Option<Lit>,
    /// Bit 0: gate implies definition; bit 1: definition implies gate.
    halves: u8,
}

/// Conjunctions are flattened into one definition of up to this many inputs.
const MAX_CONJUNCTS: usize = 256;

/// The clock is looked at once in so many gates: a gate takes less than a microsecond to build or
/// to emit, except for conjunctions, which take up to [`MAX_CONJUNCTS`] times that.
pub const GATES_PER_LOOK: usize = 4096;

#[derive(Clone, Debug)]
pub struct Gates {
    gates: Vec<Gate>,
    hashed: FxHashMap<Gate, Wire>,
    /// How many gates use this one, saturating.
    n_uses: Vec<u8>,
    emitted: Vec<Emitted>,
    /// Wires whose definitions the SAT solver does not have yet. They survive an interruption: a gate
    /// is marked as emitted before its inputs are.
    pending: Vec<Wire>,
    n_clauses: u64,
    n_variables: u64,
}

impl Default for Gates {
    fn default() -> Self {
        Self {
            gates: vec![Gate::False],
            hashed: FxHashMap::default(),
            n_uses: vec![0],
            emitted: vec![Emitted::default()],
            pending: Vec::new(),
            n_clauses: 0,
            n_variables: 0,
        }
    }
}

impl Gates {
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    pub fn n_clauses(&self) -> u64 {
        self.n_clauses
    }

    pub fn n_variables(&self) -> u64 {
        self.n_variables
    }

    fn push(&mut self, gate: Gate) -> Wire {
        let wire = Wire((self.gates.len() as u32) << 1);
        self.gates.push(gate);
        self.n_uses.push(0);
        self.emitted.push(Emitted::default());
        wire
    }

    fn shared(&mut self, gate: Gate) -> Wire {
        if let Some(&wire) = self.hashed.get(&gate) {
            return wire;
        }
        let (n, inputs) = inputs_of(gate);
        for wire in &inputs[..n] {
            let uses = &mut self.n_uses[wire.gate()];
            *uses = uses.saturating_add(1);
        }
        let wire = self.push(gate);
        self.hashed.insert(gate, wire);
        wire
    }

    pub fn input(&mut self) -> Wire {
        self.push(Gate::Input)
    }

    pub fn and(&mut self, mut a: Wire, mut b: Wire) -> Wire {
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        if a == Wire::FALSE || a == !b {
            return Wire::FALSE;
        }
        if a == Wire::TRUE || a == b {
            return b;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Gate::And(p, q) = self.gates[y.gate()] {
                match (y.is_inverted(), x == p || x == q, x == !p || x == !q) {
                    (false, true, _) => return y,
                    (false, _, true) => return Wire::FALSE,
                    (true, true, _) => return self.and(x, if x == p { !q } else { !p }),
                    (true, _, true) => return x,
                    _ => {}
                }
            }
        }
        self.shared(Gate::And(a, b))
    }

    pub fn or(&mut self, a: Wire, b: Wire) -> Wire {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Wire, b: Wire) -> Wire {
        let inverted = a.is_inverted() != b.is_inverted();
        let (mut x, mut y) = (a.upright(), b.upright());
        if x > y {
            std::mem::swap(&mut x, &mut y);
        }
        if x == y {
            return Wire::constant(inverted);
        }
        let wire = if x == Wire::FALSE {
            y
        } else {
            self.shared(Gate::Xor(x, y))
        };
        wire.inverted_if(inverted)
    }

    pub fn mux(&mut self, cond: Wire, then: Wire, otherwise: Wire) -> Wire {
        let (c, a, b) = if cond.is_inverted() {
            (!cond, otherwise, then)
        } else {
            (cond, then, otherwise)
        };
        if c == Wire::FALSE || a == b {
            return b;
        }
        if a == Wire::TRUE || a == c {
            return self.or(c, b);
        }
        if a == Wire::FALSE || a == !c {
            return self.and(!c, b);
        }
        if b == Wire::TRUE || b == !c {
            return self.or(!c, a);
        }
        if b == Wire::FALSE || b == c {
            return self.and(c, a);
        }
        if a == !b {
            return !self.xor(c, a);
        }
        let inverted = a.is_inverted();
        let gate = Gate::Mux(c, a.inverted_if(inverted), b.inverted_if(inverted));
        self.shared(gate).inverted_if(inverted)
    }

    /// The sum bit of a full adder.
    pub fn xor3(&mut self, a: Wire, b: Wire, c: Wire) -> Wire {
        let inverted = a.is_inverted() ^ b.is_inverted() ^ c.is_inverted();
        let mut w = [a.upright(), b.upright(), c.upright()];
        w.sort_unstable();
        let wire = if w[0] == w[1] {
            w[2]
        } else if w[1] == w[2] {
            w[0]
        } else if w[0] == Wire::FALSE {
            self.xor(w[1], w[2])
        } else {
            self.shared(Gate::Xor3(w[0], w[1], w[2]))
        };
        wire.inverted_if(inverted)
    }

    /// The carry of a full adder.
    pub fn majority(&mut self, a: Wire, b: Wire, c: Wire) -> Wire {
        let mut w = [a, b, c];
        w.sort_unstable();
        // Sorted, a wire stands next to its equal and to its complement.
        if w[0] == w[1] || w[1] == !w[2] {
            return w[0];
        }
        if w[1] == w[2] || w[0] == !w[1] {
            return if w[1] == w[2] { w[1] } else { w[2] };
        }
        if w[0] == Wire::FALSE {
            return self.and(w[1], w[2]);
        }
        if w[0] == Wire::TRUE {
            return self.or(w[1], w[2]);
        }
        let inverted = w.iter().filter(|w| w.is_inverted()).count() >= 2;
        let [a, b, c] = w.map(|w| w.inverted_if(inverted));
        self.shared(Gate::Majority(a, b, c)).inverted_if(inverted)
    }

    // ---- clauses -------------------------------------------------------------------------------

    /// Whether the SAT solver knows this input.
    pub fn input_literal(&self, wire: Wire) -> Option<Lit> {
        let lit = self.emitted[wire.gate()].variable?;
        Some(if wire.is_inverted() { !lit } else { lit })
    }

    fn literal(&mut self, sat: &mut dyn SatSolver, wire: Wire) -> Lit {
        let lit = match self.emitted[wire.gate()].variable {
            Some(lit) => lit,
            None => {
                let lit = sat.new_var();
                self.n_variables += 1;
                self.emitted[wire.gate()].variable = Some(lit);
                lit
            }
        };
        if wire.is_inverted() { !lit } else { lit }
    }

    fn clause(&mut self, sat: &mut dyn SatSolver, wires: &[Wire]) {
        let mut lits = Vec::with_capacity(wires.len());
        for &wire in wires {
            match wire {
                Wire::TRUE => return,
                Wire::FALSE => {}
                _ => lits.push(self.literal(sat, wire)),
            }
        }
        self.n_clauses += 1;
        sat.add_clause(&lits);
    }

    /// A literal that may be assumed: in every model in which it is true, so is `wire`, once
    /// [`Gates::emit`] was here.
    pub fn require(&mut self, sat: &mut dyn SatSolver, wire: Wire) -> Lit {
        let lit = self.literal(sat, wire);
        self.pending.push(wire);
        lit
    }

    /// Makes `wire` true for ever, once [`Gates::emit`] was here.
    pub fn assert(&mut self, sat: &mut dyn SatSolver, wire: Wire) {
        if wire.is_inverted() {
            return self.assert_clause(sat, &[wire]);
        }
        for leaf in self.conjuncts(wire) {
            self.assert_clause(sat, &[leaf]);
        }
    }

    /// Makes one of `wires` true for ever, once [`Gates::emit`] was here. A wire that is itself a
    /// disjunction is spread out.
    pub fn assert_clause(&mut self, sat: &mut dyn SatSolver, wires: &[Wire]) {
        let mut spread = Vec::with_capacity(wires.len());
        for &wire in wires {
            if wire.is_inverted() && matches!(self.gates[wire.gate()], Gate::And(..)) {
                spread.extend(self.conjuncts(!wire).into_iter().map(|w| !w));
            } else {
                spread.push(wire);
            }
        }
        if spread.contains(&Wire::TRUE) {
            return;
        }
        self.clause(sat, &spread);
        spread.retain(|w| !w.is_constant());
        self.pending.extend(spread);
    }

    /// The wires whose conjunction `wire` is. Gates that others use too are kept whole, since their
    /// definition can be shared.
    fn conjuncts(&self, wire: Wire) -> Vec<Wire> {
        let Gate::And(a, b) = self.gates[wire.gate()] else {
            return vec![wire];
        };
        if wire.is_inverted() {
            return vec![wire];
        }
        let mut leaves = Vec::new();
        let mut stack = vec![b, a];
        while let Some(w) = stack.pop() {
            match self.gates[w.gate()] {
                Gate::And(a, b)
                    if !w.is_inverted()
                        && self.n_uses[w.gate()] <= 1
                        && self.emitted[w.gate()].variable.is_none()
                        && leaves.len() + stack.len() < MAX_CONJUNCTS =>
                {
                    stack.extend([b, a]);
                }
                _ => leaves.push(w),
            }
        }
        leaves.sort_unstable();
        leaves.dedup();
        leaves
    }

    /// Emits the missing halves that make each pending wire imply its definition. What the budget
    /// does not allow stays pending, and nothing may be solved before it was emitted.
    pub fn emit(&mut self, sat: &mut dyn SatSolver, budget: &Budget) -> Result<(), StopReason> {
        let mut work = std::mem::take(&mut self.pending);
        let mut until_look = GATES_PER_LOOK;
        while let Some(wire) = work.pop() {
            until_look -= 1;
            if until_look == 0 {
                until_look = GATES_PER_LOOK;
                if let Err(reason) = budget.look() {
                    work.push(wire);
                    self.pending = work;
                    return Err(reason);
                }
            }
            let half = if wire.is_inverted() { 2 } else { 1 };
            let emitted = &mut self.emitted[wire.gate()];
            if emitted.halves & half != 0 {
                continue;
            }
            emitted.halves |= half;
            // `w` implies a condition on its inputs: `not w` is the first literal of each clause.
            let n = !wire;
            match self.gates[wire.gate()] {
                Gate::False => {
                    // Its variable exists only if somebody assumed a constant.
                    let lit = self.literal(sat, Wire::FALSE);
                    self.n_clauses += 1;
                    sat.add_clause(&[!lit]);
                }
                Gate::Input => {}
                Gate::And(..) => {
                    let leaves = self.conjuncts(wire.upright());
                    if wire.is_inverted() {
                        let mut clause = vec![n];
                        clause.extend(leaves.iter().map(|&l| !l));
                        self.clause(sat, &clause);
                        work.extend(leaves.into_iter().map(|l| !l));
                    } else {
                        for &leaf in &leaves {
                            self.clause(sat, &[n, leaf]);
                        }
                        work.extend(leaves);
                    }
                }
                Gate::Xor(a, b) => {
                    let a = a.inverted_if(wire.is_inverted());
                    self.clause(sat, &[n, a, b]);
                    self.clause(sat, &[n, !a, !b]);
                    work.extend([a, !a, b, !b]);
                }
                Gate::Xor3(a, b, c) => {
                    let a = a.inverted_if(wire.is_inverted());
                    self.clause(sat, &[n, a, b, c]);
                    self.clause(sat, &[n, a, !b, !c]);
                    self.clause(sat, &[n, !a, b, !c]);
                    self.clause(sat, &[n, !a, !b, c]);
                    work.extend([a, !a, b, !b, c, !c]);
                }
                Gate::Mux(c, a, b) => {
                    let (a, b) = (
                        a.inverted_if(wire.is_inverted()),
                        b.inverted_if(wire.is_inverted()),
                    );
                    self.clause(sat, &[n, !c, a]);
                    self.clause(sat, &[n, c, b]);
                    // Implied, but lets unit propagation pass an undecided condition.
                    self.clause(sat, &[n, a, b]);
                    work.extend([c, !c, a, b]);
                }
                Gate::Majority(a, b, c) => {
                    let [a, b, c] = [a, b, c].map(|w| w.inverted_if(wire.is_inverted()));
                    self.clause(sat, &[n, a, b]);
                    self.clause(sat, &[n, a, c]);
                    self.clause(sat, &[n, b, c]);
                    work.extend([a, b, c]);
                }
            }
        }
        Ok(())
    }
}

fn inputs_of(gate: Gate) -> (usize, [Wire; 3]) {
    match gate {
        Gate::False | Gate::Input => (0, [Wire::FALSE; 3]),
        Gate::And(a, b) | Gate::Xor(a, b) => (2, [a, b, b]),
        Gate::Mux(a, b, c) | Gate::Xor3(a, b, c) | Gate::Majority(a, b, c) => (3, [a, b, c]),
    }
}
