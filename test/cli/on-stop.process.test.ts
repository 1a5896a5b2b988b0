import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import { projectDaemon } from "../monitor/support/test-daemon.ts";
import { eventually } from "../support/processes.ts";
import { newProject, type Project } from "./support/project.ts";

/** A project whose user has `on_stop` like this, with a daemon. */
async function stopping(on_stop: unknown): Promise<Project> {
  const project = newProject({ decidesHere: true });
  project.write("../config/tenterhook/hooks.yaml", stringify({ monitor: { on_stop } }));
  await projectDaemon(project);
  return project;
}

/** What the agent reads when it wants to end its turn. */
async function stop(project: Project, stop_hook_active = false): Promise<Readonly<Record<string, unknown>>> {
  const { stdout, stderr, code } = await project.hook({ hook_event_name: "Stop", stop_hook_active });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout === "" ? {} : JSON.parse(stdout);
}

async function json(project: Project, ...args: readonly string[]) {
  const { stdout, stderr } = await project.run([...args, "--json"]);
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

const openDecisions = async (project: Project) => (await json(project, "decisions")).decisions;
const agents = async (project: Project) => (await json(project, "status")).agents;

describe("on_stop: check", () => {
  it("lets the agent stop when the command succeeds: its work is done", async () => {
    const project = await stopping({ action: "check", run: 'test "$TENTERHOOK_SESSION_ID" = s1' });
    expect(await stop(project)).toEqual({});
    expect(await agents(project)).toMatchObject([{ state: "idle", outcome: "done" }]);
    expect(await openDecisions(project)).toEqual([]);
  });

  it("asks a human when it fails, with the command, its exit code and what it said", async () => {
    const project = await stopping({ action: "check", run: "echo 2 tests fail >&2; exit 3" });
    expect(await stop(project)).toEqual({});
    expect(await openDecisions(project)).toMatchObject([
      {
        source: "check",
        context: "$ echo 2 tests fail >&2; exit 3\n\nexit code 3\n\n2 tests fail",
        options: [{ label: "retry" }, { label: "skip" }, { label: "cancel" }],
      },
    ]);
    expect(await project.run(["decisions", "resolve", "", "skip"])).toMatchObject({ code: 2 });
    const [{ id }] = await openDecisions(project);
    await json(project, "decisions", "resolve", id, "skip");
    expect(await agents(project)).toMatchObject([{ outcome: "done" }]);
  });

  it("runs no command again that the configuration does not have, whatever a report names", async () => {
    const project = await stopping({ action: "check", run: "exit 3" });
    const made = join(project.folder, "made");
    const report = {
      type: "agent:action",
      in_hook: true,
      trigger: "on_stop",
      action: "escalate",
      timeout: 5,
    };
    const about = { agent_id: "forger", session_id: "s9", cwd: project.cwd };
    appendToSpool({ ...about, ...report, run: `touch ${made}` }, project.environment);
    const [{ id }] = await openDecisions(project);
    await json(project, "decisions", "resolve", id, "retry");
    await eventually(async () => {
      expect(await openDecisions(project)).toMatchObject([
        {
          source: "check",
          context: expect.stringContaining("has no such check, so its command was not run"),
        },
      ]);
    });
    expect(existsSync(made)).toBe(false);
  });

  it("does not run the command of a project that nobody trusts", async () => {
    const project = newProject({ decidesHere: true });
    const made = join(project.folder, "made");
    project.write(
      ".tenterhook/hooks.yaml",
      stringify({ monitor: { on_stop: { action: "check", run: `touch ${made}` } } }),
    );
    await project.hook({ hook_event_name: "Stop", stop_hook_active: false });
    expect(existsSync(made)).toBe(false);
  });
});
