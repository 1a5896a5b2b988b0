import type { Adapter, NativePayload } from "../../adapters/adapter.ts";
import type { Bridge } from "../../adapters/bridge.ts";
import { claude } from "../../adapters/claude/claude.ts";
import { TenterhookError } from "../../core/base/errors.ts";
import { didYouMean } from "../../core/base/suggest.ts";

/** A foreign agent: its adapter, which every hook call needs, and the rest, which only commands need. */
interface AgentRow {
  readonly adapter: Adapter;
  readonly bridge: () => Promise<Bridge>;
}

/** All agents, in the order in which they are asked whether a payload is theirs. */
const AGENTS: readonly [AgentRow, ...AgentRow[]] = [
  { adapter: claude, bridge: async () => (await import("../../adapters/claude/bridge.ts")).claudeBridge },
];

export const ADAPTERS: readonly Adapter[] = AGENTS.map(({ adapter }) => adapter);

/** For payloads that no agent recognises: most agents copied Claude Code's format. */
export const USUAL_ADAPTER: Adapter = AGENTS[0].adapter;

export function adapterFor(
  payload: NativePayload,
  environment: Readonly<Record<string, string | undefined>>,
): Adapter {
  return ADAPTERS.find((adapter) => adapter.recognises(payload, environment)) ?? USUAL_ADAPTER;
}

export const AGENT_NAMES: readonly string[] = ADAPTERS.map(({ name }) => name);

/** @throws TenterhookError `usage_error` with the nearest name. */
export async function bridgeOf(name: string): Promise<Bridge> {
  const row = AGENTS.find(({ adapter }) => adapter.name === name);
  if (row !== undefined) return row.bridge();
  throw new TenterhookError(
    "usage_error",
    `There is no agent ${JSON.stringify(name)}.${didYouMean(name, AGENT_NAMES)}`,
    { hint: `Agents: ${AGENT_NAMES.join(", ")}.` },
  );
}

export async function adapterOf(name: string): Promise<Adapter> {
  return (await bridgeOf(name)).adapter;
}
