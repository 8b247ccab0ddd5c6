//! A back end that asks another solver: any program that reads SMT-LIB 2 from its standard input.
//!
//! One process for each question, so nothing is learned from one to the next; this is for second
//! opinions and for questions that are too hard for bit-blasting.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use idiolect_base::{Budget, StopReason};

use crate::array::ArrayNode;
use crate::door::Door;
use crate::model::{Evaluator, Model};
use crate::smtlib::{self, Script};
use crate::solver::Outcome;
use crate::term::{TermId, Terms};

#[derive(Debug, thiserror::Error)]
pub enum ExternalError {
    #[error("cannot start the solver `{program}`")]
    Start {
        program: String,
        #[source]
        source: std::io::Error,
    },
    #[error("the solver `{program}` does not take its input")]
    Write {
        program: String,
        #[source]
        source: std::io::Error,
    },
    #[error("the solver `{program}` ended without an answer")]
    Ended { program: String },
    #[error("the solver `{program}` answered `{answer}`, which is not understood")]
    Answer { program: String, answer: String },
    #[error("the model of the solver `{program}` does not satisfy the question")]
    WrongModel { program: String },
}

/// Looks at the budget this often while the other solver thinks.
const PATIENCE: Duration = Duration::from_millis(20);

/// Asks the program `program` with the arguments `arguments`, for example `z3 -in`.
#[derive(Clone, Debug)]
pub struct ExternalSolver {
    program: String,
    arguments: Vec<String>,
    asserted: Vec<TermId>,
    clauses: Vec<Vec<TermId>>,
}

impl ExternalSolver {
    pub fn new(program: &str, arguments: &[&str]) -> Self {
        Self {
            program: program.to_owned(),
            arguments: arguments.iter().map(|&a| a.to_owned()).collect(),
            asserted: Vec::new(),
            clauses: Vec::new(),
        }
    }

    /// The program and its arguments.
    pub fn command(&self) -> (&str, &[String]) {
        (&self.program, &self.arguments)
    }

    /// Makes `term` hold in all questions to come.
    pub fn assert(&mut self, term: TermId) {
        self.asserted.push(term);
    }

    /// Makes one of the Bools hold in all questions to come.
    pub fn add_clause(&mut self, clause: &[TermId]) {
        self.clauses.push(clause.to_vec());
    }

    /// The question as text.
    pub fn script(&self, terms: &Terms, assumptions: &[TermId]) -> Script {
        smtlib::script(
            terms,
            &self.asserted,
            &self.clauses,
            assumptions,
            Door::floats(),
        )
    }

