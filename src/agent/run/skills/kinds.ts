import { capText } from "../../../core/base/text.ts";
import type { Tool } from "../../../core/contracts/tool.ts";
import { type AgentDefinition, definitionsByName } from "../../definitions/definition.ts";
import { BUILT_IN, GENERAL } from "../../definitions/presets.ts";
import type { Skill } from "../../definitions/skill.ts";
import { defineTools } from "../../messages/prompt.ts";
import type { AgentSession } from "../session/session.ts";

const LONGEST_NAME = 100;
const LONGEST_DESCRIPTION = 300;
/** Of all lines together: they are part of each request. */
const MOST_CHARACTERS = 6000;

export async function knownKinds(
  { options, identity }: AgentSession,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, AgentDefinition>> {
  const found = await options.findAgents?.(identity.cwd, signal);
  return definitionsByName(options.agents ?? [], BUILT_IN, found ?? []);
}

/** The skills that the model can load, by name; those with a problem included. */
export async function knownSkills({ options, identity }: AgentSession): Promise<readonly Skill[]> {
  const found = (await options.findSkills?.(identity.cwd)) ?? [];
  return found.filter(({ by_user_only }) => by_user_only !== true);
}

type Listed = Pick<AgentDefinition, "name" | "description" | "problem">;

/** A line `name: description` for each kind or skill that can be used; at the limit, how many more there are. */
export function kindLines(definitions: Iterable<Listed>): string {
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

function isGeneral({ name }: Listed): boolean {
  return name === GENERAL.name;
}

function kindLine({ name, description }: Listed): string {
  const text = capText(oneLine(description), LONGEST_DESCRIPTION);
  return `- ${capText(oneLine(name), LONGEST_NAME)}${text === "" ? "" : `: ${text}`}`;
}

/** Lists the kinds of subagents in the description of the Task tool, and the skills in that of the Skill tool. Never rejects. */
export async function describeKinds(session: AgentSession): Promise<void> {
  const { tools } = session.toolbox;
  const lists = await Promise.all([
    listed(tools.get("Task"), "The kinds of subagents (agent_type)", async () =>
      (await knownKinds(session)).values(),
    ),
    listed(tools.get("Skill"), "The skills", () => knownSkills(session)),
  ]);
  const kinds = lists.map((tool) => tool?.description).join("\n");
  // An unchanged request is cheaper: providers cache its beginning.
  if (kinds === session.subagents.kinds) return;
  session.subagents.kinds = kinds;
  session.toolbox.definitions = defineTools(
    [...tools.values()].map((tool) => lists.find((one) => one?.name === tool.name) ?? tool),
  );
}

/** A tool with a list in its description. Using it reports why something can't be found. */
async function listed(
  tool: Tool | undefined,
  title: string,
  find: () => Promise<Iterable<Listed>>,
): Promise<Tool | undefined> {
  const lines = tool === undefined ? "" : await find().then(kindLines, () => "");
  if (tool === undefined || lines === "") return tool;
  return { ...tool, description: `${tool.description}\n\n${title}:\n${lines}` };
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
