import { expect, it } from "vitest";
import { agentViews } from "../../src/monitor/dashboard/agent-view.ts";
import type { AgentStatus } from "../../src/shared/monitor/monitor.ts";
import { GROUPS } from "../../src/terminal/agent-groups.ts";
import { seenGroup, sorted, stateText } from "../../src/terminal/top/rows.ts";

const since = new Date().toISOString();
const AGENTS: readonly AgentStatus[] = [
  { agent_id: "done", state: "exited", exit_code: 0, since },
  { agent_id: "stopped", state: "exited", exit_code: 143, exit_signal: "SIGTERM", since },
  { agent_id: "works", state: "working", since },
  { agent_id: "broke", state: "exited", exit_code: 3, since },
];
const ORDER = ["broke", "works", "done", "stopped"];

it("a program that ends with 3 has failed: red and above those that work, in lists and on the page", () => {
  const seen = sorted(AGENTS.map((agent) => ({ agent, name: agent.agent_id, what: "" })));
  expect(seen.map(({ name }) => name)).toEqual(ORDER);
  expect(seen.map(stateText)).toEqual(["● failed", "● works", "○ ended", "○ ended"]);
  expect(seen.map((one) => GROUPS[seenGroup(one)].colour)).toEqual(["red", "blue", "dim", "dim"]);
  const page = agentViews(AGENTS, new Set(), () => undefined);
  expect(page.map(({ id, words, failed = false }) => [id, words, failed])).toEqual([
    ["broke", "ended with 3", true],
    ["works", "working", false],
    ["done", "ended", false],
    ["stopped", "ended with 143", false],
  ]);
});
