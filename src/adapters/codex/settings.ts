import {
  type AgentSettings,
  closedCommand,
  HOOK_COMMAND,
  type WantedEvent,
} from "../settings/agent-settings.ts";
import { type Handler, hookLists } from "../settings/hook-lists.ts";
import { readsStrictJson } from "../settings/strict-json.ts";
import { TOOL_EVENTS } from "./events.ts";
import { codexTable } from "./table.ts";

/** Codex ends these hooks after at most three seconds, whatever their timeout. */
const SHORT_EVENTS: ReadonlySet<string> = new Set(["SessionEnd", "Interrupt"]);
const MOST_SHORT_SECONDS = 3;

const PROMPT_TOOL = "request_user_input";

export const codexSettings: AgentSettings = hookLists({
  table: codexTable,
  shape: "groups",
  usualSeconds: 600,
  tools: {
    names: {
      Edit: ["apply_patch"],
      Write: ["apply_patch"],
      ApplyPatch: ["apply_patch"],
      Task: ["spawn_agent"],
      AskUserQuestion: [PROMPT_TOOL],
      TodoWrite: ["update_plan"],
    },
    changeNothing: [],
    lists: true,
    lookahead: false,
    mcpNames: true,
  },
  toolEvents: TOOL_EVENTS,
  prompts: new Map([
    ["PreToolUse", { matcher: PROMPT_TOOL }],
    ["PermissionRequest", {}],
  ]),
  handlerFor,
  ...readsStrictJson("Codex reads strict JSON only, and"),
});

/** The entry of an event. Codex goes on when a hook fails and has no switch for that. */
export function handlerFor({ native, timeout, gate, command = HOOK_COMMAND }: WantedEvent): Handler {
  return {
    type: "command",
    command: gate ? closedCommand(command) : command,
    timeout: SHORT_EVENTS.has(native) ? Math.min(timeout, MOST_SHORT_SECONDS) : timeout,
  };
}
