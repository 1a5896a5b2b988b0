import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { context, createHooks, deny, keepGoing } from "tenterhook";
import { Agent, type AgentItem, defaultTools, scriptedModel, type Tool } from "tenterhook/agent";
import { memoryStore } from "tenterhook/stores";
import { describe, expect, it } from "vitest";
import { agentOf, echo, says, scratch, story } from "./support/agents.ts";

type Step = { text?: string; tool_calls?: { name: string; input: Record<string, unknown> }[] };
const TASK = "CHILD: look at it.";

function task(more: Record<string, unknown> = {}) {
  return {
    name: "Task",
    input: { agent_type: "general-purpose", task: TASK, description: "look", ...more },
  };
}

/** A model for parent and child: each plays its own steps, whichever is asked first. */
function both(parent: readonly Step[], child: readonly Step[]) {
  const left = { parent: [...parent], child: [...child] };
  const prompts: string[] = [];
  const play = ({ prompt }: { prompt: readonly { role: string; content: unknown }[] }): Step => {
    const first = prompt.find(({ role }) => role === "user");
    const whose = JSON.stringify(first?.content).includes("CHILD:") ? "child" : "parent";
    if (whose === "child") prompts.push(JSON.stringify(prompt));
    return left[whose].shift() ?? { text: `${whose} is past the end` };
  };
  return { steps: Array.from({ length: 20 }, () => play), prompts };
}

const tools = [...defaultTools(), echo];

it("answers with its id, what it did and what it used, and is kept", async () => {
  const store = memoryStore();
  const { steps } = both(
    [{ tool_calls: [task()] }, { text: "Fine." }],
    [{ tool_calls: [says("a")] }, { text: "Seen." }],
  );
  const hooks = createHooks();
  const responses: unknown[] = [];
  hooks.on("PostToolUse", { tools: ["Task"] }, ({ tool_response }) => {
    responses.push(tool_response);
  });
  const { agent } = agentOf(steps, { tools, store, hooks });
  const { text, usage } = await agent.run("Delegate.");
  expect(text).toBe("Fine.");
  const [child] = (await store.list({ parent_agent_id: agent.agent_id })).transcripts;
  expect(child).toMatchObject({
    session_id: agent.session_id,
    parent_agent_id: agent.agent_id,
    agent_type: "general-purpose",
    status: "complete",
    title: TASK,
  });
  expect(responses).toEqual([
    {
      agent_id: child?.agent_id,
      content: "Seen.",
      iterations: 2,
      tool_use_count: 1,
      usage: child?.usage,
      transcript_saved: true,
    },
  ]);
  expect(story(agent.transcript())[2]).toBe(`tool answers: Seen.\n\n(agent_id: ${child?.agent_id})`);
  const ofChild = child?.usage?.total_tokens ?? 0;
  expect(ofChild).toBeGreaterThan(0);
  expect(usage.total_tokens).toBeGreaterThan(ofChild);
  expect(agent.usage).toEqual(usage);
});

it("works under the hooks and permissions of its parent, whatever its definition says", async () => {
  const hooks = createHooks();
  const judged: unknown[] = [];
  hooks.on("PreToolUse", { tools: ["Echo"] }, ({ agent_id, parent_agent_id }) => {
    judged.push([agent_id !== parent_agent_id, parent_agent_id]);
    return deny("Not even for children.");
  });
  const { steps, prompts } = both(
    [{ tool_calls: [task()] }],
    [
      { tool_calls: [says("a")] },
      { tool_calls: [{ name: "Forbidden", input: { text: "b" } }] },
      { text: "No." },
    ],
  );
  const ran: string[] = [];
  const forbidden: Tool = {
    ...echo,
    name: "Forbidden",
    run: async () => {
      ran.push("Forbidden");
      return { content: "" };
    },
  };
  const { agent } = agentOf(steps, {
    tools: [...tools, forbidden],
    hooks,
    permissions: {
      check: ({ tool_name }) =>
        tool_name === "Forbidden" ? { action: "deny", reason: "A rule says no." } : { action: "allow" },
    },
  });
  await agent.run("Delegate.");
  expect([judged, ran]).toEqual([[[true, agent.agent_id]], []]);
  expect(prompts.at(-1)).toContain("Not even for children.");
  expect(prompts.at(-1)).toContain("A rule says no.");
});

