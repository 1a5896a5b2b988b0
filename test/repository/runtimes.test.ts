import { spawnSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { ROOT, read, temporaryFolder } from "./support/files.ts";
import { type PackedProject, packedProject } from "./support/packed-project.ts";
import { type FoundRuntime, findRuntime, RUNTIMES } from "./support/runtimes.ts";

let project: PackedProject;
beforeAll(async () => {
  project = await packedProject();
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

/** Runs a file of the project on a runtime, with folders of its own, and returns what it printed. */
function output(runtime: Exclude<FoundRuntime, { missing: string }>, args: readonly string[], input = "") {
  const home = join(project.folder, "home");
  const { status, stdout, stderr } = spawnSync(runtime.program, [...runtime.args, ...args], {
    cwd: project.folder,
    input,
    encoding: "utf8",
    timeout: 60_000,
    env: {
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      HOME: home,
      DENO_DIR: join(home, "deno"),
      XDG_STATE_HOME: join(home, "state"),
    },
  });
  return status === 0 ? JSON.parse(stdout === "" ? "null" : stdout) : `${status}: ${stdout}${stderr}`;
}

function decided(runtime: Exclude<FoundRuntime, { missing: string }>, tool_name: string, tool_input: object) {
  const payload = {
    session_id: "s",
    transcript_path: join(project.folder, "transcript.jsonl"),
    cwd: project.folder,
    hook_event_name: "PreToolUse",
    tool_name,
    tool_input,
  };
  const program = join("node_modules/tenterhook", manifest.bin.tenterhook);
  const reply = output(runtime, [program, "hook"], JSON.stringify(payload));
  return reply?.hookSpecificOutput?.permissionDecisionReason ?? reply;
}

describe.each(Object.keys(RUNTIMES) as (keyof typeof RUNTIMES)[])("on %s", (name) => {
  test("the library works, and tenterhook hook decides", ({ skip }) => {
    const runtime = findRuntime(name);
    if ("missing" in runtime) return skip(runtime.missing);
    expect(output(runtime, ["runtime-program.mjs"])).toEqual([
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
    expect(decided(runtime, "Bash", { command: "cd a && git push" })).toBe("Pushing is for humans.");
    expect(decided(runtime, "Bash", { command: "cd a && git push" })).toBe("Pushing is for humans.");
    expect(decided(runtime, "Write", { file_path: "a", content: "b" })).toBe("A program says no.");
    expect(decided(runtime, "Read", { file_path: "a" })).toBe(null);
  }, 120_000);
});

test("a runtime that can't be installed is named with the reason", () => {
  const folder = join(temporaryFolder(), "file");
  writeFileSync(folder, "");
  const found = findRuntime("Bun", folder);
  expect(found).toEqual({ missing: expect.stringMatching(/^Bun was not tested: .*\.$/) });
});

test("the guide names the versions that are tested", () => {
  const guide = read("docs/guides/runtimes.md");
  for (const [name, { version }] of Object.entries(RUNTIMES))
    expect(guide).toContain(`| ${name} | ${version} `);
  expect(`>=${RUNTIMES["Node 20"].version}`.startsWith(manifest.engines.node)).toBe(true);
});
