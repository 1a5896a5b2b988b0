import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { clineSettings } from "../../../src/adapters/cline/integration.ts";
import { filesIn } from "../../../src/adapters/settings/owned-folder.ts";
import { eventually, processesWith } from "../../support/processes.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const SCRIPT =
  filesIn(
    clineSettings.install(undefined, clineSettings.wanted([{ events: ["PreToolUse"], timeout: 5 }]).events),
  ).get("PreToolUse.zsh") ?? "";

const payload = (name: string, id = "call_1"): string =>
  JSON.stringify({ hookName: "tool_call", tool_call: { id, name, input: { name: "editor" } } });

const WHY = "Tenterhook did not decide, so this is refused.";
const REFUSED = { overrideInput: null, contextModification: WHY };
const ENDED = { cancel: true, errorMessage: WHY };

interface Given {
  /** Our program, as a script; missing when absent. */
  readonly program?: string;
  readonly input?: string;
  readonly script?: string;
  /** Hooks of others, in the home folder. */
  readonly others?: Readonly<Record<string, string>>;
}

/** Runs the hook file as Cline does. */
async function run({ program, input = payload("editor"), script = SCRIPT, others = {} }: Given) {
  const folder = temporaryFolder();
  const hooks = join(folder, ".cline/hooks");
  const home = join(folder, "home");
  for (const path of [hooks, join(home, ".cline/hooks"), join(folder, "bin")])
    mkdirSync(path, { recursive: true });
  const file = join(hooks, "PreToolUse.zsh");
  writeFileSync(file, script);
  for (const [name, code] of Object.entries(others)) writeFileSync(join(home, ".cline/hooks", name), code);
  if (program !== undefined)
    writeFileSync(join(folder, "bin/tenterhook"), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  const PATH = [join(folder, "bin"), "/usr/bin", "/bin"].join(delimiter);
  const child = spawn("sh", [file], { cwd: folder, env: { PATH, HOME: home, FOLDER: folder } });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  await eventually(() => expect(processesWith(folder)).toEqual([]));
  return { reply: JSON.parse(stdout), stdout, stderr, folder };
}

describe("the file that Cline runs before a call", () => {
  it("gives our program the payload, and Cline its answer to the byte", async () => {
    const input = `${payload("editor")}`;
    const program = "cat > got\nprintf '%s' '{\"contextModification\":\"a %s \\\\n b\"}'";
    const { stdout, folder } = await run({ program, input });
    expect(stdout).toBe('{"contextModification":"a %s \\\\n b"}');
    expect(readFileSync(join(folder, "got"), "utf8")).toBe(input);
  });

  it("passes on a refusal that comes with exit code 2", async () => {
    expect((await run({ program: "echo '{\"cancel\":true}'; exit 2" })).reply).toEqual({ cancel: true });
  });

  it.each([
    ["crashes", "kill -SEGV $$"],
    ["is killed in the middle of its answer", "printf '{\"overrideInput\":{}'; kill -9 $$"],
    ["says nothing", "exit 0"],
    ["says something else", "echo 'Out of memory {}'; echo allowed"],
    ["fails", "echo '{}'; exit 1"],
  ])("refuses by itself when our program %s", async (_, program) => {
    expect((await run({ program })).reply).toEqual(REFUSED);
  });

  it("says what to do when our program is missing", async () => {
    expect((await run({})).reply).toEqual({
      ...REFUSED,
      contextModification:
        "Tenterhook is not installed, so this is refused. Run npm install in the project, or npm install -g tenterhook.",
    });
  });

  it("refuses when our program does not answer in time, and leaves nothing behind", async () => {
    const script = SCRIPT.replace(/sleep 105/, "sleep 1").replace(/sleep 5/, "sleep 1");
    expect((await run({ program: "exec sleep 60", script })).reply).toEqual(REFUSED);
    expect((await run({ program: "trap '' TERM; while :; do sleep 0.1; done", script })).reply).toEqual(
      REFUSED,
    );
  });

  it("passes on a refusal that our program gives when it is told to end", async () => {
    // It is told so as soon as it listens, and has time to say something.
    const listens = "{ until [ -e listens ]; do sleep 0.1; done; }";
    const script = SCRIPT.replace(/sleep 105/, listens).replace(/sleep 5/, "sleep 60");
    const program =
      'trap \'echo "{\\"cancel\\":true}"; exit 0\' TERM; : > listens; while :; do sleep 0.1; done';
    expect((await run({ program, script })).reply).toEqual({ cancel: true });
  });

  it("ends the run for a tool that may run without input, by the tool's name alone", async () => {
    expect((await run({ program: "exit 1", input: payload("run_commands") })).reply).toEqual(REFUSED);
    expect((await run({ program: "exit 1", input: payload("github__push") })).reply).toEqual(ENDED);
    expect(
      (await run({ program: "exit 1", input: payload("github__push", 'x","name":"editor') })).reply,
    ).toEqual(ENDED);
    expect((await run({ program: "exit 1", input: "nonsense" })).reply).toEqual(ENDED);
  });

  it("ends the run when a hook of somebody else could replace the input", async () => {
    expect(
      (await run({ program: "exit 1", others: { "preToolUse.js": "console.log('{}')" } })).reply,
    ).toEqual(ENDED);
    expect(
      (await run({ program: "exit 1", others: { "PreToolUse.zsh": SCRIPT, "PostToolUse.sh": "" } })).reply,
    ).toEqual(REFUSED);
  });
});
