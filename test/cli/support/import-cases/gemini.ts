import { expect } from "vitest";
import { DEFINED, GUARD, type ImportCase } from "../import-suite.ts";

const command = (more: object = {}) => ({ ...GUARD, ...more });

export const GEMINI: ImportCase = {
  agent: "gemini",
  file: ".gemini/settings.json",
  guard: `#!/bin/sh
if grep -q -- "--force"; then echo '{"decision":"deny","reason":"Not by force."}'; fi
`,
  converts: {
    hooks: {
      BeforeTool: [
        {
          matcher: "run_shell_command|write_file",
          hooks: [command({ name: "force", description: "No force", timeout: 5000, env: { LEVEL: "2" } })],
        },
        { matcher: "mcp_github_.*", hooks: [command({ command: "./guard.sh $GEMINI_API_KEY" })] },
        { matcher: "(?=x)y", hooks: [command()] },
      ],
      SessionStart: [{ matcher: "startup", hooks: [command()] }],
      PreCompress: [{ matcher: "auto", hooks: [command({ color: "red" })] }],
      AfterAgent: [{ sequential: true, hooks: [command()] }],
      BeforeModel: [{ hooks: [command()] }],
      Stop: [{ hooks: [command()] }],
      AfterTool: [{ hooks: [{ type: "http", url: "https://example.com" }] }],
    },
    says: [
      "Its matcher can match tools of MCP servers, which have other names here: it runs for all of them.",
      'Its matcher "(?=x)y" can\'t be used here: it runs for every tool.',
      'Its matcher "auto" has no equivalent on PreCompress: here it runs every time.',
      "Color has no equivalent and was skipped.",
      "Its replies on BeforeModel can't be passed on: the hook was not imported and stays in Gemini CLI.",
      "Stop is not an event of Gemini CLI, which ignores unknown ones; the hook was skipped.",
      'Gemini CLI runs no hooks of the type "http"; the hook was skipped.',
      "It gets GEMINI_API_KEY, which it uses",
      "If one of these hooks crashes, the call goes on, as in Gemini CLI",
    ],
    definitions: [
      {
        ...DEFINED,
        name: "guard",
        description: "No force",
        matcher: { events: ["PreToolUse"], tools: ["/run_shell_command|write_file/"] },
        timeout: 5,
        set_env: { LEVEL: "2" },
        recheck: false,
      },
      {
        ...DEFINED,
        name: "guard-2",
        command: "./guard.sh $GEMINI_API_KEY",
        matcher: { events: ["PreToolUse"], tools: ["/mcp_github_.*/", "mcp__*"] },
        env: ["GEMINI_API_KEY"],
        recheck: false,
      },
      { ...DEFINED, name: "guard-3", matcher: { events: ["PreToolUse"] }, recheck: false },
      {
        ...DEFINED,
        name: "guard-4",
        matcher: { events: ["SessionStart"], sources: ["startup"] },
      },
      { ...DEFINED, name: "guard-5", matcher: { events: ["PreCompact"] } },
      { ...DEFINED, name: "guard-6", matcher: { events: ["Stop"] }, parallel: false },
    ],
  },
  guards: {
    hooks: {
      BeforeTool: [{ matcher: "run_shell|replace", hooks: [command()] }],
      BeforeAgent: [{ hooks: [command({ command: "echo no >&2; exit 3" })] }],
      AfterAgent: [{ hooks: [command({ command: `echo '{"decision":"block","reason":"More."}'` })] }],
    },
    compared: 3,
    verdicts: ["deny"],
    payload: () => ({
      hook_event_name: "BeforeTool",
      tool_name: "run_shell_command",
      tool_input: { command: "git push --force" },
    }),
    reply: { decision: "deny", reason: expect.stringContaining("Not by force.") },
  },
};
