import { expect, it } from "vitest";
import { monitorOptions } from "../../src/cli/commands/agent/run/monitor-options.ts";
import type { MonitorSettings } from "../../src/shared/monitor/settings.ts";

const approval = async () => true;

/** How long people have for what our agent asks, with or without a terminal. */
function timesOf(monitor: MonitorSettings, at: { readonly approval?: typeof approval } = {}) {
  const settings = { monitor } as Parameters<typeof monitorOptions>[0]["settings"];
  return monitorOptions({ settings }, { environment: {}, ...at }).approval;
}

const HOLDS = { on_prompt: { action: "answer", wait: "10m" } } as const;
const SHORT = { decisions: { permission: { timeout: "6s" } } } as const;

it("the built-in agent waits for each kind of question as long as the configuration says", () => {
  expect(timesOf({ ...HOLDS, ...SHORT })).toEqual({ timeout: { permission: 6, plan: 600, question: 600 } });
});

it("at a terminal it waits for as long as its user needs, unless a time is set for what it asks", () => {
  expect(timesOf(HOLDS, { approval })).toBeUndefined();
  expect(timesOf({ ...HOLDS, ...SHORT }, { approval })).toEqual({ timeout: { permission: 6 } });
  expect(timesOf(SHORT, { approval })).toEqual({ timeout: { permission: 6 } });
  const defaults = { decisions: { question: { default: "Blue" } } };
  expect(timesOf({ ...HOLDS, ...defaults }, { approval })).toEqual({
    timeout: { question: 600 },
    answers: "Blue",
  });
});
