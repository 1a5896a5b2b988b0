import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** Runs a program to its end, in a process group that ends with the test. */
export async function runProgram(
  program: string,
  args: readonly string[],
  given: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly stdin?: string },
): Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }> {
  const { cwd, env, stdin = "" } = given;
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  onTestFinished(() => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(stdin);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}

/** Writes these keys into a file, next to what else is in it. */
export function writeJson(file: string, value: object): void {
  const before: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...Object(before), ...value }));
}

export function readJson(file: string) {
  return JSON.parse(readFileSync(file, "utf8"));
}
