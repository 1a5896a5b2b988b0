import { createHooks, keepGoing } from "tenterhook";
import { defaultTools } from "tenterhook/agent";
import { expect, it } from "vitest";
import { agentOf, says } from "./support/agents.ts";
import { both, task, toolsWith } from "./support/tasks.ts";

it("AgentStop and SubagentStop say what the work took", async () => {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on(["AgentStop", "SubagentStop"], ({ hook_event_name, agent_type, ...event }) => {
    const { tool_use_count, iterations, usage } = event;
    seen.push([hook_event_name, agent_type, tool_use_count, iterations, (usage?.total_tokens ?? 0) > 0]);
  });
  let kept = false;
  hooks.on("SubagentStop", () => {
    if (kept) return undefined;
    kept = true;
    return keepGoing("Look once more.");
  });
  const child = [
    { tool_calls: [says("a"), says("b")] },
    { text: "Seen." },
    { tool_calls: [says("c")] },
    { text: "Seen again." },
  ];
  const { steps } = both(
    [{ tool_calls: [task({ agent_type: "general-purpose" })] }, { text: "Fine." }],
    child,
  );
  const { agent } = agentOf(steps, { hooks, tools: toolsWith() });
  await agent.run("Delegate.");
  expect(seen).toEqual([
    ["SubagentStop", "general-purpose", 2, 2, true],
    ["SubagentStop", "general-purpose", 3, 4, true],
    ["AgentStop", "general-purpose", 3, 4, true],
    ["AgentStop", "main", 1, 2, true],
  ]);
});

it("ModeChanged says which mode follows which, also when a plan is approved", async () => {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on("ModeChanged", ({ old_mode, new_mode, tool_use_id }) => {
    seen.push([old_mode, new_mode, typeof tool_use_id]);
  });
  const steps = [
    { tool_calls: [{ name: "EnterPlanMode", input: {} }] },
    { tool_calls: [{ name: "EnterPlanMode", input: {} }] },
    { tool_calls: [{ name: "ExitPlanMode", input: { plan: "Do it." } }] },
    { text: "done" },
  ];
  const answers = { approval: () => true, permissions: { mode: "accept-edits" } } as const;
  const { agent } = agentOf(steps, { hooks, tools: defaultTools(), ...answers });
  await agent.run("Plan, then do it.");
  expect(seen).toEqual([
    ["accept-edits", "plan", "string"],
    ["plan", "accept-edits", "string"],
  ]);
});

it("ModeChanged is not fired for a plan that is refused", async () => {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on("ModeChanged", ({ new_mode }) => void seen.push(new_mode));
  const steps = [
    { tool_calls: [{ name: "EnterPlanMode", input: {} }] },
    { tool_calls: [{ name: "ExitPlanMode", input: { plan: "Do it." } }] },
  ];
  const { agent } = agentOf(steps, { hooks, tools: defaultTools(), approval: () => false, permissions: {} });
  await agent.run("Plan, then do it.");
  expect(seen).toEqual(["plan"]);
});
