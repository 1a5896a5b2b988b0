import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { codeFolder, newProject, type Project } from "../../cli/support/project.ts";
import { CLI } from "../../cli/support/run-cli.ts";

const STAND_IN = fileURLToPath(new URL("./stand-in.js.txt", import.meta.url));
const OBEYED = ["deny", "ask", "rewrite", "context", "subagent", "stop", "prompt"];
const NONSENSE = "Claude Code runs the call when Tenterhook prints nonsense";
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

describe("prove", () => {
  it("says that a healthy agent obeys, gives it no secret, and leaves nothing behind", async () => {
    const project = await person();
    const TMPDIR = join(project.folder, "tmp");
    mkdirSync(TMPDIR);
    project.environment.TMPDIR = TMPDIR;
    project.environment.ANTHROPIC_AUTH_TOKEN = "a-secret";
    change(project, (settings) => ({ ...settings, env: { KEY: "a-secret" }, apiKeyHelper: "echo a-secret" }));
    project.write("../home/.claude/.credentials.json", "a-secret");
    expect(await proved(project)).toEqual({
      code: 0,
      hooks: [],
      agents: [
        {
          agent: "claude",
          program: join(project.folder, "bin/claude"),
          version: "9.8.7",
          scenarios: [
            ...[...OBEYED, "below", "missing"].map((name) => ({ name, result: "obeyed" })),
            { name: "garbage", result: "degraded", why: NONSENSE },
            { name: "hanging", result: "obeyed" },
            { name: "own", result: "obeyed", why: "touch canary-own: continue, asked of 2" },
          ],
        },
      ],
    });
    expect(readdirSync(TMPDIR)).toEqual([]);
    expect(readdirSync(project.cwd).filter((name) => name.includes("canary"))).toEqual([]);
    expect(project.journal()).toEqual([]);
  });

  it("shows a table, and names a version nobody has tried", async () => {
    const project = await person({ scope: "project" });
    const { stdout, code } = await project.run(["prove"]);
    expect([code, stdout.replace(/in \d+ s/, "in 9 s")]).toEqual([
      0,
      `  Claude Code 9.8.7   ✓ obeyed      ${[...OBEYED, "missing", "hanging", "own"].join(", ")}
                      ~ weaker      below: Claude Code reads the project's settings in the project's own folder only; install it with --scope user
                      ~ weaker      garbage: ${NONSENSE}
                                    Tenterhook was tried with Claude Code 2.1.325, not with this version.

  1 of 1 agent obeys. 12 scenarios in 9 s; nothing outside a temporary folder was touched.
`,
    ]);
  });

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

  it("names agents that are not here, and does not fail because of them", async () => {
    const project = newProject();
    project.environment.PATH = "/usr/bin:/bin";
    expect(await project.run(["prove", "codex"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Codex is not on this machine"),
    });
  });
});
