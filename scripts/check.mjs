// All checks of the project but its tests. Many steps use one core, so two lanes run side by
// side. A failure ends its lane; the other one goes on, so that `dist` is never left half built.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { step } from "./run.mjs";

// Several threads check some types once each, and the other lane needs the second core.
const ONE_THREAD = ["--singleThreaded"];
/** What a later run need not check again. */
const INCREMENTAL = ["--incremental", "--tsBuildInfoFile", "node_modules/.cache/types.tsbuildinfo"];

const folder = mkdtempSync(join(tmpdir(), "tenterhook-check-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
await Promise.all([checkSources(), checkPackage()]);

async function checkSources() {
  return (
    (await step("types", "tsc", "-p", "tsconfig.json", ...ONE_THREAD, ...INCREMENTAL)) &&
    (await step("types of the dashboard", "tsc", "-p", "src/dashboard", ...ONE_THREAD)) &&
    (await step("lint and format", "biome", "ci", "--colors=off", "--error-on-warnings", ".")) &&
    (await step("unused files, exports, packages", "knip", "--no-config-hints", "--cache"))
  );
}

async function checkPackage() {
  const packed =
    (await step("build", process.execPath, "scripts/build.mjs")) &&
    (await step("generated docs are up to date", process.execPath, "scripts/docs.mjs", "--check")) &&
    (await step("generated schema is up to date", process.execPath, "scripts/schema.mjs", "--check")) &&
    (await step("pack", "npm", "pack", "--ignore-scripts", "--pack-destination", folder));
  const tarball = join(folder, readdirSync(folder)[0] ?? "");
  return (
    packed &&
    (await step("package manifest", "publint", "run", "--strict", tarball)) &&
    (await step("types of the package", "attw", "--profile", "esm-only", tarball))
  );
}
