//! From C text to a language.
#![allow(dead_code, reason = "each test file uses a part of it")]

use idiolect_automata::Word;
use idiolect_base::{Budget, SourceMap};
use idiolect_cfront::{Options as COptions, compile};
use idiolect_explain::{Choice, EventVocabulary, LanguageTarget, Options, Session};
use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::{Program, Property};
use std::sync::Arc;

pub fn program(text: &str) -> Arc<Program> {
    let mut sources = SourceMap::new();
    let id = sources.add("test.c", text.into());
    let compiled = compile(sources, &[id], &COptions::default());
    let errors: Vec<_> = compiled
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    Arc::new(compiled.program.expect("a program without errors"))
}

pub fn errors(program: &Program) -> LanguageTarget {
    LanguageTarget::errors(program, &[Property::Assert])
}

pub fn session<'a>(
    program: &Arc<Program>,
    target: &LanguageTarget,
    choice: &Choice,
    options: Options,
    budget: &'a Budget,
) -> Session<'a> {
    let calls = CallGraph::new(program);
    let vocabulary = EventVocabulary::new(program, &calls, target, choice).unwrap();
    Session::new(program.clone(), &calls, vocabulary, target, options, budget).unwrap()
}

/// The words of a language up to a length, as text.
pub fn words_up_to(session: &Session<'_>, dfa: &idiolect_automata::Dfa, n: usize) -> Vec<String> {
    let alphabet = session.vocabulary().alphabet();
    dfa.accepted_words()
        .take_while(|w| w.len() <= n)
        .map(|w| alphabet.show(&w))
        .collect()
}

pub fn word(session: &Session<'_>, text: &str) -> Word {
    session.vocabulary().read_word(text).unwrap()
}
