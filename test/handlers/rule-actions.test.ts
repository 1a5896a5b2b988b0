import { createHooks, type EventName, type HookDefinition } from "tenterhook";
import { describe, expect, it } from "vitest";
import { RULE_ACTIONS } from "../../src/rules/rule.ts";
import { bashCall, HERE, stop } from "../support/events.ts";

const rule = (action: string, reason?: string) => ({
  field: "session_id",
  operator: "exists",
  action,
  ...(reason === undefined ? {} : { reason }),
});
const inline = (
  events: HookDefinition["matcher"]["events"],
  more: Partial<HookDefinition>,
): HookDefinition => ({
  name: "policy",
  type: "inline",
  matcher: { events },
  ...more,
});

describe("keep_going", () => {
  it.each([
    ["a line", { rules: 'last_assistant_message contains "later" -> keep_going("Not {{cwd}}: now.")' }],
    [
      "an object",
      {
        inline_rules: [
          {
            field: "last_assistant_message",
            operator: "contains",
            value: "later",
            action: "keep_going",
            reason: "Not {{cwd}}: now.",
          },
        ],
      },
    ],
  ])("keeps an agent and a subagent going, written as %s", async (_, more) => {
    const hooks = createHooks();
    await hooks.add(inline(["Stop", "SubagentStop"], more));
    const ends = (text: string) => ({ ...stop(), last_assistant_message: text });
    const reason = `Not ${HERE.cwd}: now.`;
    expect(await hooks.fire(ends("I do it later."))).toMatchObject({ keep_going: { reason } });
    expect((await hooks.fire(ends("Done."))).keep_going).toBeUndefined();
    const child = { agent_id: "a", agent_type: "reviewer", last_assistant_message: "later" };
    expect(await hooks.fire({ hook_event_name: "SubagentStop", ...HERE, ...child })).toMatchObject({
      keep_going: { reason },
    });
  });

  it.each<[readonly EventName[], string, RegExp]>([
    [["PreToolUse"], 'tool exists -> keep_going("on")', /keep_going, which PreToolUse can't have/],
    [["Stop"], "cwd exists -> keep_going()", /a string in quotes/],
    [["Stop"], 'cwd exists -> deny("Test it.")', /deny, which Stop can't have.* Write keep_going\(/],
    [["Stop"], 'cwd exists -> keep_goin("x")', /Did you mean "keep_going"/],
  ])("is refused where it means nothing: %j %s", async (events, rules, message) => {
    await expect(createHooks().add(inline(events, { rules }))).rejects.toThrow(message);
  });

  it("needs its text as an object, too", async () => {
    const added = createHooks().add(inline(["Stop"], { inline_rules: [rule("keep_going")] }));
    await expect(added).rejects.toThrow(/the action keep_going needs its text/);
  });
});

describe("an async hook in code", () => {
  it.each(
    Object.entries(RULE_ACTIONS).flatMap(([action, row]) =>
      !("effect" in row) || row.effect === "context" || row.effect === "rewrite"
        ? []
        : [[action, row.effect] as const],
    ),
  )("can't have a rule that says %s: it comes too late for %s", async (action, effect) => {
    const events = ["PreToolUse", "Stop", "Error", "AgentPrompt", "SessionStart"] as const;
    const added = createHooks().add(inline(events, { async: true, inline_rules: [rule(action, "x")] }));
    await expect(added).rejects.toThrow(
      `Hook "policy" is async and can only add context, but it has a rule for ${effect}.`,
    );
  });

  it.each([
    ["a rule", { rules: 'tool exists -> shadow deny("no")' }],
    ["the whole of it", { mode: "shadow" as const, rules: 'tool exists -> deny("no")' }],
  ])("shows what %s in shadow mode would do", async (_, more) => {
    const hooks = createHooks();
    await hooks.add(inline(["PreToolUse"], { async: true, ...more }));
    const call = { hook_event_name: "PreToolUse", session_id: "s", cwd: "/", tool_name: "Bash" } as const;
    const { action } = await hooks.fire({ ...call, tool_input: {}, tool_use_id: "t" });
    expect(action).toBe("continue");
    await hooks.close();
  });

  it("can't rewrite either, nor decide in a part of it", async () => {
    const hooks = createHooks();
    const set = inline(["PreToolUse"], { async: true, rules: 'tool exists -> set(args.command, "true")' });
    await expect(hooks.add(set)).rejects.toThrow(/can only add context, but it has a rule for rewrite/);
    const parts = [
      { type: "command", command: "true" },
      { type: "inline", rules: 'tool exists -> deny("no")' },
    ];
    const composed = inline(["PreToolUse"], { type: "all", async: true, all: parts });
    await expect(hooks.add(composed)).rejects.toThrow(/can only add context, but it has a rule for deny/);
  });

  it("adds context later, also from an event that takes none itself", async () => {
    const hooks = createHooks();
    await hooks.add(inline(["Stop"], { async: true, rules: 'cwd exists -> context("late")' }));
    await hooks.fire(stop());
    await hooks.settled();
    expect((await hooks.fire(bashCall())).context).toMatchObject([{ text: "late" }]);
  });
});
