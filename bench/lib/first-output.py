"""Starts a program on a terminal, prints the milliseconds until it shows a text, and ends it: first-output.py TEXT program args..."""
import os
import pty
import signal
import sys
import time

wanted = sys.argv[1].encode()
began = time.monotonic()
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
seen = b""
while wanted not in seen:
    seen += os.read(terminal, 65536)
print((time.monotonic() - began) * 1000)
os.kill(pid, signal.SIGKILL)
os.waitpid(pid, 0)
