import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { USUAL_ADAPTER } from "../../src/adapters/agents.ts";
import { decideWithEngine } from "../../src/cli/hook/decide-with-engine.ts";
import { decideWithoutEngine } from "../../src/cli/hook/quick/decide-without-engine.ts";
import { NEW_REPLY } from "../../src/cli/hook/startup/write-reply.ts";
import { eventConfig } from "../../src/config/cache/event-config.ts";
import type { Config, ConfigDefinition } from "../../src/config/config.ts";
import { loadConfig } from "../../src/config/load.ts";
import type { Definition } from "../../src/config/schema/definition.ts";
import type { Decided } from "../../src/core/decide/observers.ts";
import { runs } from "../support/soak.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { newProject, shellCall } from "./support/project.ts";
import { userEnvironment } from "./support/run-cli.ts";

const word = fc.constantFrom("alpha", "beta", "gamma", "delta", "'epsilon'", "zeta;");
const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("deny", "ask", "allow", "context").map((name) => ({ action: name })),
  },
  fc.constantFrom("continue", "stop").map((name) => ({ action: name })),
  word.map((to) => ({ action: "modify", modify_field: "command", modify_value: to })),
);
const rule = fc
  .record({
    field: seldom(fc.constantFrom("tool", "event")).map((field) => field ?? "command"),
    operator: fc.oneof(fc.constant("contains"), fc.constantFrom("matches", "runs", "equals")),
    // The last one fails when it is asked.
    value: fc.oneof({ weight: 8, arbitrary: word }, fc.constantFrom("ga.ma", "Bash", "PreToolUse", "(")),
    action,
    reason: fc.constantFrom("No.", "Why {{command}}?"),
  })
  .map(({ action: does, reason, ...test }) => {
    const withReason = !["modify", "continue"].includes(does.action);
    return { ...test, ...does, ...(withReason ? { reason } : {}) };
  });

const hook = fc.record({
  enabled: seldom(fc.constant(false)).map((off) => off ?? true),
  scope: fc.constantFrom("managed", "user", "project", "local"),
  settings: fc.record(
    {
      priority: fc.constantFrom(50, 100, 150),
      observe: fc.constantFrom(false, false, true),
      parallel: fc.boolean(),
      recheck: fc.constantFrom(true, true, false),
    },
    { requiredKeys: [] },
  ),
  once: seldom(fc.constant(true)),
  events: fc.constantFrom(
    ["PreToolUse"],
    ["PreToolUse"],
    ["PreToolUse", "PostToolUse"],
    ["PreToolUse", "Error"],
    ["Error"],
  ),
  tools: fc.oneof(fc.constantFrom(undefined, "Bash", "bash|Write", "Write"), seldom(fc.constant("/^Ba/"))),
  rules: fc.array(rule, { minLength: 1, maxLength: 2 }),
} as const);

type GivenHook = typeof hook extends fc.Arbitrary<infer Given> ? Given : never;

function definitionOf(given: GivenHook, number: number, root: string): ConfigDefinition {
  const { enabled, scope, settings, once, events, tools, rules } = given;
  const name = `hook-${number}`;
  const matcher = { events: [...events], ...(tools === undefined ? {} : { tools }) };
  const definition: Definition = {
    name,
    type: "inline",
    matcher,
    // All that a rule can do about an error.
    inline_rules:
      events[0] === "Error" ? [{ field: "error_type", operator: "exists", action: "stop" }] : rules,
    ...settings,
    ...(once === undefined ? {} : { once }),
  };
  return { name, definition, enabled, origin: { scope, file: join(root, "hooks.yaml"), line: number }, root };
}

/** Without what is never the same twice. */
function comparable({ event, decision }: Decided): unknown {
  const { event_id: _, timestamp: __, ...rest } = event;
  const ran = decision.runs.map(({ event_id: ___, started_at: ____, duration_ms: _____, ...run }) => run);
  return { event: rest, decision: { ...decision, runs: ran } };
}

const RUNS = runs(400, 20_000);
let users = 0;

/** Decides a call with the engine, and without it where that is possible. */
async function bothWays(base: Config, root: string, hooks: readonly GivenHook[], command: string) {
  const definitions = hooks.map((given, number) => definitionOf(given, number, root));
  const config = eventConfig({ ...base, definitions }, "PreToolUse");
  const adapter = USUAL_ADAPTER;
  const event = adapter.decode({ session_id: "s", cwd: root, tool_use_id: "t", ...shellCall(command) });
  const decision = await decideWithoutEngine(config, event);
  if (decision === undefined) return undefined;
  const { reply, decided } = await decideWithEngine({
    adapter,
    event,
    text: "",
    config,
    // Each a user of his own: what another process has decided is not decided again.
    environment: userEnvironment(join(root, `user-${users++}`)),
    notice: undefined,
    configOf: async () => config,
    state: { ...NEW_REPLY },
  });
  return {
    withEngine: { reply, decided: decided.map(comparable) },
    without: {
      reply: adapter.encode(decision.decision, event, config.settings.degrade),
      decided: [comparable(decision)],
    },
  };
}

