import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { mustBeBuilt } from "../repository/support/files.ts";
import { eventually } from "../support/processes.ts";
import { newProject, type Project } from "./support/project.ts";
import { CLI } from "./support/run-cli.ts";

beforeAll(mustBeBuilt);

/** What Claude Code 2.1.325 gave to the command of its status line. */
const TOLD = readFileSync(new URL("../fixtures/status-line/claude.json", import.meta.url), "utf8");
const { session_id } = JSON.parse(TOLD);

const settingsFile = ({ environment }: Pick<Project, "environment">): string =>
  join(environment.HOME ?? "", ".claude/settings.json");

/** A user who watches agents, has this status line, and agreed that the monitor reads what it is told. */
async function agreedProject(before: string) {
  const project = newProject();
  const programs = join(project.folder, "bin");
  mkdirSync(programs);
  symlinkSync(CLI, join(programs, "tenterhook"));
  project.environment.PATH = [programs, process.env.PATH].join(delimiter);
  project.write("../config/tenterhook/hooks.yaml", "monitor: { on_prompt: escalate }\n");
  project.write("../home/.claude/settings.json", before);
  const installed = await project.run(["install", "claude", "--user", "--status-line"]);
  expect(installed).toMatchObject({ code: 0, stderr: "" });
  return { project, programs };
}

/** Shows the status line as Claude Code does. */
function shown({ cwd, environment }: Project): string {
  const { statusLine } = JSON.parse(readFileSync(settingsFile({ environment }), "utf8"));
  const env = { ...environment, CLAUDE_CODE_SESSION_ID: session_id };
  const { stdout, stderr, status } = spawnSync("sh", ["-c", statusLine.command], {
    cwd,
    env,
    input: TOLD,
    encoding: "utf8",
  });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout;
}

describe("the status line of Claude Code, where its user agrees", () => {
  const own = `read -r _ < /dev/null; told=$(cat); echo "$told" | grep -c display_name # mine`;
  const before = `{\n\t"statusLine": { "type": "command", "padding": 1, "command": ${JSON.stringify(own)} }\n}\n`;

  it("looks as before, and the monitor shows what it is told", async () => {
    const { project } = await agreedProject(before);
    await projectDaemon(project, { lookMilliseconds: 50 });
    const { environment } = project;
    appendToSpool({ type: "agent:turn", agent_id: "claude-1", host: "claude", session_id }, environment);
    expect(shown(project)).toBe("1\n");
    const file = join(environment.XDG_STATE_HOME ?? "", `tenterhook/monitor/status-line/${session_id}.json`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await eventually(async () => {
      const { agents } = JSON.parse((await project.run(["status", "--json"])).stdout);
      expect(agents).toMatchObject([
        {
          agent_id: "claude-1",
          usage: {
            cost_usd: 0.00028000000000000003,
            context_tokens: 15,
            context_window: 1_000_000,
            context_left: 1,
          },
        },
      ]);
    });
  });

  it("is as it was, to the byte, when Tenterhook is removed", async () => {
    const { project } = await agreedProject(before);
    expect(readFileSync(settingsFile(project), "utf8")).not.toBe(before);
    expect(await project.run(["install", "claude", "--user"])).toMatchObject({ code: 0 });
    expect(shown(project)).toBe("1\n");
    expect(await project.run(["uninstall", "claude", "--user"])).toMatchObject({ code: 0 });
    expect(readFileSync(settingsFile(project), "utf8")).toBe(before);
  });

  it("still shows the user's own where the program is gone", async () => {
    const { project, programs } = await agreedProject(before);
    rmSync(join(programs, "tenterhook"));
    const { statusLine } = JSON.parse(readFileSync(settingsFile(project), "utf8"));
    const { cwd, environment } = project;
    const { stdout } = spawnSync("sh", ["-c", statusLine.command], {
      cwd,
      env: environment,
      input: TOLD,
      encoding: "utf8",
    });
    expect(stdout).toBe("1\n");
  });

  it("shows nothing where there was none", async () => {
    const { project } = await agreedProject("{}");
    expect(shown(project)).toBe("");
  });

  it("is nobody else's: neither the project's, nor another agent's", async () => {
    const project = newProject();
    const inProject = await project.run(["install", "claude", "--status-line"]);
    expect(inProject).toMatchObject({ code: 2, stderr: expect.stringContaining("Add --user") });
    const codex = await project.run(["install", "codex", "--user", "--status-line"]);
    expect(codex).toMatchObject({ code: 2, stderr: expect.stringContaining("has no status line") });
  });
});
