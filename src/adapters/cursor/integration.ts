import { join } from "node:path";
import type { Integration } from "../integration.ts";
import type { AgentSettings } from "../settings/agent-settings.ts";
import { hookCommand, PROJECT_PROGRAM } from "../settings/hook-command.ts";
import { hookLists } from "../settings/hook-lists.ts";
import { strictJson } from "../settings/strict-json.ts";
import { type ToolNaming, toolMatcher } from "../settings/tool-matcher.ts";
import { cursor, cursorTable } from "./cursor.ts";
import { TOOL_EVENTS } from "./events.ts";
import { importCursor, isMatched } from "./import.ts";
import { whyUnread } from "./settings-validity.ts";

const CURSOR_TOOLS: ToolNaming = {
  names: cursorTable.tools,
  changeNothing: [
    "AskQuestion",
    "Fetch",
    "Glob",
    "Grep",
    "List",
    "ListMcpResources",
    "Read",
    "ReadLints",
    "SemanticSearch",
    "TodoWrite",
    "WebFetch",
    "WebSearch",
  ],
};

/** Only for these a limit on the number of repetitions counts. Ours is the ceiling of all agents. */
const REPEATED: ReadonlySet<string> = new Set(["stop", "subagentStop"]);

export const cursorSettings: AgentSettings = hookLists({
  table: cursorTable,
  shape: "flat",
  heading: { version: 1 },
  usualSeconds: 60,
  tools: CURSOR_TOOLS,
  toolEvents: TOOL_EVENTS,
  prompts: new Map([["preToolUse", { matcher: "AskQuestion" }]]),
  isNeeded: (native, wanting) =>
    native !== "beforeMCPExecution" || isAboutMcp(toolMatcher(CURSOR_TOOLS, wanting)),
  handlerFor: (event) => ({
    command: hookCommand(event),
    timeout: event.timeout,
    ...(event.gate ? { failClosed: true } : {}),
    ...(REPEATED.has(event.native) ? { loop_limit: null } : {}),
  }),
  unread(text) {
    const why = whyUnread(text);
    if (why === undefined || text === undefined) return undefined;
    return { why, strippable: whyUnread(strictJson(text)) === undefined };
  },
  readable: (text) => (text === undefined ? undefined : strictJson(text)),
});

/** All but a list of tools, or no list at all. */
function isAboutMcp(matcher: string | undefined): boolean {
  return matcher === undefined || matcher.startsWith("^(?!");
}

export const cursorIntegration: Integration = {
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
  importing: {
    importHooks: importCursor,
    startsInUserFolder: true,
    compared: {
      runs: isMatched,
      fails: ({ handler }, { stdout }) => handler.failClosed === true && stdout.trim() === "",
      variables: (root) => ({ CURSOR_PROJECT_DIR: root, CURSOR_VERSION: "1.0.0", CLAUDE_PROJECT_DIR: root }),
    },
  },
  notes: [
    "All of this was seen with the agent of `@cursor/sdk`. That the editor and `cursor-agent` do the same is likely, and nobody has checked.",
    "One fault in `hooks.json` (no `version`, an unknown event, a broken matcher, `//` inside a string) disables the whole file. `install` refuses such a file, and `check` reports it.",
    "Cursor runs a tool about which a hook asks, so an `ask` refuses.",
    "Of a file to be written it takes a new path and not new content; of a search, the pattern and the path. It ignores other fields, so a call that would run differently from what was decided is refused. Commands and calls of MCP servers can be rewritten freely.",
    "Under the SDK, context for a prompt or for the start of a session does not reach the model.",
    "Our entry turns Cursor's own limit of five for Stop hooks off.",
    "`preToolUse` does not name the MCP server: the tool is `mcp__cursor__NAME` there. Hooks are asked again when Cursor names it (`mcp__SERVER__NAME`); a rewrite that only this second time wants is refused.",
    "The agent of the SDK reports neither the start nor the end of a subagent; its calls are judged like all others. A tool of Cursor's own tests (`mini_swe_agent_bash`), which models are not offered, runs without asking any hook.",
    "Messages to the user are shown with a refusal only; `tenterhook log` has all of them.",
    "It also reads Claude Code's settings, and drops our entry there when it has the same in its own.",
    "`import` leaves hooks of the type `prompt` in Cursor.",
  ],
};
