import type { ChildProcess } from "node:child_process";
import { lastCharacters } from "../../core/base/text.ts";
import { HookFailureError } from "../../core/events/hook-failure-error.ts";
import { isRunning } from "../../node/identity/process-identity.ts";
import { afterReading, Output, whenDrained, wholeCharacters } from "../../node/process/output.ts";
import {
  keepAlive,
  type ProgramCall,
  type StartedProgram,
  startProgram,
} from "../../node/process/start-program.ts";
import { startFailure } from "../command/command-call.ts";

/** The longest line, and the most of stderr that is shown for one request. */
const MOST_BYTES = 1_000_000;
/** How long a process whose input was closed may take to end by itself. */
const FAREWELL_MILLISECONDS = 250;
const NEWLINE = 0x0a;

interface Pending {
  readonly resolve: (line: Buffer) => void;
  readonly reject: (error: unknown) => void;
  readonly stderr: Output;
}

function ignore(): void {}

/** Resolves when a process has ended, or has taken too long. */
function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, FAREWELL_MILLISECONDS);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/**
 * One long-lived process that is asked one line at a time. Once it has written anything that was not asked for it is not
 * trusted with another request.
 */
export class Worker {
  /** True once it wrote something that nobody had asked for, such as a second answer. */
  spokeUnasked = false;
  private trusted = true;
  private readonly program: StartedProgram;
  private readonly onUnusable: (worker: Worker) => void;
  private pending: Pending | undefined;
  private received: Buffer[] = [];
  private size = 0;
  /** True when a whole line has been received. */
  private isLine = false;

  private constructor(program: StartedProgram, onUnusable: (worker: Worker) => void) {
    this.program = program;
    this.onUnusable = onUnusable;
    const { child } = program;
    child.stdout?.on("data", (chunk: Buffer) => this.receive(chunk));
    child.stderr?.on("data", (chunk: Buffer) => this.pending?.stderr.add(chunk));
    for (const stream of child.stdio) stream?.on("error", () => undefined);
    child.stdin?.on("error", () => this.fail("error", "It closed its input before it answered"));
    child.once("exit", (code, signal) => {
      // Its last words, or even its answer, may still be on the way.
      whenDrained(child, () => {
        // A whole answer counts; nothing can follow it any more.
        if (this.isLine) this.giveUp();
        else this.fail("error", `It ended before it answered (${signal ?? `exit code ${code}`})`);
      });
    });
    keepAlive(this.program, false);
  }

  /**
   * Starts a process. `onUnusable` is called once, when it can't be asked any more.
   *
   * @throws HookFailureError when it can't be started.
   */
  static async start(call: ProgramCall, onUnusable: (worker: Worker) => void): Promise<Worker> {
    try {
      return new Worker(await startProgram(call, "pipe"), onUnusable);
    } catch (error) {
      throw startFailure(error);
    }
  }

  /** False once it has ended, or wrote something without a request. */
  get usable(): boolean {
    return this.trusted && !this.program.exited();
  }

  /**
   * Sends a line and returns the one line that comes back. Only one request at a time.
   *
   * @throws HookFailureError `error` when the process ends first, `bad_output` for more than a line or a line too long;
   * the signal's reason when it is aborted, and then the process is gone with everything it started.
   */
  async ask(line: string, signal: AbortSignal, show: (text: string) => void): Promise<Buffer> {
    let onAbort: (() => void) | undefined;
    keepAlive(this.program, true);
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        const stderr = new Output(MOST_BYTES, show);
        this.pending = { resolve, reject, stderr };
        onAbort = () => {
          this.pending = { resolve: ignore, reject: ignore, stderr };
          this.giveUp();
          // A refusal that was written in time counts, though our process may have been too busy to read it.
          afterReading(() => {
            if (this.pending !== undefined) this.settle();
            this.terminate().then(() => reject(signal.reason));
          });
        };
        // It may have been aborted while the process was being started.
        if (signal.aborted) {
          onAbort();
          return;
        }
        signal.addEventListener("abort", onAbort, { once: true });
        this.program.child.stdin?.write(line);
      });
    } finally {
      if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
      keepAlive(this.program, false);
    }
  }

  /** Ends the process with everything it started. Never rejects. */
  async terminate(): Promise<void> {
    await this.program.terminate();
    for (const stream of this.program.child.stdio) stream?.destroy();
  }

  /** Closes the input of the process, and ends it when it does not end by itself. Never rejects. */
  async end(): Promise<void> {
    this.trusted = false;
    const { child, pid, exited, release } = this.program;
    child.stdin?.end();
    if (!exited()) await endOf(child);
    // To look through all processes takes longer than most hooks; what has left its group is meant to stay.
    if (exited() && !isRunning(-pid)) release();
    else await this.terminate();
    for (const stream of child.stdio) stream?.destroy();
  }

  private receive(chunk: Buffer): void {
    const { pending } = this;
    if (pending === undefined) {
      this.spokeUnasked = true;
      this.giveUp();
      return;
    }
    if (this.isLine) {
      this.fail("bad_output", "It answered more than one line");
      return;
    }
    this.size += chunk.length;
    this.received.push(chunk);
    const end = chunk.indexOf(NEWLINE);
    if (this.size > MOST_BYTES) this.fail("bad_output", `It answered more than ${MOST_BYTES} bytes`);
    else if (end === chunk.length - 1) {
      this.isLine = true;
      this.answer(pending);
    } else if (end !== -1) this.fail("bad_output", "It answered more than one line");
  }

  private answer(pending: Pending): void {
    // A second line may be on its way already, and would be a second answer.
    setImmediate(() => {
      if (this.pending !== pending) return;
      pending.stderr.end();
      const line = Buffer.concat(this.received).subarray(0, -1);
      this.settle();
      pending.resolve(line);
    });
  }

  private settle(): void {
    this.pending = undefined;
    this.received = [];
    this.size = 0;
    this.isLine = false;
  }

  private fail(kind: "error" | "bad_output", problem: string): void {
    const { pending } = this;
    if (pending !== undefined) this.settle();
    this.giveUp();
    if (pending === undefined) return;
    const stderr = lastCharacters(wholeCharacters(pending.stderr.end()).trim(), 500);
    pending.reject(new HookFailureError(kind, `${problem}${stderr === "" ? "." : `: ${stderr}`}`));
  }

  /** Makes sure that it gets no more requests. */
  giveUp(): void {
    if (!this.trusted) return;
    this.trusted = false;
    this.onUnusable(this);
  }
}
