"""Learns from words with AALpy and prints what that took, as one line of JSON.

passive.py FILE rpni|edsm|alergia [TEST]

FILE has a line for each word: 0 or 1, and then its letters. ALERGIA learns a Markov chain from the
accepted words, with a letter for their start and one for their end. Reading is not timed, building
the prefix tree is. If there is a file TEST of the same form, the share of its words that the model gets right is
printed as well; a transition that the model does not have rejects.
"""

import json
import sys
import time

from aalpy.learning_algs import run_Alergia, run_RPNI
from aalpy.learning_algs.general_passive.GsmAlgorithms import run_EDSM


def accepts(model, word):
    state = model.initial_state
    for letter in word:
        state = state.transitions.get(letter)
        if state is None:
            return False
    return bool(state.is_accepting)


def main():
    path, learner = sys.argv[1:3]
    with open(path, encoding="ascii") as file:
        rows = [line.split() for line in file]
    if learner == "alergia":
        data = [("start", *row[1:], "end") for row in rows if row[0] == "1"]
    else:
        data = [(tuple(row[1:]), row[0] == "1") for row in rows]
    start = time.process_time()
    if learner == "alergia":
        model = run_Alergia(data, "mc", eps=0.05)
    elif learner == "rpni":
        model = run_RPNI(data, "dfa", print_info=False)
    else:
        model = run_EDSM(data, "dfa", print_info=False)
    seconds = time.process_time() - start
    printed = {"states": len(model.states), "seconds": seconds}
    for test in sys.argv[3:]:
        with open(test, encoding="ascii") as file:
            rows = [line.split() for line in file]
        right = sum(accepts(model, row[1:]) == (row[0] == "1") for row in rows)
        printed["right"] = right / len(rows)
    print(json.dumps(printed))


main()
