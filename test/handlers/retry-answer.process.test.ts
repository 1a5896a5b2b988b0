import { createHooks, type HookDefinition } from "tenterhook";
import { describe, expect, it } from "vitest";
import { HERE } from "../support/events.ts";

const FAILED = {
  ...HERE,
  hook_event_name: "Error",
  error_type: "rate_limit",
  error_message: "Slow.",
} as const;
const ASKED = { ...HERE, hook_event_name: "AgentPrompt", prompt_type: "question" } as const;
const on = (event: "Error" | "AgentPrompt") => ({ matcher: { events: [event] } });

async function decided(definition: Partial<HookDefinition>, event: typeof FAILED | typeof ASKED) {
  const hooks = createHooks();
  await hooks.add({ name: "hook", type: "inline", ...on(event.hook_event_name), ...definition });
  const { retry, answer, runs } = await hooks.fire(event);
  await hooks.close();
  return { retry, answer, failure: runs[0]?.failure };
}

describe("retry and answer", () => {
  it.each<[string, Partial<HookDefinition>]>([
    ["a line", { rules: 'error_type equals "rate_limit" -> retry("Again.")' }],
    [
      "an object",
      {
        inline_rules: [
          { field: "error_type", operator: "equals", value: "rate_limit", action: "retry", reason: "Again." },
        ],
      },
    ],
    ["a reply", { type: "command", command: `echo '{"action": "retry", "reason": "Again."}'` }],
  ])("are given by %s: retry, by the type of the error", async (_, definition) => {
    expect(await decided(definition, FAILED)).toEqual({ retry: { reason: "Again." } });
    if (definition.type === undefined)
      expect(await decided(definition, { ...FAILED, error_type: "hook_error" as never })).toEqual({});
  });

  it.each<[string, Partial<HookDefinition>, unknown]>([
    [
      "a line",
      { rules: 'prompt_type equals "question" -> answer("Yes, {{prompt_type}}.")' },
      "Yes, question.",
    ],
    [
      "an object",
      {
        inline_rules: [
          { field: "prompt_type", operator: "equals", value: "question", action: "answer", reason: "Yes." },
        ],
      },
      "Yes.",
    ],
    ["a reply", { type: "command", command: `echo '{"action": "answer", "answer": {"a": 1}}'` }, { a: 1 }],
  ])("are given by %s: answer", async (_, definition, answer) => {
    expect(await decided(definition, ASKED)).toEqual({ answer });
  });

  it.each<[string, Partial<HookDefinition>]>([
    ["without an answer", { command: `echo '{"action": "answer"}'` }],
    ["with an answer to nothing", { command: `echo '{"action": "continue", "answer": "x"}'` }],
    ["on another event", { command: `echo '{"action": "retry"}'` }],
  ])("are bad output %s", async (_, definition) => {
    const { failure } = await decided({ type: "command", ...definition }, ASKED);
    expect(failure?.kind).toBe("bad_output");
  });

  it.each([
    ['tool equals "X" -> answer()', /answer/],
    ['prompt_type equals "x" -> retry()', /retry, which AgentPrompt can't have/],
  ])("are refused where they mean nothing: %s", async (rules, message) => {
    await expect(decided({ rules }, ASKED)).rejects.toThrow(message);
  });
});
