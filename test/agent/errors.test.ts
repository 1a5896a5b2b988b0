import { createHooks, deny, retry } from "tenterhook";
import { type AgentItem, scriptedModel, type Tool } from "tenterhook/agent";
import { systemClock } from "tenterhook/core";
import { describe, expect, it } from "vitest";
import { agentOf, echo, says, story } from "./support/agents.ts";

/** A clock on which nobody waits long. */
const quick = {
  ...systemClock,
  after: (ms: number, call: () => void) => systemClock.after(Math.min(ms, 2), call),
};
const busy = { error: { status: 529, message: "overloaded" } };
const wrong = { error: { status: 400, message: "bad request" } };

/** The same clock, which remembers how long somebody wanted to wait. */
function waits(): { clock: typeof quick; asked: number[] } {
  const asked: number[] = [];
  return {
    asked,
    clock: {
      ...systemClock,
      after: (ms, call) => {
        if (ms < 300_000) asked.push(Math.round(ms));
        return systemClock.after(ms < 300_000 ? 1 : ms, call);
      },
    },
  };
}

describe("a model call that fails", () => {
  it("is tried again, each time after a longer wait, and Error hooks hear of it", async () => {
    const { clock, asked } = waits();
    const { agent, hooks } = agentOf([busy, busy, { text: "at last" }], { ports: { clock } });
    const errors: unknown[] = [];
    hooks.on("Error", ({ error_type, severity, occurrence }) => {
      errors.push([error_type, severity, occurrence]);
    });
    expect(await agent.run("go")).toMatchObject({ text: "at last", stop_reason: "complete", iterations: 1 });
    expect(errors).toEqual([
      ["overloaded", "warning", 1],
      ["overloaded", "warning", 2],
    ]);
    expect(asked.map((ms) => ms > 370 && ms < 630)).toEqual([true, false]);
    expect(asked[1]).toBeGreaterThan(700);
  });

  it("waits as long as the provider says, and not for one that wants too long", async () => {
    const retryAfter = (seconds: string) => {
      const error = Object.assign(new Error("slow down"), {
        statusCode: 429,
        isRetryable: true,
        responseHeaders: { "retry-after": seconds },
      });
      return () => Promise.reject(error);
    };
    const { clock, asked } = waits();
    const { agent } = agentOf([retryAfter("7"), { text: "ok" }], { ports: { clock } });
    expect(await agent.run("go")).toMatchObject({ text: "ok" });
    expect(asked).toEqual([7000]);
    const other = agentOf([retryAfter("3600")], { ports: { clock: quick } });
    expect(await other.agent.run("go")).toMatchObject({
      stop_reason: "error",
      error: {
        error_type: "rate_limit",
        message: "slow down; the provider wants a wait of 3600 s, and the limit retry_wait_seconds is 60.",
      },
    });
  });

  it("for good ends the turn with an error, with usage and a last word", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("a")] }, wrong, { text: "hello" }]);
    const reasons: unknown[] = [];
    const reported: unknown[] = [];
    hooks.on("AgentStop", ({ reason }) => {
      reasons.push(reason);
    });
    hooks.on("Error", ({ error_type }) => {
      reported.push(`Error ${error_type}`);
    });
    const result = await agent.run("go", { onItem: (item) => item.type === "error" && reported.push(item) });
    const { error_type, message } = { error_type: "invalid_request", message: "bad request" };
    expect(reported).toEqual(["Error invalid_request", { type: "error", error_type, message }]);
    expect(result).toMatchObject({
      stop_reason: "error",
      error: { error_type: "invalid_request", message: "bad request" },
    });
    expect(result.usage.total_tokens).toBeGreaterThan(0);
    expect(agent.usage).toEqual(result.usage);
    expect(reasons).toEqual(["error"]);
    expect(story(agent.transcript()).at(-1)).toBe(
      "assistant text: [The turn ended with an error: bad request]",
    );
    expect(await agent.run("again")).toMatchObject({ stop_reason: "complete", text: "hello" });
  });

  it("is tried again when an Error hook wants it, within the ceiling", async () => {
    const { agent, hooks } = agentOf([wrong, wrong, { text: "ok" }], { ports: { clock: quick } });
    hooks.on("Error", { error_types: ["invalid_request"] }, () => retry());
    expect(await agent.run("go")).toMatchObject({ text: "ok" });
    const stubborn = agentOf(
      Array.from({ length: 9 }, () => wrong),
      { ports: { clock: quick } },
    );
    let errors = 0;
    stubborn.hooks.on("Error", { error_types: ["invalid_request"] }, () => {
      errors += 1;
      return retry();
    });
    expect(await stubborn.agent.run("go")).toMatchObject({ stop_reason: "error" });
    expect(errors).toBe(4);
  });

  it("by a stream that breaks off or never ends is tried again", async () => {
    const { clock } = waits();
    let calls = 0;
    const script = scriptedModel([{ text: "whole" }]);
    const model: typeof script = {
      ...script,
      doStream: (request) => {
        calls += 1;
        if (calls > 2) return script.doStream(request);
        const stream = new ReadableStream({
          start: (controller) => {
            controller.enqueue({ type: "text-delta", id: "1", delta: "ha" });
            if (calls === 1) controller.close();
          },
        });
        return Promise.resolve({ stream });
      },
    };
    const { agent } = agentOf([], { model, ports: { clock }, limits: { response_seconds: 0.05 } });
    const errors: string[] = [];
    const result = await agent.run("go", {
      onItem: (item) => item.type === "error" && errors.push(item.error_type),
    });
    expect(result).toMatchObject({ text: "whole" });
    expect(errors).toEqual(["stream_cut", "response_timeout"]);
    expect(story(agent.transcript())).toEqual(["user text: go", "assistant text: whole"]);
  });
});

