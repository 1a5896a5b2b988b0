import type { ChildProcess } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { isOpen, whenDrained } from "./drain.ts";
import { Output, type OutputStream } from "./output.ts";
import { type ProgramCall, type StartedProgram, startProgram } from "./start-program.ts";

/** A program to run to its end. */
export interface ProgramRun extends ProgramCall {
  /** What it reads; without it there is nothing to read. A program that does not read it all is no error. */
  readonly input?: string | Uint8Array;
  /** Ends the program and everything it started. */
  readonly signal: AbortSignal;
  /** How many bytes of each stream are kept and shown; the program can write more without being held up. */
  readonly maxOutputBytes: number;
  /**
   * Whether what the program left running on purpose is let be when it ends with this code. Default: with every code.
   */
  readonly mayLeave?: (exit_code: number) => boolean;
  /**
   * Whether this is all the program has to say, asked when it ended with 0 and something it started holds its stdout: a
   * whole answer is taken at once, one that is not there is waited for, 3 s at most. Default: what came soon counts.
   */
  readonly answered?: (stdout: Buffer) => boolean;
  /** Sees the output while it comes, in whole characters. */
  readonly onOutput?: (text: string, stream: OutputStream) => void;
  /** Sees every byte, also those that are not kept. */
  readonly onBytes?: (chunk: Buffer, stream: OutputStream) => void;
}

/** How a program ended, and what it wrote. */
export interface ProgramResult {
  /** `null` when a signal ended it. */
  readonly exit_code: number | null;
  readonly exit_signal: NodeJS.Signals | null;
  /** True when the caller's signal ended it: what is here is what came before. */
  readonly aborted: boolean;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly stdout_truncated: boolean;
  readonly stderr_truncated: boolean;
  /** True when something the program started held its stdout to the last: more might have come. */
  readonly stdout_held: boolean;
  /** Only when it left something behind that we end: resolves when that is gone; never rejects. See {@link runProgram}. */
  readonly settled?: Promise<void>;
}

/**
 * Runs a program. Resolves when the program itself is over, also when something it started still holds its pipes: what
 * is in them by then counts, and their holders are ended. What let go of the pipes (`helper >/dev/null 2>&1 &`) was
 * left running on purpose and is let be, as after any program that ended by itself, unless `mayLeave` says no. After an abort, or when a signal
 * killed the program, everything it started is ended; an aborted run resolves only when all of it is gone.
 *
 * @throws ProgramError when it can't be started, and the signal's reason when that was aborted before.
 */
export async function runProgram(run: ProgramRun): Promise<ProgramResult> {
  const { signal, maxOutputBytes, input } = run;
  signal.throwIfAborted();
  const program = await start(run);
  const { child } = program;
  const stdout = listen(child, "stdout", run, maxOutputBytes);
  const stderr = listen(child, "stderr", run, maxOutputBytes);
  write(child, input);
  const { aborted, held, settled } = await ended(program, run, stdout);
  return {
    exit_code: child.exitCode,
    exit_signal: child.signalCode,
    aborted,
    stdout: stdout.end(),
    stderr: stderr.end(),
    stdout_truncated: stdout.truncated,
    stderr_truncated: stderr.truncated,
    stdout_held: held,
    ...(settled === undefined ? {} : { settled }),
  };
}

async function start(run: ProgramRun): Promise<StartedProgram> {
  if (run.input === undefined) return startProgram(run, "none");
  const file = inputFile(run.input);
  try {
    return await startProgram(run, file ?? "pipe");
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function listen(child: ChildProcess, stream: OutputStream, run: ProgramRun, most: number): Output {
  const { onOutput, onBytes } = run;
  const output = new Output(most, onOutput === undefined ? undefined : (text) => onOutput(text, stream));
  child[stream]?.on("data", (chunk: Buffer) => {
    onBytes?.(chunk, stream);
    output.add(chunk);
  });
  child[stream]?.on("error", () => undefined);
  return output;
}

/** A program that ends, or closes its input, before it has read everything is its own business. */
function write({ stdin }: ChildProcess, input: string | Uint8Array | undefined): void {
  stdin?.on("error", () => undefined);
  stdin?.end(input);
}

interface Ended {
  readonly aborted: boolean;
  readonly held: boolean;
  readonly settled: Promise<void> | undefined;
}

/** Waits for the program, or ends it. */
function ended(program: StartedProgram, run: ProgramRun, stdout: Output): Promise<Ended> {
  const { child } = program;
  const { signal, mayLeave, answered } = run;
  return new Promise((resolve) => {
    const finish = (aborted: boolean, settled?: Promise<void>): void => {
      signal.removeEventListener("abort", onAbort);
      const held = isOpen(child.stdout);
      for (const stream of child.stdio) stream?.destroy();
      resolve({ aborted, held, settled });
    };
    const onAbort = (): void => {
      program.terminate().then(() => finish(true));
    };
    const onDrained = (released: boolean): void => {
      if (signal.aborted) return;
      const { exitCode } = child;
      if (released && exitCode !== null && mayLeave?.(exitCode) !== false) {
        program.release();
        finish(false);
      } else finish(false, program.terminate());
    };
    signal.addEventListener("abort", onAbort, { once: true });
    const isAnswered = (): boolean => stdout.truncated || answered?.(stdout.bytes()) !== false;
    child.once("exit", (code) => {
      if (signal.aborted) return;
      whenDrained(child, onDrained, code === 0 && answered !== undefined ? isAnswered : undefined);
    });
    // It may have been aborted while it was being started.
    if (signal.aborted) onAbort();
  });
}

/** Linux's flag for a file that never has a name; Node does not list it. */
const NAMELESS = 0o20000000 | constants.O_DIRECTORY;
/** Where files are kept in memory. */
const FOLDER = "/dev/shm";

/**
 * A file in memory, without a name, for a program to read as its input; close it once the program is started. The pipes
 * that Node makes are sockets, which Linux does not let a program open by name: `cat /dev/stdin` and
 * `readFileSync("/dev/stdin")` would fail. `undefined` where such a file can't be had or is not needed: a pipe does then.
 */
function inputFile(input: string | Uint8Array): number | undefined {
  if (process.platform !== "linux") return undefined;
  let descriptor: number;
  try {
    descriptor = openSync(FOLDER, constants.O_RDWR | NAMELESS, 0o600);
  } catch {
    return undefined;
  }
  try {
    const bytes = typeof input === "string" ? Buffer.from(input) : input;
    // Each piece at its place, so that who reads begins at the start.
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at, bytes.length - at, at);
    return descriptor;
  } catch {
    closeSync(descriptor);
    return undefined;
  }
}
