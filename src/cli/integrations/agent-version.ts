import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findProgram } from "../../node/process/find-program.ts";
import type { Invocation } from "../command-line/command.ts";

const MOST_MILLISECONDS = 10_000;

/** What `--version` prints; `undefined` when there is no such program. */
export async function programVersion(
  program: string,
  { cwd, environment, signal }: Invocation,
): Promise<string | undefined> {
  const file = findProgram(program, cwd, environment);
  if (file === undefined) return undefined;
  try {
    const run = promisify(execFile);
    const { stdout } = await run(file, ["--version"], {
      env: environment,
      timeout: MOST_MILLISECONDS,
      maxBuffer: 100_000,
      signal,
    });
    return /\d+(?:\.\d+)+[\w.-]*/.exec(stdout)?.[0] ?? "of an unknown version";
  } catch {
    return "that does not tell its version";
  }
}

export function isOlder(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => /^\d+(?:\.\d+)*/.exec(text)?.[0].split(".").map(Number));
  if (one === undefined || other === undefined) return false;
  const at = other.findIndex((number, index) => number !== (one[index] ?? 0));
  return at !== -1 && (one[at] ?? 0) < (other[at] ?? 0);
}
