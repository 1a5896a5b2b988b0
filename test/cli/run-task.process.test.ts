import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, expect, test } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { endAfterTest, eventually, processesWith } from "../support/processes.ts";
import { shareCompiledCode } from "../support/shared-code.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { CLI, runCli, userEnvironment } from "./support/run-cli.ts";

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

test("Ctrl-C interrupts the agent; SessionEnd hooks run and nothing is left", async () => {
  const { child, items, cwd, mark, closed } = await running();
  child.kill("SIGINT");
  expect(await closed).toEqual([130, null]);
  expect(items.at(-1)).toMatchObject({ type: "done", result: { stop_reason: "cancelled" } });
  expect(JSON.parse(readFileSync(join(cwd, "ended.json"), "utf8"))).toMatchObject({
    hook_event_name: "SessionEnd",
    reason: "interrupt",
  });
  await eventually(() => expect(processesWith(mark)).toEqual([]));
});

test("what the agent started in the background ends with it", async () => {
  const { cwd, env, mark } = project(`- tool_calls:
    - { name: Bash, input: { command: sleep 600, run_in_background: true } }
- text: It runs.
`);
  const { code, stdout } = await runCli(cwd, env, "run", "x", "--model", "scripted:script.yaml");
  expect([code, stdout]).toEqual([0, expect.stringContaining("It runs.\n\ndone  2 iterations")]);
  await eventually(() => expect(processesWith(mark)).toEqual([]));
});

test("MCP servers of the configuration are tools of the agent, and end with it", async () => {
  const { cwd, env, mark } = project(`- tool_calls: [{ name: mcp__test__echo, input: { text: hello } }]
- text: Heard.
`);
  const server = new URL("../support/mcp-servers/stdio.mjs", import.meta.url).pathname;
  writeFileSync(
    join(cwd, "../config/tenterhook/hooks.yaml"),
    JSON.stringify({
      mcp_servers: {
        test: { command: process.execPath, args: [server] },
        gone: { command: join(cwd, "no-such-server") },
      },
      permissions: { allow: ["mcp__test"] },
    }),
  );
  const { code, stdout, stderr } = await runCli(cwd, env, "run", "x", "--model", "scripted:script.yaml");
  expect([code, stdout]).toEqual([0, expect.stringContaining("● mcp__test__echo")]);
  expect(stdout).toContain('  {"text":"hello"}\n');
  expect(stderr).toContain("gone");
  await eventually(() => expect(processesWith(mark)).toEqual([]));
});

test("the project's memory files and the user's hooks reach the model", async () => {
  const { cwd, env } = project("- text: fine\n");
  writeFileSync(join(cwd, "AGENTS.md"), "Speak of cats.\n");
  writeFileSync(
    join(cwd, "../config/tenterhook/hooks.yaml"),
    `hooks:
  definitions:
    - name: request
      type: command
      command: [sh, -c, "cat > ${cwd}/request.json"]
      matcher: { events: [PreModelRequest] }
`,
  );
  const { code } = await runCli(cwd, env, "run", "x", "--model", "scripted:script.yaml");
  expect(code).toBe(0);
  expect(readFileSync(join(cwd, "request.json"), "utf8")).toContain("Speak of cats.");
});

test("a colour is for whoever can see it", async () => {
  const { cwd, env } = project("- text: fine\n");
  const shown = async (environment: NodeJS.ProcessEnv) =>
    (await runCli(cwd, environment, "run", "x", "--model", "scripted:script.yaml")).stdout;
  expect(await shown({ ...env, FORCE_COLOR: "1" })).toContain("\u001b[32mdone\u001b[0m");
  expect(await shown(env)).not.toContain("\u001b");
});
