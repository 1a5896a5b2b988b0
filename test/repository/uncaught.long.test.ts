import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "./support/files.ts";
import { isNarrow, LINE, thrownInProject } from "./support/uncaught.ts";

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
} as const;

const { project, uncaught, thrown } = thrownInProject();

function laterSeen(lines: readonly string[], says: string) {
  const text = lines.join("\n");
  return {
    says: text.includes(says),
    names: text.includes(`program.mjs:${LINE}`),
    isShort: lines.length <= 40 && lines.every(isNarrow),
  };
}

describe("an error that a user's program does not catch", () => {
  test("shows the user's line when something goes wrong later", async () => {
    const found = await thrown(LATER);
    const seen = Object.entries(LATER).map(([name, [code, says]]) => [
      name,
      laterSeen(found.get(code) ?? [], says),
    ]);
    const right = { says: true, names: true, isShort: true };
    expect(seen).toEqual(Object.keys(LATER).map((name) => [name, right]));
  });

  test("is shown with its source line when it is a bug of the user's own, as without an agent", async () => {
    const lines = await uncaught("await agentThatRan(); const user = undefined; user.name;");
    expect(laterSeen(lines, "reading 'name'")).toEqual({ says: true, names: true, isShort: true });
    expect(lines[0]).toContain(`program.mjs:${LINE}`);
    expect(lines[1]).toContain("user.name;");
  });

  test("shows the user's line when it is thrown in a callback while an agent is open", async () => {
    const lines = await uncaught(
      "await agentThatRan(); setTimeout(() => { const user = undefined; user.name; }, 1);",
    );
    expect(laterSeen(lines, "reading 'name'")).toEqual({ says: true, names: true, isShort: true });
  });

  test("a text that is thrown while an agent is open ends the process, too", async () => {
    const lines = await uncaught('await agentThatRan(); setTimeout(() => { throw "just a text"; }, 1);');
    expect(lines).toContain("just a text");
  });

  test("with the user's source maps, the stack has the lines of the user's sources, and our names", async () => {
    const code = `import { createHooks } from "tenterhook";\n\nconst hooks = createHooks();\nawait hooks.fire({ hook_event_name: "Stop" } as never);\n`;
    const options = ["--module", "nodenext", "--target", "es2022", "--skipLibCheck", "--sourceMap"];
    project().write({ "program.ts": code });
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    expect(await project().run(process.execPath, tsc, ...options, "program.ts")).toEqual({
      code: 0,
      output: "",
    });
    const { output } = await project().run(process.execPath, "--enable-source-maps", "program.js");
    expect(output).toMatch(/at .*program\.ts:4:\d+/);
    expect(output).toMatch(/at (?:async )?fire \(.*tenterhook\/dist\/engine\.js:\d+/);
    expect(output).toMatch(/new TenterhookError\d*\("invalid_event"/);
  });
});
