import { expect, it } from "vitest";
import { outcomeOf } from "../../../src/monitor/decisions/receipt.ts";
import { takeIn } from "../../../src/monitor/intake/take-in.ts";
import { createMonitor } from "../../../src/monitor/monitor.ts";
import type { MonitorEvent } from "../../../src/shared/monitor/events.ts";
import { COLOURS } from "../notify/support/chat-world.ts";
import { monitorEvent } from "../support/events.ts";
import { openStore } from "../support/open-store.ts";
import { ASKER, hookIn } from "../support/waiting-hook.ts";

const ME = { by: "anna", channel: "cli" } as const;
const WAITS = { waits_until: "2099-01-01T00:00:00.000Z", call_key: "k1", ...ASKER };
const PERMISSION = { prompt_type: "permission", question: { tool_name: "Bash", tool_input: {} } };
const QUESTION = { prompt_type: "question", question: [COLOURS] };
const result = (fields: object): MonitorEvent =>
  monitorEvent("agent:went_on", { call_key: "k1", result: "ran", ...fields });

/** What became of an answer that a hook was given, after what its agent reports next. */
async function fateOf(asked: object, choice: string, ...events: readonly MonitorEvent[]) {
  const store = await openStore();
  const prompt = monitorEvent("agent:prompt", { ...WAITS, ...asked });
  await takeIn(store, [prompt]);
  const monitor = createMonitor(store);
  const hook = hookIn(monitor, store, prompt);
  const { resolved } = await monitor.resolve(prompt.id, { choices: [choice] }, ME);
  await hook;
  expect(resolved?.fate).toBe("given");
  await takeIn(store, events);
  const [decision] = await store.decisions("all");
  return { fate: decision?.resolved?.fate, text: decision && outcomeOf(decision) };
}

it.each([
  ["a permission whose call has run", PERMISSION, "allow", result({})],
  ["a permission whose call has failed", PERMISSION, "allow", result({ result: "failed" })],
  ["a refusal that is the result of its call", PERMISSION, "deny", result({ result: "failed" })],
  [
    "a refusal whose call has no result when its turn ends",
    PERMISSION,
    "deny",
    monitorEvent("agent:stopped"),
  ],
  ["a question whose call says the same", QUESTION, "Red", result({ answers: { "Which colour?": "Red" } })],
  [
    "a hook's own question, as soon as the agent goes on",
    { ...QUESTION, call_key: undefined },
    "Red",
    result({}),
  ],
] as const)("an answer that was given is taken: %s", async (_, asked, choice, event) => {
  const { fate, text } = await fateOf(asked, choice, event);
  expect(fate).toBe("taken");
  expect(text).toMatch(/, given to the agent after \d+\.\d s and taken\.$/);
});

it.each([
  ["a permission that was refused there", PERMISSION, "allow", result({ result: "refused" })],
  ["a refusal whose call has run", PERMISSION, "deny", result({})],
  ["a question with another answer", QUESTION, "Red", result({ answers: { "Which colour?": "Blue" } })],
] as const)(
  "an answer that was given is not used when the terminal was faster: %s",
  async (_, asked, choice, event) => {
    const { fate, text } = await fateOf(asked, choice, event);
    expect(fate).toBe("unused");
    expect(text).toMatch(/, given to the agent after \d+\.\d s, which was answered in its terminal\.$/);
  },
);

it.each([
  ["the result of another call", result({ call_key: "k2" })],
  ["the end of the turn after a permission", monitorEvent("agent:stopped")],
  ["an interruption", monitorEvent("agent:interrupted")],
] as const)("an answer stays given after %s, which shows nothing", async (_, event) => {
  expect(await fateOf(PERMISSION, "allow", event, result({ call_key: "k3" }))).toMatchObject({
    fate: "given",
  });
});
