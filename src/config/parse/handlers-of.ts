import { isRecord } from "../../core/base/json.ts";
import type { ValuePath } from "./located.ts";

/** A handler as a file holds it. */
export type WrittenHandler = Readonly<Record<string, unknown>>;

/** The types that put handlers together. */
export const COMPOSITIONS = ["all", "any", "first"] as const;

/** The handlers of a definition, each with its place in it: itself, or all inside the composition it is. */
export function handlersOf(
  handler: WrittenHandler,
  path: ValuePath = [],
): readonly (readonly [WrittenHandler, ValuePath])[] {
  const key = COMPOSITIONS.find((name) => handler[name] !== undefined);
  const parts = key === undefined ? undefined : handler[key];
  if (key === undefined || !Array.isArray(parts)) return [[handler, path]];
  return parts.filter(isRecord).flatMap((part, index) => handlersOf(part, [...path, key, index]));
}
