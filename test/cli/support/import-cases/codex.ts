import { DEFINED, GUARD, type ImportCase } from "../import-suite.ts";

const command = (more: object = {}) => ({ ...GUARD, ...more });
const common = { ...DEFINED, timeout: 600 };
const { type: _type, command: _command, ...served } = common;

export const CODEX: ImportCase = {
  agent: "codex",
  file: ".codex/hooks.json",
  guard: '#!/bin/sh\ngrep -q -- "--force" || exit 0\necho "Not by force." >&2\nexit 2\n',
  converts: {
    hooks: {
      PreToolUse: [
        { matcher: "Bash", hooks: [command({ timeout: 20, statusMessage: "Looking" })] },
        { matcher: "mcp__.*", hooks: [{ type: "mcp_tool", server: "guard", tool: "judge" }] },
      ],
      SessionStart: [{ matcher: "startup|resume", hooks: [command({ async: true })] }],
      PreCompact: [{ matcher: "auto", hooks: [command({ commandWindows: "guard.ps1" })] }],
      Stop: [{ hooks: [{ type: "prompt", prompt: "Done?" }] }],
      preToolUse: [{ hooks: [command()] }],
    },
    says: [
      'Codex runs no hooks of the type "prompt"; the hook was skipped.',
      "PreToolUse is not an event of Codex, which ignores unknown ones; the hook was skipped.",
      'Its matcher "auto" has no equivalent on PreCompact: here it runs every time.',
      "CommandWindows has no equivalent",
      "If one of these hooks crashes, the call goes on, as in Codex",
      "config.toml are not imported",
    ],
    definitions: [
      {
        ...common,
        name: "guard",
        description: "Looking",
        matcher: { events: ["PreToolUse"], tools: ["Bash"] },
        timeout: 20,
        recheck: false,
      },
      {
        ...served,
        name: "judge",
        type: "mcp",
        server: "guard",
        tool: "judge",
        matcher: { events: ["PreToolUse"], tools: ["/mcp__.*/"] },
        recheck: false,
      },
      {
        ...common,
        name: "guard-2",
        matcher: { events: ["SessionStart"], sources: ["startup", "resume"] },
        async: true,
      },
      {
        ...common,
        name: "guard-3",
        matcher: { events: ["PreCompact"] },
      },
    ],
  },
  guards: {
    hooks: { PreToolUse: [{ matcher: "Bash|Edit", hooks: [command()] }] },
    compared: 1,
    verdicts: ["deny"],
    payload: () => ({
      turn_id: "t",
      transcript_path: "/home/dev/.codex/sessions/rollout-1.jsonl",
      hook_event_name: "PreToolUse",
      model: "gpt",
      tool_name: "Bash",
      tool_input: { command: "git push --force" },
    }),
    reply: { hookSpecificOutput: { permissionDecision: "deny" } },
  },
};
