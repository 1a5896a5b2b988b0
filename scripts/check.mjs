// Everything that can be said of the project without running its tests. Stops at the first failure.
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, step } from "./run.mjs";

step("types", "tsc", "-p", "tsconfig.json");
step("lint and format", "biome", "ci", "--colors=off", "--error-on-warnings", ".");
step("unused files, exports, packages", "knip", "--no-config-hints");
step("build", process.execPath, "scripts/build.mjs");
if (existsSync(join(root, "scripts/docs.mjs")))
  step("generated docs are up to date", process.execPath, "scripts/docs.mjs", "--check");
step("generated schema is up to date", process.execPath, "scripts/schema.mjs", "--check");

const folder = mkdtempSync(join(tmpdir(), "tenterhook-check-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
step("pack", "npm", "pack", "--ignore-scripts", "--pack-destination", folder);
const tarball = join(folder, readdirSync(folder)[0] ?? "");
step("package manifest", "publint", "run", "--strict", tarball);
step("types of the package", "attw", "--profile", "esm-only", tarball);
