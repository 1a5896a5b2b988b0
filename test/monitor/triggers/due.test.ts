import { describe, expect, it } from "vitest";
import { type Due, dueAction } from "../../../src/monitor/report/due.ts";
import { reduce } from "../../../src/monitor/state/reduce.ts";
import type { MonitorEvent } from "../../../src/shared/monitor/events.ts";
import type { AgentStatus } from "../../../src/shared/monitor/monitor.ts";
import type { MonitorSettings } from "../../../src/shared/monitor/settings.ts";
import { monitorEvent } from "../support/events.ts";

/** An agent after events, and what the monitor does for it some time after the last one. */
function agent(...events: readonly MonitorEvent[]) {
  let status = events.reduce<AgentStatus | undefined>(reduce, undefined);
  let now = Date.parse(events.at(-1)?.time ?? "");
  const wait = (seconds: number): void => {
    now += seconds * 1000;
  };
  const event = (type: string, fields: object = {}): MonitorEvent => ({
    ...monitorEvent(type, { ...fields }),
    time: new Date(now).toISOString(),
  });
  return {
    wait,
    status: () => status,
    report: (type: string, fields: object = {}) => {
      status = reduce(status, event(type, fields));
    },
    due: (settings: MonitorSettings, transcript_changed?: number): Due | undefined => {
      if (status === undefined) return undefined;
      return dueAction(status, settings, {
        now,
        ...(transcript_changed === undefined ? {} : { transcript_changed }),
      });
    },
    /** Does what is due, as the daemon does, in so many seconds, and says what it was. */
    act(settings: MonitorSettings, seconds = 0): string | undefined {
      const due = this.due(settings);
      if (due === undefined) return undefined;
      const begun = event("agent:action", due);
      status = reduce(status, begun);
      wait(seconds);
      if (status.pending !== undefined) this.report("agent:action_ended", { action_id: begun.id, ok: true });
      return `${due.action}${due.attempt === undefined ? "" : ` ${due.attempt}`}`;
    },
  };
}

const stopped = () => agent(monitorEvent("agent:turn"), monitorEvent("agent:stopped"));
const failed = (error_type = "429") => agent(monitorEvent("agent:error", { error_type }));
const gone = () => agent(monitorEvent("agent:turn"), monitorEvent("agent:gone"));

describe("an agent is idle", () => {
  it("when it has done nothing for a minute, and not before", () => {
    const worker = stopped();
    worker.wait(59);
    expect(worker.due({ on_idle: "escalate" })).toBeUndefined();
    worker.wait(1);
    expect(worker.due({ on_idle: "escalate" })).toMatchObject({ trigger: "on_idle", action: "escalate" });
  });

  it("after the time that the configuration gives it", () => {
    const worker = stopped();
    worker.wait(10);
    expect(worker.due({ on_idle: { action: "done", grace: "10s" } })).toMatchObject({ action: "done" });
    expect(worker.due({ on_idle: { action: "done", grace: "11s" } })).toBeUndefined();
  });

  it("not when its user has interrupted it", () => {
    const worker = agent(monitorEvent("agent:turn"), monitorEvent("agent:interrupted"));
    worker.wait(1000);
    expect(worker.due({ on_idle: "escalate" })).toBeUndefined();
  });

  it("not while what its turn has started runs on", () => {
    const worker = agent(
      monitorEvent("agent:turn"),
      monitorEvent("agent:delegated", { waits_for: "subagent" }),
    );
    worker.wait(1000);
    expect(worker.due({ on_idle: "escalate" })).toBeUndefined();
  });

  it("not while its transcript grows", () => {
    const worker = stopped();
    worker.wait(90);
    const changed = Date.parse(worker.status()?.since ?? "") + 60_000;
    expect(worker.due({ on_idle: "escalate" }, changed)).toBeUndefined();
    worker.wait(30);
    expect(worker.due({ on_idle: "escalate" }, changed)).toBeDefined();
  });

  it("not while a human is asked about it", () => {
    const worker = stopped();
    const status = worker.status();
    const now = Date.parse(status?.since ?? "") + 100_000;
    expect(status && dueAction(status, { on_idle: "done" }, { now, asked: true })).toBeUndefined();
    expect(status && dueAction(status, { on_idle: "done" }, { now, asked: false })).toBeDefined();
  });

  it("not when it has said that it is done", () => {
    const worker = stopped();
    worker.report("agent:signal", { signal: "complete" });
    worker.wait(100);
    expect(worker.due({ on_idle: "escalate" })).toBeUndefined();
  });
});

