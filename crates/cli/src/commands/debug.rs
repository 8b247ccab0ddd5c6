//! `idiolect debug`: look at a stage of the pipeline.

mod symbolic;

use crate::args::{CArgs, parse_seconds};
use crate::c_input;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::output;
use crate::render;
use clap::{Args, Subcommand};
use idiolect_base::{Canceller, nearest};
use idiolect_cfront::symbols::Symbols;
use idiolect_cfront::{ast_dump, parser};
use idiolect_ir::{FuncId, FunctionOrigin, Program};
use std::time::Duration;

#[derive(Args, Debug)]
pub struct DebugArgs {
    #[command(subcommand)]
    stage: Stage,
}

#[derive(Subcommand, Debug)]
enum Stage {
    /// The syntax tree
    #[command(after_help = "Example:\n  idiolect debug ast examples/sort.c")]
    Ast {
        #[command(flatten)]
        input: CArgs,
        /// Give up after so long
        #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
        timeout: Option<Duration>,
    },
    /// The control-flow graphs, as text or as a drawing
    #[command(
        after_help = "Example:\n  idiolect debug cfg examples/sort.c --function sort --dot | dot -Tsvg > sort.svg"
    )]
    Cfg {
        #[command(flatten)]
        input: CArgs,
        /// Only this function; without it, all of the user's functions
        #[arg(long, value_name = "NAME")]
        function: Option<String>,
        /// Draw the functions in Graphviz's language
        #[arg(long)]
        dot: bool,
        /// The whole program, library and all, in the form that can be read back
        #[arg(long, conflicts_with_all = ["dot", "function"])]
        whole: bool,
        /// Give up after so long
        #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
        timeout: Option<Duration>,
    },
    /// Which decisions runs can take first, each with inputs that make a run take them
    #[command(after_help = "Example:
  idiolect debug paths examples/sort.c --depth 6

Each line is a sequence of decisions (1: the condition holds) that some run takes and that no longer
one up to the depth extends; every beginning of it is feasible, too, and nothing else is. Exit codes:
0 all are listed, 3 there are more than --max-paths, or time was over.")]
    Paths(symbolic::PathsArgs),
    /// The conditions under which errors happen, as terms over the inputs
    #[command(after_help = "Example:
  idiolect debug terms examples/sort.c --unwind 3

`t7: 32 = add(in1, 1)` names a term of 32 bits that is used more than once; constants are decimal, and
negative if their highest bit is set. Exit codes: 0 shown, 3 time was over.")]
    Terms(symbolic::UnrolledArgs),
    /// The question whether there is an error, as clauses for SAT solvers (DIMACS)
    #[command(after_help = "Example:
  idiolect debug cnf examples/sort.c --unwind 3 > sort.cnf && kissat sort.cnf

Comments say which literals stand for which inputs, decisions and errors. Exit codes: 0 shown, 3 time
was over; nothing is solved here.")]
    Cnf(symbolic::UnrolledArgs),
}

impl DebugArgs {
    /// The program that is looked at.
    pub fn input(&mut self) -> &mut CArgs {
        let input = self.stage_input();
        input.any_entry = input.entry == "main";
        input
    }

    fn stage_input(&mut self) -> &mut CArgs {
        match &mut self.stage {
            Stage::Ast { input, .. } | Stage::Cfg { input, .. } => input,
            Stage::Paths(args) => &mut args.input,
            Stage::Terms(args) | Stage::Cnf(args) => &mut args.input,
        }
    }

    /// How long it may take.
    pub fn timeout(&self) -> Option<Duration> {
        match &self.stage {
            Stage::Ast { timeout, .. } | Stage::Cfg { timeout, .. } => *timeout,
            Stage::Paths(args) => args.timeout,
            Stage::Terms(args) | Stage::Cnf(args) => args.timeout,
        }
    }
}

/// Prints a stage of the pipeline.
pub fn run(args: &DebugArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    match &args.stage {
        Stage::Ast { input, .. } => ast(input),
        Stage::Cfg {
            input,
            function,
            dot,
            whole,
            ..
        } => cfg(input, function.as_deref(), *dot, *whole),
        Stage::Paths(args) => symbolic::paths(args, canceller),
        Stage::Terms(args) => symbolic::terms(args, canceller),
        Stage::Cnf(args) => symbolic::cnf(args, canceller),
    }
}

fn ast(input: &CArgs) -> Result<Exit, CommandFailure> {
    let (sources, ids) = c_input::read_sources(input)?;
    let (text, diagnostics) = parser::with_big_stack(|| {
        let mut symbols = Symbols::new();
        let mut text = String::new();
        let mut diagnostics = Vec::new();
        for &id in &ids {
            let parsed = parser::parse(&sources, id, &mut symbols);
            text.push_str(&ast_dump::dump(&parsed.unit, &symbols));
            diagnostics.extend(parsed.diagnostics);
        }
        (text, diagnostics)
    });
    // The tree is shown as far as it goes, also where there are errors.
    output::print(&text);
    if diagnostics.iter().any(|d| d.is_error()) {
        Err(CommandFailure::Source {
            sources: Box::new(sources),
            diagnostics,
        })
    } else {
        Ok(Exit::Clean)
    }
}

fn cfg(
    input: &CArgs,
    function: Option<&str>,
    dot: bool,
    whole: bool,
) -> Result<Exit, CommandFailure> {
    let loaded = c_input::load(input, Vec::new())?;
    if input.warnings {
        output::print_error(&render::diagnostics(
            &loaded.program.sources,
            &loaded.diagnostics,
        ));
    }
    let program = &loaded.program;
    if whole {
        output::print(&idiolect_ir::text::print(program));
        return Ok(Exit::Clean);
    }
    let functions = chosen(program, function)?;
    if dot {
        for id in functions {
            output::print(&idiolect_ir::dot::draw_function(program, id));
        }
    } else {
        let options = idiolect_ir::text::PrintOptions::default();
        idiolect_ir::text::print_functions(program, &functions, options, output::print);
    }
    Ok(Exit::Clean)
}

fn chosen(program: &Program, name: Option<&str>) -> Result<Vec<FuncId>, CommandFailure> {
    let users = program
        .function_ids()
        .filter(|&f| program.function(f).origin == FunctionOrigin::User);
    let Some(name) = name else {
        return Ok(users.collect());
    };
    if let Some(id) = program.function_named(name) {
        return Ok(vec![id]);
    }
    let names: Vec<&str> = users.map(|f| program.function(f).name.as_str()).collect();
    let near = nearest(name, names.iter().copied());
    Err(CommandFailure::usage(
        format!("there is no function `{name}`"),
        match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the program has {}", names.join(", ")),
        },
    ))
}
