import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, expect, test } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { endAfterTest, eventually, processesWith } from "../support/processes.ts";
import { shareCompiledCode } from "../support/shared-code.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { CLI, userEnvironment } from "./support/run-cli.ts";

beforeAll(mustBeBuilt);

const LONG = `- text: I wait.
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

function project(script: string, changed = (hooks: string): string => hooks) {
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
async function running(changed = (hooks: string): string => hooks, script = LONG) {
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

test("Ctrl-C does not wait for a hook that takes too long to hear of it", async () => {
  const { child, items, mark, closed } = await running((hooks) => hooks.replace("enabled: false", ""));
  child.kill("SIGINT");
  expect(await closed).toEqual([130, null]);
  expect(items.find(({ type, hook }) => type === "hook_end" && hook === "slow-goodbye")).toMatchObject({
    run: { failure: { kind: "cancelled" } },
  });
  expect(items.at(-1)).toMatchObject({ type: "done", result: { stop_reason: "cancelled" } });
  await eventually(() => expect(processesWith(mark)).toEqual([]));
});

test("a process that is asked to end does so in order", async () => {
  const { child, cwd, mark, closed } = await running();
  child.kill("SIGTERM");
  expect(await closed).toEqual([143, null]);
  expect(existsSync(join(cwd, "ended.json"))).toBe(true);
  await eventually(() => expect(processesWith(mark)).toEqual([]));
});

test("a run that nobody reads any more ends in order, and not as if it had been done", async () => {
  const talks = LONG.replace("sleep 600 & sleep 600", "while sleep 0.1; do echo more; done");
  const { child, cwd, mark, closed } = await running((hooks) => hooks, talks);
  child.stdout.destroy();
  expect(await closed).toEqual([141, null]);
  expect(existsSync(join(cwd, "ended.json"))).toBe(true);
  await eventually(() => expect(processesWith(mark)).toEqual([]));
});

test("a second Ctrl-C ends the process at once", async () => {
  const { child, items, cwd, mark, closed } = await running((hooks) =>
    hooks.replace("sleep 0.3", "sleep 600"),
  );
  child.kill("SIGINT");
  await eventually(() =>
    expect(items.map(({ type, hook_event_name }) => `${type} ${hook_event_name}`)).toContain(
      "hook_begin SessionEnd",
    ),
  );
  child.kill("SIGINT");
  expect(await closed).toEqual([130, null]);
  expect(items.at(-1)?.type).not.toBe("done");
  expect(existsSync(join(cwd, "ended.json")) && readFileSync(join(cwd, "ended.json"), "utf8")).toBeFalsy();
  await eventually(() => expect(processesWith(mark)).toEqual([]));
});
