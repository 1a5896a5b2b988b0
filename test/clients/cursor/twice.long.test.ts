import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { clientProject, installInto } from "../support/client.ts";
import { CURSOR } from "../support/cursor.ts";

const COUNTS = "#!/bin/sh\necho ran >> ran\necho '{}'\n";
const BEFORE = { events: ["PreToolUse"], tools: ["Bash"] };

describe("Cursor with our entries in several files, Claude Code's among them", () => {
  it("asks a program once, and rewrites once", async () => {
    const project = clientProject();
    project.write("count.sh", COUNTS);
    const rules = 'command contains "touch" -> set(args.command, "{{args.command}} more")';
    const hooks = [
      { name: "count", type: "command", script: "count.sh", matcher: BEFORE },
      { name: "more", type: "inline", matcher: BEFORE, rules },
    ];
    await installInto("cursor", project, hooks);
    for (const args of [["cursor", "--user"], ["claude"], ["claude", "--user"]]) {
      const { code, stderr } = await project.run(["install", ...args]);
      if (code !== 0) throw new Error(stderr);
    }
    const { lastSent } = await CURSOR.run({ project, script: [CURSOR.shell("touch made; echo")] });
    // A rewritten call is judged once more, in the same decision.
    expect(readFileSync(join(project.cwd, "ran"), "utf8")).toBe("ran\nran\n");
    expect(project.journal()).toHaveLength(1);
    expect(lastSent).toContain('"stdout":"more\\n"');
  });
});

describe("a rewrite in Cursor", () => {
  it("of the content of a file is refused: Cursor would write the old one", async () => {
    const project = clientProject();
    const matcher = { events: ["PreToolUse"], tools: ["Write"] };
    const rules = 'tool equals "Write" -> set(args.content, "clean")';
    await installInto("cursor", project, [{ name: "clean", type: "inline", matcher, rules }]);
    const path = join(project.cwd, "made");
    const { lastSent } = await CURSOR.run({
      project,
      script: [[["writeArgs", { path, fileText: "secret" }]]],
    });
    expect(existsSync(path)).toBe(false);
    expect(lastSent).toContain("does not take a rewrite of these fields");
  });

  it("of the content of a file is ignored when a hook of Cursor's own asks for it", async () => {
    const project = clientProject();
    const reply = JSON.stringify({ updated_input: { content: "clean" } });
    project.write("clean.sh", `#!/bin/sh\ncat > /dev/null\necho '${reply}'\n`);
    project.write(
      ".cursor/hooks.json",
      JSON.stringify({ version: 1, hooks: { preToolUse: [{ command: "./clean.sh" }] } }),
    );
    const path = join(project.cwd, "made");
    await CURSOR.run({ project, script: [[["writeArgs", { path, fileText: "secret" }]]] });
    expect(readFileSync(path, "utf8")).toBe("secret");
  });
});
