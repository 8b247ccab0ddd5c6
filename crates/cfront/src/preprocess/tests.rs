use super::*;

/// Options for tests that run the system's compiler, or `None`, with a word to the reader, if
/// there is none.
fn options() -> Option<PreprocessOptions> {
    let options = PreprocessOptions::new(std::env::temp_dir());
    match preprocess_text("empty", b"", &options) {
        Err(PreprocessError::NoCompiler { .. }) => {
            let mut stderr = std::io::stderr().lock();
            let _ = writeln!(stderr, "skipped: there is no `cc` on this machine");
            None
        }
        _ => Some(options),
    }
}

/// A file that is removed when dropped.
struct File(PathBuf);

impl File {
    fn new(name: &str, content: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("idiolect-{}-{name}", std::process::id()));
        std::fs::write(&path, content).unwrap();
        Self(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn macros_are_expanded_and_defines_passed() {
    let Some(mut options) = options() else { return };
    options.defines.push("ANSWER=42".to_owned());
    let text = b"#ifdef __IDIOLECT__\nint x = ANSWER;\n#endif\n";
    let out = preprocess_text("<stdin>", text, &options).unwrap();
    assert!(out.contains("int x = 42;"), "{out}");
    let file = File::new("defines.c", text);
    let out = preprocess(&file.0, &options).unwrap();
    assert!(out.contains("int x = 42;"), "{out}");
}

#[test]
fn both_data_models_have_headers() {
    let Some(mut options) = options() else { return };
    let text = b"#include <stdio.h>\n#include <stdint.h>\n#include <stdlib.h>\n\
                 int p = __SIZEOF_POINTER__; uintptr_t t;";
    for (model, size) in [(DataModel::Lp64, 8), (DataModel::Ilp32, 4)] {
        options.data_model = model;
        let out = preprocess_text("t.c", text, &options).unwrap();
        assert!(out.contains(&format!("int p = {size};")), "{model:?}");
    }
}

#[test]
fn files_that_are_preprocessed_are_left_alone() {
    let mut options = PreprocessOptions::new(std::env::temp_dir());
    options.cc = "no-such-compiler".to_owned();
    let file = File::new("kept.i", b"\xef\xbb\xbfint x = ANSWER;\r\n");
    let out = preprocess(&file.0, &options).unwrap();
    assert_eq!(out, "int x = ANSWER;\r\n");
}

#[test]
fn failures_say_what_and_where() {
    let Some(mut options) = options() else { return };
    let file = File::new("fails.c", b"int x;\n#include \"nowhere.h\"\n");
    let error = preprocess(&file.0, &options).unwrap_err();
    assert_eq!(error.help(), Some("add the folder of the header with `-I`"));
    let PreprocessError::Failed { messages, .. } = error else {
        panic!("should have failed in the compiler: {error}");
    };
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0].file, file.0.display().to_string());
    assert_eq!((messages[0].line, messages[0].column), (2, 10));

    options.cc = "no-such-compiler".to_owned();
    let error = preprocess(&file.0, &options).unwrap_err();
    assert!(matches!(error, PreprocessError::NoCompiler { .. }));
    assert!(error.help().unwrap().contains("install"));

    let error = preprocess(Path::new("/nowhere/at/all.c"), &options).unwrap_err();
    assert!(matches!(error, PreprocessError::Unreadable { .. }));
    let error = preprocess(&std::env::temp_dir(), &options).unwrap_err();
    assert!(matches!(error, PreprocessError::Unreadable { .. }));
    let binary = File::new("binary.c", b"\x7fELF\0\0");
    let error = preprocess(&binary.0, &options).unwrap_err();
    assert!(matches!(error, PreprocessError::Binary { .. }));
}

/// `n` macros, each twice the one before.
fn storm(n: usize) -> String {
    let mut text = "#define A0 1 +\n".to_owned();
    for i in 1..=n {
        text += &format!("#define A{i} A{j} A{j}\n", j = i - 1);
    }
    text
}

