import { describe, expect, it } from "vitest";
import type { AgentStatus, MonitorEvent } from "../../src/core/contracts/monitor.ts";
import { reduce } from "../../src/monitor/state/reduce.ts";
import { errorKind } from "../../src/monitor/state/transitions.ts";
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
    ["the end of its turn makes it wait", [start, turn, stopped], "waiting"],
    ["a question makes it prompt", [start, turn, question()], "prompting"],
    ["an answer makes it work again", [start, question(), monitorEvent("agent:answer")], "working"],
    ["a late answer changes nothing", [start, stopped, monitorEvent("agent:answer")], "waiting"],
    [
      "a notification that it is idle does not hide a question",
      [question(), monitorEvent("agent:prompt", { prompt_type: "idle" })],
      "prompting",
    ],
    [
      "an agent that has nothing to do waits",
      [turn, monitorEvent("agent:prompt", { prompt_type: "idle" })],
      "waiting",
    ],
    ["an error makes it fail", [turn, monitorEvent("agent:error", { error_type: "x" })], "failed"],
    ["it works again after an error", [monitorEvent("agent:error"), turn], "working"],
    [
      "its end is final",
      [turn, monitorEvent("agent:exit", { exit_code: 1 }), monitorEvent("agent:gone")],
      "exited",
    ],
    ["a vanished process is gone", [turn, monitorEvent("agent:gone")], "gone"],
    ["an agent that was taken for gone comes back", [monitorEvent("agent:gone"), turn], "working"],
    [
      "an event that this version does not know changes nothing",
      [turn, monitorEvent("agent:dances")],
      "working",
    ],
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

describe("an error has one of five kinds", () => {
  it.each([
    ["authentication_failed", "unauthorized"],
    ["Invalid API key", "unauthorized"],
    ["billing_error", "out_of_credits"],
    ["Your credit balance is too low", "out_of_credits"],
    ["rate_limit", "rate_limited"],
    ["HTTP 529 overloaded_error", "rate_limited"],
    ["getaddrinfo ENOTFOUND api.example.com", "no_internet"],
    ["connect ECONNREFUSED", "no_internet"],
    ["max_output_tokens", "other"],
    ["", "other"],
  ])("%s: %s", (text, kind) => {
    expect(errorKind(text)).toBe(kind);
  });
});
