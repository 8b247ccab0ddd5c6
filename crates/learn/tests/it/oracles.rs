//! Wrappers, equivalence oracles, files.

use crate::common;

use common::random_machine;
use idiolect_automata::{Dfa, Letter, Word};
use idiolect_base::{Rng, StopReason};
use idiolect_learn::*;
use std::cell::RefCell;

fn target() -> Dfa {
    random_machine(25, 3, 8, |rng| rng.chance(1, 2)).minimize()
}

fn words_up_to(length: usize, k: usize) -> Vec<Word> {
    let mut words = vec![Word::new()];
    let mut from = 0;
    for _ in 0..length {
        let to = words.len();
        for i in from..to {
            for a in 0..k {
                let mut word = words[i].clone();
                word.push(Letter::new(a));
                words.push(word);
            }
        }
        from = to;
    }
    words
}

type Shared<'a> = RefCell<Caching<Counting<DfaOracle<'a>>>>;

/// Learns with KV against an equivalence oracle that shares a cached membership oracle.
fn learn_with<E: EquivalenceOracle<bool>>(
    shared: &Shared<'_>,
    k: usize,
    mut eq: E,
) -> (Dfa, Learned) {
    let mut learner = KearnsVazirani::new(k, &mut &*shared).unwrap();
    let learned = learn(&mut learner, &mut &*shared, &mut eq).unwrap();
    (learner.hypothesis().clone(), learned)
}

fn shared(target: &Dfa) -> Shared<'_> {
    RefCell::new(Caching::new(Counting::new(DfaOracle::new(target))))
}

#[test]
fn w_and_wp_find_what_their_bound_promises() {
    for seed in 0..6 {
        let target = random_machine(4, 2, seed, |rng| rng.chance(1, 2)).minimize();
        let n = target.n_states();
        let mq = shared(&target);
        let (model, learned) = learn_with(&mq, 2, WMethod::new(&mq, n));
        assert!(model.is_equivalent(&target), "W, seed {seed}");
        assert_eq!(learned.guarantee, Guarantee::UpToStates(2 * n));
        let w = mq.borrow().inner().counts().queries;

        let mq = shared(&target);
        let (model, _) = learn_with(&mq, 2, WpMethod::new(&mq, n));
        assert!(model.is_equivalent(&target), "Wp, seed {seed}");
        let wp = mq.borrow().inner().counts().queries;
        assert!(wp <= w, "Wp asked {wp} and W {w} words, seed {seed}");
    }
}

/// All machines of two states over two letters against the hypothesis of one: no mutant survives.
#[test]
fn no_machine_within_the_bound_survives_w_or_wp() {
    let hypothesis = Dfa::from_fn(
        2,
        &[false, true],
        |q, a| if a.index() == 0 { q } else { 1 - q },
    );
    for code in 0..4 * 81u32 {
        let outputs = [false, code & 1 == 1, code & 2 == 2];
        let mut digits = code / 4;
        let mutant = Dfa::from_fn(2, &outputs[..], |_, _| {
            let to = digits % 3;
            digits /= 3;
            to as usize
        });
        let differs = !mutant.is_equivalent(&hypothesis);
        let mut w = WMethod::new(DfaOracle::new(&mutant), 1);
        let mut wp = WpMethod::new(DfaOracle::new(&mutant), 1);
        for answer in [w.compare(&hypothesis), wp.compare(&hypothesis)] {
            assert_eq!(
                matches!(answer.unwrap(), EqAnswer::Differs(_)),
                differs,
                "{mutant:?}"
            );
        }
    }
}

#[test]
fn random_words_walks_and_samples_learn_a_random_machine() {
    let target = target();
    let mq = shared(&target);
    let (model, learned) = learn_with(&mq, 3, RandomWords::new(&mq, 500, 0, 20, Rng::new(1, 0)));
    assert!(model.is_equivalent(&target));
    assert_eq!(learned.guarantee, Guarantee::Tested { words: 500 });

    let mq = shared(&target);
    let (model, _) = learn_with(&mq, 3, RandomWalks::new(&mq, 5000, 20, Rng::new(1, 0)));
    assert!(model.is_equivalent(&target));

    let mq = shared(&target);
    let source = |rng: &mut Rng| {
        (0..rng.below(15))
            .map(|_| Letter(rng.below(3) as u32))
            .collect()
    };
    let eq = PacSampling::new(&mq, source, 0.01, 0.99, Rng::new(2, 0)).unwrap();
    let (model, learned) = learn_with(&mq, 3, eq);
    let samples = pac_samples(0.01, 0.99, learned.rounds as u32).unwrap();
    assert_eq!(
        learned.guarantee,
        Guarantee::Pac {
            epsilon: 0.01,
            delta: 0.99,
            samples
        }
    );
    assert!(model.is_equivalent(&target));
    assert!(PacSampling::new(&mq, source, 0.0, 0.9, Rng::new(0, 0)).is_none());
}

