import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import fc from "fast-check";
import { loadConfig } from "tenterhook/config";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfigCached } from "../../src/config/open.ts";
import { ROOT } from "../repository/support/files.ts";
import { runs } from "../support/long.ts";
import { hooksFile, type Project, project } from "./support/project.ts";

const FOLDER = "cache/tenterhook";

function cached(files: Project): string {
  const [name = ""] = readdirSync(files.path(FOLDER));
  return files.path(`${FOLDER}/${name}`);
}

/** The built configuration, each package of which is loaded only where it is needed. */
let built = "";
beforeAll(async () => {
  mkdirSync(join(ROOT, "node_modules/.cache"), { recursive: true });
  // Inside the project, so that the packages are found.
  built = mkdtempSync(join(ROOT, "node_modules/.cache/tenterhook-test-"));
  await build({
    absWorkingDir: ROOT,
    entryPoints: ["src/config/open.ts"],
    outdir: built,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "error",
  });
  writeFileSync(join(built, "package.json"), '{ "type": "module" }');
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** A project with something of everything, loaded once. */
async function compiled() {
  const files = project({
    "user/tenterhook/hooks.yaml": hooksFile("u"),
    "hooks.yaml": `hooks: { use: [no-network, ./team.yaml], timeout: 3, definitions: [{ name: s, type: command, script: s.sh, matcher: { events: [Stop] } }] }\nmodels: { judge: a/b }`,
    "team.yaml": hooksFile("t"),
    "hooks.local.yaml": "hooks: { disabled: [t, nobody] }",
    "project/s.sh": "exit 0\n",
    "project/.agent/hook.toml": '[turn_end]\ncommand = "ls"\n',
  });
  await files.trust();
  await loadConfigCached(files.options);
  return files;
}

describe("the compiled configuration", () => {
  it("is never believed after any damage, and never has fewer hooks", async () => {
    const files = await compiled();
    const fresh = await loadConfig(files.options);
    const whole = readFileSync(cached(files));
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 0, max: 255 }), fc.boolean(), async (place, byte, cut) => {
        const at = place % whole.length;
        const damaged = cut ? whole.subarray(0, at) : Buffer.from(whole);
        if (!cut) damaged[at] = byte;
        writeFileSync(cached(files), damaged);
        expect(await loadConfigCached(files.options)).toEqual(fresh);
      }),
      { numRuns: runs(10) },
    );
  });

  it("may be written by many at once", async () => {
    const files = await compiled();
    const fresh = await loadConfig(files.options);
    for (let round = 0; round < 2; round += 1) {
      rmSync(files.path("cache"), { recursive: true, force: true });
      const all = await Promise.all(Array.from({ length: 8 }, () => loadConfigCached(files.options)));
      expect(all).toEqual(all.map(() => fresh));
    }
    expect(readdirSync(files.path(FOLDER)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});
