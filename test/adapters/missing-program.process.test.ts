import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { integrationOf } from "../../src/adapters/integrations.ts";
import { isHookCommand } from "../../src/adapters/settings/agent-settings.ts";
import { MISSING } from "../../src/adapters/settings/installed-texts.ts";
import type { AgentName } from "../../src/core/events/agent-names.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** What an agent's settings run at a gate of a project with a copy of our program, which may not be there yet. */
async function gateCommand(agent: string, native: string): Promise<string> {
  const { settings, projectCommand } = await integrationOf(agent);
  const event = {
    native,
    timeout: 60,
    gate: true,
    ...(projectCommand === undefined ? {} : { command: projectCommand }),
  };
  const command = /"command": ("(?:[^"\\]|\\.)*")/.exec(settings.install(undefined, [event]) ?? "")?.[1];
  return JSON.parse(command ?? "null");
}

function run(command: string, cwd: string) {
  const variables = ["CLAUDE", "GEMINI", "QWEN", "AUGMENT"].map((name) => [`${name}_PROJECT_DIR`, cwd]);
  const env = { PATH: "/usr/bin:/bin", ...Object.fromEntries(variables) };
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
    cwd,
    env,
    encoding: "utf8",
    input: "{}",
  });
  return { status, stdout, stderr };
}

/** The agents whose settings hold a shell line that says so. The others run a file of ours. */
const GATES = {
  claude: "PreToolUse",
  codex: "PreToolUse",
  gemini: "BeforeTool",
  qwen: "PreToolUse",
  auggie: "PreToolUse",
  cursor: "preToolUse",
  copilot: "PreToolUse",
} as const satisfies Record<Exclude<AgentName, "cline" | "kilo" | "opencode" | "pi">, string>;

describe.each(Object.entries(GATES))("a gate of %s", (agent, native) => {
  it("says how to install our program where it is missing, and refuses", async () => {
    const command = await gateCommand(agent, native);
    const { status, stderr } = run(command, temporaryFolder());
    expect(status).toBe(2);
    expect(stderr.trimEnd().split("\n").at(-1)).toBe(MISSING);
    expect(isHookCommand(command)).toBe(true);
  });

  it("says nothing of that where it is there and refuses", async () => {
    const folder = temporaryFolder();
    const bin = join(folder, "node_modules/.bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "tenterhook"), "#!/bin/sh\necho Not today. >&2\nexit 2\n", { mode: 0o755 });
    const { status, stderr } = run(`PATH=${bin}:$PATH; ${await gateCommand(agent, native)}`, folder);
    expect({ status, first: stderr.split("\n")[0] }).toEqual({ status: 2, first: "Not today." });
    expect(stderr).not.toContain(MISSING);
  });
});

it("a gate of GitHub Copilot CLI says it where Copilot reads a reason", async () => {
  const { stdout } = run(await gateCommand("copilot", "PreToolUse"), temporaryFolder());
  expect(JSON.parse(stdout)).toEqual({
    permissionDecision: "deny",
    permissionDecisionReason: MISSING,
    behavior: "deny",
    message: MISSING,
  });
});

it("a gate of Cursor is one command, which gets the payload of every version", async () => {
  const folder = temporaryFolder();
  const bin = join(folder, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "tenterhook"), "#!/bin/sh\ncat\n", { mode: 0o755 });
  const command = await gateCommand("cursor", "preToolUse");
  expect(run(`${command} <<'END'\n{"a":1}\nEND`, folder)).toMatchObject({ status: 0, stdout: '{"a":1}\n' });
});

it("our command with what somebody else added to it is not ours", () => {
  expect(isHookCommand("tenterhook hook || true")).toBe(false);
});
