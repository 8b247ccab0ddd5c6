//! Inputs beside arrays and lists that are passed by value: heads of lists that a function may change,
//! lists and arrays in global variables, arrays of records. What is learned of them is proved, and
//! never of a wrong program.

use crate::support;

use idiolect_base::Budget;
use idiolect_invariants::points::{self, Wanted};
use idiolect_invariants::proof::{self, Claim, Doubt, Goal, Verdict};
use idiolect_invariants::refine::{self, Refined, Wish};
use idiolect_invariants::{session, signature};
use idiolect_quantified::formula::Formula;
use idiolect_quantified::point::{Point, PointKind};
use idiolect_quantified::roles::Roles;
use idiolect_quantified::show;

struct Case {
    file: &'static str,
    function: &'static str,
    assume: &'static [&'static str],
    lengths: u64,
    values: i64,
    quantified: usize,
}

const INSERT: Case = Case {
    file: "head-sorted-insert.c",
    function: "insert",
    assume: &["sorted(head)"],
    lengths: 4,
    values: 2,
    quantified: 2,
};
const REVERSE: Case = Case {
    file: "head-reverse.c",
    function: "reverse",
    assume: &["sorted(*head)"],
    ..INSERT
};
const LINKS: Case = Case {
    file: "head-links.c",
    function: "insert",
    assume: &["sorted(link)"],
    ..INSERT
};
const LOOKUP: Case = Case {
    file: "global-list.c",
    function: "lookup",
    assume: &["sorted(list)"],
    ..INSERT
};
const GLOBAL_INSERT: Case = Case {
    function: "insert",
    ..LOOKUP
};
const TABLE_FIND: Case = Case {
    file: "global-table.c",
    function: "find",
    assume: &[],
    lengths: 4,
    values: 1,
    quantified: 1,
};
const TABLE_FILL: Case = Case {
    function: "fill",
    ..TABLE_FIND
};
const ITEM_FIND: Case = Case {
    file: "items.c",
    function: "find",
    lengths: 3,
    ..TABLE_FIND
};
const ITEM_COPY: Case = Case {
    function: "copy",
    lengths: 2,
    ..ITEM_FIND
};
const ITEM_SORT: Case = Case {
    function: "sort",
    values: 2,
    quantified: 2,
    ..ITEM_FIND
};

impl Case {
    fn text(&self) -> String {
        support::corpus_text(self.file)
    }

    fn config(&self) -> session::Config {
        session::Config {
            lengths: 0..=self.lengths,
            values: 0..=self.values,
            max_quantified: self.quantified,
            assumptions: self.assume.iter().map(|a| (*a).to_owned()).collect(),
            n_threads: 1,
            for_proof: true,
            ..session::Config::default()
        }
    }

    fn refined(&self) -> Refined {
        let program = support::program(&self.text(), self.function);
        let function = program.function_named(self.function).expect("it is there");
        let budget = Budget::unlimited();
        let learn = |wish: Wish<'_>| {
            let config = session::Config {
                helpers: wish.helpers,
                ..self.config()
            };
            session::run_with(&program, function, &config, wish.more, &budget)
        };
        let first = learn(Wish::more(&[])).expect("it runs");
        refine::prove(&program, first, &proof::Config::default(), &budget, learn)
    }
}

fn claims(refined: &Refined) -> Vec<(Point, Formula)> {
    let points = refined.outcome.points.iter();
    let claim = |p: &session::PointOutcome| {
        let learned = p.learned.as_ref().expect("it was learned");
        (p.point.clone(), learned.formula.clone())
    };
    points.map(claim).collect()
}

