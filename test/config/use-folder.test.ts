import { createHooks } from "tenterhook";
import { describe, expect, it } from "vitest";
import { applyConfig } from "../../src/config/combine/apply.ts";
import { bashCall } from "../support/events.ts";
import { project } from "./support/project.ts";
import { refused } from "./support/trusted.ts";

const hook = (name: string) => ({
  hooks: {
    definitions: [
      { name, type: "inline", rules: 'tool equals "X" -> deny()', matcher: { events: ["PreToolUse"] } },
    ],
  },
});
const USE = "hooks: { use: [./packs] }";

describe("use with a folder", () => {
  it("takes every hooks file in it in order, and the hooks file of each folder in it", async () => {
    const files = project({
      "hooks.yaml": USE,
      "project/.tenterhook/packs/b.json": JSON.stringify(hook("b")),
      "project/.tenterhook/packs/a.yaml": JSON.stringify(hook("a")),
      "project/.tenterhook/packs/c/hooks.yaml": JSON.stringify(hook("c")),
      "project/.tenterhook/packs/c/other.yaml": "not: [read",
      "project/.tenterhook/packs/README.md": "Packs.",
      "project/.tenterhook/packs/.hidden.yaml": "not: [read",
    });
    expect((await files.load()).definitions.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });

  it("trusts each file as if it were named: one that is added later needs trust of its own", async () => {
    const files = project({
      "hooks.yaml": USE,
      "project/.tenterhook/packs/a.yaml": JSON.stringify(hook("a")),
    });
    await files.trust();
    expect(await refused(files)).toEqual([]);
    files.write("project/.tenterhook/packs/b.yaml", JSON.stringify(hook("b")));
    expect(await refused(files)).toEqual([expect.stringMatching(/^b: /)]);
  });

  it("protects the folder: nothing is added to it without a human's approval", async () => {
    const files = project({ "project/packs/a.yaml": JSON.stringify(hook("a")) });
    files.write("user/tenterhook/hooks.yaml", `hooks: { use: [${files.path("project/packs")}] }`);
    const hooks = createHooks();
    await applyConfig(hooks, await files.load());
    const cwd = files.path("project");
    const lines = [
      "echo x > packs/b.yaml",
      "mkdir -p packs/c && cp x packs/c/hooks.yaml",
      "echo x > other/b.yaml",
    ];
    const actions = await Promise.all(lines.map((line) => hooks.fire(bashCall(line, { cwd }))));
    expect(actions.map(({ action }) => action)).toEqual(["ask", "ask", "continue"]);
  });

  it("is an error when nothing is in it", async () => {
    const files = project({ "hooks.yaml": USE, "project/.tenterhook/packs/README.md": "Packs." });
    expect(await files.refused()).toEqual([
      "config_invalid",
      expect.stringMatching(/The folder .*packs, which hooks\.use names, has no hooks files\./),
    ]);
  });
});
