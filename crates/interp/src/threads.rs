//! Threads of a run: one goes on at a time, and a seeded choice says which.
//!
//! A thread has its own stacks; memory is common. Those of the thread that runs are where a run without threads has
//! them, those of all others are here. Between any two accesses to memory of the program's own functions another
//! thread may take over ([`Context::is_due`]), so that races show; the same seed makes the same choices.

use crate::code::{ThreadOp, WINDOW};
use crate::context::{Context, Halt, fault};
use crate::jump::Jump;
use crate::machine::Scope;
use crate::run::Frame;
use idiolect_base::StopReason;
use idiolect_ir::FaultKind;

/// More threads than any test starts.
const MAX_THREADS: usize = 1 << 12;
/// Registers that a new thread has room for.
const FIRST_STACK: usize = WINDOW * 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Ready,
    /// Until somebody wakes those who wait on this; the register takes whether time ran out.
    Waiting {
        on: u64,
        is_timed: bool,
        register: u8,
    },
    Done,
}

/// A thread that does not run now; of the one that runs, only the state counts.
#[derive(Clone, Debug)]
struct Thread {
    state: State,
    stack: Vec<u64>,
    frames: Vec<Frame>,
    pc: usize,
    fp: u32,
    far: Vec<u64>,
    far_base: usize,
    arguments: Vec<u64>,
    scopes: Vec<Scope>,
    objects: Vec<(u64, bool)>,
    jumps: Vec<Jump>,
}

impl Thread {
    fn new(state: State) -> Self {
        Self {
            state,
            stack: Vec::new(),
            frames: Vec::new(),
            pc: 0,
            fp: 0,
            far: Vec::new(),
            far_base: 0,
            arguments: Vec::new(),
            scopes: Vec::new(),
            objects: Vec::new(),
            jumps: Vec::new(),
        }
    }
}

/// All threads of a run. There are none before the first one is created beside the program's own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Threads {
    all: Vec<Thread>,
    current: usize,
    /// Accesses until the next choice.
    left: u32,
    random: u64,
    /// What is done now is atomic.
    is_held: bool,
}

impl Threads {
    /// The choices of a run that begins.
    pub(crate) fn reset(&mut self, schedule: u64) {
        self.all.clear();
        self.current = 0;
        self.left = 0;
        self.random = schedule;
        self.is_held = false;
    }

    /// SplitMix64.
    fn draw(&mut self, below: usize) -> usize {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % below.max(1) as u64) as usize
    }

    /// Turns are short or long: some errors need many changes, others a thread that comes far.
    fn new_turn(&mut self) {
        let longest = [3, 12, 60, 400][self.draw(4)];
        self.left = 1 + self.draw(longest) as u32;
    }

    fn ready(&self) -> Vec<usize> {
        (0..self.all.len())
            .filter(|&i| self.all[i].state == State::Ready)
            .collect()
    }

    /// Registers of threads that do not run now.
    pub(crate) fn registers(&self) -> impl Iterator<Item = u64> + '_ {
        let stacks = self.all.iter().flat_map(|t| t.stack.iter().chain(&t.far));
        stacks.copied()
    }
}

