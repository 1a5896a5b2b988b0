import { EventEmitter, once } from "node:events";
import { createHooks, deny } from "tenterhook";
import { defaultTools, type Tool } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { agentOf, broken, echo, reply, says } from "../support/agents.ts";
import { recordedSpans } from "./recorded-spans.ts";

describe("the spans of a run", () => {
  it("are its model calls, its tool calls and the hooks of each", async () => {
    const { tracer, tree, open } = recordedSpans();
    const hooks = createHooks();
    hooks.on("SessionStart", { name: "greet" }, () => {});
    hooks.on("PreToolUse", { name: "gate" }, async () => {});
    hooks.on("PostToolUse", { name: "check" }, () => {});
    hooks.on("Stop", { name: "stop" }, () => {});
    const { agent } = agentOf([{ tool_calls: [says("a"), says("b")] }, { text: "Fine." }], {
      hooks,
      telemetry: { tracer },
    });
    await agent.run("Go.");
    expect(tree()).toEqual([
      "invoke_agent main",
      "  hook greet",
      "  chat script",
      "  execute_tool Echo",
      "    hook gate",
      "    hook check",
      "  execute_tool Echo",
      "    hook gate",
      "    hook check",
      "  chat script",
      "  hook stop",
    ]);
    expect(open()).toBe(0);
  });

  it("have the attributes of OpenTelemetry's conventions for generative AI", async () => {
    const { tracer, named } = recordedSpans();
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "gate" }, () => {});
    const { agent } = agentOf([{ tool_calls: [says("a")] }, { text: "Fine." }], {
      hooks,
      telemetry: { tracer },
    });
    const { usage } = await agent.run("Go.");
    expect(named("invoke_agent main").attributes).toEqual({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "main",
      "gen_ai.agent.id": agent.agent_id,
      "gen_ai.conversation.id": agent.session_id,
      "gen_ai.provider.name": "scripted",
      "gen_ai.request.model": "script",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.input_tokens": usage.input_tokens,
      "gen_ai.usage.output_tokens": usage.output_tokens,
      "tenterhook.stop_reason": "complete",
    });
    expect(named("chat script")).toMatchObject({
      kind: 2,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "scripted",
        "gen_ai.request.model": "script",
        "gen_ai.response.finish_reasons": ["tool_calls"],
        "gen_ai.usage.input_tokens": expect.any(Number),
        "gen_ai.usage.output_tokens": expect.any(Number),
      },
    });
    expect(named("execute_tool Echo").attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "Echo",
      "gen_ai.tool.call.id": expect.any(String),
      "gen_ai.tool.type": "function",
    });
    expect(named("hook gate").attributes).toEqual({
      "tenterhook.hook.name": "gate",
      "tenterhook.hook.event": "PreToolUse",
      "tenterhook.hook.handler": "function",
    });
  });

  it("hold nothing of prompts, answers, inputs and results", async () => {
    const { tracer, spans } = recordedSpans();
    const hooks = createHooks();
    hooks.on("PreToolUse", { tools: ["Broken"] }, () => deny("SECRET reason"));
    const steps = [{ text: "SECRET", tool_calls: [says("SECRET"), says("SECRET", "Broken")] }];
    const { agent } = agentOf([...steps, { text: "SECRET" }], { hooks, telemetry: { tracer } });
    await agent.run("SECRET");
    const seen = spans().map(({ name, attributes, status, events }) => ({
      name,
      attributes,
      status,
      events,
    }));
    expect(seen).toHaveLength(6);
    expect(JSON.stringify(seen)).not.toContain("SECRET");
  });

  it("show a denied call as failed, with the hook that denied it", async () => {
    const { tracer, tree, named } = recordedSpans();
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "gate" }, () => deny("No."));
    const { agent } = agentOf([{ tool_calls: [says("a")] }, { text: "Fine." }], {
      hooks,
      telemetry: { tracer },
    });
    await agent.run("Go.");
    expect(tree()).toEqual([
      "invoke_agent main",
      "  chat script",
      "  execute_tool Echo failed: denied",
      "    hook gate",
      "  chat script",
    ]);
    expect(named("hook gate").attributes).toMatchObject({ "tenterhook.hook.action": "deny" });
  });

  it("show failed tools, hooks and model calls, and a run that ends with an error", async () => {
    const { tracer, tree, named } = recordedSpans();
    const hooks = createHooks();
    hooks.on("PostToolUseFailure", { name: "watch" }, () => {
      throw new Error("Oh.");
    });
    const refused = { error: { status: 401, message: "No such key." } };
    const { agent } = agentOf([{ tool_calls: [says("a", broken.name)] }, refused], {
      hooks,
      telemetry: { tracer },
    });
    await agent.run("Go.");
    expect(tree()).toEqual([
      "invoke_agent main failed: authentication",
      "  chat script",
      "  execute_tool Broken failed: tool_error",
      "    hook watch failed: error",
      "  chat script failed: authentication",
    ]);
    expect(named("invoke_agent main").status.message).toContain("No such key.");
  });

  it("show every attempt to reach a model", async () => {
    const { tracer, tree } = recordedSpans();
    const busy = { error: { status: 529, message: "Busy." } };
    const { agent } = agentOf([busy, { text: "Fine." }], {
      limits: { retry_wait_seconds: 0.001 },
      telemetry: { tracer },
    });
    await agent.run("Go.");
    expect(tree()).toEqual(["invoke_agent main", "  chat script failed: overloaded", "  chat script"]);
  });

  it("have a subagent inside the call that started it, with its own hooks", async () => {
    const { tracer, tree, open } = recordedSpans();
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "gate" }, () => {});
    hooks.on("SubagentStart", { name: "begin" }, () => {});
    hooks.on("SubagentStop", { name: "end" }, () => {});
    const input = { agent_type: "general-purpose", task: "Look.", description: "look" };
    const { agent } = agentOf(
      [
        { tool_calls: [{ name: "Task", input }] },
        { tool_calls: [says("a")] },
        { text: "Seen." },
        { text: "Fine." },
      ],
      { hooks, tools: [...defaultTools(), echo], telemetry: { tracer } },
    );
    await agent.run("Delegate.");
    expect(tree()).toEqual([
      "invoke_agent main",
      "  chat script",
      "  execute_tool Task",
      "    hook gate",
      "    hook begin",
      "    invoke_agent general-purpose",
      "      chat script",
      "      execute_tool Echo",
      "        hook gate",
      "      chat script",
      "      hook end",
      "  chat script",
    ]);
    expect(open()).toBe(0);
  });

  it("end with the run when a call waits for a human", async () => {
    const { tracer, tree, open, named } = recordedSpans();
    const { agent } = agentOf([{ tool_calls: [says("a", "Write")] }, { text: "Fine." }], {
      tools: [{ ...echo, name: "Write", annotations: {} }],
      permissions: {},
      suspend: true,
      telemetry: { tracer },
    });
    await agent.run("Go.");
    expect(tree()).toEqual(["invoke_agent main", "  chat script", "  execute_tool Write"]);
    expect(open()).toBe(0);
    expect(named("invoke_agent main").attributes["tenterhook.stop_reason"]).toBe("suspended");
    await agent.continue(reply(agent, true));
    expect(tree().slice(3)).toEqual(["invoke_agent main", "  execute_tool Write", "  chat script"]);
    expect(open()).toBe(0);
  });

  it("include an async hook that ends after the run", async () => {
    const { tracer, tree, open } = recordedSpans();
    const hooks = createHooks();
    const marks = new EventEmitter();
    const begun = once(marks, "begun");
    const released = once(marks, "released");
    hooks.on("PostToolUse", { name: "slow", async: true }, async () => {
      marks.emit("begun");
      await released;
    });
    const last = async () => {
      await begun;
      return { text: "Fine." };
    };
    const { agent } = agentOf([{ tool_calls: [says("a")] }, last], { hooks, telemetry: { tracer } });
    await agent.run("Go.");
    expect(open()).toBe(1);
    marks.emit("released");
    await hooks.settled();
    expect(open()).toBe(0);
    expect(tree().slice(2, 4)).toEqual(["  execute_tool Echo", "    hook slow"]);
  });
});

