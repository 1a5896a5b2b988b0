import type { AgentState, AgentStatus } from "../shared/monitor/monitor.ts";
import type { Paint } from "./paint.ts";

/** How a group of agents is shown. */
interface Group {
  /** `working` is `works` for people. */
  readonly word: string;
  /** After a number: `3 wait`. */
  readonly counted: string;
  readonly mark: "●" | "◌" | "○";
  readonly colour: keyof Paint;
}

/** Agents by what people do about them, those that need somebody first. */
export const GROUPS = {
  waits: { word: "waits", counted: "wait", mark: "●", colour: "yellow" },
  failed: { word: "failed", counted: "failed", mark: "●", colour: "red" },
  gone: { word: "gone", counted: "gone", mark: "●", colour: "red" },
  works: { word: "works", counted: "work", mark: "●", colour: "blue" },
  quiet: { word: "no news", counted: "without news", mark: "◌", colour: "dim" },
  starts: { word: "starts", counted: "start", mark: "●", colour: "dim" },
  idle: { word: "idle", counted: "idle", mark: "○", colour: "dim" },
  ended: { word: "ended", counted: "ended", mark: "○", colour: "dim" },
} as const satisfies Readonly<Record<string, Group>>;

export type GroupName = keyof typeof GROUPS;

const ORDER = Object.keys(GROUPS);

const GROUP_OF: Readonly<Record<AgentState, GroupName>> = {
  prompting: "waits",
  failed: "failed",
  gone: "gone",
  working: "works",
  starting: "starts",
  idle: "idle",
  exited: "ended",
};

/** @param asks whether a question of it is open: then it waits, whatever else it does. */
export function groupOf({ state, no_news_since }: AgentStatus, asks = false): GroupName {
  if (asks) return "waits";
  return state === "working" && no_news_since !== undefined ? "quiet" : GROUP_OF[state];
}

/** Compares agents for a list: what needs a human first; in one group, what has lasted longest. */
export function compareInList(
  one: readonly [GroupName, AgentStatus],
  other: readonly [GroupName, AgentStatus],
): number {
  const [group, { since }] = one;
  const [otherGroup, { since: otherSince }] = other;
  return (
    ORDER.indexOf(group) - ORDER.indexOf(otherGroup) || (since < otherSince ? -1 : since > otherSince ? 1 : 0)
  );
}

/** `3 wait`, `4 work`, each in its colour: the groups that have agents. */
export function countsOf(names: readonly GroupName[]): readonly { text: string; colour: keyof Paint }[] {
  return Object.entries(GROUPS).flatMap(([name, { counted, colour }]) => {
    const count = names.filter((one) => one === name).length;
    return count === 0 ? [] : [{ text: `${count} ${counted}`, colour }];
  });
}
