import { TenterhookError } from "../../core/base/errors.ts";
import { addToList, type SettingsText } from "../settings-json.ts";
import { strictJson } from "../strict-json.ts";
import { claudeSettings, PROMPT_TOOLS } from "./settings.ts";

/** The events an agent's own hooks are entered for: with the tools they are asked about, and the name of the hook. */
const ENTRIES = [
  { event: "PreToolUse", matcher: PROMPT_TOOLS, hook: "pretooluse" },
  { event: "Stop", hook: "stop" },
  { event: "Notification", hook: "notify" },
] as const;

/**
 * The settings of one agent: those given, with the hooks of this agent beside what is there, as strict JSON, which is all
 * that Claude Code reads.
 *
 * @throws TenterhookError `settings_unreadable` when the text can't be parsed, or holds what Claude Code can't load.
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