#[test]
fn a_cache_asks_for_a_word_once() {
    let target = target();
    let mut mq = Caching::new(Counting::new(DfaOracle::new(&target)));
    let words = words_up_to(4, 3);
    let twice: Vec<Word> = words.iter().chain(&words).cloned().collect();
    let expected: Vec<bool> = twice.iter().map(|w| target.accepts(w)).collect();
    assert_eq!(mq.ask(&twice), Ok(expected.clone()));
    assert_eq!(mq.ask(&twice), Ok(expected));
    assert_eq!(mq.inner().counts().queries as usize, words.len() - 1);
    assert_eq!(mq.counts().asked as usize, words.len());
    // Traces of known words are known.
    mq.ask_traces(&words).unwrap();
    assert_eq!(mq.inner().counts().queries as usize, words.len() - 1);
}

/// Rejects all words that begin with letter 1, and says so.
struct WithPatterns {
    asked: usize,
    patterns: Vec<Pattern<bool>>,
}

impl MembershipOracle for WithPatterns {
    type Answer = bool;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<bool>, StopReason> {
        self.asked += words.len();
        let mut answers = Vec::new();
        for word in words {
            let rejected = word.first() == Some(&Letter(1));
            if rejected {
                self.patterns.push(Pattern {
                    letters: vec![(0, Letter(1))],
                    length: None,
                    answer: false,
                });
            }
            answers.push(!rejected);
        }
        Ok(answers)
    }

    fn take_patterns(&mut self) -> Vec<Pattern<bool>> {
        std::mem::take(&mut self.patterns)
    }
}

#[test]
fn a_pattern_answers_the_rest_of_the_batch() {
    let words = words_up_to(5, 2);
    let oracle = WithPatterns {
        asked: 0,
        patterns: Vec::new(),
    };
    let mut mq = Caching::new(oracle).with_batch_limit(1);
    let answers = mq.ask(&words).unwrap();
    for (word, answer) in words.iter().zip(answers) {
        assert_eq!(answer, word.first() != Some(&Letter(1)), "{word:?}");
    }
    // The empty word, the 31 words that begin with letter 0, and one that begins with letter 1.
    assert_eq!(mq.inner().asked, 1 + 31 + 1);
    assert_eq!(mq.counts().by_pattern, 30);
}

