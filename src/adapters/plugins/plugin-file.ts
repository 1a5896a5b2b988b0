import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { AgentSettings, WantedEvent } from "../settings/agent-settings.ts";
import { HOOK_COMMAND } from "../settings/hook-command.ts";
import { ownedFile } from "../settings/owned-file.ts";
import type { ToolNaming } from "../settings/tool-matcher.ts";
import type { WantedRules } from "../settings/wanted-events.ts";
import type { PluginSettings } from "./wire.ts";

/** What differs between agents that load a plug-in of ours. */
interface PluginRules extends Pick<WantedRules, "table" | "toolEvents" | "prompts"> {
  readonly tools: Omit<ToolNaming, "lists">;
}

/** Tools that all of them call the same. */
const SAME_NAMES = { Bash: ["bash"], Read: ["read"], Write: ["write"], Edit: ["edit"], Grep: ["grep"] };

/** The settings of an agent that loads a plug-in of ours: the shipped one, below a line with its settings. */
export function pluginFile({ tools, ...rules }: PluginRules, shipped: string): AgentSettings {
  const { name: agent } = rules.table;
  return ownedFile({
    ...rules,
    usualSeconds: 60,
    tools: { ...tools, names: { ...SAME_NAMES, ...tools.names } },
    comment: "//",
    bodyFor: (events) =>
      `const SETTINGS = ${JSON.stringify(settingsFor(agent, events))};\n${shippedPlugin(shipped)}`,
  });
}

function settingsFor(agent: string, events: readonly WantedEvent[]): PluginSettings {
  const entries = events.map(({ native, timeout, matcher }) => [
    native,
    { seconds: timeout, tools: matcher },
  ]);
  return { agent, command: events[0]?.command ?? HOOK_COMMAND, events: Object.fromEntries(entries) };
}

/** A plug-in as scripts/build.mjs makes it. */
function shippedPlugin(name: string): string {
  const root = dirname(createRequire(import.meta.url).resolve("tenterhook/package.json"));
  return readFileSync(join(root, "dist", "plugins", `${name}.js`), "utf8");
}