    /// Can all assertions and all assumptions hold together? The steps of the budget mean nothing to
    /// another program; the clock and the canceller do.
    pub fn check(
        &self,
        terms: &Terms,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Outcome, ExternalError> {
        let script = self.script(terms, assumptions);
        let mut talk = Talk::start(self)?;
        talk.send("(set-option :print-success false)\n(set-option :produce-models true)\n")?;
        if !assumptions.is_empty() {
            talk.send("(set-option :produce-unsat-assumptions true)\n")?;
        }
        talk.send(&script.text())?;
        let answer = match talk.receive(budget)? {
            Ok(answer) => answer,
            Err(reason) => return Ok(Outcome::Unknown(reason)),
        };
        match answer.as_atom() {
            Some("sat") => match self.model(&mut talk, terms, &script, budget)? {
                Ok(model) => {
                    self.evaluate_back(terms, assumptions, &model)?;
                    Ok(Outcome::Sat(model))
                }
                Err(reason) => Ok(Outcome::Unknown(reason)),
            },
            Some("unsat") if assumptions.is_empty() => Ok(Outcome::Unsat(Vec::new())),
            Some("unsat") => {
                talk.send("(get-unsat-assumptions)\n")?;
                let failed = match talk.receive(budget)? {
                    Ok(failed) => failed,
                    Err(reason) => return Ok(Outcome::Unknown(reason)),
                };
                let Expression::List(failed) = failed else {
                    return Err(talk.misunderstood(&failed));
                };
                let mut core: Vec<TermId> = Vec::new();
                for (&term, name) in assumptions.iter().zip(&script.assumptions) {
                    let named = failed.iter().any(|f| f.as_atom() == Some(name.as_str()));
                    if named && !core.contains(&term) {
                        core.push(term);
                    }
                }
                Ok(Outcome::Unsat(core))
            }
            Some("unknown" | "timeout") => Ok(Outcome::Unknown(StopReason::Steps)),
            _ => Err(talk.misunderstood(&answer)),
        }
    }

    fn model(
        &self,
        talk: &mut Talk,
        terms: &Terms,
        script: &Script,
        budget: &Budget,
    ) -> Result<Result<Model, StopReason>, ExternalError> {
        let mut wanted: Vec<String> = script.variables.iter().map(|(_, n)| n.clone()).collect();
        for (_, array, index) in &script.reads {
            wanted.push(index.clone());
            wanted.push(format!("(select {array} {index})"));
        }
        let mut model = Model::new();
        if wanted.is_empty() {
            return Ok(Ok(model));
        }
        talk.send(&format!("(get-value ({}))\n", wanted.join(" ")))?;
        let answer = match talk.receive(budget)? {
            Ok(answer) => answer,
            Err(reason) => return Ok(Err(reason)),
        };
        // A list of pairs of term and value, in the order of the question.
        let values = match &answer {
            Expression::List(pairs) if pairs.len() == wanted.len() => pairs
                .iter()
                .map(|pair| match pair {
                    Expression::List(parts) => parts.last().and_then(Expression::as_value),
                    Expression::Atom(_) => None,
                })
                .collect::<Option<Vec<u128>>>(),
            _ => None,
        };
        let Some(values) = values else {
            return Err(talk.misunderstood(&answer));
        };
        let (scalars, reads) = values.split_at(script.variables.len());
        for (&(variable, _), &value) in script.variables.iter().zip(scalars) {
            model.set(variable, value);
        }
        for ((array, ..), pair) in script.reads.iter().zip(reads.chunks(2)) {
            if let (ArrayNode::Var(v), &[index, value]) = (terms.array_node(*array), pair) {
                model.array_mut(v).entries.insert(index, value);
            }
        }
        Ok(Ok(model))
    }

    fn evaluate_back(
        &self,
        terms: &Terms,
        assumptions: &[TermId],
        model: &Model,
    ) -> Result<(), ExternalError> {
        let mut evaluator = Evaluator::new(terms, model);
        let mut holds = |t: &TermId| evaluator.eval_bool(*t);
        let all = self.asserted.iter().all(&mut holds)
            && assumptions.iter().all(&mut holds)
            && self.clauses.iter().all(|c| c.iter().any(&mut holds));
        if all {
            Ok(())
        } else {
            Err(ExternalError::WrongModel {
                program: self.program.clone(),
            })
        }
    }
}

/// A conversation with a running solver, which ends when this is dropped.
struct Talk {
    program: String,
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    pending: String,
}

impl Talk {
    fn start(solver: &ExternalSolver) -> Result<Self, ExternalError> {
        let start_error = |source| ExternalError::Start {
            program: solver.program.clone(),
            source,
        };
        let mut child = Command::new(&solver.program)
            .args(&solver.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(start_error)?;
        let input = child.stdin.take();
        let output = child.stdout.take();
        let (sender, lines) = channel();
        // A thread of its own, since a pipe cannot be read with a time limit. It ends with the pipe.
        std::thread::spawn(move || {
            let Some(output) = output else { return };
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            program: solver.program.clone(),
            child,
            input,
            lines,
            pending: String::new(),
        })
    }

    fn send(&mut self, text: &str) -> Result<(), ExternalError> {
        let Some(input) = &mut self.input else {
            return Ok(());
        };
        input
            .write_all(text.as_bytes())
            .and_then(|()| input.flush())
            .map_err(|source| ExternalError::Write {
                program: self.program.clone(),
                source,
            })
    }

    /// The next complete expression the solver says.
    fn receive(
        &mut self,
        budget: &Budget,
    ) -> Result<Result<Expression, StopReason>, ExternalError> {
        loop {
            if let Some((expression, rest)) = Expression::parse(&self.pending) {
                self.pending = rest.to_owned();
                return Ok(Ok(expression));
            }
            if let Err(reason) = budget.look() {
                return Ok(Err(reason));
            }
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    self.pending.push_str(&line);
                    self.pending.push('\n');
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(ExternalError::Ended {
                        program: self.program.clone(),
                    });
                }
            }
        }
    }

