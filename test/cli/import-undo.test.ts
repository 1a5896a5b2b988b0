import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { undoSuite } from "./support/import-undo-suite.ts";
import { newProject } from "./support/project.ts";

const group = (command: string) => ({ matcher: "Bash", hooks: [{ type: "command", command }] });
const CLAUDE = `${JSON.stringify({ model: "opus", hooks: { PreToolUse: [group("./a.sh")], Stop: [group("exit 2")] } }, undefined, 3)}\n`;

describe("import --undo", () => {
  undoSuite([
    ["claude", "project", CLAUDE],
    ["claude", "user", CLAUDE],
    [
      "codex",
      "project",
      JSON.stringify({ hooks: { Stop: [group("./c.sh")], PreToolUse: [group("./d.sh")] } }),
    ],
  ]);

  it("keeps what was changed since, in the agent's settings and in the configuration", async () => {
    const project = newProject();
    const settings = project.write(
      ".claude/settings.json",
      JSON.stringify({ hooks: { PreToolUse: [group("./a.sh")] } }),
    );
    await project.run(["import", "claude", "--remove", "--yes"]);
    const config = join(project.cwd, ".tenterhook/hooks.yaml");
    writeFileSync(config, `# changed\n${readFileSync(config, "utf8")}`);
    writeFileSync(settings, JSON.stringify({ model: "haiku", hooks: { PreToolUse: [group("./new.sh")] } }));
    await project.run(["import", "claude", "--undo", "--yes"]);
    expect(JSON.parse(readFileSync(settings, "utf8"))).toEqual({
      model: "haiku",
      hooks: { PreToolUse: [group("./new.sh"), group("./a.sh")] },
    });
    expect(readFileSync(config, "utf8")).toMatch(/^# changed\n[\s\S]*disabled: \[a\]/);
  });

  it("shows with --dry-run what it would do, and does nothing", async () => {
    const project = newProject();
    const settings = project.write(".claude/settings.json", CLAUDE);
    await project.run(["import", "claude", "--remove", "--yes"]);
    const { stdout } = await project.run(["import", "claude", "--undo", "--dry-run"]);
    expect(stdout).toContain("./a.sh");
    expect(readFileSync(settings, "utf8")).not.toContain("./a.sh");
  });
});
