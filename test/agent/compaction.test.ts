import { getEventListeners } from "node:events";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import { abort, context, createHooks, deny, rewrite, userMessage } from "tenterhook";
import { Agent, type AgentOptions, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { expect, it } from "vitest";
import { agentOf, echo, promptTexts, says } from "./support/agents.ts";

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
  const compaction = { threshold_tokens: 400, keep_tokens: 180, model: summariser };
  const { agent, prompts } = longRun(6, { hooks, store, context: { compaction } });
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
  const stored = JSON.stringify((await store.load(agent.agent_id))?.messages);
  for (let at = 0; at < 6; at += 1) expect(stored).toContain(`result ${at} `);

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
    context: { compaction: { threshold_tokens: 10, keep_tokens: 1, model } },
  });
  await agent.run("Count.");
  expect(prompts.at(-1)).toHaveLength(9);
  expect(await agent.compact()).toBe(false);
  expect(agent.transcript()).toHaveLength(10);
});

it("a model that does not write the summary in time is not waited for, and the run goes on", async () => {
  const silent: LanguageModelV3 = { ...scriptedModel([]), doStream: () => new Promise(() => {}) };
  const notices: string[] = [];
  const { agent } = longRun(2, {
    limits: { response_seconds: 0.5, model_retries: 0 },
    context: { compaction: { threshold_tokens: 10, keep_tokens: 1, model: silent } },
  });
  const { text } = await agent.run("Count.", {
    onItem: (item) => {
      if (item.type === "notice") notices.push(item.text);
    },
  });
  expect([text, notices[0]]).toEqual([
    "Done.",
    "The conversation could not be shortened: The model took more than 0.5 s to answer.",
  ]);
});

it("the request for the summary passes the hooks of requests, is tried again, and what it used counts", async () => {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on("PreModelRequest", ({ request = {} }) => {
    const { model, system_prompt, messages, tools } = request;
    if (!String(system_prompt).startsWith("Summarise")) return undefined;
    seen.push([model, tools, JSON.stringify(messages).includes("first")]);
    return rewrite({ ...request, messages: [{ role: "user", content: "Nothing to see." }] });
  });
  hooks.on("PostModelResponse", ({ response, usage }) => {
    if (JSON.stringify(response).includes("SUM")) seen.push(usage);
  });
  const asked: string[] = [];
  const summariser = scriptedModel([
    { error: { status: 503, message: "busy" } },
    ({ prompt }: { prompt: Request }) => {
      asked.push(...promptTexts(prompt));
      return { text: "SUM" };
    },
  ]);
  const { agent } = agentOf([{ text: "one" }, { text: "two" }], {
    hooks,
    context: { compaction: { keep_tokens: 1, model: summariser } },
  });
  await agent.run("first");
  await agent.run("second");
  const before = agent.usage.output_tokens ?? 0;
  expect(await agent.compact()).toBe(true);
  expect([seen[0], asked[1]]).toEqual([
    ["scripted/script", [], true],
    'user: [{"type":"text","text":"Nothing to see."}]',
  ]);
  expect(seen[1]).toMatchObject({ output_tokens: expect.any(Number) });
  expect(agent.usage.output_tokens).toBeGreaterThan(before);
});

it("a hook that ends the run at the request for the summary ends it", async () => {
  const hooks = createHooks();
  hooks.on("PreModelRequest", ({ request = {} }) =>
    String(request.system_prompt).startsWith("Summarise") ? abort("No more.") : undefined,
  );
  const { agent } = longRun(4, { hooks, context: { compaction: { threshold_tokens: 10, keep_tokens: 1 } } });
  expect(await agent.run("Count.")).toMatchObject({ stop_reason: "aborted", text: "No more." });
  expect(await agent.compact()).toBe(false);
});

it("what hooks tell the user is shown once", async () => {
  const { agent, hooks } = longRun(2, { context: { compaction: { threshold_tokens: 10, keep_tokens: 1 } } });
  hooks.on("PreCompact", { once: true }, () => userMessage("It gets shorter."));
  const notices: string[] = [];
  await agent.run("Count.", { onItem: (item) => item.type === "notice" && notices.push(item.text) });
  expect(notices).toEqual(["It gets shorter."]);
});

it("between turns an abort ends also the hooks that are asked before", async () => {
  const { agent, hooks } = longRun(6, { context: { compaction: { keep_tokens: 180 } } });
  await agent.run("Count.");
  const controller = new AbortController();
  hooks.on("PreCompact", (_, { signal }) => {
    const ended = new Promise<undefined>((resolve) => {
      signal.addEventListener("abort", () => resolve(undefined));
    });
    controller.abort(new Error("enough"));
    return ended;
  });
  await expect(agent.compact({ signal: controller.signal })).rejects.toThrow("enough");
});

it("between turns an abort ends also the model that writes the summary", async () => {
  const controller = new AbortController();
  const stuck = scriptedModel([
    () => {
      controller.abort(new Error("enough"));
      return { text: "SUM", delay_ms: 600_000 };
    },
  ]);
  const { agent } = longRun(6, { context: { compaction: { keep_tokens: 180, model: stuck } } });
  await agent.run("Count.");
  await expect(agent.compact({ signal: controller.signal })).rejects.toThrow("enough");
});

it("summaries leave no listener on the signal of the turn", async () => {
  const listeners: number[] = [];
  const tool = {
    ...echo,
    run: async (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
      listeners.push(getEventListeners(signal, "abort").length);
      return { content: "x".repeat(300) };
    },
  };
  const { agent } = longRun(9, {
    tools: [tool],
    context: {
      compaction: {
        threshold_tokens: 50,
        keep_tokens: 1,
        model: scriptedModel(Array.from({ length: 20 }, () => ({ text: "SUM" }))),
      },
    },
  });
  await agent.run("Count.");
  expect(agent.transcript().filter((message) => "summary_until" in message).length).toBeGreaterThan(5);
  expect(listeners).toEqual(listeners.map(() => listeners[0]));
});
