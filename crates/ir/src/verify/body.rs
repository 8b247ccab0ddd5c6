//! The bodies of functions: expressions, statements, terminators.

use super::{Malformed, is_legal, is_storable, parameter_types};
use crate::ctype::{CType, Types};
use crate::expr::{BinaryOp, ConvertOp, ExprId, ExprKind, Ty, UnaryOp};
use crate::memory::MAX_OBJECT_SIZE;
use crate::program::{Function, LocalId, LocalStorage, Program};
use crate::stmt::{
    Block, BlockId, Builtin, Callee, HostCall, Place, PrintfTarget, StmtKind, TerminatorKind,
};

const INT: Ty = Ty::Int(32);

pub(super) fn verify_body(program: &Program, function: &Function, errors: &mut Vec<Malformed>) {
    let mut body = Body {
        program,
        function,
        pointer: Ty::Int(program.types.model.pointer_width()),
        at: (None, None),
        errors,
    };
    for index in 0..function.exprs.len() {
        body.expr(ExprId::new(index));
    }
    for (index, block) in function.blocks.iter().enumerate() {
        body.block(BlockId::new(index), block);
    }
}

struct Body<'a> {
    program: &'a Program,
    function: &'a Function,
    /// The integer as wide as a pointer.
    pointer: Ty,
    at: (Option<BlockId>, Option<usize>),
    errors: &'a mut Vec<Malformed>,
}

