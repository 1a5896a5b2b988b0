import { isRecord } from "../../../../core/base/json.ts";
import { readInput } from "../../../hook/startup/read-input.ts";

/** The payload on stdin; `undefined` for what is not one. Never rejects. */
export async function readPayload(): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const value: unknown = JSON.parse(await readInput());
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
