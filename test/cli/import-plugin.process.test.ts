import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { newProject, type Project, shellCall } from "./support/project.ts";

const HOOKS = JSON.stringify({
  hooks: {
    PreToolUse: [
      { matcher: "Bash", hooks: [{ type: "command", command: `"\${CLAUDE_PLUGIN_ROOT}"/guard.sh` }] },
    ],
  },
});

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
}

/** A plug-in that Claude Code has installed; returns what updates it. */
function withPlugin(project: Project, id = "guard@market") {
  const [name = "", market = ""] = id.split("@");
  const plugins = join(String(project.environment.HOME), ".claude/plugins");
  const update = (version: string, says: string): string => {
    const folder = join(plugins, "cache", market, name, version);
    rmSync(dirname(folder), { recursive: true, force: true });
    write(join(folder, "hooks/hooks.json"), HOOKS);
    write(
      join(folder, "guard.sh"),
      `#!/bin/sh\ntouch "$CLAUDE_PLUGIN_DATA/asked" && echo '${says}' >&2; exit 2\n`,
    );
    const installed = { version: 2, plugins: { [id]: [{ scope: "user", installPath: folder, version }] } };
    write(join(plugins, "installed_plugins.json"), JSON.stringify(installed));
    return folder;
  };
  write(join(plugins, "../settings.json"), JSON.stringify({ enabledPlugins: { [id]: true } }));
  return { update, plugins };
}

const definitions = (project: Project) =>
  parse(readFileSync(join(project.folder, "config/tenterhook/hooks.yaml"), "utf8")).hooks.definitions;
const said = ({ stdout }: { readonly stdout: string }) => stdout.replaceAll(/\s+/g, " ");

describe("a plug-in of Claude Code", () => {
  it.each(["guard", "guard@market", "its folder"])(
    "that is imported by %s keeps guarding when Claude Code updates it",
    async (given) => {
      const project = newProject({ decidesHere: true });
      const { update, plugins } = withPlugin(project);
      const folder = update("1.0.0", "first");
      const name = given === "its folder" ? folder : given;
      const { stdout } = await project.run([
        "import",
        "claude",
        name,
        "--scope",
        "user",
        "--yes",
        "--remove",
      ]);
      expect(definitions(project)).toMatchObject([
        { name: "guard", plugin: "guard@market", on_failure: { missing: "closed" } },
      ]);
      expect(readFileSync(join(folder, "hooks/hooks.json"), "utf8")).toBe(HOOKS);
      expect(said({ stdout })).toContain("claude plugin disable guard@market switches the plug-in off");
      expect((await project.hook(shellCall("ls"))).stdout).toContain("first");
      update("1.1.0", "second");
      expect((await project.hook(shellCall("ls"))).stdout).toContain("second");
      expect(readFileSync(join(plugins, "data/guard-market/asked"), "utf8")).toBe("");
    },
  );

  it("that is gone refuses, and doctor says so; so does a script that is gone from it", async () => {
    const project = newProject({ decidesHere: true });
    const { update, plugins } = withPlugin(project, "safe-rm@acme");
    const folder = update("3", "no");
    await project.run(["import", "claude", "safe-rm", "--scope", "user", "--yes"]);
    renameSync(join(folder, "guard.sh"), join(folder, "other.sh"));
    expect(said(await project.run(["doctor"]))).toMatch(/hook safe-rm-guard There is no script/);
    expect((await project.hook(shellCall("ls"))).stdout).toContain('"deny"');
    rmSync(join(plugins, "installed_plugins.json"));
    expect(said(await project.run(["doctor"]))).toContain("Claude Code has no plug-in safe-rm@acme any more");
    expect((await project.hook(shellCall("ls"))).stdout).toContain("has no plug-in safe-rm@acme any more");
  });
});
