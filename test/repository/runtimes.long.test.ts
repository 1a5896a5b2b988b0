import { execFile } from "node:child_process";
import { copyFileSync, cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { isRecord } from "../../src/core/base/json.ts";
import { ROOT, temporaryFolder } from "./support/files.ts";
import { type PackedProject, packedProject } from "./support/packed-project.ts";
import { type FoundRuntime, findRuntime, RUNTIMES } from "./support/runtimes.ts";

/** Each takes 100 MB and some seconds to install. */
const NAMES = Object.keys(RUNTIMES) as (keyof typeof RUNTIMES)[];
const MOST_INSTALL_MILLISECONDS = 10 * 60_000;

let project: PackedProject;
const found = new Map<string, FoundRuntime>();

// Before any program runs: nobody reads what one prints while npm installs another runtime.
beforeAll(() => {
  for (const name of NAMES) found.set(name, findRuntime(name));
}, MOST_INSTALL_MILLISECONDS);
beforeAll(async () => {
  project = await packedProject({ zod: "zod" });
  const file = "runtime-program.mjs";
  copyFileSync(join(ROOT, "test/repository/support", file), join(project.folder, file));
  project.write({
    "home/.config/tenterhook/hooks.yaml": `hooks:
  definitions:
    - name: house-rules
      type: inline
      matcher: { events: [PreToolUse] }
      rules: command runs "git push" -> deny("Pushing is for humans.")
    - name: program
      type: command
      command: echo '{"decision":"block","reason":"A program says no."}'
      matcher: { events: [PreToolUse], tools: [Write] }
`,
  });
});
afterAll(() => project.remove());

type Runtime = Exclude<FoundRuntime, { missing: string }> & {
  /** A folder of its own for what it stores, so that several run at the same time. */
  readonly home: string;
};

/** Runs a file of the project on a runtime and returns what it printed. */
function output({ home, ...runtime }: Runtime, args: readonly string[], input = "") {
  const env = {
    PATH: process.env.PATH,
    TMPDIR: process.env.TMPDIR,
    HOME: home,
    DENO_DIR: join(home, "deno"),
    XDG_STATE_HOME: join(home, "state"),
    // The runtime itself has to decide.
    TENTERHOOK_DAEMON: "0",
  };
  const options = { cwd: project.folder, timeout: 120_000, env };
  return new Promise((resolve) => {
    const child = execFile(runtime.program, [...runtime.args, ...args], options, (error, stdout, stderr) =>
      resolve(
        error === null ? JSON.parse(stdout === "" ? "null" : stdout) : `${error.code}: ${stdout}${stderr}`,
      ),
    );
    child.stdin?.end(input);
  });
}

async function decided(runtime: Runtime, tool_name: string, tool_input: object): Promise<unknown> {
  const payload = {
    session_id: "s",
    transcript_path: join(project.folder, "transcript.jsonl"),
    cwd: project.folder,
    hook_event_name: "PreToolUse",
    tool_name,
    tool_input,
  };
  const program = join("node_modules/tenterhook", manifest.bin.tenterhook);
  const reply = await output(runtime, [program, "hook"], JSON.stringify(payload));
  const specific = isRecord(reply) ? reply.hookSpecificOutput : undefined;
  return (isRecord(specific) ? specific.permissionDecisionReason : undefined) ?? reply;
}

describe.concurrent.each(NAMES)("on %s", (name) => {
  test("the library works, and tenterhook hook decides", async ({ expect, skip }) => {
    const runtime = found.get(name) ?? findRuntime(name);
    if ("missing" in runtime) return skip(runtime.missing);
    const home = join(project.folder, `home-${name.replace(" ", "-")}`);
    cpSync(join(project.folder, "home"), home, { recursive: true });
    const at = { ...runtime, home };
    expect(await output(at, ["runtime-program.mjs"])).toEqual([
      "Rain in Bonn.",
      "There is no such city.",
      "hello",
      "Pushing is for humans.",
      "This deletes from the root, a system folder or a home. Name the one folder of the project that should go. (rule delete-system)",
      "from a program",
      "Done.",
      "Again.",
    ]);
    // First from the files, then from the cache.
    expect(await decided(at, "Bash", { command: "cd a && git push" })).toBe("Pushing is for humans.");
    expect(await decided(at, "Bash", { command: "cd a && git push" })).toBe("Pushing is for humans.");
    expect(await decided(at, "Write", { file_path: "a", content: "b" })).toBe("A program says no.");
    expect(await decided(at, "Read", { file_path: "a" })).toBe(null);
  });
});

test("a runtime that can't be installed is named with the reason", () => {
  const folder = join(temporaryFolder(), "file");
  writeFileSync(folder, "");
  const found = findRuntime("Bun", folder);
  expect(found).toEqual({ missing: expect.stringMatching(/^Bun was not tested: .*\.$/) });
});