/// What is proved at the loops and the exit, as text; everything is proved adequate, and holds of
/// inputs that are longer than those that it was learned from.
#[track_caller]
fn check(case: &Case, expected: &[&str]) {
    let refined = case.refined();
    let mut found = Vec::new();
    for ((point, formula), p) in claims(&refined).iter().zip(&refined.proof.points) {
        let text = show::formula(point, formula);
        assert_eq!(p.verdict, Verdict::Adequate, "{text}: {:?}", p.failures);
        if point.kind != PointKind::Entry {
            let lines = show::lines(point, formula);
            let kept = lines.into_iter().zip(&p.kept).filter(|(_, kept)| **kept);
            found.push(kept.map(|(line, _)| line).collect::<Vec<_>>().join(" ∧\n"));
        }
    }
    assert_eq!(found, expected, "\n{}\n", found.join("\n---\n"));
    let mut outcome = refined.outcome;
    for (p, proof) in outcome.points.iter_mut().zip(&refined.proof.points) {
        if let Ok(learned) = &mut p.learned {
            let mut kept = proof.kept.iter();
            let is_kept = |_: &_| *kept.next().unwrap_or(&true);
            learned.formula.conjuncts.retain(is_kept);
        }
    }
    let longer = session::Config {
        lengths: 0..=case.lengths + 1,
        ..case.config()
    };
    let program = support::program(&case.text(), case.function);
    let wrong = session::recheck(&program, &outcome, &longer, &Budget::unlimited());
    assert_eq!(wrong.expect("it runs"), None);
}

/// Formulas of the right program are not proved of a wrong one with the same variables and loops.
#[track_caller]
fn never_adequate(case: &Case, wrong: &[(&str, &str)]) {
    let right = claims(&case.refined());
    for (from, to) in wrong {
        let start = (case.text().find(&format!(" {}(", case.function))).expect("it is there");
        let text = case.text();
        let (before, rest) = text.split_at(start);
        assert!(rest.contains(from), "{from}");
        let text = format!("{before}{}", rest.replacen(from, to, 1));
        let program = support::program(&text, case.function);
        let function = program.function_named(case.function).expect("it is there");
        let roles = Roles::new(&program);
        let parameters = signature::inputs(&program, &roles, function).expect("supported");
        let points = points::points(&program, &roles, function, Some(&parameters), Wanted::ALL);
        assert_eq!(points.len(), right.len());
        let names = |p: &Point| {
            p.variables
                .iter()
                .map(|v| v.name.clone())
                .collect::<Vec<_>>()
        };
        let mut claims = Vec::new();
        for (point, (old, formula)) in points.iter().zip(&right) {
            assert_eq!(names(point), names(old), "{from} -> {to}");
            claims.push(Claim { point, formula });
        }
        let budget = Budget::unlimited();
        let proof = proof::prove(
            &program,
            function,
            &claims,
            &proof::Config::default(),
            &budget,
        );
        let is_adequate = proof.points.iter().all(|p| p.verdict == Verdict::Adequate);
        assert!(!is_adequate, "{from} -> {to}: {:?}", proof.points);
    }
}

#[test]
fn a_head_that_a_function_may_change_is_seen_through_its_pointer() {
    check(
        &INSERT,
        &[
            "*head →* prev ∧\n\
         *head →* cur ∧\n\
         (prev → cur) ∨ (*head = cur ∧ prev = nil) ∧\n\
         ∀ y1. *head →* y1 →+ cur ⇒ y1->key < k ∧\n\
         ∀ y1, y2. *head →* y1 →* y2 ⇒ y1->key ≤ y2->key",
            "*head ≠ nil ∧\n\
         (*head)->key ≤ k ∧\n\
         ∀ y1, y2. *head →* y1 →* y2 ⇒ y1->key ≤ y2->key",
        ],
    );
    never_adequate(
        &INSERT,
        &[
            ("*head = cell;", ";"),
            ("*head = cell;", "*head = cur;"),
            ("cur->key < k", "cur->key <= k"),
            ("cur != 0 && cur->key", "cur->key"),
            ("cell->key = k;", "cell->key = k + 1;"),
        ],
    );
}

#[test]
fn a_list_is_turned_round_behind_its_pointer() {
    check(
        &REVERSE,
        &[
            "*head ∦ done ∧\n\
         ∀ y1, y2. *head →* y1 →* y2 ⇒ y1->key ≤ y2->key ∧\n\
         ∀ y1, y2. *head →* y1 ∧ done →* y2 ⇒ y2->key ≤ y1->key ∧\n\
         ∀ y1, y2. done →* y1 →* y2 ⇒ y2->key ≤ y1->key",
            "∀ y1, y2. *head →* y1 →* y2 ⇒ y2->key ≤ y1->key",
        ],
    );
    never_adequate(
        &REVERSE,
        &[
            ("cell->next = done;", ";"),
            ("cell->next = done;", "cell->next = *head;"),
            ("done = cell;", "done = *head;"),
        ],
    );
}

