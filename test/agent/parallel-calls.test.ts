import { context, createHooks, deny } from "tenterhook";
import { Agent, type AgentItem, scriptedModel, type Tool } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { agentOf, broken, echo, says, story } from "./support/agents.ts";

const isResult = (message: object): boolean => "role" in message && message.role === "tool";

/** Calls that wait until others have begun, or until they are released. */
function meetings() {
  const log: string[] = [];
  const waiting = new Map<string, () => void>();
  const released = new Set<string>();
  const release = (text: string): void => {
    released.add(text);
    waiting.get(text)?.();
  };
  const tool = (name: string, annotations: Tool["annotations"], held: readonly string[] = []): Tool => ({
    ...echo,
    name,
    ...(annotations === undefined ? {} : { annotations }),
    run: async ({ text }, { signal }) => {
      const word = String(text);
      log.push(`begin ${word}`);
      if (held.includes(word) && !released.has(word))
        await new Promise<void>((resolve, reject) => {
          waiting.set(word, resolve);
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        });
      log.push(`end ${word}`);
      return { content: word };
    },
  });
  return { log, release, tool };
}

describe("calls of one message", () => {
  it("run together between two that change something", async () => {
    const { log, release, tool } = meetings();
    const read = tool("Read", { read_only: true }, ["a", "d"]);
    const write = tool("Write", {});
    // The second of each pair begins while the first is held: then it releases the first.
    const pair: Tool = {
      ...read,
      name: "Pair",
      run: async ({ text }) => {
        log.push(`begin ${text}`, `end ${text}`);
        release(text === "b" ? "a" : "d");
        return { content: String(text) };
      },
    };
    const { agent } = agentOf(
      [
        {
          tool_calls: [
            says("a", "Read"),
            says("b", "Pair"),
            says("c", "Write"),
            says("d", "Read"),
            says("e", "Pair"),
          ],
        },
      ],
      { tools: [read, write, pair] },
    );
    await agent.run("go");
    expect(log).toEqual([
      ...["begin a", "begin b", "end b", "end a"],
      ...["begin c", "end c"],
      ...["begin d", "begin e", "end e", "end d"],
    ]);
    expect(story(agent.transcript()).slice(6, 11)).toEqual(
      ["a", "b", "c", "d", "e"].map((text) => `tool answers: ${text}`),
    );
  });

  it.each<[string, Tool["annotations"], boolean]>([
    ["without annotations", undefined, false],
    ["that only reads", { read_only: true }, true],
    ["that only reads and is sequential", { read_only: true, sequential: true }, false],
    ["that changes something and is not sequential", { sequential: false }, true],
  ])("of a tool %s: %o", async (_what, annotations, together) => {
    const log: string[] = [];
    const tool: Tool = {
      ...echo,
      ...(annotations === undefined ? {} : { annotations }),
      run: async ({ text }) => {
        log.push(`begin ${text}`);
        await Promise.resolve();
        log.push(`end ${text}`);
        return { content: String(text) };
      },
    };
    const { annotations: _, ...plain } = tool;
    const { agent } = agentOf([{ tool_calls: [says("a"), says("b")] }], {
      tools: [annotations === undefined ? plain : tool],
    });
    await agent.run("go");
    const expected = together
      ? ["begin a", "begin b", "end a", "end b"]
      : ["begin a", "end a", "begin b", "end b"];
    expect(log).toEqual(expected);
  });

  it("are reported as they end, and stand in the order of the calls in the transcript and in hooks' context", async () => {
    const { release, tool } = meetings();
    const slow = tool("Slow", { read_only: true }, ["a"]);
    const { agent, hooks } = agentOf([{ tool_calls: [says("a", "Slow"), says("b", "Slow")] }], {
      tools: [slow],
    });
    const seen: string[] = [];
    hooks.on("PostToolUse", ({ tool_input }) => {
      seen.push(String(tool_input.text));
      if (tool_input.text === "b") queueMicrotask(() => release("a"));
      return context(`about ${tool_input.text}`);
    });
    const items: AgentItem[] = [];
    await agent.run("go", { onItem: (item) => items.push(item) });
    const results = items.flatMap((item) => (item.type === "tool_result" ? [item.content] : []));
    expect({ seen, results }).toEqual({ seen: ["b", "a"], results: ["b", "a"] });
    expect(story(agent.transcript()).slice(3, 7)).toEqual([
      "tool answers: a",
      "tool answers: b",
      "user context: about a",
      "user context: about b",
    ]);
  });

  it("do not end each other when one is refused and one fails", async () => {
    const { agent, hooks } = agentOf(
      [{ tool_calls: [says("a"), says("b", "Broken"), says("c"), says("d")] }],
      {
        tools: [echo, broken],
      },
    );
    hooks.on("PreToolUse", ({ tool_input }) => (tool_input.text === "c" ? deny("not c") : undefined));
    const failed: unknown[] = [];
    hooks.on("PostToolUseFailure", ({ tool_input }) => {
      failed.push(tool_input);
    });
    expect(await agent.run("go")).toMatchObject({ stop_reason: "complete" });
    expect(story(agent.transcript()).slice(5, 9)).toEqual([
      "tool answers: a",
      "tool fails: it broke",
      "tool fails: not c",
      "tool answers: d",
    ]);
    expect(failed).toEqual([{ text: "b" }]);
  });

  it("all end with an interrupt, each with one result", async () => {
    const { log, tool } = meetings();
    const slow = tool("Slow", { sequential: false }, ["a", "b", "c"]);
    const { agent } = agentOf([{ tool_calls: ["a", "b", "c"].map((text) => says(text, "Slow")) }], {
      tools: [slow],
    });
    const items: AgentItem[] = [];
    const running = agent.run("go", { onItem: (item) => items.push(item) });
    await expect.poll(() => log.length).toBe(3);
    agent.interrupt();
    expect(await running).toMatchObject({ stop_reason: "cancelled" });
    const results = items.flatMap((item) => (item.type === "tool_result" ? [item.tool_use_id] : []));
    expect(results.toSorted()).toEqual(["call_1", "call_2", "call_3"]);
    expect(agent.transcript().filter(({ role }) => role === "tool")).toHaveLength(3);
  });

  it("have one result each when the store fails after the first", async () => {
    const store = memoryStore();
    const append = store.append.bind(store);
    let full = false;
    const failing = {
      ...store,
      append: async (...given: Parameters<typeof append>) => {
        if (isResult(given[0]) && full) throw new Error("disk full");
        full = isResult(given[0]);
        await append(...given);
      },
    };
    const { agent } = agentOf([{ tool_calls: [says("a"), says("b"), says("c")] }], { store: failing });
    const items: AgentItem[] = [];
    expect(await agent.run("go", { onItem: (item) => items.push(item) })).toMatchObject({
      stop_reason: "error",
      error: { error_type: "store_failed" },
    });
    const results = items.flatMap((item) => (item.type === "tool_result" ? [item.content] : []));
    expect(results).toEqual(["a", "b", "c"]);
    expect(story(agent.transcript()).slice(4, 7)).toEqual([
      "tool answers: a",
      "tool answers: b",
      "tool answers: c",
    ]);
  });
});

