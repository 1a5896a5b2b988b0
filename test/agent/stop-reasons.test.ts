import { createHooks, hookInput, keepGoing } from "tenterhook";
import { type AgentOptions, promptStop, scriptedModel } from "tenterhook/agent";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startModelServer } from "../../src/know/prove/model/model-server.ts";
import { OPENAI_CHAT } from "../../src/know/prove/model/openai-chat-server.ts";
import { agentOf, says } from "./support/agents.ts";

/** A Stop hook that gives these reasons one after the other, then lets the agent stop. */
function wanting(reasons: readonly string[], options: Partial<AgentOptions> = {}) {
  const left = [...reasons];
  const { agent, hooks } = agentOf([], options);
  hooks.on("Stop", () => {
    const reason = left.shift();
    return reason === undefined ? undefined : keepGoing(reason);
  });
  return agent;
}

/** The reasons of a hook that is never content. */
const ALWAYS_NEW = Array.from({ length: 20 }, (_, at) => `reason ${at}`);

describe("the result of a run says how Stop hooks and their ceilings ended it", () => {
  it("complete, without a reason, when nobody had a say", async () => {
    const { agent } = agentOf([]);
    const result = await agent.run("go");
    expect(result).toMatchObject({ stop_reason: "complete" });
    expect(result).not.toHaveProperty("reason");
  });

  it("complete, with a reason, when hooks kept it going and are content now", async () => {
    expect(await wanting(["tests fail", "lint fails"]).run("go")).toMatchObject({
      stop_reason: "complete",
      reason: "Stop hooks kept the turn going 2 times, then let it end.",
    });
  });

  it("complete, with what the judge says, when a judge agreed", async () => {
    const { agent, hooks } = agentOf([]);
    const judge = scriptedModel([{ text: '{"ok": true, "reason": "All tests pass."}' }], "judge");
    hooks.on("Stop", { name: "goal" }, promptStop(judge, "Do the tests pass?"));
    expect(await agent.run("go")).toMatchObject({
      stop_reason: "complete",
      reason: "goal: All tests pass.",
    });
  });

  it("capped when hooks may not keep it going any more", async () => {
    expect(await wanting(ALWAYS_NEW, { limits: { stop_continuations: 2 } }).run("go")).toMatchObject({
      stop_reason: "capped",
      reason: "Stop hooks have kept this turn going 2 times; the limit is 2.",
      text: "done",
    });
  });

  it("capped when the turn has used its tokens", async () => {
    expect(await wanting(ALWAYS_NEW, { limits: { turn_tokens: 1 } }).run("go")).toMatchObject({
      stop_reason: "capped",
      reason: expect.stringMatching(/^This turn has used \d+ tokens; the limit is 1\.$/),
    });
  });

  it("stalled when a hook gives the same reason again and again and nothing is done", async () => {
    expect(await wanting(["not yet", "not yet", "not yet", "not yet"]).run("go")).toMatchObject({
      stop_reason: "stalled",
      reason: "A Stop hook gave the same reason 3 times in a row and the agent called no tool in between.",
    });
  });

  it("limit, with the reason, at the limit of iterations", async () => {
    const { agent } = agentOf([{ tool_calls: [says("a")] }, { text: "this far" }], {
      limits: { iterations: 1 },
    });
    expect(await agent.run("go")).toMatchObject({
      stop_reason: "limit",
      reason: "The turn has reached its limit of 1 iteration.",
    });
  });

  it("capped when hooks may not start any more turns", async () => {
    const { agent, hooks } = agentOf([], { limits: { hook_turns: 2 } });
    hooks.on("TurnEnd", () => hookInput("again"));
    expect(await agent.run("go")).toMatchObject({
      stop_reason: "capped",
      reason: "Hooks have started 2 turns since the user's last prompt, which is the limit.",
      turns: 3,
      iterations: 3,
    });
  });

  it("and a capped answer that fits its schema is there as data", async () => {
    const output = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] } as const;
    const agent = wanting(ALWAYS_NEW, {
      model: scriptedModel([{ text: '{"ok": true}' }, { text: '{"ok": false}' }]),
      limits: { stop_continuations: 1 },
    });
    expect(await agent.run("go", { output })).toMatchObject({ stop_reason: "capped", output: { ok: false } });
  });
});

describe("GoalProgress", () => {
  it("tells each verdict of a judge that decides whether the agent may stop", async () => {
    const hooks = createHooks();
    const server = await startModelServer(OPENAI_CHAT, [
      { text: '{"ok": false, "reason": "2 tests fail"}' },
      { text: '{"ok": true, "reason": "All 14 tests pass."}' },
    ]);
    onTestFinished(() => server.close());
    vi.stubEnv("OPENAI_COMPATIBLE_API_KEY", OPENAI_CHAT.key);
    onTestFinished(() => void vi.unstubAllEnvs());
    await hooks.add(
      {
        name: "goal",
        type: "llm",
        prompt: "Do the tests pass?",
        matcher: { events: ["Stop"] },
      },
      { root: "/", judge: { model: `openai-compatible:${server.url}/judge` } },
    );
    hooks.on("Stop", { name: "no judge" }, () => undefined);
    const seen: unknown[] = [];
    hooks.on("GoalProgress", ({ achieved, reason, hook, continuations }) => {
      seen.push({ achieved, reason, hook, continuations });
    });
    const { agent } = agentOf([], { hooks });
    expect(await agent.run("go")).toMatchObject({
      stop_reason: "complete",
      reason: "goal: All 14 tests pass.",
      iterations: 2,
    });
    expect(seen).toEqual([
      { achieved: false, reason: "2 tests fail", hook: "goal", continuations: 0 },
      { achieved: true, reason: "All 14 tests pass.", hook: "goal", continuations: 1 },
    ]);
  });

  it("is not fired for a judge that failed", async () => {
    const { agent, hooks } = agentOf([]);
    const judge = scriptedModel([{ text: "I don't know." }], "judge");
    hooks.on("Stop", promptStop(judge, "Do the tests pass?"));
    const seen: unknown[] = [];
    hooks.on("GoalProgress", (event) => void seen.push(event));
    await agent.run("go");
    expect(seen).toEqual([]);
  });
});
