import { chmodSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { statusLines } from "../../src/monitor/state/status-line.ts";
import type { AgentStatus } from "../../src/shared/monitor/monitor.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const AGENT: AgentStatus = {
  agent_id: "w1",
  host: "claude",
  session_id: "s-1",
  state: "working",
  since: "2026-03-09T12:00:00.000Z",
};

function lines() {
  const state = temporaryFolder();
  const folder = join(state, "tenterhook/monitor/status-line");
  mkdirSync(folder, { recursive: true });
  let seconds = 1_000_000;
  const tell = (text: string, name = "s-1.json"): string => {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    seconds += 1;
    utimesSync(file, seconds, seconds);
    return file;
  };
  const { newIn } = statusLines({ XDG_STATE_HOME: state });
  return { tell, newIn };
}

const costs = (total_cost_usd: number): string => JSON.stringify({ cost: { total_cost_usd } });

describe("what a status line was told", () => {
  it("is new until the agent has it, and when it changes", () => {
    const { tell, newIn } = lines();
    expect(newIn(AGENT)).toBeUndefined();
    tell(costs(1));
    expect(newIn(AGENT)).toEqual({ cost_usd: 1 });
    expect(newIn(AGENT)).toEqual({ cost_usd: 1 });
    const told = { ...AGENT, said: { cost_usd: 1 } };
    expect(newIn(told)).toBeUndefined();
    tell(costs(2));
    expect(newIn(told)).toEqual({ cost_usd: 2 });
  });

  it("does not count when it can't be read, or somebody else could have written it", () => {
    const { tell, newIn } = lines();
    tell("{ broken");
    expect(newIn({ ...AGENT, said: { cost_usd: 1 } })).toBeUndefined();
    chmodSync(tell(costs(5)), 0o622);
    expect(newIn(AGENT)).toBeUndefined();
  });

  it("is that of no other agent, and no file elsewhere", () => {
    const { tell, newIn } = lines();
    tell(costs(1));
    tell(costs(3), "../s-2.json");
    expect(newIn({ ...AGENT, host: "codex" })).toBeUndefined();
    expect(newIn({ ...AGENT, session_id: "../s-2" })).toBeUndefined();
  });
});
