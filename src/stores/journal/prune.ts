import { capText } from "../../core/base/text.ts";

/** How much of a value is kept. */
export interface Caps {
  /** Of each text. */
  readonly characters: number;
  /** Of each list and object. */
  readonly items: number;
  readonly depth: number;
}

/** A copy of a JSON value that keeps the beginning of what is long, and says where something is missing. */
export function prune(value: unknown, caps: Caps, depth = caps.depth): unknown {
  if (typeof value === "string") return capText(value, caps.characters);
  if (typeof value !== "object" || value === null) return value;
  if (depth <= 0) return Array.isArray(value) ? `[${value.length} items]` : "{…}";
  if (Array.isArray(value)) {
    const kept = value.slice(0, caps.items).map((item) => prune(item, caps, depth - 1));
    return value.length > caps.items ? [...kept, `… ${value.length - caps.items} more`] : kept;
  }
  const entries = Object.entries(value);
  const kept = entries
    .slice(0, caps.items)
    .map(([key, item]) => [capText(key, caps.characters), prune(item, caps, depth - 1)]);
  if (entries.length > caps.items) kept.push(["…", `${entries.length - caps.items} more`]);
  return Object.fromEntries(kept);
}
