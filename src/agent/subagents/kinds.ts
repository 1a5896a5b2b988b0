import { capText } from "../../core/base/text.ts";
import { defineTools } from "../model/tool-definitions.ts";
import type { AgentSession } from "../session/session.ts";
import { type AgentDefinition, definitionsByName } from "./definition.ts";
import { BUILT_IN, GENERAL } from "./presets.ts";

const LONGEST_NAME = 100;
const LONGEST_DESCRIPTION = 300;
/** Of all lines together: they are part of each request. */
const MOST_CHARACTERS = 6000;

/** The kinds of subagents an agent can start, by name. */
export async function knownKinds(
  { options, identity }: AgentSession,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, AgentDefinition>> {
  const found = await options.findAgents?.(identity.cwd, signal);
  return definitionsByName(options.agents ?? [], BUILT_IN, found ?? []);
}

/** A line `name: description` for each kind that can be used; at the limit, how many more there are. */
export function kindLines(definitions: Iterable<AgentDefinition>): string {
  const usable = [...definitions].filter(({ problem }) => problem === undefined);
  // The general one comes first, so that it is always shown.
  const lines = usable.sort((a, b) => Number(isGeneral(b)) - Number(isGeneral(a))).map(kindLine);
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines) {
    characters += line.length + 1;
    if (characters > MOST_CHARACTERS) break;
    shown.push(line);
  }
  const left = lines.length - shown.length;
  return [...shown, ...(left === 0 ? [] : [`- and ${left} more`])].join("\n");
}

function isGeneral({ name }: AgentDefinition): boolean {
  return name === GENERAL.name;
}

function kindLine({ name, description }: AgentDefinition): string {
  const text = capText(oneLine(description), LONGEST_DESCRIPTION);
  return `- ${capText(oneLine(name), LONGEST_NAME)}${text === "" ? "" : `: ${text}`}`;
}

/** Lists the kinds of subagents in the description of the Task tool. Never rejects. */
export async function describeKinds(session: AgentSession): Promise<void> {
  const { tools } = session.toolbox;
  const task = tools.get("Task");
  if (task === undefined) return;
  // Starting one reports why they can't be found.
  const kinds = await knownKinds(session).then(
    (known) => kindLines(known.values()),
    () => session.subagents.kinds,
  );
  // An unchanged request is cheaper: providers cache its beginning.
  if (kinds === session.subagents.kinds) return;
  session.subagents.kinds = kinds;
  const description = `${task.description}\n\nThe kinds of subagents (agent_type):\n${kinds}`;
  session.toolbox.definitions = defineTools(
    [...tools.values()].map((tool) => (tool === task ? { ...task, description } : tool)),
  );
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
