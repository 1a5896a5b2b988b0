import { join } from "node:path";
import { describe, it } from "vitest";
import packages from "../../examples/compare/packages.json" with { type: "json" };
import { expectTasksDone } from "../examples/support/compared-program.ts";
import { ROOT } from "../repository/support/files.ts";
import { findRuntime } from "../repository/support/runtimes.ts";
import { installPackage, isInstalled } from "../support/install-package.ts";

/** Where the packages are installed, once for all runs: each by itself, since a registry may lack one of them. */
const INSTALLED = join(ROOT, "node_modules/.cache/tenterhook-compare");

/** The folder with the packages of a program, or the sentence that says why it is not there. */
function packagesFor(name: string, first: string, also: readonly string[]) {
  const folder = join(INSTALLED, name);
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

describe("the four tasks of examples/compare", () => {
  for (const [name, [first, ...also]] of Object.entries<readonly string[]>(packages))
    if (first !== undefined)
      it(`are done by ${name}`, { timeout: 600_000 }, ({ skip }) => {
        const found = packagesFor(name, first, also);
        if (found.missing !== undefined) return skip(found.missing);
        // AI SDK 7 needs Node 22.
        const runtime = findRuntime("Node 24");
        expectTasksDone(name, found.folder, "missing" in runtime ? undefined : runtime.program);
      });
});
