import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { mustBeBuilt } from "../repository/support/files.ts";
import { eventually, processesWith } from "../support/processes.ts";
import { runCli } from "./support/run-cli.ts";
import { project, running } from "./support/run-task.ts";

beforeAll(mustBeBuilt);

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
