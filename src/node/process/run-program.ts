import type { ChildProcess } from "node:child_process";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import type { Readable } from "node:stream";
import { isOpen, Output, type OutputStream, whenDrained } from "./output.ts";
import { type ProgramCall, type StartedProgram, startProgram } from "./start-program.ts";

export interface ProgramRun extends ProgramCall {
  /** Its stdin; empty when absent. A program need not read all of it. */
  readonly input?: string | Uint8Array;
  /** Ends the program and everything it started. */
  readonly signal: AbortSignal;
  /** How many bytes of each stream are stored and shown; the program can write more. */
  readonly maxOutputBytes: number;
  /** Whether a background process may stay when the program ends with this code. Default: always. */
  readonly mayLeave?: (exit_code: number) => boolean;
  /**
   * Whether stdout is complete. Called when the program ended with 0 and something it started holds its stdout: waits
   * up to 3 s until this returns true. Default: what came soon counts.
   */
  readonly answered?: (stdout: Buffer) => boolean;
  /** Whether the program goes on without us, given its output so far. The run is over then; see `left`. */
  readonly leaves?: (stdout: Buffer) => boolean;
  /** Receives the output while it comes, in whole characters. */
  readonly onOutput?: (text: string, stream: OutputStream) => void;
  /** Receives every byte, also those that are not stored. */
  readonly onBytes?: (chunk: Buffer, stream: OutputStream) => void;
}

/** A program that goes on without us. The process that takes over its pipes reads the rest of its output. */
interface LeftProgram {
  /** Also the id of its process group. */
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

export interface ProgramResult {
  /** `null` when a signal ended it. */
  readonly exit_code: number | null;
  readonly exit_signal: NodeJS.Signals | null;
  /** True when the caller's signal ended it; the output is what came before. */
  readonly aborted: boolean;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly stdout_truncated: boolean;
  /** True when something the program started held its stdout to the end, so that output may be missing. */
  readonly stdout_held: boolean;
  /** Only when background processes are being ended: resolves when they are gone; never rejects. */
  readonly settled?: Promise<void>;
  /** Set when it goes on without us; `stdout` is what it wrote before. */
  readonly left?: LeftProgram;
}

/**
 * Runs a program. Resolves when the program itself has ended, even if something it started still holds its pipes: their
 * content by then counts, and their holders are ended. A background process that let go of the pipes (`helper
 * >/dev/null 2>&1 &`) was started on purpose and stays, unless `mayLeave` says no. After an abort, or when a signal
 * killed the program, everything it started is ended; an aborted run resolves when all of it is gone.
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
  const { aborted, held, settled, left } = await ended(program, run, stdout);
  return {
    exit_code: child.exitCode,
    exit_signal: child.signalCode,
    aborted,
    stdout: stdout.end(),
    stderr: stderr.end(),
    stdout_truncated: stdout.truncated,
    stdout_held: held,
    settled,
    left,
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

/** A program need not read all of its input. */
function write({ stdin }: ChildProcess, input: string | Uint8Array | undefined): void {
  stdin?.on("error", () => undefined);
  stdin?.end(input);
}

interface Ended {
  readonly aborted: boolean;
  readonly held: boolean;
  readonly settled: Promise<void> | undefined;
  readonly left?: LeftProgram;
}

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
    const onOutput = (): void => {
      const { stdout: out, stderr } = child;
      if (out === null || stderr === null || run.leaves?.(stdout.bytes()) !== true) return;
      signal.removeEventListener("abort", onAbort);
      child.removeAllListeners("exit");
      for (const stream of [out, stderr]) stream.removeAllListeners("data").pause();
      program.release();
      const left = { pid: program.pid, stdout: out, stderr };
      resolve({ aborted: false, held: false, settled: undefined, left });
    };
    if (run.leaves !== undefined) child.stdout?.on("data", onOutput);
    // It may have been aborted during the start.
    if (signal.aborted) onAbort();
  });
}

/** Linux's flag for a file without a name; Node does not list it. */
const NAMELESS = 0o20000000 | constants.O_DIRECTORY;
const FOLDER = "/dev/shm";

/**
 * A nameless file in memory as a program's stdin; close it once the program is started. Node's pipes are sockets, which
 * Linux can't open by name, so `cat /dev/stdin` and `readFileSync("/dev/stdin")` would fail. Returns `undefined` where
 * a pipe has to do.
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
    // Written at explicit positions, so that the reader starts at the beginning.
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at, bytes.length - at, at);
    return descriptor;
  } catch {
    closeSync(descriptor);
    return undefined;
  }
}
