import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shareCompiledCode } from "../../support/shared-code.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { runCli, userEnvironment } from "./run-cli.ts";

/** A project with some files, and the environment of a user of its own. What is no text is written as JSON. */
export function workspace(files: Readonly<Record<string, unknown>>) {
  const folder = temporaryFolder();
  const cwd = join(folder, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(cwd, name), typeof content === "string" ? content : JSON.stringify(content));
  shareCompiledCode(join(folder, "cache"));
  return { cwd, env: userEnvironment(folder, { NO_COLOR: "1" }) };
}

/** What `tenterhook sessions` knows. */
export async function sessions(
  cwd: string,
  env: NodeJS.ProcessEnv,
  ...options: readonly string[]
): Promise<readonly Record<string, unknown>[]> {
  return JSON.parse((await runCli(cwd, env, "sessions", "--json", ...options)).stdout).sessions;
}
