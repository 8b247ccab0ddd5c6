use super::{MonitorConfig, for_process, for_program};
use crate::api::Api;
use crate::mining::{MiningConfig, mine};
use crate::source::count_trace;
use crate::specification::MinedSpecification;
use crate::trace::TraceFormat;
use crate::vocabulary::ApiVocabulary;
use idiolect_base::Budget;

/// A run that makes, uses and ends an object of every kind, of three programs.
fn specification() -> MinedSpecification {
    let run = include_str!("../../../cli/tests/cmd/in/objects.trace");
    let text: String = ["a", "b", "c"]
        .map(|program| format!("# process 1: {program}\n{run}--\n"))
        .concat();
    let mut api = Api::shipped("files").expect("it is shipped");
    for name in ["stdio", "socket", "malloc", "string", "pthread"] {
        api.join(Api::shipped(name).expect("it is shipped"));
    }
    let vocabulary = ApiVocabulary::new(&api, &[]);
    let budget = Budget::unlimited();
    let (mut counts, summary) = count_trace(
        &vocabulary,
        10,
        text.as_bytes(),
        TraceFormat::Text,
        "x",
        &budget,
    )
    .expect("memory");
    assert_eq!(summary.unknown_calls, 0);
    let mined = mine(&vocabulary, &mut counts, &MiningConfig::default());
    MinedSpecification::new(&api, &vocabulary, &mined, 10, 0.05)
}

#[test]
fn texts_have_what_the_rules_speak_of() {
    let spec = specification();
    let monitor = for_program(
        &spec,
        &MonitorConfig {
            checks_end: true,
            ..MonitorConfig::default()
        },
    );
    assert_eq!(monitor.left_out, []);
    let text = &monitor.text;
    // A model, an exact function, and what follows the objects of both.
    assert!(text.contains("int __idiolect_spec_close(int fd) {"));
    assert!(text.contains("    idiolect_result = malloc(size);"));
    assert!(!text.contains("= close(fd)"));
    assert!(text.contains("a descriptor is not used after its end"));
    assert!(text.contains("__attribute__((destructor)) static void __idiolect_spec__end"));
    // Descriptors are numbers, streams are given, mutexes are the program's.
    assert!(text.contains("__idiolect_spec__own_"));
    assert!(text.contains("__idiolect_spec__passed_"));
    let function = for_program(&spec, &MonitorConfig::default()).text;
    assert!(
        !function.contains("destructor"),
        "only programs have to end what they make"
    );
    let (process, left_out) = for_process(&spec);
    assert_eq!(left_out, []);
    assert!(process.contains("__asm__(\"close\");"));
}

#[test]
fn functions_of_the_program_are_called() {
    let spec = specification();
    let config = MonitorConfig {
        defined: ["open".to_owned(), "close".to_owned()].into(),
        checks_end: true,
        has_handlers: true,
    };
    let monitor = for_program(&spec, &config);
    assert!(monitor.text.contains("    idiolect_result = close(fd);"));
    assert!(monitor.text.contains("atexit(__idiolect_spec__end)"));
    // `open(path, flags, ...)` cannot be called with what follows.
    assert_eq!(
        monitor.left_out,
        [(
            "open".to_owned(),
            "it takes any number of arguments, and there is no model of it"
        )]
    );
}
