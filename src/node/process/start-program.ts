import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { SYSTEM } from "../system.ts";
import { findProgram } from "./find-program.ts";
import { startError } from "./program-error.ts";
import { endWithUs, markerVariable, newMarker } from "./running.ts";
import type { Sandbox, Wrapped } from "./sandbox/sandbox.ts";
import { type EndableProgram, terminate } from "./terminate.ts";

/** What to start: argv, never a shell command; see {@link shellLine} for one. */
export interface ProgramCall {
  /** A path, or a name that is looked up on the PATH of `environment`. */
  readonly file: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  /** All variables the program gets, plus the marker of the run. See {@link childEnvironment}. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What the program can change. Default: everything this user can. */
  readonly sandbox?: Sandbox;
  /** True: a shell runs between us and the program, so that `kill -9 $PPID` ends the program's run and not ours. */
  readonly shielded?: boolean;
}

/** A running program in its own process group. It ends with our process. */
export interface StartedProgram extends EndableProgram {
  readonly child: ChildProcess;
  /** Ends it with everything it started. Resolves when that is gone; never rejects. */
  terminate(): Promise<void>;
  /** Stops tracking it: it has ended, and what it started may stay. */
  release(): void;
}

export function shellLine(line: string): { readonly file: string; readonly args: readonly string[] } {
  return { file: "/bin/sh", args: ["-c", line] };
}

/** Its stdin: a pipe, nothing, or a file descriptor. */
export type ProgramInput = "pipe" | "none" | number;

/**
 * Starts a program with pipes for its output.
 *
 * @throws ProgramError when it can't be started; `missing` when it, its folder or the sandbox is not available.
 */
export async function startProgram(call: ProgramCall, input: ProgramInput): Promise<StartedProgram> {
  const { file, cwd, environment } = call;
  const marker = newMarker();
  const started = call.sandbox === undefined ? shielded(call) : await inSandbox(call, call.sandbox);
  const [name, value] = markerVariable(marker);
  const child = startChild(started, cwd, { ...environment, [name]: value }, input);
  const { pid } = child;
  if (pid === undefined) {
    const [error]: unknown[] = await once(child, "error").catch((reason: unknown) => [reason]);
    for (const stream of child.stdio) stream?.destroy();
    throw startError(error, file, cwd);
  }
  // Later errors are about signals that could not be sent; they are handled where they are sent.
  child.on("error", () => undefined);
  const exited = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const program: EndableProgram = { pid, marker, exited };
  const release = endWithUs(program);
  let ending: Promise<void> | undefined;
  return {
    ...program,
    child,
    release,
    terminate: () => {
      ending ??= terminate(program).finally(release);
      return ending;
    },
  };
}

/** Ends as the program ends, and says nothing of its own. The program has the default reaction to the signals. */
const SHIELD = `trap : TERM INT HUP; exec 3>&2 2>/dev/null; (exec "$@" 2>&3 3>&-); s=$?; trap - TERM INT HUP; [ $s -gt 128 ] && kill -$((s - 128)) $$; exit $s`;

function shielded({ file, args = [], cwd, environment, ...call }: ProgramCall): Wrapped {
  if (call.shielded !== true || !SYSTEM.posixShell) return { file, args };
  // What is missing is reported by the start itself.
  const found = findProgram(file, cwd, environment);
  return found === undefined
    ? { file, args }
    : { file: "/bin/sh", args: ["-c", SHIELD, "sh", found, ...args] };
}

async function inSandbox(call: ProgramCall, sandbox: Sandbox): Promise<Wrapped> {
  const { sandboxed } = await import("./sandbox/sandbox.ts");
  return sandboxed(call, sandbox);
}

function startChild(
  { file, args }: Wrapped,
  cwd: string,
  env: Record<string, string | undefined>,
  input: ProgramInput,
): ChildProcess {
  try {
    return spawn(file, args, {
      cwd,
      env,
      detached: true,
      stdio: [input === "none" ? "ignore" : input, "pipe", "pipe"],
    });
  } catch (error) {
    throw startError(error, file, cwd);
  }
}

/** Says whether a program that stays may keep our process alive: it may while something is asked of it. */
export function keepAlive({ child }: StartedProgram, wanted: boolean): void {
  for (const handle of [child, ...child.stdio]) {
    if (handle !== child && !(handle instanceof Socket)) continue;
    if (wanted) handle.ref();
    else handle.unref();
  }
}
