//! Runs one C program as `cc FILE && ./a.out` would: standard input from standard input, output to
//! standard output, the same exit status. For measurements and comparisons.
//!
//! `run_c FILE… [--runs N] [--steps] [--listing]`

use idiolect_base::{Budget, SourceMap};
use idiolect_cfront::preprocess::{PreprocessOptions, preprocess};
use idiolect_cfront::{Options, compile};
use idiolect_interp::{
    CompileOptions, Compiled, End, InputRequest, InputSource, Machine, NoObserver, RunOptions,
    StdinInputs, ZeroInputs,
};
use idiolect_ir::InputKind;
use std::io::{IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// As a shell would start the program: one argument, its name, which is empty; all else is zero.
struct Shell;

impl InputSource for Shell {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        match request.kind() {
            Some(InputKind::ArgumentCount) => Some(1),
            _ => ZeroInputs.next(request),
        }
    }
}

fn main() -> ExitCode {
    let mut files = Vec::new();
    let mut runs = 1;
    let mut show_steps = false;
    let mut show_code = false;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--runs" => runs = args.next().and_then(|n| n.parse().ok()).unwrap_or(1),
            "--steps" => show_steps = true,
            "--listing" => show_code = true,
            _ => files.push(arg),
        }
    }
    let mut err = std::io::stderr();
    let mut sources = SourceMap::new();
    let mut ids = Vec::new();
    for file in &files {
        match preprocess(
            Path::new(file),
            &PreprocessOptions::new(std::env::temp_dir()),
        ) {
            Ok(text) => ids.push(sources.add(file, text)),
            Err(error) => {
                let _ = writeln!(err, "{error}");
                return ExitCode::from(125);
            }
        }
    }
    let lowered = compile(sources, &ids, &Options::default());
    let Some(program) = lowered.program else {
        let _ = writeln!(err, "{:#?}", lowered.diagnostics);
        return ExitCode::from(125);
    };
    let mut stdin = Vec::new();
    if !std::io::stdin().is_terminal() {
        let _ = std::io::stdin().read_to_end(&mut stdin);
    }
    let compiled = Compiled::new(program.into(), &CompileOptions::default());
    if show_code {
        let _ = err.write_all(compiled.listing().as_bytes());
    }
    let mut machine = Machine::new(&compiled, RunOptions::default());
    let start = Instant::now();
    let mut last = None;
    for _ in 0..runs {
        let mut source = StdinInputs::new(stdin.clone(), Shell);
        last = Some(machine.run(&mut source, &mut NoObserver, &Budget::unlimited()));
    }
    let seconds = start.elapsed().as_secs_f64();
    let Some(outcome) = last else {
        return ExitCode::from(125);
    };
    let _ = std::io::stdout().write_all(&outcome.stdout);
    let _ = err.write_all(&outcome.stderr);
    if show_steps {
        let _ = writeln!(
            err,
            "{} steps, {:.3} s a run, {:.1} M steps/s",
            outcome.steps,
            seconds / f64::from(runs),
            outcome.steps as f64 * f64::from(runs) / seconds / 1e6
        );
    }
    match outcome.end {
        End::Exit(status) => ExitCode::from(status as u8),
        end => {
            let program = compiled.program();
            let place = program.sources.place(outcome.place.span);
            let function = &program.function(outcome.place.function).name;
            let _ = writeln!(err, "{end:?} in {function} at {place:?}");
            ExitCode::from(match end {
                End::Abort | End::Error(_) => 134,
                _ => 124,
            })
        }
    }
}
