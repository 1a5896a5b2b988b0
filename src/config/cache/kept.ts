import { readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isRecord, sameJson } from "../../core/base/json.ts";
import { type OpenFile, openOwnFile } from "../../node/files/own-file.ts";
import { hasBytes } from "../../node/files/same-bytes.ts";
import { PACKAGE_VERSION } from "../../node/package-version.ts";
import { cacheFolder } from "../../node/user-folders.ts";
import type { KeptIndex } from "../../rules/compiled/compiled-index.ts";
import type { RuleAction } from "../../rules/rule.ts";
import type { Config, ConfigDefinition } from "../config.ts";
import type { Places } from "../find/discover.ts";
import { questionName, questionOf } from "./cache-key.ts";
import { isSame, type KeptInput } from "./kept-inputs.ts";
import { sealOf } from "./seal-of.ts";

/*
 * What a process needs that decides one event, in a form that takes no time to read: of each event only its own hooks,
 * of each hook only the rules that could hold. One file: a line with three sizes; the hot part, twice; the bytes of the
 * inputs; the rules, twice. The halves must be equal: so that they are whole is known without a digest, whose loading
 * alone would take longer than the decision.
 */

/** A hook of one event. */
export interface KeptHook {
  /** Without its rules, when these are kept. */
  readonly hook: ConfigDefinition;
  readonly rules?: {
    readonly index: KeptIndex;
    readonly actions: readonly RuleAction["type"][];
    /** Set when nothing but its events and these tools, by our names, say whether it is asked. */
    readonly matched?: { readonly tools?: readonly string[] };
    /** The rules, each as JSON; a promise when they have to be read from the configuration's files. */
    lines(): readonly string[] | Promise<readonly string[]>;
  };
}

/** What of a configuration one event is decided by. */
export interface EventConfig extends Pick<Config, "timeout" | "limits" | "sites" | "trust" | "broken"> {
  readonly settings: Pick<Config["settings"], "degrade" | "monitor">;
  readonly hooks: readonly KeptHook[];
}

/** Where something stands in its part of the file. */
export type Range = readonly [start: number, end: number];

/** The beginning of the hot part. */
export interface KeptHead {
  readonly question: readonly unknown[];
  readonly inputs: readonly KeptInput[];
  /** The files of what is kept for the day the configuration can't be read, with their seals. */
  readonly last_good: readonly (readonly [file: string, seal: string])[];
  readonly shared: Range;
  readonly events: Readonly<Record<string, Range>>;
}

/** A hook as the file holds it. */
export interface WrittenHook {
  readonly hook: ConfigDefinition;
  readonly rules?: Omit<NonNullable<KeptHook["rules"]>, "lines"> & { readonly lines: Range };
}

const MARK = `tenterhook kept 5 ${PACKAGE_VERSION}`;
const DIGITS = 10;
/** The first line: whose file it is, and the bytes of the hot part, the inputs and the rules. */
export function keptMark(...sizes: readonly [hot: number, inputs: number, rules: number]): string {
  return `${MARK}${sizes.map((size) => ` ${String(size).padStart(DIGITS, "0")}`).join("")}\n`;
}
const MARK_BYTES = keptMark(0, 0, 0).length;
const NEWLINE = 0x0a;

/** Where it is kept. */
export function keptFile(places: Places): string {
  return join(cacheFolder(places.environment), `hook-${questionName(questionOf(places))}`);
}

/**
 * What is kept for one event, when every byte it was made of is still the same; `undefined` for anything else. Never
 * throws.
 *
 * @param fromFiles what the configuration's files come to, for rules that turn out damaged when they are needed.
 */
export function readKept(
  places: Places,
  event: string,
  fromFiles: () => Promise<EventConfig>,
): EventConfig | undefined {
  // It stays open for the rules, which are read when they are needed: another process may put a new file in its place.
  const file = openOwnFile(keptFile(places));
  if (file === undefined) return undefined;
  const mark = bytesAt(file, 0, MARK_BYTES).toString("latin1");
  const [hot = 0, inputs = 0, rules = 0] = mark.slice(MARK.length).trim().split(" ").map(Number);
  const rulesAt = MARK_BYTES + 2 * hot + inputs;
  if (mark !== keptMark(hot, inputs, rules) || file.size !== rulesAt + 2 * rules) return undefined;
  const bytes = bytesAt(file, MARK_BYTES, hot);
  if (!hasBytes({ descriptor: file.descriptor, from: MARK_BYTES + hot }, bytes)) return undefined;
  const end = bytes.indexOf(NEWLINE);
  const head: unknown = JSON.parse(bytes.toString("utf8", 0, end));
  if (!isHead(head) || !sameJson(head.question, questionOf(places))) return undefined;
  // What other processes have kept meanwhile is not what would come into force here.
  if (!head.last_good.every(([at, seal]) => sealOf(at) === seal)) return undefined;
  const kept = { descriptor: file.descriptor, from: MARK_BYTES + 2 * hot };
  if (!head.inputs.every((input) => isSame(input, kept))) return undefined;
  const text = ([from, to]: Range): string => bytes.toString("utf8", end + 1 + from, end + 1 + to);
  const shared: Omit<EventConfig, "hooks"> = JSON.parse(text(head.shared));
  const range = Object.hasOwn(head.events, event) ? head.events[event] : undefined;
  const hooks: readonly WrittenHook[] = range === undefined ? [] : JSON.parse(text(range));
  const linesOf = (name: string, [from, to]: Range): readonly string[] | Promise<readonly string[]> => {
    const [once, twice] = [rulesAt, rulesAt + rules].map((at) => bytesAt(file, at + from, to - from));
    if (once !== undefined && twice?.equals(once) === true) return once.toString("utf8").split("\n");
    rmSync(keptFile(places), { force: true });
    return linesFrom(fromFiles(), name);
  };
  return {
    ...shared,
    hooks: hooks.map(({ hook, rules }) => ({
      hook,
      ...(rules === undefined ? {} : { rules: { ...rules, lines: () => linesOf(hook.name, rules.lines) } }),
    })),
  };
}

async function linesFrom(config: Promise<EventConfig>, name: string): Promise<readonly string[]> {
  const known = (await config).hooks.find(({ hook }) => hook.name === name)?.rules;
  if (known === undefined) throw new Error(`The rules of ${name} have changed while it was asked.`);
  return known.lines();
}

/** So many bytes of a file from a place on; fewer when it ends before. */
function bytesAt({ descriptor }: OpenFile, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, from));
}

/** The mark says that this package wrote it, in this version; so the outline is enough. */
function isHead(value: unknown): value is KeptHead {
  return (
    isRecord(value) && Array.isArray(value.inputs) && Array.isArray(value.last_good) && isRecord(value.events)
  );
}
