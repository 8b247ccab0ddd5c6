//! Programs ready to run, and what runs them.

use crate::code::{Code, Instr, WINDOW};
use crate::compile::{self, Hooks};
use crate::context::{Context, Halt};
use crate::host::Host;
use crate::input::{DrawnInput, InputSource};
use crate::jump::Jump;
use crate::memory::{ArenaBlock, Image, Memory, MemorySnapshot};
use crate::observe::{NoObserver, Observer, OutputOnly, Stream};
use crate::outcome::{CodePlace, End, Outcome};
use crate::run::{Ended, Frame, Meter, execute};
use crate::threads::Threads;
use idiolect_base::Budget;
use idiolect_ir::property::error_locations;
use idiolect_ir::{FunctionOrigin, Program, Property};
use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CompileOptions {
    /// Signed overflow is a fault.
    pub check_overflow: bool,
}

/// A program in the form that runs. It can be shared by many threads.
#[derive(Debug)]
pub struct Compiled {
    program: Arc<Program>,
    options: CompileOptions,
    image: Image,
    has_addresses: bool,
    /// The program looks for leaks itself, for which all variables have to be there.
    checks_leaks: bool,
    has_threads: bool,
    /// By what the observer wants: one bit each for decisions, events, statements and variables.
    /// Most of them are never asked for.
    codes: [OnceLock<Code>; 16],
}

impl Compiled {
    pub fn new(program: Arc<Program>, options: &CompileOptions) -> Self {
        let image = compile::image(&program);
        let checks_leaks = !error_locations(&program, Property::Leak).is_empty();
        let has_threads = compile::has_threads(&program);
        Compiled {
            has_threads,
            program,
            checks_leaks,
            options: *options,
            image,
            has_addresses: false,
            codes: Default::default(),
        }
    }

    /// Integers made from pointers are addresses as a real process has them: of 47 bits, and close together.
    pub fn with_addresses(mut self) -> Self {
        self.has_addresses = true;
        self
    }

    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The instructions as text, one a line, without hooks for observers. For people who want to
    /// know why something is slow; the form may change.
    pub fn listing(&self) -> String {
        let code = self.code::<NoObserver>(false);
        let mut text = String::new();
        for (i, instr) in code.instrs.iter().enumerate() {
            let function = code.function_at(i);
            if code.functions[function.index()].start as usize == i {
                let _ = writeln!(text, "{}:", self.program.function(function).name);
            }
            let _ = writeln!(text, "{i:5} {instr:?}");
        }
        text
    }

    fn code<O: Observer>(&self, check_leaks: bool) -> &Code {
        let variables = check_leaks || self.checks_leaks || O::CALLS || O::EVENTS || O::STATEMENTS;
        let hooks = Hooks {
            variables,
            decisions: O::DECISIONS,
            events: O::EVENTS,
            statements: O::STATEMENTS,
            addresses: self.has_addresses,
            threads: self.has_threads,
        };
        let index = usize::from(O::DECISIONS)
            | usize::from(O::EVENTS) << 1
            | usize::from(O::STATEMENTS) << 2
            | usize::from(variables) << 3;
        self.codes[index].get_or_init(|| {
            compile::compile_deep(&self.program, self.options.check_overflow, hooks)
        })
    }
}

/// Limits of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunOptions {
    /// Statements and terminators.
    pub max_steps: u64,
    /// Bytes of locals and heap together; there is also a limit of about 32 million objects.
    pub max_memory: usize,
    /// Calls that are open at once.
    pub max_frames: usize,
    /// Bytes of standard output, and of standard error, that are kept. More are dropped.
    pub max_output: usize,
    /// A heap block that nothing points to at exit is a fault.
    pub check_leaks: bool,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            max_steps: u64::MAX,
            max_memory: 1 << 30,
            max_frames: 1_000_000,
            max_output: 1 << 24,
            check_leaks: false,
        }
    }
}

/// The memory that an activation has to give back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    pub(crate) block: Option<ArenaBlock>,
    pub(crate) first_object: usize,
}

/// What a run works on. It is used again by the next run, with the same result as a new one.
#[derive(Debug)]
pub struct Machine<'c> {
    compiled: &'c Compiled,
    options: RunOptions,
    pub(crate) stack: Vec<u64>,
    pub(crate) frames: Vec<Frame>,
    parts: Parts,
    host: Option<Host>,
    paused: Option<Pause>,
}

/// Where a run waits for its next input.
#[derive(Clone, Copy, Debug)]
struct Pause {
    pc: usize,
    meter: Meter,
}

