import { type AgentSettings, HOOK_COMMAND } from "../settings/agent-settings.ts";
import { hookLists } from "../settings/hook-lists.ts";
import { strictJson } from "../settings/strict-json.ts";
import { type ToolNaming, toolMatcher } from "../settings/tool-matcher.ts";
import { TOOL_EVENTS } from "./events.ts";
import { whyUnread } from "./settings-validity.ts";
import { cursorTable } from "./table.ts";

const CURSOR_TOOLS: ToolNaming = {
  names: {
    Bash: ["Shell"],
    // It has no other tool to change a file.
    Edit: ["Write"],
    LS: ["List"],
    WebFetch: ["Fetch", "WebFetch"],
    AskUserQuestion: ["AskQuestion"],
  },
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
  lists: false,
  lookahead: true,
  mcpNames: false,
};

/** Only for these a limit on the number of repetitions counts. Ours is the ceiling of all agents. */
const REPEATED: ReadonlySet<string> = new Set(["stop", "subagentStop"]);

/** Cursor's hooks.json. */
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
  handlerFor: ({ native, timeout, gate, command = HOOK_COMMAND }) => ({
    command,
    timeout,
    ...(gate ? { failClosed: true } : {}),
    ...(REPEATED.has(native) ? { loop_limit: null } : {}),
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
