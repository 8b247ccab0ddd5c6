//! What the symbolic engine makes of a program: paths, terms, clauses.

use crate::args::{CArgs, parse_seconds, up_to};
use crate::c_input;
use crate::clock;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::output;
use clap::Args;
use idiolect_base::{Budget, Canceller, Span, StopReason};
use idiolect_ir::{AssumptionKind, ErrorKind, InputKind, Location, Program, Property, Ty};
use idiolect_smt::dimacs::{Bit, Cnf};
use idiolect_smt::listing::listing;
use idiolect_smt::{Model, Node, TermId, Terms, VarId};
use idiolect_symex::bmc::is_error;
use idiolect_symex::path::PathExplorer;
use idiolect_symex::{
    Config, Encoding, EndKind, EndRecord, InputOrigin, InputRecord, InputValue, encode,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

#[derive(Args, Debug)]
pub struct UnrolledArgs {
    #[command(flatten)]
    pub input: CArgs,

    /// Unwindings of loops and recursion
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = up_to(1_000_000))]
    unwind: usize,

    /// Give up after so long
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub timeout: Option<Duration>,
}

#[derive(Args, Debug)]
pub struct PathsArgs {
    #[command(flatten)]
    pub input: CArgs,

    /// The most decisions of a path
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = up_to(1_000_000))]
    depth: usize,

    /// The most paths that are listed
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = up_to(1_000_000_000))]
    max_paths: usize,

    /// Give up after so long
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub timeout: Option<Duration>,
}

fn budget(timeout: Option<Duration>, canceller: &Canceller) -> Budget {
    let budget = Budget::unlimited().cancelled_by(canceller);
    match timeout.and_then(|t| clock::began().checked_add(t)) {
        Some(deadline) => budget.until(deadline),
        None => budget,
    }
}

/// Half a picture is none: what was not finished is not shown.
fn shown(text: Result<String, StopReason>) -> Exit {
    match text {
        Ok(text) => {
            output::print(&text);
            Exit::Clean
        }
        Err(reason) => {
            output::print_error(&format!("not finished: {reason}\n"));
            crate::exit::Exit::of_stop(reason)
        }
    }
}

/// A program up to a bound, and what counts as an error in it.
struct Unrolled {
    program: Program,
    properties: Vec<Property>,
    encoding: Encoding,
}

impl Unrolled {
    fn new(program: Program, args: &UnrolledArgs, budget: &Budget) -> Result<Self, StopReason> {
        let properties = args.input.properties();
        let config = Config {
            unwind: args.unwind,
            check_overflow: properties.contains(&Property::Overflow),
            ..Config::default()
        };
        let encoding = encode(&program, &config, budget)?;
        Ok(Self {
            program,
            properties,
            encoding,
        })
    }

    fn errors(&self) -> impl Iterator<Item = &EndRecord> {
        let ends = self.encoding.ends.iter();
        ends.filter(|e| is_error(&e.kind, &self.properties))
    }

    fn error_text(&self, error: &EndRecord) -> String {
        let at = location_text(&self.program, error.place);
        format!("{} at {at}", end_text(&error.kind, None))
    }
}

/// Prints the terms of an encoding.
pub fn terms(args: &UnrolledArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    let program = c_input::load(&args.input, Vec::new())?.program;
    let unrolled = Unrolled::new(program, args, &budget(args.timeout, canceller));
    Ok(shown(unrolled.map(|unrolled| terms_text(&unrolled))))
}

fn terms_text(unrolled: &Unrolled) -> String {
    let encoding = &unrolled.encoding;
    let guards: Vec<TermId> = unrolled.errors().map(|e| e.guard).collect();
    let mut names = Names::new(encoding);
    let listing = listing(&encoding.terms, &guards, &mut |v| {
        Some(names.name(&encoding.terms, v))
    });
    let mut text = String::new();
    for (i, input) in encoding.inputs.iter().enumerate() {
        let what = input_text(&unrolled.program, input);
        let _ = writeln!(text, "in{}: {} = {what}", i + 1, width_text(input.ty));
    }
    text.push_str(&listing.definitions);
    for (i, (error, guard)) in unrolled.errors().zip(&listing.roots).enumerate() {
        let what = unrolled.error_text(error);
        let _ = writeln!(text, "error {}: {what}\n  if {guard}", i + 1);
    }
    if guards.is_empty() {
        text.push_str("no error is possible within the bound\n");
    }
    text
}

/// Inputs are called by their number, other variables by their own names, made different.
struct Names {
    inputs: BTreeMap<VarId, String>,
    taken: BTreeMap<String, u32>,
}

impl Names {
    fn new(encoding: &Encoding) -> Self {
        let mut inputs = BTreeMap::new();
        for (i, input) in encoding.inputs.iter().enumerate() {
            if let Node::Var(v) = encoding.terms.node(input.value) {
                inputs.insert(v, format!("in{}", i + 1));
            }
        }
        Self {
            inputs,
            taken: BTreeMap::new(),
        }
    }

