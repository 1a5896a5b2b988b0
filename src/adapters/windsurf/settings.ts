import { toolTest } from "../../core/registration/tool-test.ts";
import { linearRegex } from "../../node/regex.ts";
import {
  type AgentSettings,
  HOOK_COMMAND,
  type HookInForce,
  keepsExitCode,
} from "../settings/agent-settings.ts";
import { hookLists } from "../settings/hook-lists.ts";
import { readsStrictJson } from "../settings/strict-json.ts";
import { windsurfTable } from "./table.ts";

/** The tools that each event is about: it has no matchers. */
const TOOLS: ReadonlyMap<string, readonly string[]> = new Map([
  ["read_code", ["Read"]],
  ["write_code", ["Edit", "Write"]],
  ["run_command", ["Bash"]],
]);

/** Windsurf's hooks.json. */
export const windsurfSettings: AgentSettings = hookLists({
  table: windsurfTable,
  shape: "flat",
  // Its documentation names no limit, and an entry has none.
  usualSeconds: 60,
  toolEvents: new Set(),
  prompts: new Map(),
  isNeeded: (native, wanting) => wanting.some((hook) => wants(hook, native.replace(/^(?:pre|post)_/, ""))),
  // It goes on when a hook fails and has no switch for that.
  handlerFor: ({ gate, command = HOOK_COMMAND }) => ({
    command: gate ? keepsExitCode(command) : command,
    show_output: true,
  }),
  secondsOf: () => undefined,
  ...readsStrictJson("Windsurf's documentation knows strict JSON only, and"),
});

/** Where it is not certain that a hook wants no tool of an event, it is asked. */
function wants({ tools, only_changes }: HookInForce, action: string): boolean {
  if (tools === undefined) return action !== "read_code" || only_changes !== true;
  if (action === "mcp_tool_use") return tools.some((name) => /^\/|\*|mcp__/.test(name));
  const names = TOOLS.get(action);
  return names?.some(toolTest(tools, "tools", { regex: linearRegex })) ?? true;
}
