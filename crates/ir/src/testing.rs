//! Random well-formed programs, for tests of whatever reads or changes programs.
//!
//! [`any_program`] is a function of its seed alone. Its programs have every kind of node; they
//! make no sense, but [`verify`](crate::verify()) accepts them.

use crate::ctype::{
    ArrayLength, BitField, CType, DataModel, Enumeration, Field, FloatKind, FunctionType, IntKind,
    Record, RecordLayout, TypeId, Types,
};
use crate::expr::{BinaryOp, ConvertOp, Expr, ExprId, ExprKind, Ty, UnaryOp};
use crate::program::{
    FuncId, Function, FunctionOrigin, Global, GlobalId, GlobalTarget, InputId, InputKind,
    InputSite, Local, LocalId, LocalKind, LocalStorage, Mark, MarkId, MarkKind, Program,
    Relocation, Unmodelled,
};
use crate::stmt::{
    Block, BlockId, Builtin, Callee, ErrorKind, MathFunction, Place, PrintfTarget, Stmt, StmtKind,
    Terminator, TerminatorKind,
};
use crate::verify::parameter_types;
use idiolect_base::{Rng, SourceMap, Span};

/// How large the programs are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Functions beside the start function, at least 1.
    pub max_functions: u64,
    /// Blocks of a function, at least 1.
    pub max_blocks: u64,
    /// Statements of a block.
    pub max_stmts: u64,
    /// Depth of expressions, without what sharing adds.
    pub max_depth: u32,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            max_functions: 4,
            max_blocks: 6,
            max_stmts: 6,
            max_depth: 4,
        }
    }
}

/// The well-formed program of this seed.
pub fn any_program(seed: u64) -> Program {
    any_program_of(seed, Shape::default())
}

/// The well-formed program of this seed and shape.
pub fn any_program_of(seed: u64, shape: Shape) -> Program {
    Generator {
        rng: Rng::new(seed, 0),
        shape,
    }
    .program()
}

struct Generator {
    rng: Rng,
    shape: Shape,
}

