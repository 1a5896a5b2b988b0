import { type GroupName, groupOf, inOrder } from "../../shared/monitor/agent-groups.ts";
import { GROUPS } from "../agent-groups.ts";
import type { SeenAgent } from "./port.ts";

/** What a key shows alone: the groups of agents that people look for together. */
export const KINDS = {
  waits: { key: "w", only: "only waiting", groups: ["waits"] },
  failed: { key: "f", only: "only failed", groups: ["failed", "gone"] },
  works: { key: "b", only: "only busy", groups: ["works", "quiet", "starts"] },
  idle: { key: "i", only: "only idle", groups: ["idle"] },
  ended: { key: "e", only: "only ended", groups: ["ended"] },
} as const satisfies Readonly<Record<string, KindRow>>;

interface KindRow {
  readonly key: string;
  readonly only: string;
  readonly groups: readonly GroupName[];
}

export type Kind = keyof typeof KINDS;

export const KIND_NAMES: readonly Kind[] = ["waits", "failed", "works", "idle", "ended"];

export function seenGroup({ agent, asks }: SeenAgent): GroupName {
  return groupOf(agent, asks !== undefined);
}

/** The state of an agent, as a list shows it: `● works`. */
export function stateText(seen: SeenAgent): string {
  const { mark, word } = GROUPS[seenGroup(seen)];
  return `${seen.agent.source === "inferred" ? "◌" : mark} ${word}`;
}

export function sorted(agents: readonly SeenAgent[]): readonly SeenAgent[] {
  return inOrder(agents, ({ agent, asks }) => [agent, asks !== undefined]);
}

/** What is to be shown: of one state, or with all of these words in it. */
export interface Filter {
  readonly kind?: Kind | undefined;
  readonly text: string;
}

export function filtered(agents: readonly SeenAgent[], { kind, text }: Filter): readonly SeenAgent[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (kind === undefined && words.length === 0) return agents;
  const groups: readonly GroupName[] | undefined = kind && KINDS[kind].groups;
  return agents.filter((seen) => {
    if (groups?.includes(seenGroup(seen)) === false) return false;
    const { name, what, agent } = seen;
    const all = [name, what, agent.host, agent.cwd, agent.task, stateText(seen)].join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
