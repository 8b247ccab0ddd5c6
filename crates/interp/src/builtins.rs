//! What programs call and no C text defines.

use crate::code::WINDOW;
use crate::context::{Context, Halt, fault};
use crate::observe::{Observer, Stream, Value, View, value_of};
use crate::printf::{Arguments, format};
use crate::strtod::parse_double;
use idiolect_ir::ctype::DataModel;
use idiolect_ir::memory::MAX_OBJECT_SIZE;
use idiolect_ir::{Builtin, MathFunction, PrintfTarget, Ty};

impl Context<'_> {
    /// Calls a built-in with the arguments from register `base` on.
    pub(crate) fn builtin<O: Observer>(
        &mut self,
        call: u32,
        frame: &[u64; WINDOW],
        base: u8,
        pc: usize,
        depth: usize,
        observer: &mut O,
    ) -> Result<Option<u128>, Halt> {
        let site = &self.code.calls[call as usize];
        let Some(builtin) = site.builtin else {
            return Ok(None);
        };
        let registers = &frame[usize::from(base)..];
        let arg = |i: usize| registers.get(i).copied().unwrap_or(0);
        let result = match builtin {
            Builtin::Malloc => Some(self.malloc(arg(0), pc)?),
            Builtin::Calloc => {
                let size = arg(0).saturating_mul(arg(1));
                let pointer = self.malloc(size, pc)?;
                if pointer != 0 {
                    self.fill(pointer, 0, size)?;
                }
                Some(pointer)
            }
            Builtin::Realloc => Some(self.realloc(arg(0), arg(1), pc)?),
            Builtin::Free => {
                if arg(0) != 0 {
                    let freed = self.parts.memory.free(arg(0));
                    freed.map_err(|kind| fault(kind, arg(0)))?;
                }
                None
            }
            Builtin::Alloca => {
                if arg(0) >= MAX_OBJECT_SIZE {
                    return Err(Halt::Limit(idiolect_base::StopReason::Memory));
                }
                let pointer = self
                    .parts
                    .memory
                    .allocate(arg(0), true, pc as u32)
                    .map_err(Halt::Limit)?;
                self.parts.objects.push((pointer, true));
                Some(pointer)
            }
            Builtin::Memmove => {
                if site.reads {
                    self.read_copied(arg(0), arg(1), arg(2), pc)?;
                }
                self.copy(arg(0), arg(1), arg(2))?;
                None
            }
            Builtin::Memset => {
                self.fill(arg(0), arg(1) as u8, arg(2))?;
                None
            }
            Builtin::Printf(target) | Builtin::VPrintf(target) => {
                let values = self.argument_values(site.args.iter().copied(), registers);
                let is_list = matches!(builtin, Builtin::VPrintf(_));
                let n = self.printf(target, &values, is_list, pc, observer)?;
                Some(u64::from(n as u32))
            }
            Builtin::Putchar => {
                self.write_out(Stream::Stdout, &[arg(0) as u8], observer);
                Some(arg(0) & 0xff)
            }
            Builtin::ParseDouble => {
                let text = self.read_number_text(arg(0), pc)?;
                let (value, used) = parse_double(&text);
                self.store_slow(arg(1), 0, &value.to_bits().to_le_bytes())?;
                Some(used as u64)
            }
            Builtin::Truncate(index) => {
                if arg(1) & 1 != 0 {
                    self.parts.memory.truncate(arg(0), index);
                }
                None
            }
            Builtin::Forget => {
                self.parts.memory.forget(arg(0));
                None
            }
            Builtin::CheckOverlap => {
                let (ahead, behind) = (arg(0).wrapping_sub(arg(1)), arg(1).wrapping_sub(arg(0)));
                if ahead != 0 && ahead.min(behind) < arg(2) {
                    return Err(fault(idiolect_ir::FaultKind::Overlap, arg(0)));
                }
                None
            }
            Builtin::CheckWritten => {
                self.check_written(arg(0), arg(1))?;
                None
            }
            // They have instructions of their own.
            Builtin::Setjmp | Builtin::Longjmp | Builtin::CheckLeaks => None,
            Builtin::Host(request) => {
                let arguments = [arg(0), arg(1), arg(2)];
                let width = match site.result {
                    Some(Ty::Int(width)) => width,
                    _ => 64,
                };
                let answer = self.host_call(request, arguments, pc)?;
                Some(answer as u64 & crate::ops::mask64(width))
            }
            Builtin::Math(function) => {
                let [x, y, z] = [arg(0), arg(1), arg(2)].map(f64::from_bits);
                Some(math(function, [x, y, z]).to_bits())
            }
        };
        if O::CALLS {
            self.tell(call, frame, base, (pc, depth), result, observer);
        }
        self.parts.arguments.clear();
        Ok(result.map(u128::from))
    }

    /// Shows the call of a built-in to an observer.
    fn tell<O: Observer>(
        &self,
        call: u32,
        frame: &[u64; WINDOW],
        base: u8,
        (pc, depth): (usize, usize),
        result: Option<u64>,
        observer: &mut O,
    ) {
        let site = &self.code.calls[call as usize];
        let Some(builtin) = site.builtin else {
            return;
        };
        let registers = &frame[usize::from(base)..];
        let values = self.argument_values(site.args.iter().copied(), registers);
        let value = match (result, site.result) {
            (Some(bits), Some(ty)) => Some(value_of(ty, bits, 0)),
            _ => None,
        };
        let view = View {
            program: self.program,
            code: self.code,
            memory: &self.parts.memory,
            window: frame,
            far: self.parts.far.get(self.parts.far_base..).unwrap_or(&[]),
            pc,
            depth,
        };
        observer.built_in(&view, builtin, &values, value);
    }

    /// Null for sizes that no object can have, as a real allocator does it.
    #[inline]
    pub(crate) fn malloc(&mut self, size: u64, pc: usize) -> Result<u64, Halt> {
        if size >= MAX_OBJECT_SIZE {
            return Ok(0);
        }
        self.parts
            .memory
            .allocate(size, false, pc as u32)
            .map_err(Halt::Limit)
    }

    /// As glibc does it, a size of 0 frees.
    fn realloc(&mut self, pointer: u64, size: u64, pc: usize) -> Result<u64, Halt> {
        if pointer == 0 {
            return self.malloc(size, pc);
        }
        let memory = &mut self.parts.memory;
        if size == 0 {
            let freed = memory.free(pointer);
            freed.map_err(|kind| fault(kind, pointer))?;
            return Ok(0);
        }
        if size >= MAX_OBJECT_SIZE {
            return Ok(0);
        }
        let moved = memory
            .reallocate(pointer, size, pc as u32)
            .map_err(Halt::Limit)?;
        moved.map_err(|kind| fault(kind, pointer))
    }

    /// Shows bytes to the observer, and keeps them up to the limit.
    fn write_out<O: Observer>(&mut self, stream: Stream, bytes: &[u8], observer: &mut O) {
        let number = match stream {
            Stream::Stdout => 1,
            Stream::Stderr => 2,
        };
        if (self.parts.host.as_mut()).is_some_and(|host| host.takes(number, bytes)) {
            return;
        }
        observer.wrote(stream, bytes);
        let kept = match stream {
            Stream::Stdout => &mut self.parts.stdout,
            Stream::Stderr => &mut self.parts.stderr,
        };
        let room = self.options.max_output.saturating_sub(kept.len());
        kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn printf<O: Observer>(
        &mut self,
        target: PrintfTarget,
        values: &[Value],
        is_list: bool,
        pc: usize,
        observer: &mut O,
    ) -> Result<i32, Halt> {
        let n_leading = match target {
            PrintfTarget::Stdout | PrintfTarget::Stderr | PrintfTarget::Elsewhere => 0,
            PrintfTarget::Buffer => 1,
            PrintfTarget::BoundedBuffer => 2,
        };
        let get = |i: usize| values.get(i).map_or(0, |v| v.bits as u64);
        let template = get(n_leading);
        let rest = values.get(n_leading + 1..).unwrap_or(&[]);
        let mut arguments = if is_list {
            Arguments::slots(get(n_leading + 1))
        } else {
            Arguments::values(rest)
        };
        let limit = self.options.max_memory;
        let text = format(self, template, &mut arguments, pc, limit)?;
        match target {
            PrintfTarget::Stdout => self.write_out(Stream::Stdout, &text, observer),
            PrintfTarget::Stderr => self.write_out(Stream::Stderr, &text, observer),
            PrintfTarget::Elsewhere => {}
            PrintfTarget::Buffer => self.write_string(get(0), &text)?,
            PrintfTarget::BoundedBuffer => {
                let size = get(1);
                if size > 0 {
                    let n = (text.len() as u64).min(size - 1) as usize;
                    self.write_string(get(0), &text[..n])?;
                }
            }
        }
        Ok(i32::try_from(text.len()).unwrap_or(-1))
    }

    fn write_string(&mut self, to: u64, text: &[u8]) -> Result<(), Halt> {
        let mut bytes = text.to_vec();
        bytes.push(0);
        self.store_slow(to, 0, &bytes)
    }

    /// One byte of memory.
    pub(crate) fn read_byte(&mut self, pointer: u64, pc: usize) -> Result<u8, Halt> {
        match self.parts.memory.read::<1>(pointer, 0) {
            Some(byte) => Ok(byte as u8),
            None => Ok(self.load_slow(pointer, 0, 1, pc)? as u8),
        }
    }

    /// A scalar in a slot of variable arguments. Pointers come as LP64 bits.
    pub(crate) fn read_slot(&mut self, slot: u64, ty: Ty, pc: usize) -> Result<u128, Halt> {
        let size = match ty {
            Ty::F80 => 10,
            _ => self.program.types.scalar_size(ty),
        };
        let bits = self.load_bits(slot, size, pc)?;
        Ok(match (ty, self.program.types.model) {
            (Ty::Ptr, DataModel::Ilp32) => u128::from(self.parts.memory.unflatten(bits as u32)),
            _ => bits,
        })
    }

    /// Text as far as it can belong to a number.
    fn read_number_text(&mut self, pointer: u64, pc: usize) -> Result<Vec<u8>, Halt> {
        let mut text = Vec::new();
        loop {
            let byte = self.read_byte(pointer.wrapping_add(text.len() as u64), pc)?;
            let is_space = matches!(byte, b' ' | b'\t'..=b'\r');
            let may_belong = byte.is_ascii_alphanumeric()
                || matches!(byte, b'+' | b'-' | b'.' | b'(' | b')' | b'_')
                || is_space && text.iter().all(|b| matches!(b, b' ' | b'\t'..=b'\r'));
            if !may_belong || text.len() > 1 << 16 {
                return Ok(text);
            }
            text.push(byte);
        }
    }
}

fn math(function: MathFunction, [x, y, z]: [f64; 3]) -> f64 {
    use MathFunction::*;
    match function {
        Sqrt => x.sqrt(),
        Sin => x.sin(),
        Cos => x.cos(),
        Tan => x.tan(),
        Asin => x.asin(),
        Acos => x.acos(),
        Atan => x.atan(),
        Atan2 => x.atan2(y),
        Sinh => x.sinh(),
        Cosh => x.cosh(),
        Tanh => x.tanh(),
        Exp => x.exp(),
        Exp2 => x.exp2(),
        Log => x.ln(),
        Log2 => x.log2(),
        Log10 => x.log10(),
        Pow => x.powf(y),
        Fmod => x % y,
        Floor => x.floor(),
        Ceil => x.ceil(),
        Round => x.round(),
        Trunc => x.trunc(),
        Rint => x.round_ties_even(),
        Cbrt => x.cbrt(),
        Hypot => x.hypot(y),
        Fabs => x.abs(),
        Copysign => x.copysign(y),
        Fma => x.mul_add(y, z),
    }
}
