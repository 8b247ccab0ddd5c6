//! Whatever the verifier accepts runs to an end, and twice to the same one.

use idiolect_base::{Budget, Rng, StopReason};
use idiolect_interp::{
    CompileOptions, Compiled, Decisions, Effect, End, FixedInputs, Machine, NoInputs, NoObserver,
    Observer, Outcome, RandomInputs, RunOptions, Spread, Value, View,
};
use idiolect_ir::testing::{Shape, any_program_of};
use idiolect_ir::{Builtin, FuncId, MarkId, verify};
use std::ops::ControlFlow;

/// Looks at everything it is shown.
#[derive(Default)]
struct Everything {
    n_before: u64,
    n_after: u64,
    n_decisions: u64,
    n_other: u64,
}

impl Observer for Everything {
    const DECISIONS: bool = true;
    const EVENTS: bool = true;
    const CALLS: bool = true;
    const STATEMENTS: bool = true;

    fn decision(&mut self, _: FuncId, _: idiolect_ir::BlockId, _: bool) -> ControlFlow<()> {
        self.n_decisions += 1;
        ControlFlow::Continue(())
    }

    fn entered(&mut self, view: &View<'_>) -> ControlFlow<()> {
        self.n_other += view.depth() as u64;
        ControlFlow::Continue(())
    }

    fn marked(&mut self, _: &View<'_>, _: MarkId) -> ControlFlow<()> {
        self.n_other += 1;
        ControlFlow::Continue(())
    }

    fn called(&mut self, _: &View<'_>, _: FuncId, arguments: &[Value]) {
        self.n_other += arguments.len() as u64;
    }

    fn returned(&mut self, _: &View<'_>, result: Option<Value>) {
        self.n_other += u64::from(result.is_some());
    }

    fn built_in(&mut self, _: &View<'_>, _: Builtin, args: &[Value], _: Option<Value>) {
        self.n_other += args.len() as u64;
    }

    fn before(&mut self, view: &View<'_>) -> ControlFlow<()> {
        self.n_before += 1;
        let function = view.program().function(view.function());
        for local in (0..function.locals.len()).map(idiolect_ir::LocalId::new) {
            if let Some(address) = view.local_address(local) {
                let _ = view.load(address, idiolect_ir::Ty::Int(8));
                let _ = view.pointee(address);
            }
            let _ = view.local(local);
        }
        ControlFlow::Continue(())
    }

    fn after(&mut self, _: &View<'_>, effect: &Effect) {
        self.n_after += u64::from(*effect != Effect::None);
    }
}

fn same_run(a: &Outcome, b: &Outcome, seed: u64) {
    assert_eq!(a.end, b.end, "seed {seed}");
    assert_eq!(a.inputs, b.inputs, "seed {seed}");
    assert_eq!(a.stdout, b.stdout, "seed {seed}");
    assert_eq!(a.steps, b.steps, "seed {seed}");
    assert_eq!(a.place, b.place, "seed {seed}");
}

#[test]
fn every_well_formed_program_runs_to_an_end_and_can_be_replayed() {
    let options = RunOptions {
        max_steps: 20_000,
        max_memory: 1 << 22,
        max_frames: 200,
        max_output: 1 << 16,
        check_leaks: false,
    };
    let shapes = [
        Shape::default(),
        Shape {
            max_functions: 6,
            max_blocks: 12,
            max_stmts: 3,
            max_depth: 6,
        },
    ];
    for seed in 0..3000 {
        let program = any_program_of(seed, shapes[seed as usize % 2]);
        assert_eq!(verify(&program), Ok(()));
        let compiled = Compiled::new(
            program.into(),
            &CompileOptions {
                check_overflow: seed % 3 == 0,
            },
        );
        let mut machine = Machine::new(&compiled, options);
        let budget = Budget::unlimited();
        let mut random = RandomInputs::new(Rng::new(seed, 1), Spread::Mixed);
        let first = machine.run(&mut random, &mut NoObserver, &budget);
        let bits: Vec<u128> = first.inputs.iter().map(|i| i.bits).collect();
        let replay = || FixedInputs::new(bits.clone(), NoInputs);
        let second = machine.run(&mut replay(), &mut NoObserver, &budget);
        same_run(&first, &second, seed);
        // The limit of steps is noticed at jumps, and hooks change where those are.
        if first.end == End::Limit(StopReason::Steps) {
            continue;
        }
        let mut fresh = Machine::new(&compiled, options);
        let mut everything = Everything::default();
        let third = fresh.run(&mut replay(), &mut everything, &budget);
        same_run(&first, &third, seed);
        let fourth = fresh.run(&mut replay(), &mut Decisions::default(), &budget);
        same_run(&first, &fourth, seed);
        // Each step was announced.
        assert_eq!(everything.n_before, first.steps, "seed {seed}");
    }
}
