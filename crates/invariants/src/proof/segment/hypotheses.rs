//! What is claimed at the start, assumed of all cells and of the indices that matter.
//!
//! A universally quantified hypothesis about an array is assumed at finitely many indices, which is
//! sound for any of them. The ones that matter are those that the goal and the code speak of, some
//! of which are known only after the code ran: for these there is a register with any value, the
//! hypothesis is assumed at it, and the place where the index is known assumes that the register
//! had that value (a *prophecy*, which excludes no run since the register was free). With the
//! indices named in the code and the claims, their neighbours and the ends of the array this is the
//! index set of A. Bradley, Z. Manna and H. Sipma, *What's Decidable About Arrays?* (2006).

use super::{Deriver, Meaning, Prophecy, Switch};
use crate::proof::cells::Place;
use crate::proof::indices::{Flow, Index, Value};
use crate::proof::view::{Domain, Spot, View};
use idiolect_ir::build::Number;
use idiolect_ir::{BinaryOp, BlockId, ExprId, LocalStorage, Ty};
use idiolect_quantified::formula::{Conjunct, Formula, Linear, Term};
use idiolect_quantified::point::{ArraySize, Binding, Point, Role, Structure};

impl Deriver<'_> {
    /// Registers for what goals quantify over and for indices that are known later.
    pub(super) fn choose_indices(&mut self) {
        let targets = self.targets();
        let mut n = 0;
        for (_, formula) in self.aims() {
            for c in &formula.conjuncts {
                if let Conjunct::ForAll(all) = c {
                    n = n.max(all.over.len());
                }
            }
        }
        for _ in 0..n {
            let (choice, _) = self.b.any("y", Ty::Int(8));
            self.skolems.push(choice);
        }
        let has_arrays = |p: &Point| p.structures.iter().any(|s| !s.is_list());
        // Claims at the entries of functions that are called count from 0, too.
        let mut cuts = targets.iter().copied().chain([self.from]);
        if !cuts.any(|c| self.claim(c).is_some_and(|(p, _)| has_arrays(p))) {
            return;
        }
        let width = 32;
        for _ in 0..n {
            let (register, _) = self.b.any("y", Ty::Int(width));
            let expr = self.b.read(register);
            self.skolem_indices.push(Number {
                expr,
                width,
                signed: true,
            });
        }
        self.foresee_all(&targets);
        self.foresee_calls();
    }

    /// Indices that the code uses, and that variables are at the end.
    fn foresee_all(&mut self, targets: &[usize]) {
        let task = self.task;
        let segment = self.segment.clone();
        let flow = Flow::new(task.function, &task.cuts, self.from, &segment);
        let mut all = flow.in_code();
        for &target in targets {
            let Some((point, _)) = self.claim(target) else {
                continue;
            };
            for v in &point.variables {
                let Binding::Local(local) = v.binding else {
                    continue;
                };
                let info = task.function.local(local);
                let is_index = matches!(v.role, Role::Index { .. });
                if !is_index || !matches!(info.storage, LocalStorage::Register(_)) {
                    continue;
                }
                all.push(match flow.at_cut(target, local) {
                    Some(value) => Index::Known(value),
                    None => Index::Later {
                        at: (BlockId::new(task.function.blocks.len() + target), 0),
                        index: self.b.read(local),
                    },
                });
            }
        }
        for index in all {
            match index {
                Index::Known(value) => self.known.push(value),
                Index::Later { at, index } => self.foresee(index, at),
            }
        }
        self.known.sort_unstable();
        self.known.dedup();
    }

    /// A register for an index that is known later.
    pub(super) fn foresee(&mut self, index: ExprId, at: (BlockId, usize)) {
        let Ty::Int(width) = self.b.function.expr(index).ty else {
            return;
        };
        let (register, _) = self.b.any("index", Ty::Int(width));
        let expr = self.b.read(register);
        let number = Number {
            expr,
            width,
            signed: true,
        };
        self.prophecies.push(Prophecy {
            register,
            number,
            at,
            index,
        });
    }

    /// An index that is always the same.
    pub(super) fn foresee_constant(&mut self, index: ExprId) {
        let e = self.b.function.expr(index);
        if let (idiolect_ir::ExprKind::Const(bits), Ty::Int(width @ 1..=64)) = (&e.kind, e.ty) {
            let shift = 64 - u32::from(width);
            let value = ((*bits as u64) << shift) as i64 >> shift;
            self.known.push(Value::Constant(value));
        }
    }

    /// The indices that hypotheses are assumed at.
    fn indices(&mut self, view: &View<'_>) -> Vec<Number> {
        let mut list: Vec<Number> = self.skolem_indices.clone();
        let mut known = self.known.clone();
        for v in &view.point.variables {
            if let (Role::Index { .. }, Binding::Local(local)) = (v.role, v.binding) {
                known.push(Value::Start(local, 0));
                if self.wide {
                    known.extend([-1, 1].map(|d| Value::Start(local, d)));
                }
            }
        }
        if self.wide {
            known.push(Value::Constant(0));
            for size in view.sizes.clone().into_iter().flatten() {
                list.push(self.b.moved(size, -1));
            }
        }
        list.extend(self.images());
        known.sort_unstable();
        known.dedup();
        for value in known {
            match value {
                Value::Constant(c) => list.push(self.b.number(c)),
                Value::Start(local, distance) => {
                    let info = self.task.function.local(local);
                    let LocalStorage::Register(Ty::Int(width)) = info.storage else {
                        continue;
                    };
                    let number = Number {
                        expr: self.b.read(local),
                        width,
                        signed: self.task.program.types.is_signed(info.ty),
                    };
                    list.push(match distance {
                        0 => number,
                        _ => self.b.moved(number, distance),
                    });
                }
            }
        }
        list.extend(self.prophecies.iter().map(|p| p.number));
        list
    }

    /// Where claims look from the indices of goals.
    fn images(&mut self) -> Vec<Number> {
        let mut maps: Vec<Linear> = Vec::new();
        let claims = self.aims().into_iter().chain(self.claim(self.from));
        for conjunct in claims.flat_map(|(_, formula)| &formula.conjuncts) {
            if let Conjunct::ForAll(all) = conjunct {
                for c in &all.guard {
                    if let Term::Linear(map) = c.left
                        && map.variable.is_none()
                        && !maps.contains(&map)
                    {
                        maps.push(map);
                    }
                }
            }
        }
        let mut found = Vec::new();
        for map in maps {
            let size = match (map.size, self.claim(self.from)) {
                (Some(s), Some((point, _))) => match point.structures.get(s) {
                    Some(Structure::Array(group)) => match group.size {
                        ArraySize::Constant(n) => n as i64,
                        ArraySize::Variable(_) => continue,
                    },
                    _ => continue,
                },
                _ => 0,
            };
            let Some((_, factor)) = map.quantified else {
                continue;
            };
            for y in self.skolem_indices.clone() {
                // One that wraps is an index as good as any other.
                found.push(self.b.linear(&[(y, factor)], map.constant + size, y.width));
            }
        }
        found
    }

    /// Assumes what is claimed at the start, each conjunct if its switch is on.
    pub(super) fn assume(&mut self, view: &mut View<'_>, claim: usize, formula: &Formula) {
        let has_arrays = view.point.structures.iter().any(|s| !s.is_list());
        let mut indices = if has_arrays {
            self.indices(view)
        } else {
            Vec::new()
        };
        if has_arrays {
            let sources = self.keep_indices(&indices);
            indices.extend(sources);
            self.name_elements(view, &indices);
        }
        self.assume_at(view, claim, formula, &indices);
    }

    /// Assumes what is claimed of a view, each conjunct if its switch is on, at these indices.
    pub(super) fn assume_at(
        &mut self,
        view: &mut View<'_>,
        claim: usize,
        formula: &Formula,
        indices: &[Number],
    ) {
        let domains: Vec<Domain> = (0..view.point.structures.len())
            .map(|s| self.everything(view, s, indices))
            .collect();
        for (i, conjunct) in formula.conjuncts.iter().enumerate() {
            let (switch, input) = self.b.any("assume", Ty::Int(8));
            self.switches.push(Switch {
                claim,
                conjunct: i,
                input,
            });
            let (switch, zero) = (self.b.read(switch), self.b.constant(0, Ty::Int(8)));
            let is_off = self.b.binary(BinaryOp::Eq, switch, zero);
            let instances = view.instances(&mut self.b, conjunct, &domains);
            let holds = self.b.all(instances);
            let either = self.b.or(is_off, holds);
            self.b.assume(either);
        }
    }

    /// Makes a value readable in a model.
    fn show(&mut self, value: Number, meaning: Meaning) {
        // Inputs have whole bytes, and constants as few bits as they need.
        let width = value.width.next_power_of_two().max(8);
        let (register, input) = self.b.any("shown", Ty::Int(width));
        let shown = self.b.read(register);
        let value = self.b.widened(value, width);
        let same = self.b.binary(BinaryOp::Eq, shown, value);
        self.b.assume(same);
        self.meanings.push((input, meaning));
    }

    /// Reads all elements of interest once, so that a model shows them.
    fn name_elements(&mut self, view: &mut View<'_>, indices: &[Number]) {
        for (number, &index) in indices.iter().enumerate() {
            self.show(index, Meaning::Index { number });
        }
        for structure in 0..view.point.structures.len() {
            if view.is_list(structure) {
                continue;
            }
            for field in 0..view.point.structures[structure].fields().len() {
                for (number, &index) in indices.iter().enumerate() {
                    let Some((value, _)) = view.element(&mut self.b, structure, field, index)
                    else {
                        continue;
                    };
                    let meaning = Meaning::Element {
                        structure,
                        field,
                        number,
                    };
                    self.show(value, meaning);
                }
            }
        }
    }

    /// All cells of a list, or all indices of interest.
    fn everything(&mut self, view: &View<'_>, structure: usize, indices: &[Number]) -> Domain {
        if let Some(cells) = &view.lists[structure] {
            let n = cells.n();
            let one = |i: usize| {
                let place = Place::cell(&self.b, n, i);
                (Spot::Pointer { structure, place }, cells.visible[i])
            };
            return (0..n).map(one).collect();
        }
        if view.is_list(structure) {
            return Vec::new();
        }
        let mut domain = Vec::new();
        for &index in indices {
            let inside = view.in_range(&mut self.b, structure, index);
            domain.push((Spot::Number(index), self.b.keep(inside)));
        }
        domain
    }
}
