import { readFileSync } from "node:fs";
import { isRecord } from "../../core/json.ts";

const MOST_CHARACTERS = 64_000_000;

/** The payload on stdin; `undefined` for what is not one. Never throws. */
export function readPayload(): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = readFileSync(0, "utf8");
    const value: unknown = text.length > MOST_CHARACTERS ? undefined : JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
