import { join } from "node:path";
import { isRecord, sameJson } from "../../core/json.ts";
import { cacheFolder } from "../../node/cache-folder.ts";
import { readOwnBytes } from "../../node/files/own-file.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";
import type { KeptIndex } from "../../rules/kept-rules.ts";
import type { RuleAction } from "../../rules/rule.ts";
import type { Config, ConfigDefinition } from "../config.ts";
import type { Places } from "../discover.ts";
import { isSame, type KeptInput } from "./kept-inputs.ts";
import { questionName, questionOf } from "./question.ts";

/*
 * What a process needs that decides one event, in a form that takes no time to read: of each event only its own hooks,
 * of each hook only the rules that could hold. Everything is in one file, twice, and the halves must be equal; so that it
 * is whole is known without a digest, whose loading alone would take longer than the decision.
 */

/** A hook of one event. */
export interface KeptHook {
  /** Without its rules, when these are kept. */
  readonly hook: ConfigDefinition;
  readonly rules?: {
    readonly index: KeptIndex;
    readonly actions: readonly RuleAction["type"][];
    /** The rules, each as JSON. */
    lines(): readonly string[];
  };
}

/** What of a configuration one event is decided by. */
export interface EventConfig extends Pick<Config, "timeout" | "limits" | "sites" | "trust" | "broken"> {
  readonly settings: Pick<Config["settings"], "degrade">;
  readonly hooks: readonly KeptHook[];
}

/** Where something stands in the file, counted from the end of its head. */
export type Range = readonly [start: number, end: number];

/** The first part of the file. */
export interface KeptHead {
  readonly question: readonly unknown[];
  readonly inputs: readonly KeptInput[];
  readonly shared: Range;
  readonly events: Readonly<Record<string, Range>>;
}

/** A hook as the file holds it. */
export interface WrittenHook {
  readonly hook: ConfigDefinition;
  readonly rules?: Omit<NonNullable<KeptHook["rules"]>, "lines"> & { readonly lines: Range };
}

/** What the first line must be. */
export const KEPT_MARK = `tenterhook kept 1 ${PACKAGE_VERSION}\n`;
const MOST_BYTES = 200_000_000;
const NEWLINE = 0x0a;

/** Where it is kept. */
export function keptFile(places: Places): string {
  return join(cacheFolder(places.environment), `hook-${questionName(questionOf(places))}`);
}

/**
 * What is kept for one event, when every byte it was made of is still the same; `undefined` for anything else. Never
 * throws.
 */
export function readKept(places: Places, event: string): EventConfig | undefined {
  const { bytes } = readOwnBytes(keptFile(places), MOST_BYTES);
  if (bytes === undefined) return undefined;
  const half = bytes.length / 2;
  if (!Number.isInteger(half) || !bytes.subarray(0, half).equals(bytes.subarray(half))) return undefined;
  const mark = KEPT_MARK.length;
  if (bytes.toString("latin1", 0, mark) !== KEPT_MARK) return undefined;
  const end = bytes.indexOf(NEWLINE, mark);
  const head: unknown = JSON.parse(bytes.toString("utf8", mark, end));
  if (!isHead(head) || !sameJson(head.question, questionOf(places))) return undefined;
  const body = bytes.subarray(end + 1, half);
  if (!head.inputs.every((input) => isSame(input, body))) return undefined;
  const text = ([from, to]: Range): string => body.toString("utf8", from, to);
  const shared: Omit<EventConfig, "hooks"> = JSON.parse(text(head.shared));
  const range = Object.hasOwn(head.events, event) ? head.events[event] : undefined;
  const hooks: readonly WrittenHook[] = range === undefined ? [] : JSON.parse(text(range));
  return {
    ...shared,
    hooks: hooks.map(({ hook, rules }) => ({
      hook,
      ...(rules === undefined ? {} : { rules: { ...rules, lines: () => text(rules.lines).split("\n") } }),
    })),
  };
}

/** The mark says that this package wrote it, in this version; so the outline is enough. */
function isHead(value: unknown): value is KeptHead {
  return isRecord(value) && Array.isArray(value.inputs) && isRecord(value.events);
}
