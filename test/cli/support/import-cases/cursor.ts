import { expect } from "vitest";
import { DEFINED, GUARD, type ImportCase } from "../import-suite.ts";

const command = (more: object = {}) => ({ command: GUARD.command, ...more });
const common = { ...DEFINED, on_failure: { default: "open", bad_output: "closed", untrusted: "closed" } };

export const CURSOR: ImportCase = {
  agent: "cursor",
  file: ".cursor/hooks.json",
  heading: { version: 1 },
  guard: `#!/bin/sh
if grep -q -- "--force"
then echo '{"permission":"deny","user_message":"Not by force."}'
else echo '{}'
fi
`,
  converts: {
    hooks: {
      preToolUse: [
        command({ matcher: "Shell|Write", timeout: 5, failClosed: true }),
        command({ matcher: "MCP:.*" }),
        { type: "prompt", prompt: "Is it safe?" },
      ],
      beforeShellExecution: [command({ matcher: "git push" })],
      beforeMCPExecution: [command()],
      stop: [command({ loop_limit: 3 })],
    },
    says: [
      "Its matcher can match tools of MCP servers, which have other names here: it runs for all of them.",
      'Hooks of the type "prompt" can\'t be imported: the hook stays in Cursor.',
      'Its matcher "git push" has no equivalent on beforeShellExecution: here it runs every time.',
      "It also gets the preToolUse of these calls.",
      "Loop_limit has no equivalent and was skipped.",
      "A hook that asks refuses",
    ],
    definitions: [
      {
        ...common,
        name: "guard",
        matcher: { events: ["PreToolUse"], tools: ["/Shell|Write/"] },
        timeout: 5,
        on_failure: "closed",
        recheck: false,
      },
      {
        ...common,
        name: "guard-2",
        matcher: { events: ["PreToolUse"], tools: ["/MCP:.*/", "mcp__*"] },
        recheck: false,
      },
      {
        ...common,
        name: "guard-3",
        matcher: { events: ["cursor:beforeShellExecution"] },
      },
      {
        ...common,
        name: "guard-4",
        matcher: { events: ["PreToolUse"], tools: ["mcp__*"] },
        recheck: false,
      },
      { ...common, name: "guard-5", matcher: { events: ["Stop"] } },
    ],
  },
  guards: {
    hooks: {
      preToolUse: [command({ matcher: "Shell" }), command({ command: "echo words" })],
      beforeShellExecution: [command()],
      stop: [command({ command: `echo '{"followup_message":"More."}'` })],
    },
    compared: 4,
    verdicts: ["deny", "keeps going"],
    payload: (cwd) => ({
      hook_event_name: "beforeShellExecution",
      cursor_version: "1.0.0",
      conversation_id: "c1",
      workspace_roots: [cwd],
      command: "git push --force",
      cwd: "",
    }),
    reply: { permission: "deny", user_message: expect.stringContaining("Not by force.") },
  },
};
