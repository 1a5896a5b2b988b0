import { isRecord, sameJson } from "../../../../../core/base/json.ts";
import { cut, harmless } from "../../../../command-line/screen/text.ts";

const MOST_CHARACTERS = 160;

/** What a hook changed: each field with what it was and what it is now. */
export function rewriteText(before: unknown, after: unknown): string {
  if (!isRecord(before) || !isRecord(after)) return `${value(before)} -> ${value(after)}`;
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .filter((field) => !sameJson(before[field], after[field]))
    .map((field) => `${field} ${value(before[field])} -> ${value(after[field])}`)
    .join(", ");
}

function value(given: unknown): string {
  const text = given === undefined ? "(none)" : JSON.stringify(given);
  return cut(harmless(text), MOST_CHARACTERS);
}
