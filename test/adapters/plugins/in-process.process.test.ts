import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, expect, it, vi } from "vitest";
import { opencodeBridge } from "../../../src/adapters/opencode/bridge.ts";
import { newProject, type Project } from "../../cli/support/project.ts";
import { CLI } from "../../cli/support/run-cli.ts";

const CALL = { native: "tool.execute.before", timeout: 20, gate: true };
const CLIENT = { session: { get: async () => ({ data: {} }) }, tui: { showToast: async () => undefined } };

let project: Project;
/** Makes a call in the plug-in, and returns whether our program was started for it. */
let startedFor: (command: string) => Promise<boolean>;

beforeEach(async () => {
  project = newProject();
  await project.configure([
    {
      name: "guard",
      type: "inline",
      matcher: { events: ["PreToolUse"] },
      rules: 'command contains "rm -rf" -> deny("Not that.")',
    },
  ]);
  const programs = join(project.folder, "programs");
  const mark = join(project.folder, "started");
  mkdirSync(programs);
  writeFileSync(
    join(programs, "tenterhook"),
    `#!/bin/sh\ntouch '${mark}'\nexec '${process.execPath}' '${CLI}' "$@"\n`,
    { mode: 0o755 },
  );
  copyFileSync(join(dirname(CLI), "in-process.cjs"), join(programs, "in-process.cjs"));
  for (const [name, value] of Object.entries(project.environment)) vi.stubEnv(name, value);
  vi.stubEnv("PATH", `${programs}:${process.env.PATH}`);
  const file = join(project.folder, "tenterhook.mjs");
  writeFileSync(file, opencodeBridge.settings.install(undefined, [CALL]) ?? "");
  const { Tenterhook } = await import(/* @vite-ignore */ pathToFileURL(file).href);
  const hooks = await Tenterhook({ client: CLIENT, directory: project.cwd });
  startedFor = async (command) => {
    rmSync(mark, { force: true });
    const asked = { tool: "bash", sessionID: "ses_1", callID: `call_${Math.random()}` };
    await hooks["tool.execute.before"](asked, { args: { command } });
    return existsSync(mark);
  };
  return () => vi.unstubAllEnvs();
});

it("a call about which no hook has anything to say starts no process once the configuration is cached, and is recorded", async () => {
  expect(await startedFor("ls")).toBe(true);
  const recorded = project.journal().length;
  expect(await startedFor("pwd")).toBe(false);
  expect(project.journal()).toHaveLength(recorded + 1);
});

it("a call that a rule refuses is decided by our program", async () => {
  await startedFor("ls");
  await expect(startedFor("rm -rf /")).rejects.toThrow("Not that.");
});

it("a changed configuration counts at the next call", async () => {
  await startedFor("ls");
  await project.configure([
    {
      name: "guard",
      type: "inline",
      matcher: { events: ["PreToolUse"] },
      rules: 'command contains "pwd" -> deny("Not here.")',
    },
  ]);
  await expect(startedFor("pwd")).rejects.toThrow("Not here.");
});
