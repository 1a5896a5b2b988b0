import { join } from "node:path";
import type { Bridge } from "../bridge.ts";
import { PROJECT_PROGRAM } from "../settings/agent-settings.ts";
import { cursor } from "./cursor.ts";
import { cursorCompared } from "./import/compared.ts";
import { importCursor } from "./import/import.ts";
import { cursorSettings } from "./settings.ts";
import { cursorTable } from "./table.ts";

export const cursorBridge: Bridge = {
  adapter: cursor,
  table: cursorTable,
  program: "cursor-agent",
  since: {
    version: "1.7.0",
    older: "has no hooks. Update it.",
  },
  shellCall: (command, cwd) => ({
    conversation_id: "explain",
    session_id: "explain",
    tool_name: "Shell",
    tool_input: { command, cwd: "" },
    hook_event_name: "preToolUse",
    workspace_roots: [cwd],
  }),
  settings: cursorSettings,
  scopes: ["project", "user"],
  settingsFile: (scope, { root, home }) => join(scope === "user" ? home : root, ".cursor", "hooks.json"),
  // The same as in Claude Code's settings, which Cursor reads too: it drops a hook only if it is the same to the byte.
  projectCommand: `"$CLAUDE_PROJECT_DIR"/${PROJECT_PROGRAM} hook`,
  startsInRoot: "unless git",
  loginShell: true,
  warnings: [
    "Cursor has no Edit tool: it changes files with Write, and a hook that names Edit alone is not asked.",
    "A refused prompt reaches the model when Cursor's agent is run by its SDK: only the editor honours the refusal.",
    "An agent of Cursor's SDK runs no hooks unless its settingSources name the project, the user or all.",
  ],
  switchedOff: () => undefined,
  importing: { importHooks: importCursor, compared: cursorCompared },
};
