import { context, createHooks, deny } from "tenterhook";
import { Agent, type AgentOptions, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, promptTexts, says } from "./support/agents.ts";

type Request = Parameters<typeof promptTexts>[0];

/** A run of so many calls whose prompts are looked at. */
function longRun(calls: number, options: Partial<AgentOptions> = {}) {
  const prompts: (readonly string[])[] = [];
  const step = (at: number) => (request: { prompt: Request }) => {
    prompts.push(promptTexts(request.prompt));
    return at < calls ? { tool_calls: [says(`result ${at} ${"x".repeat(200)}`)] } : { text: "Done." };
  };
  const steps = Array.from({ length: calls + 2 }, (_, at) => step(at));
  return { prompts, ...agentOf(steps, options) };
}

it("a long conversation is shortened within the turn, and the transcript keeps everything", async () => {
  const hooks = createHooks();
  const events: unknown[] = [];
  hooks.on("PreCompact", ({ trigger, token_count = 0 }) => {
    events.push(["PreCompact", trigger, token_count > 400]);
    return context("Keep the numbers.");
  });
  hooks.on("PostCompact", ({ summary, tokens_before = 0, tokens_after = 0 }) => {
    events.push(["PostCompact", summary, tokens_after < tokens_before]);
  });
  const asked: string[] = [];
  const summariser = scriptedModel(
    Array.from({ length: 9 }, () => (request: { prompt: Request }) => {
      asked.push(...promptTexts(request.prompt));
      return { text: "It all went well." };
    }),
  );
  const store = memoryStore();
  const compaction = { threshold_tokens: 400, keep_messages: 2, model: summariser };
  const { agent, prompts } = longRun(6, { hooks, store, compaction });
  const { text } = await agent.run("Count.");
  expect(text).toBe("Done.");
  expect(events.slice(0, 2)).toEqual([
    ["PreCompact", "auto", true],
    ["PostCompact", "It all went well.", true],
  ]);
  expect(asked[0]).toContain("Keep the numbers.");
  expect(asked[1]).toContain("Count.");
  const last = prompts.at(-1) ?? [];
  expect(last[0]).toContain("Summary of the conversation so far:\\n\\nIt all went well.");
  expect(last.join("")).not.toContain("result 0");
  const kept = JSON.stringify((await store.load(agent.agent_id))?.messages);
  for (let at = 0; at < 6; at += 1) expect(kept).toContain(`result ${at} `);

  const after: (readonly string[])[] = [];
  const model = scriptedModel([
    (request: { prompt: Request }) => {
      after.push(promptTexts(request.prompt));
      return { text: "Still here." };
    },
  ]);
  const again = await Agent.resume(agent.agent_id, { model, store });
  await again.run("And?");
  await again.close();
  expect(after[0]?.slice(0, -1)).toEqual([...last, expect.stringContaining("Done.")]);
});

it("a hook can refuse it, and a summary that fails changes nothing", async () => {
  const hooks = createHooks();
  hooks.on("PreCompact", ({ trigger }) => (trigger === "auto" ? deny("Not now.") : undefined));
  const model = scriptedModel(Array.from({ length: 3 }, () => ({ error: { status: 400, message: "no" } })));
  const { agent, prompts } = longRun(4, {
    hooks,
    compaction: { threshold_tokens: 10, keep_messages: 1, model },
  });
  await agent.run("Count.");
  expect(prompts.at(-1)).toHaveLength(9);
  expect(await agent.compact()).toBe(false);
  expect(agent.transcript()).toHaveLength(10);
});
