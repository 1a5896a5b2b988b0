// Claude Agent SDK: callbacks for the events of Claude Code. It starts a program of its own, and a model answers: not run here.
import { query } from "@anthropic-ai/claude-agent-sdk";

async function run(hooks) {
  for await (const _ of query({ prompt: "Go.", options: { hooks } }));
}

export async function block() {
  // #region block
  const noPush = async ({ tool_input }) =>
    tool_input.command.startsWith("git push")
      ? {
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "deny",
            permissionDecisionReason: "Pushing is for humans.",
          },
        }
      : {};
  const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [noPush] }] };
  // #endregion
  return run(hooks);
}

export async function rewrite() {
  // #region rewrite
  const dryRun = async ({ tool_input }) =>
    tool_input.command === "npm publish"
      ? {
          hookSpecificOutput: {
            hookEventName: "PreToolUse",
            permissionDecision: "allow",
            updatedInput: { ...tool_input, command: "npm publish --dry-run" },
          },
        }
      : {};
  const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [dryRun] }] };
  // #endregion
  return run(hooks);
}

export async function context() {
  // #region context
  const branch = async () => ({
    hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "The branch is main." },
  });
  const hooks = { UserPromptSubmit: [{ hooks: [branch] }] };
  // #endregion
  return run(hooks);
}

export async function keepGoing(_model, testsPass) {
  // #region keepGoing
  const tests = async () => (testsPass() ? {} : { decision: "block", reason: "The tests fail." });
  const hooks = { Stop: [{ hooks: [tests] }] };
  // #endregion
  return run(hooks);
}
