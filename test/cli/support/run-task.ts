import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { endAfterTest } from "../../support/processes.ts";
import { shareCompiledCode } from "../../support/shared-code.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { CLI, userEnvironment } from "./run-cli.ts";

export const LONG = `- text: I wait.
  tool_calls: [{ name: Bash, input: { command: "echo started; sleep 600 & sleep 600" } }]
- text: never
`;

/** The user's own hook, which needs no trust: it notes how the session ended. */
const HOOKS = (cwd: string): string => `hooks:
  definitions:
    - name: slow-goodbye
      type: command
      command: [sleep, "600"]
      timeout: 600
      matcher: { events: [AgentStop] }
      enabled: false
    - name: note-the-end
      type: command
      command: [sh, -c, "sleep 0.3; cat > ${cwd}/ended.json"]
      matcher: { events: [SessionEnd] }
permissions: { allow: [Bash] }
`;

export function project(script: string, changed = (hooks: string): string => hooks) {
  const folder = temporaryFolder();
  const cwd = join(folder, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  mkdirSync(join(folder, "config", "tenterhook"), { recursive: true });
  writeFileSync(join(folder, "config", "tenterhook", "hooks.yaml"), changed(HOOKS(cwd)));
  writeFileSync(join(cwd, "script.yaml"), script);
  shareCompiledCode(join(folder, "cache"));
  const mark = randomUUID();
  return { cwd, mark, env: userEnvironment(folder, { RUN_MARK: mark }) };
}

/** A run that has come to its long command. */
export async function running(changed = (hooks: string): string => hooks, script = LONG) {
  const { cwd, env, mark } = project(script, changed);
  const args = [CLI, "run", "wait", "--model", "scripted:script.yaml", "--json"];
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  endAfterTest(child);
  const items: { readonly type: string; readonly [key: string]: unknown }[] = [];
  const started = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      items.push(JSON.parse(line));
      if (items.at(-1)?.type === "tool_progress") resolve();
    });
  });
  await started;
  return { child, items, cwd, mark, closed: once(child, "close") };
}
