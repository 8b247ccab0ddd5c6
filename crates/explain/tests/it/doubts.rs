//! What was not settled is a doubt, not a no.

use crate::common::{errors, program, session};
use idiolect_base::{Budget, Canceller};
use idiolect_explain::{Choice, ModelDoubt, Options};

#[test]
fn a_question_about_unmodelled_c_without_an_answer_is_a_doubt() {
    let program = program(
        "int __VERIFIER_nondet_int(void);\n\
         int main(void) {\n\
           int x = __VERIFIER_nondet_int();\n\
           if (x * x == 49) __asm__(\"nop\" : \"=r\"(x));\n\
           if (x != x) __assert_fail(\"x\", \"test.c\", 1, \"main\");\n\
           return 0;\n\
         }\n",
    );
    let canceller = Canceller::new();
    let budget = Budget::unlimited().cancelled_by(&canceller);
    let target = errors(&program);
    let mut s = session(
        &program,
        &target,
        &Choice::default(),
        Options::default(),
        &budget,
    );
    let language = s.learn_at(2, 3);
    assert!(matches!(
        s.doubts(&language.bounds)[..],
        [ModelDoubt::Trap(..)]
    ));
    canceller.cancel();
    assert!(matches!(
        s.doubts(&language.bounds)[..],
        [ModelDoubt::Unsettled(_)]
    ));
}