    fn name(&mut self, terms: &Terms, variable: VarId) -> String {
        if let Some(name) = self.inputs.get(&variable) {
            return name.clone();
        }
        let own = terms.variable_name(variable);
        let n = self.taken.entry(own.to_owned()).or_insert(0);
        *n += 1;
        let name = match *n {
            1 => own.to_owned(),
            n => format!("{own}#{n}"),
        };
        self.inputs.insert(variable, name.clone());
        name
    }
}

/// Prints the clauses of an encoding.
pub fn cnf(args: &UnrolledArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    let program = c_input::load(&args.input, Vec::new())?.program;
    let budget = budget(args.timeout, canceller);
    let text = Unrolled::new(program, args, &budget)
        .and_then(|mut unrolled| cnf_text(&mut unrolled, args.unwind, &budget));
    Ok(shown(text))
}

fn cnf_text(unrolled: &mut Unrolled, unwind: usize, budget: &Budget) -> Result<String, StopReason> {
    let properties = unrolled.properties.clone();
    let mut question = unrolled.encoding.bound(unwind);
    let any = |kind: &EndKind| is_error(kind, &properties);
    question.push(unrolled.encoding.any_end(any));
    let encoding = &unrolled.encoding;
    let mut named: Vec<TermId> = encoding.unwind.clone();
    named.extend(encoding.inputs.iter().map(|i| i.value));
    named.extend(encoding.decisions.iter().map(|d| d.taken));
    named.extend(unrolled.errors().map(|e| e.guard));
    let cnf = Cnf::new(&encoding.terms, &question, &named, budget)?;
    let mut text = format!(
        "c Is there an error within {}? Satisfiable means yes.\n\
         c Bit 0 comes first; T and F are constants, and - is not in the clauses.\n\
         c An input has the value of its literals. A decision or an error has only the clauses\n\
         c that the question needs, so that its literal may be false where it could be true.\n",
        output::counted(unwind, "unwinding")
    );
    let mut line = |what: String, term: TermId| {
        let _ = writeln!(text, "c {what}: {}", bits_text(cnf.bits(term)));
    };
    for (k, &literal) in encoding.unwind.iter().enumerate() {
        line(format!("unwinding {} is allowed", k + 1), literal);
    }
    for (i, input) in encoding.inputs.iter().enumerate() {
        let what = input_text(&unrolled.program, input);
        line(format!("in{} = {what}", i + 1), input.value);
    }
    for (i, decision) in encoding.decisions.iter().enumerate() {
        let at = decision_text(&unrolled.program, decision.function, decision.block);
        line(format!("decision {} at {at}", i + 1), decision.taken);
    }
    for (i, error) in unrolled.errors().enumerate() {
        let what = unrolled.error_text(error);
        line(format!("error {}, {what}", i + 1), error.guard);
    }
    text.push_str(&cnf.text());
    Ok(text)
}

/// Literals one after the other, with runs of consecutive ones as `5..36`.
fn bits_text(bits: &[Bit]) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut i = 0;
    while i < bits.len() {
        let start = i;
        i += 1;
        match bits[start] {
            Bit::Constant(value) => words.push(if value { "T" } else { "F" }.to_owned()),
            Bit::Absent => words.push("-".to_owned()),
            Bit::Literal(first) => {
                let mut last = first.dimacs();
                while let Some(Bit::Literal(next)) = bits.get(i)
                    && next.dimacs() == last + 1
                {
                    last += 1;
                    i += 1;
                }
                words.push(match i - start {
                    1 => first.dimacs().to_string(),
                    _ => format!("{}..{last}", first.dimacs()),
                });
            }
        }
    }
    if words.len() > 1 && words.iter().all(|w| *w == "-") {
        return "-".to_owned();
    }
    words.join(" ")
}

/// Prints the paths of a program.
pub fn paths(args: &PathsArgs, canceller: &Canceller) -> Result<Exit, CommandFailure> {
    let program = c_input::load(&args.input, Vec::new())?.program;
    let properties = args.input.properties();
    let explorer = PathExplorer::new(&program, properties.contains(&Property::Overflow));
    let mut search = Search {
        program: &program,
        explorer,
        depth: args.depth,
        max_paths: args.max_paths,
        n_paths: 0,
    };
    let stopped = search.run(&budget(args.timeout, canceller));
    let statistics = search.explorer.statistics();
    output::print(&format!(
        "{} paths; {} questions, {} of them answered by the solver\n",
        search.n_paths,
        statistics.questions,
        statistics.questions - statistics.by_model,
    ));
    Ok(match stopped {
        Ok(true) => Exit::Clean,
        Ok(false) => {
            let most = args.max_paths;
            output::print_error(&format!("not finished: there are more than {most} paths\n"));
            Exit::Undecided
        }
        Err(reason) => shown(Err(reason)),
    })
}

/// All feasible decision vectors up to a length, depth first.
struct Search<'p> {
    program: &'p Program,
    explorer: PathExplorer<'p>,
    depth: usize,
    max_paths: usize,
    n_paths: usize,
}

