import { describe, expect, it } from "vitest";
import { createHooks } from "../../src/index.ts";

async function decided(rules: object, command: string) {
  const hooks = createHooks();
  await hooks.add({ name: "guard", type: "inline", matcher: { events: ["PreToolUse"] }, ...rules });
  return hooks.fire({
    hook_event_name: "PreToolUse",
    session_id: "s",
    cwd: "/project",
    tool_name: "Bash",
    tool_input: { command },
  });
}

const RULES = `command contains "push" -> shadow deny("No push.")
command contains "force" -> ask("Force?")
command contains "force" -> shadow ask("Never reached.")`;

describe("a shadow rule", () => {
  it("is recorded with what it would have done, and the rules below decide", async () => {
    const decision = await decided({ rules: RULES }, "git push --force");
    expect(decision).toMatchObject({ action: "ask", reason: "Force?" });
    expect(decision.runs).toMatchObject([
      {
        outcome: { action: "ask" },
        rule: { index: 1 },
        would: {
          action: "deny",
          reason: "No push.",
          rule: { index: 0, source: 'command contains "push" -> shadow deny("No push.")' },
        },
      },
    ]);
  });

  it("alone lets the call pass", async () => {
    const decision = await decided({ rules: RULES }, "git push");
    expect(decision.action).toBe("continue");
    expect(decision.runs).toMatchObject([{ would: { action: "deny" } }]);
    expect(decision.runs[0]).not.toHaveProperty("outcome");
  });

  it("can be one of a list, with mode: shadow", async () => {
    const rule = { field: "command", operator: "contains", value: "push", action: "deny", mode: "shadow" };
    expect((await decided({ inline_rules: [rule] }, "git push")).runs).toMatchObject([
      { would: { action: "deny" } },
    ]);
    await expect(decided({ inline_rules: [{ ...rule, mode: "dark" }] }, "ls")).rejects.toThrow(
      '"mode" must be enforce or shadow',
    );
  });

  it("shows a rewrite that it would have made", async () => {
    const rules = 'command equals "ls" -> shadow set(args.command, "ls -a")';
    const decision = await decided({ rules }, "ls");
    expect(decision.input).toBeUndefined();
    expect(decision.runs).toMatchObject([{ would: { action: "continue", rewrite: true } }]);
  });
});
