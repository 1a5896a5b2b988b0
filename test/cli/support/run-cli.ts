import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { processScreen } from "../../../src/cli/command-line/screen/screen.ts";
import { runCommandLine } from "../../../src/cli/run-command-line.ts";
import type { Standing } from "../../../src/monitor/person/standing.ts";
import { ROOT } from "../../repository/support/files.ts";
import { aPerson } from "../../support/a-person.ts";

/** The built program. */
export const CLI = join(ROOT, "dist/tenterhook.cjs");

/** The variables of a user of his own, with nothing of this one's. No call starts a daemon, and none is asked. */
export function userEnvironment(folder: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: join(folder, "home"),
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CONFIG_HOME: join(folder, "config"),
    XDG_CACHE_HOME: join(folder, "cache"),
    TENTERHOOK_DAEMON: "0",
    ...more,
  };
}

/** What a command printed, and its exit code. */
export interface CliResult {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command line in this process, which takes a tenth of the time of a start. What is about the process itself
 * (stdin, signals, its exit, what the build made of it) needs {@link startCli}.
 */
export async function runCli(
  cwd: string,
  environment: NodeJS.ProcessEnv,
  ...args: readonly string[]
): Promise<CliResult> {
  return runCliAs(await aPerson(), cwd, environment, ...args);
}

/** The same for somebody of whom less may be known. */
export async function runCliAs(
  standing: Standing,
  cwd: string,
  environment: NodeJS.ProcessEnv,
  ...args: readonly string[]
): Promise<CliResult> {
  return inPlace({ cwd, environment }, () => commandLine(standing, cwd, environment, args));
}

async function commandLine(
  standing: Standing,
  cwd: string,
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
): Promise<CliResult> {
  const printed = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof printed) => ({
    write: (written: string) => {
      printed[name] += written;
    },
  });
  const streams = { stdout: stream("stdout"), stderr: stream("stderr"), stdin: {} };
  const screen = processScreen(environment, streams);
  const code = await runCommandLine(args, {
    screen,
    cwd,
    environment,
    parent: 1,
    standing: async () => standing,
  });
  return { code, ...printed };
}

let own = placeOfProcess();
let running = 0;

function placeOfProcess() {
  return { environment: process.env, cwd: process.cwd() };
}

/** Runs with these variables and this folder as those of the process, which starts the built program where it starts itself. */
export async function inPlace<Result>(
  { cwd, environment }: { readonly cwd: string; readonly environment: NodeJS.ProcessEnv },
  run: () => Promise<Result>,
): Promise<Result> {
  // Not what it was when the first file of the worker was loaded: that one's folders are gone.
  if (running === 0) own = placeOfProcess();
  process.env = environment;
  // Until the end of the test file: a daemon starts programs later, too.
  process.argv = [process.execPath, CLI];
  process.chdir(cwd);
  running += 1;
  try {
    return await run();
  } finally {
    running -= 1;
    if (running === 0) {
      process.env = own.environment;
      process.chdir(own.cwd);
    }
  }
}

/** Starts the built program and waits for its end, with this on stdin. */
export async function startCli(
  cwd: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  input: string | Uint8Array = "",
): Promise<CliResult> {
  const child = spawn(process.execPath, [CLI, ...args], { cwd, env });
  // It may end before it has read everything.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}
