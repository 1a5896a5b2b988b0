import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import packages from "../../examples/compare/packages.json" with { type: "json" };
import { ROOT, temporaryFolder } from "../repository/support/files.ts";
import { findRuntime } from "../repository/support/runtimes.ts";
import { installPackage, isInstalled } from "../support/install-package.ts";

const source = join(ROOT, "examples/compare");

/** Where the packages are installed, once for all runs: each by itself, since a registry may lack one of them. */
const installed = join(ROOT, "node_modules/.cache/tenterhook-compare");

/** The folder with the packages of a program, or the sentence that says why it is not there. */
function packagesFor(name: string, specifiers: readonly string[]): { folder: string } | { missing: string } {
  const folder = join(installed, name);
  const [first, ...also] = specifiers;
  if (first === undefined) return { folder: ROOT };
  const at = first.lastIndexOf("@");
  const manifest = join("node_modules", first.slice(0, at), "package.json");
  const row = { package: first.slice(0, at), version: first.slice(at + 1), program: manifest, also };
  try {
    if (!isInstalled(row, folder))
      installPackage(row, folder, { options: ["--prefer-offline", "--legacy-peer-deps"] });
  } catch (error) {
    return { missing: `${first} could not be installed into ${folder}: ${error}` };
  }
  return { folder };
}

describe("the same four tasks", () => {
  // Some of them install up to 360 MB.
  for (const [name, specifiers] of Object.entries(packages))
    it(`are done by ${name}`, { timeout: 600_000 }, ({ skip }) => {
      const found = packagesFor(name, specifiers);
      if ("missing" in found) return skip(found.missing);
      const project = temporaryFolder();
      for (const file of readdirSync(source)) copyFileSync(join(source, file), join(project, file));
      mkdirSync(join(project, "node_modules"));
      for (const one of readdirSync(join(found.folder, "node_modules")).filter((file) => file[0] !== "."))
        symlinkSync(join(found.folder, "node_modules", one), join(project, "node_modules", one));
      if (found.folder === ROOT) symlinkSync(ROOT, join(project, "node_modules/tenterhook"));
      // AI SDK 7 needs Node 22.
      const runtime = findRuntime("Node 24");
      const program = "missing" in runtime ? process.execPath : runtime.program;
      const { status, stdout, stderr } = spawnSync(program, ["run.mjs", name], {
        cwd: project,
        encoding: "utf8",
        timeout: 300_000,
        env: {
          PATH: process.env.PATH,
          TMPDIR: project,
          HOME: project,
          LANGSMITH_TRACING: "false",
        },
      });
      expect(status === 0 ? JSON.parse(stdout) : stderr).toEqual({
        block: [["git status"], true],
        rewrite: ["npm publish --dry-run"],
        context: true,
        keepGoing: [["npm test"], true, 2],
      });
    });
});
