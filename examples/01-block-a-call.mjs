// Refuse a tool call, with a reason the model can work with.
import { createHooks, deny } from "tenterhook";

const hooks = createHooks();

// `bash` fits Claude Code's Bash, Gemini's run_shell_command, Codex's exec_command …
hooks.on("PreToolUse", { name: "no-force-push", tools: ["bash"] }, ({ tool_input }) =>
  String(tool_input.command).includes("push --force")
    ? deny("Use --force-with-lease, or ask a human.")
    : undefined,
);

for (const command of ["git status", "git push --force origin main"]) {
  const decision = await hooks.fire({
    hook_event_name: "PreToolUse",
    session_id: "example",
    cwd: process.cwd(),
    tool_name: "Bash",
    tool_input: { command },
  });
  console.log(`${command} -> ${decision.action}${decision.reason ? `: ${decision.reason}` : ""}`);
}
