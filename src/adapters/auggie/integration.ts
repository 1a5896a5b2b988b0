import { join } from "node:path";
import type { Integration } from "../integration.ts";
import type { AgentSettings } from "../settings/agent-settings.ts";
import { hookCommand, PROJECT_PROGRAM } from "../settings/hook-command.ts";
import { hookLists } from "../settings/hook-lists.ts";
import type { ToolNaming } from "../settings/tool-matcher.ts";
import { auggie, auggieTable, TOOL_EVENTS } from "./auggie.ts";
import { whyUnread } from "./settings-validity.ts";

/** The tools with which it waits for a human. */
const PROMPT_TOOLS = "^(?:ask-user|enter-plan-mode|exit-plan-mode)$";

/** An expression never matches a tool of an MCP server, so that "all but" would leave these out. */
const AUGGIE_TOOLS: ToolNaming = {
  names: {
    Bash: ["bash", "launch-process", "write-process"],
    Read: ["read", "view"],
    Write: ["save-file", "write"],
    Edit: ["edit", "str-replace-editor"],
    Delete: ["remove-files"],
    ApplyPatch: ["apply_patch"],
    LS: ["ls"],
    Glob: ["find"],
    Grep: ["grep", "grep-search"],
    WebFetch: ["web-fetch"],
    WebSearch: ["web-search"],
    Task: ["sub-agent.*"],
    AskUserQuestion: ["ask-user"],
    EnterPlanMode: ["enter-plan-mode"],
    ExitPlanMode: ["exit-plan-mode"],
  },
};

export const auggieSettings: AgentSettings = hookLists({
  table: auggieTable,
  shape: "groups",
  usualSeconds: 60,
  tools: AUGGIE_TOOLS,
  toolEvents: TOOL_EVENTS,
  prompts: new Map([["PreToolUse", { matcher: PROMPT_TOOLS }]]),
  // A failure lets a call pass, and no switch changes that.
  handlerFor: (event) => ({
    type: "command",
    command: hookCommand(event, "goes on, has our reason"),
    timeout: event.timeout * 1000,
  }),
  secondsOf: ({ timeout }) => (typeof timeout === "number" ? timeout / 1000 : undefined),
  unread(text) {
    const why = whyUnread(text);
    return why === undefined ? undefined : { why, strippable: false };
  },
  readable: (text) => text,
});

export const auggieIntegration: Integration = {
  adapter: auggie,
  table: auggieTable,
  program: "auggie",
  since: {
    version: "0.36.0",
    older: "is older than the version with which all of this was tried. Update it.",
  },
  shellCall: (command, cwd) => ({
    hook_event_name: "PreToolUse",
    conversation_id: "explain",
    workspace_roots: [cwd],
    tool_name: "launch-process",
    tool_input: { command, wait: true, cwd },
    is_mcp_tool: false,
  }),
  settings: auggieSettings,
  scopes: ["project", "user", "local"],
  settingsFile: (scope, { root, home }) =>
    join(
      scope === "user" ? home : root,
      ".augment",
      scope === "local" ? "settings.local.json" : "settings.json",
    ),
  projectCommand: `"$AUGMENT_PROJECT_DIR"/${PROJECT_PROGRAM} hook`,
  startsInRoot: "unless git",
  warnings: [
    "Auggie runs hooks only if Augment's server has enabled them for your account (enable_hooks). Otherwise it runs none, without a word: type /hooks in Auggie, which has this command only when they run.",
    "Auggie runs a tool when a hook takes longer than the time in its settings. Our own timeouts end before.",
    "Auggie calls a tool of an MCP server tool_server. Hooks get mcp__server__tool, split at the last underscore: a hook that names a server with an underscore is not asked.",
    "Auggie takes the last rewrite when several hooks rewrite a call, and asks nobody about it. Move other hooks to Tenterhook.",
    "Auggie reads hooks when it starts: restart it after install and uninstall.",
  ],
  notes: [
    "A prompt can't be refused and takes no context: Auggie sends it while the hook still runs.",
    "A Stop hook can't keep it going: Auggie runs it and ignores its reply.",
    "Context before a call, or at the start of a session, does not reach the model. After a call it does.",
    "A result can't be rewritten: `install` refuses hooks that do, unless `degrade: { rewrite: observe }` lets them watch.",
    "`write-process`, with which the model types into a running program, is judged as `Bash`: hooks see its text as `command`. It can't be rewritten.",
    "It can't select tools of MCP servers together with others, so it asks about every tool when a hook names one of them.",
    "A hook that fails cancels the `permissionDecision: deny` of another one. Ours refuses with exit code 2, which nothing cancels.",
    'Times in its settings are milliseconds: `"timeout": 30`, copied from elsewhere, ends a hook at once.',
    "One wrong hook (a type other than `command`, a timeout of 0, a matcher such as `*`, which is no regular expression) switches off all hooks of its event in that file. An event that only Cursor has switches off the whole file. `install` refuses such a file, and `check` reports it.",
    "The token of your session is in the environment of its hooks. What your hooks start does not get it, unless `env` names `AUGMENT_SESSION_AUTH`.",
  ],
};
