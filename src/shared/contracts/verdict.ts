import { isJsonText, isRecord } from "../../core/base/json.ts";
import { repeatedKey } from "../json-keys.ts";

/** What a judge decided; `ok: false` is an objection. */
export interface Verdict {
  readonly ok: boolean;
  readonly reason?: string;
}

/** Reads a verdict strictly: `{ ok, reason? }` and nothing else. Returns `undefined` for anything else. */
function readVerdict(value: unknown): Verdict | undefined {
  if (!isRecord(value)) return undefined;
  const { ok, reason, ...more } = value;
  if (typeof ok !== "boolean" || Object.keys(more).length > 0) return undefined;
  if (reason === undefined) return { ok };
  return typeof reason === "string" ? { ok, reason } : undefined;
}

/** Reads the answer of any judge: a verdict in JSON, with at most white space and a code fence around it. */
export function readVerdictText(text: string): Verdict | undefined {
  const json = verdictJson(text);
  if (!isJsonText(json) || repeatedKey(json) !== undefined) return undefined;
  return readVerdict(JSON.parse(json));
}

/** The answer of a judge without the code fence that models like to put around JSON. */
export function verdictJson(text: string): string {
  return /^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$/s.exec(text)?.[1] ?? text;
}
