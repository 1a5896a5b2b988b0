import { createHooks } from "tenterhook";
import { followConfig } from "tenterhook/config";
import { expect, it, onTestFinished } from "vitest";
import { bashCall } from "../support/events.ts";
import { project } from "./support/project.ts";

it.each([
  ["a script", "type: command, script: second.sh", "second.sh", "exit 0\n", "touch ran\nexit 0\n"],
  [
    "a module",
    "type: module, module: ./second.ts",
    "second.ts",
    "export default () => {};\n",
    'import { writeFileSync } from "node:fs"; writeFileSync("ran", ""); export default () => {};\n',
  ],
])("%s that is swapped while the event is being decided is not run", async (_, handler, file, good, evil) => {
  const files = project({
    "hooks.yaml": `hooks: { definitions: [{ name: second, ${handler}, matcher: { events: [PreToolUse] } }] }`,
    [`project/${file}`]: good,
  });
  await files.trust();
  const hooks = createHooks();
  const followed = await followConfig(hooks, files.options);
  onTestFinished(() => followed.close());
  expect((await hooks.fire(bashCall("ls"))).action).toBe("continue");
  hooks.on("PreToolUse", { name: "first", priority: 1 }, () => {
    files.write(`project/${file}`, evil);
  });
  const { action, runs } = await hooks.fire(bashCall("ls"));
  expect([action, runs.map(({ name, failure }) => [name, failure?.kind])]).toEqual([
    "deny",
    [
      ["tenterhook:self-protection", undefined],
      ["first", undefined],
      ["second", "untrusted"],
    ],
  ]);
});

it("a program of an MCP server that is swapped before it is started is not run", async () => {
  const files = project({
    "hooks.yaml":
      "hooks: { definitions: [{ name: second, type: mcp, server: docs, tool: check, matcher: { events: [PreToolUse] } }] }",
    "project/.mcp.json": JSON.stringify({ mcpServers: { docs: { command: "node", args: ["server.mjs"] } } }),
    "project/server.mjs": "",
  });
  await files.trust();
  const hooks = createHooks();
  const followed = await followConfig(hooks, files.options);
  onTestFinished(() => followed.close());
  hooks.on("PreToolUse", { name: "first", priority: 1 }, () => {
    files.write("project/server.mjs", 'import { writeFileSync } from "node:fs"; writeFileSync("ran", "");');
  });
  const { action, runs } = await hooks.fire(bashCall("ls"));
  expect([action, runs.map(({ name, failure }) => [name, failure?.kind])]).toEqual([
    "deny",
    [
      ["tenterhook:self-protection", undefined],
      ["first", undefined],
      ["second", "untrusted"],
    ],
  ]);
});
