import { addToList, type SettingsText } from "../settings-json.ts";
import { strictJson } from "../strict-json.ts";
import { PROMPT_TOOLS } from "./settings.ts";

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
 * @throws TenterhookError `settings_unreadable` when the text can't be parsed.
 */
export function agentSettings(text: SettingsText, agent: string): string {
  const added = ENTRIES.reduce<SettingsText>((left, { event, hook, ...rest }) => {
    const command = `tenterhook agent hook ${hook} ${agent}`;
    return addToList(left, ["hooks", event], { ...rest, hooks: [{ type: "command", command }] });
  }, text);
  return strictJson(added ?? "{}\n");
}
