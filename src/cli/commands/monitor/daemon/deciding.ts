import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { daemonPlace } from "../../../../monitor/daemon/place.ts";
import { ownProgram } from "../../../command-line/own-program.ts";
import { SERVE_FLAG } from "../../../hook/startup/flags.ts";

const LEAST_PAUSE_MILLISECONDS = 500;
const LONGEST_PAUSE_MILLISECONDS = 60_000;

/** Keeps a process running that decides calls of `tenterhook hook`. Without it, calls decide themselves. */
export function startDeciding(environment: NodeJS.ProcessEnv, log: (line: string) => void) {
  const { hookSocket } = daemonPlace(environment);
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pause = LEAST_PAUSE_MILLISECONDS;
  let closed = hookSocket === undefined;
  const start = (): void => {
    if (closed) return;
    const { file, args } = ownProgram("hook", SERVE_FLAG);
    child = spawn(file, args, {
      cwd: "/",
      env: environment,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    child.on("error", (error) => log(`the process that decides calls: ${error.message}`));
    child.on("message", (line) => log(`the process that decides calls: ${String(line)}`));
    const started = Date.now();
    child.once("exit", (code, signal) => {
      if (closed) return;
      if (Date.now() - started > LONGEST_PAUSE_MILLISECONDS) pause = LEAST_PAUSE_MILLISECONDS;
      log(`the process that decides calls ended (${signal ?? code}); the next one starts in ${pause} ms`);
      timer = setTimeout(start, pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLISECONDS);
    });
  };
  start();
  return {
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      if (child !== undefined && child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      if (hookSocket !== undefined) rmSync(hookSocket, { force: true });
    },
  };
}
