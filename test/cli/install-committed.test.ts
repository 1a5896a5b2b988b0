import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { sampled } from "../support/long.ts";
import { newProject, type Project, UNWATCHED } from "./support/project.ts";
import { runCli, userEnvironment } from "./support/run-cli.ts";

const rules = 'tool equals "Nothing" -> deny("Never.")';
const GATE = { name: "gate", type: "inline", matcher: { events: ["PreToolUse"] }, rules };
const OF_SHELL = { ...GATE, name: "shell", matcher: { events: ["PreToolUse"], tools: ["Bash"] } };
const PROMPTS = { ...GATE, name: "prompts", matcher: { events: ["UserPromptSubmit"] } };
const SLOW = {
  name: "slow",
  type: "command",
  command: "true",
  matcher: { events: ["PreToolUse"] },
  timeout: 3000,
};

/** Another user of the same project, with hooks and settings of their own. */
function teammate(project: Project, name: string, content: object) {
  const folder = join(project.folder, name);
  const environment = userEnvironment(folder);
  const own = join(folder, "config/tenterhook");
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "hooks.yaml"), stringify(content));
  const run = (...args: string[]) => runCli(project.cwd, environment, ...args);
  const home = (path: string) => join(environment.HOME ?? "", path);
  return { run, home };
}

/** What a user with this configuration writes into the project's settings. */
const USERS = {
  nothing: {},
  "other events": { hooks: { definitions: [PROMPTS] } },
  "longer hooks": { hooks: { definitions: [SLOW] } },
  "a timeout for all hooks": { hooks: { timeout: 2000 } },
  "every tool": { hooks: { definitions: [GATE] } },
  "a monitor": { monitor: { on_prompt: "escalate" } },
  permissions: { permissions: { deny: ["Read(secret)"] } },
};

const FILES = {
  claude: { committed: ".claude/settings.json", own: ".claude/settings.local.json", isUsers: false },
  gemini: { committed: ".gemini/settings.json", own: ".gemini/settings.json", isUsers: true },
  codex: { committed: ".codex/hooks.json", own: ".codex/hooks.json", isUsers: true },
} as const;

it("the settings of a project are the same whoever installs them, and right for everybody", async () => {
  const project = newProject();
  await project.configure([OF_SHELL], {}, UNWATCHED);
  const [agents, files] = [Object.keys(FILES), Object.values(FILES).map(({ committed }) => committed)];
  const written = new Map<string, readonly string[]>();
  for (const [name, content] of Object.entries(USERS)) {
    const { run } = teammate(project, name, content);
    expect(await run("install", ...agents)).toMatchObject({ code: 0 });
    written.set(
      name,
      files.map((file) => readFileSync(join(project.cwd, file), "utf8")),
    );
    expect(await run("uninstall", "--all")).toMatchObject({ code: 0 });
  }
  const texts = written.get("nothing") ?? [];
  expect([...written.values()]).toEqual(Object.keys(USERS).map(() => texts));
  for (const [at, file] of files.entries()) project.write(file, texts[at] ?? "");
  for (const [name, content] of sampled(Object.entries(USERS), 2)) {
    const { run } = teammate(project, `${name} again`, content);
    await run("trust", "--yes");
    await run("install", "codex", "--trust");
    const { findings } = JSON.parse((await run("doctor", "--json")).stdout);
    const errors = findings.filter(
      ({ level, about }: { level: string; about: string }) => agents.includes(about) && level === "error",
    );
    expect({ name, errors }).toEqual({ name, errors: [] });
  }
});

describe.each(Object.entries(FILES))(
  "the settings of a project for %s",
  (agent, { committed, own, isUsers }) => {
    it("leave what only the user's configuration needs to the user's own file, and --sync and doctor know it", async () => {
      const project = newProject();
      await project.configure([OF_SHELL], {}, UNWATCHED);
      const { run, home } = teammate(project, "prompts", { hooks: { definitions: [PROMPTS] } });
      const event = agent === "gemini" ? "BeforeAgent" : "UserPromptSubmit";
      const ownFile = isUsers ? home(own) : join(project.cwd, own);
      if (agent === "gemini") {
        mkdirSync(home(".gemini"), { recursive: true });
        writeFileSync(home(".gemini/trustedFolders.json"), JSON.stringify({ [project.cwd]: "TRUST_FOLDER" }));
      }
      await run("trust", "--yes");
      await run("install", agent, "--trust");
      expect(readFileSync(join(project.cwd, committed), "utf8")).not.toContain(event);
      expect(readFileSync(ownFile, "utf8")).toContain(event);
      const { findings } = JSON.parse((await run("doctor", "--json")).stdout);
      expect(
        findings.filter(
          ({ level, about }: { level: string; about: string }) =>
            about === agent && level !== "ok" && level !== "note",
        ),
      ).toEqual([]);
      const before = readFileSync(ownFile, "utf8");
      await run("install", "--sync");
      expect(readFileSync(ownFile, "utf8")).toBe(before);
    });
  },
);

it("a teammate whose own hooks nothing calls yet is warned, and --sync leaves the committed file alone", async () => {
  const project = newProject();
  await project.configure([OF_SHELL], {}, UNWATCHED);
  await project.run(["install", "claude"]);
  const file = join(project.cwd, ".claude/settings.json");
  const before = readFileSync(file, "utf8");
  const { run } = teammate(project, "prompts", { hooks: { definitions: [PROMPTS] } });
  await run("trust", "--yes");
  const doctor = await run("doctor");
  expect(doctor.stdout.replaceAll(/\s+/g, " ")).toContain(
    "Claude Code does not call Tenterhook for all that your own hooks need (UserPromptSubmit). Fix: tenterhook install --sync",
  );
  await run("install", "--sync");
  expect(readFileSync(file, "utf8")).toBe(before);
  expect(readFileSync(join(project.cwd, ".claude/settings.local.json"), "utf8")).toContain(
    "UserPromptSubmit",
  );
  expect((await run("doctor")).stdout).not.toContain("Nothing calls");
});

it("where the project has no hooks, nothing is written into its settings", async () => {
  const project = newProject();
  const { run } = teammate(project, "prompts", { hooks: { definitions: [PROMPTS] } });
  const { stdout } = await run("install", "claude", "-v");
  expect(existsSync(join(project.cwd, ".claude/settings.json"))).toBe(false);
  expect(stdout).toContain(".claude/settings.local.json: it calls Tenterhook for");
});

it("what hooks.local.yaml needs is not written for the team", async () => {
  const project = newProject();
  project.write(".tenterhook/hooks.local.yaml", stringify({ hooks: { definitions: [PROMPTS] } }));
  await project.configure([OF_SHELL], {}, UNWATCHED);
  await project.run(["install", "claude"]);
  expect(readFileSync(join(project.cwd, ".claude/settings.json"), "utf8")).not.toContain("UserPromptSubmit");
});