    fn misunderstood(&self, answer: &Expression) -> ExternalError {
        ExternalError::Answer {
            program: self.program.clone(),
            answer: answer.to_text().chars().take(200).collect(),
        }
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        // It has nothing to say any more, whether it was asked to leave or is still thinking.
        drop(self.input.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Expression {
    Atom(String),
    List(Vec<Expression>),
}

impl Expression {
    fn as_atom(&self) -> Option<&str> {
        match self {
            Expression::Atom(atom) => Some(atom),
            Expression::List(_) => None,
        }
    }

    /// As the solver said it, but for white space. Cut where it is nested too deeply to be read.
    fn to_text(&self) -> String {
        fn write(expression: &Expression, depth: usize, out: &mut String) {
            match expression {
                Expression::Atom(atom) => out.push_str(atom),
                Expression::List(_) if depth == 0 => out.push('…'),
                Expression::List(parts) => {
                    out.push('(');
                    for (i, part) in parts.iter().enumerate() {
                        if i > 0 {
                            out.push(' ');
                        }
                        write(part, depth - 1, out);
                    }
                    out.push(')');
                }
            }
        }
        let mut text = String::new();
        write(self, 8, &mut text);
        text
    }

    /// `#b01`, `#xff`, `true`, `false`, `(_ bv5 32)`.
    fn as_value(&self) -> Option<u128> {
        match self {
            Expression::Atom(atom) => match atom.as_str() {
                "true" => Some(1),
                "false" => Some(0),
                _ => {
                    if let Some(digits) = atom.strip_prefix("#b") {
                        u128::from_str_radix(digits, 2).ok()
                    } else {
                        u128::from_str_radix(atom.strip_prefix("#x")?, 16).ok()
                    }
                }
            },
            Expression::List(parts) => match &parts[..] {
                [Expression::Atom(mark), Expression::Atom(value), _] if mark == "_" => {
                    value.strip_prefix("bv")?.parse().ok()
                }
                _ => None,
            },
        }
    }

    /// The first complete expression of `text` and what follows it; `None` if there is none yet.
    /// An atom counts as complete when something follows it, and a closing bracket too many is
    /// skipped. Keeps its own stack.
    fn parse(text: &str) -> Option<(Expression, &str)> {
        let mut open: Vec<Vec<Expression>> = Vec::new();
        let mut rest = text;
        loop {
            rest = rest.trim_start();
            let first = rest.chars().next()?;
            let done = match first {
                '(' => {
                    open.push(Vec::new());
                    rest = &rest[1..];
                    continue;
                }
                ')' => {
                    rest = &rest[1..];
                    let Some(parts) = open.pop() else { continue };
                    Expression::List(parts)
                }
                '|' | '"' => {
                    let end = rest[1..].find(first)? + 2;
                    let atom = rest[..end].to_owned();
                    rest = &rest[end..];
                    Expression::Atom(atom)
                }
                _ => {
                    let end = rest.find(|c: char| c.is_whitespace() || "()".contains(c))?;
                    let atom = rest[..end].to_owned();
                    rest = &rest[end..];
                    Expression::Atom(atom)
                }
            };
            match open.last_mut() {
                Some(parts) => parts.push(done),
                None => return Some((done, rest)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<u128> {
        Expression::parse(text)?.0.as_value()
    }

    #[test]
    fn values_are_read_in_all_their_forms() {
        assert_eq!(value("#b0101\n"), Some(5));
        assert_eq!(value("#xFf "), Some(255));
        assert_eq!(value("true\n"), Some(1));
        assert_eq!(value("(_ bv12 32)"), Some(12));
        assert_eq!(value("(_ bv12"), None);
        assert_eq!(value("hello\n"), None);
    }

    #[test]
    fn expressions_are_read_one_after_the_other() {
        let (first, rest) = Expression::parse("sat\n((|a b| #b1) (x\n#x0f))").expect("complete");
        assert_eq!(first.as_atom(), Some("sat"));
        let (second, rest) = Expression::parse(rest).expect("complete");
        let Expression::List(pairs) = second else {
            panic!("a list");
        };
        assert_eq!(pairs.len(), 2);
        assert_eq!(Expression::parse(rest), None);
        let (third, _) = Expression::parse("(a  (b c)\n) ").expect("complete");
        assert_eq!(third.to_text(), "(a (b c))");
        assert_eq!(Expression::parse("(a (b c)"), None);
        assert_eq!(Expression::parse("sat"), None);
    }
}
