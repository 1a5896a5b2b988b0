import { symlinkSync } from "node:fs";
import { grantTrust, reviewTrust, revokeTrust } from "tenterhook/config";
import { expect, it } from "vitest";
import { currentTurnHooks } from "../../src/config/trust/turn-hooks.ts";
import { hooksFile, project } from "./support/project.ts";

const TOML = '[turn_start]\ncommand = "sh"\nargs = ["start.sh"]\n\n[turn_end]\ncommand = "ls"\n';

it("the programs of .agent/hook.toml are there, trusted only as they were when this user looked", async () => {
  const files = project({ "project/.agent/hook.toml": TOML, "project/start.sh": "exit 0\n" });
  const cwd = files.path("project");
  const trusted = async (folder = cwd) => (await currentTurnHooks(folder))?.trusted;
  const trust = async () => grantTrust(await reviewTrust({ cwd }));
  expect(await currentTurnHooks(cwd)).toEqual({
    turn_start: { command: "sh", args: ["start.sh"], run_on_hook_input: true },
    turn_end: { command: "ls", args: [] },
    folder: cwd,
    trusted: false,
  });
  await trust();
  symlinkSync(cwd, files.path("link"));
  expect([await trusted(), await trusted(files.path("link"))]).toEqual([true, true]);
  files.write("project/start.sh", "evil\n");
  expect(await trusted()).toBe(false);
  await trust();
  files.write("project/.agent/hook.toml", TOML.replace('"ls"', '"rm"'));
  expect(await trusted()).toBe(false);
  await trust();
  // The rest of the project's configuration makes no difference, not even one that can't be read.
  files.write("project/other.sh", "");
  expect(await trusted()).toBe(true);
});

it("they are trusted with the project around them, whose other files need not be good", async () => {
  const files = project({ "hooks.yaml": hooksFile("a"), "project/.agent/hook.toml": TOML });
  const cwd = files.path("project");
  await grantTrust(await reviewTrust({ cwd }));
  files.write("hooks.yaml", "hooks: [");
  expect((await currentTurnHooks(cwd))?.trusted).toBe(true);
});

it("from a folder below, the nearest file upwards counts, to the root of the repository; trust is kept for its folder", async () => {
  const files = project({
    ".agent/hook.toml": '[turn_end]\ncommand = "outside"\n',
    "project/.agent/hook.toml": TOML,
    "project/start.sh": "exit 0\n",
    "project/deep/er/file": "",
    "project/package/.agent/hook.toml": '[turn_end]\ncommand = "date"\n',
    "project/package/src/file": "",
    "project/other/.git/HEAD": "",
  });
  const root = files.path("project");
  const from = async (path: string) => {
    const hooks = await currentTurnHooks(files.path(path));
    return hooks && [hooks.folder, hooks.turn_end?.command, hooks.trusted];
  };
  const cwd = files.path("project/deep/er");
  const review = await reviewTrust({ cwd });
  expect([review.root, review.items.map(({ key }) => key)]).toEqual([root, [".agent/hook.toml", "start.sh"]]);
  expect(await from("project/deep/er")).toEqual([root, "ls", false]);
  await grantTrust(review);
  expect(await from("project/deep/er")).toEqual([root, "ls", true]);
  expect(await from("project")).toEqual([root, "ls", true]);
  expect(await from("project/package/src")).toEqual([files.path("project/package"), "date", false]);
  expect(await from("project/other")).toBeUndefined();
  expect(await revokeTrust({ cwd })).toBe(2);
  expect(await from("project")).toEqual([root, "ls", false]);
});

it("no file is no program", async () => {
  expect(await currentTurnHooks(project().path("project"))).toBeUndefined();
});
