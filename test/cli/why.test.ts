import fc from "fast-check";
import { createHooks, type EventInput, type Hook, type Matcher } from "tenterhook";
import { describe, expect, it } from "vitest";
import { matcherPorts, whyMatched } from "../../src/cli/commands/hooks/explain/why.ts";
import type { AnyEvent } from "../../src/core/events/payloads.ts";
import { bashCall } from "../support/events.ts";
import { runs } from "../support/long.ts";

/** Fires an event at one hook; tells whether it ran and what is said about why. */
async function asked(matcher: Matcher, event: EventInput<"PreToolUse">) {
  const hooks = createHooks();
  hooks.on("PreToolUse", { name: "h", matcher }, () => undefined);
  let seen: AnyEvent | undefined;
  hooks.observe({
    onDecision: (decided) => {
      seen = decided.event;
    },
  });
  const decision = await hooks.fire(event);
  const [hook] = hooks.list();
  if (hook === undefined || seen === undefined) throw new Error("There is no hook.");
  return { ran: decision.runs.length > 0, ...(await whyMatched(hook, seen, matcherPorts())) };
}

describe("why a hook is asked", () => {
  it.each<[Matcher, Partial<EventInput<"PreToolUse">>, boolean, string]>([
    [{}, {}, true, "it wants every PreToolUse"],
    [{ tools: ["Write", "Edit"] }, {}, false, "tools: Bash is not Write|Edit"],
    [{ tools: "run_shell_command" }, {}, true, "tools: Bash fits run_shell_command"],
    [{ path_patterns: "*.py" }, {}, false, "path_patterns: the event names no path"],
    [
      { path_patterns: "*.py" },
      { tool_name: "Read", tool_input: { file_path: "a.ts" } },
      false,
      "path_patterns: a.ts is not *.py",
    ],
    [{ command_patterns: ["git *"] }, {}, false, "command_patterns: ls is not git *"],
    [{ session_types: "subagent" }, {}, false, "session_types: root is not subagent"],
    [{ agents: "reviewer" }, { agent_type: "coder" }, false, "agents: coder, s1 is not reviewer"],
    [{ hosts: "claude" }, { host: "codex" }, false, "hosts: codex is not claude"],
    [
      { domains: "example.org" },
      { tool_name: "WebFetch", tool_input: { url: "https://example.org/x" } },
      true,
      "domains: example.org fits example.org",
    ],
    [{ when: 'command contains "rm"' }, {}, false, 'when: command contains "rm" does not hold'],
    [{ hook_turns: false }, { is_hook_input_turn: true }, false, "hook_turns: a hook started this turn"],
    [
      { tools: "Bash", command_patterns: "ls" },
      {},
      true,
      "tools: Bash fits Bash; command_patterns: ls fits ls",
    ],
  ])("%j: %j", async (matcher, more, matched, why) => {
    expect(await asked(matcher, bashCall("ls", more))).toEqual({ ran: matched, matched, why });
  });

  it("is told of a hook that is off, and of one for another event", async () => {
    const hooks = createHooks();
    hooks.on("Stop", { name: "stop" }, () => undefined);
    hooks.on("PreToolUse", { name: "off", enabled: false }, () => undefined);
    const event: AnyEvent = {
      ...bashCall(),
      cwd: "/project",
      event_id: "",
      seq: 1,
      timestamp: "",
      agent_id: "",
      agent_type: "",
      host: "",
    };
    const reasons = await Promise.all(
      hooks.list().map((hook: Hook) => whyMatched(hook, event, matcherPorts())),
    );
    expect(reasons).toEqual([
      { matched: false, why: "events: PreToolUse is not Stop" },
      { matched: false, why: "it is off" },
    ]);
  });

  it("is never another answer than the engine's", async () => {
    const name = fc.constantFrom("Bash", "Write", "Read|Edit", "mcp__*", "/^Ba/", "a", "b");
    const names = fc.array(name, { minLength: 1, maxLength: 2 });
    const matchers = fc.record<Matcher>(
      {
        tools: names,
        path_patterns: fc.constantFrom("*.py", "src/**", "/etc/*"),
        command_patterns: fc.constantFrom("ls *", "rm *", "/git/"),
        session_types: fc.constantFrom("root" as const, "subagent" as const),
        agents: names,
        hosts: names,
        hook_turns: fc.boolean(),
        when: fc.constantFrom('command contains "ls"', 'tool equals "Write"', "path exists"),
      },
      { requiredKeys: [] },
    );
    const events = fc.record({
      tool_name: fc.constantFrom("Bash", "Write", "mcp__a__b", "run_shell_command"),
      command: fc.constantFrom("ls -l", "rm x; git push", "true"),
      file_path: fc.constantFrom("src/a.py", "/etc/passwd", "b.ts"),
      agent_type: fc.constantFrom("a", "main"),
      host: fc.constantFrom("a", "b"),
      is_hook_input_turn: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(matchers, events, async (matcher, { command, file_path, ...more }) => {
        const { ran, matched, why } = await asked(matcher, {
          ...bashCall(),
          ...more,
          tool_input: { command, file_path },
        });
        expect([matched, why]).toEqual([ran, why]);
      }),
      { numRuns: runs(100) },
    );
  });
});
