import { isRecord } from "../../core/base/json.ts";
import { nearestName } from "../../core/base/suggest.ts";
import { capText } from "../../core/base/text.ts";
import { badOutput, type ReplySite } from "./reply-site.ts";

export interface ReplyKey {
  /** Completes "must be …". */
  readonly must: string;
  is(value: unknown): boolean;
  /** The events it is for. Default: all. */
  readonly on?: readonly string[];
}

export type ReplyKeys = Readonly<Record<string, ReplyKey>>;

export type ReplyObject = Readonly<Record<string, unknown>>;

export const KINDS = {
  text: { must: "a string", is: (value) => typeof value === "string" },
  flag: { must: "true or false", is: (value) => typeof value === "boolean" },
  object: { must: "an object", is: isRecord },
  list: { must: "a list", is: Array.isArray },
  anything: { must: "anything", is: () => true },
} as const satisfies Record<string, ReplyKey>;

export function oneOf(...words: readonly string[]): ReplyKey {
  const must = words.map((word) => JSON.stringify(word)).join(" or ");
  return { must, is: (value) => typeof value === "string" && words.includes(value) };
}

/** The same kind, or `null`, which counts as a missing key. */
export function orNull(kind: ReplyKey): ReplyKey {
  return { ...kind, must: `${kind.must} or null`, is: (value) => value === null || kind.is(value) };
}

/**
 * Checks that an object has only known keys, each where it belongs and of its kind. Returns the others where they are
 * let pass.
 *
 * @param elsewhere Keys that belong to another level, each with where.
 * @throws HookFailureError `bad_output` that says what was expected.
 */
export function checkReply(
  value: ReplyObject,
  keys: ReplyKeys,
  what: string,
  site: ReplySite,
  elsewhere: Readonly<Record<string, string>> = {},
): readonly string[] {
  const others: string[] = [];
  for (const [key, given] of Object.entries(value)) {
    const row = Object.hasOwn(keys, key) ? keys[key] : undefined;
    const isHere = row?.on === undefined || site.known?.own !== false || row.on.includes(site.name);
    if (site.lenient && (row === undefined || !isHere)) {
      others.push(key);
      continue;
    }
    if (row === undefined) throw badOutput(unknownKey(key, keys, what, elsewhere));
    if (!isHere) throw badOutput(`${key} in ${what} is for ${row.on?.join(" and ")}, not for ${site.name}.`);
    if (!row.is(given)) throw badOutput(`${key} in ${what} must be ${row.must}, not ${shown(given)}.`);
  }
  return others;
}

export function textIn(value: ReplyObject, key: string): string | undefined {
  const text = value[key];
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
}

function unknownKey(
  key: string,
  keys: ReplyKeys,
  what: string,
  elsewhere: Readonly<Record<string, string>>,
): string {
  const place = Object.hasOwn(elsewhere, key) ? elsewhere[key] : undefined;
  if (place !== undefined) return `${shown(key)} does not belong in ${what}: ${place}.`;
  const near = nearestName(key, [...Object.keys(keys), ...Object.keys(elsewhere)]);
  const meant = near === undefined ? "" : ` Did you mean ${JSON.stringify(near)}?`;
  return `${shown(key)} is not known in ${what}.${meant} Expected: ${Object.keys(keys).join(", ")}.`;
}

export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(capText(value, 80));
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
