import { createHooks, deny, type HookOptions } from "tenterhook";
import { tool } from "tenterhook/agent";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { HERE } from "../support/events.ts";

const refund = tool({ name: "Refund", description: "", input: z.object({}), run: () => "" });
const charge = { name: "Charge" };

describe("a hook for", () => {
  it.each<[string, HookOptions, readonly string[]]>([
    ["a tool", { tools: refund }, ["Refund"]],
    ["tools and names", { tools: [refund, charge, "Pay*"] }, ["Refund", "Charge", "Payout"]],
    ["functions by name", { tools: { lookup: () => "", name: () => "" } }, ["lookup", "name"]],
    ["a tool under matcher", { matcher: { tools: refund } }, ["Refund"]],
  ])("%s is asked about calls of these tools alone", async (_, options, asked) => {
    const hooks = createHooks();
    hooks.on("PreToolUse", options, () => deny("no"));
    const denied = [];
    for (const tool_name of ["Refund", "Charge", "Payout", "lookup", "name", "Other"]) {
      const call = { ...HERE, hook_event_name: "PreToolUse", tool_name, tool_input: {} } as const;
      if ((await hooks.fire(call)).action === "deny") denied.push(tool_name);
    }
    expect(denied).toEqual(asked);
  });

  it("something that is no tool is refused", () => {
    const hooks = createHooks();
    const on = (tools: unknown) => hooks.on("PreToolUse", { tools: tools as never }, () => {});
    expect(() => on([{}])).toThrow(
      'Hook "PreToolUse#1": tools[0] is missing; it must be a non-empty string.',
    );
    expect(() => on(5)).toThrow("tools is 5");
  });
});
