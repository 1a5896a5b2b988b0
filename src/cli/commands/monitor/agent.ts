import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { lastText } from "../../../adapters/adapter.ts";
import { adapterFor } from "../../../adapters/agents.ts";
import { agentSettings } from "../../../adapters/claude/agent-settings.ts";
import { claudeIntegration } from "../../../adapters/claude/integration.ts";
import { isRecord, parseJson } from "../../../core/base/json.ts";
import { writeToState } from "../../../install/change-files.ts";
import { edited, placesIn, type SettingsFile, settingsOf } from "../../../install/settings-files.ts";
import { type Prompt, promptOfNotification, promptOfTool } from "../../../monitor/report/prompt.ts";
import { notifyMonitor } from "../../../monitor/report/spool.ts";
import { readInput } from "../../../node/read-input.ts";
import type { CommandRun, Invocation } from "../../command-line/command.ts";
import { showFailure } from "../../command-line/failures.ts";
import { unknownName, usageError } from "../../command-line/usage-error.ts";
import { projectPlaces } from "../../integrations/chosen-settings.ts";
import { type AgentHook, aboutAgent, stopHook } from "./agent/stop.ts";
import { agentFolder, agentId } from "./watch/name.ts";

/** Agents read exit code 2, the usual one for wrong usage, as a refusal. */
const NOT_A_BLOCK = 1;

/** @throws TenterhookError `usage_error`. */
function namedHook(event: string): AgentHook {
  const hook = AGENT_HOOKS.get(event);
  if (hook !== undefined) return hook;
  const hint = `Hooks: ${[...AGENT_HOOKS.keys()].join(", ")}.`;
  throw event === "" ? usageError("Which hook?", hint) : unknownName("hook", event, AGENT_HOOKS.keys(), hint);
}

export async function runAgentHook(invocation: Invocation): Promise<number | void> {
  const { screen, environment, parent } = invocation;
  const [event = "", id = ""] = invocation.names;
  let hook: AgentHook;
  try {
    hook = namedHook(event);
    agentId(id);
  } catch (error) {
    showFailure(error, invocation);
    return NOT_A_BLOCK;
  }
  const payload = parseJson(await readInput().catch(() => ""));
  // Invalid payloads are ignored: they must not stop an agent.
  const reply = isRecord(payload) ? await hook(payload, { agent: id, environment, parent }) : undefined;
  if (reply !== undefined) screen.print(JSON.stringify(reply));
}

export const printSettings: CommandRun = async (invocation) => {
  const [id = ""] = invocation.names;
  const file = await writeAgentSettings(agentId(id), invocation);
  return { json: { file }, blocks: file };
};

/** The hooks that `tenterhook agent settings` installs, by name. */
const AGENT_HOOKS: ReadonlyMap<string, AgentHook> = new Map<string, AgentHook>([
  ["pretooluse", (payload, site) => report(promptOfTool(payload), payload, site)],
  ["notify", (payload, site) => report(promptOfNotification(payload), payload, site)],
  ["stop", stopHook],
]);

async function report(
  prompt: Prompt | undefined,
  ...[payload, site]: Parameters<AgentHook>
): Promise<undefined> {
  if (prompt === undefined) return undefined;
  const adapter = await adapterFor(payload, site.environment);
  const context = lastText(adapter, payload);
  notifyMonitor(
    {
      type: "agent:prompt",
      ...prompt,
      ...aboutAgent(payload, adapter, site.parent),
      ...(context === undefined ? {} : { context }),
    },
    { payload, ...site },
  );
  return undefined;
}

/** Writes a copy of the project's settings with the hooks of this agent. Returns its path. */
async function writeAgentSettings(agent: string, invocation: Invocation): Promise<string> {
  const { environment, signal } = invocation;
  const text = edited(await projectSettings(invocation), (before) => agentSettings(before, agent));
  signal.throwIfAborted();
  return writeToState(agentFolder(agent, environment), "settings.json", text);
}

/** The project's file: next to our configuration, else the nearest one up to the root of the repository. */
async function projectSettings(invocation: Invocation): Promise<SettingsFile> {
  const { cwd, environment } = invocation;
  const own = settingsOf(claudeIntegration, "project", await projectPlaces(invocation));
  if (own.text !== undefined) return own;
  for (let folder = cwd; ; folder = dirname(folder)) {
    const settings = settingsOf(claudeIntegration, "project", placesIn(folder, environment));
    if (settings.text !== undefined) return settings;
    if (dirname(folder) === folder || existsSync(join(folder, ".git"))) return own;
  }
}
