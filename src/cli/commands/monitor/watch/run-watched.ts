import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { constants } from "node:os";
import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../../../../core/base/error-text.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { agentProcess } from "../../../../monitor/report/agent-process.ts";
import { notifyMonitor } from "../../../../monitor/report/spool.ts";
import { programProblem } from "../../../../node/process/find-program.ts";
import { systemCode } from "../../../../node/system-code.ts";
import type { EventType, SaidFields } from "../../../../shared/monitor/events.ts";
import { keepOutput, outputOf } from "./keep-output.ts";

export interface WatchedRun {
  readonly agent: string;
  readonly host: string;
  /** True when the program's hooks tell what it does. */
  readonly hooked: boolean;
  readonly transcript: string | undefined;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly onMissing: (error: TenterhookError) => void;
  /** Set when another process holds the program: its input, and when it has to end. */
  readonly held?: HeldProgram | undefined;
}

interface HeldProgram {
  readonly input: string;
  /** Aborted when the program must end, with everything it has started. */
  readonly until: AbortSignal;
}

/** A program that has ended has written all that it will write; it only has to be read. */
const LAST_WORDS_MILLISECONDS = 1000;

/** Shells end with these codes when a program is not there, or may not be run. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

export interface Ended {
  readonly code: number;
  /** The signal that ended it, when it was one that asks a program to end. */
  readonly signal?: NodeJS.Signals;
}

/**
 * Runs a program that has the terminal to itself, and reports its start and its end to the monitor. Without a terminal, its
 * output passes through us, and its last lines are kept.
 */
export async function runWatched(run: WatchedRun): Promise<Ended> {
  const { agent, host, hooked, transcript, program, args, cwd, environment } = run;
  const report = (type: EventType, fields: SaidFields = {}): void =>
    void notifyMonitor({ type, host, ...fields }, { agent, payload: { cwd }, environment });
  const passing = passSignals((signal) => child.kill(signal));
  const { held } = run;
  const stdin = held === undefined ? "inherit" : "pipe";
  const child = spawn(program, args, { cwd, env: environment, stdio: [stdin, outputOf(1), outputOf(2)] });
  const letGo = held === undefined ? () => {} : hold(child, held);
  const kept = child.stdout || child.stderr ? keepOutput(agent, environment) : undefined;
  if (child.stdout) kept?.pass(child.stdout, process.stdout);
  if (child.stderr) kept?.pass(child.stderr, process.stderr);
  const closed = new Promise((resolve) => child.once("close", resolve));
  // At once: the program's own hooks must not report before it.
  if (child.pid !== undefined) {
    const { TENTERHOOK_WOKEN_BY: woken_by } = environment;
    report("agent:launched", {
      ...agentProcess(child.pid),
      woken_by,
      transcript_path: transcript,
      ...(kept === undefined ? {} : { output_path: kept.file }),
      // Who holds it continues it: the monitor must not.
      ...(held === undefined ? {} : { fleet: true }),
    });
    if (!hooked) report("agent:turn");
  }
  try {
    const [code, signal] = await endOf(child);
    await Promise.race([closed, lastWordsTime()]);
    const last_output = kept?.last();
    const exit_code = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
    const wasAsked = signal !== null && ASKS_TO_END.has(signal);
    const exit_signal = wasAsked ? signal : passing.recent();
    if (signal === null || wasAsked) report("agent:exit", { exit_code, exit_signal, last_output });
    else report("agent:gone", { signal, last_output });
    return { code: exit_code, ...(wasAsked ? { signal } : {}) };
  } catch (cause) {
    const why =
      programProblem(program, cwd, environment) ?? `${program} can't be started: ${errorMessage(cause)}.`;
    run.onMissing(new TenterhookError("usage_error", why, { cause }));
    return { code: systemCode(cause) === "ENOENT" ? NOT_FOUND : NOT_EXECUTABLE };
  } finally {
    // What it has started may hold them open for long.
    child.stdout?.destroy();
    child.stderr?.destroy();
    letGo();
    passing.stop();
  }
}

/** On a busy machine the time can be over before anything was read; rounds of the event loop read what is there. */
async function lastWordsTime(): Promise<void> {
  await sleep(LAST_WORDS_MILLISECONDS, undefined, { ref: false });
  await nextRound();
  await nextRound();
}

/** How long a program has to end that is told so. */
const HELD_GRACE_MILLISECONDS = 2000;

function hold(child: ChildProcess, { input, until }: HeldProgram): () => void {
  let timer: NodeJS.Timeout | undefined;
  // A program need not read all of it.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  const end = (): void => {
    child.kill("SIGTERM");
    timer = setTimeout(() => child.kill("SIGKILL"), HELD_GRACE_MILLISECONDS);
  };
  if (until.aborted) end();
  else until.addEventListener("abort", end, { once: true });
  return () => {
    clearTimeout(timer);
    until.removeEventListener("abort", end);
  };
}

/** @throws the system's error when the program can't be started. */
function endOf(child: ChildProcess): Promise<readonly [code: number | null, signal: NodeJS.Signals | null]> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve([code, signal]));
  });
}

/** Sent to end a program. After any other signal it could not say that it ends. */
const ASKS_TO_END: ReadonlySet<NodeJS.Signals> = new Set(["SIGINT", "SIGTERM", "SIGHUP"]);

/** A terminal sends these to the program itself. */
const FROM_TERMINAL: readonly NodeJS.Signals[] = ["SIGINT", "SIGQUIT"];
/** A program that ends later than this after a signal has another reason: an agent ends its turn at Ctrl-C. */
const ENDING_MILLISECONDS = 10_000;
const PASSED: readonly NodeJS.Signals[] = ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"];

/** Passes signals on to a program, which decides what they do. Begins before the program can be sent any. */
function passSignals(send: (signal: NodeJS.Signals) => void) {
  let last: { readonly signal: NodeJS.Signals; readonly time: number } | undefined;
  const notice = (signal: NodeJS.Signals): void => {
    if (ASKS_TO_END.has(signal)) last = { signal, time: performance.now() };
  };
  const pass = (signal: NodeJS.Signals): void => {
    notice(signal);
    send(signal);
  };
  const listeners = [
    ...PASSED.map((signal) => [signal, pass] as const),
    ...FROM_TERMINAL.map((signal) => [signal, hasTerminal() ? notice : pass] as const),
  ];
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return {
    /** The signal that asked the program to end a moment ago. */
    recent(): NodeJS.Signals | undefined {
      return last !== undefined && performance.now() - last.time < ENDING_MILLISECONDS
        ? last.signal
        : undefined;
    },
    stop(): void {
      for (const [signal, listener] of listeners) process.off(signal, listener);
    },
  };
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}
