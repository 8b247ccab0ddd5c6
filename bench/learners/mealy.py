"""Learns a Mealy machine with AALpy and prints what that took, as one line of JSON.

mealy.py FILE.dot rs|kv|lsharp

The equivalence oracle is exact and gives shortest counterexamples, as in active.py, and its time is
measured apart. The learner runs with the options that AALpy has by default, its cache included.
"""

import json
import sys
import time

from aalpy.base import Oracle
from aalpy.learning_algs import run_KV, run_Lsharp, run_Lstar
from aalpy.SULs import AutomatonSUL
from aalpy.utils import load_automaton_from_file


class Exact(Oracle):
    """Compares with the target itself."""

    def __init__(self, alphabet, sul, target):
        super().__init__(alphabet, sul)
        self.target = target
        self.seconds = 0.0

    def find_cex(self, hypothesis):
        start = time.process_time()
        word = self.difference(hypothesis)
        self.seconds += time.process_time() - start
        return word

    def difference(self, hypothesis):
        first = (self.target.initial_state, hypothesis.initial_state)
        seen = {(id(first[0]), id(first[1]))}
        queue = [(first[0], first[1], -1, None)]
        for at, (p, q, _, _) in enumerate(queue):
            for a in self.alphabet:
                if p.output_fun[a] != q.output_fun[a]:
                    word = [a]
                    while at > 0:
                        word.append(queue[at][3])
                        at = queue[at][2]
                    return tuple(reversed(word))
                p2, q2 = p.transitions[a], q.transitions[a]
                if (id(p2), id(q2)) not in seen:
                    seen.add((id(p2), id(q2)))
                    queue.append((p2, q2, at, a))
        return None


def main():
    path, learner = sys.argv[1:]
    target = load_automaton_from_file(path, "mealy")
    alphabet = target.get_input_alphabet()
    sul = AutomatonSUL(target)
    oracle = Exact(alphabet, sul, target)
    run = {"rs": run_Lstar, "kv": run_KV, "lsharp": run_Lsharp}[learner]
    start = time.process_time()
    model, info = run(alphabet, sul, oracle, "mealy", return_data=True, print_level=0)
    seconds = time.process_time() - start
    assert oracle.difference(model) is None
    print(
        json.dumps(
            {
                "queries": info["queries_learning"],
                "symbols": info["steps_learning"],
                "rounds": info["learning_rounds"],
                "states": model.size,
                "seconds": seconds - oracle.seconds,
                "equivalence_seconds": oracle.seconds,
            }
        )
    )


main()
