import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { eventually, processesWith } from "../support/processes.ts";
import { installedProject, type PackedProject } from "./support/packed-project.ts";

const OTHERS = `
import { mcpTools, openModel } from "tenterhook/agent";
const { provider } = await openModel("google/gemini-2.5-flash", { environment: { GEMINI_API_KEY: "key" } });
const { signal } = new AbortController();
const { warnings } = await mcpTools({ files: { command: "no-such-program" } }, { cwd: ".", environment: {}, signal });
console.log(provider + ": " + warnings);
`;

let project: PackedProject;
beforeAll(async () => {
  project = await installedProject();
});
afterAll(() => project.remove());

test("npm installs the package with its command", async () => {
  expect(await project.run("node_modules/.bin/tenterhook", "--version")).toEqual({
    code: 0,
    output: `${manifest.version}\n`,
  });
});

test("the monitor of an installed package works without another package, and so do MCP and every provider of models", async () => {
  const state = `XDG_STATE_HOME=${join(project.folder, "state")}`;
  const tenterhook = (...args: readonly string[]) =>
    project.run("env", state, "node_modules/.bin/tenterhook", ...args);
  try {
    const { code, output } = await tenterhook("status", "--json");
    expect({ code, output: JSON.parse(output) }).toEqual({ code: 0, output: { agents: [] } });
  } finally {
    await tenterhook("daemon", "stop");
    // At its end the daemon still writes.
    await eventually(() => expect(processesWith(state)).toEqual([]));
  }
  project.write({ "others.mjs": OTHERS });
  // The SDK is loaded before the server is started.
  expect(await project.run(process.execPath, "others.mjs")).toEqual({
    code: 0,
    output: expect.stringMatching(/^google\.generative-ai: .*There is no program "no-such-program"/),
  });
});
