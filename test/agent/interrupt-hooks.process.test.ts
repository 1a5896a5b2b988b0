import { abort, createHooks } from "tenterhook";
import { systemClock } from "tenterhook/core";
import { expect, it } from "vitest";
import { processesWith } from "../support/processes.ts";
import { agentOf, echo, says } from "./support/agents.ts";

const never = (): Promise<undefined> => new Promise(() => {});

it("hooks that hear of an interrupt share one deadline, and are ended when it is over", async () => {
  const asked: number[] = [];
  const clock = {
    ...systemClock,
    after: (milliseconds: number, call: () => void) => {
      asked.push(milliseconds);
      return systemClock.after(milliseconds, call);
    },
  };
  const run = (): Promise<never> => {
    setTimeout(() => agent.interrupt("Esc"));
    return new Promise(() => {});
  };
  const stubborn = { ...echo, name: "Stubborn", annotations: {}, run };
  const { agent, hooks } = agentOf([{ tool_calls: [says("a", "Stubborn")] }], {
    tools: [stubborn],
    ports: { clock },
  });
  const ended: unknown[] = [];
  const late = ["PostToolUseFailure", "Interrupt", "AgentStop", "TurnEnd"] as const;
  for (const event of late) hooks.on(event, { name: event, timeout: 600 }, never);
  hooks.observe({
    onRun: (event) => {
      if (event.type === "end") ended.push([event.hook, event.run.failure?.kind]);
    },
  });
  expect(await agent.run("go")).toMatchObject({ stop_reason: "cancelled" });
  // The tool has its own time to tidy up; then all hooks together have theirs, and Error hooks a little more.
  expect(asked.filter((milliseconds) => milliseconds < 1000)).toEqual([500, 300, 450]);
  expect(ended).toContainEqual(["PostToolUseFailure", "cancelled"]);
});

it("a hook that hears of an interrupt in time is heard, and so is a fast one after it", async () => {
  // Their time is as long as on a machine that does not make them wait.
  const after = (_: number, call: () => void) => systemClock.after(60_000, call);
  const { agent, hooks } = agentOf([{ text: "never", delay_ms: 60_000 }], {
    ports: { clock: { ...systemClock, after } },
  });
  const events: unknown[] = [];
  hooks.on(["Interrupt", "AgentStop", "TurnEnd"], async (event) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    events.push(event.hook_event_name);
    return undefined;
  });
  hooks.on("PreModelRequest", () => {
    setTimeout(() => agent.interrupt("Esc"), 20);
  });
  await agent.run("go");
  expect(events).toEqual(["Interrupt", "AgentStop", "TurnEnd"]);
});

it("a program of a hook that hears of an interrupt is dead when the run is over", async () => {
  const hooks = createHooks();
  await hooks.add({
    name: "slow",
    matcher: { events: ["AgentStop"] },
    type: "command",
    command: ["sh", "-c", "sleep 600"],
    timeout: 600,
  });
  const { agent } = agentOf([{ text: "never", delay_ms: 60_000 }], { hooks });
  hooks.on("PreModelRequest", () => {
    setTimeout(() => agent.interrupt("Esc"), 20);
  });
  const items: unknown[] = [];
  await agent.run("go", {
    onItem: (item) => item.type === "hook_end" && items.push([item.hook, item.run.failure?.kind]),
  });
  expect(items).toContainEqual(["slow", "cancelled"]);
  expect(processesWith(agent.session_id)).toEqual([]);
  await hooks.settled();
});

it("an interrupt ends the hooks that hear of a turn which another hook has ended", async () => {
  const { agent, hooks } = agentOf([{ text: "a".repeat(5000), delay_ms: 1 }]);
  hooks.on("PostModelResponse", () => abort("enough"));
  hooks.on("AgentStop", { timeout: 600 }, () => {
    setTimeout(() => agent.interrupt("Esc"));
    return never();
  });
  expect(await agent.run("go")).toMatchObject({ stop_reason: "aborted", text: "enough" });
});

it("an async hook at the end of an interrupted turn is ended too", async () => {
  const { agent, hooks } = agentOf([{ text: "never", delay_ms: 60_000 }]);
  const ended: unknown[] = [];
  hooks.on("AgentStop", { name: "beside", async: true, timeout: 600 }, never);
  hooks.observe({
    onRun: (event) => {
      if (event.type === "end") ended.push([event.hook, event.run.failure?.kind]);
    },
  });
  hooks.on("PreModelRequest", { name: "esc" }, () => {
    setTimeout(() => agent.interrupt("Esc"), 20);
  });
  await agent.run("go");
  await hooks.settled();
  expect(ended).toContainEqual(["beside", "cancelled"]);
});
