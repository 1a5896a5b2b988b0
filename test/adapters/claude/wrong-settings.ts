/** A settings file of Claude Code beside our own entry: what is wrong in it, and how that is told. */
export interface WrongSettings {
  readonly what: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** To follow the line. */
  readonly problem: string;
}

const on = (event: string, group: unknown) => ({ hooks: { [event]: [group] } });
const handler = (settings: unknown) => on("PreToolUse", { hooks: [settings] });
const command = (settings: object) => handler({ type: "command", command: "true", ...settings });
const http = (settings: object) => handler({ type: "http", url: "http://127.0.0.1:9/", ...settings });

/** Settings with which Claude Code 2.1.325 applies nothing of the file, as was seen in the program itself. */
export const WRONG_SETTINGS: readonly WrongSettings[] = [
  {
    what: "a handler without a group",
    settings: on("PreToolUse", { type: "command", command: "true" }),
    problem: "hooks.PreToolUse.0.hooks must be a list",
  },
  { what: "no group", settings: on("PreToolUse", null), problem: "hooks.PreToolUse.0 must be an object" },
  {
    what: "no list of groups",
    settings: { hooks: { PermissionRequest: {} } },
    problem: "hooks.PermissionRequest must be a list",
  },
  {
    what: "a matcher that is no text",
    settings: on("PreToolUse", { matcher: 5, hooks: [] }),
    problem: "hooks.PreToolUse.0.matcher must be a string",
  },
  { what: "no handler", settings: handler("x"), problem: "hooks.PreToolUse.0.hooks.0 must be an object" },
  {
    what: "a handler without a type",
    settings: handler({ command: "true" }),
    problem: "hooks.PreToolUse.0.hooks.0.type must be one of command, http, prompt, agent, mcp_tool",
  },
  {
    what: "an unknown type",
    settings: on("PermissionRequest", { hooks: [{ type: "wasm" }] }),
    problem: "hooks.PermissionRequest.0.hooks.0.type must be one of command, http, prompt, agent, mcp_tool",
  },
  {
    what: "a timeout that is no number",
    settings: command({ timeout: "10" }),
    problem: "hooks.PreToolUse.0.hooks.0.timeout must be a number above 0",
  },
  {
    what: "no time",
    settings: command({ timeout: 0 }),
    problem: "hooks.PreToolUse.0.hooks.0.timeout must be a number above 0",
  },
  {
    what: "a command that is a list",
    settings: command({ command: ["true"] }),
    problem: "hooks.PreToolUse.0.hooks.0.command must be a string",
  },
  {
    what: "arguments that are a text",
    settings: command({ args: "x" }),
    problem: "hooks.PreToolUse.0.hooks.0.args must be a list of strings",
  },
  {
    what: "an unknown shell",
    settings: command({ shell: "zsh" }),
    problem: "hooks.PreToolUse.0.hooks.0.shell must be one of bash, powershell",
  },
  {
    what: "our word for onFailure",
    settings: command({ onFailure: "closed" }),
    problem: "hooks.PreToolUse.0.hooks.0.onFailure must be one of continue, block",
  },
  {
    what: "a flag that is a text",
    settings: command({ async: "yes" }),
    problem: "hooks.PreToolUse.0.hooks.0.async must be true or false",
  },
  {
    what: "an invalid address",
    settings: http({ url: "/x" }),
    problem: "hooks.PreToolUse.0.hooks.0.url must be a URL",
  },
  {
    what: "a header that is a number",
    settings: http({ headers: { A: 1 } }),
    problem: "hooks.PreToolUse.0.hooks.0.headers must be an object of strings",
  },
  {
    what: "a prompt hook without a prompt",
    settings: handler({ type: "prompt" }),
    problem: "hooks.PreToolUse.0.hooks.0.prompt must be a string",
  },
  {
    what: "a tool of nobody",
    settings: handler({ type: "mcp_tool", server: "x" }),
    problem: "hooks.PreToolUse.0.hooks.0.tool must be a string",
  },
  {
    what: "permissions that are a number",
    settings: { permissions: 5 },
    problem: "permissions must be an object",
  },
  {
    what: "a list of permissions that is a text",
    settings: { permissions: { allow: "Bash" } },
    problem: "permissions.allow must be a list",
  },
  {
    what: "an unknown mode",
    settings: { permissions: { defaultMode: "bogus" } },
    problem:
      "permissions.defaultMode must be one of acceptEdits, auto, bypassPermissions, default, dontAsk, plan",
  },
  { what: "a model that is a number", settings: { model: 5 }, problem: "model must be a string" },
  {
    what: "a switch that is a text",
    settings: { disableAllHooks: "yes" },
    problem: "disableAllHooks must be true or false",
  },
];

/** Settings that look wrong too, and take nothing away from the others. */
export const ODD_SETTINGS: readonly Readonly<Record<string, unknown>>[] = [
  command({ timeout: 1.5, unknown: 1 }),
  command({ command: "" }),
  on("PreToolUse", { hooks: [], unknown: 1 }),
  on("PreToolUse", { matcher: "[", hooks: [] }),
  on("Stop", { type: "command", command: "true" }),
  on("Stop", { hooks: [{ type: "wasm" }, { type: "command", command: "true", timeout: "5" }] }),
  { hooks: { Bogus: "x" }, unknown: 5, env: { A: 1 } },
  { permissions: { allow: ["Bash(", 5] } },
];