const NAMES: [&str; 12] = [
    "x",
    "y",
    "i",
    "n",
    "p",
    "copy",
    "call",
    "true",
    "load.i32",
    "%1",
    "b0",
    "a \"b\"\n\u{202e}",
];

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        self.rng.below(bound.max(1) as u64) as usize
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn flip(&mut self) -> bool {
        self.rng.chance(1, 2)
    }

    fn name(&mut self) -> String {
        self.pick(&NAMES).to_owned()
    }

    fn program(mut self) -> Program {
        let model = self.pick(&[DataModel::Lp64, DataModel::Ilp32]);
        let mut types = Types::new(model);
        let scalars = self.types(&mut types);
        let objects: Vec<TypeId> = (0..types.len()).map(TypeId::new).collect();
        let void = types.intern(CType::Void);
        let n_functions = 1 + self.below(self.shape.max_functions as usize);
        let mut functions = Vec::new();
        for index in 0..=n_functions {
            let mut params = Vec::new();
            for _ in 0..self.below(4) {
                params.push(self.pick(&objects));
            }
            let ret = match self.below(4) {
                0 => void,
                1 => self.pick(&objects),
                _ => self.pick(&scalars),
            };
            let ret = match types.get(ret) {
                CType::Array { .. } | CType::Function(_) | CType::VaList => void,
                _ => ret,
            };
            let function = if index == 0 {
                FunctionType {
                    ret: void,
                    params: Vec::new(),
                    variadic: false,
                    prototype: true,
                }
            } else {
                FunctionType {
                    ret,
                    params,
                    variadic: self.rng.chance(1, 5),
                    prototype: self.rng.chance(4, 5),
                }
            };
            functions.push(self.signature(&mut types, index, function));
        }
        let mut program = Program {
            sources: SourceMap::new(),
            globals: Vec::new(),
            functions,
            inputs: Vec::new(),
            marks: Vec::new(),
            unmodelled: Vec::new(),
            start: FuncId(0),
            entry: FuncId::new(1 + self.below(n_functions)),
            types,
        };
        self.globals(&mut program);
        for _ in 0..self.below(6) {
            let kind = self.input_kind();
            let ty = self.pick(&scalars);
            program.inputs.push(InputSite {
                kind,
                ty,
                span: Span::NOWHERE,
            });
        }
        for _ in 0..self.below(3) {
            program.marks.push(Mark {
                kind: self.pick(&[MarkKind::Label, MarkKind::User, MarkKind::Predicate]),
                name: self.name(),
                span: Span::NOWHERE,
            });
        }
        for _ in 0..self.below(2) {
            program.unmodelled.push(Unmodelled {
                construct: self.name(),
                span: Span::NOWHERE,
            });
        }
        for id in program.function_ids() {
            let function = Body {
                function: program.function(id).clone(),
                program: &program,
                generator: &mut self,
            }
            .generate();
            program.functions[id.index()] = function;
        }
        program
    }

    /// Fills the table; the scalar types in it.
    fn types(&mut self, types: &mut Types) -> Vec<TypeId> {
        let mut scalars = Vec::new();
        for kind in [
            IntKind::Int,
            IntKind::Char,
            IntKind::ULong,
            IntKind::UInt128,
            IntKind::Short,
        ] {
            scalars.push(types.int(kind));
        }
        for kind in [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble] {
            scalars.push(types.intern(CType::Float(kind)));
        }
        scalars.push(types.intern(CType::Bool));
        for index in 0..self.below(2) {
            let complete = self.flip();
            let e = types.add_enum(Enumeration {
                tag: self.flip().then(|| format!("e{index}")),
                underlying: self.pick(&[IntKind::Int, IntKind::UInt]),
                enumerators: vec![("RED".into(), -1), ("BLUE".into(), i128::MAX)],
                complete,
            });
            scalars.push(types.intern(CType::Enum(e)));
        }
        for _ in 0..self.below(3) {
            let to = self.pick(&scalars);
            scalars.push(types.pointer_to(to));
        }
        for _ in 0..self.below(3) {
            let element = self.pick(&scalars);
            let length = match self.below(3) {
                0 => ArrayLength::Unknown,
                _ => ArrayLength::Known(self.rng.below(9)),
            };
            types.intern(CType::Array { element, length });
        }
        for index in 0..self.below(3) {
            let layout = RecordLayout {
                fields: vec![
                    Field {
                        name: self.flip().then(|| "f".to_owned()),
                        ty: self.pick(&scalars),
                        offset: 0,
                        bits: None,
                    },
                    Field {
                        name: Some("bits".into()),
                        ty: scalars[0],
                        offset: 17,
                        bits: Some(BitField {
                            offset: self.below(8) as u8,
                            width: 1 + self.below(9) as u8,
                        }),
                    },
                ],
                size: 24,
                align: 8,
            };
            let record = types.add_record(Record {
                is_union: self.flip(),
                tag: self.flip().then(|| format!("r{index}")),
                layout: self.rng.chance(3, 4).then_some(layout),
            });
            let record = types.intern(CType::Record(record));
            scalars.push(types.pointer_to(record));
        }
        if self.flip() {
            types.intern(CType::VaList);
        }
        scalars
    }

    fn signature(&mut self, types: &mut Types, index: usize, ty: FunctionType) -> Function {
        let registers = parameter_types(types, &ty).unwrap_or_default();
        let int = types.int(IntKind::Int);
        let mut locals = Vec::new();
        for &register in &registers {
            locals.push(Local {
                name: self.name(),
                ty: int,
                kind: LocalKind::Parameter,
                storage: LocalStorage::Register(register),
                span: Span::NOWHERE,
                scope: Span::NOWHERE,
            });
        }
        for _ in 0..self.below(6) {
            let storage = match self.below(6) {
                0 => LocalStorage::Dynamic,
                1 | 2 => LocalStorage::Memory {
                    size: self.rng.below(64),
                    align: 1 << self.below(5),
                },
                _ => LocalStorage::Register(self.scalar()),
            };
            locals.push(Local {
                name: self.name(),
                ty: int,
                kind: self.pick(&[LocalKind::Variable, LocalKind::Temporary]),
                storage,
                span: Span::NOWHERE,
                scope: Span::NOWHERE,
            });
        }
        Function {
            name: match self.below(4) {
                0 => self.name(),
                _ => format!("f{index}"),
            },
            origin: match index {
                0 => FunctionOrigin::Synthetic,
                _ => self.pick(&[FunctionOrigin::User, FunctionOrigin::Library]),
            },
            params: (0..registers.len()).map(LocalId::new).collect(),
            ret: types.scalar(ty.ret),
            variadic: ty.variadic,
            ty: types.intern(CType::Function(ty)),
            locals,
            exprs: Vec::new(),
            blocks: Vec::new(),
            span: Span::NOWHERE,
        }
    }

    fn globals(&mut self, program: &mut Program) {
        let n = self.below(4);
        let pointer_size = program.types.model.pointer_size();
        for _ in 0..n {
            let size = self.rng.below(40);
            let mut bytes: Vec<u8> = (0..self.rng.below(size + 1))
                .map(|_| self.rng.below(256) as u8)
                .collect();
            let mut relocations = Vec::new();
            let mut offset = self.rng.below(8);
            while offset + pointer_size <= size {
                let target = if self.flip() {
                    GlobalTarget::Global(GlobalId::new(self.below(n)))
                } else {
                    GlobalTarget::Function(FuncId::new(self.below(program.functions.len())))
                };
                relocations.push(Relocation {
                    offset,
                    target,
                    addend: self.below(3) as i64 - 1,
                });
                for byte in bytes
                    .iter_mut()
                    .skip(offset as usize)
                    .take(pointer_size as usize)
                {
                    *byte = 0;
                }
                offset += pointer_size + self.rng.below(8);
            }
            let global = Global {
                name: self.name(),
                ty: TypeId::new(self.below(program.types.len())),
                size,
                align: 1 << self.below(5),
                bytes,
                relocations,
                read_only: self.flip(),
                is_unwritten: self.flip(),
                is_library: self.flip(),
                function: self.flip().then(|| "f".to_owned()),
                span: Span::NOWHERE,
            };
            program.globals.push(global);
        }
    }

    fn input_kind(&mut self) -> InputKind {
        let name = self.name();
        match self.below(8) {
            0 => InputKind::Nondet(name),
            1 => InputKind::Parameter(name),
            2 => InputKind::Uninitialized(name),
            3 => InputKind::External(name),
            4 => InputKind::Environment(name),
            5 => InputKind::Stdin,
            6 => InputKind::ArgumentCount,
            _ => InputKind::ArgumentByte,
        }
    }

    fn scalar(&mut self) -> Ty {
        self.pick(&[
            Ty::BOOL,
            Ty::Int(8),
            Ty::Int(32),
            Ty::Int(32),
            Ty::Int(64),
            Ty::Int(128),
            Ty::Int(5),
            Ty::F32,
            Ty::F64,
            Ty::F80,
            Ty::Ptr,
            Ty::Ptr,
        ])
    }
}

