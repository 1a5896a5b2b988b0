import { scriptedModel } from "tenterhook/agent";
import { describe, expect, it, onTestFinished } from "vitest";
import { createJudges } from "../../src/agent/model/judges.ts";
import { countRequest, waitForRate } from "../../src/agent/model/requests.ts";
import { startModelServer } from "../../src/know/prove/model/model-server.ts";
import { OPENAI_CHAT } from "../../src/know/prove/model/openai-chat-server.ts";
import { agentOf, says } from "./support/agents.ts";

/** A clock that passes only when somebody waits less than a model may take. */
function passing() {
  let time = 0;
  const waits: number[] = [];
  const clock = {
    now: () => time,
    monotonic: () => time,
    after: (milliseconds: number, call: () => void) => {
      if (milliseconds > 60_000) return () => {};
      waits.push(milliseconds);
      const timer = setImmediate(() => {
        time += milliseconds;
        call();
      });
      return () => clearImmediate(timer);
    },
  };
  return { clock, waits };
}

/** A model that calls a tool a few times before it answers. */
function model(name: string) {
  return scriptedModel(
    [...Array.from({ length: 4 }, (_, at) => ({ tool_calls: [says(String(at))] })), { text: "done" }],
    name,
  );
}

describe("rate_limit", () => {
  it("counts the requests of the last minute, however many there were before", () => {
    for (let at = 0; at < 5000; at += 1) countRequest("own/many", at * 100);
    const wait = (most: number) => waitForRate((model) => model === "own/many", most, 500_000);
    expect([wait(600), wait(599), wait(1)]).toEqual([0, 100, 59_900]);
  });

  it("lets a request beyond the limit wait until a minute after the first has passed, and says so", async () => {
    const { clock, waits } = passing();
    const notices: string[] = [];
    const { agent } = agentOf([], {
      model: model("rated"),
      ports: { clock },
      models: { rate_limit: { "scripted/rate*": 2 } },
    });
    const result = await agent.run("go", {
      onItem: (item) => item.type === "notice" && notices.push(item.text),
    });
    expect(result).toMatchObject({ stop_reason: "complete", iterations: 5 });
    expect(waits).toEqual([60_000, 60_000]);
    expect(notices).toEqual(
      Array(2).fill("scripted/rate* may get 2 requests a minute (rate_limit), so the next one waits."),
    );
  });

  it("counts the requests of all agents of the program", async () => {
    const { clock, waits } = passing();
    const options = { ports: { clock }, models: { rate_limit: { "scripted/shared": 1 } } };
    await agentOf([], { ...options, model: scriptedModel([], "shared") }).agent.run("go");
    await agentOf([], { ...options, model: scriptedModel([], "shared") }).agent.run("go");
    expect(waits).toEqual([60_000]);
  });

  it("counts the summaries of compaction, which wait too", async () => {
    const { clock, waits } = passing();
    const { agent } = agentOf([], {
      model: scriptedModel([{ text: "one" }, { text: "two" }, { text: "summary" }], "summarising"),
      ports: { clock },
      context: { compaction: { keep_tokens: 1 } },
      models: { rate_limit: { "scripted/summarising": 2 } },
    });
    await agent.run("first");
    await agent.run("second");
    expect(await agent.compact()).toBe(true);
    expect(waits).toEqual([60_000]);
  });

  it("counts the questions of judges, which never wait themselves", async () => {
    const server = await startModelServer(OPENAI_CHAT, [{ text: '{"ok": true}' }, { text: '{"ok": true}' }]);
    onTestFinished(() => server.close());
    const judges = createJudges({ environment: { OPENAI_COMPATIBLE_API_KEY: OPENAI_CHAT.key } });
    const model = `openai-compatible:${server.url}/judged`;
    const question = { model, system: "", prompt: "", root: "/", signal: new AbortController().signal };
    expect(await judges.ask(question)).toMatchObject({ text: '{"ok": true}' });
    expect(await judges.ask(question)).toMatchObject({ text: '{"ok": true}' });
    const rate_limit = { "*judged": 2 };
    const { agent } = agentOf([], { model: scriptedModel([], "judged"), models: { rate_limit } });
    const result = await agent.run("go", { onItem: ({ type }) => type === "notice" && agent.interrupt() });
    expect(result).toMatchObject({ stop_reason: "cancelled", iterations: 1 });
  });

  it("leaves other models alone", async () => {
    const { clock, waits } = passing();
    const { agent } = agentOf([], {
      model: model("free"),
      ports: { clock },
      models: { rate_limit: { "scripted/dear": 1 } },
    });
    await agent.run("go");
    expect(waits).toEqual([]);
  });

  it("must be a whole number for each model", () => {
    expect(() => agentOf([], { models: { rate_limit: { "a/b": 0.5 } } })).toThrow(
      /rate_limit .*must be an object with a whole number of 1 or more for each model or pattern/,
    );
  });

  it("ends its wait when the run is interrupted", async () => {
    const { agent } = agentOf([], {
      model: model("stopped"),
      models: { rate_limit: { "scripted/stopped": 1 } },
    });
    const result = await agent.run("go", { onItem: ({ type }) => type === "notice" && agent.interrupt() });
    expect(result).toMatchObject({ stop_reason: "cancelled", iterations: 2 });
  });
});
