import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isRecord, parseJson } from "../../../core/base/json.ts";
import { regularText } from "../../../node/files/regular-file.ts";

const MOST_BYTES = 10_000_000;

/** Writes these keys into a file of a throw-away folder, next to what else is there. What is no JSON object stays as it is. */
export function mergeJson(file: string, value: object): void {
  const before = parseJson(regularText(file, MOST_BYTES) ?? "{}");
  if (!isRecord(before)) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...before, ...value }));
}
