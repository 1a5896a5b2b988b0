import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { ACTION_ENDED } from "../../../src/monitor/report/actions.ts";
import { allSpooled } from "../../../src/monitor/report/spool.ts";
import { CLI } from "../../cli/support/run-cli.ts";
import { endAfterTest, eventually } from "../../support/processes.ts";
import { openDecision, watched } from "../support/watched-agents.ts";

describe("an agent that is still running", () => {
  it("is a human's matter when on_error is nudge or resume", async () => {
    const escalated = async (action: string): Promise<void> => {
      const monitor = watched({ on_error: { action, message: "Try again." } });
      monitor.report("agent:error", { error_type: "429", agent_pid: process.pid });
      await monitor.start();
      expect(await openDecision(monitor)).toMatchObject({
        source: "error",
        context:
          "worker is running, and no hook of it is waiting for a message, so the message was not sent.",
      });
      expect(monitor.notes()).toBe("");
      // It would be out of place in what its user asks next.
      const { stdout } = await monitor.hook({ hook_event_name: "UserPromptSubmit", prompt: "And?" });
      expect(stdout).not.toContain("Try again.");
    };
    await Promise.all([escalated("nudge"), escalated("resume")]);
  });
});

describe("an agent that waits for its user", () => {
  it("is woken by a nudge, which is no progress of its own", async () => {
    const monitor = watched({ on_idle: { action: "nudge", message: "Go on, please.", grace: 0 } });
    const waiter = spawn(CLI, ["agent", "wake"], {
      env: {
        ...monitor.environment,
        CLAUDE_CODE_SESSION_ID: "s1",
        CLAUDE_CODE_SESSION_ATTENDED: "1",
        CLAUDE_PID: String(process.pid),
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    endAfterTest(waiter);
    const ended = Promise.all([once(waiter, "close"), text(waiter.stderr)]);
    const mark = join(monitor.folder, "state/tenterhook/monitor/wake/s1.waiter");
    await eventually(() => expect(existsSync(mark)).toBe(true));
    monitor.report("agent:turn", { prompt: "Write it.", agent_pid: process.pid });
    monitor.report("agent:stopped");
    await monitor.start();
    const [[code], stderr] = await ended;
    expect([code, stderr]).toEqual([2, "Go on, please."]);
    await eventually(async () => expect((await monitor.status("worker"))?.pending).toBeUndefined());
    expect(allSpooled(monitor.environment).filter(({ type }) => type === ACTION_ENDED)).toMatchObject([
      { ok: true, route: "woken" },
    ]);
    expect(await monitor.client.decisions("all")).toEqual([]);
    monitor.environment.TENTERHOOK_AGENT_ID = "worker";
    await monitor.hook({
      hook_event_name: "UserPromptSubmit",
      session_id: "s1",
      prompt: "<task-notification>\n<summary>Message from the monitor</summary>\n</task-notification>",
    });
    expect(await monitor.status("worker")).toMatchObject({
      state: "working",
      task: "Write it.",
      attempts: { on_idle: { count: 1 } },
    });
  });
});
