"""Redis' transactions, to be learned: an input a line, an output a line, RESET begins anew.

idiolect learn --sul 'python3 examples/systems/redis.py' --alphabet watch,multi,exec,discard,set,other --extra-states 2

There is one key, and a second client that writes it (`other`). The server is `redis-server` as it is installed, started
on a socket in a folder of its own, and ended with this program.
"""

import atexit
import os
import socket
import subprocess
import sys
import tempfile
import time

COMMANDS = {
    "watch": ["WATCH", "key"],
    "multi": ["MULTI"],
    "exec": ["EXEC"],
    "discard": ["DISCARD"],
    "set": ["SET", "key", "1"],
    "get": ["GET", "key"],
}


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")

    def ask(self, *words):
        parts = [f"${len(w)}\r\n{w}\r\n" for w in words]
        self.socket.sendall(f"*{len(words)}\r\n{''.join(parts)}".encode())
        return self.reply()

    def reply(self):
        """A reply of Redis in one word: what a string is does not matter, only that there is one."""
        line = self.file.readline().decode().strip()
        kind, rest = line[:1], line[1:]
        if kind == "-":
            return "error"
        if kind == "$":
            if rest == "-1":
                return "nil"
            return self.file.read(int(rest) + 2).decode().strip()
        if kind == "*":
            if rest == "-1":
                return "aborted"
            return "[" + "+".join(self.reply() for _ in range(min(int(rest), 1000))) + "]"
        return rest

    def close(self):
        self.socket.close()


def serve():
    folder = tempfile.TemporaryDirectory()
    path = os.path.join(folder.name, "redis.sock")
    options = ["--port", "0", "--unixsocket", path, "--save", "", "--dir", folder.name]
    server = subprocess.Popen(["redis-server", *options], stdout=subprocess.DEVNULL)
    atexit.register(folder.cleanup)
    atexit.register(server.wait)
    atexit.register(server.kill)
    while not os.path.exists(path):
        if server.poll() is not None:
            sys.exit("redis-server does not run")
        time.sleep(0.01)
    return path


path = serve()
other, client = Client(path), Client(path)
queued = 0
for line in sys.stdin:
    word = line.strip()
    if word == "RESET":
        client.close()
        other.ask("FLUSHALL")
        client, queued = Client(path), 0
    elif word == "other":
        print(other.ask("SET", "key", "2"), flush=True)
    elif queued == 2 and word in ("set", "get"):
        # More commands in a transaction would be more states without end.
        print("full", flush=True)
    else:
        answer = client.ask(*COMMANDS[word])
        queued = queued + 1 if answer == "QUEUED" else 0 if word in ("exec", "discard") else queued
        print(answer, flush=True)
