"""SQLite's transactions, to be learned: an input a line, an output a line, RESET begins anew.

idiolect learn --sul 'python3 examples/systems/sqlite.py' --alphabet begin,commit,rollback,insert,delete,count

The program behind it is `sqlite3` as it is installed, spoken to as a person would.
"""

import subprocess
import sys

SQL = {
    "begin": "BEGIN;",
    "commit": "COMMIT;",
    "rollback": "ROLLBACK;",
    "insert": "INSERT OR IGNORE INTO t VALUES (1);",
    "delete": "DELETE FROM t;",
    "count": "SELECT count(*) FROM t;",
}


class Shell:
    def __init__(self):
        self.process = subprocess.Popen(
            ["sqlite3", "-batch", ":memory:"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def ask(self, text):
        """What it prints, up to a mark that it is asked to print last."""
        self.process.stdin.write(text + "\n.print end-of-answer\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line.strip() == "end-of-answer":
                break
            lines.append(line.strip())
        return lines


def say(lines):
    if not lines:
        return "ok"
    # The line that an error is at says how much was asked before.
    return "error: " + lines[0].split(": ")[-1] if "rror" in lines[0] else lines[0]


shell = Shell()
shell.ask("CREATE TABLE t (x INTEGER PRIMARY KEY);")
for line in sys.stdin:
    word = line.strip()
    if word == "RESET":
        shell.ask("ROLLBACK;")
        shell.ask("DELETE FROM t;")
        continue
    print(say(shell.ask(SQL[word])).replace(" ", "-"), flush=True)
