import { symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { globTool } from "../../../src/agent/tools/glob.ts";
import { type Workspace, workspace } from "./support/workspace.ts";

/** Files that all changed at the same time, but the last, which is older. */
function tree(): Workspace {
  const names = [
    "a.ts",
    "src/b.ts",
    "src/deep/c.ts",
    "src/deep/d.test.ts",
    "src/e.js",
    ".hidden/f.ts",
    ".git/g.ts",
    "node_modules/x/h.ts",
    "src/old.ts",
  ];
  const made = workspace(Object.fromEntries(names.map((name) => [name, name])));
  for (const name of names) utimesSync(made.path(name), 1000, name === "src/old.ts" ? 500 : 1000);
  return made;
}

describe("Glob", () => {
  it("leaves out what may not be read", async () => {
    const { outputOf, path } = tree();
    const hides = (file: string) => file !== path("src/b.ts");
    expect(await outputOf(globTool, { pattern: "*.ts" }, { hides })).toBe("src/b.ts");
  });

  it.each([
    ["*.ts", {}, [".hidden/f.ts", "a.ts", "src/b.ts", "src/deep/c.ts", "src/deep/d.test.ts", "src/old.ts"]],
    ["src/*.ts", {}, ["src/b.ts", "src/old.ts"]],
    ["src/**/*.test.ts", {}, ["src/deep/d.test.ts"]],
    ["**/*.{js,test.ts}", {}, ["src/deep/d.test.ts", "src/e.js"]],
    ["*.ts", { path: "src/deep" }, ["src/deep/c.ts", "src/deep/d.test.ts"]],
    ["deep/?.ts", { path: "src" }, ["src/deep/c.ts"]],
    ["node_modules/**/*.ts", {}, ["node_modules/x/h.ts"]],
    ["**", { path: ".git" }, [".git/g.ts"]],
    ["src/deep/../[ab].ts", {}, ["src/b.ts"]],
    ["src/deep/c.ts", {}, ["src/deep/c.ts"]],
    ["*.rs", {}, []],
  ])("finds %s %j", async (pattern, more, files) => {
    const { run } = tree();
    expect(await run(globTool, { pattern, ...more })).toEqual({
      content: files.join("\n") || "No files found.",
    });
  });

  it("takes absolute patterns inside the workspace and refuses what leads out", async () => {
    const { outputOf, root, outside, path } = tree();
    expect(await outputOf(globTool, { pattern: join(root, "src/*.js") })).toBe("src/e.js");
    expect(await outputOf(globTool, { pattern: "../*" })).toContain("outside the workspace");
    expect(await outputOf(globTool, { pattern: "/etc/*" })).toContain("outside the workspace");
    expect(await outputOf(globTool, { pattern: "*", path: ".." })).toContain("outside the workspace");
    symlinkSync(outside, path("loop"));
    expect(await outputOf(globTool, { pattern: "loop/*" })).toContain("outside the workspace");
    expect(await outputOf(globTool, { pattern: "**/e.js" })).toBe("src/e.js");
    expect(await outputOf(globTool, { pattern: "*", path: "scr" })).toBe(
      'scr does not exist. Its folder has "src".',
    );
    expect(await outputOf(globTool, { pattern: "{a" })).toContain('has a "{" that no "}" closes');
  });

  it("shows 200 and says how many more there are", async () => {
    const { outputOf, write } = workspace();
    for (let number = 0; number < 203; number += 1) write(`f${number}`, "");
    const lines = (await outputOf(globTool, { pattern: "f*" })).split("\n");
    expect([lines.length, lines.at(-1)]).toEqual([202, "(3 more; narrow the pattern)"]);
  });

  it("Glob ends when it is cancelled", async () => {
    const { context } = tree();
    await expect(
      globTool.run({ pattern: "**" }, { ...context, signal: AbortSignal.abort() }),
    ).rejects.toThrow();
  });
});
