//! What a user may listen to while a program runs.
//!
//! [`events`] lists every event that a program can have, with a name that depends on the source
//! alone and so stays the same while the program is analysed, and from one revision to the next
//! as far as the source does:
//!
//! | event | name |
//! |---|---|
//! | entry of a user's function, except the entry function | `f` |
//! | decision of a user's function | `branch:main.c:12=1`; the second one on that line `branch:main.c:12#2=1` |
//! | label | `label:again` |
//! | mark in the source | `mark:3` |
//! | predicate at a line | as the user gave it: `main.c:120 len > 8` |
//!
//! Things with the same name are one event: a label `out` in two functions, for instance.

use crate::program::{FuncId, FunctionOrigin, MarkId, MarkKind, Program};
use crate::stmt::{BlockId, TerminatorKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum EventKind {
    Call,
    Branch,
    Label,
    /// `Learn(id)` and the like.
    Mark,
    Predicate,
}

/// Where in a program an event comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum EventSite {
    /// The function is entered.
    Entry(FuncId),
    /// The branch at the end of the block comes out like this.
    Decision {
        function: FuncId,
        block: BlockId,
        outcome: bool,
    },
    /// A statement with this mark is executed, and its condition holds, if it has one.
    Mark(MarkId),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListenedEvent {
    pub name: String,
    pub kind: EventKind,
    /// At least one.
    pub sites: Vec<EventSite>,
}

impl ListenedEvent {
    /// Whether a user who writes this on the command line means the event: `call:f`, `label:L`,
    /// `mark:3`, `branch:FILE:LINE` for both outcomes of all branches there, or the full name.
    /// The file may be given without its directories.
    pub fn is_meant_by(&self, spec: &str) -> bool {
        if self.name == spec {
            return true;
        }
        match self.kind {
            EventKind::Call => spec.strip_prefix("call:") == Some(&self.name),
            EventKind::Branch => {
                let (Some(wanted), Some(own)) = (
                    spec.strip_prefix("branch:"),
                    self.name.strip_prefix("branch:"),
                ) else {
                    return false;
                };
                // Cut off number and outcome as far as the user left them out.
                let place = own.rsplit_once('=').map_or(own, |(place, _)| place);
                let line = place.rsplit_once('#').map_or(place, |(line, _)| line);
                [own, place, line].iter().any(|own| {
                    own.strip_suffix(wanted)
                        .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
                })
            }
            EventKind::Label | EventKind::Mark | EventKind::Predicate => false,
        }
    }
}

/// All events of a program, each name once: calls, then branches, then marks, in the order of the
/// program.
pub fn events(program: &Program) -> Vec<ListenedEvent> {
    let mut list = EventList::default();
    for id in program.function_ids() {
        let function = program.function(id);
        if function.origin == FunctionOrigin::User && id != program.entry {
            list.add(&function.name, EventKind::Call, EventSite::Entry(id));
        }
    }
    for (function, block, name) in branch_names(program) {
        for outcome in [true, false] {
            let name = format!("{name}={}", u8::from(outcome));
            let site = EventSite::Decision {
                function,
                block,
                outcome,
            };
            list.add(&name, EventKind::Branch, site);
        }
    }
    for (i, mark) in program.marks.iter().enumerate() {
        let (name, kind) = match mark.kind {
            MarkKind::Label => (format!("label:{}", mark.name), EventKind::Label),
            MarkKind::User => (format!("mark:{}", mark.name), EventKind::Mark),
            MarkKind::Predicate => (mark.name.clone(), EventKind::Predicate),
        };
        list.add(&name, kind, EventSite::Mark(MarkId::new(i)));
    }
    list.events
}

#[derive(Default)]
struct EventList {
    events: Vec<ListenedEvent>,
    index: FxHashMap<String, usize>,
}

impl EventList {
    fn add(&mut self, name: &str, kind: EventKind, site: EventSite) {
        if let Some(&known) = self.index.get(name) {
            self.events[known].sites.push(site);
            return;
        }
        self.index.insert(name.to_owned(), self.events.len());
        self.events.push(ListenedEvent {
            name: name.to_owned(),
            kind,
            sites: vec![site],
        });
    }
}

/// The branches of the user's functions, in program order, with their names.
fn branch_names(program: &Program) -> Vec<(FuncId, BlockId, String)> {
    let mut found = Vec::new();
    let mut on_line: BTreeMap<(String, u32), Vec<(u32, usize)>> = BTreeMap::new();
    for id in program.function_ids() {
        let function = program.function(id);
        if function.origin != FunctionOrigin::User {
            continue;
        }
        for (block, body) in function.block_ids().zip(&function.blocks) {
            if !matches!(body.terminator.kind, TerminatorKind::Branch { .. }) {
                continue;
            }
            let span = body.terminator.span;
            match program.sources.place(span) {
                Some(place) => {
                    let line = on_line.entry((place.file, place.line)).or_default();
                    line.push((span.start, found.len()));
                    found.push((id, block, String::new()));
                }
                // Without a place there is still the order in the function.
                None => {
                    let name = format!("branch:{}.b{}", function.name, block.0);
                    found.push((id, block, name));
                }
            }
        }
    }
    for ((file, line), mut branches) in on_line {
        // From left to right; the order of blocks is an accident of lowering.
        branches.sort_unstable();
        for (i, (_, index)) in branches.into_iter().enumerate() {
            found[index].2 = match i {
                0 => format!("branch:{file}:{line}"),
                _ => format!("branch:{file}:{line}#{}", i + 1),
            };
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;
    use idiolect_base::Span;

    #[test]
    fn events_have_names_from_the_source() {
        let mut program = parse(
            r#"program lp64 start %start entry main
type t0 = void
type t1 = fn() -> t0
mark m0 label "out"
mark m1 user "3"
mark m2 predicate "m.c:9 x > 8"
mark m3 label "out"
fn main() : t1 user {
b0:
  branch true b1 b2
b1:
  branch true b2 b2
b2:
  branch false b0 b3
b3:
  return
}
fn f() : t1 user {
b0:
  branch true b0 b0
}
fn strlen() : t1 library {
b0:
  branch true b0 b0
}
fn %start() : t1 synthetic {
b0:
  branch true b0 b0
}
"#,
        )
        .unwrap();
        let source = program.sources.add("m.c", "if (a) if (b)\n  c;\n".into());
        let spans = [(7, 13), (0, 6), (16, 17)];
        for (block, (start, end)) in spans.into_iter().enumerate() {
            program.functions[0].blocks[block].terminator.span = Span::new(source, start, end);
        }
        let all = events(&program);
        let names: Vec<&str> = all.iter().map(|e| e.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "f",
                "branch:m.c:1#2=1",
                "branch:m.c:1#2=0",
                "branch:m.c:1=1",
                "branch:m.c:1=0",
                "branch:m.c:2=1",
                "branch:m.c:2=0",
                "branch:f.b0=1",
                "branch:f.b0=0",
                "label:out",
                "mark:3",
                "m.c:9 x > 8",
            ]
        );
        let meant = |spec: &str| -> Vec<usize> {
            let found = all.iter().enumerate().filter(|(_, e)| e.is_meant_by(spec));
            found.map(|(i, _)| i).collect()
        };
        assert_eq!(meant("call:f"), [0]);
        assert_eq!(meant("f"), [0]);
        assert_eq!(meant("branch:m.c:1"), [1, 2, 3, 4]);
        assert_eq!(meant("branch:m.c:1#2"), [1, 2]);
        assert_eq!(meant("branch:m.c:2=0"), [6]);
        assert_eq!(meant("branch:.c:2"), [0; 0]);
        assert_eq!(meant("label:out"), [9]);
        assert_eq!(meant("m.c:9 x > 8"), [11]);
        let labels = [EventSite::Mark(MarkId(0)), EventSite::Mark(MarkId(3))];
        assert_eq!(all[9].sites, labels);
    }
}
