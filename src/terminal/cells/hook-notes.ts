import { isRecord, sameJson } from "../../core/base/json.ts";
import type { HookRun } from "../../core/decide/decision.ts";
import { harmless } from "../../shared/harmless.ts";
import { cut } from "../layout.ts";

export interface Note {
  readonly tone: "refusal" | "change";
  readonly text: string;
}

/** The events on which a deny stops a call. */
const GATES: readonly string[] = ["PreToolUse", "PermissionRequest", "MemoryUpdate"];

/** The effects of a hook worth showing; most runs have none. Failures are shown as notices. */
export function notesOf(event: string, run: HookRun): readonly Note[] {
  const { name: given, outcome, recheck } = run;
  if (outcome === undefined) return [];
  const { action, reason = "", rewrite, answer, retry, abort } = outcome;
  const name = harmless(given);
  const again = recheck === true ? ", asked again about the rewritten call" : "";
  const notes: Note[] = [];
  if (rewrite === true)
    notes.push(change(`rewritten by ${name}: ${rewriteText(run.input_before, run.input_after)}`));
  if (answer !== undefined) notes.push(change(`answered by ${name}: ${shown(answer)}`));
  if (action === "ask") notes.push(change(because(`${name} wants a human to decide${again}`, reason)));
  if (action === "allow" && event === "PermissionRequest")
    notes.push(change(because(`allowed by ${name}`, reason)));
  if (action === "deny") {
    const refused = GATES.includes(event) ? `denied by ${name}${again}` : `refused by ${name} on ${event}`;
    notes.push({ tone: "refusal", text: because(refused, reason) });
  }
  if (retry === true) notes.push(change(because(`${name} wants another try`, reason)));
  if (abort === true) notes.push({ tone: "refusal", text: because(`${name} ends the run`, reason) });
  return notes;
}

function change(text: string): Note {
  return { tone: "change", text };
}

function because(what: string, reason: string): string {
  return reason === "" ? what : `${what}: ${harmless(reason)}`;
}

function shown(answer: unknown): string {
  return harmless(typeof answer === "string" ? answer : JSON.stringify(answer));
}

const MOST_CHARACTERS = 160;

/** Each changed field with its old and new value. */
function rewriteText(before: unknown, after: unknown): string {
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
