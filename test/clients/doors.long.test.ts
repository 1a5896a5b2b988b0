import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildDoors } from "../../scripts/doors.mjs";
import type { Project } from "../cli/support/project.ts";
import { rulesHook } from "../support/hook-definitions.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { CLAUDE } from "./support/claude.ts";
import { type Client, type ClientResult, clientProject, type Step } from "./support/client.ts";
import { CODEX, runCodex } from "./support/codex.ts";
import { GEMINI } from "./support/gemini.ts";
import { type ClientName, clientProgram } from "./support/install-clients.ts";

const REASON = "Use --force-with-lease.";
const RULE = rulesHook("no-force-push", `command runs "git push --force" -> deny("${REASON}")`);
const LINE = "git push --force; touch made";

const folder = temporaryFolder(afterAll);
beforeAll(() => buildDoors(folder));

interface Door {
  readonly name: ClientName;
  readonly client: Pick<Client, "shell">;
  run(project: Project, script: readonly Step[]): Promise<ClientResult>;
  /** The vendor's own commands. */
  readonly install: readonly (readonly string[])[];
  readonly remove: readonly (readonly string[])[];
  /** What the vendor's program keeps of what was removed. */
  readonly keeps: RegExp;
}

/** The driver writes the settings anew at each run: what the vendor's commands wrote is put back. */
async function runCodexOnce(project: Project, script: readonly Step[]): Promise<ClientResult> {
  const file = join(project.environment.HOME ?? "", ".codex/config.toml");
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  // Its user trusts the hooks of a plug-in in a dialog, which has no command.
  const args = ["-c", "features.plugins=true", "--dangerously-bypass-hook-trust"];
  const result = await runCodex({ project, script, args });
  if (before === undefined) rmSync(file);
  else writeFileSync(file, before);
  return result;
}

const DOORS: readonly Door[] = [
  {
    name: "claude",
    client: CLAUDE,
    run: (project, script) => CLAUDE.run({ project, script }),
    install: [
      ["plugin", "marketplace", "add", join(folder, "claude")],
      ["plugin", "install", "tenterhook-guard@tenterhook-plugins"],
    ],
    remove: [
      ["plugin", "uninstall", "tenterhook-guard@tenterhook-plugins"],
      ["plugin", "marketplace", "remove", "tenterhook-plugins"],
    ],
    // Its records of what was run, and a copy that is marked as nobody's, which it deletes itself after some days.
    keeps: /^\.claude\/(?:telemetry|projects|plugins\/cache\/tenterhook-plugins)\//,
  },
  {
    name: "codex",
    client: CODEX,
    run: runCodexOnce,
    install: [
      ["plugin", "marketplace", "add", join(folder, "codex")],
      ["plugin", "add", "tenterhook-guard@tenterhook-plugins"],
    ],
    remove: [
      ["plugin", "remove", "tenterhook-guard@tenterhook-plugins"],
      ["plugin", "marketplace", "remove", "tenterhook-plugins"],
    ],
    // Its records of what was run.
    keeps: /^\.codex\/(?:sessions\/|log\/|[^/]*\.sqlite)/,
  },
  {
    name: "gemini",
    client: GEMINI,
    run: (project, script) => GEMINI.run({ project, script }),
    install: [["extensions", "install", join(folder, "gemini"), "--consent"]],
    remove: [["extensions", "uninstall", "tenterhook-guard"]],
    // The digest by which it would know the extension again.
    keeps: /^\.gemini\/extension_integrity\.json$/,
  },
];

/** Runs a command of the vendor's program, which reaches nothing but this machine. */
function vendor(name: ClientName, { cwd, environment }: Project, args: readonly string[]): string {
  const program = clientProgram(name);
  const [file, first] = program.endsWith(".js") ? [process.execPath, [program]] : [program, []];
  const nowhere = { HTTPS_PROXY: "http://127.0.0.1:9", HTTP_PROXY: "http://127.0.0.1:9" };
  const { status, stdout, stderr } = spawnSync(file, [...first, ...args], {
    cwd,
    env: { ...environment, ...nowhere, NO_PROXY: "127.0.0.1", GEMINI_CLI_NO_RELAUNCH: "true" },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 120_000,
  });
  expect(status, stdout + stderr).toBe(0);
  return stdout + stderr;
}

/** What of ours is in a home folder: files that have our name, or name us. Logs of what was run are not. */
function traces({ environment: { HOME = "" } }: Project): readonly string[] {
  const names = readdirSync(HOME, { recursive: true, encoding: "utf8" });
  return names.filter((name) => {
    const path = join(HOME, name);
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    return name.includes("tenterhook-guard") || readFileSync(path, "utf8").includes("tenterhook-guard");
  });
}

/** The settings that decide which hooks run. */
function settings({ environment: { HOME = "" } }: Project): readonly unknown[] {
  const files = [".claude/settings.json", ".gemini/settings.json"].map((name) => join(HOME, name));
  return files.map((file) => {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "{}";
    const { enabledPlugins = {}, extraKnownMarketplaces = {}, ...rest } = JSON.parse(text);
    return { ...rest, enabledPlugins, extraKnownMarketplaces };
  });
}

describe.each(DOORS)("the door of $name", ({ name, client, run, install, remove, keeps }) => {
  it("is installed by the vendor's command, denies a forced push, and leaves nothing", async () => {
    const project = clientProject();
    await project.configure([RULE]);
    const made = join(project.cwd, "made");
    const script = [client.shell(LINE)];

    await run(project, script);
    expect(existsSync(made)).toBe(true);
    rmSync(made);
    const before = settings(project);
    expect(traces(project)).toEqual([]);

    for (const args of install) vendor(name, project, args);
    expect(traces(project)).not.toEqual([]);
    const { lastSent } = await run(project, script);
    expect(lastSent).toContain(REASON);
    expect(existsSync(made)).toBe(false);

    for (const args of remove) vendor(name, project, args);
    expect(settings(project)).toEqual(before);
    expect(traces(project).filter((file) => !keeps.test(file))).toEqual([]);
    await run(project, script);
    expect(existsSync(made)).toBe(true);
  });
});

describe("Claude Code's own check", () => {
  it.each(["claude", "claude/tenterhook-guard"])("finds nothing wrong in %s", (place) => {
    const said = vendor("claude", clientProject(), ["plugin", "validate", "--strict", join(folder, place)]);
    expect(said).toContain("Validation passed");
  });
});

describe("Gemini CLI's own check", () => {
  it("finds nothing wrong", () => {
    const said = vendor("gemini", clientProject(), ["extensions", "validate", join(folder, "gemini")]);
    expect(said).toContain("successfully");
  });
});