describe("a trigger acts", () => {
  it("not unless the configuration says what it does", () => {
    const worker = gone();
    worker.wait(1000);
    expect(worker.due({ on_error: "fail" })).toBeUndefined();
    expect(worker.due({})).toBeUndefined();
  });

  it("once for each time that the agent gets into the state", () => {
    const worker = gone();
    expect(worker.act({ on_dead: "escalate" })).toBe("escalate");
    worker.wait(1000);
    expect(worker.act({ on_dead: "escalate" })).toBeUndefined();
    worker.report("agent:start");
    worker.report("agent:gone");
    expect(worker.act({ on_dead: "escalate" })).toBe("escalate");
  });

  it("on an exit with an error as on a process that is gone, not on an exit without one", () => {
    const exit = (exit_code?: number) => agent(monitorEvent("agent:exit", { exit_code }));
    expect(exit(1).act({ on_dead: "escalate" })).toBe("escalate");
    expect(exit(0).act({ on_dead: "escalate" })).toBeUndefined();
    expect(exit().act({ on_dead: "escalate" })).toBeUndefined();
  });

  it.each([
    [monitorEvent("agent:exit", { exit_code: 3 }), "It exited with code 3."],
    [
      monitorEvent("agent:exit", { exit_code: 3, cwd: "/home/ann/shop" }),
      "It exited with code 3.\nFolder: /home/ann/shop",
    ],
    [monitorEvent("agent:gone"), "Its process is gone, and it did not say that it ends."],
  ])("says how the agent ended: %j", (end, why) => {
    const ended = agent(monitorEvent("agent:turn"), end);
    expect(ended.due({ on_dead: "escalate" })).toMatchObject({ action: "escalate", why });
    expect(ended.due({ on_dead: { action: "resume", attempts: 0 } })).toMatchObject({ why });
  });

  it("on an error also when the agent has exited since, and once for both", () => {
    const exits = () => agent(monitorEvent("agent:error", { error_type: "429" }), monitorEvent("agent:exit"));
    expect(exits().status()).toMatchObject({ state: "exited", error_type: "rate_limited" });
    expect(exits().act({ on_error: "resume" })).toBe("resume 1");
    const first = failed();
    first.act({ on_error: "escalate" });
    first.report("agent:exit", { exit_code: 1 });
    expect(first.act({ on_error: "escalate" })).toBeUndefined();
    expect(exits().act({ on_dead: "escalate" })).toBeUndefined();
    const crashed = agent(monitorEvent("agent:error"), monitorEvent("agent:exit", { exit_code: 1 }));
    expect(crashed.act({ on_dead: "escalate" })).toBe("escalate");
  });

  it("on the errors that it lists, and asks a human about others", () => {
    const settings = { on_error: { action: "resume", error_types: ["rate_limited"] } } as const;
    expect(failed("429").act(settings)).toBe("resume 1");
    expect(failed("401").act(settings)).toBe("escalate");
  });

  it("and sets the outcome", () => {
    const done = stopped();
    done.wait(60);
    done.act({ on_idle: "done" });
    expect(done.status()).toMatchObject({ state: "idle", outcome: "done" });
    const failing = failed();
    failing.act({ on_error: "fail" });
    expect(failing.status()).toMatchObject({ state: "failed", outcome: "failed" });
    failing.report("agent:turn");
    expect(failing.status()?.outcome).toBeUndefined();
  });

  it("on a prompt only when the agent fails by it", () => {
    const asks = () => agent(monitorEvent("agent:prompt", { prompt_type: "question" }));
    expect(asks().act({ on_prompt: "escalate" })).toBeUndefined();
    expect(asks().act({ on_prompt: "answer" })).toBeUndefined();
    expect(asks().act({ on_prompt: "fail" })).toBe("fail");
  });

  it("with the message of the configuration, added to the task if it says so", () => {
    const worker = agent(monitorEvent("agent:turn", { prompt: "Paint it." }), monitorEvent("agent:gone"));
    const message = (more: object) =>
      worker.due({ on_dead: { action: "resume", message: "Go on.", ...more } })?.message;
    expect(message({})).toBe("Go on.");
    expect(message({ append: true })).toBe("Paint it.\n\nGo on.");
  });
});