impl Body<'_> {
    fn complain(&mut self, message: String) {
        self.errors.push(Malformed {
            function: Some(self.function.name.clone()),
            block: self.at.0,
            statement: self.at.1,
            message,
        });
    }

    fn types(&self) -> &Types {
        &self.program.types
    }

    fn storage(&self, local: LocalId) -> Option<LocalStorage> {
        self.function.locals.get(local.index()).map(|l| l.storage)
    }

    fn expr(&mut self, id: ExprId) {
        let expr = &self.function.exprs[id.index()];
        if !is_legal(expr.ty) {
            self.complain(format!("e{} has type {:?}", id.0, expr.ty));
            return;
        }
        let mut operands_ok = true;
        expr.kind.for_each_operand(|operand| {
            // Descending ids make the arena acyclic.
            if operand >= id {
                self.complain(format!(
                    "e{} uses e{}, which is not before it",
                    id.0, operand.0
                ));
                operands_ok = false;
            }
        });
        if operands_ok && let Err(message) = self.expr_types(&expr.kind, expr.ty) {
            self.complain(format!("e{}: {message}", id.0));
        }
    }

    /// Checks one node, whose operands are in range.
    fn expr_types(&self, kind: &ExprKind, ty: Ty) -> Result<(), String> {
        let of = |id: ExprId| self.function.exprs[id.index()].ty;
        match *kind {
            ExprKind::Const(bits) => {
                let width = match ty {
                    Ty::Int(width) => u32::from(width),
                    Ty::F32 => 32,
                    Ty::F64 => 64,
                    Ty::F80 => 80,
                    Ty::Ptr => u32::from(self.types().model.pointer_width()),
                };
                if width < 128 && bits >> width != 0 {
                    return Err(format!("the constant {bits:#x} does not fit in {ty:?}"));
                }
            }
            ExprKind::Local(local) => match self.storage(local) {
                Some(LocalStorage::Register(held)) => expect("the register's value", ty, held)?,
                Some(_) => return Err(format!("reads local {}, which is in memory", local.0)),
                None => return Err(format!("local {} does not exist", local.0)),
            },
            ExprKind::LocalAddress(local) => match self.storage(local) {
                Some(LocalStorage::Register(_)) => {
                    return Err(format!(
                        "takes the address of local {}, which is a register",
                        local.0
                    ));
                }
                Some(_) => expect("an address", ty, Ty::Ptr)?,
                None => return Err(format!("local {} does not exist", local.0)),
            },
            ExprKind::GlobalAddress(global) => {
                if global.index() >= self.program.globals.len() {
                    return Err(format!("global {} does not exist", global.0));
                }
                expect("an address", ty, Ty::Ptr)?;
            }
            ExprKind::FunctionAddress(function) => {
                if function.index() >= self.program.functions.len() {
                    return Err(format!("function {} does not exist", function.0));
                }
                expect("an address", ty, Ty::Ptr)?;
            }
            ExprKind::Load { address } => {
                expect("the address", of(address), Ty::Ptr)?;
                if !is_storable(ty) {
                    return Err(format!("{ty:?} cannot be in memory"));
                }
            }
            ExprKind::Unary(op, operand) => {
                let fits = match op {
                    UnaryOp::Neg { .. } | UnaryOp::Not => ty.int_width().is_some(),
                    UnaryOp::FNeg => ty.is_float(),
                };
                if !fits {
                    return Err(format!("{op:?} of {ty:?}"));
                }
                expect("the operand", of(operand), ty)?;
            }
            ExprKind::Binary(op, left, right) => {
                expect("the right operand", of(right), of(left))?;
                self.binary(op, of(left), ty)?;
            }
            ExprKind::Convert(op, operand) => self.convert(op, of(operand), ty)?,
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                expect("the left operand", of(left), Ty::BOOL)?;
                expect("the right operand", of(right), Ty::BOOL)?;
                expect("the result", ty, Ty::BOOL)?;
            }
            ExprKind::Select {
                condition,
                then,
                otherwise,
            } => {
                expect("the condition", of(condition), Ty::BOOL)?;
                expect("the value if it holds", of(then), ty)?;
                expect("the value if it does not hold", of(otherwise), ty)?;
            }
            ExprKind::PtrAdd { base, index, .. } => {
                expect("the base", of(base), Ty::Ptr)?;
                expect("the index", of(index), self.pointer)?;
                expect("the result", ty, Ty::Ptr)?;
            }
        }
        Ok(())
    }

    fn binary(&self, op: BinaryOp, operand: Ty, ty: Ty) -> Result<(), String> {
        use BinaryOp::*;
        let is_int = operand.int_width().is_some();
        let (fits, result) = match op {
            Add { .. } | Sub { .. } | Mul { .. } | Shl { .. } => (is_int, operand),
            UDiv | SDiv | URem | SRem | LShr | AShr => (is_int, operand),
            BitAnd | BitOr | BitXor => (is_int, operand),
            Eq | Ne | ULt | ULe => (is_int || operand == Ty::Ptr, Ty::BOOL),
            SLt | SLe => (is_int, Ty::BOOL),
            FAdd | FSub | FMul | FDiv => (operand.is_float(), operand),
            FEq | FNe | FLt | FLe => (operand.is_float(), Ty::BOOL),
            PtrDiff => (operand == Ty::Ptr, self.pointer),
        };
        if !fits {
            return Err(format!("{op:?} of {operand:?}"));
        }
        expect("the result", ty, result)
    }

    fn convert(&self, op: ConvertOp, from: Ty, to: Ty) -> Result<(), String> {
        let fits = match (op, from, to) {
            (ConvertOp::ZeroExtend | ConvertOp::SignExtend, Ty::Int(from), Ty::Int(to)) => {
                from < to
            }
            (ConvertOp::Truncate, Ty::Int(from), Ty::Int(to)) => from > to,
            (ConvertOp::IntToFloat { .. }, Ty::Int(_), to) => to.is_float(),
            (ConvertOp::FloatToInt { .. }, from, Ty::Int(_)) => from.is_float(),
            (ConvertOp::FloatToFloat, from, to) => from.is_float() && to.is_float() && from != to,
            (ConvertOp::PtrToInt, Ty::Ptr, to) => to == self.pointer,
            (ConvertOp::IntToPtr, from, Ty::Ptr) => from == self.pointer,
            _ => false,
        };
        if fits {
            Ok(())
        } else {
            Err(format!("{op:?} from {from:?} to {to:?}"))
        }
    }

    fn block(&mut self, id: BlockId, block: &Block) {
        for (i, stmt) in block.stmts.iter().enumerate() {
            self.at = (Some(id), Some(i));
            if let Err(message) = self.stmt(&stmt.kind) {
                self.complain(message);
            }
        }
        self.at = (Some(id), None);
        if let Err(message) = self.terminator(&block.terminator.kind) {
            self.complain(message);
        }
    }

    /// The type of an expression that a statement uses.
    fn operand(&self, id: ExprId) -> Result<Ty, String> {
        match self.function.exprs.get(id.index()) {
            Some(expr) => Ok(expr.ty),
            None => Err(format!("expression e{} does not exist", id.0)),
        }
    }

    fn expect_operand(&self, what: &str, id: ExprId, ty: Ty) -> Result<(), String> {
        expect(what, self.operand(id)?, ty)
    }

    /// The type of the values that a place takes.
    fn place(&self, place: Place) -> Result<Ty, String> {
        match place {
            Place::Local(local) => match self.storage(local) {
                Some(LocalStorage::Register(ty)) => Ok(ty),
                Some(_) => Err(format!("assigns to local {}, which is in memory", local.0)),
                None => Err(format!("local {} does not exist", local.0)),
            },
            Place::Memory { address, ty } => {
                self.expect_operand("the address", address, Ty::Ptr)?;
                if !is_storable(ty) {
                    return Err(format!("{ty:?} cannot be in memory"));
                }
                Ok(ty)
            }
            Place::Bits {
                address,
                unit,
                offset,
                width,
            } => {
                self.expect_operand("the address", address, Ty::Ptr)?;
                let Some(unit_width) = unit.int_width().filter(|_| is_storable(unit)) else {
                    return Err(format!("{unit:?} cannot be the unit of a bit-field"));
                };
                if width == 0 || u32::from(offset) + u32::from(width) > u32::from(unit_width) {
                    return Err(format!(
                        "{width} bits from bit {offset} are not in a unit of {unit_width} bits"
                    ));
                }
                Ok(Ty::Int(width))
            }
        }
    }

    fn stmt(&self, kind: &StmtKind) -> Result<(), String> {
        match *kind {
            StmtKind::Assign { place, value } => {
                let ty = self.place(place)?;
                self.expect_operand("the value", value, ty)
            }
            StmtKind::Havoc { place, input } => {
                let ty = self.place(place)?;
                let Some(site) = self.program.inputs.get(input.index()) else {
                    return Err(format!("input {} does not exist", input.0));
                };
                // Bits of a field are narrower than the field's C type.
                match (place, self.types().scalar(site.ty)) {
                    (Place::Bits { .. }, _) | (_, None) => Ok(()),
                    (_, Some(given)) => expect("the input", given, ty),
                }
            }
            StmtKind::Assume { condition } => {
                self.expect_operand("the condition", condition, Ty::BOOL)
            }
            StmtKind::Copy { to, from, size } => {
                self.expect_operand("the destination", to, Ty::Ptr)?;
                self.expect_operand("the source", from, Ty::Ptr)?;
                expect_size(size)
            }
            StmtKind::Zero { to, size } => {
                self.expect_operand("the destination", to, Ty::Ptr)?;
                expect_size(size)
            }
            StmtKind::End { local } => match self.storage(local) {
                Some(LocalStorage::Memory { .. } | LocalStorage::Dynamic) => Ok(()),
                Some(LocalStorage::Register(_)) => {
                    Err(format!("ends local {}, which is a register", local.0))
                }
                None => Err(format!("local {} does not exist", local.0)),
            },
            StmtKind::Declare { local, size } => match (self.storage(local), size) {
                (Some(LocalStorage::Memory { .. }), None) => Ok(()),
                (Some(LocalStorage::Dynamic), Some(size)) => {
                    self.expect_operand("the size", size, self.pointer)
                }
                (Some(LocalStorage::Memory { .. }), Some(_)) => Err(format!(
                    "gives a size to local {}, which has a fixed one",
                    local.0
                )),
                (Some(LocalStorage::Dynamic), None) => {
                    Err(format!("gives no size to local {}", local.0))
                }
                (Some(LocalStorage::Register(_)), _) => {
                    Err(format!("declares local {}, which is a register", local.0))
                }
                (None, _) => Err(format!("local {} does not exist", local.0)),
            },
            StmtKind::Call {
                dest,
                callee,
                ref args,
            } => self.call(dest, callee, args),
            StmtKind::Mark { mark, condition } => {
                if mark.index() >= self.program.marks.len() {
                    return Err(format!("mark {} does not exist", mark.0));
                }
                match condition {
                    Some(condition) => self.expect_operand("the condition", condition, Ty::BOOL),
                    None => Ok(()),
                }
            }
        }
    }

    fn call(&self, dest: Option<Place>, callee: Callee, args: &[ExprId]) -> Result<(), String> {
        let args: Vec<Ty> = args
            .iter()
            .map(|&a| self.operand(a))
            .collect::<Result<_, _>>()?;
        let ret = match callee {
            Callee::Function(id) => {
                let Some(function) = self.program.functions.get(id.index()) else {
                    return Err(format!("function {} does not exist", id.0));
                };
                let params: Vec<Ty> = function
                    .params
                    .iter()
                    .filter_map(|p| match function.local(*p).storage {
                        LocalStorage::Register(ty) => Some(ty),
                        _ => None,
                    })
                    .collect();
                if args != params {
                    return Err(format!(
                        "`{}` takes {params:?} but gets {args:?}",
                        function.name
                    ));
                }
                function.ret
            }
            Callee::Pointer { target, ty } => {
                self.expect_operand("the function pointer", target, Ty::Ptr)?;
                if ty.index() >= self.types().len() {
                    return Err(format!("type {} does not exist", ty.0));
                }
                let CType::Function(function) = self.types().get(ty) else {
                    return Err(format!("type {} is no function type", ty.0));
                };
                if let Some(params) = parameter_types(self.types(), function)
                    && args != params
                {
                    return Err(format!(
                        "the called type takes {params:?} but gets {args:?}"
                    ));
                }
                self.types().scalar(function.ret)
            }
            Callee::Builtin(builtin) => self.builtin(builtin, &args)?,
        };
        match (dest, ret) {
            (None, _) => Ok(()),
            (Some(_), None) => Err("takes a result from a call that has none".into()),
            (Some(place), Some(ret)) => {
                let ty = self.place(place)?;
                expect("the result of the call", ret, ty)
            }
        }
    }

    /// Runs come to bounds and to what is not modelled, and to no other assumption.
    fn expect_reached(&self, index: u32) -> Result<(), String> {
        match self.program.assumptions.get(index as usize) {
            Some(assumption) if assumption.kind.is_reached() => Ok(()),
            Some(_) => Err(format!("no run comes to assumption {index}")),
            None => Err(format!("assumption {index} does not exist")),
        }
    }

    /// Checks the arguments of a builtin; the type of its result.
    fn builtin(&self, builtin: Builtin, args: &[Ty]) -> Result<Option<Ty>, String> {
        use Ty::Ptr;
        let size = self.pointer;
        let (params, more, ret) = match builtin {
            Builtin::Malloc | Builtin::Alloca => (vec![size], false, Some(Ptr)),
            Builtin::Calloc => (vec![size, size], false, Some(Ptr)),
            Builtin::Realloc => (vec![Ptr, size], false, Some(Ptr)),
            Builtin::Free => (vec![Ptr], false, None),
            Builtin::Memmove | Builtin::CheckOverlap => (vec![Ptr, Ptr, size], false, None),
            Builtin::Memset => (vec![Ptr, INT, size], false, None),
            Builtin::Printf(target) | Builtin::VPrintf(target) => {
                let mut params = match target {
                    PrintfTarget::Buffer => vec![Ptr],
                    PrintfTarget::BoundedBuffer => vec![Ptr, size],
                    _ => vec![],
                };
                params.push(Ptr);
                let values_follow = matches!(builtin, Builtin::Printf(_));
                if !values_follow {
                    params.push(Ptr);
                }
                (params, values_follow, Some(INT))
            }
            Builtin::Putchar => (vec![INT], false, Some(INT)),
            Builtin::ParseDouble => (vec![Ptr, Ptr, INT], false, Some(INT)),
            Builtin::Truncate(index) => {
                self.expect_reached(index)?;
                (vec![Ptr, Ty::BOOL], false, None)
            }
            Builtin::Forget => (vec![Ptr], false, None),
            Builtin::CheckWritten => (vec![Ptr, size], false, None),
            Builtin::CheckLeaks => (vec![], false, None),
            Builtin::Setjmp => (vec![Ptr], false, Some(INT)),
            Builtin::Longjmp => (vec![Ptr, INT], false, None),
            Builtin::Host(call) => {
                use HostCall as H;
                let (params, ret) = match call {
                    H::Open => (vec![Ptr, INT], INT),
                    H::Close => (vec![INT], INT),
                    H::Read | H::Write | H::VariableAt => (vec![INT, Ptr, size], size),
                    H::Seek => (vec![INT, size, INT], size),
                    H::Resize => (vec![INT, size], INT),
                    H::Redirect => (vec![INT, INT], INT),
                    H::Remove | H::MakeDirectory | H::RemoveDirectory => (vec![Ptr], INT),
                    H::Rename | H::Status => (vec![Ptr, Ptr], INT),
                    H::StatusOf => (vec![INT, Ptr], INT),
                    H::Entry => (vec![Ptr, INT, Ptr], INT),
                    H::Variable => (vec![Ptr, Ptr, size], size),
                    H::Clock | H::ThreadSelf => (vec![INT], size),
                    H::ThreadCreate => (vec![Ptr, Ptr], size),
                    H::ThreadWait | H::ThreadWake => (vec![Ptr, INT], INT),
                    H::ThreadExit | H::ThreadYield | H::ThreadHold => (vec![INT], INT),
                    H::Sleep => (vec![size], INT),
                    H::Align => (vec![Ptr, size], INT),
                };
                (params, false, Some(ret))
            }
            Builtin::Math(function) => (vec![Ty::F64; function.arity()], false, Some(Ty::F64)),
        };
        let fits = if more {
            args.starts_with(&params)
        } else {
            args == params
        };
        if fits {
            Ok(ret)
        } else {
            Err(format!("{builtin:?} takes {params:?} but gets {args:?}"))
        }
    }

    fn terminator(&self, kind: &TerminatorKind) -> Result<(), String> {
        let target = |block: BlockId| match self.function.blocks.get(block.index()) {
            Some(_) => Ok(()),
            None => Err(format!("block b{} does not exist", block.0)),
        };
        match *kind {
            TerminatorKind::Goto(to) => target(to),
            TerminatorKind::Branch {
                condition,
                then,
                otherwise,
            } => {
                self.expect_operand("the condition", condition, Ty::BOOL)?;
                target(then)?;
                target(otherwise)
            }
            TerminatorKind::Return(value) => match (value, self.function.ret) {
                (None, None) => Ok(()),
                (Some(value), Some(ty)) => self.expect_operand("the returned value", value, ty),
                (None, Some(ty)) => Err(format!("returns nothing where {ty:?} is due")),
                (Some(_), None) => Err("returns a value where none is due".into()),
            },
            TerminatorKind::Exit(status) => self.expect_operand("the status", status, INT),
            TerminatorKind::Trap(index) => self.expect_reached(index),
            TerminatorKind::Abort | TerminatorKind::Error(_) | TerminatorKind::Fault(_) => Ok(()),
        }
    }
}

fn expect(what: &str, found: Ty, expected: Ty) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!("{what} is {found:?}, not {expected:?}"))
    }
}

fn expect_size(size: u64) -> Result<(), String> {
    if size < MAX_OBJECT_SIZE {
        Ok(())
    } else {
        Err(format!("{size} bytes are more than an object can have"))
    }
}
