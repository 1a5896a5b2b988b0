import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./files.ts";

const execute = promisify(execFile);

/** What a program said and how it ended. */
export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a program in a folder to its end, without the variables an outer npm leaves to its scripts. */
export async function run(folder: string, program: string, ...args: readonly string[]): Promise<Ended> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_(package|lifecycle|command)|INIT_CWD)/.test(name)),
  );
  try {
    const { stdout } = await execute(program, args, { cwd: folder, env, timeout: 120_000 });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== "number") throw error;
    return { code, output: `${stdout ?? ""}${stderr ?? ""}` };
  }
}

/** Several threads check some types once each, and other tests need the cores. */
export const ONE_CHECKER = ["--checkers", "1"];

/** Runs the project's TypeScript compiler in a folder. */
export function compile(folder: string, ...args: readonly string[]): Promise<Ended> {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  return run(folder, process.execPath, tsc, ...ONE_CHECKER, ...args);
}
