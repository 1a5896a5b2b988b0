"""Runs a program on a terminal of its own: in-terminal.py '[["wait for this", "type this"], ...]' program args...

Instead of being typed, names of signals such as SIGTERM are sent, and "touch FILE" creates a file. Prints what the terminal showed, and ends as the program did.
"""
import json
import os
import pty
import signal
import sys

steps = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
seen = ""
shown = ""
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:  # The program has closed its end.
        break
    if not piece:
        break
    text = piece.decode("utf8", "replace")
    shown += text
    seen += text
    if steps and steps[0][0] in seen:
        _, typed = steps.pop(0)
        seen = ""
        if hasattr(signal, typed):
            os.kill(pid, getattr(signal, typed))
        elif typed.startswith("touch "):
            open(typed[len("touch ") :], "w").close()
        else:
            os.write(terminal, typed.encode())
_, status = os.waitpid(pid, 0)
sys.stdout.write(shown.replace("\r\n", "\n"))
sys.exit(os.waitstatus_to_exitcode(status))
