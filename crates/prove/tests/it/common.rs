use idiolect_base::{Budget, SourceMap};
use idiolect_cfront::{Options, compile};
use idiolect_ir::{Program, Property};
use idiolect_prove::induction::{Config, Outcome, prove};

pub fn program_of(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let id = sources.add("a.c", text.into());
    let compiled = compile(sources, &[id], &Options::default());
    compiled.program.expect("a test's program compiles")
}

/// With what every such program declares.
pub fn with_prelude(text: &str) -> Program {
    program_of(&format!(
        "extern int __VERIFIER_nondet_int(void);\n\
         extern unsigned __VERIFIER_nondet_uint(void);\n\
         extern unsigned char __VERIFIER_nondet_uchar(void);\n\
         extern void __VERIFIER_error(void);\n\
         extern void __VERIFIER_assume(int);\n\
         void check(int c) {{ if (!c) __VERIFIER_error(); }}\n{text}"
    ))
}

pub fn proof_of(program: &Program) -> Outcome {
    prove(program, &Config::default(), &Budget::unlimited())
}

pub fn proof_with(program: &Program, properties: &[Property]) -> Outcome {
    let config = Config {
        properties: properties.to_vec(),
        ..Config::default()
    };
    prove(program, &config, &Budget::unlimited())
}
