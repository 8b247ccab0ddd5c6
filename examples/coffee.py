"""A coffee machine that is learned: an input a line, an output a line, RESET begins anew."""

import sys

paid = dirty = False
for line in sys.stdin:
    word = line.strip()
    if word == "RESET":
        paid = dirty = False
        continue
    output = "nothing"
    if word == "coin":
        output = "refuse" if dirty else "beep"
        paid = paid or not dirty
    elif word == "button" and paid and not dirty:
        output, paid, dirty = "coffee", False, True
    elif word == "clean" and dirty:
        output, dirty = "steam", False
    print(output, flush=True)
