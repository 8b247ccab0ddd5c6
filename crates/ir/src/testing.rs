//! Random well-formed programs, for tests of whatever reads or changes programs.
//!
//! [`any_program`] is a function of its seed alone. Its programs have every kind of node; they
//! make no sense, but [`verify`](crate::verify()) accepts them.

mod body;

use crate::ctype::{
    ArrayLength, BitField, CType, DataModel, Enumeration, Field, FloatKind, FunctionType, IntKind,
    Record, RecordLayout, TypeId, Types,
};
use crate::expr::Ty;
use crate::program::{
    Assumption, AssumptionKind, FuncId, Function, FunctionOrigin, Global, GlobalId, GlobalTarget,
    InputKind, InputSite, Local, LocalId, LocalKind, LocalStorage, Mark, MarkKind, Program,
    Relocation,
};
use crate::verify::parameter_types;
use body::Body;
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
            assumptions: Vec::new(),
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
            program.assumptions.push(Assumption {
                kind: self.pick(&[
                    AssumptionKind::Bound,
                    AssumptionKind::Convention,
                    AssumptionKind::MissingBody,
                    AssumptionKind::Contract,
                    AssumptionKind::Unmodelled,
                ]),
                text: self.name(),
                span: Span::NOWHERE,
                option: self.flip().then(|| "--option".to_owned()),
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
        match self.below(11) {
            0 => InputKind::Nondet(name),
            1 => InputKind::Parameter(name),
            2 => InputKind::Uninitialized(name),
            3 => InputKind::External(name),
            4 => InputKind::Environment(name),
            5 => InputKind::Stdin,
            6 => InputKind::ArgumentCount,
            7 => InputKind::Variable(name),
            8 => InputKind::VariableByte {
                variable: name,
                byte: self.below(9) as u32,
            },
            9 => InputKind::Effect(name),
            _ => InputKind::ArgumentByte {
                argument: self.below(4) as u32,
                byte: self.below(9) as u32,
            },
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
