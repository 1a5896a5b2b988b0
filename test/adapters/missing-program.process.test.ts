import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { integrationOf } from "../../src/adapters/integrations.ts";
import type { WantedEvent } from "../../src/adapters/settings/agent-settings.ts";
import { hookCommand, isHookCommand } from "../../src/adapters/settings/hook-command.ts";
import { MISSING, MISSING_ELSEWHERE } from "../../src/adapters/settings/installed-texts.ts";
import { filesIn } from "../../src/adapters/settings/owned-folder.ts";
import { withoutUndefined } from "../../src/core/base/json.ts";
import type { AgentName } from "../../src/core/events/agent-names.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** What an agent's settings run for an event. */
async function commandFor(agent: string, event: Pick<WantedEvent, "native" | "gate" | "command">) {
  const { settings } = await integrationOf(agent);
  const command = /"command": ("(?:[^"\\]|\\.)*")/.exec(
    settings.install(undefined, [{ ...event, timeout: 60 }]) ?? "",
  )?.[1];
  return JSON.parse(command ?? "null") as string;
}

/** What it runs at a gate of a project with a copy of our program, which may not be there yet. */
async function gateCommand(agent: string, native: string): Promise<string> {
  const { projectCommand } = await integrationOf(agent);
  return commandFor(agent, { native, gate: true, ...withoutUndefined({ command: projectCommand }) });
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

function lastLine(text: string): string | undefined {
  return text.trimEnd().split("\n").at(-1);
}

/** A gate and another event of the agents whose settings hold a shell line that says so. The others run a file of ours. */
const EVENTS = {
  claude: ["PreToolUse", "Stop"],
  codex: ["PreToolUse", "Stop"],
  gemini: ["BeforeTool", "AfterAgent"],
  qwen: ["PreToolUse", "Stop"],
  auggie: ["PreToolUse", "Stop"],
  cursor: ["preToolUse", "stop"],
  copilot: ["PreToolUse", "Stop"],
} as const satisfies Record<
  Exclude<AgentName, "cline" | "kilo" | "opencode" | "pi">,
  readonly [string, string]
>;

describe.each(Object.entries(EVENTS))(
  "%s, after Tenterhook was moved or removed,",
  (agent, [gate, other]) => {
    it("is told so at a gate, how to mend it, and that it is refused", async () => {
      const command = await commandFor(agent, { native: gate, gate: true });
      const { status, stderr } = run(command, temporaryFolder());
      expect({ status, last: lastLine(stderr) }).toEqual({ status: 2, last: MISSING });
    });

    it("is told so on any other event, which goes on", async () => {
      for (const native of [gate, other]) {
        const command = await commandFor(agent, { native, gate: false });
        const reply = run(command, temporaryFolder());
        expect(reply).toEqual({ status: 1, stdout: "", stderr: `${MISSING_ELSEWHERE}\n` });
        expect(isHookCommand(command)).toBe(true);
      }
    });

    it("runs Tenterhook in the place of the shell, with its payload, reply and exit code, where it is there", async () => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, "tenterhook"), "#!/bin/sh\ncat\necho $* $PPID\nexit 3\n", { mode: 0o755 });
      const command = await commandFor(agent, { native: other, gate: false });
      const { status, stdout } = run(`PATH=${folder}:$PATH; echo $$; ${command}; exit $?`, folder);
      const [shell] = stdout.split("\n");
      expect({ status, stdout }).toEqual({ status: 3, stdout: `${shell}\n{}hook ${shell}\n` });
    });
  },
);

describe.each(Object.entries(EVENTS))("the command of %s", (agent, [gate]) => {
  /** What stands at a place says so and lets the call pass. */
  const plant = (folder: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "tenterhook"), "#!/bin/sh\necho found >&2\n", { mode: 0o755 });
  };
  const runWith = async (variables: Readonly<Record<string, string>>, cwd: string) => {
    const command = await commandFor(agent, { native: gate, gate: true });
    // Gemini CLI puts the values of variables into its commands.
    const expanded = command.replaceAll(/\$(?:(\w+)|\{([^}]+)\})/g, (whole, one, other) => {
      return variables[one ?? other] ?? whole;
    });
    const { status, stderr } = spawnSync("/bin/sh", ["-c", expanded], {
      cwd,
      env: variables,
      encoding: "utf8",
      input: "{}",
    });
    return { status, isFound: stderr.includes("found\n") };
  };

  it("finds a kept program, whatever the folders on the PATH are called", async () => {
    const folder = temporaryFolder();
    plant(join(folder, "home/.local/state/tenterhook/program"));
    const PATH = `/usr/bin:/bin:/opt/Program Files (x86)/it's "here"`;
    expect(await runWith({ PATH, HOME: join(folder, "home") }, folder)).toEqual({ status: 0, isFound: true });
    expect(await runWith({ PATH, HOME: "/nowhere", XDG_STATE_HOME: folder }, folder)).toMatchObject({
      status: 2,
    });
  });

  it("never runs a program of the project's", async () => {
    const folder = temporaryFolder();
    for (const name of ["tenterhook/program", "state/tenterhook/program", ".local/state/tenterhook/program"])
      plant(join(folder, name));
    const settings: readonly Readonly<Record<string, string>>[] = [
      { XDG_STATE_HOME: "state" },
      { XDG_STATE_HOME: "" },
      { HOME: "" },
      { HOME: "." },
    ];
    for (const variables of settings)
      expect(await runWith({ PATH: "/usr/bin:/bin", HOME: "/nowhere", ...variables }, folder)).toEqual({
        status: 2,
        isFound: false,
      });
  });
});

it("the hook file of Cline says so on events that are no gates", async () => {
  const { settings } = await integrationOf("cline");
  const text = settings.install(undefined, [{ native: "TaskStart", gate: false, timeout: 60 }]);
  const [script = ""] = filesIn(text).values();
  expect(run(script, temporaryFolder())).toEqual({
    status: 1,
    stdout: "",
    stderr: `${MISSING_ELSEWHERE}\n`,
  });
});

describe.each(Object.entries(EVENTS))("a gate of %s", (agent, [native]) => {
  it("says how to install our program where it is missing, and refuses", async () => {
    const command = await gateCommand(agent, native);
    const { status, stderr } = run(command, temporaryFolder());
    expect(status).toBe(2);
    expect(lastLine(stderr)).toBe(MISSING);
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
  for (const command of ["tenterhook hook || true", hookCommand({ gate: true }).replace("exit 2", "exit 0")])
    expect(isHookCommand(command)).toBe(false);
});
