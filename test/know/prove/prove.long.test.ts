import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ownCode } from "../../../src/know/prove/own-code.ts";
import { triedOwn } from "../../../src/know/prove/own-configuration.ts";
import type { Proof } from "../../../src/know/prove/proof.ts";
import { SCENARIOS } from "../../../src/know/prove/scenarios.ts";
import { tried } from "../../../src/know/prove/try-scenarios.ts";
import { proveWithMine } from "../../../src/know/prove/with-mine.ts";
import type { Project } from "../../cli/support/project.ts";
import { CLI } from "../../cli/support/run-cli.ts";
import { endAfterTest, eventually } from "../../support/processes.ts";
import {
  change,
  configOf,
  NONSENSE,
  OBEYED,
  OWN_RULE,
  person,
  proved,
  provenIn,
  writeMod,
} from "./support.ts";

const rewrites = (line: string) => `command equals "touch canary-own" -> set(args.command, "${line}")`;

describe("prove", () => {
  it("says that an agent ignores what was decided", async () => {
    const { code, agents } = await proved(await person({ behaviour: "ignores" }));
    const [deny, ...others] = agents[0]?.scenarios ?? [];
    expect([code, deny?.result, deny?.why]).toEqual([
      1,
      "ignored",
      expect.stringContaining("Tenterhook decided, and Claude Code did not do it"),
    ]);
    expect(others.find(({ name }) => name === "context")?.result).toBe("obeyed");
  });

  it("tells what it does beside the plug-ins of its user from what it does alone, and names the guilty one", async () => {
    const project = await person();
    writeMod(project, "evil", '{ decision: "allow" }');
    writeMod(project, "nice", "{}");
    const proven = await provenIn(project);
    const mine = ownCode(proven.integration, proven.real);
    const alone: Proof[] = [
      { name: "deny", result: "obeyed" },
      { name: "context", result: "obeyed" },
      { name: "below", result: "obeyed" },
      { name: "missing", result: "obeyed" },
      { name: "rewrite", result: "ignored" },
    ];
    const runs: string[] = [];
    const onRun = (what: string) => void runs.push(what);
    expect(await proveWithMine({ ...proven, mine, onRun }, alone)).toEqual([
      {
        name: "deny",
        result: "ignored",
        ran: true,
        why: "Claude Code obeys alone; with your plug-ins it runs what was refused: evil",
        way_out: `Read ${join(project.folder, "home/.claude/skills/evil/hooks/hooks.json")}; remove what you do not trust.`,
      },
      { name: "context", result: "obeyed" },
    ]);
    expect(runs).toEqual(["deny, context with evil, nice", "deny with evil", "deny with nice"]);
  });

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
      "Claude Code ignores a file with an invalid setting, and line 1 has one: hooks.PreToolUse must be a list",
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

  it("shows a table, and names a version nobody has tried", async () => {
    const project = await person({ scope: "project" });
    const { stdout, code } = await project.run(["prove"]);
    const [table = ""] = stdout.replace(/in \d+ s/, "in 9 s").split("\nGuarded: ");
    expect([code, table]).toEqual([
      0,
      `  Claude Code 9.8.7     ✓ obeyed      ${[...OBEYED, "missing", "hanging", "own"].join(", ")}
                        ~ weaker      below: Claude Code reads the project's settings in the project's own folder only; install it with --user
                        ~ weaker      garbage: ${NONSENSE}
                                      Tenterhook was tried with Claude Code 2.1.327, not with this version.

  1 of 1 agent obeys. 12 scenarios in 9 s; nothing outside a temporary folder was touched.
`,
    ]);
  });
});
