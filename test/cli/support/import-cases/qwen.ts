import { expect } from "vitest";
import { DEFINED, GUARD, type ImportCase } from "../import-suite.ts";

const command = (more: object = {}) => ({ ...GUARD, ...more });
const { type: _type, command: _command, ...SERVED } = DEFINED;
const SHELL = { events: ["PreToolUse"], tools: ["Bash", "write_file", "/Bash|write_file/"] };

export const QWEN: ImportCase = {
  agent: "qwen",
  file: ".qwen/settings.json",
  guard: `#!/bin/sh
if grep -q -- "--force"; then echo '{"decision":"deny","reason":"Not by force."}' >&2; fi
`,
  converts: {
    hooks: {
      PreToolUse: [
        { matcher: "Bash|write_file", hooks: [command({ timeout: 5000 }), command({ timeout: "20" })] },
        { matcher: "^run_", hooks: [{ type: "http", url: "https://example.com/judge" }] },
        { matcher: "[", hooks: [command()] },
        { hooks: [{ type: "prompt", prompt: "Is it safe?" }] },
      ],
      UserPromptSubmit: [{ hooks: [command({ async: true })] }],
      PostToolUse: [{ sequential: true, hooks: [command()] }],
      TodoCreated: [{ hooks: [command()] }],
      BeforeTool: [{ hooks: [command()] }],
    },
    says: [
      'Its matcher "[" is no regular expression, so Qwen Code never ran it; the hook was skipped.',
      'Hooks of the type "prompt" can\'t be imported: the hook stays in Qwen Code.',
      "Qwen Code also runs it before requests with results of tools; here it runs for prompts only.",
      "A refusal does nothing there; here the model reads its reason in place of the result.",
      "Its replies on TodoCreated can't be passed on: the hook was not imported and stays in Qwen Code.",
      "BeforeTool is not an event of Qwen Code, which ignores unknown ones; the hook was skipped.",
      "If one of these hooks crashes, the call goes on, as in Qwen Code",
      "Qwen Code ignores updatedInput before a call",
    ],
    definitions: [
      { ...DEFINED, name: "guard", matcher: SHELL, timeout: 5, recheck: false },
      { ...DEFINED, name: "guard-2", matcher: SHELL, timeout: 20, recheck: false },
      {
        ...SERVED,
        type: "http",
        url: "https://example.com/judge",
        name: "example-com",
        matcher: { events: ["PreToolUse"], tools: ["/^run_/"] },
        recheck: false,
      },
      {
        ...DEFINED,
        name: "guard-4",
        matcher: { events: ["UserPromptSubmit"] },
        async: true,
      },
      { ...DEFINED, name: "guard-5", matcher: { events: ["PostToolUse"] }, parallel: false },
    ],
  },
  guards: {
    hooks: {
      PreToolUse: [{ matcher: "Bash", hooks: [command()] }],
      Stop: [{ hooks: [command({ command: "echo More. >&2; exit 2" })] }],
    },
    compared: 2,
    verdicts: ["deny"],
    payload: () => ({
      hook_event_name: "PreToolUse",
      transcript_path: "/home/dev/.qwen/projects/p/chats/1.jsonl",
      tool_name: "run_shell_command",
      tool_input: { command: "git push --force" },
    }),
    reply: {
      hookSpecificOutput: { permissionDecision: "deny" },
      stopReason: expect.stringContaining("Not by force."),
    },
  },
};
