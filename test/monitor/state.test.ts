import { describe, expect, it } from "vitest";
import { reduce } from "../../src/monitor/state/reduce.ts";
import type { MonitorEvent } from "../../src/shared/monitor/events.ts";
import type { AgentStatus } from "../../src/shared/monitor/monitor.ts";
import { monitorEvent, question } from "./support/events.ts";

const statusAfter = (...events: readonly MonitorEvent[]): AgentStatus | undefined =>
  events.reduce<AgentStatus | undefined>(reduce, undefined);

describe("an agent's state follows from what was reported", () => {
  const start = monitorEvent("agent:start", { host: "claude", cwd: "/app", agent_pid: 42 });
  const turn = monitorEvent("agent:turn");
  const stopped = monitorEvent("agent:stopped");
  it.each<[string, readonly MonitorEvent[], AgentStatus["state"]]>([
    ["a new session is starting", [start], "starting"],
    ["a prompt of the user makes it work", [start, turn], "working"],
    ["the end of its turn makes it wait", [start, turn, stopped], "idle"],
    ["a question makes it prompt", [start, turn, question()], "prompting"],
    ["an answer makes it work again", [start, question(), monitorEvent("agent:answer")], "working"],
    ["a late answer changes nothing", [start, stopped, monitorEvent("agent:answer")], "idle"],
    [
      "a notification that it is idle does not hide a question",
      [question(), monitorEvent("agent:prompt", { prompt_type: "idle" })],
      "prompting",
    ],
    [
      "an agent that has nothing to do waits",
      [turn, monitorEvent("agent:prompt", { prompt_type: "idle" })],
      "idle",
    ],
    ["an error makes it fail", [turn, monitorEvent("agent:error", { error_type: "x" })], "failed"],
    ["it works again after an error", [monitorEvent("agent:error"), turn], "working"],
    [
      "its end is final",
      [turn, monitorEvent("agent:exit", { exit_code: 1 }), monitorEvent("agent:gone")],
      "exited",
    ],
    [
      "the end of its process is its end, though it was taken for gone",
      [turn, monitorEvent("agent:gone"), monitorEvent("agent:exit", { exit_code: 0 })],
      "exited",
    ],
    [
      "its own word that it ends counts, though it was taken for gone before",
      [turn, monitorEvent("agent:gone"), monitorEvent("agent:exit")],
      "exited",
    ],
    ["a compaction is no new beginning", [start, turn, monitorEvent("agent:compacted")], "working"],
    ["a transcript that grows shows that it works", [turn, stopped, monitorEvent("agent:grew")], "working"],
    ["a vanished process is gone", [turn, monitorEvent("agent:gone")], "gone"],
    ["an agent that was taken for gone comes back", [monitorEvent("agent:gone"), turn], "working"],
  ])("%s", (_, events, state) => {
    expect(statusAfter(...events)?.state).toBe(state);
  });

  it("keeps what is known about the agent, and forgets what belonged to the old state", () => {
    const status = statusAfter(start, question(), turn);
    expect(status).toEqual({
      agent_id: "worker",
      host: "claude",
      cwd: "/app",
      pid: 42,
      session_id: "s1",
      state: "working",
      since: turn.time,
      source: "hook",
      confirmed_at: turn.time,
    });
  });

  it("has the exit code that is known after it said that it ends", () => {
    const exits = [monitorEvent("agent:exit"), monitorEvent("agent:exit", { exit_code: 3 })];
    expect(statusAfter(turn, ...exits, monitorEvent("agent:exit"))).toMatchObject({
      state: "exited",
      exit_code: 3,
    });
  });

  it("forgets an earlier agent with its name when its program is launched", () => {
    const launched = monitorEvent("agent:launched", { session_id: undefined, host: "codex", agent_pid: 7 });
    expect(statusAfter(start, question(), launched)).toEqual({
      agent_id: "worker",
      host: "codex",
      pid: 7,
      state: "starting",
      since: launched.time,
      source: "hook",
      confirmed_at: launched.time,
      watched: true,
    });
  });

  it("counts a repeated state from its beginning", () => {
    const first = monitorEvent("agent:turn");
    expect(statusAfter(first, monitorEvent("agent:turn"))?.since).toBe(first.time);
  });

  it("ignores the end of a session that another one has replaced", () => {
    const status = statusAfter(
      start,
      monitorEvent("agent:start", { session_id: "s2" }),
      monitorEvent("agent:exit"),
    );
    expect(status).toMatchObject({ state: "starting", session_id: "s2" });
  });

  it("shows the question while a notification says only that a permission is needed", () => {
    const vague = monitorEvent("agent:prompt", { prompt_type: "permission", question: "Claude needs you" });
    expect(statusAfter(question(), vague)).toMatchObject({ state: "prompting", prompt_type: "question" });
    expect(statusAfter(vague, question())).toMatchObject({ state: "prompting", prompt_type: "question" });
  });
});

describe("an agent with several hooks that wait", () => {
  const HELD = { waits_until: "2030-01-01T00:00:00.000Z" };
  const answer = ({ id }: MonitorEvent) => monitorEvent("agent:answer", { prompt: id });

  it("goes on prompting until the last one is answered", () => {
    const first = question(HELD);
    const second = monitorEvent("agent:prompt", { prompt_type: "permission", question: "May it?", ...HELD });
    const shown = { state: "prompting", prompt_type: "permission", question: "May it?", since: second.time };
    expect(statusAfter(first, second, answer(first))).toMatchObject(shown);
    expect(statusAfter(first, second, answer(first), monitorEvent("agent:went_on"))).toMatchObject(shown);
    expect(statusAfter(first, second, answer(second))).toMatchObject({
      state: "prompting",
      prompt_type: "question",
      since: first.time,
    });
    const done = statusAfter(first, second, answer(second), answer(first));
    expect(done).toMatchObject({ state: "working" });
    expect(done).not.toHaveProperty("held");
  });

  it.each(["agent:turn", "agent:exit", "agent:gone", "agent:start"])("waits no more after %s", (type) => {
    const status = statusAfter(question(HELD), monitorEvent(type));
    expect(status?.state).not.toBe("prompting");
    expect(status).not.toHaveProperty("held");
  });

  it("waits on when an older session ends", () => {
    const held = question({ ...HELD, session_id: "s2" });
    expect(statusAfter(held, monitorEvent("agent:exit"))).toMatchObject({ state: "prompting" });
  });

  it("is not held by a hook whose time is over", () => {
    const [over, next] = [question({ waits_until: "2026-01-01T00:00:00.000Z" }), question(HELD)];
    expect(statusAfter(over, next, answer(next))).toMatchObject({ state: "working" });
  });
});
