import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { beforeAll, describe, expect, it } from "vitest";
import { listedCommands } from "../../src/cli/command-line/command.ts";
import { COMMAND_TABLE } from "../../src/cli/table/table.ts";
import { mustBeBuilt, ROOT } from "../repository/support/files.ts";
import { newProject } from "./support/project.ts";

beforeAll(mustBeBuilt);

describe("the built program", () => {
  it("brings along every file that its commands name, and each can be compiled", () => {
    const folder = join(ROOT, "dist/commands");
    const files = readdirSync(folder).filter((name) => name.endsWith(".cjs"));
    const texts = files.map((name) => readFileSync(join(folder, name), "utf8"));
    const named = texts.flatMap((text) =>
      Array.from(text.matchAll(/"\.\/([\w.-]+\.cjs)"/g), ([, name]) => name),
    );
    expect(new Set(named).size).toBeGreaterThan(listedCommands(COMMAND_TABLE).length);
    expect(named.filter((name) => !files.includes(name ?? ""))).toEqual([]);
    for (const text of texts) expect(typeof new Script(text).runInThisContext()).toBe("function");
  });

  // One of each group of the table.
  it.each([
    ["list", "--json"],
    ["test", "--json"],
    ["check"],
    ["sessions", "--json"],
    ["daemon", "status", "--json"],
    ["fleet", "database"],
    ["completion", "bash"],
  ])("runs %s %s as the sources do", async (...args) => {
    const project = newProject();
    expect(await project.start(args)).toEqual(await project.run(args));
  });
});
