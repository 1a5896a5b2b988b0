import type { Adapter, NativePayload } from "../../adapters/adapter.ts";
import type { Bridge } from "../../adapters/bridge.ts";
import { claude } from "../../adapters/claude/claude.ts";
import { TenterhookError } from "../../core/base/errors.ts";
import { didYouMean } from "../../core/base/suggest.ts";

/** An agent of other people: its codec, which every call of it needs, and the rest, which only commands need. */
interface AgentRow {
  readonly adapter: Adapter;
  readonly bridge: () => Promise<Bridge>;
}

/** The one table of agents, in the order they are asked whether a payload is theirs. */
const AGENTS: readonly [AgentRow, ...AgentRow[]] = [
  { adapter: claude, bridge: async () => (await import("../../adapters/claude/bridge.ts")).claudeBridge },
];

/** Every agent whose payloads we understand. */
export const ADAPTERS: readonly Adapter[] = AGENTS.map(({ adapter }) => adapter);

/** Whom a payload is from that nobody recognises: Claude Code's form is what most others copied. */
export const USUAL_ADAPTER: Adapter = AGENTS[0].adapter;

/** The agent a payload comes from: by what only it sends or sets. */
export function adapterFor(
  payload: NativePayload,
  environment: Readonly<Record<string, string | undefined>>,
): Adapter {
  return ADAPTERS.find((adapter) => adapter.recognises(payload, environment)) ?? USUAL_ADAPTER;
}

/** The names of all agents. */
export const AGENT_NAMES: readonly string[] = ADAPTERS.map(({ name }) => name);

/**
 * Everything about an agent.
 *
 * @throws TenterhookError `usage_error` with the nearest name.
 */
export async function bridgeOf(name: string): Promise<Bridge> {
  const row = AGENTS.find(({ adapter }) => adapter.name === name);
  if (row !== undefined) return row.bridge();
  throw new TenterhookError(
    "usage_error",
    `There is no agent ${JSON.stringify(name)}.${didYouMean(name, AGENT_NAMES)}`,
    { hint: `Agents: ${AGENT_NAMES.join(", ")}.` },
  );
}

/** The adapter of an agent; throws as {@link bridgeOf} does. */
export async function adapterOf(name: string): Promise<Adapter> {
  return (await bridgeOf(name)).adapter;
}