/// A pointer that moves over the links of a list is followed by runs, but states in which it points
/// into a cell are not made: not proved, and not refuted either.
#[test]
fn links_that_a_pointer_moves_over_are_learned_and_not_proved() {
    let refined = LINKS.refined();
    let found: Vec<String> = (claims(&refined).iter())
        .map(|(point, formula)| show::formula(point, formula))
        .collect();
    let expected = [
        "∀ y1, y2. *link →* y1 →* y2 ⇒ y1->key ≤ y2->key",
        "*old(link) →* *link ∧\n∀ y1. *old(link) →* y1 →+ *link ⇒ y1->key < k ∧\n\
         ∀ y1, y2. *old(link) →* y1 →* y2 ⇒ y1->key ≤ y2->key",
        "*link ≠ nil ∧\n(*link)->key ≤ k ∧\n∀ y1, y2. *link →* y1 →* y2 ⇒ y1->key ≤ y2->key",
    ];
    assert_eq!(found, expected);
    for p in &refined.proof.points {
        assert_eq!(p.verdict, Verdict::NotProved);
        let is_link = |g: &Goal| *g == Goal::Doubt(Doubt::Link);
        assert!(
            p.failures.iter().any(|f| is_link(&f.goal)),
            "{:?}",
            p.failures
        );
    }
}

#[test]
fn lists_in_global_variables_are_inputs() {
    check(
        &LOOKUP,
        &[
            "list →* cur ∧\n\
         ∀ y1. list →* y1 →+ cur ⇒ y1->key < k ∧\n\
         ∀ y1, y2. list →* y1 →* y2 ⇒ y1->key ≤ y2->key",
            "∀ y1, y2. list →* y1 →* y2 ⇒ y1->key ≤ y2->key",
        ],
    );
    check(
        &GLOBAL_INSERT,
        &[
            "list →* prev ∧\n\
         list →* cur ∧\n\
         (prev → cur) ∨ (prev = nil ∧ cur = list) ∧\n\
         ∀ y1. list →* y1 →+ prev →+ cur ⇒ y1->key < k ∧\n\
         list →* prev ∧ prev ≠ nil ⇒ prev->key < k ∧\n\
         ∀ y1, y2. list →* y1 →* y2 ⇒ y1->key ≤ y2->key",
            "list ≠ nil ∧\n\
         list->key ≤ k ∧\n\
         ∀ y1, y2. list →* y1 →* y2 ⇒ y1->key ≤ y2->key",
        ],
    );
    never_adequate(
        &LOOKUP,
        &[
            ("cur->key < k", "cur->key <= k"),
            ("cur != 0 && cur->key", "cur->key"),
            ("cur = cur->next", "list->key = k, cur = cur->next"),
        ],
    );
    never_adequate(
        &GLOBAL_INSERT,
        &[
            ("list = cell;", ";"),
            (
                "prev->next = cell;",
                "prev->next = cell, cell->next = list;",
            ),
            ("cell->key = k;", "cell->key = k + 1;"),
        ],
    );
}

#[test]
fn arrays_in_global_variables_are_inputs() {
    check(
        &TABLE_FIND,
        &[
            "0 ≤ i ≤ count ≤ 6 ∧ i ≤ 6 ∧ 0 ≤ count ∧\n\
         6 ≤ i ⇒ count ≤ i ∧\n\
         ∀ y1. 0 ≤ y1 < i ⇒ table[y1] ≠ key",
            "0 ≤ result ≤ count ≤ 6 ∧ result ≤ 6 ∧ 0 ≤ count ∧\n\
         6 ≤ result ⇒ count ≤ result ∧\n\
         result < count ∧ result < 6 ⇒ table[result] = key ∧\n\
         ∀ y1. 0 ≤ y1 < result ⇒ table[y1] ≠ key",
        ],
    );
    check(
        &TABLE_FILL,
        &[
            "0 ≤ i ≤ 6 ∧\n\
         ∀ y1. 0 ≤ y1 < i ⇒ table[y1] = value",
            "∀ y1. 0 ≤ y1 < 6 ⇒ table[y1] = value",
        ],
    );
    never_adequate(
        &TABLE_FIND,
        &[
            ("i < count", "i <= count"),
            ("table[i] != key", "table[i] == key"),
            ("int i = 0", "int i = 1"),
        ],
    );
    never_adequate(
        &TABLE_FILL,
        &[
            ("i < 6", "i < 5"),
            ("i < 6", "i <= 6"),
            ("table[i] = value", "table[i] = value + 1"),
            ("i = 0", "i = 1"),
        ],
    );
}

