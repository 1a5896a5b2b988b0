import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runCli, userEnvironment } from "./support/run-cli.ts";

const shown = (folder: string, output: string): string => output.replaceAll(folder, "[FOLDER]");

test("init does not write through a link that the repository brought", async () => {
  for (const name of [".gitignore", "hooks.yaml"]) {
    const folder = temporaryFolder();
    const project = join(folder, "project");
    mkdirSync(join(project, ".tenterhook"), { recursive: true });
    writeFileSync(join(folder, "mine"), "mine\n");
    symlinkSync(join(folder, "mine"), join(project, ".tenterhook", name));
    const { code, stderr } = await runCli(project, userEnvironment(folder), "init", "--force");
    expect([code, shown(folder, stderr)]).toEqual([
      1,
      `[FOLDER]/project/.tenterhook/${name} leads out of the project, to [FOLDER]/mine; nothing was written.\n  Replace the link by a file, or edit its target yourself.\n`,
    ]);
    expect([readFileSync(join(folder, "mine"), "utf8"), readdirSync(join(project, ".tenterhook"))]).toEqual([
      "mine\n",
      [name],
    ]);
  }
});

test("init says that a configuration further up counts already, and writes one only when that is meant", async () => {
  const folder = temporaryFolder();
  const inner = join(folder, "project", "packages", "one");
  mkdirSync(join(folder, "project", ".git"), { recursive: true });
  mkdirSync(inner, { recursive: true });
  mkdirSync(join(folder, "project", ".tenterhook"));
  writeFileSync(join(folder, "project", ".tenterhook", "hooks.yaml"), "hooks: {}\n");
  const { code, stderr } = await runCli(inner, userEnvironment(folder), "init");
  expect([code, shown(folder, stderr), readdirSync(inner)]).toEqual([
    1,
    "[FOLDER]/project/.tenterhook already applies to this folder; a configuration here would apply in addition.\n  Edit that one, or use --force to create one for this folder alone.\n",
    [],
  ]);
  expect((await runCli(inner, userEnvironment(folder), "init", "--yes")).code).toBe(0);
  expect(readdirSync(inner)).toEqual([".tenterhook"]);
});

test("init --user writes a file of your own, with the packs you name", async () => {
  const folder = temporaryFolder();
  const project = join(folder, "project");
  mkdirSync(project);
  const environment = userEnvironment(folder);
  const run = (...args: readonly string[]) => runCli(project, environment, ...args);
  const { code, stdout } = await run("init", "--user", "--pack", "git-safety", "safe-shell");
  expect([code, shown(folder, stdout)]).toEqual([
    0,
    `wrote  [FOLDER]/config/tenterhook/hooks.yaml

The packs git-safety and safe-shell are on, in every project.
  tenterhook list                 what is in force
  tenterhook explain "rm -rf ~"   try a command
`,
  ]);
  expect(readdirSync(project)).toEqual([]);
  const { hooks } = JSON.parse((await run("list", "--json")).stdout);
  const packs = new Set(hooks.map(({ pack, scope }: Record<string, unknown>) => `${scope} ${pack}`));
  expect([...packs].sort()).toEqual(["user git-safety", "user safe-shell"]);
  expect((await run("check", "../config/tenterhook/hooks.yaml")).code).toBe(0);
  const again = await run("init", "--user");
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("hooks.yaml exists already")]);
});

test("init knows the packs, takes none, and names the nearest for a misspelt one", async () => {
  const folder = temporaryFolder();
  const environment = userEnvironment(folder);
  const { code, stderr } = await runCli(folder, environment, "init", "--pack", "safe-shel");
  expect([code, stderr]).toEqual([
    2,
    'There is no pack "safe-shel". Did you mean "safe-shell"?\n  Packs: safe-shell, protect-secrets, git-safety, no-network, or none.\n',
  ]);
  expect(readdirSync(folder)).toEqual([]);
  expect((await runCli(folder, environment, "init", "--pack", "none")).stdout).toContain("No pack is on.");
});

test("init ends with the command that guards the agents here", async () => {
  const folder = temporaryFolder();
  const project = join(folder, "project");
  mkdirSync(project);
  mkdirSync(join(folder, "home/.claude"), { recursive: true });
  const { stdout } = await runCli(project, userEnvironment(folder), "init", "--yes");
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("  tenterhook install claude       guard Claude Code");
});
