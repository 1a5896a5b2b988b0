import { createHooks } from "tenterhook";
import { type AgentMessage, defaultTools, scriptedModel, type Tool } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { runs } from "../support/long.ts";
import { agentOf, echo, says, story } from "./support/agents.ts";

/** A tool that never ends by itself. */
const stubborn: Tool = { ...echo, name: "Stubborn", run: () => new Promise(() => {}) };

/** What makes a transcript valid: every call has one result after it, and the last word is the agent's. */
function problems(messages: readonly AgentMessage[]): readonly string[] {
  const open = new Set<string>();
  const found: string[] = [];
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === "tool_call") open.add(part.tool_use_id);
      if (part.type === "tool_result" && !open.delete(part.tool_use_id)) found.push("result without call");
    }
  }
  if (open.size > 0) found.push(`${open.size} calls without result`);
  if (messages.length > 0 && messages.at(-1)?.role !== "assistant") found.push("no last word");
  return found;
}

describe("an interrupt", () => {
  it("ends a tool that never would, and says so in its result", async () => {
    const begun: Tool["run"] = () => {
      setTimeout(() => agent.interrupt("Esc"));
      return new Promise(() => {});
    };
    const { agent, hooks } = agentOf(
      [{ tool_calls: [says("a"), says("b", "Stubborn"), says("c", "Stubborn")] }],
      {
        tools: [echo, { ...stubborn, annotations: {}, run: begun }],
      },
    );
    const seen: unknown[] = [];
    hooks.on(["Interrupt", "PostToolUseFailure", "AgentStop", "TurnEnd"], (event) => {
      seen.push([event.hook_event_name, Reflect.get(event, "reason") ?? Reflect.get(event, "is_interrupt")]);
    });
    expect(await agent.run("go")).toMatchObject({ stop_reason: "cancelled" });
    expect(story(agent.transcript())).toEqual([
      "user text: go",
      "assistant calls Echo",
      "assistant calls Stubborn",
      "assistant calls Stubborn",
      "tool answers: a",
      "tool fails: The call was interrupted; what it has done until then is not known.",
      "tool fails: The call did not run: the turn was interrupted before.",
      "assistant text: [Interrupted: Esc]",
    ]);
    expect(seen).toEqual([
      ["PostToolUseFailure", true],
      ["Interrupt", "Esc"],
      ["AgentStop", "cancelled"],
      ["TurnEnd", undefined],
    ]);
  });

  it("tells hooks of a tool it ended while it ran", async () => {
    const run: Tool["run"] = () => {
      setTimeout(() => agent.interrupt());
      return new Promise(() => {});
    };
    const { agent, hooks } = agentOf([{ tool_calls: [says("b", "Stubborn")] }], {
      tools: [{ ...stubborn, run }],
    });
    const seen: unknown[] = [];
    hooks.on("PostToolUseFailure", ({ is_interrupt, tool_name }) => {
      seen.push([tool_name, is_interrupt]);
    });
    await agent.run("go");
    expect(seen).toEqual([["Stubborn", true]]);
  });

  it("ends a model that never answers, and keeps what it had said", async () => {
    const { agent } = agentOf([], {
      model: {
        ...scriptedModel([]),
        doStream: async () => ({
          stream: new ReadableStream({
            start: (controller) => {
              controller.enqueue({ type: "text-start", id: "1" });
              controller.enqueue({ type: "text-delta", id: "1", delta: "I was about to" });
            },
          }),
        }),
      },
    });
    const result = await agent.run("go", {
      onItem: ({ type }) => type === "text_delta" && agent.interrupt(),
    });
    expect(result).toMatchObject({ stop_reason: "cancelled", text: "I was about to" });
    expect(story(agent.transcript())).toEqual([
      "user text: go",
      "assistant text: I was about to",
      "assistant text: [Interrupted by the user.]",
    ]);
  });

  it("ends a hook that never answers", async () => {
    const { agent, hooks } = agentOf([{ text: "never" }]);
    hooks.on("PreIteration", () => {
      setTimeout(() => agent.interrupt());
      return new Promise<undefined>(() => {});
    });
    expect(await agent.run("go")).toMatchObject({ stop_reason: "cancelled" });
  });

  it("by the caller's signal does the same, also one that was aborted before", async () => {
    const { agent } = agentOf([{ text: "never" }, { text: "hello" }]);
    expect(await agent.run("go", { signal: AbortSignal.abort(new Error("too late")) })).toMatchObject({
      stop_reason: "cancelled",
      iterations: 0,
    });
    expect(await agent.run("go")).toMatchObject({ stop_reason: "complete" });
  });

  it("leaves an agent that can go on", async () => {
    const { agent } = agentOf([{ tool_calls: [says("b", "Stubborn")] }, { text: "hello again" }], {
      tools: [stubborn],
    });
    const running = agent.run("go", { onItem: ({ type }) => type === "tool_call" && agent.interrupt() });
    expect(await running).toMatchObject({ stop_reason: "cancelled" });
    expect(await agent.run("and now?")).toMatchObject({ stop_reason: "complete", text: "hello again" });
  });

  it("defect 17: no Begin is left without an End, also of hooks that hear of the end and would take too long", async () => {
    const { agent, hooks } = agentOf([{ tool_calls: [says("a")] }]);
    hooks.on("PreToolUse", { name: "gate" }, () => {
      setTimeout(() => agent.interrupt());
      return new Promise<undefined>(() => {});
    });
    const late = ["Interrupt", "AgentStop", "TurnEnd", "Error"] as const;
    hooks.on(late, { name: "late" }, () => new Promise<undefined>(() => {}));
    const open = new Set<string>();
    const ended: string[] = [];
    await agent.run("go", {
      onItem: (item) => {
        if (item.type === "hook_begin") open.add(item.run_id);
        if (item.type !== "hook_end") return;
        open.delete(item.run_id);
        ended.push(`${item.hook} ${item.hook_event_name} ${item.run.failure?.kind}`);
      },
    });
    expect([...open]).toEqual([]);
    expect(ended).toContain("gate PreToolUse cancelled");
    expect(ended).toContain("late Error cancelled");
  });
});

