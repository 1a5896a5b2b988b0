import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { appendToSpool } from "../../src/monitor/report/spool.ts";
import { eventually } from "../support/processes.ts";
import { agents, json, openDecisions, stop, stopping } from "./support/on-stop.ts";
import { newProject } from "./support/project.ts";

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
    expect(await project.run(["answer", "", "skip"])).toMatchObject({ code: 2 });
    const [{ id }] = await openDecisions(project);
    await json(project, "answer", id, "skip");
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
    } as const;
    const about = { agent_id: "forger", session_id: "s9", cwd: project.cwd };
    appendToSpool({ ...about, ...report, run: `touch ${made}` }, project.environment);
    const [{ id }] = await openDecisions(project);
    await json(project, "answer", id, "retry");
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
