import { answer, createHooks } from "tenterhook";
import { expect, it } from "vitest";
import { claude } from "../../src/adapters/claude/claude.ts";

it("an agent that can't take a result refuses the call, with the result as the reason", async () => {
  const event = claude.decode({
    hook_event_name: "PreToolUse",
    session_id: "s",
    cwd: "/",
    tool_name: "Bash",
    tool_input: { command: "rm -rf build" },
  });
  const hooks = createHooks();
  hooks.on("PreToolUse", { name: "dry-run" }, () => answer("It would delete build."));
  const reply = claude.encode(await hooks.fireUntyped(event), event);
  expect(JSON.parse(reply.stdout)).toMatchObject({
    hookSpecificOutput: {
      permissionDecision: "deny",
      permissionDecisionReason:
        "A hook has the result, so the tool does not run: It would delete build.\nClaude Code does not support answer on PreToolUse. It is refused instead.",
    },
  });
  expect(reply.losses).toMatchObject([{ effect: "answer", became: "deny" }]);
});