it("fires SubagentStart and SubagentStop in the place of the user's events", async () => {
  const hooks = createHooks();
  const events: string[] = [];
  for (const name of [
    "UserPromptSubmit",
    "TurnStart",
    "AgentStart",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "AgentStop",
    "TurnEnd",
  ] as const)
    hooks.on(name, ({ agent_type }) => {
      events.push(`${name} ${agent_type}`);
    });
  hooks.on("SubagentStart", () => context("Mind the gap."));
  hooks.on("SubagentStop", ({ stop_hook_active }) =>
    stop_hook_active ? undefined : keepGoing("Look twice."),
  );
  const { steps, prompts } = both(
    [{ tool_calls: [task()] }, { text: "Fine." }],
    [{ text: "1" }, { text: "2" }],
  );
  const { agent } = agentOf(steps, { tools, hooks });
  await agent.run("Delegate.");
  const child = "general-purpose";
  expect(events).toEqual([
    "UserPromptSubmit main",
    "TurnStart main",
    "AgentStart main",
    `SubagentStart ${child}`,
    `AgentStart ${child}`,
    `SubagentStop ${child}`,
    `SubagentStop ${child}`,
    `AgentStop ${child}`,
    "Stop main",
    "AgentStop main",
    "TurnEnd main",
  ]);
  expect(prompts[0]).toContain("Mind the gap.");
  expect(prompts[1]).toContain("Look twice.");
});

it("does not start when a hook denies it", async () => {
  const hooks = createHooks();
  hooks.on("SubagentStart", () => deny("No helpers today."));
  const { steps, prompts } = both([{ tool_calls: [task()] }, { text: "Alone then." }], []);
  const { agent } = agentOf(steps, { tools, hooks });
  await agent.run("Delegate.");
  expect(prompts).toEqual([]);
  expect(story(agent.transcript())[2]).toBe(
    "tool fails: A hook did not let the subagent start: No helpers today.",
  );
});

describe("definitions", () => {
  function workspace(files: Record<string, string>): string {
    const cwd = scratch();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(cwd, path, ".."), { recursive: true });
      writeFileSync(join(cwd, path), text);
    }
    return cwd;
  }

  it("narrow tools and rounds, and bring a prompt", async () => {
    const cwd = workspace({
      ".claude/agents/reader.md":
        "---\nname: reader\ndescription: Reads.\ntools: Read, Echo, Unknown\ndisallowed-tools: [Echo]\nmodel: sonnet\nmax-iterations: 1\n---\nYou only read.\n",
    });
    const seen: unknown[] = [];
    const { steps } = both([{ tool_calls: [task({ agent_type: "reader" })] }, { text: "ok" }], []);
    const spy = (request: Parameters<(typeof steps)[number]>[0] & { tools?: { name: string }[] }) => {
      if (JSON.stringify(request.prompt).includes("You only read."))
        seen.push((request.tools ?? []).map(({ name }) => name));
      return steps[0]?.(request) ?? {};
    };
    const { agent } = agentOf([spy, spy, spy, spy], { cwd, tools });
    await agent.run("Delegate.");
    expect(seen).toEqual([["Read"]]);
  });

  it.each([
    ["unknown", 'There is no subagent "unknown". There are:\n- general-purpose: Works on any task'],
    ["elsewhere", "model names a server; only the options of the agent may do that"],
    ["broken", "it does not begin with front matter"],
  ])("%s is an answer that says what can be done", async (agent_type, expected) => {
    const cwd = workspace({
      ".tenterhook/agents/elsewhere.md": "---\nmodel: openai-compatible:http://evil.test/v1/m\n---\n",
      ".tenterhook/agents/broken.md": "no front matter",
    });
    const { steps } = both([{ tool_calls: [task({ agent_type })] }, { text: "ok" }], []);
    const { agent } = agentOf(steps, { cwd, tools });
    await agent.run("Delegate.");
    expect(story(agent.transcript())[2]).toContain(expected);
  });
});