#[test]
fn arrays_of_records_have_a_datum_for_each_member() {
    check(
        &ITEM_FIND,
        &[
            "0 ≤ i ≤ n ∧\n\
         ∀ y1. 0 ≤ y1 < i ⇒ a[y1].key ≠ key",
            "0 ≤ result ≤ n ∧\n\
         result < n ⇒ a[result].key = key ∧\n\
         ∀ y1. 0 ≤ y1 < result ⇒ a[y1].key ≠ key",
        ],
    );
    check(
        &ITEM_COPY,
        &[
            "0 ≤ i ≤ n ∧\n\
         ∀ y1. 0 ≤ y1 < i ⇒ a[y1].key = b[y1].key ∧ a[y1].value = b[y1].value",
            "∀ y1. 0 ≤ y1 < n ⇒ a[y1].key = b[y1].key ∧ a[y1].value = b[y1].value",
        ],
    );
    never_adequate(
        &ITEM_FIND,
        &[
            ("i < n", "i <= n"),
            ("a[i].key != key", "a[i].value != key"),
            ("a[i].key != key", "a[i + 1].key != key"),
        ],
    );
    never_adequate(
        &ITEM_COPY,
        &[
            ("b[i] = a[i]", "b[i].key = a[i].key"),
            ("b[i] = a[i]", "a[i] = b[n - 1]"),
            ("i < n", "i < n - 1"),
        ],
    );
}

#[test]
fn records_are_sorted_by_a_member() {
    check(
        &ITEM_SORT,
        &[
            "0 < i ∧\n\
         ∀ y1, y2. 0 ≤ y1 ≤ y2 < i ∧ y2 < n ⇒ a[y1].key ≤ a[y2].key",
            "0 ≤ j ≤ i < n ∧ j < n ∧ 0 < i ∧\n\
         i = j ⇒ j ≠ 0 ∧\n\
         i = j ⇒ a[i].key ≤ key ∧ a[i].value = value ∧\n\
         ∀ y1. j ≤ y1 ≤ i ⇒ key ≤ a[y1].key ∧\n\
         ∀ y1. j < y1 ≤ i ⇒ a[y1].key ≠ key ∧\n\
         ∀ y1. j ≤ y1 < i ⇒ a[y1].key ≠ key ∧\n\
         ∀ y1, y2. 0 ≤ y1 ≤ y2 < i ⇒ a[y1].key ≤ a[y2].key ∧\n\
         ∀ y1, y2. 0 ≤ y1 ≤ y2 ∧ j < y2 ≤ i ⇒ a[y1].key ≤ a[y2].key",
            "∀ y1, y2. 0 ≤ y1 ≤ y2 < n ⇒ a[y1].key ≤ a[y2].key",
        ],
    );
    never_adequate(
        &ITEM_SORT,
        &[
            ("a[j - 1].key > key", "a[j - 1].key < key"),
            ("a[j - 1].key > key", "a[j - 1].value > key"),
            ("a[j].key = key;", "a[j].key = value;"),
            ("j > 0 && ", ""),
        ],
    );
}

