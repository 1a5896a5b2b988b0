import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newProject } from "./support/project.ts";

const group = (command: string, type = "command") => ({ hooks: [{ type, command }] });

describe("codex, whose trust in a hook names its place in the file", () => {
  it("still trusts our entries after import --remove took out those before them", async () => {
    const project = newProject();
    const hooks = { PreToolUse: [group("./guard.sh")], Stop: [group("./one.sh"), group("./two.sh")] };
    project.write(".codex/hooks.json", JSON.stringify({ hooks }));
    await project.run(["import", "codex", "--yes"]);
    await project.run(["install", "codex", "--trust"]);
    await project.run(["import", "codex", "--remove", "--yes"]);
    expect(readFileSync(join(project.cwd, ".codex/hooks.json"), "utf8")).not.toContain("guard.sh");
    const { stdout } = await project.run(["doctor"]);
    expect(stdout).toMatch(/codex +\.codex\/hooks\.json calls Tenterhook for/);
    expect(stdout).not.toContain("Codex skips");
  });

  it("is not said to trust what it does not even read, and doctor says why", async () => {
    const project = newProject();
    await project.configure([
      { name: "g", type: "command", command: "true", matcher: { events: ["PreToolUse"] } },
    ]);
    project.write(".codex/hooks.json", JSON.stringify({ version: 1, hooks: {} }));
    const { code, stdout, stderr } = await project.run(["install", "codex", "--trust"]);
    expect([code, stdout]).toEqual([1, expect.not.stringContaining("trusts them now")]);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain('this one has "version"');
    const doctor = await project.run(["doctor"]);
    expect(doctor.stdout.replaceAll(/\s+/g, " ")).toContain(
      "its hooks do not run: Codex rejects a file with any other key",
    );
  });

  it("runs no hooks of skills, so none are imported", async () => {
    const project = newProject();
    project.write(".codex/hooks.json", JSON.stringify({ hooks: { Stop: [group("./a.sh")] } }));
    project.write(
      ".codex/skills/deploy/SKILL.md",
      "---\nname: deploy\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: deploy.sh\n---\nShip.\n",
    );
    const { stdout } = await project.run(["import", "codex", "--dry-run", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ definitions: [{ command: "./a.sh" }] });
  });
});
