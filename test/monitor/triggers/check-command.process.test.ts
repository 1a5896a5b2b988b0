import { describe, expect, it } from "vitest";
import { eventually } from "../../support/processes.ts";
import { openDecision, watched } from "../support/watched-agents.ts";

describe("a check by a command", () => {
  it("that fails asks a human; a second run that passes ends it", async () => {
    const monitor = watched({ on_dead: { action: "check", run: "echo 2 tests fail >&2; test -e passes" } });
    monitor.report("agent:gone");
    await monitor.start();
    const decision = await openDecision(monitor);
    expect(decision).toMatchObject({
      source: "check",
      context: "$ echo 2 tests fail >&2; test -e passes\n\nexit code 1\n\n2 tests fail",
    });
    monitor.write("passes", "");
    await monitor.client.resolve(decision.id, { choices: ["retry"] });
    await eventually(async () => {
      expect(await monitor.status("worker")).toMatchObject({ state: "gone", outcome: "done" });
    });
    expect(await monitor.client.decisions("open")).toEqual([]);
  });

  it("has the time of its own trigger when another has the same command", async () => {
    const run = "test -e passes && sleep 1";
    const monitor = watched({
      on_idle: { action: "check", run, timeout: "1ms" },
      on_stop: { action: "check", run, timeout: "10m" },
    });
    monitor.report("agent:action", {
      trigger: "on_stop",
      in_hook: true,
      action: "escalate",
      run,
      timeout: 600,
    });
    await monitor.start();
    const { id } = await openDecision(monitor);
    monitor.write("passes", "");
    await monitor.client.resolve(id, { choices: ["retry"] });
    await eventually(async () => {
      expect(await monitor.status("worker")).toMatchObject({ outcome: "done" });
    });
  });

  it("that takes too long is ended", async () => {
    const monitor = watched({ on_dead: { action: "check", run: "sleep 600", timeout: "100ms" } });
    monitor.report("agent:gone");
    await monitor.start();
    expect(await openDecision(monitor)).toMatchObject({
      context: "The check took longer than 0.1 s.\n\n$ sleep 600",
    });
  });
});
