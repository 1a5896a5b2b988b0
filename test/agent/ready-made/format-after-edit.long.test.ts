import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHooks } from "tenterhook";
import { formatAfterEdit } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { collectGarbageWhen } from "../../support/garbage.ts";
import { isAlive } from "../../support/processes.ts";
import { scratch } from "../support/agents.ts";

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
  it("gives the program the real path as its last argument, which no shell reads", async () => {
    const { cwd, command } = program(FORMATTER);
    const name = "-a $(touch hit); 'b'.ts";
    writeFileSync(join(cwd, name), "one;\n");
    await messagesAfter({ command: [...command, "--write"] }, edited(cwd, name));
    expect(JSON.parse(readFileSync(join(cwd, "arguments"), "utf8"))).toEqual(["--write", join(cwd, name)]);
    expect(existsSync(join(cwd, "hit"))).toBe(false);
  });

  it("ends a program that takes too long, with everything it started", async () => {
    const { cwd, command } = program(`
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
      require("node:fs").writeFileSync("pid", String(child.pid));
      setInterval(() => {}, 1000);
    `);
    writeFileSync(join(cwd, "src/a.ts"), "}");
    collectGarbageWhen(() => existsSync(join(cwd, "pid")));
    expect(await messagesAfter({ command, timeout: 10 }, edited(cwd, "src/a.ts"))).toEqual([
      "The formatter failed on src/a.ts (it took longer than 10 s and was ended).",
    ]);
    const pid = Number(readFileSync(join(cwd, "pid"), "utf8"));
    expect(isAlive(pid)).toBe(false);
  });
});
