import { realpathSync } from "node:fs";
import { realPath } from "../../files/real-path.ts";
import { homeFolder } from "../../user-folders.ts";
import { findProgram } from "../find-program.ts";
import { notThere, ProgramError } from "../program-error.ts";
import { bubblewrap, probeBubblewrap, type SandboxPlan, seatbelt } from "./systems.ts";

/** What a program can change. There is no `off`: without a sandbox there is no such object. */
export interface Sandbox {
  readonly mode: "read-only" | "workspace-write";
  /** The folders that `workspace-write` can change; absolute. */
  readonly workspace: readonly string[];
  /** True: the program may use the network. Default false. */
  readonly network?: boolean;
}

/** The program to start instead, so that the original runs in its sandbox. */
export interface Wrapped {
  readonly file: string;
  readonly args: readonly string[];
}

interface SandboxSystem {
  /** The program that creates the sandbox. */
  readonly program: string;
  readonly wrap: (plan: SandboxPlan) => readonly string[];
  /** Throws a ProgramError when this machine can't create the sandbox. */
  readonly probe?: (path: string) => Promise<void>;
  readonly install: string;
}

/** The sandbox of each system. On any other system, requesting a sandbox is an error. */
const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, SandboxSystem>>> = {
  linux: {
    program: "bwrap",
    wrap: bubblewrap,
    probe: probeBubblewrap,
    install: "install the package bubblewrap",
  },
  darwin: { program: "sandbox-exec", wrap: seatbelt, install: "it is part of macOS" },
};

/**
 * Wraps a program call in a sandbox. Never returns the call without one.
 *
 * @throws ProgramError `missing` when this machine can't create the sandbox, and when the program is missing: inside
 * the sandbox that would look like a program that failed.
 */
export async function sandboxed(
  call: {
    readonly file: string;
    readonly args?: readonly string[];
    readonly cwd: string;
    readonly environment: Readonly<Record<string, string | undefined>>;
  },
  { mode, workspace, network = false }: Sandbox,
): Promise<Wrapped> {
  const system = SYSTEMS[process.platform];
  if (system === undefined) throw unavailable(mode, `${process.platform} has no sandbox we support`);
  // Looked up with our own variables: the program's must not choose its sandbox.
  const program = findProgram(system.program, "/", process.env);
  if (program === undefined) {
    throw unavailable(mode, `${system.program} is not on the PATH; ${system.install}`);
  }
  const file = findProgram(call.file, call.cwd, call.environment);
  if (file === undefined) throw new ProgramError("missing", notThere(call.file));
  const home = homeFolder(call.environment);
  const plan: SandboxPlan = {
    file,
    args: call.args ?? [],
    cwd: realFolder(call.cwd),
    // A missing home folder, as service users have it, has nothing to protect.
    home: realPath(home) ?? home,
    mode,
    workspace: workspace.map(realFolder),
    network,
  };
  if (mode === "workspace-write" && plan.workspace.includes("/")) {
    throw unavailable(mode, "the workspace is the whole file system, so nothing would be protected");
  }
  await system.probe?.(program);
  return { file: program, args: system.wrap(plan) };
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw new ProgramError("missing", `There is no folder ${path} for the sandbox.`, { cause });
  }
}

function unavailable(mode: string, reason: string): ProgramError {
  return new ProgramError(
    "missing",
    `The sandbox ${mode} is not available: ${reason}. Nothing was run; sandbox: { mode: off } runs it without one.`,
  );
}