describe("an event to which no hook has anything to say", () => {
  it("is decided without the engine exactly as the engine decides it", async () => {
    const root = temporaryFolder();
    const base = await loadConfig({ cwd: root, environment: userEnvironment(root) });
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(hook, { minLength: 1, maxLength: 5 }),
        fc.array(word, { minLength: 1, maxLength: 3 }),
        async (hooks, words) => {
          const decided = await bothWays(base, root, hooks, words.join(" "));
          if (decided === undefined) return;
          expect(decided.without).toEqual(decided.withEngine);
          compared += 1;
        },
      ),
      { numRuns: RUNS },
    );
    // A law that is never put to the test proves nothing.
    expect(compared).toBeGreaterThan(RUNS / 40);
  }, 600_000);

  it("is recorded with every hook in its place, as an event is that the engine decides", async () => {
    const project = newProject();
    const names = ["late", "first", "push", "second"];
    await project.configure(
      names.map((name) => ({
        name,
        type: "inline",
        matcher: { events: ["PreToolUse"] },
        inline_rules: [
          { field: "command", operator: "contains", value: name, action: "deny", reason: "No." },
        ],
        ...(name === "late" ? { priority: 200 } : {}),
      })),
    );
    for (const command of ["ls", "ls", "git push"]) await project.hook(shellCall(command));
    const silent = (name: string) => ({ name, handler: "inline" });
    const denied = { ...silent("push"), outcome: { action: "deny", reason: "No." } };
    const guard = silent("tenterhook:self-protection");
    const nothing = ["tenterhook:self-protection", "first", "push", "second", "late"].map(silent);
    expect(project.journal().map(({ runs: ran }) => ran)).toEqual(
      [nothing, nothing, [guard, silent("first"), denied, silent("second"), silent("late")]].map((all) =>
        all.map((run) => expect.objectContaining(run)),
      ),
    );
  });

  it("is left to the engine when rules see more than the agent sent, such as earlier continuations", async () => {
    const project = newProject();
    const rule = { field: "continuations", operator: "equals", value: 0, action: "stop", reason: "Once." };
    await project.configure([
      { name: "once", type: "inline", matcher: { events: ["Stop"] }, inline_rules: [rule] },
    ]);
    const { stdout } = await project.hook({ hook_event_name: "Stop", stop_hook_active: false });
    expect(JSON.parse(stdout)).toEqual({ continue: false, stopReason: "Once." });
  });

  it.each([
    { hook_event_name: "PreToolUse", tool_name: "AskUserQuestion", tool_input: { questions: [] } },
    { hook_event_name: "PreToolUse", tool_name: "exit_plan_mode", tool_input: { plan: "Go." } },
    { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command: "ls" } },
    { hook_event_name: "Notification", notification_type: "idle_prompt", message: "Waiting." },
  ])("is left to the engine when the agent asks a human: $hook_event_name of $tool_name", async (payload) => {
    const root = temporaryFolder();
    const base = await loadConfig({ cwd: root, environment: userEnvironment(root) });
    const config = eventConfig({ ...base, guards: [] }, payload.hook_event_name);
    const event = USUAL_ADAPTER.decode({ session_id: "s", cwd: root, tool_use_id: "t", ...payload });
    expect(await decideWithoutEngine(config, event)).toBeUndefined();
  });

  it("is left to the engine when a rule reads what the turn has used, and only then", async () => {
    const root = temporaryFolder();
    const base = await loadConfig({ cwd: root, environment: userEnvironment(root) });
    const origin = { scope: "project", file: join(root, "hooks.yaml"), line: 1 } as const;
    const call = { session_id: "s", cwd: root, tool_use_id: "t", ...shellCall("ls") };
    const isLeft = async (condition: string): Promise<boolean> => {
      const matcher = { events: ["PreToolUse"] };
      const rules = `${condition} -> deny("No.")`;
      const definition: Definition = { name: "no", type: "inline", matcher, rules };
      const definitions = [{ name: "no", definition, enabled: true, origin, root }];
      const config = eventConfig({ ...base, guards: [], definitions }, "PreToolUse");
      return (await decideWithoutEngine(config, USUAL_ADAPTER.decode(call))) === undefined;
    };
    expect(await isLeft('args.command contains "rm" and usage.total_tokens > 5')).toBe(true);
    expect(await isLeft('args.command contains "rm"')).toBe(false);
  });
});
