import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { newProject, type Project } from "./support/project.ts";

const group = (command: string) => ({ matcher: "Bash", hooks: [{ type: "command", command }] });
const CLAUDE = `${JSON.stringify({ model: "opus", hooks: { PreToolUse: [group("./a.sh")], Stop: [group("exit 2")] } }, undefined, 3)}\n`;
const CURSOR = '{"version":1,  "hooks":{"stop":[{"command":"./b.sh"}]}}';

const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
const fileOf = (project: Project, agent: string, scope: string) =>
  join(
    scope === "user" ? String(project.environment.HOME) : project.cwd,
    agent === "cursor"
      ? ".cursor/hooks.json"
      : agent === "codex"
        ? ".codex/hooks.json"
        : ".claude/settings.json",
  );

describe("import --undo", () => {
  it.each([
    ["claude", "project", CLAUDE],
    ["claude", "user", CLAUDE],
    ["cursor", "project", CURSOR],
    [
      "codex",
      "project",
      JSON.stringify({ hooks: { Stop: [group("./c.sh")], PreToolUse: [group("./d.sh")] } }),
    ],
  ])(
    "puts the hooks of %s (%s) back to the byte, before and after uninstall",
    async (agent, scope, before) => {
      for (const uninstalls of [false, true]) {
        const project = newProject();
        const file = fileOf(project, agent, scope);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, before);
        const options = ["--scope", scope];
        await project.run(["import", agent, ...options, "--remove", "--yes"]);
        await project.run(["install", agent, ...options]);
        await project.run(["trust", "--yes"]);
        if (uninstalls) {
          const { stdout } = await project.run(["uninstall", agent, ...options]);
          expect(stdout.replaceAll(/\s+/g, " ")).toMatch(/nowhere: tenterhook import \w+ --undo puts/);
        }
        expect(await project.run(["import", agent, "--undo", "--yes"])).toMatchObject({
          code: 0,
          stderr: "",
        });
        if (!uninstalls) await project.run(["uninstall", agent, ...options]);
        expect(read(file)).toBe(before);
        expect((await project.run(["doctor"])).stdout).not.toContain("gone, so every gate refuses");
        const hooks = JSON.parse((await project.run(["list", "--json"])).stdout).hooks;
        expect(hooks.filter(({ enabled }: { readonly enabled: boolean }) => enabled)).toEqual([]);
        expect(await project.run(["import", agent, "--undo", "--yes"])).toMatchObject({ code: 1 });
      }
    },
  );

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