/// Pointers that a point does not speak of have no value that points to something. Nothing is proved
/// from there on, or a wrong program would have a proof about none of its runs.
#[test]
fn pointers_that_nothing_is_known_of_are_a_doubt() {
    let node = "void *malloc(unsigned long size);
struct node { int key; struct node *next; };
struct node *list;
";
    let link = |start: &str| {
        format!(
            "{node}void f(struct node **head, int k) {{
  struct node **link = {start};
  struct node *cell;
  while (*link != 0 && (*link)->key < k) link = &(*link)->next;
  cell = malloc(sizeof *cell);
  cell->key = k;
  cell->next = *link;
  *link = cell;
}}"
        )
    };
    let walk = "void f(int a[], int n) {
  int *p = a;
  int i = 0;
  while (i < n) { if (a[i] != 0) *p = 0; p++; i++; }
}";
    let member = |read: &str| {
        format!(
            "struct node {{ struct node *next; int *extra; int key; }};
int deref(int *p) {{ return *p; }}
int through(struct node *c) {{ return deref(c->extra); }}
void f(struct node *head) {{
  struct node *cur = head;
  while (cur != 0) {{ {read}; cur->key = cur->key == 41 ? 3 : 1; cur = cur->next; }}
}}"
        )
    };
    let cases = [
        (link("head"), "link"),
        (link("&list"), "link"),
        (walk.to_owned(), "p"),
        (member("*cur->extra = 7"), "struct node.extra"),
        (
            member("if (through(cur)) cur->key = 2"),
            "struct node.extra",
        ),
    ];
    for (text, name) in &cases {
        let config = session::Config {
            lengths: 0..=2,
            max_quantified: 1,
            for_proof: true,
            ..session::Config::default()
        };
        let outcome = support::learn(text, "f", &config).expect("it runs");
        let program = support::program(text, "f");
        let budget = Budget::unlimited();
        let proof = refine::prove_once(&program, &outcome, &proof::Config::default(), &budget);
        let doubt = Goal::Doubt(Doubt::Pointer((*name).to_owned()));
        let exit = proof.points.last().expect("the exit");
        assert_eq!(exit.verdict, Verdict::NotProved, "{text}");
        assert!(exit.failures.iter().any(|f| f.goal == doubt), "{text}");
    }
}

/// A function that only its callees' globals matter to sees them as well.
#[test]
fn globals_of_functions_that_are_called_are_inputs() {
    let text = "struct node { int key; struct node *next; };
struct node *list;
static void push(struct node *cell) { cell->next = list; list = cell; }
void take(struct node *from) {
  while (from) { struct node *cell = from; from = from->next; push(cell); }
}";
    let config = session::Config {
        lengths: 0..=2,
        max_quantified: 1,
        ..session::Config::default()
    };
    let outcome = support::learn(text, "take", &config).expect("it runs");
    assert_eq!(outcome.runs.n_runs, (1 + 3 + 9) * (1 + 3 + 9));
    let names: Vec<&str> = (outcome.points[1].point.variables.iter())
        .map(|v| v.name.as_str())
        .collect();
    assert_eq!(names, ["\\at(from, Pre)", "from", "list"]);
}

#[test]
fn what_cannot_be_built_is_refused_with_the_reason() {
    let refusal = |text: &str| {
        let node = "struct node { int key; struct node *next; };\n\
                    struct tree { int key; struct tree *left; struct tree *right; };\n\
                    struct plain { int key; };\n";
        let text = format!("{node}{text}");
        let outcome = support::learn(&text, "f", &session::Config::default());
        outcome.expect_err("it is refused").to_string()
    };
    let tree = "`struct tree` has the pointers `left`, `right` to its own type: cells of a tree, which are no words \
                (of a doubly linked list, one of two would be called `prev…` or `back…`)";
    assert_eq!(
        refusal("int f(struct tree *t) { return t->key; }"),
        format!("parameter `t` of `f`: {tree}")
    );
    assert_eq!(
        refusal("void f(struct tree **t) { *t = 0; }"),
        format!("parameter `t` of `f`: {tree}")
    );
    // An array of lists.
    assert_eq!(
        refusal("void f(struct node **a, int n) { for (int i = 0; i < n; i++) a[i] = 0; }"),
        "parameter `a` of `f` has the type `struct node **`, for which no inputs can be built"
    );
    // One record, and an array that nothing says the length of.
    assert_eq!(
        refusal("int f(struct plain *p) { return p->key; }"),
        "parameter `p` of `f` has the type `struct plain *`, for which no inputs can be built"
    );
    assert_eq!(
        refusal("int f(struct plain *a) { int i = 0; while (a[i].key) i++; return i; }"),
        "no parameter of `f` says how long the array `a` is"
    );
}