it("goes on with the same subagent by its id, and with no other's", async () => {
  const store = memoryStore();
  const { steps, prompts } = both([{ tool_calls: [task()] }], [{ text: "First." }, { text: "Second." }]);
  const { agent } = agentOf(steps, { tools, store });
  await agent.run("Delegate.");
  const id = (await store.list({ parent_agent_id: agent.agent_id })).transcripts[0]?.agent_id ?? "";
  const resume = (resume_agent_id: string) => ({
    tool_calls: [task({ task: "CHILD: more", resume_agent_id })],
  });
  const next = agentOf([resume(id), resume(agent.agent_id), { text: "ok" }], { tools, store });
  await next.agent.run("Steal.");
  expect(story(next.agent.transcript()).filter((line) => line.startsWith("tool"))).toEqual([
    `tool fails: You have not started a subagent "${id}".`,
    `tool fails: You have not started a subagent "${agent.agent_id}".`,
  ]);
  const again = both([resume(id), { text: "ok" }], [{ text: "Second." }]);
  const resumed = await Agent.resume(agent.agent_id, { model: scriptedModel(again.steps), tools, store });
  await resumed.run("Go on.");
  await resumed.close();
  expect(again.prompts[0]).toContain("First.");
  expect(story(resumed.transcript()).at(-2)).toBe(`tool answers: Second.\n\n(agent_id: ${id})`);
  expect(prompts).toHaveLength(1);
});

it("ends with its parent's turn, and both are kept", async () => {
  const store = memoryStore();
  const { steps } = both([{ tool_calls: [task()] }], [{ tool_calls: [says("a", "Wait")] }]);
  const wait: Tool = { ...echo, name: "Wait", run: () => new Promise(() => {}) };
  const { agent } = agentOf(steps, { tools: [...tools, wait], store });
  const { stop_reason } = await agent.run("Delegate.", {
    onItem: (item: AgentItem) => {
      if (item.type === "subagent" && item.item.type === "tool_call") setImmediate(() => agent.interrupt());
    },
  });
  expect(stop_reason).toBe("cancelled");
  const { transcripts } = await store.list({ session_id: agent.session_id });
  expect(transcripts.map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
  const child = transcripts.find(({ parent_agent_id }) => parent_agent_id !== undefined);
  expect((await store.load(child?.agent_id ?? ""))?.messages.at(-1)).toMatchObject({ ended: "cancelled" });
});

it("in the background delivers its result later", async () => {
  const { steps } = both(
    [
      { tool_calls: [task({ run_in_background: true })] },
      { tool_calls: [says("meanwhile", "Until")] },
      { text: "ok" },
    ],
    [{ text: "Late." }],
  );
  const hooks = createHooks();
  let isOver = () => {};
  const over = new Promise<void>((resolve) => {
    isOver = resolve;
  });
  hooks.on("AgentStop", { agents: ["general-purpose"] }, () => isOver());
  const until: Tool = {
    ...echo,
    name: "Until",
    run: async () => {
      await over;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { content: "now" };
    },
  };
  const { agent } = agentOf(steps, { tools: [...tools, until], hooks });
  await agent.run("Delegate.");
  const lines = story(agent.transcript());
  expect(lines[2]).toMatch(/^tool answers: The subagent sub-[0-9a-f]+ works in the background/);
  expect(lines.find((line) => line.includes("which ran in the background, is done"))).toContain("Late.");
});

it("may not start others below a depth", async () => {
  const names: unknown[] = [];
  const { steps } = both([{ tool_calls: [task()] }], [{ text: "ok" }]);
  const spy = (request: Parameters<(typeof steps)[number]>[0] & { tools?: { name: string }[] }) => {
    names.push((request.tools ?? []).some(({ name }) => name === "Task"));
    return steps[0]?.(request) ?? {};
  };
  const { agent } = agentOf([spy, spy, spy], { tools, limits: { agent_depth: 2 } });
  await agent.run("Delegate.");
  expect(names).toEqual([true, false, true]);
});