describe("what is not traced", () => {
  it("is an agent without telemetry that a tool of a traced one runs", async () => {
    const { tracer, tree } = recordedSpans();
    const inner = agentOf([{ tool_calls: [says("b")] }, { text: "Inner." }]).agent;
    const run: Tool["run"] = async () => ({ content: (await inner.run("Look.")).text });
    const { agent } = agentOf([{ tool_calls: [says("a", "Ask")] }, { text: "Fine." }], {
      tools: [{ ...echo, name: "Ask", run }],
      telemetry: { tracer },
    });
    await agent.run("Go.");
    expect(tree()).toEqual(["invoke_agent main", "  chat script", "  execute_tool Ask", "  chat script"]);
  });

  it("is another agent with the same hooks", async () => {
    const { tracer, tree } = recordedSpans();
    const hooks = createHooks();
    hooks.on("PreToolUse", { name: "gate" }, () => {});
    const steps = [{ tool_calls: [says("a")] }, { text: "Fine." }];
    const session_id = "shared";
    const traced = agentOf(steps, { hooks, session: { session_id }, telemetry: { tracer } }).agent;
    const other = agentOf(steps, { hooks, session: { session_id, agent_id: "other" } }).agent;
    await Promise.all([traced.run("Go."), other.run("Go.")]);
    expect(tree().filter((line) => line.includes("gate"))).toHaveLength(1);
  });
});
