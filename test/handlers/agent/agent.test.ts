import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHooks, type HookDefinition } from "tenterhook";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A hook set whose judge plays a script in a folder. */
async function judged(
  steps: readonly unknown[],
  definition: Partial<HookDefinition> & Readonly<Record<string, unknown>> = {},
) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, "script.json"), JSON.stringify(steps));
  writeFileSync(join(cwd, "RULES.md"), "Nobody deploys on Fridays.\n");
  const hooks = createHooks();
  await hooks.add(
    {
      name: "judge",
      type: "agent",
      prompt: "Look at RULES.md. May {{tool}} run?",
      model: "scripted:script.json",
      matcher: { events: ["PreToolUse", "Stop"] },
      ...definition,
    },
    { root: cwd },
  );
  const here = { session_id: "s1", cwd };
  const call = { tool_name: "Bash", tool_input: { command: "./deploy.sh" } };
  const fire = () => hooks.fire({ hook_event_name: "PreToolUse", ...here, ...call });
  return { hooks, fire, here };
}

const look = { tool_calls: [{ name: "Read", input: { file_path: "RULES.md" } }] };
const objects = { text: '{"ok": false, "reason": "It is Friday."}' };

describe("an agent that judges", () => {
  it("an agent that judges looks around and objects", async () => {
    const { fire, hooks } = await judged([look, objects]);
    const decision = await fire();
    expect(decision).toMatchObject({ action: "deny", reason: "It is Friday." });
    expect(decision.runs).toMatchObject([{ name: "judge", handler: "agent", usage: {} }]);
    await hooks.close();
  });

  it("without an objection is no allow, and keeps an agent going with one", async () => {
    const { hooks, fire } = await judged([look, { text: '{"ok": true, "reason": ""}' }]);
    expect(await fire()).toMatchObject({ action: "continue" });
    await hooks.close();
    const stops = await judged([objects]);
    const stop = await stops.hooks.fire({ hook_event_name: "Stop", ...stops.here });
    expect(stop.keep_going).toMatchObject({ reason: "It is Friday." });
    await stops.hooks.close();
  });

  it.each(['```json\n{"ok": true, "reason": ""}\n```\n', ' \n{"ok": true, "reason": ""}\n', '{"ok": true}'])(
    "may put white space and a code fence around its verdict, and leave out the reason: %j",
    async (text) => {
      const { fire, hooks } = await judged([{ text }]);
      const { action, runs } = await fire();
      expect([action, runs[0]?.failure]).toEqual(["continue", undefined]);
      await hooks.close();
    },
  );

  it.each([
    [
      "code before it",
      'It has `if (x) { "a }` and { "ok": true }.\n```json\n{"ok": false, "reason": "{}"}\n```\n',
    ],
    ["data of its own", '{"decision": "deny", "details": {"file": "a"}, "reason": "Not on Friday."}'],
    ["words behind it", '{"ok": false, "reason": "No."}\nI hope this helps.'],
  ])("that objects with %s has failed, and the gate is closed", async (_, text) => {
    const { fire, hooks } = await judged([{ text }]);
    expect(await fire()).toMatchObject({ action: "deny", runs: [{ failure: { kind: "bad_output" } }] });
    await hooks.close();
  });

  it.each([
    ["writes", { tool_calls: [{ name: "Write", input: { file_path: "x", content: "" } }] }],
    ["runs commands", { tool_calls: [{ name: "Bash", input: { command: "touch x" } }] }],
  ])("never %s", async (_, step) => {
    const { fire, hooks } = await judged([step, objects]);
    expect(await fire()).toMatchObject({ action: "deny", reason: "It is Friday." });
    await hooks.close();
  });

  it.each([
    ["no verdict", [{ text: "Maybe." }], {}, "bad_output"],
    ["a model that fails", [{ error: { status: 400, message: "no" } }], {}, "error"],
    ["no such model", [], { model: "scripted:missing.json" }, "missing"],
    ["prose before a verdict", [{ text: 'All is well.\n{"ok": true, "reason": ""}' }], {}, "bad_output"],
    ["prose after a verdict", [{ text: '{"ok": true, "reason": ""}\nI hope this helps.' }], {}, "bad_output"],
    [
      "a second verdict",
      [{ text: '{"ok": true, "reason": ""}\n{"ok": true, "reason": ""}' }],
      {},
      "bad_output",
    ],
    ["too few turns", [look, look, { text: "Hm." }], { max_turns: 1 }, "bad_output"],
  ])("fails closed with %s", async (_, steps, definition, kind) => {
    const { fire, hooks } = await judged(steps, definition);
    const { action, runs } = await fire();
    expect([action, runs[0]?.failure?.kind]).toEqual(["deny", kind]);
    await hooks.close();
  });
});