#[test]
fn macro_storms_end() {
    let Some(mut options) = options() else { return };
    let text = format!("{}int x = A16 1;\n", storm(16));
    assert!(preprocess_text("t.c", text.as_bytes(), &options).is_ok());
    options.max_bytes = 100_000;
    let error = preprocess_text("t.c", text.as_bytes(), &options).unwrap_err();
    assert!(matches!(error, PreprocessError::Swollen { .. }), "{error}");
    assert!(error.help().unwrap().contains("macros"));

    // Nothing is written while a condition is computed.
    options.max_seconds = 1;
    let text = format!("{}#if A40 1\nint x;\n#endif\n", storm(40));
    let error = preprocess_text("t.c", text.as_bytes(), &options).unwrap_err();
    assert!(matches!(error, PreprocessError::TooSlow { .. }), "{error}");

    options.max_bytes = 10;
    let error = preprocess_text("t.c", b"int a_name;", &options).unwrap_err();
    assert!(matches!(error, PreprocessError::TooLarge { .. }), "{error}");
}

#[test]
fn messages_of_compilers_are_understood() {
    let parsed = |line| {
        parse_message(line).map(|m| format!("{}|{}|{}|{}", m.file, m.line, m.column, m.message))
    };
    assert_eq!(parsed("a.c:3:7: error: no").as_deref(), Some("a.c|3|7|no"));
    assert_eq!(
        parsed("a:b.c:3:7: fatal error: no").as_deref(),
        Some("a:b.c|3|7|no")
    );
    assert_eq!(parsed("a.c:3: error: no").as_deref(), Some("a.c|3|1|no"));
    assert_eq!(parsed("cc1: error: no").as_deref(), Some("cc1|0|0|no"));
    assert_eq!(parsed("a.c:3:7: warning: hm"), None);
}

#[test]
fn bytes_that_are_not_utf8_keep_their_value_in_literals() {
    let decoded = |bytes: &[u8]| decode(bytes.to_vec());
    assert_eq!(decoded(b"// caf\xe9\nx"), "// café\nx");
    assert_eq!(decoded(b"s = \"caf\xe9\";"), "s = \"caf\\351\";");
    assert_eq!(decoded(b"c = '\xe9';"), "c = '\\351';");
    assert_eq!(
        decoded(b"\"\\\"\xe9\" /* \" \xe9 */"),
        "\"\\\"\\351\" /* \" é */"
    );
    assert_eq!(
        decoded(b"a / b; // it's \xe9\n\"\xe9\""),
        "a / b; // it's é\n\"\\351\""
    );
    assert_eq!(decoded(b"\"\\\xe9\\\\\xe9\""), "\"\\351\\\\\\351\"");
    assert_eq!(decoded("\u{feff}é".as_bytes()), "é");
}

#[test]
fn the_compiler_ends_with_the_budget() {
    let Some(mut options) = options() else {
        return;
    };
    options.budget = Budget::unlimited().within(Duration::ZERO);
    let text = storm(60);
    let error = preprocess_text("storm.c", text.as_bytes(), &options);
    let reason = match error {
        Err(PreprocessError::Stopped { reason, .. }) => Some(reason),
        _ => None,
    };
    assert_eq!(reason, Some(StopReason::Time));
}

#[test]
fn lines_of_files_that_are_not_there_are_left_out() {
    let Some(options) = options() else {
        return;
    };
    let text = b"int a;\n#line 70 \"no such grammar.y\"\nint b;\n#line 9\nint c;\n";
    let file = File::new("generated.c", text);
    let preprocessed = preprocess(&file.0, &options).expect("it is a program");
    let mut sources = idiolect_base::SourceMap::new();
    let at = preprocessed.find("c;").expect("it is there");
    let id = sources.add(&file.0.display().to_string(), preprocessed);
    let place = sources.place(idiolect_base::Span::new(id, at, at + 1));
    let place = place.map(|p| (p.file, p.line));
    assert_eq!(place, Some((file.0.display().to_string(), 5)));
}