/// A run that waits for an input, to go on from as often as one likes: see [`Machine::snapshot`].
#[derive(Clone, Debug)]
pub struct Snapshot {
    pause: Pause,
    stack: Vec<u64>,
    frames: Vec<Frame>,
    memory: MemorySnapshot,
    far: Vec<u64>,
    far_base: usize,
    arguments: Vec<u64>,
    scopes: Vec<Scope>,
    objects: Vec<(u64, bool)>,
    jumps: Vec<Jump>,
    n_jumps: u32,
    threads: Threads,
    host: Option<Host>,
}

impl Snapshot {
    /// About the memory that it takes, apart from files of the system around the run.
    pub fn bytes(&self) -> usize {
        let words = self.stack.len() + self.far.len() + self.arguments.len();
        let lists = self.frames.len() + 2 * self.objects.len() + 4 * self.scopes.len();
        size_of::<Self>() + 8 * (words + lists + 8 * self.jumps.len()) + self.memory.bytes()
    }
}

/// Everything but registers.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) memory: Memory,
    pub(crate) far: Vec<u64>,
    pub(crate) far_base: usize,
    /// Arguments passed beside the window.
    pub(crate) arguments: Vec<u64>,
    pub(crate) scopes: Vec<Scope>,
    /// Objects of activations, and whether each owns a block of its own.
    pub(crate) objects: Vec<(u64, bool)>,
    /// Where `longjmp` can go.
    pub(crate) jumps: Vec<Jump>,
    pub(crate) n_jumps: u32,
    pub(crate) threads: Threads,
    /// The system around the run, if there is one.
    pub(crate) host: Option<Host>,
    pub(crate) inputs: Vec<DrawnInput>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

impl<'c> Machine<'c> {
    pub fn new(compiled: &'c Compiled, options: RunOptions) -> Self {
        Machine {
            compiled,
            options,
            stack: vec![0; 4096],
            frames: Vec::new(),
            parts: Parts {
                memory: Memory::new(&compiled.image, options.max_memory),
                far: Vec::new(),
                far_base: 0,
                arguments: Vec::new(),
                scopes: Vec::new(),
                objects: Vec::new(),
                jumps: Vec::new(),
                n_jumps: 0,
                threads: Threads::default(),
                host: None,
                inputs: Vec::new(),
                stdout: Vec::new(),
                stderr: Vec::new(),
            },
            host: None,
            paused: None,
        }
    }

    /// Every run starts within this system, in the state that it has now.
    pub fn with_host(mut self, host: Host) -> Self {
        self.host = Some(host);
        self
    }

    /// The next runs take at most so many steps.
    pub fn limit_steps(&mut self, max_steps: u64) {
        self.options.max_steps = max_steps;
    }

    /// What the last run was told by its clocks, to tell another the same.
    pub fn clock_readings(&self) -> &[i64] {
        self.parts.host.as_ref().map_or(&[], Host::clock_readings)
    }

    /// Runs the program from its start to its end.
    pub fn run<O: Observer>(
        &mut self,
        source: &mut dyn InputSource,
        observer: &mut O,
        budget: &Budget,
    ) -> Outcome {
        self.give_up();
        let outcome = self.go_on(source, observer, budget);
        self.give_up();
        outcome
    }

    /// As [`run`](Self::run), for somebody who wants what the program writes and nothing else. The loop that does it is
    /// part of this crate, and as fast as the crate is compiled to be; those of other observers are compiled with
    /// whatever crate asks for them.
    pub fn run_writing(
        &mut self,
        source: &mut dyn InputSource,
        write: &mut dyn FnMut(Stream, &[u8]),
        budget: &Budget,
    ) -> Outcome {
        self.run(source, &mut OutputOnly(write), budget)
    }

