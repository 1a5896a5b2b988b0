import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Project } from "../../cli/support/project.ts";
import { clientProject, installInto } from "../support/client.ts";
import { GEMINI } from "../support/gemini.ts";

const shell = GEMINI.shell;
const inline = (events: readonly string[], rules: string) => ({
  name: "hook",
  type: "inline",
  matcher: { events },
  rules,
});

/** A project with these hooks, for which Gemini CLI calls us in the project's folder. */
async function withHooks(hooks: readonly object[], more: object = {}): Promise<Project> {
  const project = clientProject();
  await installInto("gemini", project, hooks, { more });
  return project;
}

const isThere = ({ cwd }: Project, name: string): boolean => existsSync(join(cwd, name));

describe("the result of a call of Gemini CLI", () => {
  it("is replaced, and the old one does not reach the model", async () => {
    const project = clientProject();
    const reply = {
      hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: "REPLACED" },
    };
    project.write("replace.sh", `#!/bin/sh\ncat <<'END'\n${JSON.stringify(reply)}\nEND\n`);
    const hook = {
      name: "hook",
      type: "command",
      script: "replace.sh",
      matcher: { events: ["PostToolUse"] },
    };
    await installInto("gemini", project, [hook]);
    const { lastSent } = await GEMINI.run({ project, script: [shell("echo or''iginal")] });
    expect([lastSent.includes("REPLACED"), lastSent.includes("original")]).toEqual([true, false]);
  });

  it("comes with context", async () => {
    const project = await withHooks([
      inline(["PostToolUse"], 'tool equals "Bash" -> context("Read twice.")'),
    ]);
    const { lastSent } = await GEMINI.run({ project, script: [shell("echo original")] });
    expect([lastSent.includes("Read twice."), lastSent.includes("Output: original")]).toEqual([true, true]);
  });
});

describe("Gemini CLI", () => {
  it("ends the run when a hook says so before a call", async () => {
    const project = clientProject();
    project.write("end.sh", `#!/bin/sh\necho '{"continue":false,"stopReason":"Enough."}'\n`);
    const hook = { name: "end", type: "command", script: "end.sh", matcher: { events: ["PreToolUse"] } };
    await installInto("gemini", project, [hook]);
    const { requests, stderr } = await GEMINI.run({ project, script: [shell("touch made")] });
    expect([requests.length, isThere(project, "made")]).toEqual([1, false]);
    expect(stderr).toContain("Enough.");
  });

  it("gives the model the context of a session's start", async () => {
    const project = await withHooks([
      inline(["SessionStart"], 'source equals "startup" -> context("The branch is frozen.")'),
    ]);
    expect((await GEMINI.run({ project })).lastSent).toContain("The branch is frozen.");
  });

  it("has no place for context before a call, and the user reads that (declared)", async () => {
    const project = await withHooks([inline(["PreToolUse"], 'tool equals "Bash" -> context("Count them.")')]);
    const { lastSent, stderr } = await GEMINI.run({ project, script: [shell("touch made")] });
    expect([isThere(project, "made"), lastSent.includes("Count them.")]).toEqual([true, false]);
    expect(stderr).toContain("Gemini CLI does not support context on BeforeTool.");
  });

  it("says why a prompt was refused", async () => {
    const project = await withHooks([
      inline(["UserPromptSubmit"], 'prompt contains "Go" -> deny("Not about that.")'),
    ]);
    expect((await GEMINI.run({ project })).stdout).toContain("Not about that.");
  });

  it("refuses a call about which nobody can be asked, tells the model why and goes on", async () => {
    const project = await withHooks([
      inline(["PreToolUse"], 'command contains "made" -> ask("Is it meant?")'),
    ]);
    const { code, lastSent } = await GEMINI.run({ project, script: [shell("touch made")] });
    expect([code, isThere(project, "made"), lastSent.includes("Is it meant?")]).toEqual([0, false, true]);
  });

  it("ends a turn at our ceiling, also when tools are called in it and prompts have hooks", async () => {
    const project = clientProject();
    project.write("more.sh", "#!/bin/sh\necho 'There is more to do.' >&2\nexit 2\n");
    const stop = { name: "more", type: "command", script: "more.sh", matcher: { events: ["Stop"] } };
    const prompts = { ...inline(["UserPromptSubmit"], 'prompt contains "x" -> deny()'), name: "prompts" };
    await installInto("gemini", project, [stop, prompts], { more: { limits: { stop_continuations: 2 } } });
    const script = ["a", shell("echo 1"), "b", shell("echo 2"), "c", shell("echo 3"), "d", "e", "f"];
    const { requests } = await GEMINI.run({ project, script });
    expect(requests).toHaveLength(5);
  });

  it("can't switch its own hooks off", async () => {
    const project = await withHooks([inline(["PreToolUse"], 'command contains "made" -> deny("No.")')]);
    const file = join(project.cwd, ".gemini/settings.json");
    const before = readFileSync(file, "utf8");
    const { lastSent } = await GEMINI.run({
      project,
      script: [
        shell("echo '{}' > .gemini/settings.json"),
        [["write_file", { file_path: file, content: "{}" }]],
        shell("touch made"),
      ],
    });
    expect([readFileSync(file, "utf8") === before, isThere(project, "made")]).toEqual([true, false]);
    expect(lastSent).toContain("Only the user decides that.");
  });

  it("is asked once when the user's settings and the project's call us", async () => {
    const project = clientProject();
    project.write("count.sh", "#!/bin/sh\necho ran >> ran\n");
    const hook = { name: "count", type: "command", script: "count.sh", matcher: { events: ["PreToolUse"] } };
    await installInto("gemini", project, [hook]);
    await installInto("gemini", project, [hook], { options: ["--user"] });
    await GEMINI.run({ project, script: [shell("touch made")] });
    expect([isThere(project, "made"), readFileSync(join(project.cwd, "ran"), "utf8")]).toEqual([
      true,
      "ran\n",
    ]);
  });
});

describe("a call of Gemini CLI, when our own program", () => {
  const HOOK = inline(["PreToolUse"], 'command contains "anything else" -> deny("No.")');

  it.each([
    ["is killed", "#!/bin/sh\nkill -9 $$\n"],
    ["ends with 1 without a word", "#!/bin/sh\nexit 1\n"],
    ["ends with 2 without a word", "#!/bin/sh\nexit 2\n"],
  ])("%s, is refused", async (_, program) => {
    const project = await withHooks([HOOK]);
    const ours = join(project.folder, "bin/tenterhook");
    rmSync(ours);
    writeFileSync(ours, program, { mode: 0o755 });
    const { requests } = await GEMINI.run({ project, script: [shell("touch made")] });
    expect([requests.length, isThere(project, "made")]).toEqual([2, false]);
  });

  it("refuses it, runs all the same when the reply of another hook is faulty: install and doctor warn (declared)", async () => {
    const project = clientProject();
    const command = "echo '{\"hookSpecificOutput\": 7}'";
    const other = { hooks: { BeforeTool: [{ hooks: [{ type: "command", command }] }] } };
    project.write(".gemini/settings.json", JSON.stringify(other));
    await installInto("gemini", project, [inline(["PreToolUse"], 'command contains "made" -> deny("No.")')]);
    const { stdout } = await project.run(["install", "gemini"]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("ignores ours too. Move it here");
    await GEMINI.run({ project, script: [shell("touch made")] });
    expect(isThere(project, "made")).toBe(true);
  });
});
