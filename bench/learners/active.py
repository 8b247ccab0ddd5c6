"""Learns a DFA with AALpy and prints what that took, as one line of JSON.

active.py FILE rs|kv|lsharp

FILE has a line `n k`, and then for each state a line with 0 or 1 (accepting) and its k successors.
The equivalence oracle is exact and gives shortest counterexamples: a breadth-first search of the
product over plain lists. Its time is measured apart. The learner runs with the options that AALpy
has by default, its cache included, which also knows the answers to all prefixes of what was asked.
"""

import json
import sys
import time

from aalpy.automata import Dfa, DfaState
from aalpy.base import Oracle
from aalpy.learning_algs import run_KV, run_Lsharp, run_Lstar
from aalpy.SULs import AutomatonSUL


def read(path):
    with open(path, encoding="ascii") as file:
        n, k = map(int, file.readline().split())
        rows = [list(map(int, line.split())) for line in file]
    assert len(rows) == n and all(len(row) == k + 1 for row in rows)
    return k, [row[0] == 1 for row in rows], [row[1:] for row in rows]


class Exact(Oracle):
    """Compares with the target itself."""

    def __init__(self, sul, k, accepting, delta):
        super().__init__(list(range(k)), sul)
        self.k, self.accepting, self.delta = k, accepting, delta
        self.seconds = 0.0

    def find_cex(self, hypothesis):
        start = time.process_time()
        word = self.difference(hypothesis)
        self.seconds += time.process_time() - start
        return word

    def difference(self, hypothesis):
        number = {id(q): i for i, q in enumerate(hypothesis.states)}
        h_accepting = [bool(q.is_accepting) for q in hypothesis.states]
        h_delta = [
            [number[id(q.transitions[a])] for a in range(self.k)] for q in hypothesis.states
        ]
        m = len(h_delta)
        accepting, delta = self.accepting, self.delta
        first = number[id(hypothesis.initial_state)]
        seen = bytearray(len(delta) * m)
        seen[first] = 1
        queue = [(0, first, -1, -1)]
        for at, (p, q, _, _) in enumerate(queue):
            if accepting[p] != h_accepting[q]:
                word = []
                while at > 0:
                    word.append(queue[at][3])
                    at = queue[at][2]
                return tuple(reversed(word))
            for a, (p2, q2) in enumerate(zip(delta[p], h_delta[q])):
                if not seen[p2 * m + q2]:
                    seen[p2 * m + q2] = 1
                    queue.append((p2, q2, at, a))
        return None


def main():
    path, learner = sys.argv[1:]
    k, accepting, delta = read(path)
    states = [DfaState(f"s{i}", is_accepting=yes) for i, yes in enumerate(accepting)]
    for state, row in zip(states, delta):
        state.transitions = {a: states[q] for a, q in enumerate(row)}
    sul = AutomatonSUL(Dfa(states[0], states))
    oracle = Exact(sul, k, accepting, delta)
    run = {"rs": run_Lstar, "kv": run_KV, "lsharp": run_Lsharp}[learner]
    start = time.process_time()
    model, info = run(list(range(k)), sul, oracle, "dfa", return_data=True, print_level=0)
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
