import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runCli, userEnvironment } from "./support/run-cli.ts";

const shown = (folder: string, said: string): string => said.replaceAll(folder, "[FOLDER]");

test("init does not write through a link that the repository brought", async () => {
  for (const name of [".gitignore", "hooks.yaml", "hooks.schema.json"]) {
    const folder = temporaryFolder();
    const project = join(folder, "project");
    mkdirSync(join(project, ".tenterhook"), { recursive: true });
    writeFileSync(join(folder, "mine"), "mine\n");
    symlinkSync(join(folder, "mine"), join(project, ".tenterhook", name));
    const { code, stderr } = await runCli(project, userEnvironment(folder), "init", "--force");
    expect([code, shown(folder, stderr)]).toEqual([
      1,
      `write_failed: [FOLDER]/project/.tenterhook/${name} leads out of the project, to [FOLDER]/mine; nothing was written.\n  Replace the link by a file, or edit its target yourself.\n`,
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
    "file_exists: [FOLDER]/project/.tenterhook already applies to this folder; a configuration here would apply in addition.\n  Edit that one, or use --force to create one for this folder alone.\n",
    [],
  ]);
  expect((await runCli(inner, userEnvironment(folder), "init", "--yes")).code).toBe(0);
  expect(readdirSync(inner)).toEqual([".tenterhook"]);
});
