import type { AgentState } from "../../shared/monitor/monitor.ts";
import type { SeenAgent } from "./port.ts";

/** The states as the screen shows them, those that need a human first. Each has a key that shows it alone. */
export const KINDS = {
  waits: { key: "w", mark: "●", colour: "yellow", counted: "wait", only: "only waiting" },
  failed: { key: "f", mark: "●", colour: "red", counted: "failed", only: "only failed" },
  works: { key: "b", mark: "●", colour: "blue", counted: "work", only: "only busy" },
  idle: { key: "i", mark: "○", colour: "dim", counted: "idle", only: "only idle" },
  ended: { key: "e", mark: "○", colour: "dim", counted: "ended", only: "only ended" },
} as const satisfies Record<string, KindRow>;

interface KindRow {
  readonly key: string;
  readonly mark: string;
  readonly colour: "yellow" | "red" | "blue" | "dim";
  /** After a number: `3 wait`. */
  readonly counted: string;
  readonly only: string;
}

export type Kind = keyof typeof KINDS;

export const KIND_NAMES: readonly Kind[] = ["waits", "failed", "works", "idle", "ended"];

const KIND_OF: Readonly<Record<AgentState, Kind>> = {
  prompting: "waits",
  failed: "failed",
  gone: "failed",
  working: "works",
  starting: "works",
  idle: "idle",
  exited: "ended",
};

/** An agent that asks a human something waits, whatever else it does. */
export function kindOf({ agent, asks }: SeenAgent): Kind {
  return asks !== undefined && asks.elsewhere === undefined ? "waits" : KIND_OF[agent.state];
}

/** What a row says of the state: an agent that is gone differs from one that failed. */
export function stateWord(seen: SeenAgent): string {
  const kind = kindOf(seen);
  return kind === "failed" && seen.agent.state === "gone" ? "gone" : kind;
}

/** What needs a human first; of one kind, what has lasted longest. */
export function sorted(agents: readonly SeenAgent[]): readonly SeenAgent[] {
  const rank = (seen: SeenAgent): number => KIND_NAMES.indexOf(kindOf(seen));
  return [...agents].sort(
    (one, other) =>
      rank(one) - rank(other) ||
      (one.agent.since < other.agent.since ? -1 : one.agent.since > other.agent.since ? 1 : 0) ||
      (one.name < other.name ? -1 : 1),
  );
}

/** What is to be shown: of one state, or with all of these words in it. */
export interface Filter {
  readonly kind?: Kind | undefined;
  readonly text: string;
}

export function filtered(agents: readonly SeenAgent[], { kind, text }: Filter): readonly SeenAgent[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return agents.filter((seen) => {
    if (kind !== undefined && kindOf(seen) !== kind) return false;
    const { name, what, agent } = seen;
    const all = [name, what, agent.host, agent.cwd, agent.task, stateWord(seen)].join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
