import { describe, expect, it } from "vitest";
import { agentName, agentNames, findAgent, withAgentNames } from "../../src/monitor/agent-name.ts";
import { findDecision, shownId } from "../../src/monitor/decisions/find.ts";
import { newEventId } from "../../src/monitor/report/spool.ts";
import type { AgentStatus, HumanRequest } from "../../src/shared/monitor/monitor.ts";

const SESSION = "0198c5f2-7d1e-7c3a-9b1f-2f6d8a7c1e55";

function asked(id: string, fields: Partial<HumanRequest> = {}): HumanRequest {
  const about = { agent_id: "worker", source: "plan", context: "", options: [] } as const;
  return { id, ...about, state: "open", created_at: "2026-01-01T00:00:00.000Z", ...fields };
}

function seen(agent_id: string, fields: Partial<AgentStatus> = {}): AgentStatus {
  return { agent_id, state: "working", since: "2026-01-01T00:00:00.000Z", ...fields };
}

describe("the id of a decision", () => {
  it("differs from others at its beginning, also among those of one moment", () => {
    const ids = Array.from({ length: 200 }, newEventId);
    expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(200);
    expect(ids.filter((id) => !/^[a-z0-9]{12}$/.test(id))).toEqual([]);
  });

  it.each([
    ["abcdefghijkl", [], "abcd"],
    ["abcdefghijkl", ["abcdxxxxxxxx", "zzzzzzzzzzzz"], "abcde"],
    ["abcdefghijkl", ["abcdefghijkl"], "abcd"],
    ["abc", ["abcd"], "abc"],
  ])("%s beside %j is shown as %s", (id, others, expected) => {
    expect(
      shownId(
        id,
        others.map((other) => asked(other)),
      ),
    ).toBe(expected);
  });
});

describe("a decision is found", () => {
  const one = asked("q1aaaaaaaaaa", { agent_id: "docs" });
  const two = asked("q2aaaaaaaaaa", { agent_id: "api" });
  const three = asked("q3aaaaaaaaaa", { agent_id: "api" });
  const closed = asked("q4aaaaaaaaaa", { agent_id: "docs", state: "resolved" });
  const nameless = { agent_id: SESSION, session_id: SESSION, host: "claude", cwd: "/home/me/shop" };
  const four = asked("q5aaaaaaaaaa", nameless);
  const all = [one, two, three, closed, four];

  it.each([
    ["q2", two],
    ["q4aaaaaaaaaa", closed],
    ["docs", one],
    ["claude in shop", four],
    [SESSION, four],
  ])("by %s", (given, expected) => {
    expect(findDecision(all, given)).toBe(expected);
  });

  it("by the name of an agent only where that has one open question", () => {
    expect(() => findDecision(all, "api")).toThrow("api has 2 open decisions: q2aa (api), q3aa (api).");
    expect(() => findDecision([closed], "docs")).toThrow(/There is no decision or agent "docs"/);
  });
});

describe("an agent without a name", () => {
  it.each([
    [seen("docs", { session_id: SESSION, host: "claude", cwd: "/home/me/shop" }), "docs"],
    [seen(SESSION, { session_id: SESSION, host: "claude", cwd: "/home/me/shop" }), "claude in shop"],
    [seen(SESSION, { host: "codex", cwd: "/home/me/shop/" }), "codex in shop"],
    [seen("ses_77", { session_id: "ses_77", host: "opencode", cwd: "/srv" }), "opencode in srv"],
    [seen(SESSION, { session_id: SESSION, cwd: "/home/me/shop" }), "agent in shop"],
    [seen(SESSION, { session_id: SESSION, host: "gemini" }), "gemini"],
    [seen(SESSION, { session_id: SESSION }), SESSION],
  ])("%j is called %s", (agent, expected) => {
    expect(agentName(agent)).toBe(expected);
  });

  const where = { host: "codex", cwd: "/home/me/shop" };
  // The beginning of such an id is the time.
  const other = `${SESSION.slice(0, -4)}1e56`;
  const two = [SESSION, other].map((id) => seen(id, { session_id: id, ...where }));

  it("is told from another one in the same folder by the end of its id", () => {
    expect([...agentNames([...two, seen("docs")]).values()]).toEqual([
      "codex in shop (1e55)",
      "codex in shop (1e56)",
      "docs",
    ]);
    expect(findAgent(two, "1e56")).toBe(two[1]);
  });

  it("has more of its id shown where the ends are the same, too", () => {
    const third = `${SESSION.slice(0, -5)}21e55`;
    const names = agentNames([seen(SESSION, where), seen(third, where)]);
    expect([...names.values()]).toEqual(["codex in shop (c1e55)", "codex in shop (21e55)"]);
  });

  it("needs no more than its name beside one that has ended", () => {
    const ended = seen(other, { ...where, state: "exited" });
    expect([...agentNames([seen(SESSION, where), ended]).values()]).toEqual([
      "codex in shop",
      "codex in shop (1e56)",
    ]);
  });

  it("is named by its question so, which its tag finds", () => {
    const asks = [SESSION, other].map((id, at) => asked(`q${at}aaaaaaaaaa`, { agent_id: id, ...where }));
    const named = withAgentNames(asks, two);
    expect(named.map(agentName)).toEqual(["codex in shop (1e55)", "codex in shop (1e56)"]);
    expect(findDecision(named, "1e56")).toBe(named[1]);
    expect(findDecision(named, "codex in shop (1e56)")).toBe(named[1]);
    expect(() => findDecision(named, "worker")).toThrow(
      'There is no decision or agent "worker". Open: q0aa (codex in shop (1e55)), q1aa (codex in shop (1e56)).',
    );
  });
});
