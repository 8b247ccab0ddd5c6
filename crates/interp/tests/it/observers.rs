//! What observers see.

use crate::common;

use common::{compile, run_with};
use idiolect_interp::{
    Decisions, Effect, End, NoObserver, ObjectKind, Observer, ReadError, Value, View,
};
use idiolect_ir::{Builtin, FuncId, FunctionOrigin, GlobalId, MarkId, Ty};
use std::ops::ControlFlow;

const PROGRAM: &str =
    "int __VERIFIER_nondet_int(void); void *malloc(unsigned long); void free(void *);
    int g = 3;
    static int twice(int x) { return x + x; }
    int main() { int i, s = 0; int n = __VERIFIER_nondet_int();
      for (i = 0; i < n; i++) { if (i % 2 == 0 && i != 2) s += twice(i); else s++; }
    done: free(malloc(4)); g = s; return s; }";

#[test]
fn decisions_are_one_bit_for_each_branch() {
    let compiled = compile(PROGRAM);
    let mut decisions = Decisions::default();
    let outcome = run_with(&compiled, &[3], &mut decisions);
    assert_eq!(outcome.end, End::Exit(2));
    let text: String = decisions
        .taken
        .iter()
        .map(|&t| if t { '1' } else { '0' })
        .collect();
    // Loop test and `if` in turn: 0 is even, 1 is odd, 2 is even and left out, the end.
    assert_eq!(text, "1110100");
    let mut cut = Decisions {
        limit: 4,
        ..Decisions::default()
    };
    assert_eq!(run_with(&compiled, &[3], &mut cut).end, End::Stopped);
    assert_eq!(cut.taken, decisions.taken[..4]);
}

#[derive(Default)]
struct Events(Vec<String>);

impl Observer for Events {
    const EVENTS: bool = true;
    const CALLS: bool = true;

    fn entered(&mut self, view: &View<'_>) -> ControlFlow<()> {
        let function = view.program().function(view.function());
        if function.origin == FunctionOrigin::User {
            self.0.push(format!("enter {}", function.name));
        }
        ControlFlow::Continue(())
    }

    fn marked(&mut self, view: &View<'_>, mark: MarkId) -> ControlFlow<()> {
        self.0
            .push(format!("mark {}", view.program().marks[mark.index()].name));
        ControlFlow::Continue(())
    }

    fn called(&mut self, view: &View<'_>, callee: FuncId, arguments: &[Value]) {
        let bits: Vec<u128> = arguments.iter().map(|a| a.bits).collect();
        let name = &view.program().function(callee).name;
        self.0.push(format!("call {name}{bits:?}"));
    }

    fn returned(&mut self, view: &View<'_>, result: Option<Value>) {
        let name = &view.program().function(view.function()).name;
        self.0
            .push(format!("{name} = {:?}", result.map(|r| r.bits)));
    }

    fn built_in(
        &mut self,
        view: &View<'_>,
        builtin: Builtin,
        args: &[Value],
        result: Option<Value>,
    ) {
        if let (Builtin::Malloc, Some(result)) = (builtin, result) {
            let pointee = view.pointee(result.bits as u64).unwrap();
            assert_eq!(pointee.kind, ObjectKind::Heap { number: 0 });
            assert_eq!(u128::from(pointee.size), args[0].bits);
            self.0.push("allocated".to_owned());
        }
    }
}

#[test]
fn events_and_calls_come_in_order_with_their_values() {
    let mut events = Events::default();
    run_with(&compile(PROGRAM), &[2], &mut events);
    let wanted = [
        "enter main",
        "call twice[0]",
        "enter twice",
        "twice = Some(0)",
        "mark done",
        "allocated",
        "main = Some(1)",
    ];
    let mut seen = events.0.iter();
    for event in wanted {
        assert!(seen.any(|e| e == event), "{event} in {:?}", events.0);
    }
}

#[derive(Default)]
struct Assignments(Vec<String>);

impl Observer for Assignments {
    const STATEMENTS: bool = true;

