//! The function that builds inputs and calls the function under study, as IR.
//!
//! It draws the length of each list and array and then its data, and the scalars, in the order of
//! the parameters, from inputs of its own; `inputs.rs` knows this order.

use crate::signature::{Length, Parameter, ParameterKind, Site};
use idiolect_ir::ctype::{CType, FunctionType, IntKind};
use idiolect_ir::{
    BinaryOp, Block, BlockId, Builtin, Callee, ConvertOp, Expr, ExprId, ExprKind, FuncId, Function,
    FunctionOrigin, InputId, InputKind, InputSite, Local, LocalId, LocalKind, LocalStorage, Place,
    Program, Stmt, StmtKind, Terminator, TerminatorKind, Ty, TypeId,
};
use idiolect_quantified::linear::Element;
use idiolect_quantified::point::ListShape;

/// Gives the program a start function that calls `callee` with inputs built for its parameters.
/// Returns the first input of ours; those before it are the program's.
pub fn start_with(program: &mut Program, callee: FuncId, parameters: &[Parameter]) -> InputId {
    let first = InputId::new(program.inputs.len());
    let long = program.types.int(IntKind::Long);
    let void = program.types.intern(CType::Void);
    let ty = program.types.intern(CType::Function(FunctionType {
        ret: void,
        params: Vec::new(),
        variadic: false,
        prototype: true,
    }));
    let function = program.function(callee);
    let (span, ret) = (function.span, function.ret);
    let result_type = match program.types.get(function.ty) {
        CType::Function(f) => f.ret,
        _ => long,
    };
    let mut build = Build {
        program,
        long,
        function: Function {
            name: "__inputs".to_owned(),
            origin: FunctionOrigin::Synthetic,
            ty,
            params: Vec::new(),
            ret: None,
            variadic: false,
            locals: Vec::new(),
            exprs: Vec::new(),
            blocks: Vec::new(),
            span,
        },
    };
    build.new_block();
    let mut values: Vec<Option<LocalId>> = vec![None; parameters.len()];
    for (i, parameter) in parameters.iter().enumerate() {
        if let ParameterKind::Length { ty } = parameter.kind {
            values[i] = Some(build.draw(parameter, ty));
        }
    }
    for (i, parameter) in parameters.iter().enumerate() {
        if let ParameterKind::Total { parts: (n, m), .. } = parameter.kind
            && let (Some(n), Some(m)) = (values[n], values[m])
        {
            let (left, right) = (build.read(n), build.read(m));
            let ty = build.function.expr(left).ty;
            let add = BinaryOp::Add { signed: false };
            let total = build.expr(ExprKind::Binary(add, left, right), ty);
            values[i] = Some(build.kept(total, parameter.ty));
        }
    }
    for (i, parameter) in parameters.iter().enumerate() {
        let value = match &parameter.kind {
            ParameterKind::Length { .. } | ParameterKind::Total { .. } => continue,
            ParameterKind::Scalar { ty, .. } | ParameterKind::Index { ty, .. } => {
                build.draw(parameter, *ty)
            }
            ParameterKind::Cell { element, .. } => {
                let size = build.number(build.program.types.scalar_size(*element));
                let cell = build.malloc(size, parameter.ty);
                let address = build.read(cell);
                build.draw_into(address, *element, long);
                cell
            }
            ParameterKind::Array { element, length } => match (*length, parameter.site) {
                (Length::Known(n), Site::Global(global)) => {
                    let address = build.expr(ExprKind::GlobalAddress(global), Ty::Ptr);
                    let limit = build.number(n);
                    let limit = build.kept(limit, long);
                    let array = build.kept(address, parameter.ty);
                    build.elements(array, element, limit);
                    continue;
                }
                (Length::Known(n), Site::Local(_)) => {
                    let limit = build.number(n);
                    let limit = build.kept(limit, long);
                    build.array(parameter, element, limit)
                }
                (Length::Parameter(p), _) => match values[p] {
                    Some(length) => {
                        let limit = build.widened(length);
                        build.array(parameter, element, limit)
                    }
                    None => continue,
                },
            },
            ParameterKind::List(shape) => build.list(parameter, shape),
            ParameterKind::Head(shape) => {
                let list = build.list(parameter, shape);
                let size = build.number(build.program.types.scalar_size(Ty::Ptr));
                let cell = build.malloc(size, parameter.ty);
                let (address, value) = (build.read(cell), build.read(list));
                build.store(address, Ty::Ptr, value);
                cell
            }
        };
        values[i] = Some(value);
    }
    let args = build.arguments(parameters, &values);
    let dest = ret.map(|ty| Place::Local(build.local(result_type, ty)));
    build.push(StmtKind::Call {
        dest,
        callee: Callee::Function(callee),
        args,
    });
    let status = build.expr(ExprKind::Const(0), Ty::Int(32));
    build.end(TerminatorKind::Exit(status));
    let function = build.function;
    program.functions.push(function);
    program.start = FuncId::new(program.functions.len() - 1);
    first
}

struct Build<'p> {
    program: &'p mut Program,
    long: TypeId,
    function: Function,
}

