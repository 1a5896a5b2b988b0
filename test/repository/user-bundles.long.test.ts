import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BUNDLERS, type Platform } from "./support/bundlers.ts";
import { modules } from "./support/entry-points.ts";
import { temporaryFolder } from "./support/files.ts";
import { type PackedProject, packedProject } from "./support/packed-project.ts";
import { run } from "./support/run.ts";

let project: PackedProject;
beforeAll(async () => {
  project = await packedProject();
});
afterAll(() => project.remove());

/** What a user's program does with each subpath; it prints `done`. */
const PROGRAMS: Readonly<Record<string, string>> = {
  ".": `
import { createHooks, deny } from "tenterhook";
const hooks = createHooks();
hooks.on("PreToolUse", { tools: ["Bash"] }, () => deny("no"));
await hooks.add({ name: "rule", type: "inline", rules: 'command matches "^git +push" -> deny("no")', matcher: { events: ["PreToolUse"] } });
await hooks.add({ name: "command", type: "command", command: "echo no >&2; exit 2", matcher: { events: ["PreToolUse"] } });
const call = { session_id: "s", cwd: "/", tool_name: "Bash", tool_input: { command: "git push" } };
const { action, runs } = await hooks.fire({ hook_event_name: "PreToolUse", ...call });
console.log(action === "deny" && runs.length === 3 ? "done" : JSON.stringify(runs));`,
  "./core": `
import { createHooks, deny } from "tenterhook/core";
const hooks = createHooks();
hooks.on("PreToolUse", () => deny("no"));
const { action } = await hooks.fire({ hook_event_name: "PreToolUse", session_id: "s", cwd: "/", tool_name: "Bash", tool_input: {} });
console.log(action === "deny" ? "done" : action);`,
  "./rules": `
import { analyseShell, loadShellParser } from "tenterhook/rules";
await loadShellParser();
console.log(analyseShell("cd /tmp && rm -rf build").commands.length === 2 ? "done" : "not analysed");`,
  "./config": `
import { loadConfig } from "tenterhook/config";
const { definitions } = await loadConfig({ cwd: process.cwd() });
console.log(definitions.map(({ name }) => name).join());`,
  "./agent": `
import { Agent, scriptedModel } from "tenterhook/agent";
const { text } = await new Agent({ model: scriptedModel([{ text: "done" }]) }).run("Go.");
console.log(text);`,
  "./dashboard": `
import { dashboardHandler } from "tenterhook/dashboard";
const handler = dashboardHandler({ authorize: () => false });
const { status } = await handler(new Request("http://localhost/"));
console.log(status === 403 ? "done" : status);`,
  "./project": `
import { openHooks } from "tenterhook/project";
const opened = await openHooks({ cwd: process.cwd() });
await opened.close();
console.log("done");`,
  "./stores": `
import { jsonlStore } from "tenterhook/stores";
const { transcripts } = await jsonlStore({ dir: "sessions" }).list();
console.log(transcripts.length === 0 ? "done" : "not empty");`,
  "./testing": `
import { testHooks } from "tenterhook/testing";
const { action, hook } = await (await testHooks(process.cwd())).bash("git push");
console.log(action === "deny" ? hook : action);`,
};

/** The user's own configuration, with one hook called `done`. */
const HOOKS = `hooks:
  definitions:
    - name: done
      type: inline
      matcher: { events: [PreToolUse] }
      rules: command matches "^git +push" -> deny("Pushing is for humans.")
`;

test("there is a program for each subpath", () => {
  expect(Object.keys(PROGRAMS).sort()).toEqual(modules.map(({ subpath }) => subpath).sort());
});

/** Each platform with the subpaths that are for it. */
const PLATFORMS: Readonly<Record<Platform, readonly string[]>> = {
  node: Object.keys(PROGRAMS),
  browser: ["./core", "./rules"],
};

const fileOf = (subpath: string): string => (subpath === "." ? "root" : subpath.slice(2));

/** The programs in the user's project, which has no optional package. */
function writePrograms(): void {
  const files = Object.entries(PROGRAMS).map(([subpath, text]) => [`src/${fileOf(subpath)}.mjs`, text]);
  project.write(Object.fromEntries(files));
}

/** Runs bundles one after the other in their folder, where no package is installed. */
async function printed(folder: string, subpaths: readonly string[]): Promise<string> {
  const lines = subpaths.map(
    (subpath) =>
      `console.log(${JSON.stringify(subpath)}); await import(${JSON.stringify(`./${fileOf(subpath)}.mjs`)});`,
  );
  writeFileSync(join(folder, "all-of-them.mjs"), lines.join("\n"));
  const folders = ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"].map((name) => `${name}=${folder}`);
  const { output } = await run(folder, "env", ...folders, process.execPath, "all-of-them.mjs");
  return output;
}

describe.each(Object.entries(BUNDLERS))("%s", (_, bundle) => {
  test.each(Object.entries(PLATFORMS))(
    "bundles for %s what runs where no package is installed",
    async (platform, subpaths) => {
      writePrograms();
      const out = temporaryFolder();
      mkdirSync(join(out, "tenterhook"));
      writeFileSync(join(out, "tenterhook/hooks.yaml"), HOOKS);
      const programs = subpaths.map((subpath) => `src/${fileOf(subpath)}.mjs`);
      const work = { project: project.folder, programs, out, platform: platform as Platform };
      expect(await bundle(work)).toEqual([]);
      expect(await printed(out, subpaths)).toBe(subpaths.map((subpath) => `${subpath}\ndone\n`).join(""));
    },
  );
});
