import { expect } from "vitest";
import { DEFINED, GUARD, type ImportCase } from "../import-suite.ts";

const hook = (more: object = {}) => ({ type: "command", bash: GUARD.command, ...more });
const CLOSED = { default: "closed", timeout: "open", bad_output: "open" };
const before = {
  ...DEFINED,
  timeout: 30,
  parallel: undefined,
  on_failure: CLOSED,
  recheck: false,
  short_circuit: true,
};
const other = {
  ...before,
  on_failure: { default: "open", untrusted: "open" },
  recheck: undefined,
  short_circuit: undefined,
};

export const COPILOT: ImportCase = {
  agent: "copilot",
  file: ".github/hooks/guards.json",
  heading: { version: 1 },
  // It reads what hooks get on events in camelCase, and refuses in Copilot's own words.
  guard: `#!/bin/sh
if grep '"toolName":"bash"' | grep -q -- "--force"
then echo '{"permissionDecision":"deny","permissionDecisionReason":"Not by force."}'
fi
`,
  converts: {
    hooks: {
      preToolUse: [
        hook({
          matcher: "bash|create",
          timeoutSec: 5,
          env: { LEVEL: "2" },
          cwd: "tools",
          comment: "No force",
        }),
        hook({ matcher: "*" }),
        hook({ matcher: "Bash", powershell: "./guard.ps1" }),
        { type: "command", powershell: "./guard.ps1" },
        hook({ timeoutSec: 0 }),
      ],
      PreToolUse: [{ type: "command", command: GUARD.command, matcher: "*" }, hook({ matcher: "mcp.*" })],
      agentStop: [hook({ type: "prompt", prompt: "Go on?" }), hook()],
      userPromptTransformed: [hook()],
      beforeTool: [hook()],
      SessionStart: [hook({ matcher: "new" })],
    },
    says: [
      'Its matcher "*" is no regular expression, so GitHub Copilot CLI never ran it; the hook was skipped.',
      "GitHub Copilot CLI has no tool Bash on events in camelCase, so it matched nothing; here it matches Bash.",
      "Powershell has no equivalent and was skipped.",
      "It has no line for bash, so GitHub Copilot CLI runs it on Windows only; the hook was skipped.",
      "GitHub Copilot CLI never ran a hook with a time of 0; the hook was skipped.",
      "Its matcher can match tools of MCP servers, which have other names here: it runs for all of them.",
      'Hooks of the type "prompt" can\'t be imported: the hook stays in GitHub Copilot CLI.',
      "Its replies on userPromptTransformed can't be passed on",
      "BeforeTool is not an event of GitHub Copilot CLI, which ignores unknown ones; the hook was skipped.",
      "If one of these hooks fails, the call is refused, as in GitHub Copilot CLI",
    ],
    definitions: [
      {
        ...before,
        name: "guard",
        description: "No force",
        command: "cd 'tools' || exit 1\n./guard.sh",
        native_keys: "camelCase",
        set_env: { LEVEL: "2" },
        matcher: { events: ["PreToolUse"], tools: ["bash", "create"] },
        timeout: 5,
      },
      {
        ...before,
        name: "guard-3",
        native_keys: "camelCase",
        matcher: { events: ["PreToolUse"], tools: ["Bash"] },
      },
      { ...before, name: "guard-6", matcher: { events: ["PreToolUse"] } },
      {
        ...before,
        name: "guard-7",
        matcher: { events: ["PreToolUse"], tools: ["/^(?:mcp.*)$/", "mcp__*"] },
      },
      {
        ...other,
        name: "guard-9",
        native_keys: "camelCase",
        matcher: { events: ["Stop"] },
      },
      { ...other, name: "guard-12", matcher: { events: ["SessionStart"] } },
    ].map((definition) => JSON.parse(JSON.stringify(definition))),
  },
  guards: {
    hooks: {
      preToolUse: [hook({ matcher: "bash" }), hook({ bash: "exit 3" }), hook({ bash: "echo words" })],
      userPromptSubmitted: [hook({ bash: "exit 2" })],
      postToolUse: [hook({ bash: `echo '{"additionalContext":"The build is red."}'` })],
      agentStop: [hook({ bash: `echo '{"decision":"block","reason":"More."}'` })],
      PreToolUse: [
        hook({
          bash: `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls"}}}'`,
        }),
      ],
    },
    compared: 7,
    verdicts: ["deny", "keeps going"],
    payload: (cwd) => ({
      hook_event_name: "PreToolUse",
      session_id: "s1",
      timestamp: "2026-11-15T21:11:33.080Z",
      cwd,
      tool_name: "Bash",
      tool_input: { command: "git push --force" },
    }),
    variables: { COPILOT_CLI: "1" },
    reply: {
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining("Not by force."),
    },
  },
};