impl Context<'_> {
    /// Whether another thread takes over here.
    #[inline]
    pub(crate) fn is_due(&mut self) -> bool {
        let threads = &mut self.parts.threads;
        if threads.all.len() < 2 || threads.is_held {
            return false;
        }
        threads.left = threads.left.saturating_sub(1);
        threads.left == 0
    }

    /// Does what a thread asks for. The register takes the answer, that of a sleeper when it is woken.
    pub(crate) fn thread_call(
        &mut self,
        op: ThreadOp,
        a: u64,
        v: u64,
        register: u8,
    ) -> Result<u64, Halt> {
        Ok(match op {
            ThreadOp::Create => {
                let start = self.function_start(a)?;
                self.create_thread(start, v)?
            }
            ThreadOp::Wait => {
                self.sleep(a, v as u32 != 0, register);
                0
            }
            ThreadOp::Wake => self.wake(a, v as i32),
            ThreadOp::This => self.parts.threads.current as u64,
            ThreadOp::Exit => {
                self.end_thread();
                0
            }
            ThreadOp::Yield => 0,
            ThreadOp::Hold => {
                self.parts.threads.is_held = a as u32 != 0;
                0
            }
        })
    }

    /// Whether another thread takes over after that.
    pub(crate) fn gives_way(&self, op: ThreadOp) -> bool {
        match op {
            ThreadOp::Wait | ThreadOp::Exit => true,
            ThreadOp::Yield => self.parts.threads.all.len() > 1,
            _ => false,
        }
    }

    /// A thread that begins with a function and its one argument.
    fn create_thread(&mut self, pc: usize, argument: u64) -> Result<u64, Halt> {
        let threads = &mut self.parts.threads;
        if threads.all.is_empty() {
            threads.all.push(Thread::new(State::Ready));
            threads.new_turn();
        }
        if threads.all.len() >= MAX_THREADS {
            return Err(Halt::Limit(StopReason::Memory));
        }
        let mut new = Thread::new(State::Ready);
        new.pc = pc;
        new.stack = vec![0; FIRST_STACK];
        new.stack[0] = argument;
        threads.all.push(new);
        Ok(threads.all.len() as u64 - 1)
    }

    /// Wakes so many of those who wait on an address, or all.
    fn wake(&mut self, on: u64, n: i32) -> u64 {
        let threads = &mut self.parts.threads;
        let waits = |t: &Thread| matches!(t.state, State::Waiting { on: at, .. } if at == on);
        let mut waiting: Vec<usize> = (0..threads.all.len())
            .filter(|&i| waits(&threads.all[i]))
            .collect();
        let mut n_woken = 0;
        while !waiting.is_empty() && (n < 0 || n_woken < n) {
            let chosen = threads.draw(waiting.len());
            let chosen = waiting.remove(chosen);
            threads.resume(chosen, 0);
            n_woken += 1;
        }
        n_woken as u64
    }

    /// This thread goes to sleep.
    fn sleep(&mut self, on: u64, is_timed: bool, register: u8) {
        let threads = &mut self.parts.threads;
        if threads.all.is_empty() {
            threads.all.push(Thread::new(State::Ready));
        }
        threads.all[threads.current].state = State::Waiting {
            on,
            is_timed,
            register,
        };
    }

    /// This thread has ended.
    fn end_thread(&mut self) {
        while !self.parts.scopes.is_empty() {
            self.leave_locals();
        }
        let threads = &mut self.parts.threads;
        if threads.all.is_empty() {
            threads.all.push(Thread::new(State::Ready));
        }
        threads.all[threads.current].state = State::Done;
    }

    /// Puts this thread aside, to go on at `pc`, and takes up another one: where that goes on. The stacks of the
    /// run are exchanged.
    pub(crate) fn switch(
        &mut self,
        stack: &mut Vec<u64>,
        frames: &mut Vec<Frame>,
        pc: usize,
    ) -> Result<usize, Halt> {
        let next = self.next_thread()?;
        let current = self.parts.threads.current;
        self.parts.threads.new_turn();
        if next == current {
            return Ok(pc);
        }
        self.exchange(current, stack, frames);
        self.parts.threads.all[current].pc = pc;
        if self.parts.threads.all[current].state == State::Done {
            self.parts.threads.all[current].stack = Vec::new();
        }
        self.parts.threads.current = next;
        self.exchange(next, stack, frames);
        Ok(self.parts.threads.all[next].pc)
    }

    /// Which thread goes on. If all wait for each other, that is a deadlock; if all have ended, so has the program.
    fn next_thread(&mut self) -> Result<usize, Halt> {
        let threads = &mut self.parts.threads;
        let mut ready = threads.ready();
        if ready.is_empty() {
            let is_timed =
                |t: &Thread| matches!(t.state, State::Waiting { is_timed, .. } if is_timed);
            let late = (0..threads.all.len()).find(|&i| is_timed(&threads.all[i]));
            if let Some(late) = late {
                threads.resume(late, 1);
                ready.push(late);
            }
        }
        if ready.is_empty() {
            let waiting = threads.all.iter().find_map(|t| match t.state {
                State::Waiting { on, .. } => Some(on),
                _ => None,
            });
            return Err(match waiting {
                Some(on) => fault(FaultKind::Deadlock, on),
                None => Halt::Exit(0),
            });
        }
        let chosen = threads.draw(ready.len());
        Ok(ready[chosen])
    }

    /// What belongs to a thread changes places with what is kept for it.
    fn exchange(&mut self, thread: usize, stack: &mut Vec<u64>, frames: &mut Vec<Frame>) {
        use std::mem::swap;
        let parts = &mut self.parts;
        let kept = &mut parts.threads.all[thread];
        swap(&mut kept.stack, stack);
        swap(&mut kept.frames, frames);
        swap(&mut kept.fp, &mut self.meter.fp);
        swap(&mut kept.far, &mut parts.far);
        swap(&mut kept.far_base, &mut parts.far_base);
        swap(&mut kept.arguments, &mut parts.arguments);
        swap(&mut kept.scopes, &mut parts.scopes);
        swap(&mut kept.objects, &mut parts.objects);
        swap(&mut kept.jumps, &mut parts.jumps);
    }
}

impl Threads {
    /// A thread that slept may go on, and hears whether time ran out.
    fn resume(&mut self, thread: usize, is_late: u64) {
        let kept = &mut self.all[thread];
        let State::Waiting { register, .. } = kept.state else {
            return;
        };
        kept.state = State::Ready;
        let at = kept.fp as usize + usize::from(register);
        // Of the thread that slept last the stack is still the run's: it has heard 0.
        if let Some(slot) = kept.stack.get_mut(at) {
            *slot = is_late;
        }
    }
}
