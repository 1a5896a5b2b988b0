import fc from "fast-check";
import { context, createHooks } from "tenterhook";
import { Agent, type AgentMessage, type AgentOptions, scriptedModel } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { runs } from "../support/long.ts";
import { agentOf, echo, promptTexts, says } from "./support/agents.ts";

type Request = { readonly prompt: Parameters<typeof promptTexts>[0] };

/** A model whose first prompt is looked at. */
function probe(): { readonly model: AgentOptions["model"]; readonly prompts: (readonly string[])[] } {
  const prompts: (readonly string[])[] = [];
  const answer = ({ prompt }: Request) => {
    prompts.push(promptTexts(prompt));
    return { text: "Seen." };
  };
  return { prompts, model: scriptedModel(Array.from({ length: 9 }, () => answer)) };
}

const summaries = () =>
  scriptedModel(Array.from({ length: 99 }, (_, at) => ({ text: `It went well, ${at} times.` })));

describe("a session that was shortened by hand", () => {
  async function shortened() {
    const store = memoryStore();
    const compaction = { keep_tokens: 1, model: summaries() };
    const { agent } = agentOf([{ text: "one" }, { text: "two" }], { store, context: { compaction } });
    await agent.run("q1");
    await agent.run("q2");
    expect(await agent.compact()).toBe(true);
    await agent.close();
    return { store, compaction, id: agent.agent_id };
  }

  it("is finished when it is resumed, and so is a fork of it", async () => {
    const { store, id } = await shortened();
    const { model, prompts } = probe();
    const again = await Agent.resume(id, { store, model });
    const fork = await Agent.fork(id, { store, model, turn: 2 });
    expect([again.unfinished, fork.unfinished]).toEqual([false, false]);
    expect((await fork.continue()).text).toBe("two");
    await again.run("q3");
    await again.close();
    await fork.close();
    expect(prompts).toEqual([
      [
        expect.stringContaining("It went well"),
        expect.stringContaining("two"),
        expect.stringContaining("q3"),
      ],
    ]);
  });

  it("has no more turns than before, also when that is the first thing after a resume", async () => {
    const { store, compaction, id } = await shortened();
    const { model } = probe();
    const again = await Agent.resume(id, { store, model, context: { compaction } });
    await again.run("q3");
    await again.close();
    const third = await Agent.resume(id, { store, model, context: { compaction } });
    expect(await third.compact()).toBe(true);
    await third.run("q4");
    await third.close();
    const turns = new Set(third.transcript().map(({ turn_id }) => turn_id));
    expect([turns.size, turns.has("")]).toEqual([4, false]);
  });
});

it("calls that wait for their results are not summarised away", async () => {
  const { agent } = agentOf([{ text: "one" }, { tool_calls: [{ ...says("x", "Ask"), id: "c" }] }], {
    suspend: true,
    permissions: { check: () => ({ action: "ask" }) },
    tools: [{ ...echo, name: "Ask" }],
    context: { compaction: { keep_tokens: 0, model: summaries() } },
  });
  await agent.run("q1");
  await agent.run("q2");
  expect(await agent.compact()).toBe(true);
  expect(agent.transcript().at(-1)).toMatchObject({ summary_until: agent.transcript()[2]?.id });
});

describe("after a resume the model sees what it saw before", () => {
  /** What a turn is made of: what hooks say before each round, and whether the conversation is shortened after it. */
  const turn = fc.record({
    rounds: fc.array(fc.constantFrom("nothing", "recorded", "unrecorded", "turn"), {
      minLength: 1,
      maxLength: 4,
    }),
    compact: fc.boolean(),
  });
  const conversation = fc.record({
    turns: fc.array(turn, { minLength: 1, maxLength: 5 }),
    keep_tokens: fc.integer({ min: 0, max: 5 }),
    threshold_tokens: fc.constantFrom(30, 120, 1_000_000),
  });

  interface Seen {
    readonly prompt: readonly string[];
    readonly messages: readonly AgentMessage[];
  }

  /** Plays a conversation; what the model saw in each request, with what was kept until then. */
  async function played({
    turns,
    keep_tokens,
    threshold_tokens,
  }: typeof conversation extends fc.Arbitrary<infer Value> ? Value : never): Promise<readonly Seen[]> {
    const plan = turns.flatMap(({ rounds }) => rounds);
    const ends = turns.map((_, at) => turns.slice(0, at + 1).flatMap(({ rounds }) => rounds).length - 1);
    const hooks = createHooks();
    let count = 0;
    hooks.on("PreIteration", () => {
      const kind = plan[count++];
      if (kind === undefined || kind === "nothing") return undefined;
      const lifetime = kind === "turn" ? "turn" : "session";
      return context(`${kind} ${count}`, { lifetime, recorded: kind !== "unrecorded" });
    });
    const seen: Seen[] = [];
    const step = (at: number) => (request: Request) => {
      seen.push({ prompt: promptTexts(request.prompt), messages: agent.transcript() });
      return ends.includes(at) ? { text: `answer ${at}` } : { tool_calls: [says(`result ${at}`)] };
    };
    const { agent } = agentOf(
      plan.map((_, at) => step(at)),
      { hooks, context: { compaction: { keep_tokens, threshold_tokens, model: summaries() } } },
    );
    for (const { compact } of turns) {
      await agent.run("Go on.");
      if (compact) await agent.compact();
    }
    return seen;
  }

  async function resumed(messages: readonly AgentMessage[]): Promise<readonly string[] | undefined> {
    const { model, prompts } = probe();
    const time = new Date(0).toISOString();
    const metadata = {
      session_id: "s",
      agent_id: "a",
      status: "running",
      created_at: time,
      updated_at: time,
    } as const;
    const agent = await Agent.resume({ metadata, messages }, { model, tools: [echo] });
    await agent.continue();
    await agent.close();
    return prompts[0];
  }

  it("whatever was summarised, how often, and wherever it was cut off", { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async (given) => {
        for (const { prompt, messages } of await played(given))
          expect(await resumed(messages)).toEqual(prompt.filter((text) => !text.includes('"unrecorded ')));
      }),
      { numRuns: runs(15) },
    );
  });
});
