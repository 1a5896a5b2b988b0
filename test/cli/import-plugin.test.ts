import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOOKS, said, withPlugin, write } from "./support/import-plugin.ts";
import { newProject } from "./support/project.ts";

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
      "1 hook of your local settings (.claude/settings.local.json): tenterhook import claude --local",
    );
    expect(first).toMatch(
      /1 hook of the plug-in guard@market \(\S+\): tenterhook import claude guard@market/,
    );
  });

  it.each([
    [["--user"], "tenterhook install claude --user", "tenterhook import claude --user --remove"],
    [["own plugin"], "tenterhook install claude ", "tenterhook import claude 'own plugin' --remove"],
    [
      ["--settings", "other.json", "--user"],
      "tenterhook install claude --user",
      "tenterhook import claude --user --settings other.json --remove",
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