    fn after(&mut self, view: &View<'_>, effect: &Effect) {
        let function = view.program().function(view.function());
        if function.origin != FunctionOrigin::User {
            return;
        }
        match effect {
            Effect::Assigned { local, value } => {
                let name = &function.local(*local).name;
                self.0.push(format!("{name}={}", value.bits));
            }
            Effect::Stored { address, value } => {
                let pointee = view.pointee(*address).unwrap();
                assert_eq!(pointee.kind, ObjectKind::Global(GlobalId(0)));
                assert_eq!(view.load(*address, value.ty), Ok(*value));
                self.0.push(format!("g:={}", value.bits));
            }
            Effect::Result(value) => self.0.push(format!("return {}", value.bits)),
            Effect::None => {}
        }
    }
}

#[test]
fn statements_tell_what_they_assigned() {
    let mut seen = Assignments::default();
    run_with(&compile(PROGRAM), &[1], &mut seen);
    let text = seen.0.join(" ");
    for part in ["s=0", "n=1", "i=0", "return 0", "i=1", "g:=0"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

/// Follows a list from a local variable whenever a certain line is reached.
#[derive(Default)]
struct Lists {
    seen: Vec<Vec<u128>>,
}

impl Observer for Lists {
    const STATEMENTS: bool = true;

    fn before(&mut self, view: &View<'_>) -> ControlFlow<()> {
        let program = view.program();
        let function = program.function(view.function());
        let place = program.sources.place(view.place().span);
        if function.name != "main" || place.is_none_or(|p| p.line != 4) {
            return ControlFlow::Continue(());
        }
        let local = function
            .locals
            .iter()
            .position(|l| l.name == "head")
            .unwrap();
        let mut at = view.local(idiolect_ir::LocalId::new(local)).unwrap().bits as u64;
        let mut values = Vec::new();
        while at != 0 {
            values.push(view.load(at, Ty::Int(32)).unwrap().bits);
            at = view.load(at + 8, Ty::Ptr).unwrap().bits as u64;
        }
        self.seen.push(values);
        ControlFlow::Continue(())
    }
}

#[test]
fn snapshots_can_follow_lists() {
    let text = "void *malloc(unsigned long); struct n { int v; struct n *next; };
        int main() { struct n *head = 0; int i; for (i = 1; i < 4; i++) {
        struct n *p = malloc(sizeof *p); p->v = i; p->next = head; head = p;
        i = i;
        } return 0; }";
    let mut lists = Lists::default();
    run_with(&compile(text), &[], &mut lists);
    assert_eq!(lists.seen, [vec![1], vec![2, 1], vec![3, 2, 1]]);
}

/// Reading what is not there.
struct Probing;

impl Observer for Probing {
    const EVENTS: bool = true;

    fn marked(&mut self, view: &View<'_>, _: MarkId) -> ControlFlow<()> {
        let function = view.program().function(view.function());
        let a = function.locals.iter().position(|l| l.name == "a").unwrap();
        let a = view.local_address(idiolect_ir::LocalId::new(a)).unwrap();
        assert_eq!(view.load(a, Ty::Int(8)), Err(ReadError::Unwritten));
        assert_eq!(view.load(a + 1, Ty::Int(8)).unwrap().bits, 104);
        assert_eq!(view.c_string(a + 1, 10).unwrap(), b"hi");
        assert!(matches!(
            view.load(a + 4, Ty::Int(8)),
            Err(ReadError::Fault(_))
        ));
        ControlFlow::Break(())
    }
}

#[test]
fn a_view_reads_without_changing_anything() {
    let text =
        "int main() { char a[4]; char *p = a; p[1] = 'h'; p[2] = 'i'; p[3] = 0; here: return 0; }";
    assert_eq!(
        run_with(&compile(text), &[], &mut Probing).end,
        End::Stopped
    );
    assert_eq!(
        run_with(&compile(text), &[], &mut NoObserver).end,
        End::Exit(0)
    );
}