/// Fills one function.
struct Body<'a> {
    function: Function,
    program: &'a Program,
    generator: &'a mut Generator,
}

impl Body<'_> {
    fn generate(mut self) -> Function {
        let n_blocks = 1 + self.below(self.generator.shape.max_blocks as usize);
        for _ in 0..n_blocks {
            let mut stmts = Vec::new();
            for _ in 0..self.below(1 + self.generator.shape.max_stmts as usize) {
                if let Some(kind) = self.stmt() {
                    stmts.push(Stmt {
                        kind,
                        span: Span::NOWHERE,
                    });
                }
            }
            let kind = self.terminator(n_blocks);
            self.function.blocks.push(Block {
                stmts,
                terminator: Terminator {
                    kind,
                    span: Span::NOWHERE,
                },
            });
        }
        self.function
    }

    fn below(&mut self, bound: usize) -> usize {
        self.generator.below(bound)
    }

    fn push(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        let id = ExprId::new(self.function.exprs.len());
        self.function.exprs.push(Expr {
            kind,
            ty,
            span: Span::NOWHERE,
        });
        id
    }

    fn pointer(&self) -> Ty {
        Ty::Int(self.program.types.model.pointer_width())
    }

    fn any(&mut self, ty: Ty) -> ExprId {
        let depth = self.generator.shape.max_depth;
        self.expr(ty, depth)
    }

    fn expr(&mut self, ty: Ty, depth: u32) -> ExprId {
        if self.generator.rng.chance(1, 4) {
            // Share what is there, large or small.
            let start = self.below(self.function.exprs.len());
            let found = self.function.exprs[start.min(self.function.exprs.len())..]
                .iter()
                .position(|e| e.ty == ty);
            if let Some(i) = found {
                return ExprId::new(start + i);
            }
        }
        if depth == 0 || self.generator.rng.chance(1, 5) {
            return self.leaf(ty);
        }
        let depth = depth - 1;
        let width = ty.int_width();
        let kind = match self.below(4) {
            0 => ExprKind::Select {
                condition: self.expr(Ty::BOOL, depth),
                then: self.expr(ty, depth),
                otherwise: self.expr(ty, depth),
            },
            1 if width.is_none_or(|w| w % 8 == 0) => ExprKind::Load {
                address: self.expr(Ty::Ptr, depth),
            },
            2 => match self.conversion(ty, depth) {
                Some(kind) => kind,
                None => return self.leaf(ty),
            },
            _ => self.operation(ty, depth),
        };
        self.push(kind, ty)
    }

    fn conversion(&mut self, ty: Ty, depth: u32) -> Option<ExprKind> {
        let signed = self.generator.flip();
        Some(match ty {
            Ty::Ptr => ExprKind::Convert(ConvertOp::IntToPtr, self.expr(self.pointer(), depth)),
            Ty::Int(width) => match self.below(4) {
                0 if ty == self.pointer() => {
                    ExprKind::Convert(ConvertOp::PtrToInt, self.expr(Ty::Ptr, depth))
                }
                1 if width > 1 => {
                    let from = Ty::Int(1 + self.below(usize::from(width) - 1) as u8);
                    let op = self
                        .generator
                        .pick(&[ConvertOp::ZeroExtend, ConvertOp::SignExtend]);
                    ExprKind::Convert(op, self.expr(from, depth))
                }
                2 if width < 128 => {
                    let more = 1 + self.below(usize::from(128 - width)) as u8;
                    ExprKind::Convert(ConvertOp::Truncate, self.expr(Ty::Int(width + more), depth))
                }
                _ => {
                    let from = self.generator.pick(&[Ty::F32, Ty::F64, Ty::F80]);
                    ExprKind::Convert(ConvertOp::FloatToInt { signed }, self.expr(from, depth))
                }
            },
            _ => {
                let from = self.generator.pick(&[Ty::F32, Ty::F64, Ty::Int(32)]);
                if from == ty {
                    return None;
                }
                let op = match from {
                    Ty::Int(_) => ConvertOp::IntToFloat { signed },
                    _ => ConvertOp::FloatToFloat,
                };
                ExprKind::Convert(op, self.expr(from, depth))
            }
        })
    }

    fn operation(&mut self, ty: Ty, depth: u32) -> ExprKind {
        use BinaryOp::*;
        let signed = self.generator.flip();
        let (op, operand) = match ty {
            Ty::BOOL => match self.below(5) {
                0 => {
                    return ExprKind::And(self.expr(Ty::BOOL, depth), self.expr(Ty::BOOL, depth));
                }
                1 => return ExprKind::Or(self.expr(Ty::BOOL, depth), self.expr(Ty::BOOL, depth)),
                2 => (self.generator.pick(&[FEq, FNe, FLt, FLe]), Ty::F64),
                3 => (self.generator.pick(&[Eq, Ne, ULt, ULe]), Ty::Ptr),
                _ => (
                    self.generator.pick(&[Eq, Ne, ULt, ULe, SLt, SLe]),
                    Ty::Int(32),
                ),
            },
            Ty::Int(_) if ty == self.pointer() && self.generator.rng.chance(1, 4) => {
                (PtrDiff, Ty::Ptr)
            }
            Ty::Int(_) => {
                let op = self.generator.pick(&[
                    Add { signed },
                    Sub { signed },
                    Mul { signed },
                    Shl { signed },
                    UDiv,
                    SDiv,
                    URem,
                    SRem,
                    LShr,
                    AShr,
                    BitAnd,
                    BitOr,
                    BitXor,
                ]);
                if self.generator.rng.chance(1, 5) {
                    let op = self
                        .generator
                        .pick(&[UnaryOp::Neg { signed }, UnaryOp::Not]);
                    return ExprKind::Unary(op, self.expr(ty, depth));
                }
                (op, ty)
            }
            Ty::Ptr => {
                return ExprKind::PtrAdd {
                    base: self.expr(Ty::Ptr, depth),
                    index: self.expr(self.pointer(), depth),
                    scale: self.generator.rng.below(1 << 20),
                };
            }
            _ if self.generator.rng.chance(1, 5) => {
                return ExprKind::Unary(UnaryOp::FNeg, self.expr(ty, depth));
            }
            _ => (self.generator.pick(&[FAdd, FSub, FMul, FDiv]), ty),
        };
        let left = self.expr(operand, depth);
        ExprKind::Binary(op, left, self.expr(operand, depth))
    }

    /// The locals with a storage like this.
    fn locals(&self, wanted: impl Fn(LocalStorage) -> bool) -> Vec<LocalId> {
        let found = self.function.locals.iter().enumerate();
        found
            .filter(|(_, l)| wanted(l.storage))
            .map(|(i, _)| LocalId::new(i))
            .collect()
    }

    fn leaf(&mut self, ty: Ty) -> ExprId {
        let registers = self.locals(|s| s == LocalStorage::Register(ty));
        if !registers.is_empty() && self.generator.flip() {
            let local = self.generator.pick(&registers);
            return self.push(ExprKind::Local(local), ty);
        }
        if ty == Ty::Ptr {
            let memory = self.locals(|s| !matches!(s, LocalStorage::Register(_)));
            let (n_globals, n_functions) =
                (self.program.globals.len(), self.program.functions.len());
            match self.below(3) {
                0 if !memory.is_empty() => {
                    let local = self.generator.pick(&memory);
                    return self.push(ExprKind::LocalAddress(local), ty);
                }
                1 if n_globals > 0 => {
                    let global = GlobalId::new(self.below(n_globals));
                    return self.push(ExprKind::GlobalAddress(global), ty);
                }
                2 => {
                    let function = FuncId::new(self.below(n_functions));
                    return self.push(ExprKind::FunctionAddress(function), ty);
                }
                _ => {}
            }
        }
        let width = match ty {
            Ty::Int(width) => u32::from(width),
            Ty::F32 => 32,
            Ty::F64 => 64,
            Ty::F80 => 80,
            Ty::Ptr => u32::from(self.program.types.model.pointer_width()),
        };
        let random = u128::from(self.generator.rng.next_u64()) << 64
            | u128::from(self.generator.rng.next_u64());
        let bits = match self.below(4) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            _ => random,
        };
        self.push(ExprKind::Const(bits & (u128::MAX >> (128 - width))), ty)
    }

    /// A place for values of this type.
    fn place(&mut self, ty: Ty) -> Option<Place> {
        let registers = self.locals(|s| s == LocalStorage::Register(ty));
        if !registers.is_empty() && self.generator.flip() {
            return Some(Place::Local(self.generator.pick(&registers)));
        }
        match ty {
            Ty::Int(width) if width % 8 != 0 || self.generator.rng.chance(1, 4) => {
                let units: Vec<u8> = [32, 64, 72, 128]
                    .into_iter()
                    .filter(|&unit| unit >= width)
                    .collect();
                let unit = self.generator.pick(&units);
                Some(Place::Bits {
                    address: self.any(Ty::Ptr),
                    unit: Ty::Int(unit),
                    offset: self.below(usize::from(unit - width) + 1) as u8,
                    width,
                })
            }
            _ => Some(Place::Memory {
                address: self.any(Ty::Ptr),
                ty,
            }),
        }
    }

    fn stmt(&mut self) -> Option<StmtKind> {
        Some(match self.below(9) {
            0 => StmtKind::Assume {
                condition: self.any(Ty::BOOL),
            },
            1 => StmtKind::Copy {
                to: self.any(Ty::Ptr),
                from: self.any(Ty::Ptr),
                size: self.generator.rng.below(100),
            },
            2 => StmtKind::Zero {
                to: self.any(Ty::Ptr),
                size: self.generator.rng.below(100),
            },
            3 => {
                let memory = self.locals(|s| !matches!(s, LocalStorage::Register(_)));
                if memory.is_empty() {
                    return None;
                }
                let local = self.generator.pick(&memory);
                let size = match self.function.local(local).storage {
                    LocalStorage::Dynamic => Some(self.any(self.pointer())),
                    _ => None,
                };
                StmtKind::Declare { local, size }
            }
            4 if !self.program.inputs.is_empty() => {
                let input = InputId::new(self.below(self.program.inputs.len()));
                let ty = self
                    .program
                    .types
                    .scalar(self.program.inputs[input.index()].ty)?;
                StmtKind::Havoc {
                    place: self.place(ty)?,
                    input,
                }
            }
            5 if !self.program.marks.is_empty() => StmtKind::Mark {
                mark: MarkId::new(self.below(self.program.marks.len())),
                condition: self.generator.flip().then(|| self.any(Ty::BOOL)),
            },
            6 | 7 => self.call()?,
            _ => {
                let ty = self.generator.scalar();
                StmtKind::Assign {
                    place: self.place(ty)?,
                    value: self.any(ty),
                }
            }
        })
    }

    fn call(&mut self) -> Option<StmtKind> {
        let callee = FuncId::new(self.below(self.program.functions.len()));
        let function = self.program.function(callee);
        let registers: Vec<Ty> = function
            .params
            .iter()
            .filter_map(|&p| match function.local(p).storage {
                LocalStorage::Register(ty) => Some(ty),
                _ => None,
            })
            .collect();
        let (callee, params, ret) = match self.below(4) {
            0 => {
                let (builtin, params, ret) = self.builtin();
                (Callee::Builtin(builtin), params, ret)
            }
            1 => {
                let target = self.any(Ty::Ptr);
                let ty = function.ty;
                (Callee::Pointer { target, ty }, registers, function.ret)
            }
            _ => (Callee::Function(callee), registers, function.ret),
        };
        let args = params.into_iter().map(|ty| self.any(ty)).collect();
        let dest = match ret {
            Some(ty) if self.generator.flip() => Some(self.place(ty)?),
            _ => None,
        };
        Some(StmtKind::Call { dest, callee, args })
    }

    fn builtin(&mut self) -> (Builtin, Vec<Ty>, Option<Ty>) {
        use Ty::Ptr;
        let size = self.pointer();
        let int = Ty::Int(32);
        match self.below(9) {
            0 => (Builtin::Malloc, vec![size], Some(Ptr)),
            1 => (Builtin::Calloc, vec![size, size], Some(Ptr)),
            2 => (Builtin::Realloc, vec![Ptr, size], Some(Ptr)),
            3 => (Builtin::Free, vec![Ptr], None),
            4 => (Builtin::Memset, vec![Ptr, int, size], None),
            5 => (
                Builtin::Printf(PrintfTarget::BoundedBuffer),
                vec![Ptr, size, Ptr, int, Ty::F64],
                Some(int),
            ),
            6 => (
                Builtin::VPrintf(PrintfTarget::Stderr),
                vec![Ptr, Ptr],
                Some(int),
            ),
            7 => (
                Builtin::Math(MathFunction::Pow),
                vec![Ty::F64, Ty::F64],
                Some(Ty::F64),
            ),
            _ => (
                Builtin::Math(MathFunction::Trunc),
                vec![Ty::F64],
                Some(Ty::F64),
            ),
        }
    }

    fn terminator(&mut self, n_blocks: usize) -> TerminatorKind {
        let n_unmodelled = self.program.unmodelled.len();
        match self.below(12) {
            0 => TerminatorKind::Error(ErrorKind::ReachError),
            1 => TerminatorKind::Error(ErrorKind::Assert(self.generator.name())),
            2 => TerminatorKind::Exit(self.any(Ty::Int(32))),
            3 if n_unmodelled > 0 => TerminatorKind::Trap(self.below(n_unmodelled) as u32),
            3 if self.generator.flip() => TerminatorKind::Abort,
            3 => TerminatorKind::Unreachable,
            4..=6 => TerminatorKind::Return(self.function.ret.map(|ty| self.any(ty))),
            7 | 8 => TerminatorKind::Goto(BlockId::new(self.below(n_blocks))),
            _ => TerminatorKind::Branch {
                condition: self.any(Ty::BOOL),
                then: BlockId::new(self.below(n_blocks)),
                otherwise: BlockId::new(self.below(n_blocks)),
            },
        }
    }
}