describe("another model", () => {
  const other = () => scriptedModel([{ text: "from another" }], "other");

  it("of the fallback list takes over, unless a hook denies it", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("ModelSwitch", ({ old_model, new_model, triggered_by, reason }) => {
      seen.push([old_model, new_model, triggered_by, reason]);
      return new_model.endsWith("dear") ? deny("too dear") : undefined;
    });
    const { agent } = agentOf([wrong], {
      hooks,
      models: { fallback: [scriptedModel([{ text: "no" }], "dear"), other()] },
    });
    expect(await agent.run("go")).toMatchObject({ text: "from another" });
    expect(seen).toEqual([
      [null, "scripted/script", "user", undefined],
      ["scripted/script", "scripted/dear", "fallback", "bad request"],
      ["scripted/script", "scripted/other", "fallback", "bad request"],
    ]);
  });

  it("is used after switchModel, which a hook can deny", async () => {
    const { agent, hooks } = agentOf([{ text: "first" }]);
    await agent.run("go");
    const off = hooks.on("ModelSwitch", () => deny("not in CI"));
    await expect(agent.switchModel(other())).rejects.toMatchObject({
      code: "model_switch_denied",
      message: "not in CI",
    });
    off();
    await agent.switchModel(other(), "a change");
    expect(await agent.run("go")).toMatchObject({ text: "from another" });
  });

  it("that nobody knows by its name is an error that says so", async () => {
    const { agent } = agentOf([{ text: "first" }]);
    await expect(agent.switchModel("nobody/knows")).rejects.toMatchObject({ code: "model_unavailable" });
  });
});

it("a store that fails ends the run with an error, and nothing is done that is not kept", async () => {
  const stored: string[] = [];
  let ran = false;
  const tool: Tool = {
    ...echo,
    run: async () => {
      ran = true;
      return { content: "ran" };
    },
  };
  const { agent } = agentOf([{ tool_calls: [says("a")] }], {
    tools: [tool],
    store: {
      append: async ({ role }) => {
        if (role === "assistant") throw new Error("disk full");
        stored.push(role);
      },
    },
  });
  expect(await agent.run("go")).toMatchObject({
    stop_reason: "error",
    error: { error_type: "store_failed", message: "The conversation could not be stored: disk full" },
  });
  expect([stored, ran]).toEqual([["user"], false]);
});

describe("what is reported of a failed model call", () => {
  const reported = (items: readonly AgentItem[]) =>
    items.flatMap((item) =>
      item.type === "error"
        ? [[item.error_type, item.retry_in_ms]]
        : item.type === "model"
          ? [[item.type, item.triggered_by]]
          : [],
    );

  it("says that an Error hook has it tried again", async () => {
    const { agent, hooks } = agentOf([wrong, { text: "ok" }], { ports: { clock: quick } });
    hooks.on("Error", () => retry());
    const items: AgentItem[] = [];
    await agent.run("go", { onItem: (item) => items.push(item) });
    expect(reported(items)).toEqual([["invalid_request", 500]]);
  });

  it("says that another model is asked, and of those that can't be", async () => {
    const { agent, hooks } = agentOf([wrong], {
      models: {
        fallback: ["nobody/knows", scriptedModel([{ text: "ok" }])],
        resolveModel: () => {
          throw new Error("There is no such model.");
        },
      },
    });
    const events: unknown[] = [];
    hooks.on("Error", ({ error_type, error_message }) => {
      events.push([error_type, error_message]);
    });
    const items: AgentItem[] = [];
    expect(await agent.run("go", { onItem: (item) => items.push(item) })).toMatchObject({ text: "ok" });
    expect(reported(items)).toEqual([
      ["model_unavailable", undefined],
      ["invalid_request", 0],
      ["model", "fallback"],
    ]);
    expect(events).toEqual([
      ["invalid_request", "bad request"],
      ["model_unavailable", "There is no such model."],
    ]);
  });
});
