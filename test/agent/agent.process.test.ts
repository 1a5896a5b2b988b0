import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { createHooks, rewrite, TenterhookError } from "tenterhook";
import { Agent, type AgentMessage, type AgentStore, scriptedModel } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { bundledProgram } from "../support/bundled-program.ts";
import { agentOf, echo, says, story } from "./support/agents.ts";

describe("an agent", () => {
  it("has several turns in one session, and ends it once", async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on(["SessionStart", "TurnStart", "SessionEnd"], (event) => {
      seen.push(`${event.hook_event_name} ${Reflect.get(event, "reason") ?? ""}`);
    });
    const { agent } = agentOf([{ text: "one" }, { text: "two" }], { hooks });
    const first = await agent.run("a");
    const second = await agent.run("b");
    expect([first.text, second.text, first.session_id]).toEqual(["one", "two", second.session_id]);
    await Promise.all([agent.close("done"), agent.close()]);
    expect(seen).toEqual(["SessionStart ", "TurnStart ", "TurnStart ", "SessionEnd done"]);
    expect(story(agent.transcript())).toEqual([
      "user text: a",
      "assistant text: one",
      "user text: b",
      "assistant text: two",
    ]);
  });

  it("works on one task at a time, and on none after close", async () => {
    const { agent } = agentOf([{ text: "one", delay_ms: 20 }]);
    const running = agent.run("a");
    await expect(agent.run("b")).rejects.toMatchObject({ code: "agent_busy" });
    await running;
    await agent.close();
    await expect(agent.run("c")).rejects.toMatchObject({ code: "agent_closed" });
  });

  it("that is closed while it works is interrupted", async () => {
    const { agent } = agentOf([{ text: "never", delay_ms: 600_000 }]);
    const running = agent.run("a");
    await new Promise((resolve) => setTimeout(resolve, 10));
    await agent.close();
    expect(await running).toMatchObject({ stop_reason: "cancelled" });
  });

  it("refuses options nobody reads, limits that are none and tools of one name", () => {
    const model = scriptedModel([]);
    const made = (options: object) => () => new Agent({ model, ...options });
    expect(made({ systemprompt: "x" })).toThrow(
      'new Agent has the unknown key "systemprompt". Did you mean "system_prompt"?',
    );
    expect(made({ limits: { iteration: 3 } })).toThrow(TenterhookError);
    expect(made({ limits: { iterations: -1 } })).toThrow("iterations is -1");
    expect(made({ tools: [echo, echo] })).toThrow('two tools are called "Echo"');
    expect(made({ model: 7 })).toThrow("model is 7; it must be a language model (");
  });

  it("is given no task that says nothing, and the model no message without text", async () => {
    const prompts: unknown[] = [];
    const { agent, hooks } = agentOf([
      ({ prompt }) => {
        prompts.push(prompt);
        return { text: "ok" };
      },
    ]);
    const nothing: string = JSON.parse("null");
    for (const task of ["", " \n", nothing])
      await expect(agent.run(task)).rejects.toMatchObject({
        code: "invalid_option",
        message: "run needs a string that is not empty, or a list of text, images and files.",
      });
    hooks.on("UserPromptSubmit", () => rewrite(""));
    await agent.run("go");
    expect(prompts).toEqual([[{ role: "user", content: [{ type: "text", text: "(nothing)" }] }]]);
    expect(story(agent.transcript())).toEqual(["user text: ", "assistant text: ok"]);
  });

  it("tells of everything as items; the last one is done", async () => {
    const { agent } = agentOf([{ text: "hi", tool_calls: [says("a")] }, { text: "bye" }]);
    const items: string[] = [];
    let last: unknown;
    for await (const item of agent.stream("go")) {
      items.push(item.type);
      last = item;
    }
    expect(items).toEqual([
      "turn_start",
      "message",
      "text_delta",
      "tool_input_delta",
      "usage",
      "message",
      "tool_call",
      "tool_result",
      "message",
      "text_delta",
      "usage",
      "message",
      "done",
    ]);
    expect(last).toMatchObject({ type: "done", result: { text: "bye", iterations: 2 } });
  });

  it("is interrupted when nobody reads its items any more", async () => {
    const { agent } = agentOf([{ text: "hi" }, { text: "never", delay_ms: 600_000 }]);
    for await (const item of agent.stream("go")) if (item.type === "turn_start") break;
    expect(await agent.run("again")).toMatchObject({ stop_reason: expect.any(String) });
  });

  it("keeps every message once, in order, before the next step", async () => {
    const stored: AgentMessage[] = [];
    let asked = 0;
    const store: AgentStore = {
      append: async (message) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        stored.push(message);
      },
    };
    const { agent } = agentOf(
      [
        () => {
          asked = stored.length;
          return { tool_calls: [says("a")] };
        },
        { text: "done" },
      ],
      { store },
    );
    await agent.run("go");
    expect(asked).toBe(1);
    expect(stored).toEqual(agent.transcript());
    expect(new Set(stored.map(({ id }) => id)).size).toBe(4);
    expect(JSON.parse(JSON.stringify(stored))).toEqual(stored);
    expect(Object.isFrozen(stored[0]) && Object.isFrozen(stored[0]?.parts)).toBe(true);
  });

  it("lets hooks see the agent and share values", async () => {
    const { agent, hooks } = agentOf([{ text: "hello" }]);
    const seen: unknown[] = [];
    hooks.on("TurnStart", (_, { values }) => {
      values.set("note", 7);
    });
    hooks.on("Stop", (_, { values, agent: view }) => {
      seen.push(values.get("note"), view?.id === agent.agent_id, view?.model, view?.messages?.length);
    });
    await agent.run("go");
    expect([seen, agent.values.get("note")]).toEqual([[7, true, "scripted/script", 2], 7]);
  });
});

describe("the end of the process", () => {
  it.each([
    ["itself", "ended exit\n"],
    ["exit", "ended exit\n"],
    ["throw", "ended error\n"],
    ["close", "ended mine\n"],
  ])("by %s ends the session", async (how, expected) => {
    const program = bundledProgram(new URL("support/idle-ending-worker.ts", import.meta.url));
    const child = spawn(process.execPath, [program, how], { stdio: ["ignore", "pipe", "ignore"] });
    expect(await text(child.stdout)).toBe(expected);
  });
});