#[test]
fn answers_survive_in_a_file_and_damage_is_noticed() {
    let dir = std::env::temp_dir().join(format!("idiolect-learn-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join("answers.jsonl");
    let target = target();
    let mut mq = Caching::new(DfaOracle::new(&target));
    mq.ask(&words_up_to(3, 3)).unwrap();
    mq.add_pattern(Pattern {
        letters: vec![(3, Letter(2))],
        length: Some(9),
        answer: true,
    });
    write_answers(&path, "t", mq.words(), mq.patterns()).unwrap();

    let (words, patterns) = read_answers::<bool>(&path, "t").unwrap();
    let mut again = Caching::with_words(Counting::new(DfaOracle::new(&target)), words, patterns);
    let asked = words_up_to(3, 3);
    let expected: Vec<bool> = asked.iter().map(|w| target.accepts(w)).collect();
    assert_eq!(again.ask(&asked), Ok(expected));
    assert_eq!(again.inner().counts(), Counts::default());
    assert_eq!(again.patterns().len(), 1);

    let other = read_answers::<bool>(&path, "another");
    assert!(matches!(other, Err(CacheFileError::OtherTarget { .. })));
    let text = std::fs::read_to_string(&path).unwrap();
    let damaged = |text: &str| {
        std::fs::write(&path, text).unwrap();
        read_answers::<bool>(&path, "t").map(|_| ())
    };
    for cut in (0..text.len()).step_by(7) {
        assert!(damaged(&text[..cut]).is_err(), "cut at {cut}");
    }
    assert!(matches!(damaged(""), Err(CacheFileError::Version { .. })));
    let newer = text.replacen("\"version\":1", "\"version\":2", 1);
    assert!(matches!(
        damaged(&newer),
        Err(CacheFileError::Version { .. })
    ));
    let word = text.replacen("[[0],", "[[x],", 1);
    assert!(matches!(damaged(&word), Err(CacheFileError::Line { .. })));
    let missing = read_answers::<bool>(&dir.join("none"), "t");
    assert!(matches!(missing, Err(CacheFileError::Io { .. })));
    // Nothing but the file itself is left behind.
    assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 1);
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn threads_give_the_same_answers_in_the_same_order() {
    let target = target();
    let words = words_up_to(6, 3);
    let ask = |word: &[Letter]| Ok::<bool, StopReason>(target.accepts(word));
    let one = Parallel::new(ask, 1).ask(&words);
    for n in [0, 2, 3, 8] {
        assert_eq!(Parallel::new(ask, n).ask(&words), one);
    }
    let stops = |word: &[Letter]| {
        if word.len() == 5 {
            Err(StopReason::Steps)
        } else {
            Ok(true)
        }
    };
    assert_eq!(Parallel::new(stops, 3).ask(&words), Err(StopReason::Steps));
}

/// Stops after a number of words.
struct Limited<M> {
    inner: M,
    left: usize,
}

impl<M: MembershipOracle> MembershipOracle for Limited<M> {
    type Answer = M::Answer;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<M::Answer>, StopReason> {
        self.left = self
            .left
            .checked_sub(words.len())
            .ok_or(StopReason::Steps)?;
        self.inner.ask(words)
    }
}

/// Interrupts each learner again and again, saves and restores it each time, and compares the
/// result and the questions with an undisturbed run.
#[test]
fn a_stopped_learner_is_saved_restored_and_resumed() {
    let dir = std::env::temp_dir().join(format!("idiolect-learner-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let target = target();
    for kind in LearnerKind::ALL {
        let path = dir.join(kind.name());
        let mut undisturbed = Counting::new(Limited {
            inner: DfaOracle::new(&target),
            left: usize::MAX,
        });
        let mut learner = kind.start_dfa(3, &mut undisturbed).unwrap();
        learn(&mut learner, &mut undisturbed, &mut Exact::new(&target)).unwrap();
        let expected = learner.hypothesis().clone();

        let mut mq = Counting::new(Limited {
            inner: DfaOracle::new(&target),
            left: 1,
        });
        let mut learner = kind.start_dfa(3, &mut mq).unwrap();
        let (mut stops, mut allowance) = (0, 1);
        loop {
            let result = learn(&mut learner, &mut mq, &mut Exact::new(&target));
            let before = learner.hypothesis().clone();
            Saved::of_dfa(&learner).write(&path).unwrap();
            let saved: Saved<bool> = Saved::read(&path).unwrap();
            learner = saved.restore_dfa().unwrap();
            assert_eq!(*learner.hypothesis(), before, "{}", kind.name());
            assert_eq!(Saved::of_dfa(&learner), saved, "{}", kind.name());
            match result {
                Ok(_) => break,
                Err(RefineError::Stopped(StopReason::Steps)) => stops += 1,
                Err(e) => panic!("{}: {e}", kind.name()),
            }
            let counts = mq.counts();
            allowance += 7;
            mq = Counting::new(Limited {
                inner: DfaOracle::new(&target),
                left: allowance,
            });
            assert!(stops < 1000, "{}", kind.name());
            assert!(counts.queries <= allowance as u64);
        }
        assert!(stops > 5, "{}", kind.name());
        assert!(
            learner.hypothesis().is_equivalent(&expected),
            "{}",
            kind.name()
        );
        assert_eq!(learner.hypothesis().n_states(), expected.n_states());
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn a_clone_is_a_snapshot() {
    let target = target();
    for kind in LearnerKind::ALL {
        let mut mq = DfaOracle::new(&target);
        let mut learner = kind.start_dfa(3, &mut mq).unwrap();
        learner.complete(&mut mq).unwrap();
        let snapshot = learner.clone();
        let model = snapshot.hypothesis().clone();
        let mut eq = Exact::new(&target);
        learn(&mut learner, &mut mq, &mut eq).unwrap();
        assert_eq!(*snapshot.hypothesis(), model);
        let mut again = snapshot;
        learn(&mut again, &mut mq, &mut eq).unwrap();
        assert_eq!(again.hypothesis(), learner.hypothesis(), "{}", kind.name());
    }
}

#[test]
fn a_damaged_learner_file_is_refused() {
    let target = target();
    let mut mq = DfaOracle::new(&target);
    let mut learner = LearnerKind::Ttt.start_dfa(3, &mut mq).unwrap();
    learn(&mut learner, &mut mq, &mut Exact::new(&target)).unwrap();
    let text = serde_json::to_string(&Saved::of_dfa(&learner)).unwrap();
    let restore = |text: &str| -> Result<DfaLearner, RestoreError> {
        serde_json::from_str::<Saved<bool>>(text)?.restore_dfa()
    };
    assert!(restore(&text).is_ok());
    for (from, to) in [
        ("\"ttt\"", "\"nobody\""),
        ("\"version\":1", "\"version\":9"),
        ("\"letters\":3", "\"letters\":2"),
        ("\"letters\":3", "\"letters\":99999999999"),
        ("\"answers\":[", "\"answers\":[3,"),
        ("\"words\":[", "\"words\":[[[0],77],"),
    ] {
        assert_ne!(text.replacen(from, to, 1), text, "{from}");
        assert!(
            restore(&text.replacen(from, to, 1)).is_err(),
            "{from} -> {to}"
        );
    }
    // Turned answers are either noticed or give another learner, but nothing breaks.
    for i in 0..200 {
        let Some((at, _)) = text.match_indices(",0]").nth(i) else {
            break;
        };
        let mut turned = text.clone();
        turned.replace_range(at..at + 3, ",1]");
        let _ = restore(&turned);
    }
}
