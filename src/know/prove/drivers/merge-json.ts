import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isRecord, parseJson } from "../../../core/base/json.ts";
import { regularText } from "../../../node/files/regular-file.ts";

const MOST_BYTES = 10_000_000;

type Settings = Readonly<Record<string, unknown>>;

/** Adds keys to a JSON file of a throw-away folder. A file with anything but an object stays as it is. */
export function mergeJson(file: string, value: object | ((before: Settings) => object)): void {
  const before = parseJson(regularText(file, MOST_BYTES) ?? "{}");
  if (!isRecord(before)) return;
  mkdirSync(dirname(file), { recursive: true });
  const added = typeof value === "function" ? value(before) : value;
  writeFileSync(file, JSON.stringify({ ...before, ...added }));
}