impl Search<'_> {
    /// Prints every vector that no feasible one extends; false if there are too many.
    fn run(&mut self, budget: &Budget) -> Result<bool, StopReason> {
        let mut stack = vec![Vec::new()];
        while let Some(decisions) = stack.pop() {
            budget.look()?;
            let mut extended = false;
            if decisions.len() < self.depth {
                // The last one pushed is the first one visited.
                for outcome in [true, false] {
                    let mut longer = decisions.clone();
                    longer.push(outcome);
                    if self.explorer.feasible(&longer, budget)?.is_some() {
                        extended = true;
                        stack.push(longer);
                    }
                }
            }
            if extended {
                continue;
            }
            if self.n_paths == self.max_paths {
                return Ok(false);
            }
            self.n_paths += 1;
            let line = self.line(&decisions, budget)?;
            output::print(&line);
        }
        Ok(true)
    }

    fn line(&mut self, decisions: &[bool], budget: &Budget) -> Result<String, StopReason> {
        let vector: String = decisions
            .iter()
            .map(|&d| if d { '1' } else { '0' })
            .collect();
        let vector = if vector.is_empty() {
            "(no decision)".to_owned()
        } else {
            vector
        };
        let Some(witness) = self.explorer.feasible(decisions, budget)? else {
            return Ok(format!("{vector}  no run\n"));
        };
        let (inputs, end) = self.explorer.inputs_of(decisions, &witness, budget)?;
        let how = match end {
            Some(kind) => end_text(&kind, Some((self.explorer.terms(), &witness.model))),
            None => "goes on".to_owned(),
        };
        let values: Vec<String> = inputs
            .iter()
            .map(|input| value_text(self.program, input))
            .collect();
        Ok(if values.is_empty() {
            format!("{vector}  {how}\n")
        } else {
            format!("{vector}  {how}, inputs {}\n", values.join(","))
        })
    }
}

fn end_text(kind: &EndKind, model: Option<(&Terms, &Model)>) -> String {
    match kind {
        EndKind::Error(ErrorKind::Assert(text)) if text.is_empty() => "assertion failed".to_owned(),
        EndKind::Error(ErrorKind::Assert(text)) => format!("assertion `{text}` failed"),
        EndKind::Error(ErrorKind::ReachError) => "the error function was called".to_owned(),
        EndKind::Fault(fault) => fault.to_string(),
        EndKind::Exit(status) => match model {
            Some((terms, model)) => {
                format!("exit with status {}", model.eval(terms, *status) & 0xff)
            }
            None => "exit".to_owned(),
        },
        EndKind::Abort => "abort".to_owned(),
        EndKind::AssumeEnded => "an assumption does not hold".to_owned(),
        EndKind::OutOfMemory => "out of memory".to_owned(),
        EndKind::Trap(gap) if gap.kind == AssumptionKind::Bound => format!("a bound: {gap}"),
        EndKind::Trap(gap) => format!("C that is not modelled: {gap}"),
        EndKind::Bound(level, _) => format!("unwinding {level} is not allowed"),
        EndKind::OwnBound(_) => "the loop's own bound is reached".to_owned(),
    }
}

fn span_text(program: &Program, span: Span) -> String {
    match program.sources.place(span) {
        Some(place) => format!("{}:{}", place.file, place.line),
        None => "no line".to_owned(),
    }
}

fn location_text(program: &Program, location: Location) -> String {
    match location.place(program) {
        Some(place) => format!("{}:{}", place.file, place.line),
        None => format!("`{}`", program.function(location.function).name),
    }
}

fn decision_text(
    program: &Program,
    function: idiolect_ir::FuncId,
    block: idiolect_ir::BlockId,
) -> String {
    span_text(
        program,
        program.function(function).block(block).terminator.span,
    )
}

fn input_text(program: &Program, input: &InputRecord) -> String {
    let InputOrigin::Site(id) = input.origin else {
        return "memory that nobody wrote".to_owned();
    };
    let site = &program.inputs[id.index()];
    let what = match &site.kind {
        InputKind::Nondet(name) | InputKind::External(name) | InputKind::Environment(name) => {
            format!("{name}()")
        }
        InputKind::Parameter(name) => format!("parameter {name}"),
        InputKind::Uninitialized(name) => format!("uninitialised {name}"),
        InputKind::Stdin => "standard input".to_owned(),
        InputKind::ArgumentCount => "argc".to_owned(),
        InputKind::ArgumentByte { argument, byte } => format!("argv[{argument}][{byte}]"),
        InputKind::Variable(name) => format!("whether ${name} is set,"),
        InputKind::VariableByte { variable, byte } => format!("byte {byte} of ${variable}"),
        InputKind::Effect(name) => format!("whether {name}() has another effect,"),
    };
    format!("{what} at {}", span_text(program, site.span))
}

fn width_text(ty: Ty) -> String {
    match ty {
        Ty::Int(width) => width.to_string(),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn value_text(program: &Program, input: &InputValue) -> String {
    let signed = match input.origin {
        InputOrigin::Site(id) => program.types.is_signed(program.inputs[id.index()].ty),
        InputOrigin::Unwritten { .. } => false,
    };
    match input.ty {
        Ty::Int(width) if signed => {
            let shift = 128 - u32::from(width);
            (((input.bits << shift) as i128) >> shift).to_string()
        }
        _ => input.bits.to_string(),
    }
}