impl Build<'_> {
    /// The arguments of the call; globals are written.
    fn arguments(&mut self, parameters: &[Parameter], values: &[Option<LocalId>]) -> Vec<ExprId> {
        let mut args = Vec::new();
        for (parameter, value) in parameters.iter().zip(values) {
            match (parameter.site, *value) {
                (_, None) => {}
                (Site::Local(_), Some(value)) => args.push(self.read(value)),
                (Site::Global(global), Some(value)) => {
                    let address = self.expr(ExprKind::GlobalAddress(global), Ty::Ptr);
                    let value = self.read(value);
                    let ty = self.function.expr(value).ty;
                    self.store(address, ty, value);
                }
            }
        }
        args
    }

    fn expr(&mut self, kind: ExprKind, ty: Ty) -> ExprId {
        let span = self.function.span;
        self.function.exprs.push(Expr { kind, ty, span });
        ExprId::new(self.function.exprs.len() - 1)
    }

    fn local(&mut self, ty: TypeId, register: Ty) -> LocalId {
        let span = self.function.span;
        self.function.locals.push(Local {
            name: format!("%{}", self.function.locals.len()),
            ty,
            kind: LocalKind::Temporary,
            storage: LocalStorage::Register(register),
            span,
            scope: span,
        });
        LocalId::new(self.function.locals.len() - 1)
    }

    fn read(&mut self, local: LocalId) -> ExprId {
        let ty = match self.function.local(local).storage {
            LocalStorage::Register(ty) => ty,
            _ => Ty::Ptr,
        };
        self.expr(ExprKind::Local(local), ty)
    }

    /// An integer of pointer width.
    fn number(&mut self, value: u64) -> ExprId {
        let width = self.program.types.model.pointer_width();
        self.expr(ExprKind::Const(u128::from(value)), Ty::Int(width))
    }

    fn new_block(&mut self) -> BlockId {
        self.function.blocks.push(Block {
            stmts: Vec::new(),
            terminator: Terminator {
                kind: TerminatorKind::Abort,
                span: self.function.span,
            },
        });
        BlockId::new(self.function.blocks.len() - 1)
    }

    /// Statements go to the newest block.
    fn push(&mut self, kind: StmtKind) {
        let span = self.function.span;
        if let Some(block) = self.function.blocks.last_mut() {
            block.stmts.push(Stmt { kind, span });
        }
    }

    fn end(&mut self, kind: TerminatorKind) {
        if let Some(block) = self.function.blocks.last_mut() {
            block.terminator.kind = kind;
        }
    }

    fn assign(&mut self, local: LocalId, value: ExprId) {
        self.push(StmtKind::Assign {
            place: Place::Local(local),
            value,
        });
    }

    fn store(&mut self, address: ExprId, ty: Ty, value: ExprId) {
        self.push(StmtKind::Assign {
            place: Place::Memory { address, ty },
            value,
        });
    }

    /// A new local with this value.
    fn kept(&mut self, value: ExprId, ty: TypeId) -> LocalId {
        let local = self.local(ty, self.function.expr(value).ty);
        self.assign(local, value);
        local
    }

    fn site(&mut self, name: &str, ty: TypeId) -> InputId {
        self.program.inputs.push(InputSite {
            kind: InputKind::Parameter(name.to_owned()),
            ty,
            span: self.function.span,
        });
        InputId::new(self.program.inputs.len() - 1)
    }

    fn draw(&mut self, parameter: &Parameter, ty: Ty) -> LocalId {
        let local = self.local(parameter.ty, ty);
        let input = self.site(&parameter.name, parameter.ty);
        self.push(StmtKind::Havoc {
            place: Place::Local(local),
            input,
        });
        local
    }

    fn draw_into(&mut self, address: ExprId, ty: Ty, c_type: TypeId) {
        let input = self.site("data", c_type);
        self.push(StmtKind::Havoc {
            place: Place::Memory { address, ty },
            input,
        });
    }

    fn malloc(&mut self, size: ExprId, ty: TypeId) -> LocalId {
        let pointer = self.local(ty, Ty::Ptr);
        self.push(StmtKind::Call {
            dest: Some(Place::Local(pointer)),
            callee: Callee::Builtin(Builtin::Malloc),
            args: vec![size],
        });
        pointer
    }

    /// Runs what `body` emits for 0, 1, … below `limit`, an integer of pointer width.
    fn repeat(&mut self, limit: LocalId, body: impl FnOnce(&mut Self, LocalId)) {
        let width = Ty::Int(self.program.types.model.pointer_width());
        let counter = self.local(self.long, width);
        let zero = self.number(0);
        self.assign(counter, zero);
        let head = BlockId::new(self.function.blocks.len());
        self.end(TerminatorKind::Goto(head));
        self.new_block();
        let (left, right) = (self.read(counter), self.read(limit));
        let condition = self.expr(ExprKind::Binary(BinaryOp::SLt, left, right), Ty::BOOL);
        let inside = self.new_block();
        body(self, counter);
        let (value, one) = (self.read(counter), self.number(1));
        let add = BinaryOp::Add { signed: false };
        let next = self.expr(ExprKind::Binary(add, value, one), width);
        self.assign(counter, next);
        self.end(TerminatorKind::Goto(head));
        let after = self.new_block();
        self.function.blocks[head.index()].terminator.kind = TerminatorKind::Branch {
            condition,
            then: inside,
            otherwise: after,
        };
    }

    /// A local of pointer width with the value of an integer local.
    fn widened(&mut self, local: LocalId) -> LocalId {
        let pointer_width = self.program.types.model.pointer_width();
        let value = self.read(local);
        let value = match self.function.expr(value).ty {
            Ty::Int(width) if width < pointer_width => {
                let convert = ExprKind::Convert(ConvertOp::SignExtend, value);
                self.expr(convert, Ty::Int(pointer_width))
            }
            Ty::Int(width) if width > pointer_width => {
                let convert = ExprKind::Convert(ConvertOp::Truncate, value);
                self.expr(convert, Ty::Int(pointer_width))
            }
            _ => value,
        };
        let wide = self.local(self.long, Ty::Int(pointer_width));
        self.assign(wide, value);
        wide
    }

    /// An array of so many elements, an integer of pointer width.
    fn array(&mut self, parameter: &Parameter, element: &Element, limit: LocalId) -> LocalId {
        let (count, scale) = (self.read(limit), self.number(element.size));
        let width = self.function.expr(count).ty;
        let mul = BinaryOp::Mul { signed: false };
        let bytes = self.expr(ExprKind::Binary(mul, count, scale), width);
        let array = self.malloc(bytes, parameter.ty);
        self.elements(array, element, limit);
        array
    }

    /// Draws the elements of an array that is there. What is no integer in a record is 0.
    fn elements(&mut self, array: LocalId, element: &Element, limit: LocalId) {
        let (size, long) = (element.size, self.long);
        self.repeat(limit, |build, i| {
            let (base, index) = (build.read(array), build.read(i));
            let add = ExprKind::PtrAdd {
                base,
                index,
                scale: size,
            };
            let address = build.expr(add, Ty::Ptr);
            let address = build.kept(address, long);
            if element.fields.iter().any(|f| f.member.is_some()) {
                let to = build.read(address);
                build.push(StmtKind::Zero { to, size });
            }
            for field in &element.fields {
                let address = build.field(address, field.offset);
                build.draw_into(address, field.ty, long);
            }
        });
    }

    /// Cells are put in front of each other: the last one is drawn first.
    fn list(&mut self, parameter: &Parameter, shape: &ListShape) -> LocalId {
        let width = Ty::Int(self.program.types.model.pointer_width());
        let length = self.local(self.long, width);
        let input = self.site(&parameter.name, self.long);
        self.push(StmtKind::Havoc {
            place: Place::Local(length),
            input,
        });
        let head = self.local(parameter.ty, Ty::Ptr);
        let null = self.expr(ExprKind::Const(0), Ty::Ptr);
        self.assign(head, null);
        let record = &self.program.types.record(shape.record).layout;
        let size = record.as_ref().map_or(0, |l| l.size);
        let (ty, long) = (parameter.ty, self.long);
        self.repeat(length, |build, _| {
            let bytes = build.number(size);
            let cell = build.malloc(bytes, ty);
            let to = build.read(cell);
            build.push(StmtKind::Zero { to, size });
            for field in &shape.fields {
                let address = build.field(cell, field.offset);
                build.draw_into(address, field.ty, long);
            }
            let address = build.field(cell, shape.next_offset);
            let value = build.read(head);
            build.push(StmtKind::Assign {
                place: Place::Memory {
                    address,
                    ty: Ty::Ptr,
                },
                value,
            });
            if let Some((_, back)) = &shape.back {
                build.link_back(head, cell, *back);
            }
            let value = build.read(cell);
            build.assign(head, value);
        });
        head
    }

    /// Lets what was the first cell lead back to the new one in front of it; where there is none, the new one is
    /// told that nothing is before it.
    fn link_back(&mut self, head: LocalId, cell: LocalId, offset: u64) {
        let (first, null) = (self.read(head), self.expr(ExprKind::Const(0), Ty::Ptr));
        let condition = self.expr(ExprKind::Binary(BinaryOp::Eq, first, null), Ty::BOOL);
        let either = |build: &mut Self, then: ExprId, otherwise: ExprId| {
            let kind = ExprKind::Select {
                condition,
                then,
                otherwise,
            };
            build.expr(kind, Ty::Ptr)
        };
        let (own, others) = (self.field(cell, offset), self.field(head, offset));
        let address = either(self, own, others);
        let (null, before) = (self.expr(ExprKind::Const(0), Ty::Ptr), self.read(cell));
        let value = either(self, null, before);
        self.push(StmtKind::Assign {
            place: Place::Memory {
                address,
                ty: Ty::Ptr,
            },
            value,
        });
    }

    fn field(&mut self, cell: LocalId, offset: u64) -> ExprId {
        let (base, index) = (self.read(cell), self.number(offset));
        let scale = 1;
        self.expr(ExprKind::PtrAdd { base, index, scale }, Ty::Ptr)
    }
}