describe("attempts", () => {
  const SETTINGS = { on_dead: { action: "resume", attempts: 2, cooldown: "10s" } } as const;

  it("are one by default; then a human is asked", () => {
    const worker = gone();
    expect(worker.act({ on_dead: "resume" })).toBe("resume 1");
    worker.wait(59);
    expect(worker.act({ on_dead: "resume" })).toBeUndefined();
    worker.wait(1);
    expect(worker.due({ on_dead: "resume" })).toMatchObject({
      why: "Its process is gone, and it did not say that it ends.\nThe monitor tried resume once.",
    });
    expect(worker.act({ on_dead: "resume" })).toBe("escalate");
    worker.wait(1000);
    expect(worker.act({ on_dead: "resume" })).toBeUndefined();
  });

  it("wait for the cooldown between them, and end with a human", () => {
    const worker = gone();
    expect(worker.act(SETTINGS)).toBe("resume 1");
    worker.wait(9);
    expect(worker.act(SETTINGS)).toBeUndefined();
    worker.wait(1);
    expect(worker.act(SETTINGS)).toBe("resume 2");
    worker.wait(10);
    expect(worker.act(SETTINGS)).toBe("escalate");
  });

  it("wait for the cooldown from the end of the one before, however long that took", () => {
    const worker = gone();
    expect(worker.act(SETTINGS, 30)).toBe("resume 1");
    worker.wait(9);
    expect(worker.act(SETTINGS)).toBeUndefined();
    worker.wait(1);
    expect(worker.act(SETTINGS)).toBe("resume 2");
  });

  it("are counted on when the agent that the monitor woke fails again", () => {
    const worker = gone();
    expect(worker.act(SETTINGS)).toBe("resume 1");
    worker.report("agent:start", { woken_by: "e-1" });
    worker.report("agent:turn", { woken_by: "e-1" });
    worker.report("agent:gone");
    worker.wait(10);
    expect(worker.act(SETTINGS)).toBe("resume 2");
  });

  it.each([
    ["a human gives it something to do", "agent:turn", {}],
    ["it uses a tool", "agent:stopped", { worked: true }],
    ["a human answers it", "agent:answer", {}],
  ])("begin anew when %s", (_, type, fields) => {
    const worker = gone();
    worker.act(SETTINGS);
    worker.report("agent:start", { woken_by: "e-1" });
    worker.report(type, fields);
    worker.report("agent:gone");
    expect(worker.act(SETTINGS)).toBe("resume 1");
  });

  it("never end with forever, and never begin with 0", () => {
    const forever = gone();
    for (let attempt = 1; attempt < 20; attempt += 1) {
      expect(forever.act({ on_dead: { action: "resume", attempts: "forever" } })).toBe(`resume ${attempt}`);
      forever.wait(60);
    }
    expect(gone().act({ on_dead: { action: "resume", attempts: 0 } })).toBe("escalate");
  });

  it("are not made while one is under way", () => {
    const worker = gone();
    const begun = monitorEvent("agent:action", worker.due(SETTINGS));
    worker.report("agent:action", { ...begun });
    worker.wait(1000);
    expect(worker.act(SETTINGS)).toBeUndefined();
  });
});

describe("an agent that has ended is dead", () => {
  const ended = (fields: object) =>
    agent(monitorEvent("agent:error", { error_type: "429" }), monitorEvent("agent:exit", { ...fields }));
  it("when it failed", () => {
    expect(ended({ exit_code: 1 }).due({ on_dead: "escalate" })).toMatchObject({ trigger: "on_dead" });
  });

  it.each([
    ["with Ctrl-C", { exit_code: 130 }],
    ["with the terminal", { exit_code: 129 }],
    ["by a signal", { exit_code: 143, exit_signal: "SIGTERM" }],
    ["by a signal, whatever its exit code", { exit_code: 1, exit_signal: "SIGHUP" }],
    ["by itself", { exit_code: 0 }],
  ])("not when it was ended %s", (_, fields) => {
    expect(ended(fields).due({ on_dead: "resume" })).toBeUndefined();
  });

  it("and nothing is tried again after an error when its user has ended it", () => {
    expect(ended({ exit_code: 1 }).due({ on_error: "resume" })).toMatchObject({ trigger: "on_error" });
    expect(ended({ exit_code: 130 }).due({ on_error: "resume" })).toBeUndefined();
  });
});
