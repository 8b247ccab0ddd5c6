"""When does `ed` warn before text is lost? An input a line, an output a line, RESET begins anew.

idiolect learn --sul 'python3 examples/systems/ed.py' --alphabet add,write,edit,look,quit
"""

import subprocess
import sys

# Each of them prints one line, or ends the editor. A mark to wait for would be a command in between.
COMMANDS = {
    "add": "a\nx\n.\np",
    "write": "w /dev/null",
    "edit": "e /dev/null",
    "look": "=",
    "quit": "q",
}


def start():
    return subprocess.Popen(
        ["ed"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def ask(editor, command):
    """`ok`, `?` or `ended`."""
    try:
        editor.stdin.write(command + "\n")
        editor.stdin.flush()
    except BrokenPipeError:
        return "ended"
    line = editor.stdout.readline()
    return "?" if line.strip() == "?" else "ok" if line else "ended"


def stop(editor):
    editor.kill()
    editor.stdout.close()
    editor.wait()


editor = start()
for line in sys.stdin:
    word = line.strip()
    if word == "RESET":
        stop(editor)
        editor = start()
    else:
        print(ask(editor, COMMANDS[word]), flush=True)
stop(editor)
