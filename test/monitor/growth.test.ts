import { describe, expect, it } from "vitest";
import { type Growth, look, quietSince } from "../../src/monitor/state/growth.ts";
import type { AgentStatus } from "../../src/shared/monitor/monitor.ts";

const START = Date.UTC(2026, 0, 1);
const SECOND = 1000;

function agent(more: Partial<AgentStatus>): AgentStatus {
  return { agent_id: "a", state: "idle", since: new Date(START).toISOString(), session_id: "s1", ...more };
}

/** What is reported when the transcript was written to at these seconds, looked at each time and once more at the end. */
function reported(status: AgentStatus, writtenAt: readonly number[], end = writtenAt.at(-1) ?? 0) {
  let growth: Growth | undefined;
  const events: unknown[] = [];
  for (const [at, seconds] of [0, ...writtenAt].entries()) {
    const now = START + (at === writtenAt.length ? end : seconds) * SECOND;
    const seen = look(status, growth, START + seconds * SECOND, now);
    growth = seen.growth;
    events.push(seen.event);
  }
  return events.at(-1);
}

describe("the growth of a transcript", () => {
  it("shows that an agent works which no hook reported", () => {
    expect(reported(agent({}), [20, 24])).toBe("agent:grew");
    expect(reported(agent({ state: "failed" }), [20, 24])).toBe("agent:grew");
    expect(reported(agent({ state: "prompting", prompt_type: "permission" }), [20, 24])).toBe("agent:grew");
  });

  it("means nothing right after the agent stopped, and one line means nothing later", () => {
    expect(reported(agent({}), [2, 4, 6])).toBeUndefined();
    expect(reported(agent({}), [20])).toBeUndefined();
  });

  it("does not end a prompt that a hook waits at", () => {
    const held = { id: "e-1", since: "", prompt_type: "permission" } as const;
    const until = (seconds: number) => [
      { ...held, waits_until: new Date(START + seconds * SECOND).toISOString() },
    ];
    expect(reported(agent({ state: "prompting", held: until(600) }), [20, 24])).toBeUndefined();
    expect(reported(agent({ state: "prompting", held: until(22) }), [20, 24])).toBe("agent:grew");
  });

  it("that ends shows that the agent is idle, if nothing else showed that it worked", () => {
    const guessed = agent({ state: "working", source: "inferred" });
    expect(reported(guessed, [30], 80)).toBeUndefined();
    expect(reported(guessed, [30], 91)).toBe("agent:idle");
    expect(reported(agent({ state: "working" }), [30], 1000)).toBeUndefined();
  });

  it("is all there is about a program without hooks", () => {
    const { session_id: _, ...program } = agent({ state: "working" });
    expect(reported(program, [30], 91)).toBe("agent:idle");
    expect(reported({ ...program, state: "idle" }, [2])).toBe("agent:grew");
  });
});

describe("no news of an agent that works", () => {
  const turn = agent({ state: "working", source: "hook", confirmed_at: new Date(START).toISOString() });
  const at = (seconds: number): number => START + seconds * SECOND;

  it("are a fact after a minute without a word of a hook and without growth", () => {
    expect(quietSince(turn, at(-5), at(59))).toBeUndefined();
    expect(quietSince(turn, at(-5), at(61))).toBe(turn.since);
    expect(quietSince(turn, at(30), at(61))).toBeUndefined();
    expect(quietSince(turn, at(30), at(91))).toBe(new Date(at(30)).toISOString());
  });

  it("say nothing about one that does not work, or has no hooks", () => {
    expect(quietSince({ ...turn, state: "idle" }, 0, at(1000))).toBeUndefined();
    const { session_id: _, ...program } = turn;
    expect(quietSince(program, 0, at(1000))).toBeUndefined();
  });

  it("end when its transcript grows", () => {
    const quiet = { ...turn, no_news_since: turn.since };
    expect(quietSince(quiet, 0, at(1000))).toBeUndefined();
    expect(reported(quiet, [70])).toBe("agent:news");
    expect(reported(quiet, [])).toBeUndefined();
  });
});
