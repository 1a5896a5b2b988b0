import { TenterhookError } from "../../core/base/errors.ts";
import { addToList, type SettingsText } from "../settings/json-edit.ts";
import { strictJson } from "../settings/strict-json.ts";
import { claudeSettings, PROMPT_TOOLS } from "./integration.ts";

/** The hooks that report on one agent: event, tools and hook name. */
const ENTRIES = [
  { event: "PreToolUse", matcher: PROMPT_TOOLS, hook: "pretooluse" },
  { event: "Stop", hook: "stop" },
  { event: "Notification", hook: "notify" },
] as const;

/**
 * Adds the hooks that report on one agent to its settings. Returns strict JSON, because Claude Code reads nothing else.
 *
 * @throws TenterhookError `settings_unreadable` when the text can't be parsed or Claude Code could not load it.
 */
export function agentSettings(text: SettingsText, agent: string): string {
  const added = ENTRIES.reduce<SettingsText>((left, { event, hook, ...rest }) => {
    const command = `tenterhook agent hook ${hook} ${agent}`;
    return addToList(left, ["hooks", event], { ...rest, hooks: [{ type: "command", command }] });
  }, text);
  const settings = strictJson(added ?? "{}\n");
  const unread = claudeSettings.unread(settings);
  if (unread !== undefined)
    throw new TenterhookError("settings_unreadable", `${unread.why}: the agent would not be watched.`);
  return settings;
}
