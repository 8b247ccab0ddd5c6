//! Doubly linked lists: which records are cells of them, and what is said where a cell does not lead back.

use crate::support;
use idiolect_base::Budget;
use idiolect_invariants::proof::{self, Verdict};
use idiolect_invariants::refine;
use idiolect_invariants::session::{self, NotLearned};
use idiolect_invariants::whole;
use idiolect_quantified::point::PointKind;
use idiolect_quantified::snapshot::NotAWord;

const CELL: &str = "struct cell { int key; struct cell *next; struct cell *prev; };\n";

fn learn(text: &str) -> Result<session::Outcome, session::InvariantsError> {
    let config = session::Config {
        lengths: 0..=3,
        max_quantified: 1,
        n_threads: 1,
        ..session::Config::default()
    };
    support::learn(&format!("{CELL}{text}"), "f", &config)
}

/// Whether everything is adequate.
fn is_proved(text: &str) -> bool {
    let outcome = learn(text).expect("it runs");
    let program = support::program(&format!("{CELL}{text}"), "f");
    let config = proof::Config::default();
    let proof = refine::prove_once(&program, &outcome, &config, &Budget::unlimited());
    let is_adequate = |p: &proof::PointProof| p.verdict == Verdict::Adequate;
    outcome.points.iter().all(|p| p.learned.is_ok()) && proof.points.iter().all(is_adequate)
}

#[test]
fn links_that_lead_back_are_a_part_of_the_shape() {
    let insert = "void f(struct cell *at, struct cell *new) { if (!at || !new) return; new->next = at->next; new->prev = at;\n\
                  if (at->next) at->next->prev = new; at->next = new; }";
    assert!(is_proved(insert));
    // A case that no run takes.
    let rare = insert.replace("if (at->next)", "if (at->next && at->next->key != 777)");
    assert!(!is_proved(&rare));
    // What is skipped leads back still, and nobody writes to what follows it.
    let skip = "void f(struct cell *head, int x) { if (x == 777 && head && head->next) head->next = head->next->next; }";
    assert!(!is_proved(skip));
    // One may rely on it.
    let back = "void f(struct cell *p) { if (p && p->next && p->next->prev != p) p->next = p; }";
    assert!(is_proved(back));
    let wrong = "void f(struct cell *p) { if (p && p->next && p->next->prev == p) p->next = p; }";
    assert!(!is_proved(wrong));
}

#[test]
fn a_point_where_a_cell_does_not_lead_back_says_so() {
    let outcome = learn("void f(struct cell *p) { if (p && p->next) p->next->prev = 0; }");
    let outcome = outcome.expect("it runs");
    let exit = (outcome.points.iter()).find(|p| p.point.kind == PointKind::Exit);
    let learned = &exit.expect("there is one").learned;
    let is_back = matches!(
        learned,
        Err(NotLearned::NotWords {
            reason: NotAWord::Back,
            ..
        })
    );
    assert!(is_back, "{learned:?}");
}

#[test]
fn links_without_data_are_refused() {
    let outcome = learn(
        "struct list_head { struct list_head *next, *prev; };\n\
         int f(struct list_head *h) { int n = 0; struct list_head *p; for (p = h->next; p != h; p = p->next) n++; return n; }",
    );
    let text = outcome.expect_err("it is refused").to_string();
    assert!(text.contains("has links and no data"), "{text}");
}

/// A program builds a list and walks through it; where the walk begins is known behind the first loop, too.
#[test]
fn lists_that_a_program_builds_lead_back() {
    let names = "int __VERIFIER_nondet_int(void); void *malloc(unsigned long); void abort(void);\n\
                 void reach_error(void) { abort(); }\n";
    let build = "int main(void) { struct cell *head = 0, *p; int n = 0; while (__VERIFIER_nondet_int()) {\n\
                 struct cell *c = malloc(sizeof *c); c->key = 1; c->next = head; c->prev = 0; n++;\n\
                 if (head) head->prev = c; head = c; }\n\
                 for (p = head; p; p = p->next) { if (p->next && p->next->prev != p) reach_error(); }\n\
                 return 0; }";
    let is_proved = |body: &str| {
        let program = support::program(&format!("{names}{CELL}{body}"), "main");
        whole::by_formulas(&program, &Budget::unlimited()).is_some()
    };
    assert!(is_proved(build));
    // The fiftieth cell is forgotten.
    assert!(!is_proved(
        &build.replace("if (head)", "if (head && n != 50)")
    ));
}
