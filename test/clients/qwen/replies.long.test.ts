import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Project } from "../../cli/support/project.ts";
import { clientProject, installInto } from "../support/client.ts";
import { QWEN } from "../support/qwen.ts";

const shell = QWEN.shell;
const inline = (events: readonly string[], rules: string) => ({
  name: "hook",
  type: "inline",
  matcher: { events },
  rules,
});
const REFUSES = inline(["PreToolUse"], 'command contains "made" -> deny("Nothing is made here.")');

const isThere = ({ cwd }: Project, name: string): boolean => existsSync(join(cwd, name));

/** A project in whose settings another hook stands, behind ours. */
async function withOther(reply: object): Promise<Project> {
  const project = clientProject();
  await installInto("qwen", project, [REFUSES]);
  const file = join(project.cwd, ".qwen/settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  const command = `cat > /dev/null; echo '${JSON.stringify(reply)}'`;
  settings.hooks.PreToolUse.push({ hooks: [{ type: "command", command }] });
  writeFileSync(file, JSON.stringify(settings));
  return project;
}

describe("a call of Qwen Code that we refuse", () => {
  it("is not allowed by another hook that comes after ours", async () => {
    const allow = { hookEventName: "PreToolUse", permissionDecision: "allow" };
    const project = await withOther({ hookSpecificOutput: allow });
    const { lastSent } = await QWEN.run({ project, script: [shell("touch made")] });
    expect([isThere(project, "made"), lastSent.includes("Nothing is made here.")]).toEqual([false, true]);
  });

  it("runs all the same when the reply of another hook is faulty: install and doctor warn (declared)", async () => {
    const project = await withOther({ hookSpecificOutput: 7 });
    const { stdout } = await project.run(["install", "qwen"]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("ignores ours too. Move it here");
    await QWEN.run({ project, script: [shell("touch made")] });
    expect(isThere(project, "made")).toBe(true);
  });

  it.each([
    ["is killed", "#!/bin/sh\nkill -9 $$\n"],
    ["ends with 2 without a word", "#!/bin/sh\nexit 2\n"],
  ])("does not run when our program %s", async (_, program) => {
    const project = clientProject();
    await installInto("qwen", project, [REFUSES]);
    const ours = join(project.folder, "bin/tenterhook");
    rmSync(ours);
    writeFileSync(ours, program, { mode: 0o755 });
    const { requests } = await QWEN.run({ project, script: [shell("touch made")] });
    expect([requests.length, isThere(project, "made")]).toEqual([2, false]);
  });
});

describe("Qwen Code", () => {
  it("does not get rewrites before a call: install refuses them and says why", async () => {
    const project = clientProject();
    await project.configure([inline(["PreToolUse"], 'tool equals "Bash" -> set(args.command, "true")')]);
    const { code, stderr } = await project.run(["install", "qwen"]);
    expect(code).not.toBe(0);
    expect(stderr).toContain("rewrite");
    expect(isThere(project, ".qwen/settings.json")).toBe(false);
  });

  it("reads another result in place of the tool's", async () => {
    const project = clientProject();
    const reply = {
      hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: "REPLACED" },
    };
    project.write("replace.sh", `#!/bin/sh\ncat <<'END'\n${JSON.stringify(reply)}\nEND\n`);
    const matcher = { events: ["PostToolUse"] };
    await installInto("qwen", project, [{ name: "hook", type: "command", script: "replace.sh", matcher }]);
    const { lastSent } = await QWEN.run({ project, script: [shell("echo or''iginal")] });
    expect([lastSent.includes("REPLACED"), lastSent.includes("original")]).toEqual([true, false]);
  });

  it("asks about a prompt once, not again with every result of a tool", async () => {
    const project = clientProject();
    project.write("count.sh", "#!/bin/sh\necho ran >> ran\n");
    const matcher = { events: ["UserPromptSubmit"] };
    await installInto("qwen", project, [{ name: "count", type: "command", script: "count.sh", matcher }]);
    await QWEN.run({ project, script: [shell("true"), shell("true")] });
    expect(readFileSync(join(project.cwd, "ran"), "utf8")).toBe("ran\n");
  });

  it("can't switch its own hooks off", async () => {
    const project = clientProject();
    await installInto("qwen", project, [REFUSES]);
    const file = join(project.cwd, ".qwen/settings.json");
    // It adds its version to the file.
    const hooksIn = (): unknown => JSON.parse(readFileSync(file, "utf8")).hooks;
    const before = hooksIn();
    const script = [
      shell("echo '{}' > .qwen/settings.json"),
      [["write_file", { file_path: file, content: "{}" }]] as const,
      shell("touch made"),
    ];
    await QWEN.run({ project, script });
    expect([hooksIn(), isThere(project, "made")]).toEqual([before, false]);
  });

  it("calls us once when the user's settings and the project's name us", async () => {
    const project = clientProject();
    project.write("count.sh", "#!/bin/sh\necho ran >> ran\n");
    const matcher = { events: ["PreToolUse"] };
    const hook = { name: "count", type: "command", script: "count.sh", matcher };
    await installInto("qwen", project, [hook]);
    await installInto("qwen", project, [hook], { options: ["--user"] });
    await QWEN.run({ project, script: [shell("touch made")] });
    expect([isThere(project, "made"), readFileSync(join(project.cwd, "ran"), "utf8")]).toEqual([
      true,
      "ran\n",
    ]);
  });
});