it("an interrupt at a random moment ends the turn at once and leaves a valid transcript and no process", async () => {
  let isInterrupted = false;
  const begunAfter: string[] = [];
  const hooks = createHooks();
  hooks.on(["SessionStart", "TurnStart", "PreIteration", "PreToolUse", "Stop"], async (event) => {
    if (isInterrupted) begunAfter.push(event.hook_event_name);
    await new Promise((resolve) => setTimeout(resolve, 1));
    return undefined;
  });
  const steps = Array.from({ length: 12 }, (_, at) => ({
    text: `step ${at}, with some words to stream`,
    delay_ms: at % 3,
    tool_calls: [
      { name: "Bash", input: { command: at % 2 === 0 ? "sleep 300 & sleep 0.01" : "sleep 300" } },
      says("x"),
    ],
  }));
  for (let run = 0; run < runs(10); run += 1) {
    isInterrupted = false;
    const { agent, cwd } = agentOf(steps, { hooks, tools: [...defaultTools(), echo] });
    const controller = new AbortController();
    const interrupt = (): void => {
      isInterrupted = true;
      controller.abort();
    };
    const running = agent.run("go", { signal: controller.signal });
    // Also before there is a turn.
    if (run % 5 === 0) interrupt();
    else setTimeout(interrupt, Math.random() * 120);
    const result = await running;
    expect({ result: result.stop_reason, problems: problems(agent.transcript()), begunAfter }).toEqual({
      result: "cancelled",
      problems: [],
      begunAfter: [],
    });
    await agent.close();
    expect(await processesIn(cwd)).toEqual([]);
  }
});

/** The processes that work in a folder, as far as this system tells. */
async function processesIn(folder: string): Promise<readonly string[]> {
  const { readdir, readlink } = await import("node:fs/promises");
  const ids = await readdir("/proc").catch((): string[] => []);
  const found = await Promise.all(
    ids
      .filter((id) => /^\d+$/.test(id))
      .map(async (id) => ((await readlink(`/proc/${id}/cwd`).catch(() => "")) === folder ? id : "")),
  );
  return found.filter((id) => id !== "");
}
