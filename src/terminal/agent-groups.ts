import { GROUP_NAMES, type GroupName } from "../shared/monitor/agent-groups.ts";
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

/** The groups of agents, in the order of lists. */
export const GROUPS = {
  waits: { word: "waits", counted: "wait", mark: "●", colour: "yellow" },
  failed: { word: "failed", counted: "failed", mark: "●", colour: "red" },
  gone: { word: "gone", counted: "gone", mark: "●", colour: "red" },
  works: { word: "works", counted: "work", mark: "●", colour: "blue" },
  quiet: { word: "no news", counted: "without news", mark: "◌", colour: "dim" },
  starts: { word: "starts", counted: "start", mark: "●", colour: "dim" },
  idle: { word: "idle", counted: "idle", mark: "○", colour: "dim" },
  ended: { word: "ended", counted: "ended", mark: "○", colour: "dim" },
} as const satisfies Readonly<Record<GroupName, Group>>;

/** `3 wait`, `1 works`, each in its colour: the groups that have agents. */
export function countsOf(names: readonly GroupName[]): readonly { text: string; colour: keyof Paint }[] {
  return GROUP_NAMES.flatMap((name) => {
    const { counted, word, colour } = GROUPS[name];
    const count = names.filter((one) => one === name).length;
    return count === 0
      ? []
      : [{ text: `${count} ${count === 1 && `${counted}s` === word ? word : counted}`, colour }];
  });
}
