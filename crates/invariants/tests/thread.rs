//! From C text to a formula.

use idiolect_base::{Budget, SourceMap};
use idiolect_cfront::{Options, compile};
use idiolect_invariants::session::{Config, run};
use idiolect_invariants::show;

fn learn(text: &str, function: &str, config: &Config) -> String {
    let mut sources = SourceMap::new();
    let id = sources.add("a.c", text.to_owned());
    let options = Options {
        entry: function.to_owned(),
        ..Options::default()
    };
    let lowered = compile(sources, &[id], &options);
    assert!(lowered.diagnostics.is_empty(), "{:?}", lowered.diagnostics);
    let program = lowered.program.expect("it compiles");
    let function = program.function_named(function).expect("it is there");
    let outcome = run(&program, function, config, &Budget::unlimited()).expect("it runs");
    let mut text = String::new();
    for p in &outcome.points {
        text += &format!("{:?} ({} snapshots)", p.point.kind, p.n_snapshots);
        match &p.learned {
            Ok(learned) => {
                for l in &learned.levels {
                    text += &format!(
                        " [{} states, {} elastic{}; {} mq {} eq {} words]",
                        l.qda.n_states(),
                        l.elastic.n_states(),
                        if l.elastified { "!" } else { "" },
                        l.queries.membership,
                        l.queries.equivalence,
                        l.n_words,
                    );
                }
                text += &format!("\n{}\n", show::formula(&p.point, &learned.formula));
            }
            Err(reason) => text += &format!("\n{reason}\n"),
        }
    }
    text
}

#[test]
fn thread() {
    let text = "
struct node { int key; struct node *next; };
struct node *find(struct node *head, int k) {
  struct node *cur = head;
  while (cur && cur->key < k) cur = cur->next;
  return cur;
}";
    let config = Config {
        assumptions: vec!["sorted(head)".to_owned(), "nonempty(head)".to_owned()],
        ..Config::default()
    };
    println!("{}", learn(text, "find", &config));
    let text = "
int find(int a[], int n, int key) {
  int i;
  for (i = 0; i < n; i++) if (a[i] == key) return i;
  return -1;
}
void sort(int a[], int n) {
  int i, j, t;
  for (i = 0; i < n; i++)
    for (j = i; j > 0 && a[j - 1] > a[j]; j--) { t = a[j]; a[j] = a[j-1]; a[j-1] = t; }
}
";
    println!("{}", learn(text, "find", &Config::default()));
    println!("{}", learn(text, "sort", &Config::default()));
}
