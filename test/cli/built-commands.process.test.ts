import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { fastRequire } from "../../src/hook/process/fast-require.ts";
import { mustBeBuilt, ROOT } from "../repository/support/files.ts";
import { newProject } from "./support/project.ts";

beforeAll(mustBeBuilt);

describe("the built program", () => {
  /** Those that only name what others contain run when they are loaded. */
  const PROGRAM = "main.cjs";
  const files = readdirSync(join(ROOT, "dist/commands")).filter((name) => name.endsWith(".cjs"));

  it("brings along every file of its commands, and each can be loaded", () => {
    expect(files).toContain(PROGRAM);
    const load = fastRequire(join(ROOT, "dist"), (address) => import(address));
    for (const name of files)
      if (name !== PROGRAM) expect([name, typeof load(`./commands/${name}`)]).toEqual([name, "object"]);
  });

  // One of each group of the table.
  it.each([
    ["list", "--json"],
    ["test", "--json"],
    ["uninstall", "claude"],
    ["sessions", "--json"],
    ["monitor", "status", "--json"],
    ["database", "status"],
    ["completion", "bash"],
  ])("runs %s %s as the sources do", async (...args) => {
    const project = newProject();
    expect(await project.start(args)).toEqual(await project.run(args));
  });
});
