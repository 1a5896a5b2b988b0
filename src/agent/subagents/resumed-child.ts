import { TenterhookError } from "../../core/base/errors.ts";
import type { Transcript, TranscriptMetadata } from "../../core/contracts/transcript.ts";
import type { AgentStore } from "../contracts.ts";
import { type AgentDefinition, allowsTool, definitionsByName } from "../definitions/definition.ts";
import { BUILT_IN } from "../definitions/presets.ts";
import { readDefinitions } from "../definitions/read-definitions.ts";
import { type AgentOptions, OWN_LIMITS, type SessionOptions } from "../options.ts";

type Narrowed = Pick<
  AgentOptions,
  "agents" | "cwd" | "limits" | "session" | "store" | "subagents" | "system_prompt" | "tools"
>;

/**
 * The options of a resumed agent. A subagent, or a fork of one, gets only the tools, iterations and prompt that its
 * definition and those of the agents above it allow, and can start no more levels of agents than before: it must not gain
 * anything by being resumed by its own id.
 *
 * @throws TenterhookError `unknown_agent` when an agent above it is not stored, so that its limits are unknown, and when a
 *   definition is gone or can't be used.
 */
export async function withinDefinitions<Options extends Narrowed>(
  given: Options,
  signal?: AbortSignal,
): Promise<Options> {
  const { session = {}, tools = [], limits = {}, system_prompt } = given;
  const { resume } = session;
  if (resume === undefined) return given;
  const kinds = await kindsAbove(resume.metadata, given.store);
  const { agent_type = "main" } = resume.metadata;
  const options = { ...given, session: { ...session, agent_type } };
  if (kinds.length === 0) return options;
  const definitions = await definitionsOf(kinds, options, resume, signal);
  const { iterations = OWN_LIMITS.iterations, agent_depth = OWN_LIMITS.agent_depth } = limits;
  const depth_left = Math.max(0, agent_depth - kinds.length);
  const prompt = definitions.find((definition) => definition.prompt !== undefined)?.prompt ?? system_prompt;
  return {
    ...options,
    tools: tools.filter(
      (tool) =>
        definitions.every((definition) => allowsTool(definition, tool)) &&
        (depth_left > 1 || tool.name !== "Task"),
    ),
    limits: {
      ...limits,
      iterations: Math.min(
        ...definitions.map(({ max_iterations }) => max_iterations ?? iterations),
        iterations,
      ),
      agent_depth: depth_left,
    },
    subagents: { ...given.subagents, own_hooks: definitions.flatMap(({ hooks }) => hooks ?? []) },
    system_prompt: prompt,
  };
}

/**
 * Refuses the conversation of a subagent whose definition was not looked up: the options have no `agent_type` then.
 *
 * @throws TenterhookError `invalid_option`.
 */
export function checkBounded({ resume, agent_type }: SessionOptions): void {
  if (resume === undefined || agent_type !== undefined) return;
  const { agent_id, parent_agent_id, forked_from, agent_type: type = "main" } = resume.metadata;
  if (parent_agent_id === undefined && (forked_from === undefined || type === "main")) return;
  throw new TenterhookError(
    "invalid_option",
    `new Agent: session.resume: "${agent_id}" is a subagent, which stays within its definition.`,
    { hint: "Use Agent.resume or Agent.fork: they look it up." },
  );
}

/** The kinds of an agent and of those above it, without the first agent of the session. */
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
    const transcript = await store?.load?.(above);
    if (transcript !== undefined) {
      at = transcript.metadata;
      continue;
    }
    if (parent_agent_id !== undefined)
      throw new TenterhookError(
        "unknown_agent",
        `The store has no transcript of agent "${above}", which started "${agent_id}", so its limits are unknown.`,
        { hint: "Pass the store that has both." },
      );
    // The original of a fork may be deleted; the type of the fork says what it was.
    return agent_type === "main" ? kinds : [...kinds, agent_type];
  }
}

async function definitionsOf(
  kinds: readonly string[],
  { agents = [], cwd, subagents: { findAgents = readDefinitions } = {} }: Narrowed,
  { metadata }: Transcript,
  signal: AbortSignal | undefined,
): Promise<readonly AgentDefinition[]> {
  const found = await findAgents(cwd ?? metadata.cwd ?? process.cwd(), signal);
  const known = definitionsByName(agents, BUILT_IN, found);
  return kinds.map((kind) => {
    const definition = known.get(kind);
    if (definition !== undefined && definition.problem === undefined) return definition;
    throw new TenterhookError(
      "unknown_agent",
      definition?.problem ??
        `The definition of the subagent "${kind}" is gone, so the limits of "${metadata.agent_id}" are unknown.`,
      { hint: `Define it again in .tenterhook/agents/${kind}.md, or in the option agents.` },
    );
  });
}
