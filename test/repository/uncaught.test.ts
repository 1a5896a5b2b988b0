import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "./support/files.ts";
import { type PackedProject, packedProject } from "./support/packed-project.ts";

const HOOKS = `import { createHooks, deny } from "tenterhook";
const hooks = createHooks();
`;
const AGENT = `import { Agent, agentPermissions, scriptedModel } from "tenterhook/agent";
import { jsonlStore } from "tenterhook/stores";
const model = scriptedModel([{ text: "hello" }]);
const agentThatRan = async () => { const agent = new Agent({ model }); await agent.run("hi"); return agent; };
`;
const HEAD = `${HOOKS}${AGENT}async function mine() {
`;
/** The line of a program's own code. */
const LINE = HEAD.split("\n").length;

/** What a user might get wrong, and what Node prints of it. */
const REGISTRATIONS = {
  "a misspelt event": ['hooks.on("PreTolUse", () => undefined);', 'Did you mean "PreToolUse"?'],
  "a bad pattern": ['hooks.on("PreToolUse", { tools: "/(/" }, () => {});', "can't be compiled"],
  "an unknown option of a hook": ['hooks.on("PreToolUse", { tool: "Bash" }, () => {});', '"tool"'],
  "a hook that is no function": ['hooks.on("PreToolUse", "deny");', "needs a function"],
  "an unknown option of createHooks": ["createHooks({ timout: 3 });", '"timout"'],
  "an unknown limit": ["hooks.configure({ limits: { stops: 3 } });", '"stops"'],
  "a declaration of no event": ['hooks.declare("deploy", { effects: [] });', '"deploy"'],
  "a set that is none": ["hooks.include({});", "createHooks"],
  "an unknown option of an agent": ["new Agent({ model, modle: 1 });", '"modle"'],
  "a bad permission": ['new Agent({ model, permissions: { deny: ["Bash("] } });', "closing parenthesis"],
  "a bad permission on its own": ['agentPermissions({ deny: ["Bash("] });', "closing parenthesis"],
} as const;

const LATER = {
  "an event without a field": [
    'await hooks.fire({ hook_event_name: "PreToolUse", session_id: "s", cwd: "/" });',
    "tool_name is missing",
  ],
  "a definition of an unknown type": [
    'await hooks.add({ name: "x", type: "inlin", matcher: { events: "PreToolUse" } });',
    '"inline"',
  ],
  "an unknown pack": ['await hooks.use("safe-shel");', '"safe-shell"'],
  "a denied call": [
    'hooks.on("PreToolUse", () => deny("not today")); await hooks.toolCall({ tool_name: "Bash", tool_input: {}, execute: () => 1 });',
    "not today",
  ],
  "an error of a tool": [
    'hooks.on("PreToolUse", () => {}); await hooks.toolCall({ tool_name: "Bash", tool_input: {}, execute: () => { throw new Error("my own") } });',
    "my own",
  ],
  "an unknown option of a run": ['await new Agent({ model }).run("hi", { foo: 1 });', '"foo"'],
  "a model without a key": [
    'await new Agent({ model: "anthropic/x", environment: {} }).run("hi");',
    "ANTHROPIC_API_KEY",
  ],
  "an agent nobody stored": [
    'await Agent.resume("nobody", { model, store: jsonlStore({ dir: "none" }) });',
    '"nobody"',
  ],
  "a bug of their own while an agent is open": [
    "await agentThatRan(); const user = undefined; user.name;",
    "reading 'name'",
  ],
  "a bug of their own in a callback while an agent is open": [
    "await agentThatRan(); setTimeout(() => { const user = undefined; user.name; }, 1);",
    "reading 'name'",
  ],
} as const;

let project: PackedProject;
beforeAll(async () => {
  project = await packedProject();
});
afterAll(() => project.remove());

async function uncaught(code: string): Promise<readonly string[]> {
  // Most programs have no agent, which takes its time to load.
  const head = /agent/i.test(code) ? HEAD : HEAD.replace(AGENT, "\n".repeat(AGENT.split("\n").length - 1));
  project.write({ "program.mjs": `${head}${code}\n}\nawait mine();\n` });
  const { code: exitCode, output } = await project.run(process.execPath, "program.mjs");
  expect(exitCode).toBe(1);
  return output.trimEnd().split("\n");
}

describe("an uncaught error", () => {
  test.each(Object.entries(REGISTRATIONS))("%s begins its stack at the user's call", async (_, row) => {
    const [code, says] = row;
    const lines = await uncaught(code);
    expect(lines.find((line) => line.startsWith("TenterhookError: "))).toContain(says);
    expect(lines.find((line) => line.startsWith("    at "))).toContain(`program.mjs:${LINE}:`);
    const cause = lines.findIndex((line) => line.startsWith("  [cause]: "));
    expect(lines.slice(0, cause === -1 ? undefined : cause).length).toBeLessThanOrEqual(15);
    expect(lines.filter((line) => line.length > 900)).toEqual([]);
  });

  test.each(Object.entries(LATER))("%s shows the user's line", async (_, [code, says]) => {
    const lines = await uncaught(code);
    const text = lines.join("\n");
    expect(text).toContain(says);
    expect(text).toContain(`program.mjs:${LINE}`);
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.length > 900)).toEqual([]);
  });

  test("a bug of the user's own is shown with its source line, as without an agent", async () => {
    const [place, source] = await uncaught("await agentThatRan(); const user = undefined; user.name;");
    expect(place).toContain(`program.mjs:${LINE}`);
    expect(source).toContain("user.name;");
  });

  test("a text that is thrown while an agent is open ends the process, too", async () => {
    const lines = await uncaught('await agentThatRan(); setTimeout(() => { throw "just a text"; }, 1);');
    expect(lines).toContain("just a text");
  });

  test("with the user's source maps, the stack has the lines of the user's sources, and our names", async () => {
    const code = `import { createHooks } from "tenterhook";\n\nconst hooks = createHooks();\nawait hooks.fire({ hook_event_name: "Stop" } as never);\n`;
    const options = ["--module", "nodenext", "--target", "es2022", "--skipLibCheck", "--sourceMap"];
    project.write({ "program.ts": code });
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    expect(await project.run(process.execPath, tsc, ...options, "program.ts")).toEqual({
      code: 0,
      output: "",
    });
    const { output } = await project.run(process.execPath, "--enable-source-maps", "program.js");
    expect(output).toMatch(/at .*program\.ts:4:\d+/);
    expect(output).toMatch(/at (?:async )?fire \(.*tenterhook\/dist\/engine\.js:\d+/);
    expect(output).toMatch(/new TenterhookError\d*\("invalid_event"/);
  });
});
