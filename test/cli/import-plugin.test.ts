import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { newProject, type Project } from "./support/project.ts";

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

const said = ({ stdout }: { readonly stdout: string }) => stdout.replaceAll(/\s+/g, " ");

describe("import claude in a project", () => {
  it("names the hooks of other settings and of plug-ins in use that it did not take", async () => {
    const project = newProject();
    withPlugin(project).update("1.0.0", "no");
    const stop = (command: string) =>
      JSON.stringify({
        enabledPlugins: { "guard@market": true },
        hooks: { Stop: [{ hooks: [{ type: "command", command }] }] },
      });
    project.write(".claude/settings.json", stop("./a.sh"));
    project.write(".claude/settings.local.json", stop("./b.sh"));
    const others = async () =>
      said(await project.run(["import", "claude", "--yes"])).split("Not imported:")[1];
    const first = await others();
    expect(first).toContain(
      "1 hook of your local settings (.claude/settings.local.json): tenterhook import claude --scope local",
    );
    expect(first).toMatch(
      /1 hook of the plug-in guard@market \(\S+\): tenterhook import claude guard@market/,
    );
  });

  it.each([
    [
      ["--scope", "user"],
      "tenterhook install claude --scope user",
      "tenterhook import claude --scope user --remove",
    ],
    [["own plugin"], "tenterhook install claude ", "tenterhook import claude 'own plugin' --remove"],
    [
      ["--settings", "other.json", "--scope", "user"],
      "tenterhook install claude --scope user",
      "tenterhook import claude --scope user --settings other.json --remove",
    ],
  ])("with %j says next what fits it", async (args, install, remove) => {
    const project = newProject();
    write(join(String(project.environment.HOME), ".claude/settings.json"), HOOKS);
    project.write("own plugin/hooks/hooks.json", HOOKS);
    project.write("other.json", HOOKS);
    const output = said(await project.run(["import", "claude", ...args, "--yes"]));
    expect(output).toContain(install);
    expect(output).toContain(remove);
  });
});
