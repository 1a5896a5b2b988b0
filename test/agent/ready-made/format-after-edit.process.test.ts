import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHooks } from "tenterhook";
import { defaultTools, formatAfterEdit } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { agentOf, scratch, story } from "../support/agents.ts";

/** A formatter: ends every line with a semicolon, and writes down its arguments. */
const FORMATTER = `
const fs = require("node:fs");
const files = process.argv.slice(2);
fs.appendFileSync("arguments", JSON.stringify(files) + "\\n");
for (const file of files)
  fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace(/([^;\\n])$/gm, "$1;"));
`;

/** A folder with a program, as the command that runs it. */
function program(source: string): { cwd: string; command: readonly string[] } {
  const cwd = scratch();
  mkdirSync(join(cwd, "src"));
  writeFileSync(join(cwd, "program.cjs"), source);
  return { cwd, command: [process.execPath, join(cwd, "program.cjs")] };
}

function edited(cwd: string, file_path: string, tool_name = "Edit") {
  const tool_input: Record<string, unknown> = { file_path };
  const call = { tool_name, tool_input, tool_response: "done" };
  return { hook_event_name: "PostToolUse", session_id: "s", cwd, ...call } as const;
}

/** What the model reads after an edit of this file. */
async function messagesAfter(
  options: Parameters<typeof formatAfterEdit>[0],
  event: ReturnType<typeof edited>,
) {
  const hooks = createHooks();
  hooks.on("PostToolUse", formatAfterEdit(options));
  const { context, runs } = await hooks.fire(event);
  expect(runs.map(({ failure }) => failure)).toEqual(runs.map(() => undefined));
  return context.map(({ text }) => text);
}

describe("formatAfterEdit", () => {
  it("formats the file that the agent wrote, and tells the model that it changed", async () => {
    const { cwd, command } = program(FORMATTER);
    const write = { name: "Write", input: { file_path: "src/a.ts", content: "one\ntwo\n" } };
    const { agent, hooks } = agentOf([{ tool_calls: [write] }], { cwd, tools: defaultTools() });
    hooks.on("PostToolUse", formatAfterEdit({ command }));
    await agent.run("go");
    expect(readFileSync(join(cwd, "src/a.ts"), "utf8")).toBe("one;\ntwo;\n");
    expect(story(agent.transcript())).toContain(
      "user context: The formatter changed src/a.ts. Read it again before you edit it.",
    );
  });

  it("says nothing when the file was formatted already", async () => {
    const { cwd, command } = program(FORMATTER);
    writeFileSync(join(cwd, "src/a.ts"), "one;\n");
    expect(await messagesAfter({ command }, edited(cwd, "src/a.ts"))).toEqual([]);
    expect(existsSync(join(cwd, "arguments"))).toBe(true);
  });

  it("runs once for all files of a patch that are still there", async () => {
    const { cwd, command } = program(FORMATTER);
    writeFileSync(join(cwd, "src/a.ts"), "one;\n");
    writeFileSync(join(cwd, "src/b.ts"), "two;\n");
    const patch = ["a", "b", "gone"].map((name) => `*** Update File: src/${name}.ts\n@@\n+x`).join("\n");
    const tool_input = { input: `*** Begin Patch\n${patch}\n*** End Patch` };
    await messagesAfter({ command }, { ...edited(cwd, ""), tool_name: "apply_patch", tool_input });
    expect(JSON.parse(readFileSync(join(cwd, "arguments"), "utf8"))).toEqual([
      join(cwd, "src/a.ts"),
      join(cwd, "src/b.ts"),
    ]);
  });

  it.each([
    ["files that its globs do not name", "src/a.css", "Edit"],
    ["files of calls that only read", "src/a.ts", "Read"],
    ["a file that is not there", "src/missing.ts", "Edit"],
    ["a folder", "src/folder.ts", "Edit"],
    ["a file outside the workspace", "../outside.ts", "Edit"],
    ["a link that leads out of the workspace", "src/link.ts", "Edit"],
    ["a chain of links that leads out of the workspace", "src/50.ts", "Edit"],
  ])("leaves alone %s", async (_, file, tool_name) => {
    const { cwd: above, command } = program(FORMATTER);
    const cwd = join(above, "project");
    mkdirSync(join(cwd, "src/folder.ts"), { recursive: true });
    for (const name of ["src/a.css", "src/a.ts", "../outside.ts"]) writeFileSync(join(cwd, name), "one\n");
    symlinkSync("../../outside.ts", join(cwd, "src/link.ts"));
    symlinkSync("link.ts", join(cwd, "src/0.ts"));
    for (let at = 1; at <= 50; at += 1) symlinkSync(`${at - 1}.ts`, join(cwd, `src/${at}.ts`));
    expect(await messagesAfter({ command, files: "**/*.ts" }, edited(cwd, file, tool_name))).toEqual([]);
    expect(existsSync(join(cwd, "arguments"))).toBe(false);
    expect(readFileSync(join(above, "outside.ts"), "utf8")).toBe("one\n");
  });

  it("tells the model why the program failed", async () => {
    const { cwd, command } = program('console.error("line 1: unexpected }"); process.exit(2);');
    writeFileSync(join(cwd, "src/a.ts"), "}");
    expect(await messagesAfter({ command }, edited(cwd, "src/a.ts"))).toEqual([
      "The formatter failed on src/a.ts (exit code 2):\nline 1: unexpected }",
    ]);
  });

  it("tells the model when there is no such program", async () => {
    const { cwd } = program("");
    writeFileSync(join(cwd, "src/a.ts"), "}");
    expect(await messagesAfter({ command: ["no-such-formatter"] }, edited(cwd, "src/a.ts"))).toEqual([
      'The formatter could not run on src/a.ts: There is no program "no-such-formatter" on the PATH.',
    ]);
  });

  it("withholds secrets from the program", async () => {
    const { cwd, command } = program("console.log(String(process.env.DEMO_API_KEY)); process.exit(1);");
    writeFileSync(join(cwd, "src/a.ts"), "}");
    process.env.DEMO_API_KEY = "0123456789abcdef";
    try {
      expect(await messagesAfter({ command }, edited(cwd, "src/a.ts"))).toEqual([
        "The formatter failed on src/a.ts (exit code 1):\nundefined",
      ]);
    } finally {
      delete process.env.DEMO_API_KEY;
    }
  });

  it.each([
    [{ command: [] }, "formatAfterEdit: command must be a list"],
    [{ command: "npx prettier" }, "formatAfterEdit: command must be a list"],
    [{ command: ["a"], timeout: 0 }, "formatAfterEdit: timeout must be"],
    [{ command: ["a"], file: "*.ts" }, 'unknown key "file"'],
    [{ command: ["a"], files: "[" }, 'no "]" closes'],
  ])("refuses the options %j", (options, message) => {
    expect(() => formatAfterEdit(options as never)).toThrow(message);
  });
});