    /// As [`run`](Self::run), but if the source has no more inputs when the program asks for one, the run waits
    /// there ([`End::InputsEnded`]): the next call goes on, and the outcome has what was printed since the last one.
    /// Steps are those since the start. A run waits only where the program itself wants an input, not where it reads memory that nobody wrote.
    pub fn go_on<O: Observer>(
        &mut self,
        source: &mut dyn InputSource,
        observer: &mut O,
        budget: &Budget,
    ) -> Outcome {
        let code = self.compiled.code::<O>(self.options.check_leaks);
        let program = &*self.compiled.program;
        let pause = self.paused.take().unwrap_or_else(|| {
            self.parts.host.clone_from(&self.host);
            let schedule = self.host.as_ref().map_or(0, Host::schedule);
            self.parts.threads.reset(schedule);
            Pause {
                pc: code.functions[program.start.index()].start as usize,
                meter: Meter::default(),
            }
        });
        let mut context = Context {
            program,
            code,
            options: &self.options,
            source,
            // A run has it in its own activation, where the loop reaches it without a pointer.
            parts: std::mem::take(&mut self.parts),
            budget,
            meter: pause.meter,
            halt: Halt::Stopped,
        };
        let Ended {
            halt,
            pc,
            steps,
            is_counted,
        } = execute(
            &mut context,
            &mut self.stack,
            &mut self.frames,
            observer,
            pause.pc,
        );
        self.parts = context.parts;
        let meter = context.meter;
        let site = code.site_at(pc);
        let place = code.place_at(pc);
        let is_own =
            |place: &CodePlace| program.function(place.function).origin == FunctionOrigin::User;
        let callers = self.frames.iter().rev();
        let called_from = if is_own(&place) {
            None
        } else {
            callers
                .map(|f| code.place_at(f.pc as usize - 1))
                .find(is_own)
        };
        // Blocks that were begun and not left have not been counted.
        let open: u64 = self
            .frames
            .iter()
            .map(|f| u64::from(code.site_at(f.pc as usize - 1).uncounted))
            .sum();
        let last = if is_counted {
            0
        } else {
            u64::from(site.uncounted)
        };
        let end = match halt {
            Halt::Exit(status) => End::Exit(status),
            Halt::Abort => End::Abort,
            Halt::Error(block) => {
                match &program
                    .function(place.function)
                    .block(block)
                    .terminator
                    .kind
                {
                    idiolect_ir::TerminatorKind::Error(kind) => End::Error(kind.clone()),
                    _ => End::Abort,
                }
            }
            Halt::Fault(fault) => End::Fault(fault),
            Halt::AssumeEnded => End::AssumeEnded,
            Halt::Trap(index) => End::Trap(index),
            Halt::Limit(reason) => End::Limit(reason),
            Halt::InputsEnded => End::InputsEnded,
            Halt::Stopped => End::Stopped,
        };
        let outcome = Outcome {
            end,
            place,
            called_from,
            inputs: std::mem::take(&mut self.parts.inputs),
            steps: steps + open + last,
            stdout: std::mem::take(&mut self.parts.stdout),
            stderr: std::mem::take(&mut self.parts.stderr),
        };
        match code.instrs.get(pc) {
            Some(Instr::Input { .. }) if outcome.end == End::InputsEnded => {
                self.paused = Some(Pause { pc, meter });
            }
            _ => self.reset(),
        }
        outcome
    }

    /// Whether a run waits for its next input.
    pub fn waits(&self) -> bool {
        self.paused.is_some()
    }

    /// Ends a run that waits.
    pub fn give_up(&mut self) {
        if self.paused.take().is_some() {
            self.reset();
        }
    }

    /// Everything about a run that waits for an input.
    pub fn snapshot(&self) -> Option<Snapshot> {
        let pause = self.paused?;
        let parts = &self.parts;
        let n_registers = (pause.meter.fp as usize + WINDOW).min(self.stack.len());
        Some(Snapshot {
            pause,
            stack: self.stack[..n_registers].to_vec(),
            frames: self.frames.clone(),
            memory: parts.memory.snapshot(&self.compiled.image),
            far: parts.far.clone(),
            far_base: parts.far_base,
            arguments: parts.arguments.clone(),
            scopes: parts.scopes.clone(),
            objects: parts.objects.clone(),
            jumps: parts.jumps.clone(),
            n_jumps: parts.n_jumps,
            threads: parts.threads.clone(),
            host: parts.host.clone(),
        })
    }

    /// Makes the run of a snapshot the one that waits. The snapshot has to be of the same program, taken with the same
    /// options and the same kind of observer.
    pub fn restore(&mut self, to: &Snapshot) {
        self.reset();
        if self.stack.len() < to.stack.len() {
            self.stack.resize(to.stack.len(), 0);
        }
        self.stack[..to.stack.len()].copy_from_slice(&to.stack);
        self.frames.clone_from(&to.frames);
        let parts = &mut self.parts;
        parts.memory.restore(&self.compiled.image, &to.memory);
        parts.far.clone_from(&to.far);
        parts.far_base = to.far_base;
        parts.arguments.clone_from(&to.arguments);
        parts.scopes.clone_from(&to.scopes);
        parts.objects.clone_from(&to.objects);
        parts.jumps.clone_from(&to.jumps);
        parts.n_jumps = to.n_jumps;
        parts.threads.clone_from(&to.threads);
        parts.host.clone_from(&to.host);
        self.paused = Some(to.pause);
    }

    fn reset(&mut self) {
        self.frames.clear();
        let parts = &mut self.parts;
        parts.memory.reset(&self.compiled.image);
        parts.far.clear();
        parts.far_base = 0;
        parts.arguments.clear();
        parts.scopes.clear();
        parts.objects.clear();
        parts.jumps.clear();
        parts.n_jumps = 0;
        parts.threads.reset(0);
        const KEEP: usize = 1 << 20;
        if self.stack.len() > KEEP {
            self.stack.truncate(KEEP);
            self.stack.shrink_to_fit();
        }
    }
}