it("calls that run together judge again what a writer before them has changed", async () => {
  const hooks = createHooks();
  const { tool } = meetings();
  let closed = false;
  const write: Tool = {
    ...tool("Write", {}),
    run: async () => {
      closed = true;
      return { content: "closed" };
    },
  };
  const { agent } = agentOf([{ tool_calls: [says("w", "Write"), says("a"), says("b")] }], {
    tools: [write, echo],
    hooks,
    permissions: {
      check: ({ tool_name }) =>
        closed && tool_name === "Echo" ? { action: "deny", reason: "closed now" } : { action: "allow" },
    },
  });
  await agent.run("go");
  expect(story(agent.transcript()).slice(4, 7)).toEqual([
    "tool answers: closed",
    "tool fails: closed now",
    "tool fails: closed now",
  ]);
});

it("after a kill, calls that ran together and may run again do so; the others have an unknown outcome", async () => {
  const store = memoryStore();
  const { tool } = meetings();
  const ran: string[] = [];
  const replays = (name: string, replay: boolean): Tool => ({
    ...tool(name, { read_only: true }),
    ...(replay ? { replay: "safe" as const } : {}),
    run: async ({ text }) => {
      ran.push(`${name} ${text}`);
      return { content: `${name} ${text}` };
    },
  });
  const tools = [replays("Safe", true), replays("Once", false)];
  const calls = [says("a", "Safe"), says("b", "Once"), says("c", "Safe")];
  // The process ends while all of them run: the store has the calls and no result.
  let killed = false;
  const append = store.append.bind(store);
  const dying = {
    ...store,
    append: async (...given: Parameters<typeof append>) => {
      if (isResult(given[0])) killed = true;
      if (!killed) await append(...given);
    },
    save: async () => {},
  };
  const { agent } = agentOf([{ tool_calls: calls }], {
    store: dying,
    tools,
    session: { agent_id: "one", session_id: "one" },
  });
  await agent.run("go");
  ran.length = 0;
  const again = await Agent.resume("one", { model: scriptedModel([{ text: "done" }]), tools, store });
  expect(await again.continue()).toMatchObject({ text: "done" });
  await again.close();
  expect(ran).toEqual(["Safe a", "Safe c"]);
});
