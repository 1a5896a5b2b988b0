import { TenterhookError } from "../../core/base/errors.ts";
import type { Transcript, TranscriptMetadata } from "../../core/contracts/transcript.ts";
import type { AgentStore } from "../contracts.ts";
import { type AgentOptions, OWN_LIMITS } from "../options.ts";
import { type AgentDefinition, allowsTool, definitionsByName, GENERAL } from "./definition.ts";
import { readDefinitions } from "./read-definitions.ts";

/** What may be narrowed, and what has to be known for it. */
type Narrowed = Pick<
  AgentOptions,
  "agents" | "cwd" | "findAgents" | "limits" | "resume" | "store" | "system_prompt" | "tools"
>;

/**
 * What an agent is made of that goes on with a kept conversation. One that was a subagent, or is a fork of one, has the
 * tools, rounds and prompt that its definition and those of the agents above it leave, and starts no more agents below it
 * than it could before: it is not to win anything by being resumed by its own id.
 *
 * @throws TenterhookError `unknown_agent` when an agent above it is not kept, so that nobody knows what it may do,
 *   and when a definition is gone or can't be used.
 */
export async function withinDefinitions<Options extends Narrowed>(
  given: Options,
  signal?: AbortSignal,
): Promise<Options & Pick<AgentOptions, "agent_type">> {
  const { resume, tools = [], limits = {}, system_prompt } = given;
  if (resume === undefined) return given;
  const kinds = await kindsAbove(resume.metadata, given.store);
  const { agent_type = "main" } = resume.metadata;
  const options = { ...given, agent_type };
  if (kinds.length === 0) return options;
  const definitions = await definitionsOf(kinds, options, resume, signal);
  const { iterations = OWN_LIMITS.iterations, agent_depth = OWN_LIMITS.agent_depth } = limits;
  const depth_left = Math.max(0, agent_depth - kinds.length);
  const prompt = definitions.find((definition) => definition.prompt !== undefined)?.prompt ?? system_prompt;
  return {
    ...options,
    tools: tools.filter(
      ({ name }) =>
        definitions.every((definition) => allowsTool(definition, name)) &&
        (depth_left > 1 || name !== "Task"),
    ),
    limits: {
      ...limits,
      iterations: Math.min(
        iterations,
        ...definitions.flatMap(({ max_iterations = iterations }) => max_iterations),
      ),
      agent_depth: depth_left,
    },
    ...(prompt === undefined ? {} : { system_prompt: prompt }),
  };
}

/**
 * Refuses a kept conversation of a subagent of which nobody has looked up what it may do: its type is not given then.
 *
 * @throws TenterhookError `invalid_option`.
 */
export function checkBounded({ resume, agent_type }: Pick<AgentOptions, "resume" | "agent_type">): void {
  if (resume === undefined || agent_type !== undefined) return;
  const { agent_id, parent_agent_id, forked_from, agent_type: kept = "main" } = resume.metadata;
  if (parent_agent_id === undefined && (forked_from === undefined || kept === "main")) return;
  throw new TenterhookError(
    "invalid_option",
    `new Agent: resume: "${agent_id}" is a subagent, which stays within its definition.`,
    { hint: "Use Agent.resume or Agent.fork: they look it up." },
  );
}

/** The kinds of an agent and of those above it, the first agent of the session not among them. */
async function kindsAbove(
  metadata: TranscriptMetadata,
  store: AgentStore | undefined,
): Promise<readonly string[]> {
  const kinds: string[] = [];
  for (let at = metadata; ; ) {
    const { agent_id, parent_agent_id, forked_from, agent_type = "main" } = at;
    if (parent_agent_id !== undefined) kinds.push(agent_type);
    const above = parent_agent_id ?? forked_from?.agent_id;
    if (above === undefined) return kinds;
    const kept = await store?.load?.(above);
    if (kept !== undefined) {
      at = kept.metadata;
      continue;
    }
    if (parent_agent_id !== undefined)
      throw new TenterhookError(
        "unknown_agent",
        `No transcript is kept of agent "${above}", which started "${agent_id}": what that may do is not known.`,
        { hint: "Give the store that keeps both." },
      );
    // What a fork was made of may be deleted. Its type tells what it was.
    return agent_type === "main" ? kinds : [...kinds, agent_type];
  }
}

async function definitionsOf(
  kinds: readonly string[],
  { agents = [], cwd, findAgents = readDefinitions }: Narrowed,
  { metadata }: Transcript,
  signal: AbortSignal | undefined,
): Promise<readonly AgentDefinition[]> {
  const found = await findAgents(cwd ?? metadata.cwd ?? process.cwd(), signal);
  const known = definitionsByName(agents, found, [GENERAL]);
  return kinds.map((kind) => {
    const definition = known.get(kind);
    if (definition !== undefined && definition.problem === undefined) return definition;
    throw new TenterhookError(
      "unknown_agent",
      definition?.problem ??
        `There is no definition of the subagent "${kind}" any more: what "${metadata.agent_id}" may do is not known.`,
      { hint: `Define it again in .tenterhook/agents/${kind}.md, or in the option agents.` },
    );
  });
}
