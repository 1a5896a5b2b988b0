import { describe, expect, it } from "vitest";
import { CLAUDE } from "./support/claude.ts";
import { clientProject } from "./support/client.ts";
import { CODEX } from "./support/codex.ts";
import { COPILOT } from "./support/copilot.ts";
import { GEMINI } from "./support/gemini.ts";
import { OPENCODE } from "./support/opencode.ts";
import { PI } from "./support/pi.ts";
import { QWEN } from "./support/qwen.ts";

const CLIENTS = [CLAUDE, CODEX, GEMINI, QWEN, COPILOT, OPENCODE, PI];

describe("what the real program has just recorded can be replayed", () => {
  it.each(CLIENTS)("by $title", async ({ agent, shell, run }) => {
    const project = clientProject();
    await run({ project, prompt: "begin it", script: [shell("echo one"), shell("echo force"), "finished"] });
    const rules = 'command contains "force" -> deny("No.")';
    project.write(
      ".tenterhook/hooks.yaml",
      JSON.stringify({
        hooks: {
          definitions: [{ name: "force", type: "inline", matcher: { events: ["PreToolUse"] }, rules }],
        },
      }),
    );
    const { stdout } = await project.run(["replay", "--json", "--agent", agent, "--project", "."]);
    expect(JSON.parse(stdout)).toMatchObject({
      sessions: 1,
      events: 4,
      unreadable: 0,
      would: { deny: 1, ask: 0, rewrite: 0, same: 3 },
      changed: [{ agent, tool_input: { command: "echo force" }, now: { action: "deny", hook: "force" } }],
    });
  });
});
