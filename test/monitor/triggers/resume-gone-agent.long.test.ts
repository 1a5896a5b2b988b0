import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { kill } from "../../support/faults/kill.ts";
import { eventually } from "../../support/processes.ts";
import { openDecision, watched } from "../support/watched-agents.ts";

it("an agent that fails and then exits is resumed, whatever is seen first", async () => {
  const monitor = watched({ on_error: { action: "nudge", message: "Try again." } });
  const failing = spawn("sleep", ["600"]);
  onTestFinished(() => void failing.kill());
  monitor.report("agent:error", { error_type: "429", agent_pid: failing.pid });
  // It has any time to exit.
  vi.spyOn(Date, "now").mockReturnValue(Date.now());
  await monitor.start();
  await eventually(async () => expect((await monitor.status("worker"))?.pending).toBeDefined());
  kill(failing);
  await eventually(() => expect(monitor.notes()).toContain("worker\nTry again.\n"));
});

describe("an agent that is resumed", () => {
  it("runs under watch again when it did before: its end is reported, and its attempts count on", async () => {
    const monitor = watched({ on_dead: { action: "resume", message: "Go on." } });
    monitor.report("agent:launched", { agent_args: ["--model", "opus"] });
    monitor.report("agent:turn");
    monitor.report("agent:gone");
    await monitor.startWithProcesses();
    await eventually(
      () => expect(monitor.notes()).toMatch(/^claude .*-p --resume s1 --model opus\nworker\n/),
      60_000,
    );
    await eventually(async () =>
      expect(await monitor.status("worker")).toMatchObject({
        state: "exited",
        exit_code: 0,
        watched: true,
        args: ["--model", "opus"],
        attempts: { on_dead: { count: 1 } },
      }),
    );
  });

  it("says why when it ends at once", async () => {
    const fails = '#!/bin/sh\necho "No conversation found with session ID: s1" >&2\nexit 1\n';
    const monitor = watched({ on_dead: "resume" }, ["claude"], fails);
    monitor.report("agent:gone");
    await monitor.start();
    const { source, context } = await openDecision(monitor);
    expect(source).toBe("dead");
    expect(context).toContain("claude ended at once with code 1. No conversation found with session ID: s1");
  });

  it("has the options of the original", async () => {
    const monitor = watched({ on_dead: { action: "resume", message: "Go on." } });
    const agent_args = ["--model", "opus", "--verbose", "Paint it."];
    monitor.report("agent:start", { agent_args });
    monitor.report("agent:gone");
    await monitor.start();
    await eventually(() => expect(monitor.notes()).toContain("claude -p --resume s1 --model opus\n"));
  });

  it("has nothing to continue when it was killed in its first turn; a human may have its task started again", async () => {
    const monitor = watched({ on_dead: "resume" });
    const transcript_path = monitor.write("session.jsonl", '{"type":"user","message":{}}\n');
    monitor.report("agent:turn", { prompt: "Paint it.", transcript_path });
    monitor.report("agent:gone");
    await monitor.start();
    const { id, context } = await openDecision(monitor);
    expect(context).toContain("worker was ended before the model had said anything");
    expect(context).toContain("resume starts its task again: Paint it.");
    expect(monitor.notes()).toBe("");
    await monitor.client.resolve(id, { choices: ["resume"] });
    await eventually(() => expect(monitor.notes()).toBe("claude -p\nworker\nPaint it.\n"));
  });
});

describe("an agent whose process is gone", () => {
  it("is a human's matter when it can't be resumed, and the reason is shown", async () => {
    const monitor = watched({ on_dead: "resume" }, []);
    monitor.report("agent:gone", { host: "auggie" });
    await monitor.start();
    expect(await openDecision(monitor)).toMatchObject({
      source: "dead",
      context: "Auggie can't continue a session without a terminal.",
    });
  });
});
