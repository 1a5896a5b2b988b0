import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { integrationOf } from "../../../src/adapters/integrations.ts";
import { loadConfig } from "../../../src/config.ts";
import { placesIn } from "../../../src/hook/installed/settings-files.ts";
import { claudeDriver } from "../../../src/know/prove/drivers/claude.ts";
import { triedOwn } from "../../../src/know/prove/own-configuration.ts";
import type { Proven } from "../../../src/know/prove/proof.ts";
import { SCENARIOS } from "../../../src/know/prove/scenarios.ts";
import { tried } from "../../../src/know/prove/try-scenarios.ts";
import { codeFolder, newProject, type Project } from "../../cli/support/project.ts";
import { CLI } from "../../cli/support/run-cli.ts";
import { endAfterTest, eventually } from "../../support/processes.ts";

const STAND_IN = fileURLToPath(new URL("./stand-in.js.txt", import.meta.url));
const OWN_RULE = {
  name: "no-publish",
  type: "inline",
  matcher: { events: ["PreToolUse"], tools: ["Bash"] },
  rules: 'command contains "npm publish" -> deny("No.")',
};

/** A person with an agent that runs hooks as Claude Code does, and ours installed for it. */
async function person({
  behaviour = "obeys",
  scope = "user",
  own = OWN_RULE,
}: {
  readonly behaviour?: string;
  readonly scope?: string;
  readonly own?: object;
} = {}): Promise<Project> {
  const project = newProject();
  const { folder, environment } = project;
  const programs = join(folder, "bin");
  mkdirSync(programs);
  symlinkSync(CLI, join(programs, "tenterhook"));
  const text = readFileSync(STAND_IN, "utf8")
    .replace("#!/usr/bin/env node", `#!${process.execPath}`)
    .replace('"obeys"', JSON.stringify(behaviour))
    .replace('COMPILED_CODE = ""', `COMPILED_CODE = ${JSON.stringify(codeFolder(project))}`);
  writeFileSync(join(programs, "claude"), text, { mode: 0o755 });
  environment.PATH = [programs, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  await project.configure([own]);
  const { code, stderr } = await project.run(["install", "claude", "--scope", scope]);
  if (code !== 0) throw new Error(stderr);
  return project;
}

/** Changes the agent's settings. */
function change(
  { environment }: Project,
  more: (settings: { hooks: { PreToolUse: object[] } }) => object,
): void {
  const file = join(environment.HOME ?? "", ".claude/settings.json");
  writeFileSync(file, JSON.stringify(more(JSON.parse(readFileSync(file, "utf8")))));
}

async function proved(
  project: Project,
): Promise<{ code: unknown; agents: { scenarios: { name: string; result: string; why?: string }[] }[] }> {
  const { code, stdout } = await project.run(["prove", "claude", "--json"]);
  return { code, ...JSON.parse(stdout) };
}

/** The person's agent, to be tried on less than everything. */
async function provenIn({ cwd, folder, environment }: Project): Promise<Proven> {
  return {
    driver: claudeDriver,
    integration: await integrationOf("claude"),
    program: join(folder, "bin/claude"),
    real: placesIn(cwd, environment),
    signal: new AbortController().signal,
    onRun() {},
  };
}

const configOf = ({ cwd, environment }: Project) => loadConfig({ cwd, environment });

const rewrites = (line: string) => `command equals "touch canary-own" -> set(args.command, "${line}")`;

describe("prove", () => {
  it.each<[fault: string, plant: (project: Project) => void, why: string]>([
    [
      "disableAllHooks",
      (project) => change(project, (settings) => ({ ...settings, disableAllHooks: true })),
      "disableAllHooks is true there, so Claude Code starts no hook",
    ],
    [
      "a matcher that misses the shell",
      (project) =>
        change(project, ({ hooks }) => ({
          hooks: {
            ...hooks,
            PreToolUse: hooks.PreToolUse.map((group) => ({ ...group, matcher: "Edit|Shell" })),
          },
        })),
      'the matcher "Edit|Shell" on PreToolUse',
    ],
  ])("finds %s when the agent does not ask, and says so", async (_, plant, why) => {
    const project = await person();
    plant(project);
    const proofs = await tried(
      await provenIn(project),
      await configOf(project),
      SCENARIOS.filter(({ name }) => name === "deny"),
    );
    expect(proofs).toEqual([
      {
        name: "deny",
        result: "not_reached",
        why: expect.stringContaining(why),
        way_out: expect.any(String),
      },
    ]);
  });

  it.each<[fault: string, plant: (project: Project) => void, why: string]>([
    [
      "settings that are not read",
      (project) =>
        change(project, (settings) => ({ ...settings, hooks: { ...settings.hooks, PreToolUse: 7 } })),
      "is not installed in Claude Code here",
    ],
    [
      "our program gone",
      ({ folder }) => rmSync(join(folder, "bin/tenterhook")),
      "the command tenterhook hook is not found",
    ],
    [
      "our program saying nonsense",
      ({ folder }) => {
        rmSync(join(folder, "bin/tenterhook"));
        writeFileSync(join(folder, "bin/tenterhook"), "#!/bin/sh\necho nonsense\n", { mode: 0o755 });
      },
      'tenterhook hook decides nothing: it ends with 0 and says "nonsense"',
    ],
  ])("finds %s, and says so", async (_, plant, why) => {
    const project = await person();
    plant(project);
    const { code, agents } = await proved(project);
    const [deny] = agents[0]?.scenarios ?? [];
    expect([code, deny?.name, deny?.result, deny?.why]).toEqual([
      1,
      "deny",
      "not_reached",
      expect.stringContaining(why),
    ]);
  });

  it.each<[rules: string, behaviour: string, result: string, why: string]>([
    ['command contains "canary" -> allow("Fine.")', "obeys", "obeyed", "allow by no-publish"],
    ['command contains "canary" -> deny("No.")', "obeys", "obeyed", "deny by no-publish"],
    ['command contains "canary" -> deny("No.")', "ignores", "ignored", "deny by no-publish"],
    [rewrites("touch canary-moved"), "obeys", "obeyed", "rewritten by no-publish"],
    [rewrites("touch canary-moved"), "runs the call as it was", "ignored", "rewritten by no-publish"],
    [
      rewrites("nice touch canary-own"),
      "runs the call as it was",
      "obeyed",
      "rewritten by no-publish; which of the two lines ran can't be seen",
    ],
  ])("tries the person's own rules: %s, and the agent %s", async (rules, behaviour, result, why) => {
    const project = await person({ behaviour, own: { ...OWN_RULE, rules } });
    const proofs = await triedOwn(await provenIn(project), await configOf(project));
    expect(proofs).toEqual([{ name: "own", result, why: `touch canary-own: ${why}` }]);
  });

  it.each<[ending: string, ...signals: NodeJS.Signals[]]>([
    ["a Ctrl-C", "SIGINT"],
    ["SIGTERM", "SIGTERM"],
    ["a second Ctrl-C", "SIGINT", "SIGINT"],
  ])("removes everything after %s, though the agent does not want to end", async (_, ...signals) => {
    const project = await person({ behaviour: "does not end" });
    const TMPDIR = join(project.folder, "tmp");
    mkdirSync(TMPDIR);
    const env = { ...project.environment, TMPDIR };
    const proving = spawn(process.execPath, [CLI, "prove", "claude"], {
      cwd: project.cwd,
      env,
      stdio: "ignore",
    });
    endAfterTest(proving);
    const ended = once(proving, "exit");
    const hasBegun = () => readdirSync(TMPDIR).some((name) => existsSync(join(TMPDIR, name, "home/started")));
    await eventually(() => expect(hasBegun()).toBe(true));
    for (const signal of signals) {
      proving.kill(signal);
      // One that comes at once would be the same.
      await Promise.race([ended, wait(300)]);
    }
    await ended;
    expect(readdirSync(TMPDIR)).toEqual([]);
  });
});
